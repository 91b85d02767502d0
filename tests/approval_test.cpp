// SPDX-License-Identifier: MIT
#include <toolcontract/approval.hpp>

#include <chrono>
#include <optional>
#include <string>

#include "catch.hpp"

namespace tc = toolcontract;
using namespace std::chrono_literals;
using State = tc::Admission::State;

namespace {
std::chrono::system_clock::time_point at(std::chrono::milliseconds time) {
  return std::chrono::system_clock::time_point(time);
}
tc::ApprovalRequest request(std::string arguments, std::chrono::milliseconds now = 1'000s) {
  return {"ada", "delete", {std::move(arguments), ""}, "Delete it", {}, 15min, at(now)};
}
}  // namespace

// What every store of approvals does stands in store_test.cpp; here is what only the one in memory does.

TEST_CASE("approval: a host can show the question a ticket stands for") {
  tc::MemoryApprovals approvals(10, [] { return "t1"; });
  CHECK(approvals.find("t1").value() == std::nullopt);
  REQUIRE(approvals.admit(request("{}")).value().state == State::pending);
  CHECK(approvals.find("t1").value() ==
        tc::Ticket{"t1", "ada", "delete", "Delete it", tc::Ticket::State::pending, at(1'000s + 15min)});
}

TEST_CASE("approval: an answer to an unknown or expired ticket does not count") {
  tc::MemoryApprovals approvals(10, [] { return "t1"; });
  CHECK(approvals.grant("t1", at(1'000s)).value() == tc::Decision::unknown_ticket);
  REQUIRE(approvals.admit(request("{}")).value().state == State::pending);
  CHECK(approvals.grant("t1", at(1'000s + 15min)).value() == tc::Decision::expired);
  CHECK(approvals.grant("t1", at(1'000s)).value() == tc::Decision::recorded);
  CHECK(approvals.deny("t1", at(1'000s)).value() == tc::Decision::already_decided);
}

TEST_CASE("approval: full, the store makes no new ticket; expired ones make room") {
  int made = 0;
  tc::MemoryApprovals approvals(1, [&] { return "t" + std::to_string(++made); });
  REQUIRE(approvals.admit(request("{}")).value().state == State::pending);
  const auto refused = approvals.admit(request("[]"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message() ==
        "Too many calls wait for a person's consent; delete did nothing, so the same call may be repeated later.");
  CHECK(approvals.admit(request("[]", 1'000s + 15min)).value().ticket == "t2");
}
