// SPDX-License-Identifier: MIT
/// \file
/// The refunds that are really in the database, read past the server.
///
///     refunds_in("sqlite:FILE", "op");    // {{"op_1", {"rf_1"}}, …}: every key that begins so, with each refund made for it
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server.hpp"
#ifdef PROOF_HAS_SQLITE
#include <sqlite3.h>
#endif
#ifdef PROOF_HAS_POSTGRES
#include <libpq-fe.h>
#endif

namespace proof {

/// The ledger as the server takes it; postgres@FILE is the connection string in a file.
inline std::string ledger_named(const std::string& argument) {
  constexpr std::string_view in_file = "postgres@";
  if (!argument.starts_with(in_file)) return argument;
  std::ifstream file(argument.substr(in_file.size()));
  std::string conninfo;
  if (!std::getline(file, conninfo)) fail(argument + " names no file with a connection string");
  return "postgres:" + conninfo;
}

using Refunds = std::map<std::string, std::vector<std::string>>;

inline Refunds refunds_in(std::string_view ledger, const std::string& prefix) {
  Refunds found;
  const auto without_others = [&] {
    std::erase_if(found, [&](const auto& refund) { return !refund.first.starts_with(prefix); });
    return found;
  };
#ifdef PROOF_HAS_SQLITE
  if (ledger.starts_with("sqlite:")) {
    sqlite3* db = nullptr;
    if (sqlite3_open(std::string(ledger.substr(7)).c_str(), &db) != SQLITE_OK) fail("the database cannot be opened");
    const auto row = [](void* into, int, char** columns, char**) {
      (*static_cast<Refunds*>(into))[columns[1]].push_back(std::string("rf_") + columns[0]);
      return 0;
    };
    if (sqlite3_exec(db, "SELECT id, operation_id FROM refunds", row, &found, nullptr) != SQLITE_OK)
      fail(sqlite3_errmsg(db));
    sqlite3_close(db);
    return without_others();
  }
#endif
#ifdef PROOF_HAS_POSTGRES
  if (ledger.starts_with("postgres:")) {
    PGconn* db = PQconnectdb(std::string(ledger.substr(9)).c_str());
    PGresult* rows = PQexec(db, "SELECT id, operation_id FROM refunds");
    if (PQresultStatus(rows) != PGRES_TUPLES_OK) fail(PQerrorMessage(db));
    for (int i = 0; i < PQntuples(rows); ++i)
      found[PQgetvalue(rows, i, 1)].push_back(std::string("rf_") + PQgetvalue(rows, i, 0));
    PQclear(rows);
    PQfinish(db);
    return without_others();
  }
#endif
  fail("this program was built without " + std::string(ledger.substr(0, ledger.find(':'))));
}

/// Every key exactly one refund, and every answer the refund that is there.
inline void count(const Refunds& there, const std::map<std::string, std::string>& answered) {
  for (const auto& [key, ids] : there)
    if (ids.size() != 1) fail(key + " has " + std::to_string(ids.size()) + " refunds");
  for (const auto& [key, id] : answered) {
    const auto found = there.find(key);
    if (found == there.end()) fail(key + " was answered with " + id + ", and there is no such refund");
    if (found->second[0] != id) fail(key + " was answered with " + id + ", and there is " + found->second[0]);
  }
  if (there.size() != answered.size())
    fail(std::to_string(there.size()) + " keys have a refund, " + std::to_string(answered.size()) + " were answered");
}

}  // namespace proof
