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
/// Target toolcontract::postgres, of find_package(toolcontract COMPONENTS postgres); PostgreSQL 9.5 or later.
///
/// Cost: nlohmann/json, libpq-fe.h and libsodium.
#pragma once

#include <toolcontract/approval.hpp>
#include <toolcontract/call.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/ledger.hpp>
#include <toolcontract/store/postgres_connection.hpp>
#include <toolcontract/store/store.hpp>
#include <toolcontract/token.hpp>

#include <chrono>
#include <cstdint>
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
    return settle(held, "toolcontract_complete", R"sql(
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
    return settle(held, "toolcontract_release",
                  "DELETE FROM toolcontract_keys "
                  "WHERE tenant = $1 AND tool = $2 AND key = $3 AND token = $4 AND state = 1",
                  {held.tenant, held.tool, held.key, held.token});
  }
  [[nodiscard]] Result<bool> doubt(const HeldKey& held, std::chrono::system_clock::time_point) override {
    return settle(held, "toolcontract_doubt",
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
      const auto row =
          store_.execute("toolcontract_claim", claim_sql,
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

  Result<bool> settle(const HeldKey& held, const char* name, const char* sql,
                      const std::vector<detail::PostgresValue>& values) {
    return detail::asked<detail::PostgresFault>(
        detail::ledger_of(held.tool), detail::StoreMoment::after, [&]() -> Result<bool> {
          return store_.run([&](PGconn*) { return store_.execute(name, sql, values).changed(); });
        });
  }

  bool complete_joined(PGconn* connection, const HeldKey& held, const StoredAnswer& answer) {
    if (connection != nullptr && PQstatus(connection) != CONNECTION_OK) throw detail::PostgresFault(connection);
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
  // the new one. Where the answer "admitted" is lost with the connection, a person is asked again.
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
