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
/// Target toolcontract::sqlite. Cost: nlohmann/json, sqlite3.h and libsodium.
#pragma once

#include <toolcontract/approval.hpp>
#include <toolcontract/call.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/ledger.hpp>
#include <toolcontract/store/store.hpp>
#include <toolcontract/token.hpp>

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// How long a call waits while another connection writes.
inline constexpr std::chrono::milliseconds default_busy_timeout{5000};

namespace detail {

/// A result code of SQLite.
struct SqliteFault {
  int code;
  std::string text;

  explicit SqliteFault(sqlite3* db) : code(sqlite3_extended_errcode(db)), text(sqlite3_errmsg(db)) {}
  [[nodiscard]] StoreTrouble trouble() const noexcept {
    switch (code & 0xff) {
      case SQLITE_BUSY:
      case SQLITE_LOCKED:
        return StoreTrouble::busy;
      case SQLITE_FULL:
      case SQLITE_NOMEM:
        return StoreTrouble::full;
      default:
        return StoreTrouble::broken;
    }
  }
  [[nodiscard]] std::string why() const { return "SQLite " + std::to_string(code) + ": " + text; }
};

struct SqliteClose {
  void operator()(sqlite3* db) const noexcept { sqlite3_close_v2(db); }
  void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
};
using SqliteConnection = std::unique_ptr<sqlite3, SqliteClose>;
using SqliteStatement = std::unique_ptr<sqlite3_stmt, SqliteClose>;

/// One run of a statement: texts are bound as blobs. Throws SqliteFault.
class SqliteQuery {
 public:
  template <class... Values>
  explicit SqliteQuery(const SqliteStatement& statement, const Values&... values) : statement_(statement.get()) {
    int index = 0;
    (bind(++index, values), ...);
  }
  SqliteQuery(const SqliteQuery&) = delete;
  SqliteQuery& operator=(const SqliteQuery&) = delete;
  ~SqliteQuery() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
  }

  /// True while there is a row.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) throw SqliteFault(db());
    return code == SQLITE_ROW;
  }
  /// To the end: true when a row was changed.
  bool change() {
    while (step()) continue;
    return sqlite3_changes(db()) > 0;
  }
  [[nodiscard]] std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  [[nodiscard]] std::string bytes(int column) const {
    const void* data = sqlite3_column_blob(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    if (data == nullptr && sqlite3_errcode(db()) == SQLITE_NOMEM) throw SqliteFault(db());
    return data == nullptr ? std::string()
                           : std::string(static_cast<const char*>(data), static_cast<std::size_t>(size));
  }

 private:
  sqlite3* db() const { return sqlite3_db_handle(statement_); }
  void bind(int index, std::int64_t value) { check(sqlite3_bind_int64(statement_, index, value)); }
  void bind(int index, std::string_view value) {
    const char* data = value.empty() ? "" : value.data();  // a null pointer would be NULL
    check(sqlite3_bind_blob64(statement_, index, data, value.size(), SQLITE_TRANSIENT));
  }
  void check(int code) const {
    if (code == SQLITE_OK) return;
    const SqliteFault fault(db());
    sqlite3_clear_bindings(statement_);
    throw fault;
  }

  sqlite3_stmt* statement_;
};

inline SqliteStatement sqlite_prepare(sqlite3* db, std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v3(db, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) throw SqliteFault(db);
  return SqliteStatement(statement);
}

inline void sqlite_run(sqlite3* db, const char* sql) {
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) throw SqliteFault(db);
}

/// Which store a connection's main file holds: an id made with it; "" where there is none.
inline std::string sqlite_store_id(sqlite3* db) {
  const auto table = sqlite_prepare(db, "SELECT 1 FROM main.sqlite_master WHERE name = 'toolcontract_schema'");
  if (!SqliteQuery(table).step()) return {};
  const auto statement = sqlite_prepare(db, "SELECT id FROM main.toolcontract_schema");
  SqliteQuery row(statement);
  return row.step() ? row.bytes(0) : std::string();
}

/// A transaction that may write from the start; rolled back unless committed.
class SqliteTransaction {
 public:
  explicit SqliteTransaction(sqlite3* db) : db_(db) { sqlite_run(db, "BEGIN IMMEDIATE"); }
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;
  ~SqliteTransaction() {
    if (sqlite3_get_autocommit(db_) == 0) sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  void commit() { sqlite_run(db_, "COMMIT"); }

 private:
  sqlite3* db_;
};

/// The connection of one store: its file opened, its tables made. Used under `mutex`.
class SqliteStore {
 public:
  /// \throws StoreError.
  SqliteStore(const std::string& file, std::chrono::milliseconds busy_timeout) : file_(file) {
    try {
      open(busy_timeout);
    } catch (const SqliteFault& fault) {
      refuse(reason(fault));
    }
  }
  /// \throws StoreError.
  [[nodiscard]] SqliteStatement prepare(std::string_view sql) const {
    try {
      return sqlite_prepare(db(), sql);
    } catch (const SqliteFault& fault) {
      refuse(reason(fault));
    }
  }
  [[nodiscard]] sqlite3* db() const noexcept { return db_.get(); }
  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  std::mutex mutex;

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw StoreError("toolcontract: \"" + file_ + "\" cannot keep keys or approvals: " + why);
  }

  static std::string reason(const SqliteFault& fault) {
    const std::string said = " (" + fault.text + ")";
    switch (fault.code & 0xff) {
      case SQLITE_NOTADB:
        return "it is no SQLite database" + said + "; name a file that is one, or one that does not exist yet";
      case SQLITE_CORRUPT:
        return "it is damaged" + said + "; restore it from a backup, or move it away and lose its keys";
      case SQLITE_BUSY:
      case SQLITE_LOCKED:
        return "another program keeps it locked" + said + "; end that program's transaction or raise busy_timeout";
      case SQLITE_READONLY:
      case SQLITE_PERM:
        return "it may not be written" + said + "; let this program write the file and its directory";
      case SQLITE_CANTOPEN:
        return "it cannot be opened or made" + said + "; its directory must exist and be writable";
      case SQLITE_FULL:
        return "there is no room on its disk" + said + "; make room or name a file on another";
      case SQLITE_ERROR:
        return "its tables are not as they were made" + said + "; restore it from a backup";
      default:
        return "SQLite fails with " + std::to_string(fault.code) + said + "; check the disk it is on";
    }
  }

  void open(std::chrono::milliseconds busy_timeout) {
    if (sqlite3_threadsafe() == 0) refuse("this SQLite was built without threads; link one built with them");
    sqlite3* db = nullptr;
    const int code = sqlite3_open_v2(file_.c_str(), &db,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nullptr);
    db_.reset(db);
    if (db == nullptr) throw std::bad_alloc();
    if (code != SQLITE_OK) throw SqliteFault(db);
    sqlite3_extended_result_codes(db, 1);
    constexpr std::int64_t hour = 3'600'000;
    const auto wait = static_cast<int>(std::clamp<std::int64_t>(busy_timeout.count(), 0, hour));
    sqlite3_busy_timeout(db, wait);
    write_ahead(wait);
    sqlite_run(db, "PRAGMA synchronous=FULL");
    if (sqlite3_db_readonly(db, "main") != 0)
      refuse("it may not be written; let this program write the file and its directory");
    if (version() < store_version) make_tables();
    id_ = sqlite_store_id(db);
  }

  // SQLite does not wait for the lock this takes where two do it at once.
  void write_ahead(int wait) {
    constexpr int pause = 5;
    for (int waited = 0;; waited += pause) {
      try {
        const auto statement = sqlite_prepare(db(), "PRAGMA main.journal_mode=WAL");
        SqliteQuery mode(statement);
        if (mode.step() && mode.bytes(0) == "wal") return;
      } catch (const SqliteFault& fault) {
        if (fault.trouble() != StoreTrouble::busy || waited >= wait) throw;
        sqlite3_sleep(pause);
        continue;
      }
      refuse(
          "it cannot be written ahead (WAL); name a file on a local disk, or use MemoryLedger and "
          "MemoryApprovals where nothing need survive");
    }
  }

  // 0: none of our tables.
  std::int64_t version() {
    const auto table = sqlite_prepare(db(), "SELECT 1 FROM main.sqlite_master WHERE name = 'toolcontract_schema'");
    if (!SqliteQuery(table).step()) return 0;
    const auto statement = sqlite_prepare(db(), "SELECT version FROM main.toolcontract_schema");
    SqliteQuery row(statement);
    const std::int64_t version = row.step() ? row.number(0) : 0;
    if (version > store_version)
      refuse("it was written by a newer toolcontract (tables of version " + std::to_string(version) +
             ", this one knows " + std::to_string(store_version) + "); upgrade this program");
    return version;
  }

  void make_tables() {
    SqliteTransaction transaction(db());
    if (version() < 1) {  // another process may have been faster
      sqlite_run(db(), R"sql(
CREATE TABLE IF NOT EXISTS main.toolcontract_schema (version INTEGER NOT NULL, id BLOB NOT NULL);
CREATE TABLE main.toolcontract_keys (
  tenant BLOB NOT NULL, tool BLOB NOT NULL, key BLOB NOT NULL,
  fingerprint BLOB NOT NULL, state INTEGER NOT NULL, token BLOB NOT NULL,
  kind INTEGER, answer BLOB, lease_until INTEGER NOT NULL, expires INTEGER NOT NULL,
  PRIMARY KEY (tenant, tool, key));
CREATE INDEX main.toolcontract_keys_expires ON toolcontract_keys (expires);
CREATE TABLE main.toolcontract_tickets (
  id BLOB NOT NULL PRIMARY KEY, principal BLOB NOT NULL, tool BLOB NOT NULL, fingerprint BLOB NOT NULL,
  preview BLOB NOT NULL, state INTEGER NOT NULL, expires INTEGER NOT NULL);
CREATE INDEX main.toolcontract_tickets_call ON toolcontract_tickets (principal, tool, fingerprint);
CREATE INDEX main.toolcontract_tickets_expires ON toolcontract_tickets (expires);
DELETE FROM main.toolcontract_schema;)sql");
      const auto mark = sqlite_prepare(db(), "INSERT INTO main.toolcontract_schema VALUES (?1, ?2)");
      SqliteQuery(mark, store_version, random_token()).step();
    }
    transaction.commit();
  }

  const std::string file_;
  SqliteConnection db_;
  std::string id_;
};

}  // namespace detail

/// Keys in a file.
class SqliteLedger final : public Ledger {
 public:
  /// Opens or makes the file, and its tables where it has none. \throws StoreError.
  explicit SqliteLedger(const std::string& file, TokenSource tokens = random_token,
                        std::chrono::milliseconds busy_timeout = default_busy_timeout)
      : tokens_(std::move(tokens)), store_(file, busy_timeout) {}

  [[nodiscard]] Result<Claim> claim(const ClaimRequest& request) override {
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
      detail::SqliteQuery(take_, tenant, tool, key, fingerprint, token, now + request.lease.count(),
                          now + request.ttl.count())
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
