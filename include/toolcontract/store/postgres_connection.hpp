// SPDX-License-Identifier: MIT
/// \file
/// How do the stores in PostgreSQL speak to it? One connection, opened again where it was lost, and statements with binary
/// parameters. Nothing here is for users.
///
///     store.run([&](PGconn* connection) { return postgres_run(connection, "DELETE FROM t WHERE id = $1", {id}).changed(); });
///
/// Cost: nlohmann/json, through store.hpp, and libpq-fe.h.
#pragma once

#include <toolcontract/store/store.hpp>
#include <toolcontract/token.hpp>

#include <libpq-fe.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

struct PostgresFree {
  void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
  void operator()(PGresult* result) const noexcept { PQclear(result); }
  void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
};
using PostgresConnection = std::unique_ptr<PGconn, PostgresFree>;

/// What the server, or the way to it, answered.
class PostgresFault {
 public:
  explicit PostgresFault(PGconn* connection, const PGresult* result = nullptr) : why_(PQerrorMessage(connection)) {
    const char* state = result != nullptr ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
    if (state != nullptr) state_ = state;
    trouble_ = PQstatus(connection) == CONNECTION_BAD ? StoreTrouble::unreachable : meaning(state_);
    while (!why_.empty() && why_.back() == '\n') why_.pop_back();
  }
  [[nodiscard]] StoreTrouble trouble() const noexcept { return trouble_; }
  [[nodiscard]] std::string why() const { return "PostgreSQL" + (state_.empty() ? "" : " " + state_) + ": " + why_; }
  [[nodiscard]] bool forbidden() const noexcept { return state_ == "42501"; }

 private:
  static StoreTrouble meaning(std::string_view state) {
    const auto is = [&](std::string_view prefix) { return state.starts_with(prefix); };
    if (is("55P03") || is("55006") || is("57014") || is("40")) return StoreTrouble::busy;
    if (is("53100") || is("53200")) return StoreTrouble::full;
    if (is("08") || is("53") || is("57P") || is("25006")) return StoreTrouble::unreachable;  // 25006: a standby
    return StoreTrouble::broken;
  }

  std::string state_;
  std::string why_;
  StoreTrouble trouble_ = StoreTrouble::broken;
};

/// A parameter in binary form: bytea or int8.
struct PostgresValue {
  std::string bytes;
  Oid type;

  PostgresValue(const std::string& value) : bytes(value), type(17) {}  // NOLINT: implicit
  PostgresValue(std::string_view value) : bytes(value), type(17) {}    // NOLINT
  PostgresValue(std::int64_t value) : type(20) {                       // NOLINT
    for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>((value >> shift) & 0xff);
  }
};

/// What a statement gave: columns are bytea or int8.
class PostgresRows {
 public:
  explicit PostgresRows(PGresult* result) : result_(result) {}
  [[nodiscard]] const PGresult* get() const noexcept { return result_.get(); }
  [[nodiscard]] bool empty() const noexcept { return PQntuples(result_.get()) == 0; }
  /// True when a row was changed.
  [[nodiscard]] bool changed() const noexcept { return std::atoi(PQcmdTuples(result_.get())) > 0; }
  /// Of the first row; "" for NULL.
  [[nodiscard]] std::string bytes(int column) const {
    return {PQgetvalue(result_.get(), 0, column), static_cast<std::size_t>(PQgetlength(result_.get(), 0, column))};
  }
  /// Of the first row; 0 for NULL.
  [[nodiscard]] std::int64_t number(int column) const {
    std::uint64_t value = 0;
    for (const char byte : bytes(column)) value = (value << 8) | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(value);
  }

 private:
  std::unique_ptr<PGresult, PostgresFree> result_;
};

/// Parameters as libpq takes them. They refer to `values`.
struct PostgresParameters {
  std::vector<const char*> data;
  std::vector<int> lengths, formats;
  std::vector<Oid> types;

  explicit PostgresParameters(const std::vector<PostgresValue>& values) : formats(values.size(), 1) {
    for (const PostgresValue& value : values) {
      if (value.bytes.size() > static_cast<std::size_t>((std::numeric_limits<int>::max)()))
        throw std::length_error("a value is longer than PostgreSQL takes");
      data.push_back(value.bytes.data());
      lengths.push_back(static_cast<int>(value.bytes.size()));
      types.push_back(value.type);
    }
  }
  [[nodiscard]] int count() const noexcept { return static_cast<int>(data.size()); }
};

/// The rows, or throws PostgresFault.
inline PostgresRows postgres_checked(PGconn* connection, PGresult* result) {
  PostgresRows rows(result);
  const ExecStatusType status = PQresultStatus(rows.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) throw PostgresFault(connection, rows.get());
  return rows;
}

/// Runs one statement. Throws PostgresFault.
inline PostgresRows postgres_run(PGconn* connection, const char* sql, const std::vector<PostgresValue>& values = {}) {
  const PostgresParameters in(values);
  return postgres_checked(connection, PQexecParams(connection, sql, in.count(), in.types.data(), in.data.data(),
                                                   in.lengths.data(), in.formats.data(), 1));
}

/// Runs several statements without parameters. Throws PostgresFault.
inline void postgres_script(PGconn* connection, const std::string& sql) {
  postgres_checked(connection, PQexec(connection, sql.c_str()));
}

/// Which store a database holds: an id made with it; "" where there is none.
inline std::string postgres_store_id(PGconn* connection) {
  if (postgres_run(connection, "SELECT 1 WHERE to_regclass('toolcontract_schema') IS NOT NULL").empty()) return {};
  const PostgresRows rows = postgres_run(connection, "SELECT id FROM toolcontract_schema");
  return rows.empty() ? std::string() : rows.bytes(0);
}

// A commit that counts is on disk, whatever the session's default is.
inline constexpr const char* postgres_durable_session =
    "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', "
    "'local')";
inline constexpr const char* postgres_durable_transaction =
    "SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') IN ('off', "
    "'local')";

/// The connection of one store, its tables made.
class PostgresStore {
 public:
  /// \throws StoreError.
  PostgresStore(std::string conninfo, std::chrono::milliseconds lock_timeout)
      : conninfo_(std::move(conninfo)), lock_timeout_(lock_timeout) {
    if (!std::unique_ptr<PQconninfoOption, PostgresFree>(PQconninfoParse(conninfo_.c_str(), nullptr)))
      refuse("the connection string cannot be read; it must be like \"host=… dbname=…\" or \"postgresql://…\"");
    try {
      connect();
      if (version() < store_version) make_tables();
      id_ = postgres_store_id(connection_.get());
    } catch (const PostgresFault& fault) {
      refuse(fault.why() + (fault.forbidden() ? "; let this role create tables, or open the store once as one that may"
                                              : "; the connection string must name a running server and a database "
                                                "of it that this program may use"));
    }
  }
  [[nodiscard]] const std::string& id() const noexcept { return id_; }

  /// Runs `step` with the connection, a second time on a new one where it was lost: so a step must be the same twice.
  template <class Step>
  auto run(const Step& step) -> decltype(step(static_cast<PGconn*>(nullptr))) {
    const std::lock_guard lock(mutex_);
    for (bool again = connected();; again = false) {
      if (!connected()) connect();
      try {
        return step(connection_.get());
      } catch (const PostgresFault&) {
        if (connected() || !again) throw;
      }
    }
  }

  /// Within run(): a statement that runs often. Each connection plans it once, under `name`. Throws PostgresFault.
  PostgresRows execute(const char* name, const char* sql, const std::vector<PostgresValue>& values) {
    PGconn* connection = connection_.get();
    const PostgresParameters in(values);
    if (prepared_.count(name) == 0) {
      postgres_checked(connection, PQprepare(connection, name, sql, in.count(), in.types.data()));
      prepared_.insert(name);
    }
    return postgres_checked(connection, PQexecPrepared(connection, name, in.count(), in.data.data(), in.lengths.data(),
                                                       in.formats.data(), 1));
  }

 private:
  [[noreturn]] static void refuse(const std::string& why) {
    throw StoreError("toolcontract: PostgreSQL cannot keep keys or approvals: " + why);
  }

  bool connected() const noexcept { return connection_ && PQstatus(connection_.get()) == CONNECTION_OK; }

  void connect() {
    // What the connection string says counts before these, which let no call wait for ever.
    const char* const names[] = {"connect_timeout", "tcp_user_timeout", "fallback_application_name", "dbname", nullptr};
    const char* const values[] = {"5", "10000", "toolcontract", conninfo_.c_str(), nullptr};
    PostgresConnection fresh(PQconnectdbParams(names, values, 1));
    if (!fresh) throw std::bad_alloc();
    if (PQstatus(fresh.get()) != CONNECTION_OK) throw PostgresFault(fresh.get());
    const auto say_nothing = [](void*, const char*) {};
    PQsetNoticeProcessor(fresh.get(), say_nothing, nullptr);
    constexpr std::int64_t hour = 3'600'000;
    const auto wait = std::clamp<std::int64_t>(lock_timeout_.count(), 1, hour);
    postgres_script(fresh.get(), "SET lock_timeout = " + std::to_string(wait) +
                                     "; SET statement_timeout = " + std::to_string(wait + 10'000) +
                                     "; SET default_transaction_isolation = 'read committed'"
                                     "; SET default_transaction_read_only = off; " +
                                     postgres_durable_session);
    connection_ = std::move(fresh);
    prepared_.clear();
  }

  // 0: none of our tables.
  std::int64_t version() {
    PGconn* connection = connection_.get();
    if (postgres_store_id(connection).empty()) return 0;
    const std::int64_t version = postgres_run(connection, "SELECT version FROM toolcontract_schema").number(0);
    if (version > store_version)
      refuse("the tables were made by a newer toolcontract (version " + std::to_string(version) + ", this one knows " +
             std::to_string(store_version) + "); upgrade this program");
    return version;
  }

  void make_tables() {
    PGconn* connection = connection_.get();
    try {
      // Waiting for an advisory lock does not tell a session which tables there are since; CREATE TABLE does.
      postgres_script(connection, R"sql(
BEGIN;
SELECT pg_advisory_xact_lock(8390891584407205236);
CREATE TABLE IF NOT EXISTS toolcontract_schema (version int8 NOT NULL, id bytea NOT NULL);)sql");
      if (version() < 1) {  // another process may have been faster
        postgres_script(connection, R"sql(
CREATE TABLE toolcontract_keys (
  tenant bytea NOT NULL, tool bytea NOT NULL, key bytea NOT NULL,
  fingerprint bytea NOT NULL, state int8 NOT NULL, token bytea NOT NULL,
  kind int8, answer bytea, lease_until timestamptz NOT NULL, expires timestamptz NOT NULL,
  PRIMARY KEY (tenant, tool, key));
CREATE INDEX toolcontract_keys_expires ON toolcontract_keys (expires);
CREATE TABLE toolcontract_tickets (
  id bytea NOT NULL PRIMARY KEY, principal bytea NOT NULL, tool bytea NOT NULL, fingerprint bytea NOT NULL,
  preview bytea NOT NULL, state int8 NOT NULL, mark bytea, expires timestamptz NOT NULL);
CREATE UNIQUE INDEX toolcontract_tickets_call ON toolcontract_tickets (principal, tool, fingerprint) WHERE state <> 3;
CREATE INDEX toolcontract_tickets_expires ON toolcontract_tickets (expires);
DELETE FROM toolcontract_schema;)sql");
        postgres_run(connection, "INSERT INTO toolcontract_schema VALUES ($1, $2)",
                     {std::int64_t{store_version}, random_token()});
      }
      postgres_script(connection, "COMMIT");
    } catch (...) {
      PQclear(PQexec(connection, "ROLLBACK"));
      throw;
    }
  }

  const std::string conninfo_;
  const std::chrono::milliseconds lock_timeout_;
  std::mutex mutex_;
  PostgresConnection connection_;
  std::set<std::string_view> prepared_;  // on this connection; the names are literals
  std::string id_;
};

}  // namespace detail

}  // namespace v0
}  // namespace toolcontract
