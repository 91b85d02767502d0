// SPDX-License-Identifier: MIT
/// \file
/// Has this write been done already, on any of our machines? A ledger and approvals in a PostgreSQL database.
///
///     tc::PostgresLedger ledger("host=db.internal dbname=shop");
///     tc::PostgresApprovals approvals("host=db.internal dbname=shop");
///     … .once_per(&RefundInput::operation_id, ledger, {.joined = true})
///     .handle([&](const RefundInput& in, tc::Call& call) -> tc::Result<Refund> {
///       Transaction transaction(shop);                                  // of the same database, on your own connection
///       Refund refund = …;
///       if (auto error = ledger.complete_in(shop.connection(), call, refund)) return *error;    // rolls back
///       transaction.commit();                                           // the refund and its key, or neither
///       return refund;
///     });
///
/// The database's clock decides when a lease or a key ends: of a request only the durations count, not its `now`. Each
/// object has one connection, used by one call at a time, and opens another where it was lost. A claim is one statement and
/// names its token, so that sending it twice claims once. Behind a pooler this needs sessions, not transactions, pooled.
/// Tenant, tool and key together are at most about 2 kB. Kept are they, results, previews, and a digest of the arguments,
/// never an argument as such; a secret with few possible values (a PIN) can be guessed from a digest by whoever reads it.
///
/// Target toolcontract::postgres. Cost: nlohmann/json, libpq-fe.h and libsodium. PostgreSQL 9.5 or later.
#pragma once

#include <toolcontract/approval.hpp>
#include <toolcontract/call.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/ledger.hpp>
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
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// How long a call waits for a row that another transaction holds.
inline constexpr std::chrono::milliseconds default_lock_timeout{5000};

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
  [[nodiscard]] std::string why() const { return "PostgreSQL " + state_ + ": " + why_; }
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

/// Runs one statement. Throws PostgresFault.
inline PostgresRows postgres_run(PGconn* connection, const char* sql, const std::vector<PostgresValue>& values = {}) {
  std::vector<const char*> data;
  std::vector<int> lengths, formats(values.size(), 1);
  std::vector<Oid> types;
  for (const PostgresValue& value : values) {
    if (value.bytes.size() > static_cast<std::size_t>((std::numeric_limits<int>::max)()))
      throw std::length_error("a value is longer than PostgreSQL takes");
    data.push_back(value.bytes.data());
    lengths.push_back(static_cast<int>(value.bytes.size()));
    types.push_back(value.type);
  }
  PostgresRows rows(PQexecParams(connection, sql, static_cast<int>(values.size()), types.data(), data.data(),
                                 lengths.data(), formats.data(), 1));
  const ExecStatusType status = PQresultStatus(rows.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) throw PostgresFault(connection, rows.get());
  return rows;
}

/// Runs several statements without parameters. Throws PostgresFault.
inline void postgres_script(PGconn* connection, const std::string& sql) {
  const PostgresRows rows(PQexec(connection, sql.c_str()));
  const ExecStatusType status = PQresultStatus(rows.get());
  if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) throw PostgresFault(connection, rows.get());
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

 private:
  [[noreturn]] static void refuse(const std::string& why) {
    throw StoreError("toolcontract: PostgreSQL cannot keep keys or approvals: " + why);
  }

  bool connected() const noexcept { return connection_ && PQstatus(connection_.get()) == CONNECTION_OK; }

  void connect() {
    // What the connection string says counts before the first four, which let no call wait for ever.
    const char* const names[] = {"connect_timeout", "tcp_user_timeout", "fallback_application_name", "dbname", nullptr};
    const char* const values[] = {"5", "10000", "toolcontract", conninfo_.c_str(), nullptr};
    connection_.reset(PQconnectdbParams(names, values, 1));
    if (!connection_) throw std::bad_alloc();
    if (!connected()) throw PostgresFault(connection_.get());
    PQsetNoticeProcessor(
        connection_.get(), [](void*, const char*) {}, nullptr);
    constexpr std::int64_t hour = 3'600'000;
    const auto wait = std::clamp<std::int64_t>(lock_timeout_.count(), 1, hour);
    postgres_script(connection_.get(), "SET lock_timeout = " + std::to_string(wait) +
                                           "; SET statement_timeout = " + std::to_string(wait + 10'000) +
                                           "; SET default_transaction_isolation = 'read committed'"
                                           "; SET default_transaction_read_only = off; " +
                                           postgres_durable_session);
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
  std::string id_;
};

}  // namespace detail

/// Keys in a database.
class PostgresLedger final : public Ledger {
 public:
  /// Connects, and makes the tables where there are none, in the first schema of the role's search_path. \throws StoreError.
  explicit PostgresLedger(std::string conninfo, TokenSource tokens = random_token,
                          std::chrono::milliseconds lock_timeout = default_lock_timeout)
      : tokens_(std::move(tokens)), store_(std::move(conninfo), lock_timeout) {}

  [[nodiscard]] Result<Claim> claim(const ClaimRequest& request) override {
    return detail::asked<detail::PostgresFault>(
        detail::ledger_of(request.key.tool), detail::StoreMoment::before, [&]() -> Result<Claim> {
          const std::string fingerprint = detail::digest(request.fingerprint);
          const std::string token = tokens_();
          return store_.run([&](PGconn* connection) { return claim_as(connection, request, fingerprint, token); });
        });
  }

  [[nodiscard]] Result<bool> complete(const HeldKey& held, const StoredAnswer& answer,
                                      std::chrono::system_clock::time_point) override {
    return settle(held, R"sql(
WITH changed AS (
  UPDATE toolcontract_keys SET state = 2, kind = $5, answer = $6, expires = clock_timestamp() + $7 * interval '1 ms'
  WHERE tenant = $1 AND tool = $2 AND key = $3 AND token = $4
    AND (state <> 2 OR kind IS DISTINCT FROM $5 OR answer IS DISTINCT FROM $6)
  RETURNING 1)
SELECT 1 FROM changed UNION ALL
SELECT 1 FROM toolcontract_keys
WHERE tenant = $1 AND tool = $2 AND key = $3 AND token = $4 AND state = 2 AND kind = $5 AND answer = $6)sql",
                  {held.tenant, held.tool, held.key, held.token, detail::number(answer.kind), answer.text,
                   std::int64_t{held.ttl.count()}});
  }
  [[nodiscard]] Result<bool> release(const HeldKey& held) override {
    return settle(held,
                  "DELETE FROM toolcontract_keys "
                  "WHERE tenant = $1 AND tool = $2 AND key = $3 AND token = $4 AND state = 1",
                  {held.tenant, held.tool, held.key, held.token});
  }
  [[nodiscard]] Result<bool> doubt(const HeldKey& held, std::chrono::system_clock::time_point) override {
    return settle(held,
                  "UPDATE toolcontract_keys SET state = 3, expires = clock_timestamp() + $5 * interval '1 ms' "
                  "WHERE tenant = $1 AND tool = $2 AND key = $3 AND token = $4 AND state = 1",
                  {held.tenant, held.tool, held.key, held.token, std::int64_t{held.ttl.count()}});
  }

  /// Stores the result of the running call in the caller's own transaction, so that key and effect commit together or not
  /// at all: `connection` is to this ledger's database, with the same search_path, and has a transaction open, whose commit
  /// then waits for the disk. Roll back when an error comes, and end the call with it.
  template <class Out>
  [[nodiscard]] std::optional<ToolError> complete_in(PGconn* connection, Call& call, const Out& result) {
    return detail::complete_in<detail::PostgresFault>(
        call, result,
        [&](const HeldKey& held, const StoredAnswer& answer) { return complete_joined(connection, held, answer); });
  }

 private:
  Claim claim_as(PGconn* connection, const ClaimRequest& request, const std::string& fingerprint,
                 const std::string& token) {
    constexpr int tries = 16;  // a row that stood in the way may be gone by the time it is looked at
    for (int i = 0; i < tries; ++i) {
      const auto row = detail::postgres_run(
          connection, claim_sql,
          {request.key.tenant, request.key.tool, request.key.key, fingerprint, token,
           std::int64_t{request.lease.count()}, std::int64_t{request.ttl.count()}, request.take_over});
      if (row.empty()) continue;
      if (row.bytes(2) == token) {
        forget(connection);
        return {Claim::State::fresh, token, {}, {}};
      }
      const auto state = detail::read_enum(row.number(1), Claim::State::running, Claim::State::uncertain);
      const auto kind = detail::read_enum(row.number(3), StoredAnswer::Kind::result, StoredAnswer::Kind::omitted);
      auto found = detail::standing(
          {row.bytes(0), state, row.bytes(2), {kind, row.bytes(4)}, std::chrono::milliseconds(row.number(5))},
          fingerprint, request.take_over);
      if (found) return std::move(*found);
    }
    throw std::runtime_error("a key changed hands each time it was looked at");
  }

  // The row that stands in the way; where none does, the row taken, with the new token only; nothing when the row changed
  // meanwhile.
  static constexpr const char* claim_sql = R"sql(
WITH asked AS (SELECT clock_timestamp() AS moment),
seen AS (
  SELECT fingerprint, state, token, kind, answer, lease_until - moment AS lease_left
  FROM toolcontract_keys, asked
  WHERE tenant = $1 AND tool = $2 AND key = $3 AND expires > moment AND NOT (
    fingerprint = $4 AND token = $8 AND (state = 3 OR (state = 1 AND lease_until <= moment)))),
taken AS (
  INSERT INTO toolcontract_keys AS kept (tenant, tool, key, fingerprint, state, token, lease_until, expires)
  SELECT $1, $2, $3, $4, 1, $5, moment + $6 * interval '1 ms', moment + $7 * interval '1 ms'
  FROM asked WHERE NOT EXISTS (SELECT 1 FROM seen)
  ON CONFLICT (tenant, tool, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, state = 1, token = excluded.token, kind = NULL, answer = NULL,
    lease_until = clock_timestamp() + $6 * interval '1 ms', expires = clock_timestamp() + $7 * interval '1 ms'
  WHERE kept.expires <= clock_timestamp() OR (
    kept.fingerprint = $4 AND kept.token = $8 AND
    (kept.state = 3 OR (kept.state = 1 AND kept.lease_until <= clock_timestamp())))
  RETURNING token)
SELECT fingerprint, state, token, kind, answer, ceil(extract(epoch FROM lease_left) * 1000)::int8 FROM seen
UNION ALL SELECT NULL, NULL, token, NULL, NULL, NULL FROM taken)sql";

  // A few expired rows go with every eighth claim. Whether they do does not matter to the claim.
  void forget(PGconn* connection) {
    if (claims_++ % 8 != 0) return;
    try {
      detail::postgres_run(connection, R"sql(
DELETE FROM toolcontract_keys WHERE (tenant, tool, key) IN (
  SELECT tenant, tool, key FROM toolcontract_keys WHERE expires <= now()
  ORDER BY expires LIMIT 32 FOR UPDATE SKIP LOCKED))sql");
    } catch (const detail::PostgresFault&) {
      return;
    }
  }

  Result<bool> settle(const HeldKey& held, const char* sql, const std::vector<detail::PostgresValue>& values) {
    return detail::asked<detail::PostgresFault>(
        detail::ledger_of(held.tool), detail::StoreMoment::after, [&]() -> Result<bool> {
          return store_.run(
              [&](PGconn* connection) { return detail::postgres_run(connection, sql, values).changed(); });
        });
  }

  bool complete_joined(PGconn* connection, const HeldKey& held, const StoredAnswer& answer) {
    if (connection == nullptr || PQtransactionStatus(connection) != PQTRANS_INTRANS)
      throw std::logic_error("complete_in needs a connection with a transaction open that has not failed");
    detail::postgres_run(connection, detail::postgres_durable_transaction);
    const bool stored = detail::postgres_run(connection, R"sql(
UPDATE toolcontract_keys SET state = 2, kind = $5, answer = $6, expires = clock_timestamp() + $7 * interval '1 ms'
WHERE tenant = $1 AND tool = $2 AND key = $3 AND token = $4 AND state = 1)sql",
                                             {held.tenant, held.tool, held.key, held.token, detail::number(answer.kind),
                                              answer.text, std::int64_t{held.ttl.count()}})
                            .changed();
    if (!stored && detail::postgres_store_id(connection) != store_.id())
      throw std::logic_error("complete_in needs a connection to the ledger's own database and schema");
    return stored;
  }

  const TokenSource tokens_;
  detail::PostgresStore store_;
  unsigned claims_ = 0;  // under the store's mutex
};

/// Tickets in a database: the ledger's own or another.
class PostgresApprovals final : public Approvals {
 public:
  /// As PostgresLedger's. \throws StoreError.
  explicit PostgresApprovals(std::string conninfo, TokenSource tokens = random_token,
                             std::chrono::milliseconds lock_timeout = default_lock_timeout)
      : tokens_(std::move(tokens)), store_(std::move(conninfo), lock_timeout) {}

  [[nodiscard]] Result<Admission> admit(const ApprovalRequest& request) override {
    return asked("The approval store of " + request.tool, [&]() -> Result<Admission> {
      const std::string fingerprint = detail::digest(request.fingerprint);
      const std::string token = request.ticket.empty() ? tokens_() : random_token();
      return store_.run([&](PGconn* connection) {
        return request.ticket.empty() ? by_call(connection, request, fingerprint, token)
                                      : by_ticket(connection, request, fingerprint, token);
      });
    });
  }

  [[nodiscard]] Result<std::optional<Ticket>> find(std::string_view ticket) override {
    return asked("The approval store", [&]() -> Result<std::optional<Ticket>> {
      return store_.run([&](PGconn* connection) {
        auto row = look(connection, ticket, {});
        return row ? std::optional(std::move(row->ticket)) : std::nullopt;
      });
    });
  }

 protected:
  [[nodiscard]] Result<Decision> decide(std::string_view ticket, Ticket::State answer,
                                        std::chrono::system_clock::time_point) override {
    return asked("The approval store", [&]() -> Result<Decision> {
      const std::string mark = random_token();
      return store_.run([&](PGconn* connection) {
        const bool recorded = detail::postgres_run(connection, R"sql(
UPDATE toolcontract_tickets SET state = $2, mark = $3
WHERE id = $1 AND ((state = 0 AND expires > now()) OR mark = $3))sql",
                                                   {ticket, detail::number(answer), mark})
                                  .changed();
        if (recorded) return Decision::recorded;
        const auto row = look(connection, ticket, mark);
        if (!row) return Decision::unknown_ticket;
        return row->ticket.state == Ticket::State::pending ? Decision::expired : Decision::already_decided;
      });
    });
  }

 private:
  struct Row {
    Ticket ticket;
    std::string fingerprint;
    bool expired, marked;
  };

  template <class Step>
  static auto asked(const std::string& who, const Step& step) -> decltype(step()) {
    return detail::asked<detail::PostgresFault>(who, detail::StoreMoment::before, step);
  }

  static std::optional<Row> look(PGconn* connection, std::string_view ticket, const std::string& mark) {
    const auto row = detail::postgres_run(connection, R"sql(
SELECT id, principal, tool, fingerprint, preview, state, (extract(epoch FROM expires) * 1000)::int8,
  (expires <= clock_timestamp())::int4::int8, (mark IS NOT NULL AND mark = $2)::int4::int8
FROM toolcontract_tickets WHERE id = $1)sql",
                                          {ticket, mark});
    if (row.empty()) return std::nullopt;
    const auto state = detail::read_enum(row.number(5), Ticket::State::pending, Ticket::State::used);
    return Row{{row.bytes(0), row.bytes(1), row.bytes(2), row.bytes(4), state, detail::to_time(row.number(6))},
               row.bytes(3),
               row.number(7) != 0,
               row.number(8) != 0};
  }

  // Finds the unused ticket of the same call and uses it up if it was granted, or makes one, in one statement. `id` is for
  // the new one.
  static Admission by_call(PGconn* connection, const ApprovalRequest& request, const std::string& fingerprint,
                           const std::string& id) {
    const auto row = detail::postgres_run(
        connection, R"sql(
INSERT INTO toolcontract_tickets AS kept (id, principal, tool, fingerprint, preview, state, expires)
VALUES ($1, $2, $3, $4, $5, 0, now() + $6 * interval '1 ms')
ON CONFLICT (principal, tool, fingerprint) WHERE state <> 3 DO UPDATE SET
  id = CASE WHEN kept.expires <= now() THEN excluded.id ELSE kept.id END,
  preview = CASE WHEN kept.expires <= now() THEN excluded.preview ELSE kept.preview END,
  state = CASE WHEN kept.expires <= now() THEN 0 WHEN kept.state = 1 THEN 3 ELSE kept.state END,
  expires = CASE WHEN kept.expires <= now() THEN excluded.expires ELSE kept.expires END
RETURNING id, preview, state)sql",
        {id, request.principal, request.tool, fingerprint, request.preview, std::int64_t{request.ttl.count()}});
    const auto state = detail::read_enum(row.number(2), Ticket::State::pending, Ticket::State::used);
    Admission admission{Admission::State::pending, row.bytes(0), row.bytes(1)};
    if (state == Ticket::State::used) admission.state = Admission::State::admitted;
    if (state == Ticket::State::denied) admission.state = Admission::State::denied;
    if (admission.ticket == id) forget(connection);
    return admission;
  }

  // `mark` tells this call's use of the ticket from another's.
  static Admission by_ticket(PGconn* connection, const ApprovalRequest& request, const std::string& fingerprint,
                             const std::string& mark) {
    auto row = look(connection, request.ticket, mark);
    if (!row) return {Admission::State::mismatch, {}, {}};
    const Ticket& ticket = row->ticket;
    const bool same =
        ticket.principal == request.principal && ticket.tool == request.tool && row->fingerprint == fingerprint;
    auto state = row->marked ? Admission::State::admitted : detail::judge(ticket.state, same, row->expired);
    if (state == Admission::State::admitted && !row->marked &&
        !detail::postgres_run(connection,
                              "UPDATE toolcontract_tickets SET state = 3, mark = $2 WHERE id = $1 AND state = 1",
                              {ticket.id, mark})
             .changed())
      state = Admission::State::used;
    return {state, ticket.id, ticket.preview};
  }

  // A few expired tickets go with each new one. Whether they do does not matter to it.
  static void forget(PGconn* connection) {
    try {
      detail::postgres_run(connection, R"sql(
DELETE FROM toolcontract_tickets WHERE id IN (
  SELECT id FROM toolcontract_tickets WHERE expires <= now() ORDER BY expires LIMIT 8 FOR UPDATE SKIP LOCKED))sql");
    } catch (const detail::PostgresFault&) {
      return;
    }
  }

  const TokenSource tokens_;
  detail::PostgresStore store_;
};

}  // namespace v0
}  // namespace toolcontract
