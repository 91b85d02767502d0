// SPDX-License-Identifier: MIT
#include <toolcontract/ledger.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace tc = toolcontract;
using namespace std::chrono_literals;
using State = tc::Claim::State;

namespace {

std::chrono::system_clock::time_point at(std::chrono::milliseconds time) {
  return std::chrono::system_clock::time_point(time);
}
tc::ClaimRequest request(std::string key, std::chrono::milliseconds now = 1'000s) {
  return {{"tenant", "pay", std::move(key)}, {"{}", ""}, 1min, 1h, at(now), {}};
}
tc::HeldKey held(const tc::ClaimRequest& request, const tc::Claim& claim) {
  return {request.key.tenant, request.key.tool, request.key.key, claim.token, request.ttl, {}};
}

}  // namespace

// What every ledger does stands in store_test.cpp; here is what only the one in memory does.

TEST_CASE("ledger: a full memory ledger refuses new keys, forgets none, and says when there is room") {
  tc::MemoryLedger ledger(2);
  const auto first = ledger.claim(request("a")).value();
  REQUIRE(ledger.complete(held(request("a"), first), {tc::StoredAnswer::Kind::result, "{}"}, at(1'000s)).value());
  REQUIRE(ledger.claim(request("b", 1'600s)).value().state == State::fresh);

  const auto refused = ledger.claim(request("c", 1'600s));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message() ==
        "The ledger of pay is full and takes no new key; nothing was done, so the same call may be repeated.");
  CHECK(refused.error().category() == tc::Category::transient);
  CHECK(refused.error().facts().retry_after == 50min);
  CHECK(ledger.claim(request("a", 1'600s)).value().state == State::done);

  CHECK(ledger.claim(request("c", 1'000s + 1h)).value().state == State::fresh);  // a's hour is over
}

TEST_CASE("ledger: a key is remembered for a day unless its tool says otherwise") {
  CHECK(tc::OnceOptions{}.ttl == 24h);
}

TEST_CASE("ledger: of many threads that claim one key, one gets it") {
  tc::MemoryLedger ledger;
  std::atomic<int> fresh = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i)
        if (ledger.claim(request("k" + std::to_string(i))).value().state == State::fresh) ++fresh;
    });
  for (auto& thread : threads) thread.join();
  CHECK(fresh == 500);
}

TEST_CASE("ledger: a secret differs, a secret is not kept") {
  tc::MemoryLedger ledger;
  auto asked = request("a");
  asked.fingerprint.secrets = R"(["1234"])";
  CHECK(ledger.claim(asked).value().state == State::fresh);
  CHECK(ledger.claim(asked).value().state == State::running);
  asked.fingerprint.secrets = R"(["9999"])";
  CHECK(ledger.claim(asked).value().state == State::reused);
}
