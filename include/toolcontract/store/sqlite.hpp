// SPDX-License-Identifier: MIT
/// \file
/// Has this write been done already, also before the last crash? A ledger and approvals in one SQLite file.
///
///     tc::SqliteLedger ledger("/var/lib/shop/ledger.db");
///     tc::SqliteApprovals approvals("/var/lib/shop/ledger.db");
///     … .once_per(&RefundInput::operation_id, ledger, {.joined = true})
///     .handle([&](const RefundInput& in, tc::Call& call) -> tc::Result<Refund> {
///       Transaction transaction(shop);                                  // of the same file, on your own connection
///       Refund refund = …;
///       if (auto error = ledger.complete_in(shop.connection(), call, refund)) return *error;    // rolls back
///       transaction.commit();                                           // the refund and its key, or neither
///       return refund;
///     });
///
/// For the processes of one machine: the file is on a local disk, and every process has its clock. The file may be your own
/// database; its journal mode becomes WAL. Every change is on disk before it counts (synchronous=FULL). A repeat reads
/// only. Kept are tenant, tool, key, the result, previews, and a digest of the arguments, never an argument as such; a
/// secret with few possible values (a PIN) can be guessed from a digest by whoever reads the file.
///
/// Target toolcontract::sqlite, of find_package(toolcontract COMPONENTS sqlite).
///
/// Cost: nlohmann/json, sqlite3.h and libsodium.
#pragma once

#include <toolcontract/approval.hpp>
#include <toolcontract/call.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/ledger.hpp>
#include <toolcontract/store/sqlite_file.hpp>
#include <toolcontract/store/store.hpp>
#include <toolcontract/token.hpp>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// How long a call waits while another connection writes.
inline constexpr std::chrono::milliseconds default_busy_timeout{5000};

/// Keys in a file.
class SqliteLedger final : public Ledger {
 public:
  /// Opens or makes the file, and its tables where it has none. \throws StoreError.
  explicit SqliteLedger(const std::string& file, TokenSource tokens = random_token,
                        std::chrono::milliseconds busy_timeout = default_busy_timeout)
      : tokens_(std::move(tokens)), store_(file, busy_timeout) {}

  [[nodiscard]] Result<Claim> claim(const ClaimRequest& request) override {
    const auto since = std::chrono::steady_clock::now();
    return asked(request.key.tool, detail::StoreMoment::before, [&]() -> Result<Claim> {
      const auto& [tenant, tool, key] = request.key;
      const std::string fingerprint = detail::digest(request.fingerprint);
      const std::int64_t now = detail::to_number(request.now);
      std::optional<detail::KeyRow> row = find(request.key, now);
      if (row)
        if (auto found = detail::standing(std::move(*row), fingerprint, request.take_over)) return std::move(*found);
      std::string token = tokens_();
      detail::SqliteTransaction transaction(store_.db());
      row = find(request.key, now);  // another call may have been faster
      if (row)
        if (auto found = detail::standing(std::move(*row), fingerprint, request.take_over)) return std::move(*found);
      detail::SqliteQuery(forget_, now).change();
      const std::int64_t begun = now + detail::waited(since);
      detail::SqliteQuery(take_, tenant, tool, key, fingerprint, token, begun + request.lease.count(),
                          begun + request.ttl.count())
          .change();
      transaction.commit();
      return Claim{Claim::State::fresh, std::move(token), {}, {}};
    });
  }

  [[nodiscard]] Result<bool> complete(const HeldKey& held, const StoredAnswer& answer,
                                      std::chrono::system_clock::time_point now) override {
    return asked(held.tool, detail::StoreMoment::after, [&]() -> Result<bool> {
      if (const auto known = kept(held); !known || *known == answer) return known.has_value();
      return detail::SqliteQuery(complete_, held.tenant, held.tool, held.key, held.token, detail::number(answer.kind),
                                 answer.text, detail::to_number(now) + held.ttl.count())
          .change();
    });
  }
  [[nodiscard]] Result<bool> release(const HeldKey& held) override {
    return asked(held.tool, detail::StoreMoment::after, [&]() -> Result<bool> {
      return detail::SqliteQuery(release_, held.tenant, held.tool, held.key, held.token).change();
    });
  }
  [[nodiscard]] Result<bool> doubt(const HeldKey& held, std::chrono::system_clock::time_point now) override {
    return asked(held.tool, detail::StoreMoment::after, [&]() -> Result<bool> {
      return detail::SqliteQuery(doubt_, held.tenant, held.tool, held.key, held.token,
                                 detail::to_number(now) + held.ttl.count())
          .change();
    });
  }

  /// Stores the result of the running call in the caller's own transaction, so that key and effect commit together or not
  /// at all: `connection` has this ledger's file as its main one, and a transaction open. Roll back when an error comes, and
  /// end the call with it. Durable as that connection is: SQLite's default, synchronous=FULL, is needed.
  template <class Out>
  [[nodiscard]] std::optional<ToolError> complete_in(sqlite3* connection, Call& call, const Out& result) {
    return detail::complete_in<detail::SqliteFault>(call, result, [&](const HeldKey& held, const StoredAnswer& answer) {
      return complete_joined(connection, held, answer, call.clock.wall());
    });
  }

 private:
  template <class Step>
  auto asked(const std::string& tool, detail::StoreMoment moment, const Step& step) -> decltype(step()) {
    return detail::asked<detail::SqliteFault>(detail::ledger_of(tool), moment, [&] {
      const std::lock_guard lock(store_.mutex);
      return step();
    });
  }

  std::optional<detail::KeyRow> find(const LedgerKey& key, std::int64_t now) {
    detail::SqliteQuery row(find_, key.tenant, key.tool, key.key, now);
    if (!row.step()) return std::nullopt;
    const auto state = detail::read_enum(row.number(1), Claim::State::running, Claim::State::uncertain);
    return detail::KeyRow{row.bytes(0), state, row.bytes(2), answer(row, 3),
                          std::chrono::milliseconds(row.number(5) - now)};
  }

  // The answer kept for a claim; one that no call can have where there is none yet; nothing where the claim is gone.
  std::optional<std::optional<StoredAnswer>> kept(const HeldKey& held) {
    detail::SqliteQuery row(kept_, held.tenant, held.tool, held.key, held.token);
    if (!row.step()) return std::nullopt;
    if (row.number(0) != detail::number(Claim::State::done)) return std::optional<StoredAnswer>();
    return answer(row, 1);
  }

  static StoredAnswer answer(const detail::SqliteQuery& row, int column) {
    const auto kind = detail::read_enum(row.number(column), StoredAnswer::Kind::result, StoredAnswer::Kind::omitted);
    return {kind, row.bytes(column + 1)};
  }

  bool complete_joined(sqlite3* connection, const HeldKey& held, const StoredAnswer& answer,
                       std::chrono::system_clock::time_point now) {
    if (connection == nullptr || sqlite3_get_autocommit(connection) != 0)
      throw std::logic_error("complete_in needs a connection with a transaction open: BEGIN IMMEDIATE before it");
    const auto statement = detail::sqlite_prepare(connection, complete_running);
    const bool stored =
        detail::SqliteQuery(statement, held.tenant, held.tool, held.key, held.token, detail::number(answer.kind),
                            answer.text, detail::to_number(now) + held.ttl.count())
            .change();
    if (!stored && detail::sqlite_store_id(connection) != store_.id())
      throw std::logic_error("complete_in needs a connection whose main file is the ledger's own");
    return stored;
  }

  static constexpr std::string_view complete_running = R"sql(
UPDATE main.toolcontract_keys SET state = 2, kind = ?5, answer = ?6, expires = ?7
WHERE tenant = ?1 AND tool = ?2 AND key = ?3 AND token = ?4 AND state = 1)sql";

  const TokenSource tokens_;
  detail::SqliteStore store_;
  const detail::SqliteStatement find_ = store_.prepare(R"sql(
SELECT fingerprint, state, token, kind, answer, lease_until FROM main.toolcontract_keys
WHERE tenant = ?1 AND tool = ?2 AND key = ?3 AND expires > ?4)sql");
  const detail::SqliteStatement kept_ = store_.prepare(R"sql(
SELECT state, kind, answer FROM main.toolcontract_keys
WHERE tenant = ?1 AND tool = ?2 AND key = ?3 AND token = ?4)sql");
  const detail::SqliteStatement forget_ = store_.prepare(R"sql(
DELETE FROM main.toolcontract_keys WHERE rowid IN
(SELECT rowid FROM main.toolcontract_keys WHERE expires <= ?1 ORDER BY expires LIMIT 8))sql");
  const detail::SqliteStatement take_ = store_.prepare(R"sql(
INSERT OR REPLACE INTO main.toolcontract_keys (tenant, tool, key, fingerprint, state, token, lease_until, expires)
VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6, ?7))sql");
  const detail::SqliteStatement complete_ = store_.prepare(R"sql(
UPDATE main.toolcontract_keys SET state = 2, kind = ?5, answer = ?6, expires = ?7
WHERE tenant = ?1 AND tool = ?2 AND key = ?3 AND token = ?4)sql");
  const detail::SqliteStatement release_ = store_.prepare(R"sql(
DELETE FROM main.toolcontract_keys WHERE tenant = ?1 AND tool = ?2 AND key = ?3 AND token = ?4 AND state = 1)sql");
  const detail::SqliteStatement doubt_ = store_.prepare(R"sql(
UPDATE main.toolcontract_keys SET state = 3, expires = ?5
WHERE tenant = ?1 AND tool = ?2 AND key = ?3 AND token = ?4 AND state = 1)sql");
};

/// Tickets in a file: the ledger's own or another.
class SqliteApprovals final : public Approvals {
 public:
  /// Opens or makes the file, and its tables where it has none. \throws StoreError.
  explicit SqliteApprovals(const std::string& file, TokenSource tokens = random_token,
                           std::chrono::milliseconds busy_timeout = default_busy_timeout)
      : tokens_(std::move(tokens)), store_(file, busy_timeout) {}

  [[nodiscard]] Result<Admission> admit(const ApprovalRequest& request) override {
    return asked("The approval store of " + request.tool, [&]() -> Result<Admission> {
      const std::string fingerprint = detail::digest(request.fingerprint);
      const std::int64_t now = detail::to_number(request.now);
      if (request.ticket.empty()) {
        if (const auto row = same_call(request, fingerprint, now)) return judge(*row, request, fingerprint, now);
        std::string id = tokens_();
        detail::SqliteTransaction transaction(store_.db());
        const auto row = same_call(request, fingerprint, now);  // another call may have been faster
        if (!row) {
          detail::SqliteQuery(forget_, now).change();
          detail::SqliteQuery(make_, id, request.principal, request.tool, fingerprint, request.preview,
                              now + request.ttl.count())
              .change();
          transaction.commit();
          return Admission{Admission::State::pending, std::move(id), request.preview};
        }
        auto admission = judge(*row, request, fingerprint, now);
        transaction.commit();
        return admission;
      }
      const auto row = by_id(request.ticket);
      if (!row) return Admission{Admission::State::mismatch, {}, {}};
      return judge(*row, request, fingerprint, now);
    });
  }

  [[nodiscard]] Result<std::optional<Ticket>> find(std::string_view ticket) override {
    return asked(nobody, [&]() -> Result<std::optional<Ticket>> {
      auto row = by_id(ticket);
      if (!row) return std::optional<Ticket>();
      return std::optional(std::move(row->ticket));
    });
  }

 protected:
  [[nodiscard]] Result<Decision> decide(std::string_view ticket, Ticket::State answer,
                                        std::chrono::system_clock::time_point now) override {
    return asked(nobody, [&]() -> Result<Decision> {
      detail::SqliteTransaction transaction(store_.db());
      const auto row = by_id(ticket);
      if (!row) return Decision::unknown_ticket;
      const Decision decision = detail::judge_answer(row->ticket.state, row->expires <= detail::to_number(now));
      if (decision != Decision::recorded) return decision;
      detail::SqliteQuery(decide_, ticket, detail::number(answer)).change();
      transaction.commit();
      return decision;
    });
  }

 private:
  struct Row {
    Ticket ticket;
    std::string fingerprint;
    std::int64_t expires;
  };

  template <class Step>
  auto asked(const std::string& who, const Step& step) -> decltype(step()) {
    return detail::asked<detail::SqliteFault>(who, detail::StoreMoment::before, [&] {
      const std::lock_guard lock(store_.mutex);
      return step();
    });
  }

  static std::optional<Row> read(detail::SqliteQuery& row) {
    if (!row.step()) return std::nullopt;
    const auto state = detail::read_enum(row.number(5), Ticket::State::pending, Ticket::State::used);
    const std::int64_t expires = row.number(6);
    return Row{{row.bytes(0), row.bytes(1), row.bytes(2), row.bytes(4), state, detail::to_time(expires)},
               row.bytes(3),
               expires};
  }
  std::optional<Row> by_id(std::string_view ticket) {
    detail::SqliteQuery row(by_id_, ticket);
    return read(row);
  }
  std::optional<Row> same_call(const ApprovalRequest& request, const std::string& fingerprint, std::int64_t now) {
    detail::SqliteQuery row(same_call_, request.principal, request.tool, fingerprint, now);
    return read(row);
  }

  // Uses a granted ticket up. It is used only once: by whoever changes its row.
  Admission judge(const Row& row, const ApprovalRequest& request, const std::string& fingerprint, std::int64_t now) {
    const Ticket& ticket = row.ticket;
    const bool same =
        ticket.principal == request.principal && ticket.tool == request.tool && row.fingerprint == fingerprint;
    auto state = detail::judge(ticket.state, same, row.expires <= now);
    if (state == Admission::State::admitted && !detail::SqliteQuery(use_, ticket.id).change())
      state = Admission::State::used;
    return {state, ticket.id, ticket.preview};
  }

  static inline const std::string nobody = "The approval store";
  const TokenSource tokens_;
  detail::SqliteStore store_;
  const detail::SqliteStatement by_id_ = store_.prepare(R"sql(
SELECT id, principal, tool, fingerprint, preview, state, expires FROM main.toolcontract_tickets WHERE id = ?1)sql");
  const detail::SqliteStatement same_call_ = store_.prepare(R"sql(
SELECT id, principal, tool, fingerprint, preview, state, expires FROM main.toolcontract_tickets
WHERE principal = ?1 AND tool = ?2 AND fingerprint = ?3 AND state <> 3 AND expires > ?4)sql");
  const detail::SqliteStatement forget_ = store_.prepare(R"sql(
DELETE FROM main.toolcontract_tickets WHERE rowid IN
(SELECT rowid FROM main.toolcontract_tickets WHERE expires <= ?1 ORDER BY expires LIMIT 8))sql");
  const detail::SqliteStatement make_ = store_.prepare(R"sql(
INSERT INTO main.toolcontract_tickets (id, principal, tool, fingerprint, preview, state, expires)
VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6))sql");
  const detail::SqliteStatement use_ =
      store_.prepare("UPDATE main.toolcontract_tickets SET state = 3 WHERE id = ?1 AND state = 1");
  const detail::SqliteStatement decide_ =
      store_.prepare("UPDATE main.toolcontract_tickets SET state = ?2 WHERE id = ?1");
};

}  // namespace v0
}  // namespace toolcontract
