// SPDX-License-Identifier: MIT
/// \file
/// The stores under test, each in a world of its own where time passes at our word: in memory, in a SQLite file, in a
/// schema of a PostgreSQL database.
///
///     for_each_world([](World& world) { CHECK(world.ledger->claim(world.request("op_1"))->state == Claim::State::fresh); });
///
/// PostgreSQL is there when TOOLCONTRACT_POSTGRES names a directory in which tests/postgres.sh has started one.
#pragma once

#include <toolcontract/store/sqlite.hpp>
#if TOOLCONTRACT_TESTS_POSTGRES
#include <toolcontract/store/postgres.hpp>
#endif

#include "catch.hpp"
#include "show.hpp"

#include <sqlite3.h>
#include <stdlib.h>  // mkdtemp
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {
// As Catch2 shows them.
inline std::ostream& operator<<(std::ostream& out, Claim::State state) {
  constexpr const char* names[] = {"fresh", "running", "done", "uncertain", "reused"};
  return out << names[static_cast<int>(state)];
}
inline std::ostream& operator<<(std::ostream& out, Admission::State state) {
  constexpr const char* names[] = {"admitted", "pending", "denied", "expired", "used", "mismatch"};
  return out << names[static_cast<int>(state)];
}
inline std::ostream& operator<<(std::ostream& out, Decision decision) {
  constexpr const char* names[] = {"recorded", "unknown_ticket", "expired", "already_decided"};
  return out << names[static_cast<int>(decision)];
}
}  // namespace v0
}  // namespace toolcontract

namespace stores {

namespace tc = toolcontract;
using namespace std::chrono_literals;
using Time = std::chrono::system_clock::time_point;
using std::chrono::milliseconds;

/// A directory that goes when the test ends.
class Scratch {
 public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "toolcontract-test.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) FAIL("no scratch directory " << name);
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A plain connection, as a caller has one.
class Sqlite {
 public:
  explicit Sqlite(const std::string& file) {
    if (sqlite3_open(file.c_str(), &db_) != SQLITE_OK) FAIL("cannot open " << file);
  }
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;
  ~Sqlite() { sqlite3_close_v2(db_); }
  operator sqlite3*() const { return db_; }  // NOLINT: implicit, as the real handle
  void run(const std::string& sql) const {
    if (sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
      FAIL(sql << ": " << sqlite3_errmsg(db_));
  }
  /// The first column of the first row, as text.
  [[nodiscard]] std::string ask(const std::string& sql) const {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
      FAIL(sql << ": " << sqlite3_errmsg(db_));
    std::string found;
    if (sqlite3_step(statement) == SQLITE_ROW)
      if (const auto* text = sqlite3_column_text(statement, 0)) found = reinterpret_cast<const char*>(text);
    sqlite3_finalize(statement);
    return found;
  }

 private:
  sqlite3* db_ = nullptr;
};

#if TOOLCONTRACT_TESTS_POSTGRES
/// Of the server that tests/postgres.sh has started; "" without one.
inline std::string postgres_conninfo() {
  const char* directory = std::getenv("TOOLCONTRACT_POSTGRES");
  if (directory == nullptr) return {};
  std::string conninfo = read_file(std::string(directory) + "/conninfo");
  while (!conninfo.empty() && conninfo.back() == '\n') conninfo.pop_back();
  if (conninfo.empty()) FAIL("TOOLCONTRACT_POSTGRES names " << directory << ", where no server was started");
  return conninfo;
}

/// A plain connection, as a caller has one.
class Postgres {
 public:
  explicit Postgres(const std::string& conninfo) : connection_(PQconnectdb(conninfo.c_str())) {
    PQsetNoticeProcessor(
        connection_, [](void*, const char*) {}, nullptr);
    if (PQstatus(connection_) != CONNECTION_OK) FAIL(PQerrorMessage(connection_));
  }
  Postgres(const Postgres&) = delete;
  Postgres& operator=(const Postgres&) = delete;
  ~Postgres() { PQfinish(connection_); }
  operator PGconn*() const { return connection_; }  // NOLINT: implicit, as the real handle
  /// The first column of the first row, as text.
  std::string ask(const std::string& sql) const {  // NOLINT: the answer may be left
    PGresult* result = PQexec(connection_, sql.c_str());
    const auto status = PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) FAIL(sql << ": " << PQerrorMessage(connection_));
    std::string found = PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "";
    PQclear(result);
    return found;
  }

 private:
  PGconn* connection_;
};

/// A schema of its own in the test's database, gone when the test ends.
class Schema {
 public:
  explicit Schema(const std::string& conninfo = postgres_conninfo())
      : server_(conninfo), name_("t" + tc::random_token()) {
    Postgres(server_).ask("CREATE SCHEMA " + name_);
  }
  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;
  ~Schema() { Postgres(server_).ask("DROP SCHEMA " + name_ + " CASCADE"); }
  [[nodiscard]] std::string conninfo() const { return server_ + " options='-c search_path=" + name_ + "'"; }

 private:
  std::string server_, name_;
};
#endif

/// One kind of store, empty.
struct World {
  std::string name{};
  Time now = std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
  std::function<void(milliseconds)> pass{};  ///< lets time go on
  std::function<std::unique_ptr<tc::Ledger>()> open_ledger{};
  std::function<std::unique_ptr<tc::Approvals>()> open_approvals{};
  std::shared_ptr<void> place{};
  std::unique_ptr<tc::Ledger> ledger{}, other_ledger{};  ///< the same store, through two objects where it is durable
  std::unique_ptr<tc::Approvals> approvals{}, other_approvals{};

  void open() {
    ledger = open_ledger();
    approvals = open_approvals();
    if (name == "memory") return;
    other_ledger = open_ledger();
    other_approvals = open_approvals();
  }
  tc::Ledger& second_ledger() { return other_ledger ? *other_ledger : *ledger; }
  tc::Approvals& second_approvals() { return other_approvals ? *other_approvals : *approvals; }

  /// One object a thread: the one there is in memory, one more each for the durable stores.
  [[nodiscard]] std::vector<std::shared_ptr<tc::Ledger>> ledgers(int count) const {
    std::vector<std::shared_ptr<tc::Ledger>> all;
    for (int i = 0; i < count; ++i)
      all.emplace_back(name == "memory" ? std::shared_ptr<tc::Ledger>(ledger.get(), [](tc::Ledger*) {})
                                        : std::shared_ptr<tc::Ledger>(open_ledger()));
    return all;
  }
  [[nodiscard]] std::vector<std::shared_ptr<tc::Approvals>> approval_stores(int count) const {
    std::vector<std::shared_ptr<tc::Approvals>> all;
    for (int i = 0; i < count; ++i)
      all.emplace_back(name == "memory" ? std::shared_ptr<tc::Approvals>(approvals.get(), [](tc::Approvals*) {})
                                        : std::shared_ptr<tc::Approvals>(open_approvals()));
    return all;
  }

  [[nodiscard]] tc::ClaimRequest request(std::string key, std::string arguments = "{}",
                                         std::string take_over = {}) const {
    return {
        {"shop", "refunds_create", std::move(key)}, {std::move(arguments), {}}, 60s, 24h, now, std::move(take_over)};
  }
  [[nodiscard]] tc::ApprovalRequest question(std::string arguments = "{}", std::string ticket = {}) const {
    return {"ann", "tickets_delete", {std::move(arguments), {}}, "Delete ticket T1", std::move(ticket), 15min, now};
  }
};

inline World memory_world() {
  World world{"memory"};
  world.open_ledger = [] { return std::make_unique<tc::MemoryLedger>(); };
  world.open_approvals = [] { return std::make_unique<tc::MemoryApprovals>(); };
  return world;
}

inline World sqlite_world() {
  World world{"sqlite"};
  auto scratch = std::make_shared<Scratch>();
  world.place = scratch;
  world.open_ledger = [scratch] { return std::make_unique<tc::SqliteLedger>(*scratch / "store.db"); };
  world.open_approvals = [scratch] { return std::make_unique<tc::SqliteApprovals>(*scratch / "store.db"); };
  return world;
}

#if TOOLCONTRACT_TESTS_POSTGRES
inline World postgres_world() {
  World world{"postgres"};
  auto schema = std::make_shared<Schema>();
  world.place = schema;
  world.open_ledger = [schema] { return std::make_unique<tc::PostgresLedger>(schema->conninfo()); };
  world.open_approvals = [schema] { return std::make_unique<tc::PostgresApprovals>(schema->conninfo()); };
  return world;
}
#endif

/// Runs the body in each kind of world there is.
template <class Body>
void for_each_world(const Body& body) {
  const auto run = [&](World world) {
    INFO("in the world of " << world.name);
    world.pass = [&world](milliseconds time) {
      world.now += time;
#if TOOLCONTRACT_TESTS_POSTGRES
      if (world.name != "postgres") return;
      const std::string by = " - interval '" + std::to_string(time.count()) + " ms'";
      const Postgres connection(std::static_pointer_cast<Schema>(world.place)->conninfo());
      connection.ask("UPDATE toolcontract_keys SET lease_until = lease_until" + by + ", expires = expires" + by);
      connection.ask("UPDATE toolcontract_tickets SET expires = expires" + by);
#endif
    };
    world.open();
    body(world);
  };
  run(memory_world());
  run(sqlite_world());
#if TOOLCONTRACT_TESTS_POSTGRES
  if (!postgres_conninfo().empty()) return run(postgres_world());
#endif
  WARN("LEFT OUT: PostgreSQL (tests/postgres.sh starts one for ctest)");
}

/// Runs `body(index)` in so many threads at once.
inline void in_threads(int count, const std::function<void(int)>& body) {
  std::atomic<int> waiting{count};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      --waiting;
      while (waiting > 0) std::this_thread::yield();
      body(i);
    });
  for (std::thread& thread : threads) thread.join();
}

/// What a result holds; a failed one fails the test.
template <class T>
T sure(tc::Result<T> result) {
  if (!result) FAIL(result.error().facts());
  return *std::move(result);
}

/// An error but for its internal part, which must be there.
inline tc::ErrorFacts told(const tc::ToolError& error) {
  tc::ErrorFacts facts = error.facts();
  CHECK(facts.internal.has_value());
  facts.internal.reset();
  return facts;
}

inline tc::HeldKey held(const tc::LedgerKey& key, const std::string& token) {
  return {key.tenant, key.tool, key.key, token, 24h};
}

}  // namespace stores
