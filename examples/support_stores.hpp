// SPDX-License-Identifier: MIT
// Which book the support desk keeps: in memory, or in a database it was built with.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support_book.hpp"
#ifdef SUPPORT_HAS_SQLITE
#include "support_sqlite.hpp"
#endif
#ifdef SUPPORT_HAS_POSTGRES
#include "support_postgres.hpp"
#endif

namespace support {

/// The book that `where` names: memory, sqlite:FILE or postgres:CONNINFO. \throws std::exception with the reason.
inline std::unique_ptr<Book> open_book(std::string_view where, const Trouble& trouble, bool fixed_tickets) {
  if (where == "memory") {
    tc::TokenSource tokens = tc::random_token;
    if (fixed_tickets) tokens = [made = 0]() mutable { return "ticket_" + std::to_string(++made); };
    return std::make_unique<MemoryBook>(trouble, std::move(tokens));
  }
#ifdef SUPPORT_HAS_SQLITE
  if (constexpr std::string_view prefix = "sqlite:"; where.starts_with(prefix))
    return std::make_unique<SqliteBook>(std::string(where.substr(prefix.size())), trouble);
#endif
#ifdef SUPPORT_HAS_POSTGRES
  if (constexpr std::string_view prefix = "postgres:"; where.starts_with(prefix))
    return std::make_unique<PostgresBook>(std::string(where.substr(prefix.size())), trouble);
#endif
  throw std::invalid_argument("--ledger must be memory, sqlite:FILE or postgres:CONNINFO, and built in; got " +
                              std::string(where));
}

}  // namespace support
