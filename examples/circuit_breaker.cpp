// SPDX-License-Identifier: MIT
// A circuit breaker around one upstream. Closed: calls go through. Open, after three failures in a row: none does, and each
// is told when to come back. Half-open, when that time has come: one call tries, and decides.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>
#include <mutex>

namespace tc = toolcontract;
using namespace std::chrono_literals;

class Breaker {
 public:
  enum class State { closed, open, half_open };

  /// Runs the step, or refuses the call.
  template <class Step>
  auto run(const std::string& subject, tc::Call& call, const Step& step) -> decltype(step(call)) {
    if (auto refused = admit(subject, call)) return *refused;
    try {
      auto result = step(call);
      settle(!result && counts(result.error()), call);
      return result;
    } catch (...) {
      settle(true, call);
      throw;
    }
  }

  [[nodiscard]] const char* state() const {
    const std::lock_guard lock(mutex_);
    return state_ == State::closed ? "closed" : state_ == State::open ? "open" : "half-open";
  }

 private:
  using Instant = std::chrono::steady_clock::time_point;

  // An upstream that says no is well; one that cannot be reached or understood is not.
  static bool counts(const tc::ToolError& error) {
    return error.category() == tc::Category::transient || error.category() == tc::Category::unknown ||
           error.code() == "MALFORMED_UPSTREAM";
  }

  std::optional<tc::ToolError> admit(const std::string& subject, const tc::Call& call) {
    const std::lock_guard lock(mutex_);
    const Instant now = call.clock.steady();
    if (state_ == State::closed) return std::nullopt;
    if (state_ == State::open && now >= reopens_) {
      state_ = State::half_open;
      return std::nullopt;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(reopens_ - now);
    const auto wait = state_ == State::half_open ? 1000ms : left;  // the one that tries will know by then
    return tc::unavailable(subject + " was not sent: the bank fails at the moment.").retry_after(wait);
  }

  void settle(bool failed, const tc::Call& call) {
    const std::lock_guard lock(mutex_);
    if (state_ == State::open) return;  // a call from before it opened
    failures_ = failed ? failures_ + 1 : 0;
    const bool opens = failed && (state_ == State::half_open || failures_ >= 3);
    state_ = opens ? State::open : State::closed;
    if (opens) reopens_ = call.clock.steady() + 30s;
  }

  mutable std::mutex mutex_;
  State state_ = State::closed;
  int failures_ = 0;
  Instant reopens_{};
};

struct Query {
  std::string account;
};
constexpr auto tool_schema(tc::type<Query>) {
  return tc::object(tc::field<&Query::account>("account", "Account, e.g. 'A17'."));
}
struct Balance {
  std::int64_t cents = 0;
};
constexpr auto tool_schema(tc::type<Balance>) {
  return tc::object(tc::field<&Balance::cents>("cents", "What is there, in cents."));
}

int main() {
  Breaker breaker;
  int status = 200;
  std::chrono::steady_clock::time_point now{};
  tc::ToolsetOptions options;
  options.clock.steady = [&] { return now; };
  options.clock.wall = [] { return std::chrono::system_clock::time_point(); };
  const tc::Toolset tools(options, tc::tool<Query, Balance>("balances_get")
                                       .does("Looks up the balance of one account.")
                                       .reads()
                                       .handle([&](const Query& in, tc::Call& call) -> tc::Result<Balance> {
                                         const std::string subject = "Looking up account " + in.account;
                                         return breaker.run(
                                             subject, call, [&](tc::Call& running) -> tc::Result<Balance> {
                                               std::printf("  asked while %s: %d\n", breaker.state(), status);
                                               if (status == 200) return Balance{1250};
                                               return tc::upstream_error({.subject = subject, .effect = running.effect},
                                                                         tc::HttpReply{status}, running.clock.wall());
                                             });
                                       }));

  const auto call = [&](std::chrono::seconds after, int bank_says) {
    now += after;
    status = bank_says;
    std::printf("\nat %d s, %s\n", int(now.time_since_epoch() / 1s), breaker.state());
    const auto outcome = tools.call("balances_get", R"({"account":"A17"})", {.correlation_id = "req_1"});
    std::printf("  %s\n", outcome ? outcome.text().c_str() : tc::envelope_text(outcome.error()).c_str());
  };
  call(0s, 200);
  for (int failure = 0; failure < 3; ++failure) call(1s, 502);
  call(5s, 200);   // not asked
  call(25s, 502);  // one tries and fails
  call(10s, 200);  // not asked
  call(20s, 404);  // no is an answer too
  call(1s, 200);
}
