// SPDX-License-Identifier: MIT
// The support desk's book in a database: each write and its key commit together.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support_book.hpp"

namespace support {

/// The book that `where` names: memory, sqlite:FILE or postgres:CONNINFO. \throws std::exception with the reason.
inline std::unique_ptr<Book> open_book(std::string_view where, const Trouble& trouble, bool fixed_tickets) {
  if (where == "memory") {
    tc::TokenSource tokens = tc::random_token;
    if (fixed_tickets) tokens = [made = 0]() mutable { return "ticket_" + std::to_string(++made); };
    return std::make_unique<MemoryBook>(trouble, std::move(tokens));
  }
  throw std::invalid_argument("--ledger must be memory, sqlite:FILE or postgres:CONNINFO, and built in; got " +
                              std::string(where));
}

}  // namespace support
