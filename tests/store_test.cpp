// SPDX-License-Identifier: MIT
// What every ledger and every approval store does: in memory, SQLite and PostgreSQL alike.
#include <toolcontract/store/store.hpp>

#include "catch.hpp"
#include "store_worlds.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tc = toolcontract;
using namespace stores;
using State = tc::Claim::State;
using Kind = tc::StoredAnswer::Kind;

namespace {

const tc::StoredAnswer refund{Kind::result, R"({"refund_id":"rf_1"})"};

/// A key that is claimed.
tc::HeldKey begin(World& world, const std::string& key, const std::string& arguments = "{}") {
  const tc::ClaimRequest request = world.request(key, arguments);
  const tc::Claim claim = sure(world.ledger->claim(request));
  REQUIRE(claim.state == State::fresh);
  REQUIRE_FALSE(claim.token.empty());
  return held(request.key, claim.token);
}

State state(World& world, const std::string& key, const std::string& arguments = "{}") {
  return sure(world.second_ledger().claim(world.request(key, arguments))).state;
}

}  // namespace

// ---- ledgers

TEST_CASE("ledger: the first call with a key may act, the second learns that it runs and for how long at most") {
  for_each_world([](World& world) {
    begin(world, "op_1");
    world.pass(20s);
    const tc::Claim second = sure(world.second_ledger().claim(world.request("op_1")));
    CHECK(second.state == State::running);
    CHECK(second.token.empty());
    CHECK(second.lease_left <= 40s);
    CHECK(second.lease_left > 20s);
  });
}

TEST_CASE("ledger: a repeat gets the stored answer, of each kind, however long") {
  for_each_world([](World& world) {
    const std::vector<tc::StoredAnswer> answers{refund,
                                                {Kind::refusal, R"({"error_code":"NO"})"},
                                                {Kind::omitted, {}},
                                                {Kind::result, std::string(1 << 20, 'x')}};
    for (const tc::StoredAnswer& answer : answers) {
      const std::string key = "op_" + std::to_string(&answer - answers.data());
      CHECK(sure(world.ledger->complete(begin(world, key), answer, world.now)));
      const tc::Claim repeat = sure(world.second_ledger().claim(world.request(key)));
      CHECK(repeat.state == State::done);
      CHECK(repeat.token.empty());
      CHECK((repeat.answer == answer));
    }
  });
}

TEST_CASE("ledger: a key with other arguments or other secrets is reused, whatever became of the first call") {
  for_each_world([](World& world) {
    const auto check = [&] {
      CHECK(state(world, "op_1", R"({"a":2})") == State::reused);
      tc::ClaimRequest request = world.request("op_1", R"({"a":1})");
      request.fingerprint.secrets = R"(["other"])";
      CHECK(sure(world.ledger->claim(request)).state == State::reused);
    };
    const tc::HeldKey held = begin(world, "op_1", R"({"a":1})");
    check();
    world.pass(61s);
    check();
    CHECK(sure(world.ledger->doubt(held, world.now)));
    check();
    CHECK(sure(world.ledger->complete(held, refund, world.now)));
    check();
  });
}

TEST_CASE("ledger: the same secrets are the same call") {
  for_each_world([](World& world) {
    tc::ClaimRequest request = world.request("op_1");
    request.fingerprint.secrets = R"(["s3cret"])";
    CHECK(sure(world.ledger->claim(request)).state == State::fresh);
    CHECK(sure(world.ledger->claim(request)).state == State::running);
  });
}

TEST_CASE("ledger: a call whose lease has ended leaves its key uncertain, and gives its token to whom may take over") {
  for_each_world([](World& world) {
    const tc::HeldKey held = begin(world, "op_1");
    world.pass(60s);
    const tc::Claim found = sure(world.second_ledger().claim(world.request("op_1")));
    CHECK(found.state == State::uncertain);
    CHECK(found.token == held.token);
    CHECK(state(world, "op_1") == State::uncertain);
  });
}

TEST_CASE("ledger: an uncertain key is taken over with its token only, and is then lost to the first call") {
  for_each_world([](World& world) {
    const tc::HeldKey first = begin(world, "op_1");
    world.pass(61s);
    CHECK(sure(world.ledger->claim(world.request("op_1", "{}", "another token"))).state == State::uncertain);
    const tc::Claim second = sure(world.second_ledger().claim(world.request("op_1", "{}", first.token)));
    REQUIRE(second.state == State::fresh);
    CHECK(second.token != first.token);
    CHECK_FALSE(sure(world.ledger->complete(first, refund, world.now)));
    CHECK_FALSE(sure(world.ledger->release(first)));
    CHECK_FALSE(sure(world.ledger->doubt(first, world.now)));
    CHECK(state(world, "op_1") == State::running);
    CHECK(sure(world.ledger->claim(world.request("op_1", "{}", first.token))).state == State::running);
    CHECK(sure(world.ledger->complete(held(world.request("op_1").key, second.token), refund, world.now)));
    CHECK(state(world, "op_1") == State::done);
  });
}

TEST_CASE("ledger: nobody takes over a call that runs or is done, nor with other arguments") {
  for_each_world([](World& world) {
    const tc::HeldKey held = begin(world, "op_1");
    CHECK(sure(world.ledger->claim(world.request("op_1", "{}", held.token))).state == State::running);
    world.pass(61s);
    CHECK(sure(world.ledger->claim(world.request("op_1", R"({"a":2})", held.token))).state == State::reused);
    CHECK(sure(world.ledger->complete(held, refund, world.now)));
    CHECK(sure(world.ledger->claim(world.request("op_1", "{}", held.token))).state == State::done);
  });
}

TEST_CASE("ledger: a key is forgotten a time to live after its last change, and is then a new one") {
  for_each_world([](World& world) {
    const tc::HeldKey first = begin(world, "op_1");
    const tc::HeldKey second = begin(world, "op_2");
    const tc::HeldKey third = begin(world, "op_3");
    world.pass(12h);
    CHECK(sure(world.ledger->complete(first, refund, world.now)));
    CHECK(sure(world.ledger->doubt(second, world.now)));
    world.pass(12h);
    CHECK(state(world, "op_1") == State::done);
    CHECK(state(world, "op_2") == State::uncertain);
    CHECK(state(world, "op_3", R"({"a":2})") == State::fresh);
    CHECK_FALSE(sure(world.ledger->complete(third, refund, world.now)));
    world.pass(12h);
    CHECK(state(world, "op_1", R"({"a":2})") == State::fresh);
    CHECK(state(world, "op_2") == State::fresh);
  });
}

TEST_CASE("ledger: a call without effect frees its key, while it runs or when its lease has ended") {
  for_each_world([](World& world) {
    CHECK(sure(world.ledger->release(begin(world, "op_1"))));
    const tc::HeldKey again = begin(world, "op_1", R"({"a":2})");
    world.pass(61s);
    CHECK(sure(world.ledger->release(again)));
    CHECK_FALSE(sure(world.ledger->release(again)));
    CHECK(state(world, "op_1") == State::fresh);
  });
}

TEST_CASE("ledger: an unknown outcome keeps the key at once, and nothing but its completion changes that") {
  for_each_world([](World& world) {
    const tc::HeldKey held = begin(world, "op_1");
    CHECK(sure(world.ledger->doubt(held, world.now)));
    CHECK(state(world, "op_1") == State::uncertain);
    CHECK_FALSE(sure(world.ledger->doubt(held, world.now)));
    CHECK_FALSE(sure(world.ledger->release(held)));
    CHECK(state(world, "op_1") == State::uncertain);
    CHECK(sure(world.ledger->complete(held, refund, world.now)));
    CHECK(state(world, "op_1") == State::done);
    CHECK_FALSE(sure(world.ledger->doubt(held, world.now)));
    CHECK_FALSE(sure(world.ledger->release(held)));
    CHECK(state(world, "op_1") == State::done);
  });
}

TEST_CASE("ledger: completing again changes nothing, with another answer it is the later one that counts") {
  for_each_world([](World& world) {
    const tc::HeldKey held = begin(world, "op_1");
    CHECK(sure(world.ledger->complete(held, refund, world.now)));
    CHECK(sure(world.second_ledger().complete(held, refund, world.now)));
    CHECK((sure(world.ledger->claim(world.request("op_1"))).answer == refund));
    const tc::StoredAnswer amended{Kind::result, R"({"refund_id":"rf_1","note":"amended"})"};
    CHECK(sure(world.ledger->complete(held, amended, world.now)));
    CHECK((sure(world.ledger->claim(world.request("op_1"))).answer == amended));
  });
}

TEST_CASE("ledger: what nobody claimed cannot be settled") {
  for_each_world([](World& world) {
    const tc::HeldKey never = held(world.request("op_1").key, "token");
    CHECK_FALSE(sure(world.ledger->complete(never, refund, world.now)));
    CHECK_FALSE(sure(world.ledger->release(never)));
    CHECK_FALSE(sure(world.ledger->doubt(never, world.now)));
    CHECK(state(world, "op_1") == State::fresh);
  });
}

TEST_CASE("ledger: tenant, tool and key are kept apart, whatever bytes they have") {
  for_each_world([](World& world) {
    using namespace std::string_literals;
    const std::vector<tc::LedgerKey> keys{{"", "tool", "k"},
                                          {"a", "tool", "k"},
                                          {"atool", "", "k"},
                                          {"a", "toolk", ""},
                                          {"a", "tool", "K"},
                                          {"a", "tool", "k "},
                                          {"a", "tool", "k\0"s},
                                          {"a", "tool", "k\0x"s},
                                          {"a\0"s, "tool", "k"},
                                          {"a", "tool", "7"},
                                          {"a", "tool", "07"},
                                          {"a", "tool", "\xff\xfe'\"\\;--"},
                                          {"a", "tool", std::string(255, '\xff')},
                                          {"a", "tool", std::string(255, '\0')},
                                          {"a", "tool", std::string(254, '\0')}};
    std::vector<std::string> tokens;
    tc::ClaimRequest request = world.request("");
    for (const tc::LedgerKey& key : keys) {
      request.key = key;
      const tc::Claim claim = sure(world.ledger->claim(request));
      CHECK(claim.state == State::fresh);
      tokens.push_back(claim.token);
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
      CHECK(sure(world.ledger->complete(held(keys[i], tokens[i]), {Kind::result, std::to_string(i)}, world.now)));
    for (std::size_t i = 0; i < keys.size(); ++i) {
      request.key = keys[i];
      CHECK(sure(world.second_ledger().claim(request)).answer.text == std::to_string(i));
    }
  });
}

TEST_CASE("ledger: of many calls with one key at once, one may act") {
  for_each_world([](World& world) {
    constexpr int keys = 40, threads = 8;
    std::atomic<int> fresh{0}, running{0}, other{0};
    const auto ledgers = world.ledgers(threads);
    in_threads(threads, [&](int thread) {
      tc::Ledger& ledger = *ledgers[static_cast<std::size_t>(thread)];
      for (int key = 0; key < keys; ++key) {
        const auto claim = ledger.claim(world.request("op_" + std::to_string(key)));
        ++(claim && claim->state == State::fresh ? fresh : claim && claim->state == State::running ? running : other);
      }
    });
    CHECK(fresh == keys);
    CHECK(running == keys * (threads - 1));
    CHECK(other == 0);
  });
}

TEST_CASE("ledger: of many calls that would take over, one may act") {
  for_each_world([](World& world) {
    const tc::HeldKey first = begin(world, "op_1");
    world.pass(61s);
    std::atomic<int> fresh{0}, running{0};
    const auto ledgers = world.ledgers(8);
    in_threads(8, [&](int thread) {
      tc::Ledger& ledger = *ledgers[static_cast<std::size_t>(thread)];
      const auto claim = ledger.claim(world.request("op_1", "{}", first.token));
      if (claim && claim->state == State::fresh) ++fresh;
      if (claim && claim->state == State::running) ++running;
    });
    CHECK(fresh == 1);
    CHECK(running == 7);
  });
}

TEST_CASE("ledger: of many calls that find a forgotten key at once, one may act") {
  for_each_world([](World& world) {
    begin(world, "op_1");
    world.pass(24h);
    std::atomic<int> fresh{0};
    const auto ledgers = world.ledgers(8);
    in_threads(8, [&](int thread) {
      tc::Ledger& ledger = *ledgers[static_cast<std::size_t>(thread)];
      const auto claim = ledger.claim(world.request("op_1"));
      if (claim && claim->state == State::fresh) ++fresh;
    });
    CHECK(fresh == 1);
  });
}

// ---- approvals

namespace {

using Admitted = tc::Admission::State;

tc::Admission admit(World& world, const std::string& arguments = "{}", const std::string& ticket = {}) {
  return sure(world.approvals->admit(world.question(arguments, ticket)));
}

std::string ask(World& world, const std::string& arguments = "{}") {
  const tc::Admission asked = admit(world, arguments);
  REQUIRE(asked.state == Admitted::pending);
  REQUIRE_FALSE(asked.ticket.empty());
  return asked.ticket;
}

}  // namespace

TEST_CASE("approvals: a first call gets a ticket, and keeps it until somebody answers") {
  for_each_world([](World& world) {
    const tc::Admission first = admit(world);
    CHECK(first.state == Admitted::pending);
    CHECK(first.preview == "Delete ticket T1");
    tc::ApprovalRequest again = world.question();
    again.preview = "Something else";
    for (tc::Approvals* approvals : {world.approvals.get(), &world.second_approvals()}) {
      const tc::Admission second = sure(approvals->admit(again));
      CHECK(second.state == Admitted::pending);
      CHECK(second.ticket == first.ticket);
      CHECK(second.preview == first.preview);
    }
    CHECK(admit(world, "{}", first.ticket).state == Admitted::pending);
  });
}

TEST_CASE("approvals: a ticket can be looked up, with what a person is to be shown") {
  for_each_world([](World& world) {
    const std::string id = ask(world);
    std::optional<tc::Ticket> found = sure(world.second_approvals().find(id));
    REQUIRE(found);
    CHECK(std::chrono::abs(found->expires - (world.now + 15min)) < 1min);
    found->expires = {};
    CHECK((*found == tc::Ticket{id, "ann", "tickets_delete", "Delete ticket T1", tc::Ticket::State::pending, {}}));
    CHECK_FALSE(sure(world.approvals->find("no such ticket")));
    CHECK_FALSE(sure(world.approvals->find("")));
  });
}

TEST_CASE("approvals: a granted call runs once, found by its arguments; then it is asked anew") {
  for_each_world([](World& world) {
    const std::string id = ask(world);
    CHECK(sure(world.second_approvals().grant(id, world.now)) == tc::Decision::recorded);
    CHECK(sure(world.approvals->find(id))->state == tc::Ticket::State::granted);
    const tc::Admission admitted = admit(world);
    CHECK(admitted.state == Admitted::admitted);
    CHECK(admitted.ticket == id);
    CHECK(sure(world.approvals->find(id))->state == tc::Ticket::State::used);
    CHECK(ask(world) != id);
  });
}

TEST_CASE("approvals: a granted call runs once by its ticket") {
  for_each_world([](World& world) {
    const std::string id = ask(world);
    CHECK(sure(world.approvals->grant(id, world.now)) == tc::Decision::recorded);
    CHECK(admit(world, "{}", id).state == Admitted::admitted);
    CHECK(admit(world, "{}", id).state == Admitted::used);
  });
}

TEST_CASE("approvals: a denied call stays denied until its ticket expires") {
  for_each_world([](World& world) {
    const std::string id = ask(world);
    CHECK(sure(world.approvals->deny(id, world.now)) == tc::Decision::recorded);
    CHECK(admit(world).state == Admitted::denied);
    CHECK(admit(world, "{}", id).state == Admitted::denied);
    world.pass(15min);
    CHECK(ask(world) != id);
  });
}

TEST_CASE("approvals: an expired ticket admits nothing, granted or not, and the call may ask anew") {
  for_each_world([](World& world) {
    const std::string pending = ask(world, R"({"a":1})");
    const std::string granted = ask(world, R"({"a":2})");
    CHECK(sure(world.approvals->grant(granted, world.now)) == tc::Decision::recorded);
    world.pass(15min);
    CHECK(admit(world, R"({"a":1})", pending).state == Admitted::expired);
    CHECK(admit(world, R"({"a":2})", granted).state == Admitted::expired);
    CHECK(sure(world.approvals->grant(pending, world.now)) == tc::Decision::expired);
    CHECK(sure(world.approvals->deny(granted, world.now)) == tc::Decision::already_decided);
    CHECK(ask(world, R"({"a":2})") != granted);
  });
}

TEST_CASE("approvals: a ticket is for one principal, tool and arguments, secrets included") {
  for_each_world([](World& world) {
    const std::string id = ask(world);
    CHECK(sure(world.approvals->grant(id, world.now)) == tc::Decision::recorded);
    std::vector<tc::ApprovalRequest> others(4, world.question("{}", id));
    others[0].principal = "bob";
    others[1].tool = "tickets_archive";
    others[2].fingerprint.arguments = R"({"a":2})";
    others[3].fingerprint.secrets = R"(["s"])";
    for (tc::ApprovalRequest& other : others) {
      CHECK(sure(world.approvals->admit(other)).state == Admitted::mismatch);
      other.ticket.clear();
      CHECK(sure(world.approvals->admit(other)).state == Admitted::pending);
    }
    const tc::Admission unknown = admit(world, "{}", "no such ticket");
    CHECK(unknown.state == Admitted::mismatch);
    CHECK(unknown.ticket.empty());
    CHECK(admit(world, "{}", id).state == Admitted::admitted);
  });
}

TEST_CASE("approvals: the first answer stands") {
  for_each_world([](World& world) {
    const std::string granted = ask(world, R"({"a":1})"), denied = ask(world, R"({"a":2})");
    CHECK(sure(world.approvals->grant(granted, world.now)) == tc::Decision::recorded);
    CHECK(sure(world.second_approvals().deny(granted, world.now)) == tc::Decision::already_decided);
    CHECK(sure(world.approvals->deny(denied, world.now)) == tc::Decision::recorded);
    CHECK(sure(world.approvals->grant(denied, world.now)) == tc::Decision::already_decided);
    CHECK(admit(world, R"({"a":1})").state == Admitted::admitted);
    CHECK(sure(world.approvals->grant(granted, world.now)) == tc::Decision::already_decided);
    CHECK(admit(world, R"({"a":2})").state == Admitted::denied);
    CHECK(sure(world.approvals->grant("no such ticket", world.now)) == tc::Decision::unknown_ticket);
  });
}

TEST_CASE("approvals: of many calls at once with one granted ticket, one is admitted") {
  for (const bool by_ticket : {true, false})
    for_each_world([&](World& world) {
      const std::string id = ask(world);
      CHECK(sure(world.approvals->grant(id, world.now)) == tc::Decision::recorded);
      std::atomic<int> admitted{0}, failed{0};
      const auto stores = world.approval_stores(8);
      in_threads(8, [&](int thread) {
        tc::Approvals& approvals = *stores[static_cast<std::size_t>(thread)];
        const auto found = approvals.admit(world.question("{}", by_ticket ? id : ""));
        if (!found) ++failed;
        if (found && found->state == Admitted::admitted) ++admitted;
      });
      CHECK(admitted == 1);
      CHECK(failed == 0);
    });
}

TEST_CASE("approvals: many equal calls at once get one ticket") {
  for_each_world([](World& world) {
    std::mutex mutex;
    std::set<std::string> tickets;
    const auto stores = world.approval_stores(8);
    in_threads(8, [&](int thread) {
      tc::Approvals& approvals = *stores[static_cast<std::size_t>(thread)];
      const auto found = approvals.admit(world.question());
      const std::lock_guard lock(mutex);
      tickets.insert(found ? found->ticket : found.error().message());
    });
    CHECK(tickets.size() == 1);
  });
}

TEST_CASE("approvals: of a grant and a denial at once, one is recorded") {
  for_each_world([](World& world) {
    for (int i = 0; i < 10; ++i) {
      const std::string id = ask(world, std::to_string(i));
      std::atomic<int> recorded{0};
      in_threads(4, [&](int thread) {
        tc::Approvals& approvals = thread < 2 ? *world.approvals : world.second_approvals();
        const auto decision = thread % 2 == 0 ? approvals.grant(id, world.now) : approvals.deny(id, world.now);
        if (decision && *decision == tc::Decision::recorded) ++recorded;
      });
      CHECK(recorded == 1);
    }
  });
}
