// SPDX-License-Identifier: MIT
// The support desk's book in PostgreSQL, shared by several servers: each write and its key commit together.
#pragma once

#include <toolcontract/store/postgres.hpp>

#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support_book.hpp"

namespace support {

/// What PostgreSQL said; never for a model.
struct PostgresError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class PostgresBook final : public Book {
 public:
  PostgresBook(const std::string& conninfo, Trouble trouble)
      : trouble_(std::move(trouble)), ledger_(conninfo), approvals_(conninfo), db_(PQconnectdb(conninfo.c_str())) {
    if (PQstatus(db_.get()) != CONNECTION_OK) throw PostgresError(PQerrorMessage(db_.get()));
    run("SET client_min_messages = warning");
    run("SELECT pg_advisory_lock(20261130)");  // two servers that start at once
    run("CREATE TABLE IF NOT EXISTS refunds (id BIGSERIAL PRIMARY KEY, operation_id TEXT, order_id TEXT, cents "
        "INTEGER)");
    run("CREATE TABLE IF NOT EXISTS tickets (id BIGSERIAL PRIMARY KEY, title TEXT, customer_email TEXT)");
    run("SELECT pg_advisory_unlock(20261130)");
  }
  tc::Ledger& ledger() override { return ledger_; }
  tc::Approvals& approvals() override { return approvals_; }
  [[nodiscard]] bool joined() const override { return true; }

  tc::Result<std::optional<Refund>> refund(const std::string& operation_id) override {
    return asked([&]() -> tc::Result<std::optional<Refund>> {
      const Rows rows =
          run("SELECT id, operation_id, order_id, cents FROM refunds WHERE operation_id = $1", {operation_id});
      if (rows.empty()) return std::optional<Refund>();
      return std::optional(Refund{"rf_" + rows[0][0], rows[0][1], rows[0][2], std::stoi(rows[0][3])});
    });
  }
  tc::Result<Refund> add(const RefundInput& in, tc::Call& call) override {
    return write<Refund>(call, [&] {
      const Rows rows = run("INSERT INTO refunds (operation_id, order_id, cents) VALUES ($1, $2, $3::int) RETURNING id",
                            {in.operation_id, in.order_id, std::to_string(in.amount_cents)});
      return Refund{"rf_" + rows.at(0).at(0), in.operation_id, in.order_id, in.amount_cents};
    });
  }
  tc::Result<std::vector<Ticket>> tickets() override {
    return asked([&]() -> tc::Result<std::vector<Ticket>> {
      std::vector<Ticket> all;
      for (const auto& row : run("SELECT 2000 + id, title FROM tickets ORDER BY id"))
        all.push_back({"T-" + row[0], row[1], TicketStatus::open});
      return all;
    });
  }
  tc::Result<Ticket> add(const TicketInput& in, tc::Call& call) override {
    return write<Ticket>(call, [&] {
      const Rows rows = run("INSERT INTO tickets (title, customer_email) VALUES ($1, $2) RETURNING 2000 + id",
                            {in.title, in.customer_email});
      return Ticket{"T-" + rows.at(0).at(0), in.title, TicketStatus::open};
    });
  }

 private:
  using Rows = std::vector<std::vector<std::string>>;
  struct Close {
    void operator()(PGconn* db) const noexcept { PQfinish(db); }
    void operator()(PGresult* result) const noexcept { PQclear(result); }
  };

  Rows run(const char* sql, const std::vector<std::string>& values = {}) {
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    const std::unique_ptr<PGresult, Close> result(
        PQexecParams(db_.get(), sql, static_cast<int>(texts.size()), nullptr, texts.data(), nullptr, nullptr, 0));
    const auto status = PQresultStatus(result.get());
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) throw PostgresError(PQerrorMessage(db_.get()));
    Rows rows(static_cast<std::size_t>(PQntuples(result.get())));
    for (int i = 0; i < PQntuples(result.get()); ++i)
      for (int j = 0; j < PQnfields(result.get()); ++j)
        rows[static_cast<std::size_t>(i)].emplace_back(PQgetvalue(result.get(), i, j));
    return rows;
  }

  template <class Step>
  auto asked(const Step& step) -> decltype(step()) {
    const std::lock_guard lock(mutex_);
    if (PQstatus(db_.get()) != CONNECTION_OK) PQreset(db_.get());
    if (PQstatus(db_.get()) != CONNECTION_OK)
      return tc::unavailable("The desk's book cannot be reached; nothing was done, so the same call may be repeated.")
          .internal(PQerrorMessage(db_.get()));
    return step();  // a PostgresError is masked by the Toolset: it may have come after the COMMIT
  }

  // One transaction: the effect, and the key's answer.
  template <class Out, class Effect>
  tc::Result<Out> write(tc::Call& call, const Effect& effect) {
    trouble_.step("claimed");
    return asked([&]() -> tc::Result<Out> {
      run("BEGIN");
      try {
        const Out result = effect();
        trouble_.step("written");
        auto refused = ledger_.complete_in(db_.get(), call, result);
        trouble_.step("stored");
        run(refused ? "ROLLBACK" : "COMMIT");
        if (refused) return std::move(*refused);
        trouble_.step("committed");
        return result;
      } catch (...) {
        if (PQtransactionStatus(db_.get()) != PQTRANS_IDLE) PQclear(PQexec(db_.get(), "ROLLBACK"));
        throw;
      }
    });
  }

  const Trouble trouble_;
  tc::PostgresLedger ledger_;
  tc::PostgresApprovals approvals_;
  std::mutex mutex_;
  std::unique_ptr<PGconn, Close> db_;
};

}  // namespace support
