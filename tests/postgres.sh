#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tests/postgres.sh start DIR     a PostgreSQL server of its own in DIR, on a socket there only; prints its connection string
# tests/postgres.sh restart DIR   the same server again
# tests/postgres.sh stop DIR      ends it and removes DIR
# tests/postgres.sh available DIR  whether there are the programs for it
#
# Nothing survives: no data of anybody is touched, and no port is opened. PostgreSQL refuses to run as root, so root runs it
# as the user postgres. Exits with 77 where the server's programs are not installed.

set -euo pipefail

usage() {
  printf 'usage: tests/postgres.sh start|restart|stop|available DIR\n' >&2
  exit 2
}
[ $# -eq 2 ] || usage
action=$1 dir=$2

programs=''
for candidate in "$(command -v pg_ctl || true)" /usr/lib/postgresql/*/bin/pg_ctl /usr/pgsql-*/bin/pg_ctl; do
  [ -x "$candidate" ] && programs=$(dirname "$(readlink -f "$candidate")")
done
if [ -z "$programs" ]; then
  printf 'LEFT OUT: no PostgreSQL server programs (Debian and Ubuntu: postgresql)\n' >&2
  exit 77
fi

as_server() {
  if [ "$(id -u)" -eq 0 ]; then
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

# Says why the server does not start.
explain() {
  cat "$dir"/*.log "$at/log" >&2 2> /dev/null || true
  exit 1
}

case $action in
  available) ;;
  start)
    # A socket's path has at most 107 bytes, and the user postgres must get there: so DIR only names the place.
    if [ -f "$dir/at" ]; then "$0" stop "$dir"; fi
    mkdir -p "$dir"
    at=$(mktemp -d "${TMPDIR:-/tmp}/toolcontract-postgres.XXXXXX")
    printf '%s\n' "$at" > "$dir/at"
    if [ "$(id -u)" -eq 0 ]; then chown postgres "$at"; fi
    as_server "$programs/initdb" -D "$at/data" -U toolcontract -A trust -E UTF8 --locale=C --no-sync > "$dir/initdb.log" 2>&1 || explain
    as_server "$programs/pg_ctl" -D "$at/data" -l "$at/log" -w -t 60 \
      -o "-c listen_addresses='' -c unix_socket_directories='$at' -c fsync=off -c max_connections=60" start > "$dir/start.log" 2>&1 || explain
    printf 'host=%s user=toolcontract dbname=postgres\n' "$at" | tee "$dir/conninfo"
    ;;
  restart)
    as_server "$programs/pg_ctl" -D "$(cat "$dir/at")/data" -l "$(cat "$dir/at")/log" -w -t 60 -m fast restart > "$dir/restart.log" 2>&1
    ;;
  stop)
    [ -f "$dir/at" ] || exit 0
    at=$(cat "$dir/at")
    as_server "$programs/pg_ctl" -D "$at/data" -w -t 60 -m immediate stop > /dev/null 2>&1 || true
    rm -rf "$at" "$dir"
    ;;
  *) usage ;;
esac
