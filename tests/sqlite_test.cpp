// SPDX-License-Identifier: MIT
// What only the SQLite stores do: files, locks, crashes, the caller's transaction. What every store does: store_test.cpp.
#include <toolcontract/store/sqlite.hpp>

#include "catch.hpp"
#include "store_worlds.hpp"

#include <toolcontract/toolset.hpp>

#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tc = toolcontract;
using namespace stores;
using State = tc::Claim::State;
using Kind = tc::StoredAnswer::Kind;

namespace {

struct RefundInput {
  std::string operation_id;
  std::string card;
};
constexpr auto tool_schema(tc::type<RefundInput>) {
  return tc::object(tc::field<&RefundInput::operation_id>("operation_id", "One for each refund, e.g. 'op_1'."),
                    tc::field<&RefundInput::card>("card", "Number of the card.", tc::secret()));
}
struct Refund {
  std::string refund_id;
};
constexpr auto tool_schema(tc::type<Refund>) {
  return tc::object(tc::field<&Refund::refund_id>("refund_id", "The refund, e.g. 'rf_1'."));
}

const tc::StoredAnswer refund{Kind::result, R"({"refund_id":"rf_1"})"};

tc::ClaimRequest request(const std::string& key, std::string take_over = {}) {
  World world;
  return world.request(key, "{}", std::move(take_over));
}

/// A call that holds a key.
tc::Call holding(tc::Ledger& ledger, const std::string& key) {
  const tc::ClaimRequest asked = request(key);
  const tc::Claim claim = sure(ledger.claim(asked));
  REQUIRE(claim.state == State::fresh);
  tc::Call call;
  call.held = held(asked.key, claim.token);
  return call;
}

std::string refusal(const std::function<void()>& open) {
  try {
    open();
  } catch (const tc::StoreError& error) {
    return error.what();
  }
  return "opened";
}
std::string cannot_keep(const std::string& file, const std::string& why) {
  return "toolcontract: \"" + file + "\" cannot keep keys or approvals: " + why;
}

}  // namespace

// ---- the file

TEST_CASE("sqlite: keys and tickets outlive the program") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  std::string ticket;
  World world;
  {
    tc::SqliteLedger ledger(file);
    tc::SqliteApprovals approvals(file);
    const tc::Call call = holding(ledger, "op_1");
    CHECK(sure(ledger.complete(*call.held, refund, world.now)));
    holding(ledger, "op_2");
    ticket = sure(approvals.admit(world.question())).ticket;
    CHECK(sure(approvals.grant(ticket)) == tc::Decision::recorded);
  }
  tc::SqliteLedger ledger(file);
  tc::SqliteApprovals approvals(file);
  CHECK((sure(ledger.claim(request("op_1"))).answer == refund));
  CHECK(sure(ledger.claim(request("op_2"))).state == State::running);
  CHECK(sure(approvals.admit(world.question())).state == tc::Admission::State::admitted);
}

TEST_CASE("sqlite: the journal is written ahead, and every commit waits for the disk") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  static sqlite3* opened;  // the store's own connection
  const auto look = [](sqlite3* db, char**, const sqlite3_api_routines*) {
    opened = db;
    return SQLITE_OK;
  };
  const auto entry = reinterpret_cast<void (*)()>(+look);
  sqlite3_auto_extension(entry);
  tc::SqliteLedger ledger(file);
  sqlite3_cancel_auto_extension(entry);
  const auto ask = [](const char* sql) {
    std::string found;
    const auto take = [](void* to, int, char** values, char**) {
      *static_cast<std::string*>(to) = values[0];
      return 0;
    };
    sqlite3_exec(opened, sql, +take, &found, nullptr);
    return found;
  };
  CHECK(ask("PRAGMA journal_mode") == "wal");
  CHECK(ask("PRAGMA synchronous") == "2");
}

TEST_CASE("sqlite: neither arguments nor secrets are in the file, before and after a checkpoint") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  tc::ClaimRequest asked = request("op_1");
  asked.fingerprint = {R"({"order_id":"A17-argument"})", R"(["4111-secret"])"};
  tc::ApprovalRequest question = World().question();
  question.fingerprint = asked.fingerprint;
  const auto clean = [&] {
    const std::string bytes = read_file(file) + read_file(file + "-wal");
    CHECK(bytes.find("op_1") != bytes.npos);
    CHECK(bytes.find("Delete ticket T1") != bytes.npos);
    CHECK(bytes.find("A17-argument") == bytes.npos);
    CHECK(bytes.find("4111-secret") == bytes.npos);
  };
  {
    tc::SqliteLedger ledger(file);
    tc::SqliteApprovals approvals(file);
    CHECK(sure(ledger.claim(asked)).state == State::fresh);
    CHECK(sure(approvals.admit(question)).state == tc::Admission::State::pending);
    clean();
  }
  clean();
}

TEST_CASE("sqlite: a repeat, and completing again, write nothing") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  tc::SqliteLedger ledger(file);
  const tc::Call call = holding(ledger, "op_1");
  const Sqlite watcher(file);
  const auto version = [&] { return watcher.ask("PRAGMA data_version"); };
  const std::string begun = version();
  CHECK(sure(ledger.claim(request("op_1"))).state == State::running);
  CHECK(version() == begun);
  CHECK(sure(ledger.complete(*call.held, refund, World().now)));
  const std::string done = version();
  CHECK(done != begun);
  CHECK(sure(ledger.complete(*call.held, refund, World().now)));
  CHECK(sure(ledger.claim(request("op_1"))).state == State::done);
  CHECK(version() == done);
}

TEST_CASE("sqlite: expired rows go, a few with each claim and each new ticket") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  tc::SqliteLedger ledger(file);
  tc::SqliteApprovals approvals(file);
  World world;
  for (int i = 0; i < 12; ++i) {
    CHECK(sure(ledger.claim(world.request("old_" + std::to_string(i)))).state == State::fresh);
    CHECK(sure(approvals.admit(world.question(std::to_string(i)))).state == tc::Admission::State::pending);
  }
  world.now += 24h;
  const Sqlite watcher(file);
  for (const char* left : {"5", "2"}) {
    CHECK(sure(ledger.claim(world.request(std::string("new_") + left))).state == State::fresh);
    CHECK(sure(approvals.admit(world.question(std::string("new_") + left))).state == tc::Admission::State::pending);
    CHECK(watcher.ask("SELECT count(*) FROM toolcontract_keys") == left);
    CHECK(watcher.ask("SELECT count(*) FROM toolcontract_tickets") == left);
  }
}

TEST_CASE("sqlite: the file may be the caller's own database") {
  const Scratch scratch;
  const std::string file = scratch / "shop.db";
  const Sqlite shop(file);
  shop.run("CREATE TABLE orders (id); INSERT INTO orders VALUES ('A17'); PRAGMA user_version = 7");
  tc::SqliteLedger ledger(file);
  holding(ledger, "op_1");
  CHECK(shop.ask("SELECT id FROM orders") == "A17");
  CHECK(shop.ask("PRAGMA user_version") == "7");
  CHECK(
      shop.ask("SELECT group_concat(name) FROM (SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name)") ==
      "orders,toolcontract_keys,toolcontract_schema,toolcontract_tickets");
}

TEST_CASE("sqlite: many threads and many processes may open a new file at once") {
  const Scratch scratch;
  for (int round = 0; round < 5; ++round) {
    const std::string file = scratch / ("store" + std::to_string(round) + ".db").c_str();
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        try {
          tc::SqliteLedger ledger(file);
          const auto claim = ledger.claim(request("op_1"));
          _exit(!claim ? 2 : claim->state == State::fresh ? 1 : 0);
        } catch (...) {
          _exit(3);
        }
      }
      children.push_back(child);
    }
    int fresh = 0, failed = 0;
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 4;
      fresh += code == 1;
      failed += code > 1;
    }
    CHECK(fresh == 1);
    CHECK(failed == 0);
  }
  const std::string file = scratch / "threads.db";
  std::atomic<int> fresh{0}, failed{0};
  in_threads(8, [&](int) {
    try {
      tc::SqliteLedger ledger(file);
      const auto claim = ledger.claim(request("op_1"));
      fresh += claim && claim->state == State::fresh;
      failed += !claim;
    } catch (const tc::StoreError&) {
      ++failed;
    }
  });
  CHECK(fresh == 1);
  CHECK(failed == 0);
  CHECK(Sqlite(file).ask("SELECT count(*) FROM toolcontract_schema") == "1");
}

// ---- what cannot be opened

TEST_CASE("sqlite: what cannot be opened says which file, why, and what to do") {
  const Scratch scratch;
  const auto open = [](const std::string& file) { return refusal([&] { tc::SqliteLedger ledger(file); }); };
  const std::string text = scratch / "notes.txt";
  std::ofstream(text) << std::string(4096, 'x');
  CHECK(open(text) == cannot_keep(text,
                                  "it is no SQLite database (file is not a database); name a file that is one, or one "
                                  "that does not exist yet"));
  for (const std::string& file : {scratch / "missing/store.db", std::string("/proc/store.db"), scratch / ""})
    CHECK(open(file) == cannot_keep(file,
                                    "it cannot be opened or made (unable to open database file); its directory must "
                                    "exist and be writable"));
  for (const std::string& file : {std::string(":memory:"), std::string()})
    CHECK(open(file) ==
          cannot_keep(file,
                      "it cannot be written ahead (WAL); name a file on a local disk, or use MemoryLedger "
                      "and MemoryApprovals where nothing need survive"));
  const std::string newer = scratch / "newer.db";
  { tc::SqliteLedger ledger(newer); }
  Sqlite(newer).run("UPDATE toolcontract_schema SET version = 2");
  CHECK(open(newer) == cannot_keep(newer,
                                   "it was written by a newer toolcontract (tables of version 2, this one knows 1); "
                                   "upgrade this program"));
  const std::string changed = scratch / "changed.db";
  { tc::SqliteLedger ledger(changed); }
  Sqlite(changed).run("DROP TABLE toolcontract_keys");
  CHECK(open(changed) == cannot_keep(changed,
                                     "its tables are not as they were made (no such table: main.toolcontract_keys); "
                                     "restore it from a backup"));
}

TEST_CASE("sqlite: a file that is kept locked is told as such, and not waited for beyond the time given") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  const Sqlite other(file);
  other.run("CREATE TABLE orders (id); BEGIN EXCLUSIVE");
  CHECK(refusal([&] { tc::SqliteLedger ledger(file, tc::random_token, 0ms); }) ==
        cannot_keep(file,
                    "another program keeps it locked (database is locked); end that program's transaction or raise "
                    "busy_timeout"));
}

// ---- trouble later

TEST_CASE("sqlite: while another connection writes, claims are transient and repeats still answered") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  tc::SqliteLedger ledger(file, tc::random_token, 0ms);
  tc::SqliteApprovals approvals(file, tc::random_token, 0ms);
  const tc::Call done = holding(ledger, "op_1"), running = holding(ledger, "op_2");
  World world;
  CHECK(sure(ledger.complete(*done.held, refund, world.now)));
  const std::string ticket = sure(approvals.admit(world.question("1"))).ticket;
  const Sqlite other(file);
  other.run("BEGIN IMMEDIATE");

  const tc::ErrorFacts before =
      tc::unavailable("The ledger of refunds_create is busy; nothing was done, so the same call may be repeated.")
          .facts();
  const tc::ErrorFacts after = tc::unavailable("The ledger of refunds_create is busy.").facts();
  CHECK(told(ledger.claim(request("op_3")).error()) == before);
  CHECK(told(ledger.complete(*running.held, refund, world.now).error()) == after);
  CHECK(told(ledger.release(*running.held).error()) == after);
  CHECK(told(ledger.doubt(*running.held, world.now).error()) == after);
  CHECK(sure(ledger.claim(request("op_1"))).state == State::done);
  CHECK(told(approvals.admit(world.question("2")).error()) ==
        tc::unavailable(
            "The approval store of tickets_delete is busy; nothing was done, so the same call may be repeated.")
            .facts());
  CHECK(told(approvals.grant(ticket).error()) ==
        tc::unavailable("The approval store is busy; nothing was done, so the same call may be repeated.").facts());
  CHECK(sure(approvals.find(ticket)));

  other.run("ROLLBACK");
  CHECK(sure(ledger.claim(request("op_3"))).state == State::fresh);
  CHECK(sure(ledger.complete(*running.held, refund, world.now)));
  CHECK(sure(approvals.grant(ticket)) == tc::Decision::recorded);
}

TEST_CASE("sqlite: a full disk is transient, takes no key, and what was kept stays") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  { tc::SqliteLedger ledger(file); }
  // Each connection opened from here on may not make the file longer.
  const auto no_growth = [](sqlite3* db, char**, const sqlite3_api_routines*) {
    return sqlite3_exec(db, "PRAGMA max_page_count = 1", nullptr, nullptr, nullptr);
  };
  const auto entry = reinterpret_cast<void (*)()>(+no_growth);
  sqlite3_auto_extension(entry);
  tc::SqliteLedger ledger(file);
  sqlite3_cancel_auto_extension(entry);
  const tc::Call call = holding(ledger, "op_1");
  CHECK(told(ledger.complete(*call.held, {Kind::result, std::string(100'000, 'x')}, World().now).error()) ==
        tc::unavailable("The ledger of refunds_create has no room left.").facts());
  int taken = 1;
  std::optional<tc::ToolError> error;
  while (!error && taken < 1000) {
    auto claim = ledger.claim(request(std::string(200, 'k') + std::to_string(taken)));
    if (claim)
      ++taken;
    else
      error = claim.error();
  }
  REQUIRE(error);
  CHECK(told(*error) ==
        tc::unavailable(
            "The ledger of refunds_create has no room left; nothing was done, so the same call may be repeated.")
            .facts());
  CHECK(Sqlite(file).ask("SELECT count(*) FROM toolcontract_keys") == std::to_string(taken));
  CHECK(sure(ledger.complete(*call.held, {Kind::omitted, {}}, World().now)));
  CHECK(sure(ledger.claim(request("op_1"))).state == State::done);
}

TEST_CASE(
    "sqlite: a disk that fails is an error that waiting does not mend; the file serves again once the disk does") {
  const Scratch scratch;
  tc::SqliteLedger ledger(scratch / "store.db");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit none = before;
  none.rlim_cur = 4096;  // a write beyond fails
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &none);
  const auto claim = ledger.claim(request("op_1"));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  REQUIRE_FALSE(claim);
  CHECK(told(claim.error()) ==
        tc::unknown("INTERNAL_ERROR", "The ledger of refunds_create failed; nothing was changed.").escalate().facts());
  CHECK(sure(ledger.claim(request("op_1"))).state == State::fresh);
}

TEST_CASE(
    "sqlite: a damaged file is refused at opening, or is an error that waiting does not mend; no text of SQLite's gets "
    "out") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  {
    tc::SqliteLedger ledger(file);
    holding(ledger, "op_1");
  }
  const auto damage = [&](const std::string& name) {
    const std::string page = Sqlite(file).ask("SELECT rootpage FROM sqlite_master WHERE name = '" + name + "'");
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(4096 * (std::stol(page) - 1)) << std::string(64, '\xff');
  };
  damage("sqlite_autoindex_toolcontract_keys_1");
  {
    tc::SqliteLedger ledger(file);
    CHECK(
        told(ledger.claim(request("op_1")).error()) ==
        tc::unknown("INTERNAL_ERROR", "The ledger of refunds_create failed; nothing was changed.").escalate().facts());
  }
  damage("toolcontract_schema");
  CHECK(refusal([&] { tc::SqliteLedger ledger(file); }) ==
        cannot_keep(file,
                    "it is damaged (database disk image is malformed); restore it from a backup, or move it away and "
                    "lose its keys"));
}

TEST_CASE("sqlite: a row that somebody else wrote is an error, not an answer") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  tc::SqliteLedger ledger(file);
  tc::SqliteApprovals approvals(file);
  holding(ledger, "op_1");
  const std::string ticket = sure(approvals.admit(World().question())).ticket;
  Sqlite(file).run("UPDATE toolcontract_keys SET state = 9; UPDATE toolcontract_tickets SET state = -1");
  CHECK(told(ledger.claim(request("op_1")).error()) ==
        tc::unknown("INTERNAL_ERROR", "The ledger of refunds_create failed; nothing was changed.").escalate().facts());
  CHECK(told(approvals.find(ticket).error()) ==
        tc::unknown("INTERNAL_ERROR", "The approval store failed; nothing was changed.").escalate().facts());
}

TEST_CASE("sqlite: a token source that throws fails the call, not the program, and takes no key") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  tc::SqliteLedger broken(file, []() -> std::string { throw std::runtime_error("no randomness"); });
  const auto claim = broken.claim(request("op_1"));
  REQUIRE_FALSE(claim);
  CHECK(claim.error().facts() ==
        tc::unknown("INTERNAL_ERROR", "The ledger of refunds_create failed; nothing was changed.")
            .escalate()
            .internal("no randomness")
            .facts());
  tc::SqliteLedger ledger(file);
  CHECK(sure(ledger.claim(request("op_1"))).state == State::fresh);
}

TEST_CASE("sqlite: a lease begins when the call got the file, not when it began to wait for it") {
  const Scratch scratch;
  const std::string file = scratch / "store.db";
  const auto slow = [] {
    const auto since = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - since < 101ms) continue;  // in place of another connection's lock
    return tc::random_token();
  };
  tc::SqliteLedger ledger(file, slow);
  const World world;
  CHECK(sure(ledger.claim(world.request("op_1"))).state == State::fresh);
  const std::int64_t until = std::stoll(Sqlite(file).ask("SELECT lease_until FROM toolcontract_keys"));
  CHECK(until - tc::detail::to_number(world.now + 60s) >= 101);
}

// ---- the caller's own transaction

TEST_CASE("sqlite, complete_in: key and effect are committed together") {
  const Scratch scratch;
  const std::string file = scratch / "shop.db";
  tc::SqliteLedger ledger(file);
  const Sqlite shop(file);
  shop.run("CREATE TABLE refunds (id)");
  tc::Call call = holding(ledger, "op_1");
  shop.run("BEGIN IMMEDIATE; INSERT INTO refunds VALUES ('rf_1')");
  CHECK_FALSE(ledger.complete_in(shop, call, Refund{"rf_1"}));
  CHECK(call.held->stored == R"({"refund_id":"rf_1"})");
  CHECK(sure(ledger.claim(request("op_1"))).state == State::running);
  shop.run("COMMIT");
  CHECK((sure(ledger.claim(request("op_1"))).answer == refund));
  CHECK(sure(ledger.complete(*call.held, refund, World().now)));
}

TEST_CASE("sqlite, complete_in: neither key nor effect is left by a rollback") {
  const Scratch scratch;
  const std::string file = scratch / "shop.db";
  tc::SqliteLedger ledger(file);
  const Sqlite shop(file);
  shop.run("CREATE TABLE refunds (id)");
  tc::Call call = holding(ledger, "op_1");
  shop.run("BEGIN IMMEDIATE; INSERT INTO refunds VALUES ('rf_1')");
  CHECK_FALSE(ledger.complete_in(shop, call, Refund{"rf_1"}));
  shop.run("ROLLBACK");
  CHECK(sure(ledger.claim(request("op_1"))).state == State::running);
  CHECK(sure(ledger.release(*call.held)));
  CHECK(sure(ledger.claim(request("op_1"))).state == State::fresh);
  CHECK(shop.ask("SELECT count(*) FROM refunds") == "0");
}

TEST_CASE("sqlite, complete_in: a result over the tool's cap is given, and kept as landed only") {
  const Scratch scratch;
  const std::string file = scratch / "shop.db";
  tc::SqliteLedger ledger(file);
  const Sqlite shop(file);
  tc::Call call = holding(ledger, "op_1");
  call.held->max_stored_bytes = 19;
  shop.run("BEGIN IMMEDIATE");
  CHECK_FALSE(ledger.complete_in(shop, call, Refund{"rf_1"}));
  shop.run("COMMIT");
  CHECK(call.held->stored == R"({"refund_id":"rf_1"})");
  CHECK((sure(ledger.claim(request("op_1"))).answer == tc::StoredAnswer{Kind::omitted, {}}));
}

TEST_CASE("sqlite, complete_in: a call whose key was taken over meanwhile does nothing") {
  const Scratch scratch;
  const std::string file = scratch / "shop.db";
  tc::SqliteLedger ledger(file);
  const Sqlite shop(file);
  tc::Call call = holding(ledger, "op_1");
  tc::ClaimRequest later = request("op_1", call.held->token);
  later.now += 61s;
  CHECK(sure(ledger.claim(later)).state == State::fresh);
  shop.run("BEGIN IMMEDIATE");
  const auto error = ledger.complete_in(shop, call, Refund{"rf_1"});
  REQUIRE(error);
  CHECK(error->facts() ==
        tc::transient(
            "CALL_IN_PROGRESS",
            "The call of refunds_create took longer than its lease and another call took over; nothing was done.")
            .facts());
  CHECK_FALSE(call.held->stored);
}

TEST_CASE("sqlite, complete_in: used wrongly, it says so to the author and stores nothing") {
  const Scratch scratch;
  const std::string file = scratch / "shop.db";
  tc::SqliteLedger ledger(file);
  const Sqlite shop(file), elsewhere(scratch / "elsewhere.db");
  tc::Call call = holding(ledger, "op_1");
  const auto failure = [](const std::string& who, const std::string& why) {
    return tc::unknown("INTERNAL_ERROR", who + " failed; nothing was changed.").escalate().internal(why).facts();
  };
  const std::string who = "The ledger of refunds_create";
  const std::string no_transaction =
      "complete_in needs a connection with a transaction open: BEGIN IMMEDIATE before it";
  CHECK(ledger.complete_in(shop, call, Refund{"rf_1"})->facts() == failure(who, no_transaction));
  CHECK(ledger.complete_in(nullptr, call, Refund{"rf_1"})->facts() == failure(who, no_transaction));
  elsewhere.run("BEGIN");
  CHECK(ledger.complete_in(elsewhere, call, Refund{"rf_1"})->facts() ==
        failure(who, "SQLite 1: no such table: main.toolcontract_keys"));
  elsewhere.run("COMMIT");
  tc::SqliteLedger another(scratch / "elsewhere.db");
  elsewhere.run("BEGIN");
  CHECK(ledger.complete_in(elsewhere, call, Refund{"rf_1"})->facts() ==
        failure(who, "complete_in needs a connection whose main file is the ledger's own"));
  shop.run("BEGIN");
  tc::Call keyless;
  CHECK(ledger.complete_in(shop, keyless, Refund{"rf_1"})->facts() ==
        failure("The ledger", "complete_in needs the Call that the handler of a tool with once_per(…) was given"));
  CHECK(ledger.complete_in(shop, call, Refund{"\xff"}) == std::nullopt);  // invalid UTF-8 is mended, as in any result
  shop.run("ROLLBACK");
  CHECK(sure(ledger.claim(request("op_1"))).state == State::running);
}

TEST_CASE("sqlite, complete_in: while another connection writes, it is transient and nothing was done") {
  const Scratch scratch;
  const std::string file = scratch / "shop.db";
  tc::SqliteLedger ledger(file);
  const Sqlite shop(file), other(file);
  tc::Call call = holding(ledger, "op_1");
  other.run("BEGIN IMMEDIATE");
  shop.run("BEGIN");
  CHECK(told(*ledger.complete_in(shop, call, Refund{"rf_1"})) ==
        tc::unavailable("The ledger of refunds_create is busy; nothing was done, so the same call may be repeated.")
            .facts());
}

TEST_CASE("sqlite: a process that is killed leaves its key taken, and its joined effect undone") {
  const Scratch scratch;
  const std::string file = scratch / "shop.db";
  Sqlite(file).run("CREATE TABLE refunds (id)");
  const auto killed = [&](const std::function<void()>& body) {
    const pid_t child = fork();
    if (child == 0) {
      body();
      raise(SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
  };
  killed([&] {
    tc::SqliteLedger ledger(file);
    (void)ledger.claim(request("op_1"));
  });
  killed([&] {
    tc::SqliteLedger ledger(file);
    const tc::ClaimRequest asked = request("op_2");
    tc::Call call;
    call.held = held(asked.key, ledger.claim(asked)->token);
    const Sqlite shop(file);
    shop.run("BEGIN IMMEDIATE; INSERT INTO refunds VALUES ('rf_2')");
    if (ledger.complete_in(shop, call, Refund{"rf_2"})) _exit(1);
  });
  killed([&] {
    tc::SqliteLedger ledger(file);
    const tc::ClaimRequest asked = request("op_3");
    tc::Call call;
    call.held = held(asked.key, ledger.claim(asked)->token);
    const Sqlite shop(file);
    shop.run("BEGIN IMMEDIATE; INSERT INTO refunds VALUES ('rf_3')");
    if (ledger.complete_in(shop, call, Refund{"rf_3"})) _exit(1);
    shop.run("COMMIT");
  });
  tc::SqliteLedger ledger(file);
  for (const char* key : {"op_1", "op_2"}) {
    tc::ClaimRequest later = request(key);
    CHECK(sure(ledger.claim(later)).state == State::running);
    later.now += 61s;
    CHECK(sure(ledger.claim(later)).state == State::uncertain);
  }
  CHECK(sure(ledger.claim(request("op_3"))).answer.text == R"({"refund_id":"rf_3"})");
  CHECK(Sqlite(file).ask("SELECT group_concat(id) FROM refunds") == "rf_3");
}

TEST_CASE("sqlite: a joined tool runs once, and a call that died before its commit leaves its key free") {
  const Scratch scratch;
  const std::string file = scratch / "shop.db";
  tc::SqliteLedger ledger(file);
  const Sqlite shop(file);
  shop.run("CREATE TABLE refunds (id)");
  Time now = World().now;
  tc::ToolsetOptions options;
  options.clock.wall = [&] { return now; };
  bool dies = true;
  std::vector<tc::Tool> tools;
  tools.push_back(tc::tool<RefundInput, Refund>("refunds_create")
                      .does("Refunds one order.")
                      .destroys()
                      .once_per(&RefundInput::operation_id, ledger, {.joined = true})
                      .handle([&](const RefundInput&, tc::Call& call) -> tc::Result<Refund> {
                        const Sqlite own(file);
                        own.run("BEGIN IMMEDIATE; INSERT INTO refunds VALUES ('rf_1')");
                        const Refund result{"rf_1"};
                        if (auto error = ledger.complete_in(own, call, result)) return *error;
                        if (dies) {
                          call.held.reset();  // as if the process were gone: nobody settles
                          return tc::unavailable("The power is out.");
                        }
                        own.run("COMMIT");
                        return result;
                      }));
  const tc::Toolset set(options, std::move(tools));
  const std::string arguments = R"({"operation_id":"op_1","card":"4111"})";
  CHECK(set.call("refunds_create", arguments).error().code() == "UPSTREAM_UNAVAILABLE");
  dies = false;
  CHECK(set.call("refunds_create", arguments).error().code() == "CALL_IN_PROGRESS");
  now += 61s;
  CHECK(set.call("refunds_create", arguments).text() == R"({"refund_id":"rf_1"})");
  CHECK(set.call("refunds_create", arguments).text() == R"({"refund_id":"rf_1","replayed":true})");
  CHECK(shop.ask("SELECT count(*) FROM refunds") == "1");
}

TEST_CASE("sqlite: a joined result over the tool's own cap is given once; its repeat learns that the call landed") {
  const Scratch scratch;
  const std::string file = scratch / "shop.db";
  tc::SqliteLedger ledger(file);
  const tc::Toolset set{tc::tool<RefundInput, Refund>("refunds_create")
                            .does("Refunds one order.")
                            .destroys()
                            .once_per(&RefundInput::operation_id, ledger, {.max_stored_bytes = 19, .joined = true})
                            .handle([&](const RefundInput&, tc::Call& call) -> tc::Result<Refund> {
                              const Sqlite own(file);
                              own.run("BEGIN IMMEDIATE");
                              const Refund result{"rf_1"};
                              if (auto error = ledger.complete_in(own, call, result)) return *error;
                              own.run("COMMIT");
                              return result;
                            })};
  const std::string arguments = R"({"operation_id":"op_1","card":"4111"})";
  CHECK(set.call("refunds_create", arguments).text() == R"({"refund_id":"rf_1"})");
  CHECK(set.call("refunds_create", arguments).error().code() == "RESULT_UNAVAILABLE");
}
