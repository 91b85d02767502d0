// SPDX-License-Identifier: MIT
// Linked to one part: its header and the library it needs are found. Compiling the stores' headers whole is our own tests'.
#include <toolcontract/seal/sodium.hpp>

#ifdef HAS_sqlite
#include <sqlite3.h>
#if !__has_include(<toolcontract/store/sqlite.hpp>)
#error "its header was not installed"
#endif
#endif
#ifdef HAS_postgres
#include <libpq-fe.h>
#if !__has_include(<toolcontract/store/postgres.hpp>)
#error "its header was not installed"
#endif
#endif

int main() {
  bool right = toolcontract::sodium_digest("").size() == 32;
#ifdef HAS_sqlite
  right = right && sqlite3_threadsafe() != 0;
#endif
#ifdef HAS_postgres
  right = right && PQisthreadsafe() != 0;
#endif
  return right ? 0 : 1;
}
