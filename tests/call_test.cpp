// SPDX-License-Identifier: MIT
#include <toolcontract/call.hpp>

#include "catch.hpp"
#include "show.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>
#include <version>
#ifdef __cpp_lib_jthread
#include <stop_token>
#endif

namespace tc = toolcontract;
using namespace std::chrono_literals;
using Instant = std::chrono::steady_clock::time_point;

namespace {

/// A call whose clock stands at `now` until the test moves it.
tc::Call call_at(const Instant& now) {
  tc::Call call;
  call.clock.steady = [&now] { return now; };
  return call;
}

tc::Call call_of(tc::Effect effect) {
  tc::Call call;
  call.effect = effect;
  return call;
}

}  // namespace

// ---- effect

TEST_CASE("call: everything but a declared read may change state") {
  CHECK_FALSE(tc::may_change_state(tc::Effect::reads));
  CHECK(tc::may_change_state(tc::Effect::writes));
  CHECK(tc::may_change_state(tc::Effect::destroys));
  CHECK(tc::may_change_state(tc::Effect::undeclared));
}

TEST_CASE("call: a host that says nothing makes a first attempt of an undeclared effect, without limits") {
  const tc::Call call;
  CHECK(call.correlation_id.empty());
  CHECK(call.principal.empty());
  CHECK(call.attempt == 1);
  CHECK(call.max_attempts == std::nullopt);
  CHECK(call.deadline == std::nullopt);
  CHECK(call.effect == tc::Effect::undeclared);
  CHECK_FALSE(call.stop_requested());
}

TEST_CASE("call: a host names only the members it knows") {
  const tc::Call call{.attempt = 2, .max_attempts = 3};
  CHECK(call.attempt == 2);
  CHECK(call.max_attempts == 3);
}

// ---- remaining

TEST_CASE("remaining: nothing without a deadline") {
  const Instant now(1h);
  CHECK(call_at(now).remaining() == std::nullopt);
}

TEST_CASE("remaining: the time from the call's own clock to the deadline") {
  Instant now(1h);
  tc::Call call = call_at(now);
  call.deadline = now + 8400ms;
  CHECK(call.remaining() == 8400ms);
  now += 400ms;
  CHECK(call.remaining() == 8s);
}

TEST_CASE("remaining: zero at the deadline and for ever after") {
  Instant now(1h);
  tc::Call call = call_at(now);
  call.deadline = now + 1s;
  for (const auto later : {1s, 1s, 60s, 86400s}) {
    now += later;
    CHECK(call.remaining() == 0ms);
  }
}

TEST_CASE("remaining: less than a millisecond is none") {
  const Instant now(1h);
  tc::Call call = call_at(now);
  call.deadline = now + 999us;
  CHECK(call.remaining() == 0ms);
  call.deadline = now - 999us;
  CHECK(call.remaining() == 0ms);
}

TEST_CASE("remaining: a deadline that never comes is a long time, not an overflow") {
  const Instant now(1h);
  tc::Call call = call_at(now);
  call.deadline = (Instant::max)();
  CHECK(call.remaining() == std::chrono::duration_cast<std::chrono::milliseconds>((Instant::max)() - now));
}

TEST_CASE("clock: the clocks of the machine are the default") {
  const tc::Clock clock;
  const auto steady = std::chrono::steady_clock::now();
  const auto wall = std::chrono::system_clock::now();
  CHECK(clock.steady() >= steady);
  CHECK(clock.wall() >= wall - 1h);
}

// ---- timeouts and cancellation

TEST_CASE("timed_out: a read may simply be repeated") {
  CHECK(call_of(tc::Effect::reads).timed_out("Looking up order A17").facts() ==
        tc::transient("TIMED_OUT",
                      "Looking up order A17 timed out; nothing was changed, so the same call may be repeated.")
            .facts());
}

TEST_CASE("timed_out: after anything else nobody knows what happened") {
  for (const auto effect : {tc::Effect::writes, tc::Effect::destroys, tc::Effect::undeclared})
    CHECK(call_of(effect).timed_out("The refund of order A17").facts() ==
          tc::unknown(
              "OUTCOME_UNKNOWN",
              "The refund of order A17 timed out; it may or may not have happened. Find out before doing it again.")
              .facts());
}

TEST_CASE("cancelled: a read may simply be repeated") {
  CHECK(call_of(tc::Effect::reads).cancelled("Looking up order A17").facts() ==
        tc::transient("CANCELLED",
                      "Looking up order A17 was cancelled; nothing was changed, so the same call may be repeated.")
            .facts());
}

TEST_CASE("cancelled: after anything else nobody knows what happened") {
  for (const auto effect : {tc::Effect::writes, tc::Effect::destroys, tc::Effect::undeclared})
    CHECK(call_of(effect).cancelled("The refund of order A17").facts() ==
          tc::unknown(
              "OUTCOME_UNKNOWN",
              "The refund of order A17 was cancelled; it may or may not have happened. Find out before doing it again.")
              .facts());
}

TEST_CASE("timed_out: without a subject the sentence is about the call") {
  for (const auto* subject : {"", "  "})
    CHECK(call_of(tc::Effect::reads).timed_out(subject).message() ==
          "The call timed out; nothing was changed, so the same call may be repeated.");
}

// ---- progress and stopping

TEST_CASE("progress: a host that listens hears what the handler reports, in order") {
  using Heard = std::tuple<double, std::optional<double>, std::string>;
  std::vector<Heard> heard;
  tc::Call call;
  call.progress = [&](double done, std::optional<double> total, std::string_view message) {
    heard.emplace_back(done, total, message);
  };
  call.report_progress(1, 4, "page 1");
  call.report_progress(2.5, 4);
  call.report_progress(3);
  CHECK(heard == std::vector<Heard>{{1, 4, "page 1"}, {2.5, 4, ""}, {3, std::nullopt, ""}});
}

TEST_CASE("progress: reporting when nobody listens does nothing") {
  CHECK_NOTHROW(tc::Call().report_progress(1, 2, "half"));
}

#ifdef __cpp_lib_jthread
TEST_CASE("stop: a call sees that its host asked to stop") {
  std::stop_source source;
  tc::Call call;
  call.stop = source.get_token();
  CHECK_FALSE(call.stop_requested());
  source.request_stop();
  CHECK(call.stop_requested());
}
#endif
