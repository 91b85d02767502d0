// SPDX-License-Identifier: MIT
#include <toolcontract/retry.hpp>

#include "catch.hpp"
#include "show.hpp"

#include <toolcontract/envelope.hpp>
#include <toolcontract/toolset.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#include <version>
#ifdef __cpp_lib_jthread
#include <stop_token>
#endif

namespace tc = toolcontract;
using namespace std::chrono_literals;
using std::chrono::milliseconds;
using tc::Effect;
using tc::Resolution;
using Instant = std::chrono::steady_clock::time_point;
using Next = tc::RetryStep::Next;

namespace toolcontract {
inline namespace v0 {
static std::ostream& operator<<(std::ostream& out, const RetryStep& step) {
  constexpr const char* names[] = {"again", "hand_back", "used_up"};
  return out << names[static_cast<unsigned char>(step.next)] << ' ' << step.wait.count() << "ms";
}
}  // namespace v0
}  // namespace toolcontract

namespace {

constexpr auto forever = (milliseconds::max)();
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const tc::ToolError down = tc::unavailable("The bank is down.");

std::string refusal(const tc::RetrySettings& settings) {
  try {
    (void)tc::RetryPolicy(settings);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

/// The usual: 3 attempts, at most 200, then 400 ms apart.
tc::RetryStep after(const tc::ToolError& error, tc::FailedAttempt failed, double random = 1) {
  return tc::RetryPolicy().after(error, failed, random);
}
tc::FailedAttempt read_attempt(int attempt, std::optional<milliseconds> remaining = {}) {
  return {attempt, remaining, true};
}

/// A host whose time moves only while it sleeps, with a call of its own.
struct World {
  Instant now{1h};
  std::vector<milliseconds> naps;
  double dice = 1;
  tc::Call call{};

  explicit World(Effect effect = Effect::reads) {
    call.correlation_id = "req_1";
    call.effect = effect;
    call.clock.steady = [this] { return now; };
  }
  tc::Retrier retrier(tc::RetrySettings settings = {}) {
    return tc::Retrier(
        settings,
        [this](milliseconds wait) {
          naps.push_back(wait);
          now += wait;
        },
        [this] { return dice; });
  }
};

tc::ToolError settled(const tc::ToolError& error, Resolution resolution, tc::CallBudget budget) {
  tc::ErrorFacts facts = error.facts();
  facts.resolution = resolution;
  facts.budget = std::move(budget);
  return tc::ToolError::restore(facts);
}

}  // namespace

// ---- settings

TEST_CASE("settings: what makes no sense is refused by name, with what it must be") {
  CHECK(refusal({.max_attempts = 0}) ==
        "toolcontract: RetrySettings::max_attempts must be 1 or more; 1 means no attempt is repeated");
  CHECK(refusal({.base_delay = -1ms}) ==
        "toolcontract: RetrySettings::base_delay must be 0 or more; 0 means no wait but for a retry_after");
  for (const double multiplier : {0.99, 0.0, -2.0, infinity, -infinity, NaN})
    CHECK(
        refusal({.multiplier = multiplier}) ==
        "toolcontract: RetrySettings::multiplier must be 1 or more and finite; 1 means every wait has the same bounds");
  CHECK(refusal({.max_delay = -1ms}) ==
        "toolcontract: RetrySettings::max_delay must be 0 or more; 0 means no wait at all");
}

TEST_CASE("settings: the ends of what makes sense are accepted") {
  CHECK(refusal({.max_attempts = 1, .base_delay = 0ms, .multiplier = 1, .max_delay = 0ms}) == "");
  CHECK(refusal({(std::numeric_limits<int>::max)(), forever, (std::numeric_limits<double>::max)(), forever}) == "");
}

TEST_CASE("settings: a retrier needs to know how to sleep and how to throw dice") {
  const auto refused = [](tc::Retrier::Sleep sleep, tc::Retrier::Random random) -> std::string {
    try {
      tc::Retrier({}, std::move(sleep), std::move(random));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refused({}, [] { return 0.5; }) ==
        "toolcontract: Retrier must be given a sleep, such as a lambda that waits on the call's stop_token");
  CHECK(refused([](milliseconds) {}, {}) ==
        "toolcontract: Retrier must be given a random, such as a lambda that draws from 0 to 1");
}

// ---- the ceiling

TEST_CASE("ceiling: grows by the multiplier with every failure, up to the longest wait") {
  const tc::RetryPolicy policy({.base_delay = 100ms, .multiplier = 3, .max_delay = 2s});
  CHECK(policy.ceiling(1) == 100ms);
  CHECK(policy.ceiling(2) == 300ms);
  CHECK(policy.ceiling(3) == 900ms);
  CHECK(policy.ceiling(4) == 2s);
  CHECK(policy.ceiling((std::numeric_limits<int>::max)()) == 2s);
}

TEST_CASE("ceiling: an attempt below 1 counts as the first") {
  const tc::RetryPolicy policy;
  for (const int attempt : {0, -1, (std::numeric_limits<int>::min)()}) CHECK(policy.ceiling(attempt) == 200ms);
}

TEST_CASE("ceiling: a fraction of a millisecond is left out") {
  CHECK(tc::RetryPolicy({.base_delay = 5ms, .multiplier = 1.5}).ceiling(2) == 7ms);
}

TEST_CASE("ceiling: no base means no wait, however often it failed") {
  const tc::RetryPolicy policy({.base_delay = 0ms, .multiplier = 1e300});
  for (const int attempt : {1, 2, 1'000'000, (std::numeric_limits<int>::max)()}) CHECK(policy.ceiling(attempt) == 0ms);
}

TEST_CASE("ceiling: the longest durations there are do not overflow") {
  const tc::RetryPolicy longest({(std::numeric_limits<int>::max)(), forever, 1e308, forever});
  CHECK(longest.ceiling(1) == forever);
  CHECK(longest.ceiling((std::numeric_limits<int>::max)()) == forever);
  CHECK(tc::RetryPolicy({3, forever - 1ms, 1, forever}).ceiling(3) <= forever);
  CHECK(tc::RetryPolicy({3, 1ms, 2, forever}).ceiling(63) == milliseconds(std::int64_t{1} << 62));
  CHECK(tc::RetryPolicy({3, 1ms, 2, forever}).ceiling(64) == forever);
}

// ---- what follows a failed attempt

TEST_CASE("after: the wait is drawn from nothing to the ceiling, both included") {
  CHECK(after(down, read_attempt(1), 0) == tc::RetryStep{Next::again, 0ms});
  CHECK(after(down, read_attempt(1), 0.5) == tc::RetryStep{Next::again, 100ms});
  CHECK(after(down, read_attempt(1), 0.999'999) == tc::RetryStep{Next::again, 200ms});
  CHECK(after(down, read_attempt(1), 1) == tc::RetryStep{Next::again, 200ms});
  CHECK(after(down, read_attempt(2), 1) == tc::RetryStep{Next::again, 400ms});
}

TEST_CASE("after: a random number outside 0 to 1 counts as the nearer end, and no number as the far one") {
  CHECK(after(down, read_attempt(1), -0.1) == tc::RetryStep{Next::again, 0ms});
  CHECK(after(down, read_attempt(1), -infinity) == tc::RetryStep{Next::again, 0ms});
  CHECK(after(down, read_attempt(1), 7) == tc::RetryStep{Next::again, 200ms});
  CHECK(after(down, read_attempt(1), infinity) == tc::RetryStep{Next::again, 200ms});
  CHECK(after(down, read_attempt(1), NaN) == tc::RetryStep{Next::again, 200ms});
}

TEST_CASE("after: the last attempt is the last, and one past it too") {
  CHECK(after(down, read_attempt(3)) == tc::RetryStep{Next::used_up, 0ms});
  CHECK(after(down, read_attempt((std::numeric_limits<int>::max)())) == tc::RetryStep{Next::used_up, 0ms});
}

TEST_CASE("after: only a transient error that may be retried is repeated") {
  for (const tc::ToolError& error : std::vector<tc::ToolError>{
           tc::validation("NO", "No."), tc::business("NO", "No."), tc::permission("NO", "No."),
           tc::unknown("NO", "No."), tc::malformed_upstream("a", "b"), down.settled({.attempt = 3, .max_attempts = 3})})
    CHECK(after(error, read_attempt(1)) == tc::RetryStep{Next::hand_back, 0ms});
}

TEST_CASE("after: what is not said to be repeatable is not repeated") {
  CHECK(after(down, {}) == tc::RetryStep{Next::hand_back, 0ms});
  CHECK(after(down, {.attempt = 3, .remaining = 0ms}) == tc::RetryStep{Next::hand_back, 0ms});
}

TEST_CASE("after: a retry_after is waited for, and the drawn wait on top of it") {
  CHECK(after(tc::rate_limited(2s), read_attempt(1), 0) == tc::RetryStep{Next::again, 2s});
  CHECK(after(tc::rate_limited(2s), read_attempt(1), 0.5) == tc::RetryStep{Next::again, 2100ms});
}

TEST_CASE("after: no wait is longer than the longest, and an upstream that asks for more is not waited for") {
  CHECK(after(tc::rate_limited(9900ms), read_attempt(1), 1) == tc::RetryStep{Next::again, 10s});
  CHECK(after(tc::rate_limited(10s), read_attempt(1), 1) == tc::RetryStep{Next::again, 10s});
  CHECK(after(tc::rate_limited(10'001ms), read_attempt(1), 0) == tc::RetryStep{Next::hand_back, 0ms});
  CHECK(after(tc::rate_limited(forever), read_attempt(1), 1) == tc::RetryStep{Next::hand_back, 0ms});
  CHECK(after(tc::rate_limited(forever), read_attempt(1, forever), 1) == tc::RetryStep{Next::used_up, 0ms});
}

TEST_CASE("after: a wait that would reach the deadline is not begun") {
  CHECK(after(down, read_attempt(1, 201ms)) == tc::RetryStep{Next::again, 200ms});
  CHECK(after(down, read_attempt(1, 200ms)) == tc::RetryStep{Next::used_up, 0ms});
  CHECK(after(tc::rate_limited(2s), read_attempt(1, 2s), 0) == tc::RetryStep{Next::used_up, 0ms});
  CHECK(after(tc::rate_limited(1min), read_attempt(1, 1min), 0) == tc::RetryStep{Next::used_up, 0ms});
  CHECK(after(tc::rate_limited(1min), read_attempt(1, 61s), 0) == tc::RetryStep{Next::hand_back, 0ms});
  CHECK(after(down, read_attempt(1, 0ms), 0) == tc::RetryStep{Next::used_up, 0ms});
  CHECK(after(down, read_attempt(1, -5ms), 0) == tc::RetryStep{Next::used_up, 0ms});
}

TEST_CASE("after: whatever the numbers, no wait breaks a bound") {
  std::mt19937_64 random(11);
  const auto any_duration = [&] {
    return milliseconds(static_cast<std::int64_t>(random() >> (1 + random() % 63)));  // of every magnitude
  };
  int again = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double multipliers[] = {1, 1.0000001, 1.5, 2, 1e10, 1e308};
    const tc::RetrySettings settings{static_cast<int>(random() >> (33 + random() % 31)) | 1, any_duration(),
                                     multipliers[random() % 6], any_duration()};
    const tc::FailedAttempt failed{static_cast<int>(static_cast<std::uint32_t>(random() >> (random() % 64))),
                                   random() % 2 ? std::optional(any_duration()) : std::nullopt, true};
    const double numbers[] = {0, 1, NaN, std::generate_canonical<double, 53>(random)};
    const auto asked = random() % 2 ? any_duration() : 0ms;
    const auto error = tc::rate_limited(asked);
    const tc::RetryStep step = tc::RetryPolicy(settings).after(error, failed, numbers[random() % 4]);
    if (step.next != Next::again) continue;
    ++again;
    const bool kept = failed.attempt < settings.max_attempts && step.wait >= asked && step.wait >= 0ms &&
                      step.wait <= settings.max_delay && step.wait < failed.remaining.value_or((milliseconds::max)()) &&
                      step.wait - asked <= tc::RetryPolicy(settings).ceiling(failed.attempt);
    if (!kept) FAIL(i << ' ' << step);
  }
  CHECK(again > 20'000);
}

TEST_CASE("after: the waits are spread evenly") {
  std::mt19937_64 random(3);
  int counts[4] = {};
  for (int i = 0; i < 40'000; ++i) {
    const auto step = after(down, read_attempt(1), std::generate_canonical<double, 53>(random));
    ++counts[(std::min)(step.wait.count() / 50, std::int64_t{3})];
  }
  for (const int count : counts) {
    CHECK(count > 9'500);
    CHECK(count < 10'500);
  }
}

// ---- the bare steps

TEST_CASE("attempts: each is opened, counted and timed, and what comes back after the last says not again now") {
  World world;
  world.call.deadline = world.now + 5s;
  tc::Attempts attempts({}, world.call);
  CHECK(attempts.made() == 0);
  for (int n = 1; n <= 3; ++n) {
    CHECK(attempts.begin() == std::nullopt);
    CHECK(attempts.made() == n);
    CHECK(attempts.call().attempt == n);
    CHECK(attempts.call().max_attempts == 3);
    CHECK(attempts.call().remaining() == milliseconds(6s - n * 1s));
    world.now += 1s;
    auto wait = attempts.failed(down, 1);
    CHECK(wait.has_value() == (n < 3));
    if (n < 3)
      CHECK(*wait == n * 200ms);
    else
      CHECK(wait.error() == settled(down, Resolution::escalate, {"req_1", 3, 3, 2s}));
  }
  CHECK(world.call.attempt == 1);
}

TEST_CASE("attempts: counted on from the call's own number") {
  World world;
  world.call.attempt = 2;
  world.call.max_attempts = 9;
  tc::Attempts attempts({{.max_attempts = 2}}, world.call);
  CHECK_FALSE(attempts.begin());
  CHECK(attempts.call().attempt == 2);
  CHECK(attempts.call().max_attempts == 3);
  CHECK(attempts.failed(down, 1).value() == 200ms);
  CHECK_FALSE(attempts.begin());
  CHECK(attempts.failed(down, 1).error() == settled(down, Resolution::escalate, {"req_1", 3, 3, std::nullopt}));
}

TEST_CASE("attempts: a number below 1 counts as the first, and the largest does not overflow") {
  World world;
  world.call.attempt = -7;
  CHECK(tc::Attempts({}, world.call).call().max_attempts == 3);
  world.call.attempt = (std::numeric_limits<int>::max)() - 1;
  tc::Attempts attempts({}, world.call);
  for (int n = 0; n < 3; ++n) CHECK_FALSE(attempts.begin());
  CHECK(attempts.call().attempt == (std::numeric_limits<int>::max)());
  CHECK(attempts.call().max_attempts == (std::numeric_limits<int>::max)());
  CHECK(attempts.failed(down, 1).error().resolution() == Resolution::escalate);
}

TEST_CASE("attempts: what may change state is repeated only with a key, and without one the caller decides") {
  for (const Effect effect : {Effect::undeclared, Effect::reads, Effect::writes, Effect::destroys}) {
    World world(effect);
    world.call.max_attempts = 5;
    for (const std::string key : {"", "op_7f3a"}) {
      tc::Attempts attempts({}, world.call, key);
      CHECK_FALSE(attempts.begin());
      auto wait = attempts.failed(down, 1);
      CHECK(wait.has_value() == (effect == Effect::reads || !key.empty()));
      if (!wait) CHECK(wait.error() == settled(down, Resolution::retry, {"req_1", 1, 5, std::nullopt}));
    }
  }
}

TEST_CASE("attempts: arguments that must be mended are the caller's turn, by the caller's own count") {
  const tc::ToolError bad =
      tc::validation("UNKNOWN_SKU", "There is no SKU X9.").field("sku", "rule", "must exist", "X9");
  for (const int host_attempt : {1, 4}) {
    World world;
    world.call.attempt = host_attempt;
    world.call.max_attempts = 4;
    tc::Attempts attempts({{.max_attempts = 2}}, world.call);
    CHECK_FALSE(attempts.begin());
    CHECK(attempts.failed(down, 1).has_value());
    CHECK_FALSE(attempts.begin());
    CHECK(attempts.failed(bad, 1).error() == settled(bad, host_attempt == 4 ? Resolution::abort : Resolution::fix_input,
                                                     {"req_1", host_attempt, 4, std::nullopt}));
  }
}

TEST_CASE("attempts: an unknown outcome is never repeated, key or not, and says at which attempt it came") {
  World world(Effect::destroys);
  const tc::ToolError lost = world.call.timed_out("The refund of order A17");
  tc::Attempts attempts({}, world.call, "op_7f3a");
  CHECK_FALSE(attempts.begin());
  CHECK(attempts.failed(down, 1).has_value());
  CHECK_FALSE(attempts.begin());
  CHECK(attempts.failed(lost, 1).error() == settled(lost, Resolution::reconcile, {"req_1", 2, 3, std::nullopt}));
}

TEST_CASE("attempts: once an attempt may have happened, any end but a success is an unknown outcome") {
  const tc::ToolError uncertain = tc::transient("TIMED_OUT", "The refund of order A17 timed out.").may_have_happened();
  const auto end = [&](std::vector<tc::ToolError> failures) {
    World world(Effect::destroys);
    tc::Attempts attempts({}, world.call, "op_7f3a");
    for (const tc::ToolError& failure : failures) {
      CHECK_FALSE(attempts.begin());
      if (auto wait = attempts.failed(failure, 1); !wait) return wait.error().facts();
    }
    return tc::ErrorFacts{};
  };
  const auto lost = [](std::string message, int attempt) {
    return settled(tc::unknown("OUTCOME_UNKNOWN", std::move(message)), Resolution::reconcile,
                   {"req_1", attempt, 3, std::nullopt})
        .facts();
  };
  CHECK(end({uncertain, uncertain, uncertain}) ==
        lost("The refund of order A17 timed out. Find out before doing it again.", 3));
  CHECK(end({uncertain, down, down}) ==
        lost("The bank is down. An attempt before that may have happened. Find out before doing it again.", 3));
  for (const tc::ToolError& refused :
       std::vector<tc::ToolError>{tc::forbidden("Not you."), tc::conflict("Not you."), tc::rate_limited(1h, "Not you."),
                                  tc::validation("NOT_YOU", "Not you.").field("order_id", "rule", "must be yours")})
    CHECK(end({uncertain, refused}) ==
          lost("Not you. An attempt before that may have happened. Find out before doing it again.", 2));
  CHECK(end({down, tc::forbidden("Not you.")}).code == "FORBIDDEN");
}

#ifdef __cpp_lib_jthread
TEST_CASE("attempts: a stop after an attempt that may have happened is an unknown outcome too") {
  World world(Effect::destroys);
  std::stop_source source;
  world.call.stop = source.get_token();
  tc::Attempts attempts({}, world.call, "op_7f3a");
  CHECK_FALSE(attempts.begin());
  CHECK(attempts.failed(tc::transient("TIMED_OUT", "It timed out.").may_have_happened(), 1).has_value());
  source.request_stop();
  CHECK(attempts.begin() == settled(tc::unknown("OUTCOME_UNKNOWN", "It timed out. Find out before doing it again."),
                                    Resolution::reconcile, {"req_1", 1, 3, std::nullopt}));
}
#endif

TEST_CASE("attempts: an upstream that asks for more time than we wait is told on, to be retried by the caller") {
  World world;
  tc::Attempts attempts({}, world.call);
  CHECK_FALSE(attempts.begin());
  CHECK(attempts.failed(tc::rate_limited(1h), 1).error() ==
        settled(tc::rate_limited(1h), Resolution::retry, {"req_1", 1, std::nullopt, std::nullopt}));
}

TEST_CASE("attempts: a wait that overslept the deadline is not followed by an attempt") {
  World world;
  world.call.deadline = world.now + 1s;
  tc::Attempts attempts({}, world.call);
  CHECK_FALSE(attempts.begin());
  CHECK(attempts.failed(down, 1).value() == 200ms);
  world.now += 1s;
  CHECK(attempts.begin() == settled(down, Resolution::escalate, {"req_1", 1, 3, 0ms}));
  CHECK(attempts.made() == 1);
}

TEST_CASE("attempts: a jittered wait that would reach the deadline ends as not again now") {
  World world;
  world.call.deadline = world.now + 150ms;
  tc::Attempts attempts({}, world.call);
  CHECK_FALSE(attempts.begin());
  CHECK(attempts.failed(down, 1).error() == settled(down, Resolution::escalate, {"req_1", 1, 3, 150ms}));
}

TEST_CASE("attempts: a deadline that passed before the first sends nothing") {
  World world(Effect::destroys);
  world.call.deadline = world.now;
  tc::Attempts attempts({}, world.call, "op_7f3a");
  CHECK(attempts.begin() ==
        settled(tc::transient("TIMED_OUT", "The deadline of the call passed before it was sent; nothing was done."),
                Resolution::escalate, {"req_1", 1, std::nullopt, 0ms}));
}

#ifdef __cpp_lib_jthread
TEST_CASE("attempts: a host that asked to stop before the first sends nothing") {
  World world(Effect::destroys);
  std::stop_source source;
  world.call.stop = source.get_token();
  source.request_stop();
  tc::Attempts attempts({}, world.call, "op_7f3a");
  CHECK(attempts.begin() ==
        settled(tc::transient("CANCELLED", "The call was cancelled before it was sent; nothing was done."),
                Resolution::retry, {"req_1", 1, std::nullopt, std::nullopt}));
}

TEST_CASE("attempts: a host that asks to stop ends them, whether an attempt runs or a wait") {
  World world;
  for (const bool while_waiting : {false, true}) {
    std::stop_source source;
    world.call.stop = source.get_token();
    tc::Attempts attempts({}, world.call);
    CHECK_FALSE(attempts.begin());
    const auto expected = settled(down, Resolution::escalate, {"req_1", 1, 3, std::nullopt});
    if (while_waiting) {
      CHECK(attempts.failed(down, 1).has_value());
      source.request_stop();
      CHECK(attempts.begin() == expected);
    } else {
      source.request_stop();
      CHECK(attempts.failed(down, 1).error() == expected);
    }
  }
}

TEST_CASE("retrier: a stop during the sleep is the end") {
  World world;
  std::stop_source source;
  world.call.stop = source.get_token();
  int made = 0;
  const tc::Retrier retrier(
      {}, [&](milliseconds) { source.request_stop(); }, [] { return 1.0; });
  const auto result = retrier.run(world.call, [&](tc::Call&) -> tc::Result<int> {
    ++made;
    return down;
  });
  CHECK(made == 1);
  CHECK(result.error() == settled(down, Resolution::escalate, {"req_1", 1, 3, std::nullopt}));
}
#endif

// ---- the loop

TEST_CASE("retrier: a success ends it, and the call is as it was") {
  World world;
  std::vector<std::pair<int, std::optional<int>>> seen;
  const auto result = world.retrier().run(world.call, [&](tc::Call& attempt) -> tc::Result<std::string> {
    seen.emplace_back(attempt.attempt, attempt.max_attempts);
    if (attempt.attempt < 3) return down;
    return "there";
  });
  CHECK(result.value() == "there");
  CHECK(seen == std::vector<std::pair<int, std::optional<int>>>{{1, 3}, {2, 3}, {3, 3}});
  CHECK(world.naps == std::vector<milliseconds>{200ms, 400ms});
  CHECK(world.call.attempt == 1);
  CHECK(world.call.max_attempts == std::nullopt);
}

TEST_CASE("retrier: a write sends one and the same key with every attempt") {
  World world(Effect::destroys);
  std::vector<std::string> keys;
  const auto result =
      world.retrier().run(world.call, "op_7f3a", [&](tc::Call&, const std::string& key) -> tc::Result<int> {
        keys.push_back(key);
        return down;
      });
  CHECK(keys == std::vector<std::string>(3, "op_7f3a"));
  CHECK(result.error() == settled(down, Resolution::escalate, {"req_1", 3, 3, std::nullopt}));
}

TEST_CASE("retrier: a write without a key is sent once") {
  for (const bool empty_key : {false, true}) {
    World world(Effect::writes);
    int made = 0;
    const auto fail = [&]() -> tc::Result<int> {
      ++made;
      return down;
    };
    const auto result = empty_key
                            ? world.retrier().run(world.call, "", [&](tc::Call&, const std::string&) { return fail(); })
                            : world.retrier().run(world.call, [&](tc::Call&) { return fail(); });
    CHECK(made == 1);
    CHECK(result.error().resolution() == Resolution::retry);
    CHECK(world.naps.empty());
  }
}

TEST_CASE("retrier: a step may give its value as it is, and throw its error") {
  World world;
  const auto result = world.retrier().run(world.call, [&](const tc::Call& attempt) {
    if (attempt.attempt == 1) throw tc::ToolError(down);
    if (attempt.attempt == 2) throw tc::rate_limited(1s);
    return attempt.attempt;
  });
  CHECK(result.value() == 3);
  CHECK(world.naps == std::vector<milliseconds>{200ms, 1400ms});
}

TEST_CASE("retrier: a look-up inside a write is repeated on a copy of the call that reads") {
  World world(Effect::destroys);
  tc::Call look_up = world.call;
  look_up.effect = Effect::reads;
  const auto result = world.retrier().run(look_up, [&](tc::Call& attempt) -> tc::Result<int> {
    if (attempt.attempt < 3) return down;
    return 7;
  });
  CHECK(result.value() == 7);
}

#ifdef __cpp_lib_expected
TEST_CASE("retrier: a step may give a std::expected") {
  World world;
  const auto result = world.retrier().run(world.call, [&](tc::Call& attempt) -> std::expected<int, tc::ToolError> {
    if (attempt.attempt < 3) return std::unexpected(down);
    return 7;
  });
  CHECK(result.value() == 7);
}
#endif

TEST_CASE("retrier: what is thrown that is no ToolError passes through at once") {
  World world;
  int made = 0;
  CHECK_THROWS_AS((void)world.retrier().run(world.call,
                                            [&](tc::Call&) -> int {
                                              ++made;
                                              throw std::runtime_error("pg://ledger");
                                            }),
                  std::runtime_error);
  CHECK(made == 1);
}

TEST_CASE("retrier: whatever an upstream does, no attempt starts after the deadline and none is one too many") {
  std::mt19937_64 random(5);
  for (int i = 0; i < 5'000; ++i) {
    World world(random() % 2 ? Effect::reads : Effect::destroys);
    const tc::RetrySettings settings{1 + static_cast<int>(random() % 6), milliseconds(random() % 500),
                                     1 + static_cast<double>(random() % 30) / 10, milliseconds(random() % 3'000)};
    const Instant deadline = world.now + milliseconds(random() % 4'000);
    if (random() % 4) world.call.deadline = deadline;
    world.dice = std::generate_canonical<double, 53>(random);
    int made = 0;
    Instant not_before = world.now;
    bool kept = true;
    const auto result = world.retrier(settings).run(
        world.call, "op_1", [&](tc::Call& attempt, const std::string& key) -> tc::Result<int> {
          ++made;
          kept = kept && world.now >= not_before && key == "op_1" && attempt.attempt == made &&
                 (!world.call.deadline || world.now < deadline);
          world.now += milliseconds(random() % 300);
          const milliseconds asked(random() % 1'000);
          not_before = world.now + asked;
          if (random() % 8 == 0) return made;
          if (random() % 8 == 0) return tc::unknown("OUTCOME_UNKNOWN", "No answer came.");
          return random() % 2 ? tc::ToolError(tc::rate_limited(asked)) : (not_before = world.now, down);
        });
    kept = kept && made <= settings.max_attempts && static_cast<int>(world.naps.size()) == (made == 0 ? 0 : made - 1);
    for (const milliseconds nap : world.naps) kept = kept && nap <= settings.max_delay;
    if (!result && made == settings.max_attempts) kept = kept && !result.error().retryable();
    if (!kept) FAIL(i);
  }
}

// ---- inside a tool

namespace {

struct Query {
  std::string order_id;
};
constexpr auto tool_schema(tc::type<Query>) {
  return tc::object(tc::field<&Query::order_id>("order_id", "Order, e.g. 'A17'."));
}
struct Order {
  std::string status;
};
constexpr auto tool_schema(tc::type<Order>) { return tc::object(tc::field<&Order::status>("status", "Where it is.")); }

/// A tool whose upstream fails as told, behind a retrier of three attempts; then what the model reads, and the attempt
/// in the report.
std::pair<std::string, int> reply_of(std::vector<tc::ToolError> failures, tc::Call call) {
  World world;
  std::pair<std::string, int> reply;
  tc::ToolsetOptions options;
  options.clock.steady = [&world] { return world.now; };
  options.report = [&](const tc::Report& report) noexcept { reply.second = report.attempt; };
  const tc::Retrier retrier = world.retrier();
  std::size_t failed = 0;
  const tc::Toolset tools(options, tc::tool<Query, Order>("orders_get")
                                       .does("Looks up one order.")
                                       .reads()
                                       .handle([&](const Query&, tc::Call& running) {
                                         return retrier.run(running, [&](tc::Call&) -> tc::Result<Order> {
                                           if (failed < failures.size()) return failures[failed++];
                                           return Order{"delivered"};
                                         });
                                       }));
  call.correlation_id = "req_1";
  const tc::Outcome outcome = tools.call("orders_get", R"({"order_id":"A17"})", std::move(call));
  reply.first = outcome ? outcome.text() : tc::envelope_text(outcome.error());
  return reply;
}

}  // namespace

TEST_CASE("inside a tool: the model is told the count of the loop that gave up, and so is the log") {
  CHECK(reply_of({down, down, down}, {}) ==
        std::pair<std::string, int>(
            R"({"error_code":"UPSTREAM_UNAVAILABLE","category":"transient","retryable":false,"resolution":"escalate",)"
            R"("message":"The bank is down.","field_errors":[],"correlation_id":"req_1","attempt":3,)"
            R"("deadline_ms_remaining":null,"max_attempts":3})",
            3));
  CHECK(reply_of({down, down, down}, {.attempt = 2, .max_attempts = 5}) ==
        std::pair<std::string, int>(
            R"({"error_code":"UPSTREAM_UNAVAILABLE","category":"transient","retryable":false,"resolution":"escalate",)"
            R"("message":"The bank is down.","field_errors":[],"correlation_id":"req_1","attempt":4,)"
            R"("deadline_ms_remaining":null,"max_attempts":4})",
            4));
}

TEST_CASE("inside a tool: arguments to mend are told by the host's count, whatever the loop has used") {
  const tc::ToolError bad = tc::validation("NO_SUCH_ORDER", "Order A17 is no order's ID.");
  CHECK(reply_of({down, down, bad}, {.attempt = 1, .max_attempts = 2}) ==
        std::pair<std::string, int>(
            R"({"error_code":"NO_SUCH_ORDER","category":"validation","retryable":false,"resolution":"fix_input",)"
            R"("message":"Order A17 is no order's ID.","field_errors":[],"correlation_id":"req_1","attempt":1,)"
            R"("deadline_ms_remaining":null,"max_attempts":2})",
            1));
  CHECK(reply_of({down, down, bad}, {.attempt = 2, .max_attempts = 2}).first.find(R"("resolution":"abort")") !=
        std::string::npos);
}

TEST_CASE("inside a tool: a success after failures is a success") {
  CHECK(reply_of({down, down}, {}) == std::pair<std::string, int>(R"({"status":"delivered"})", 1));
}

TEST_CASE("inside a tool: an error that another call was settled with is settled anew") {
  const tc::ToolError foreign = tc::unavailable("The bank is down.").settled({"req_7", 4, 9, 5s});
  tc::ToolsetOptions options;
  const tc::Toolset tools(options, tc::tool<Query, Order>("orders_get")
                                       .does("Looks up one order.")
                                       .reads()
                                       .handle([&](const Query&) -> tc::Result<Order> { return foreign; }));
  const tc::Outcome outcome =
      tools.call("orders_get", R"({"order_id":"A17"})", {.correlation_id = "req_1", .attempt = 2, .max_attempts = 3});
  CHECK(outcome.error().facts().budget == tc::CallBudget{"req_1", 2, 3, std::nullopt});
}
