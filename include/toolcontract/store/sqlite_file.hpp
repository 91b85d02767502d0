// SPDX-License-Identifier: MIT
/// \file
/// How do the stores in SQLite speak to it? One connection to a file that was opened with care, statements, transactions.
/// Nothing here is for users.
///
///     SqliteQuery row(statement, "op_1", std::int64_t{3});    // binds ?1 as a blob, ?2 as a number
///     while (row.step()) use(row.bytes(0));
///
/// Cost: nlohmann/json, through store.hpp, and sqlite3.h.
#pragma once

#include <toolcontract/store/store.hpp>
#include <toolcontract/token.hpp>

#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>

namespace toolcontract {
inline namespace v0 {
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

/// Milliseconds a call had to wait for the file, where that is worth counting: a lease must not end while its call still
/// waits to begin.
inline std::int64_t waited(std::chrono::steady_clock::time_point since) {
  const auto wait = std::chrono::floor<std::chrono::milliseconds>(std::chrono::steady_clock::now() - since);
  return wait < std::chrono::milliseconds(100) ? 0 : wait.count();
}

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

}  // namespace v0
}  // namespace toolcontract
