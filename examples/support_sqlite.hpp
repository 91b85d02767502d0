// SPDX-License-Identifier: MIT
// The support desk's book in one SQLite file: each write and its key commit together.
#pragma once

#include <toolcontract/store/sqlite.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support_book.hpp"

namespace support {

/// What SQLite said; never for a model.
struct SqliteError : std::runtime_error {
  explicit SqliteError(sqlite3* db) : std::runtime_error(sqlite3_errmsg(db)), code(sqlite3_errcode(db)) {}
  int code;
};

/// One connection of our own to the ledger's file.
class Sqlite {
 public:
  explicit Sqlite(const std::string& file) {
    sqlite3* db = nullptr;
    const int code = sqlite3_open(file.c_str(), &db);
    db_.reset(db);
    if (code != SQLITE_OK) throw SqliteError(db);
    sqlite3_busy_timeout(db, 5000);
  }
  [[nodiscard]] sqlite3* get() const noexcept { return db_.get(); }

  /// Runs one statement; each row goes to `row`, as a statement to read columns from.
  template <class Row>
  void run(const char* sql, const std::vector<std::string>& values, Row row) const {
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v2(get(), sql, -1, &raw, nullptr) != SQLITE_OK) throw SqliteError(get());
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
    int place = 0;
    for (const std::string& value : values)
      sqlite3_bind_text(raw, ++place, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    int step;
    while ((step = sqlite3_step(raw)) == SQLITE_ROW) row(raw);
    if (step != SQLITE_DONE) throw SqliteError(get());
  }
  void run(const char* sql, const std::vector<std::string>& values = {}) const {
    run(sql, values, [](sqlite3_stmt*) {});
  }

 private:
  struct Close {
    void operator()(sqlite3* db) const noexcept { sqlite3_close(db); }
  };
  std::unique_ptr<sqlite3, Close> db_;
};

inline std::string column(sqlite3_stmt* row, int index) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, index));
  return text != nullptr ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(row, index)))
                         : std::string();
}

class SqliteBook final : public Book {
 public:
  SqliteBook(const std::string& file, Trouble trouble)
      : trouble_(std::move(trouble)), ledger_(file), approvals_(file), db_(file) {
    db_.run(
        "CREATE TABLE IF NOT EXISTS refunds (id INTEGER PRIMARY KEY, operation_id TEXT, order_id TEXT, cents INTEGER)");
    db_.run("CREATE TABLE IF NOT EXISTS tickets (id INTEGER PRIMARY KEY, title TEXT, customer_email TEXT)");
  }
  tc::Ledger& ledger() override { return ledger_; }
  tc::Approvals& approvals() override { return approvals_; }
  [[nodiscard]] bool joined() const override { return true; }

  tc::Result<std::optional<Refund>> refund(const std::string& operation_id) override {
    return asked([&]() -> tc::Result<std::optional<Refund>> {
      std::optional<Refund> found;
      db_.run("SELECT id, operation_id, order_id, cents FROM refunds WHERE operation_id = ?", {operation_id},
              [&](sqlite3_stmt* row) {
                found = Refund{"rf_" + column(row, 0), column(row, 1), column(row, 2), sqlite3_column_int(row, 3)};
              });
      return found;
    });
  }
  tc::Result<Refund> add(const RefundInput& in, tc::Call& call) override {
    return write<Refund>(call, [&] {
      db_.run("INSERT INTO refunds (operation_id, order_id, cents) VALUES (?, ?, ?)",
              {in.operation_id, in.order_id, std::to_string(in.amount_cents)});
      return Refund{"rf_" + last_id(), in.operation_id, in.order_id, in.amount_cents};
    });
  }
  tc::Result<std::vector<Ticket>> tickets() override {
    return asked([&]() -> tc::Result<std::vector<Ticket>> {
      std::vector<Ticket> all;
      db_.run("SELECT 2000 + id, title FROM tickets ORDER BY id", {}, [&](sqlite3_stmt* row) {
        all.push_back({"T-" + column(row, 0), column(row, 1), TicketStatus::open});
      });
      return all;
    });
  }
  tc::Result<Ticket> add(const TicketInput& in, tc::Call& call) override {
    return write<Ticket>(call, [&] {
      db_.run("INSERT INTO tickets (title, customer_email) VALUES (?, ?)", {in.title, in.customer_email});
      return Ticket{"T-" + std::to_string(2000 + std::stoll(last_id())), in.title, TicketStatus::open};
    });
  }

 private:
  std::string last_id() const { return std::to_string(sqlite3_last_insert_rowid(db_.get())); }

  template <class Step>
  auto asked(const Step& step) -> decltype(step()) {
    const std::lock_guard lock(mutex_);
    try {
      return step();
    } catch (const SqliteError& error) {
      if (error.code == SQLITE_BUSY || error.code == SQLITE_FULL)
        return tc::unavailable("The desk's book is busy or full; nothing was done, so the same call may be repeated.")
            .internal(error.what());
      throw;  // masked by the Toolset
    }
  }

  // One transaction: the effect, and the key's answer.
  template <class Out, class Effect>
  tc::Result<Out> write(tc::Call& call, const Effect& effect) {
    trouble_.step("claimed");
    return asked([&]() -> tc::Result<Out> {
      db_.run("BEGIN IMMEDIATE");
      try {
        const Out result = effect();
        trouble_.step("written");
        auto refused = ledger_.complete_in(db_.get(), call, result);
        trouble_.step("stored");
        db_.run(refused ? "ROLLBACK" : "COMMIT");
        if (refused) return std::move(*refused);
        trouble_.step("committed");
        return result;
      } catch (...) {
        if (sqlite3_get_autocommit(db_.get()) == 0) sqlite3_exec(db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
        throw;
      }
    });
  }

  const Trouble trouble_;
  tc::SqliteLedger ledger_;
  tc::SqliteApprovals approvals_;
  std::mutex mutex_;
  Sqlite db_;
};

}  // namespace support
