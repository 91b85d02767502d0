// SPDX-License-Identifier: MIT
/// \file
/// When a failed attempt is made again, how long to wait before it, and what to say when it is not.
///
///     const tc::Retrier again({.max_attempts = 4, .base_delay = 100ms}, nap, dice);  // nap sleeps, dice gives 0 to 1
///     return again.run(call, [&](tc::Call& attempt) { return shop.find(in.order_id, attempt.remaining()); });
///     return again.run(call, in.operation_id, [&](tc::Call&, const std::string& key) { return bank.refund(in, key); });
///     // at last: {"error_code":"UPSTREAM_UNAVAILABLE",…"resolution":"escalate",…"attempt":4,…"max_attempts":4}
///
/// Sent again is only what may be sent again unchanged: after a transient error whose resolution is retry, and of what
/// may change state only what carries an operation key, the same for all attempts. The wait is drawn evenly from 0 to
/// base_delay × multiplier^(attempt − 1), capped at max_delay ("full jitter"), and added to the error's retry_after,
/// so that callers who were told the same time do not come back together. No wait reaches the deadline.
///
/// Code with an event loop of its own takes the bare steps, Attempts; the arithmetic alone is RetryPolicy.
///
/// Cost: std only. No clock, sleep or randomness of its own.
#pragma once

#include <toolcontract/call.hpp>
#include <toolcontract/content.hpp>
#include <toolcontract/error.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <version>
#ifdef __cpp_lib_expected
#include <expected>
#endif

namespace toolcontract {
inline namespace v0 {

/// How often, and how long between.
struct RetrySettings {
  int max_attempts = 3;                       ///< In all, the first included; 1 or more.
  std::chrono::milliseconds base_delay{200};  ///< The longest wait after the first failure; 0 or more.
  double multiplier = 2;                      ///< What that grows by with every failure; 1 or more.
  /// The longest wait there is; 0 or more. An upstream that asks for more is not waited for: its error goes back, with
  /// its retry_after, to a caller who has the time.
  std::chrono::milliseconds max_delay{10'000};
};

/// One attempt that failed.
struct FailedAttempt {
  int attempt = 1;                                       ///< Of these attempts, from 1; less counts as 1.
  std::optional<std::chrono::milliseconds> remaining{};  ///< Until the deadline; absent: there is none.
  bool repeatable = false;  ///< It changes nothing, or it carries a key by which it is done once.
};

/// What follows a failed attempt.
struct RetryStep {
  enum class Next : unsigned char {
    again,      ///< Wait, then send the same again.
    hand_back,  ///< Not ours to repeat: the error as it is, the caller decides.
    used_up,    ///< Ours to repeat, but no attempt or no time is left.
  };
  Next next = Next::hand_back;
  std::chrono::milliseconds wait{0};  ///< Of `again`.
  friend bool operator==(const RetryStep&, const RetryStep&) = default;
};

/// The arithmetic: no state, no clock, total for every attempt, time and number.
class RetryPolicy {
 public:
  /// \throws std::invalid_argument for settings that make no sense; what() names the member and what it must be.
  RetryPolicy(RetrySettings settings = {});  // NOLINT: implicit, settings are a policy

  [[nodiscard]] const RetrySettings& settings() const noexcept { return settings_; }

  /// The longest wait after the failure of this attempt, without a retry_after.
  [[nodiscard]] std::chrono::milliseconds ceiling(int attempt) const noexcept;

  /// What follows. `random` is 0 to 1, evenly spread; a number outside counts as the nearer end, NaN as 1.
  [[nodiscard]] RetryStep after(const ToolError& error, const FailedAttempt& failed, double random) const noexcept;

 private:
  RetrySettings settings_;
};

/// The attempts at one piece of work inside one call, for code that waits in its own way:
///
///     if (auto ended = attempts.begin()) return finish(*ended);              // before each attempt
///     send(attempts.call(), attempts.key());
///     tc::Result<std::chrono::milliseconds> wait = attempts.failed(error, random);     // after each failure
///     if (!wait) return finish(wait.error());
///     timer.start(*wait, …);                                                // then from the top
///
/// Not to be used after an error came back from either.
class Attempts {
 public:
  /// `key`: the operation key that goes with every attempt, "" for none. `call` is copied: attempts are counted on from
  /// its number (a call that comes as attempt 2 makes 2, 3 and 4 of 4), and its effect, deadline and stop hold.
  Attempts(const RetryPolicy& policy, const Call& call, std::string key = {});

  /// Opens the next attempt, or gives the error to end with when the host has asked to stop or the deadline has passed.
  [[nodiscard]] std::optional<ToolError> begin();

  /// How long to wait before `begin`, or the error to end with. It says what the caller needs: "not again now"
  /// (escalate) with our count when attempts or time are used up; where the caller may send again or mend its
  /// arguments, the call's own count, since our attempts are not the caller's. When an attempt may have happened, which
  /// only an upstream that deduplicates lets us repeat, any end but a success is OUTCOME_UNKNOWN.
  [[nodiscard]] Result<std::chrono::milliseconds> failed(const ToolError& error, double random);

  /// For this attempt: its number, how many there will be at most, and the time left. A copy of the call: what it
  /// attaches is its own.
  [[nodiscard]] Call& call() noexcept { return call_; }
  [[nodiscard]] const std::string& key() const noexcept { return key_; }
  [[nodiscard]] int made() const noexcept { return made_; }

 private:
  [[nodiscard]] CallBudget own() const { return {call_.correlation_id, first_, max_attempts_, call_.remaining()}; }
  [[nodiscard]] CallBudget counted() const {
    return {call_.correlation_id, call_.attempt, call_.max_attempts, call_.remaining()};
  }
  [[nodiscard]] ToolError used_up(const ToolError& error) const;
  [[nodiscard]] ToolError outcome_unknown(const ToolError& error) const;

  RetryPolicy policy_;
  Call call_;
  std::string key_;
  int first_;                        // the call's own count
  std::optional<int> max_attempts_;  // likewise
  int made_ = 0;
  bool uncertain_ = false;  // an attempt before the last may have happened
  std::optional<ToolError> last_;
};

namespace detail {

template <class Answer>
struct StepResult {
  using type = Result<Answer>;
};
template <class T>
struct StepResult<Result<T>> {
  using type = Result<T>;
};
#ifdef __cpp_lib_expected
template <class T>
struct StepResult<std::expected<T, ToolError>> {
  using type = Result<T>;
};
#endif

template <class Answer>
concept StepAnswer = !std::is_void_v<Answer> && !std::derived_from<std::remove_cvref_t<Answer>, ToolError>;

template <class Step, class... Args>
constexpr bool is_step = false;
template <class Step, class... Args>
requires std::invocable<Step, Args...>
constexpr bool is_step<Step, Args...> = StepAnswer<std::invoke_result_t<Step, Args...>>;

}  // namespace detail

/// Makes attempts one after the other, on the thread that calls. Share one among handlers: it is not changed by running,
/// but `sleep` and `random` are called from every thread that runs.
class Retrier {
 public:
  using Sleep = std::function<void(std::chrono::milliseconds)>;  ///< May end early, when the host asks to stop.
  using Random = std::function<double()>;                        ///< 0 to 1, evenly spread.

  /// \throws std::invalid_argument for settings that make no sense, or an empty function.
  Retrier(RetrySettings settings, Sleep sleep, Random random);

  [[nodiscard]] const RetryPolicy& policy() const noexcept { return policy_; }

  /// Work without an operation key: `step(Call& attempt)` gives T or Result<T>, or throws a ToolError. What else it
  /// throws passes through. A step that may change state is made once; a look-up inside a write runs on a copy of the
  /// call whose effect is reads. What the attempt that succeeds attaches is attached to `call`.
  template <class Step>
  [[nodiscard]] auto run(const Call& call, Step&& step) const {
    constexpr bool legal = detail::is_step<Step&, Call&>;
    static_assert(legal,
                  "toolcontract: run takes a step that is called with (Call&) and returns T or Result<T>; a step with "
                  "an operation key is run(call, key, step)");
    if constexpr (legal)
      return repeat(call, Attempts(policy_, call), [&](Attempts& attempts) { return step(attempts.call()); });
  }

  /// Work with an operation key, "" for none: `step(Call& attempt, const std::string& key)`, the same key each time.
  template <class Step>
  [[nodiscard]] auto run(const Call& call, std::string key, Step&& step) const {
    constexpr bool legal = detail::is_step<Step&, Call&, const std::string&>;
    static_assert(
        legal,
        "toolcontract: run with a key takes a step that is called with (Call&, const std::string& key), sends "
        "that key, and returns T or Result<T>");
    if constexpr (legal)
      return repeat(call, Attempts(policy_, call, std::move(key)),
                    [&](Attempts& attempts) { return step(attempts.call(), attempts.key()); });
  }

 private:
  template <class Step>
  auto repeat(const Call& call, Attempts attempts, const Step& step) const {
    using Answer = typename detail::StepResult<std::remove_cvref_t<std::invoke_result_t<Step, Attempts&>>>::type;
    const auto attempt = [&]() -> Answer {
      try {
        return step(attempts);
      } catch (const ToolError& error) {
        return error;
      }
    };
    for (;;) {
      if (auto ended = attempts.begin()) return Answer(std::move(*ended));
      attempts.call().attached.clear();
      Answer answer = attempt();
      if (answer) {
        for (Content& content : attempts.call().attached) call.attach(std::move(content));
        return answer;
      }
      auto wait = attempts.failed(answer.error(), random_());
      if (!wait) return Answer(std::move(wait).error());
      sleep_(*wait);
    }
  }

  RetryPolicy policy_;
  Sleep sleep_;
  Random random_;
};

namespace detail {

/// `share` of a duration, rounded down: never more than the whole, whatever share is.
inline std::chrono::milliseconds share_of(std::chrono::milliseconds whole, double share) noexcept {
  if (!(share < 1)) return whole;  // NaN too
  if (!(share > 0)) return std::chrono::milliseconds(0);
  const double limit = static_cast<double>(whole.count());
  const double part = std::floor(share * (limit + 1));  // so that the whole can be drawn
  return part >= limit ? whole : std::chrono::milliseconds(static_cast<std::int64_t>(part));
}

/// first + more, at most the largest int.
inline int count_on(int first, int more) noexcept {
  constexpr int most = (std::numeric_limits<int>::max)();
  return first > most - more ? most : first + more;
}

}  // namespace detail

inline Retrier::Retrier(RetrySettings settings, Sleep sleep, Random random)
    : policy_(settings), sleep_(std::move(sleep)), random_(std::move(random)) {
  if (!sleep_)
    throw std::invalid_argument(
        "toolcontract: Retrier must be given a sleep, such as a lambda that waits on the call's stop_token");
  if (!random_)
    throw std::invalid_argument(
        "toolcontract: Retrier must be given a random, such as a lambda that draws from 0 to 1");
}

inline RetryPolicy::RetryPolicy(RetrySettings settings) : settings_(settings) {
  const auto must = [](bool holds, const char* rule) {
    if (!holds) throw std::invalid_argument(std::string("toolcontract: RetrySettings::") + rule);
  };
  must(settings.max_attempts >= 1, "max_attempts must be 1 or more; 1 means no attempt is repeated");
  must(settings.base_delay.count() >= 0, "base_delay must be 0 or more; 0 means no wait but for a retry_after");
  must(std::isfinite(settings.multiplier) && settings.multiplier >= 1,
       "multiplier must be 1 or more and finite; 1 means every wait has the same bounds");
  must(settings.max_delay.count() >= 0, "max_delay must be 0 or more; 0 means no wait at all");
}

inline std::chrono::milliseconds RetryPolicy::ceiling(int attempt) const noexcept {
  if (settings_.base_delay.count() == 0) return settings_.base_delay;
  const double base = static_cast<double>(settings_.base_delay.count());
  const double grown = base * std::pow(settings_.multiplier, (std::max)(attempt, 1) - 1);  // may be infinite
  if (!(grown < static_cast<double>(settings_.max_delay.count()))) return settings_.max_delay;
  return std::chrono::milliseconds(static_cast<std::int64_t>(grown));
}

inline RetryStep RetryPolicy::after(const ToolError& error, const FailedAttempt& failed, double random) const noexcept {
  using Next = RetryStep::Next;
  if (!error.retryable() || !failed.repeatable) return {Next::hand_back, {}};
  if (failed.attempt >= settings_.max_attempts) return {Next::used_up, {}};
  const auto asked =
      (std::max)(error.facts().retry_after.value_or(std::chrono::milliseconds(0)), std::chrono::milliseconds(0));
  const bool too_long = asked > settings_.max_delay;
  const auto drawn = detail::share_of(ceiling(failed.attempt), random);
  const auto wait = too_long ? asked : asked + (std::min)(drawn, settings_.max_delay - asked);  // cannot overflow
  if (failed.remaining && wait >= *failed.remaining) return {Next::used_up, {}};
  if (too_long) return {Next::hand_back, {}};
  return {Next::again, wait};
}

inline Attempts::Attempts(const RetryPolicy& policy, const Call& call, std::string key)
    : policy_(policy),
      call_(call),
      key_(std::move(key)),
      first_((std::max)(call.attempt, 1)),
      max_attempts_(call.max_attempts) {
  call_.attempt = first_;
  call_.max_attempts = detail::count_on(first_, policy_.settings().max_attempts - 1);
}

inline std::optional<ToolError> Attempts::begin() {
  const auto remaining = call_.remaining();
  const bool stopped = call_.stop_requested();
  if (stopped || (remaining && remaining->count() == 0)) {
    if (last_) return used_up(*last_);
    if (stopped)
      return transient("CANCELLED", "The call was cancelled before it was sent; nothing was done.").settled(own());
    return transient("TIMED_OUT", "The deadline of the call passed before it was sent; nothing was done.")
        .settled(own());
  }
  call_.attempt = detail::count_on(first_, made_);
  made_ = detail::count_on(made_, 1);
  return std::nullopt;
}

inline Result<std::chrono::milliseconds> Attempts::failed(const ToolError& error, double random) {
  const bool repeatable = !may_change_state(call_.effect) || !key_.empty();
  const RetryStep step = policy_.after(error, {made_, call_.remaining(), repeatable}, random);
  if (step.next == RetryStep::Next::hand_back) {
    if (uncertain_ && error.category() != Category::unknown) return outcome_unknown(error);
    const bool callers_turn = error.retryable() || error.resolution() == Resolution::fix_input;
    return error.settled(callers_turn ? own() : counted());
  }
  if (step.next == RetryStep::Next::used_up || call_.stop_requested()) return used_up(error);
  uncertain_ = uncertain_ || error.facts().may_have_happened;
  last_ = error;
  return step.wait;
}

inline ToolError Attempts::used_up(const ToolError& error) const {
  if (uncertain_ || error.facts().may_have_happened) return outcome_unknown(error);
  ErrorFacts facts = error.facts();
  facts.resolution = Resolution::escalate;  // of a transient error: "not again now"
  return ToolError::restore(std::move(facts)).settled(counted());
}

inline ToolError Attempts::outcome_unknown(const ToolError& error) const {
  ErrorFacts facts = error.facts();
  facts.code = "OUTCOME_UNKNOWN";
  facts.category = Category::unknown;
  facts.resolution = Resolution::reconcile;
  if (!facts.may_have_happened) facts.message += " An attempt before that may have happened.";
  facts.message += " Find out before doing it again.";
  return ToolError::restore(std::move(facts)).settled(counted());
}

}  // namespace v0
}  // namespace toolcontract
