// SPDX-License-Identifier: MIT
// What only the PostgreSQL stores do: connections, locks, the caller's transaction. What every store does: store_test.cpp.
#include <toolcontract/store/postgres.hpp>

#include "catch.hpp"
#include "store_worlds.hpp"

#include <toolcontract/toolset.hpp>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tc = toolcontract;
using namespace stores;
using State = tc::Claim::State;
using Kind = tc::StoredAnswer::Kind;

namespace {

struct RefundInput {
  std::string operation_id;
};
constexpr auto tool_schema(tc::type<RefundInput>) {
  return tc::object(tc::field<&RefundInput::operation_id>("operation_id", "One for each refund, e.g. 'op_1'."));
}
struct Refund {
  std::string refund_id;
};
constexpr auto tool_schema(tc::type<Refund>) {
  return tc::object(tc::field<&Refund::refund_id>("refund_id", "The refund, e.g. 'rf_1'."));
}

const tc::StoredAnswer refund{Kind::result, R"({"refund_id":"rf_1"})"};

/// False, said aloud, without a server.
bool here() {
  if (!postgres_conninfo().empty()) return true;
  WARN("LEFT OUT: PostgreSQL (tests/postgres.sh starts one for ctest)");
  return false;
}

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

tc::ErrorFacts broken(const std::string& who, const std::string& why) {
  return tc::unknown("INTERNAL_ERROR", who + " failed; nothing was changed.").escalate().internal(why).facts();
}

/// Ends every connection but the one that asks and those that `Postgres` holds.
void cut(const Postgres& by) {
  by.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'toolcontract'");
}

const std::string ledger_name = "The ledger of refunds_create";

}  // namespace

// ---- opening

TEST_CASE("postgres: a connection string that is none is refused, and not shown") {
  CHECK(refusal([] { tc::PostgresLedger ledger("password=hunter2 nonsense"); }) ==
        "toolcontract: PostgreSQL cannot keep keys or approvals: the connection string cannot be read; it must be like "
        "\"host=… dbname=…\" or \"postgresql://…\"");
}

TEST_CASE("postgres: a server that does not answer is told when the store is opened") {
  const std::string said =
      refusal([] { tc::PostgresApprovals approvals("host=/nowhere user=ann password=hunter2 dbname=shop"); });
  CHECK(said.starts_with("toolcontract: PostgreSQL cannot keep keys or approvals: PostgreSQL: connection to server"));
  CHECK(said.ends_with(
      "; the connection string must name a running server and a database of it that this program may use"));
  CHECK(said.find("hunter2") == said.npos);
}

TEST_CASE("postgres: many threads may make the tables at once") {
  if (!here()) return;
  const Schema schema;
  std::atomic<int> fresh{0}, failed{0};
  in_threads(8, [&](int) {
    try {
      tc::PostgresLedger ledger(schema.conninfo());
      const auto claim = ledger.claim(request("op_1"));
      fresh += claim && claim->state == State::fresh;
      failed += !claim;
    } catch (const tc::StoreError&) {
      ++failed;
    }
  });
  CHECK(fresh == 1);
  CHECK(failed == 0);
  CHECK(Postgres(schema.conninfo()).ask("SELECT count(*) FROM toolcontract_schema") == "1");
}

TEST_CASE("postgres: tables of a later version are refused") {
  if (!here()) return;
  const Schema schema;
  { tc::PostgresLedger ledger(schema.conninfo()); }
  Postgres(schema.conninfo()).ask("UPDATE toolcontract_schema SET version = 2");
  CHECK(refusal([&] { tc::PostgresLedger ledger(schema.conninfo()); }) ==
        "toolcontract: PostgreSQL cannot keep keys or approvals: the tables were made by a newer toolcontract (version "
        "2, "
        "this one knows 1); upgrade this program");
}

TEST_CASE("postgres: a role that may not make tables is told so, and may use those that are there") {
  if (!here()) return;
  const Schema schema;
  const Postgres admin(schema.conninfo());
  const std::string role = "r" + tc::random_token(), own = schema.conninfo() + " user=" + role;
  admin.ask("CREATE ROLE " + role + " LOGIN; GRANT USAGE ON SCHEMA " + admin.ask("SELECT current_schema()") + " TO " +
            role);
  const std::string said = refusal([&] { tc::PostgresLedger ledger(own); });
  CHECK(said.ends_with("; let this role create tables, or open the store once as one that may"));
  { tc::PostgresLedger ledger(schema.conninfo()); }
  admin.ask("GRANT SELECT, INSERT, UPDATE, DELETE ON toolcontract_keys TO " + role +
            "; GRANT SELECT ON toolcontract_schema TO " + role);
  {
    tc::PostgresLedger ledger(own);
    holding(ledger, "op_1");
  }
  admin.ask("DROP OWNED BY " + role + "; DROP ROLE " + role);
}

TEST_CASE("postgres: commits wait for the disk, whatever the session's default is") {
  if (!here()) return;
  const Schema schema;
  const Postgres admin(schema.conninfo());
  for (const char* setting : {"off", "local", "on", "remote_apply"}) {
    tc::PostgresLedger ledger(schema.conninfo() + " application_name=watched" + " options='-c synchronous_commit=" +
                              setting + " -c search_path=" + admin.ask("SELECT current_schema()") + "'");
    // A trigger looks from inside the ledger's own session.
    admin.ask(
        "CREATE TABLE seen (setting text); CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN INSERT INTO seen VALUES (current_setting(''synchronous_commit'')); RETURN NEW; END'; "
        "CREATE TRIGGER look BEFORE INSERT ON toolcontract_keys FOR EACH ROW EXECUTE FUNCTION look()");
    holding(ledger, std::string("op_") + setting);
    CHECK(admin.ask("SELECT setting FROM seen") == (setting == std::string("remote_apply") ? setting : "on"));
    admin.ask("DROP TRIGGER look ON toolcontract_keys; DROP FUNCTION look(); DROP TABLE seen");
  }
}

TEST_CASE("postgres: neither arguments nor secrets are in the tables") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  tc::PostgresApprovals approvals(schema.conninfo());
  tc::ClaimRequest asked = request("op_1");
  asked.fingerprint = {R"({"order_id":"A17-argument"})", R"(["4111-secret"])"};
  tc::ApprovalRequest question = World().question();
  question.fingerprint = asked.fingerprint;
  CHECK(sure(ledger.claim(asked)).state == State::fresh);
  CHECK(sure(approvals.admit(question)).state == tc::Admission::State::pending);
  const Postgres admin(schema.conninfo());
  admin.ask("SET bytea_output = escape");
  for (const std::string table : {"toolcontract_keys", "toolcontract_tickets"}) {
    const std::string row = admin.ask("SELECT t::text FROM " + table + " t");
    CHECK(row.find("argument") == row.npos);
    CHECK(row.find("4111") == row.npos);
    CHECK(row.find(table == "toolcontract_keys" ? "op_1" : "Delete ticket T1") != row.npos);
  }
}

TEST_CASE("postgres: expired rows go, some with each eighth claim and a few with each new ticket") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  tc::PostgresApprovals approvals(schema.conninfo());
  World world;
  for (int i = 0; i < 8; ++i) holding(ledger, "old_" + std::to_string(i));
  for (int i = 0; i < 12; ++i)
    CHECK(sure(approvals.admit(world.question(std::to_string(i)))).state == tc::Admission::State::pending);
  const Postgres admin(schema.conninfo());
  admin.ask("UPDATE toolcontract_keys SET expires = now(); UPDATE toolcontract_tickets SET expires = now()");
  holding(ledger, "new");
  CHECK(sure(approvals.admit(world.question("new"))).state == tc::Admission::State::pending);
  CHECK(admin.ask("SELECT count(*) FROM toolcontract_keys") == "1");
  CHECK(admin.ask("SELECT count(*) FROM toolcontract_tickets") == "5");
}

TEST_CASE("postgres: a repeat, and completing again, write nothing") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  const tc::Call call = holding(ledger, "op_1");
  const Postgres admin(schema.conninfo());
  const auto version = [&] {
    return admin.ask("SELECT xmin::text || ctid::text || xmax::text FROM toolcontract_keys");
  };
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

// ---- trouble later

TEST_CASE("postgres: a lost connection is opened again, and the call does not notice") {
  if (!here()) return;
  const Schema schema;
  const Postgres admin(schema.conninfo());
  tc::PostgresLedger ledger(schema.conninfo());
  tc::PostgresApprovals approvals(schema.conninfo());
  World world;
  cut(admin);
  const tc::Call call = holding(ledger, "op_1");
  cut(admin);
  CHECK(sure(ledger.complete(*call.held, refund, world.now)));
  cut(admin);
  CHECK((sure(ledger.claim(request("op_1"))).answer == refund));
  cut(admin);
  const std::string ticket = sure(approvals.admit(world.question())).ticket;
  cut(admin);
  CHECK(sure(approvals.grant(ticket)) == tc::Decision::recorded);
  cut(admin);
  CHECK(sure(approvals.admit(world.question("{}", ticket))).state == tc::Admission::State::admitted);
}

TEST_CASE("postgres: a claim whose answer was lost with the connection is the same claim when it is sent again") {
  if (!here()) return;
  const Schema schema;
  const Postgres admin(schema.conninfo());
  tc::PostgresLedger ledger(schema.conninfo(), [] { return std::string("the same token"); });
  CHECK(sure(ledger.claim(request("op_1"))).state == State::fresh);
  CHECK(sure(ledger.claim(request("op_1"))).state == State::fresh);
  CHECK(admin.ask("SELECT count(*) FROM toolcontract_keys") == "1");
}

TEST_CASE("postgres: without a server calls are transient, and go on once it is back") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  tc::PostgresApprovals approvals(schema.conninfo());
  World world;
  const tc::Call call = holding(ledger, "op_1");
  {
    const Postgres admin(schema.conninfo());
    admin.ask("ALTER ROLE toolcontract NOLOGIN");  // as if it were gone: no new connection is taken
    cut(admin);
    CHECK(told(ledger.claim(request("op_2")).error()) ==
          tc::unavailable(ledger_name + " cannot be reached; nothing was done, so the same call may be repeated.")
              .facts());
    CHECK(told(ledger.complete(*call.held, refund, world.now).error()) ==
          tc::unavailable(ledger_name + " cannot be reached.").facts());
    CHECK(told(approvals.admit(world.question()).error()) ==
          tc::unavailable("The approval store of tickets_delete cannot be reached; nothing was done, so the same call "
                          "may be repeated.")
              .facts());
    admin.ask("ALTER ROLE toolcontract LOGIN");
  }
  CHECK(sure(ledger.complete(*call.held, refund, world.now)));
  holding(ledger, "op_2");
}

TEST_CASE("postgres: a server that was restarted knows its keys") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  const tc::Call call = holding(ledger, "op_1");
  const std::string restart =
      std::string(TOOLCONTRACT_TESTS_DIR "/postgres.sh restart ") + std::getenv("TOOLCONTRACT_POSTGRES");
  REQUIRE(std::system(restart.c_str()) == 0);  // NOLINT
  CHECK(sure(ledger.claim(request("op_1"))).state == State::running);
  CHECK(sure(ledger.complete(*call.held, refund, World().now)));
}

TEST_CASE("postgres: a row that another transaction keeps locked is transient after the time given") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo(), tc::random_token, 1ms);
  tc::PostgresApprovals approvals(schema.conninfo(), tc::random_token, 1ms);
  const tc::Call call = holding(ledger, "op_1");
  World world;
  const std::string ticket = sure(approvals.admit(world.question())).ticket;
  const Postgres admin(schema.conninfo());
  admin.ask("BEGIN; UPDATE toolcontract_keys SET expires = expires; UPDATE toolcontract_tickets SET expires = expires");
  CHECK(told(ledger.complete(*call.held, refund, world.now).error()) ==
        tc::unavailable(ledger_name + " is busy.").facts());
  CHECK(sure(ledger.claim(request("op_1"))).state == State::running);
  CHECK(told(approvals.grant(ticket).error()) ==
        tc::unavailable("The approval store is busy; nothing was done, so the same call may be repeated.").facts());
  admin.ask("ROLLBACK; BEGIN; LOCK TABLE toolcontract_keys");
  CHECK(told(ledger.claim(request("op_1")).error()) ==
        tc::unavailable(ledger_name + " is busy; nothing was done, so the same call may be repeated.").facts());
  admin.ask("ROLLBACK");
  CHECK(sure(ledger.complete(*call.held, refund, world.now)));
}

TEST_CASE("postgres: a claim that had to wait for another one's commit or rollback goes by what became of it") {
  if (!here()) return;
  for (const bool commits : {true, false}) {
    const Schema schema;
    tc::PostgresLedger ledger(schema.conninfo());
    const Postgres other(schema.conninfo()), watcher(schema.conninfo());
    const tc::Call call = holding(ledger, "op_1");
    other.ask("BEGIN; UPDATE toolcontract_keys SET key = 'op_2'");  // as an insertion that nobody else sees yet
    std::optional<tc::Result<tc::Claim>> claim;
    std::thread caller([&] { claim = ledger.claim(request("op_2")); });
    const std::string pid = other.ask("SELECT pg_backend_pid()");
    while (watcher.ask("SELECT count(*) FROM pg_stat_activity WHERE " + pid + " = ANY(pg_blocking_pids(pid))") == "0")
      std::this_thread::yield();
    other.ask(commits ? "COMMIT" : "ROLLBACK");
    caller.join();
    CHECK(sure(*claim).state == (commits ? State::running : State::fresh));
  }
}

TEST_CASE("postgres: what waiting does not mend is an error whose text stays inside") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  const Postgres admin(schema.conninfo());
  admin.ask("ALTER TABLE toolcontract_keys RENAME TO gone");
  const auto claim = ledger.claim(request("op_1"));
  REQUIRE_FALSE(claim);
  CHECK(claim.error().facts().internal->for_report().starts_with(
      "PostgreSQL 42P01: ERROR:  relation \"toolcontract_keys\" does not exist"));
  CHECK(told(claim.error()) == told(tc::unknown("INTERNAL_ERROR", ledger_name + " failed; nothing was changed.")
                                        .escalate()
                                        .internal("the same")));
  admin.ask("ALTER TABLE gone RENAME TO toolcontract_keys");
  holding(ledger, "op_1");
  admin.ask("UPDATE toolcontract_keys SET state = 9");
  CHECK(ledger.claim(request("op_1")).error().facts() ==
        broken(ledger_name, "a row holds what no version of this store writes"));
}

// ---- the caller's own transaction

TEST_CASE("postgres, complete_in: key and effect are committed together") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  const Postgres shop(schema.conninfo());
  shop.ask("CREATE TABLE refunds (id text)");
  tc::Call call = holding(ledger, "op_1");
  shop.ask("SET synchronous_commit = off; BEGIN; INSERT INTO refunds VALUES ('rf_1')");
  CHECK_FALSE(ledger.complete_in(shop, call, Refund{"rf_1"}));
  CHECK(shop.ask("SHOW synchronous_commit") == "on");
  CHECK(call.held->stored == R"({"refund_id":"rf_1"})");
  CHECK(sure(ledger.claim(request("op_1"))).state == State::running);
  shop.ask("COMMIT");
  CHECK(shop.ask("SHOW synchronous_commit") == "off");
  CHECK((sure(ledger.claim(request("op_1"))).answer == refund));
  CHECK(sure(ledger.complete(*call.held, refund, World().now)));
}

TEST_CASE("postgres, complete_in: neither key nor effect is left by a rollback") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  const Postgres shop(schema.conninfo());
  shop.ask("CREATE TABLE refunds (id text)");
  tc::Call call = holding(ledger, "op_1");
  shop.ask("BEGIN; INSERT INTO refunds VALUES ('rf_1')");
  CHECK_FALSE(ledger.complete_in(shop, call, Refund{"rf_1"}));
  shop.ask("ROLLBACK");
  CHECK(shop.ask("SELECT count(*) FROM refunds") == "0");
  CHECK(sure(ledger.claim(request("op_1"))).state == State::running);
  CHECK(sure(ledger.release(*call.held)));
  CHECK(sure(ledger.claim(request("op_1"))).state == State::fresh);
}

TEST_CASE("postgres, complete_in: a result over the tool's cap is given, and kept as landed only") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  const Postgres shop(schema.conninfo());
  tc::Call call = holding(ledger, "op_1");
  call.held->max_stored_bytes = 19;
  shop.ask("BEGIN");
  CHECK_FALSE(ledger.complete_in(shop, call, Refund{"rf_1"}));
  shop.ask("COMMIT");
  CHECK(call.held->stored == R"({"refund_id":"rf_1"})");
  CHECK((sure(ledger.claim(request("op_1"))).answer == tc::StoredAnswer{Kind::omitted, {}}));
}

TEST_CASE("postgres, complete_in: a call whose key was taken over meanwhile does nothing") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  const Postgres shop(schema.conninfo());
  tc::Call call = holding(ledger, "op_1");
  shop.ask("UPDATE toolcontract_keys SET lease_until = now()");
  CHECK(sure(ledger.claim(request("op_1", call.held->token))).state == State::fresh);
  shop.ask("BEGIN");
  const auto error = ledger.complete_in(shop, call, Refund{"rf_1"});
  REQUIRE(error);
  CHECK(error->facts() ==
        tc::transient(
            "CALL_IN_PROGRESS",
            "The call of refunds_create took longer than its lease and another call took over; nothing was done.")
            .facts());
  CHECK_FALSE(call.held->stored);
}

TEST_CASE("postgres, complete_in: one that has not committed keeps others from taking over until it has") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo(), tc::random_token, 1ms);
  const Postgres shop(schema.conninfo());
  tc::Call call = holding(ledger, "op_1");
  shop.ask("UPDATE toolcontract_keys SET lease_until = now()");
  shop.ask("BEGIN");
  CHECK_FALSE(ledger.complete_in(shop, call, Refund{"rf_1"}));
  CHECK(told(ledger.claim(request("op_1", call.held->token)).error()) ==
        tc::unavailable(ledger_name + " is busy; nothing was done, so the same call may be repeated.").facts());
  shop.ask("COMMIT");
  CHECK(sure(ledger.claim(request("op_1", call.held->token))).state == State::done);
}

TEST_CASE(
    "postgres, complete_in: where the caller's connection is lost, it is transient: the transaction is gone with it") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  const Postgres shop(schema.conninfo()), admin(schema.conninfo());
  tc::Call call = holding(ledger, "op_1");
  shop.ask("BEGIN");
  admin.ask("SELECT pg_terminate_backend(" + shop.ask("SELECT pg_backend_pid()") + ")");
  for (int i = 0; i < 2; ++i)  // the first finds out, the second knows
    CHECK(told(*ledger.complete_in(shop, call, Refund{"rf_1"})) ==
          tc::unavailable(ledger_name + " cannot be reached; nothing was done, so the same call may be repeated.")
              .facts());
  CHECK(sure(ledger.release(*call.held)));
}

TEST_CASE("postgres, complete_in: used wrongly, it says so to the author and stores nothing") {
  if (!here()) return;
  const Schema schema, other_schema;
  tc::PostgresLedger ledger(schema.conninfo()), another(other_schema.conninfo());
  const Postgres shop(schema.conninfo()), elsewhere(other_schema.conninfo());
  tc::Call call = holding(ledger, "op_1");
  const std::string no_transaction = "complete_in needs a connection with a transaction open that has not failed";
  CHECK(ledger.complete_in(shop, call, Refund{"rf_1"})->facts() == broken(ledger_name, no_transaction));
  CHECK(ledger.complete_in(nullptr, call, Refund{"rf_1"})->facts() == broken(ledger_name, no_transaction));
  elsewhere.ask("BEGIN");
  CHECK(ledger.complete_in(elsewhere, call, Refund{"rf_1"})->facts() ==
        broken(ledger_name, "complete_in needs a connection to the ledger's own database and schema"));
  shop.ask("BEGIN");
  tc::Call keyless;
  CHECK(ledger.complete_in(shop, keyless, Refund{"rf_1"})->facts() ==
        broken("The ledger", "complete_in needs the Call that the handler of a tool with once_per(…) was given"));
  PQclear(PQexec(shop, "SELECT 1/0"));
  CHECK(ledger.complete_in(shop, call, Refund{"rf_1"})->facts() == broken(ledger_name, no_transaction));
  shop.ask("ROLLBACK");
  CHECK(sure(ledger.claim(request("op_1"))).state == State::running);
}

TEST_CASE("postgres: a joined tool runs once, and a call that died before its commit leaves its key free") {
  if (!here()) return;
  const Schema schema;
  tc::PostgresLedger ledger(schema.conninfo());
  const Postgres shop(schema.conninfo());
  shop.ask("CREATE TABLE refunds (id text)");
  bool dies = true;
  const tc::Toolset set{tc::tool<RefundInput, Refund>("refunds_create")
                            .does("Refunds one order.")
                            .destroys()
                            .once_per(&RefundInput::operation_id, ledger, {.joined = true})
                            .handle([&](const RefundInput&, tc::Call& call) -> tc::Result<Refund> {
                              const Postgres own(schema.conninfo());
                              own.ask("BEGIN; INSERT INTO refunds VALUES ('rf_1')");
                              const Refund result{"rf_1"};
                              if (auto error = ledger.complete_in(own, call, result)) return *error;
                              if (dies) {
                                call.held.reset();  // as if the process were gone: nobody settles
                                return tc::unavailable("The power is out.");
                              }
                              own.ask("COMMIT");
                              return result;
                            })};
  const std::string arguments = R"({"operation_id":"op_1"})";
  CHECK(set.call("refunds_create", arguments).error().code() == "UPSTREAM_UNAVAILABLE");
  dies = false;
  CHECK(set.call("refunds_create", arguments).error().code() == "CALL_IN_PROGRESS");
  shop.ask("UPDATE toolcontract_keys SET lease_until = now()");
  CHECK(set.call("refunds_create", arguments).text() == R"({"refund_id":"rf_1"})");
  CHECK(set.call("refunds_create", arguments).text() == R"({"refund_id":"rf_1","replayed":true})");
  CHECK(shop.ask("SELECT count(*) FROM refunds") == "1");
}
