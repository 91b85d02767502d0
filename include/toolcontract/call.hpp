// SPDX-License-Identifier: MIT
/// \file
/// The context of one call: which one it is, how long it may take, and what a timeout means for it.
///
///     .handle([&](const RefundInput& in, tc::Call& call) -> tc::Result<Refund> {
///       if (!bank.post(in, call.remaining())) return call.timed_out("The refund of order " + in.order_id);
///     // on a write: {"error_code":"OUTCOME_UNKNOWN","category":"unknown","retryable":false,"resolution":"reconcile",…
///     // on a read:  {"error_code":"TIMED_OUT","category":"transient","retryable":true,"resolution":"retry",…
///
/// A host fills in what it knows and hands the Call over: `tools.call(name, arguments, {.attempt = 2, .max_attempts = 3})`.
///
/// Cost: std only.
#pragma once

#include <toolcontract/content.hpp>
#include <toolcontract/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include <version>
#ifdef __cpp_lib_jthread
#include <stop_token>
#endif

namespace toolcontract {
inline namespace v0 {

/// What a tool does to its environment. MCP's hints and the meaning of a timeout follow from it.
enum class Effect : unsigned char {
  undeclared,  ///< The author did not say: treated as the worst case, a destructive write.
  reads,       ///< Changes nothing; repeating it costs time only.
  writes,      ///< Adds or changes, and what was there before survives.
  destroys,    ///< Deletes, overwrites or moves something that does not come back, money included.
};

/// True for everything but a declared read.
[[nodiscard]] constexpr bool may_change_state(Effect effect) noexcept { return effect != Effect::reads; }

/// Where "now" comes from: one for deadlines and durations, one for timestamps. Tests put their own in.
struct Clock {
  std::function<std::chrono::steady_clock::time_point()> steady = [] { return std::chrono::steady_clock::now(); };
  std::function<std::chrono::system_clock::time_point()> wall = [] { return std::chrono::system_clock::now(); };
};

/// A key claimed in a ledger: this call may act, and no other with the same key, until it is settled.
struct HeldKey {
  std::string tenant{}, tool{}, key{};
  std::string token{};                        ///< tells this claim from a later one of the same key
  std::chrono::milliseconds ttl{0};           ///< how long the answer is remembered
  std::optional<std::string> stored{};        ///< the result that was stored together with the effect, if it was
  std::size_t max_stored_bytes = 256 * 1024;  ///< a longer result is not kept
};

/// One call. The host sets the first part, the Toolset the second; the handler reads both.
struct Call {
  std::string correlation_id{};       ///< "" lets the Toolset make one (`req_` and 26 characters, sortable by time).
  int attempt = 1;                    ///< Which attempt this is, from 1.
  std::optional<int> max_attempts{};  ///< How many the host will make at most.
  std::optional<std::chrono::steady_clock::time_point> deadline{};  ///< When the answer stops being useful.
  std::string
      principal{};  ///< On whose behalf: tenant or user. Goes into the report, and a ledger keeps keys apart by it.
  std::string operation_key{};  ///< One for all attempts at one operation, for tools that take their key from the host.
  std::string ticket{};         ///< Of the confirmation a person has answered; only a host sets it, never a model.
#ifdef __cpp_lib_jthread
  std::stop_token stop{};  ///< Set by a host that can cancel.
#endif
  std::function<void(double done, std::optional<double> total, std::string_view message)>
      progress{};  ///< May be empty.

  Effect effect = Effect::undeclared;  ///< Of the tool that is running.
  bool deduplicated = false;           ///< The tool's upstream drops a second request with the same key.
  std::optional<HeldKey> held{};       ///< What this call has claimed in its tool's ledger.
  Clock clock{};                       ///< Of the Toolset.

  /// What comes with the result if it is a success; see attach.
  mutable std::vector<Content> attached{};

  /// Time left until the deadline, zero once it has passed; nothing without a deadline.
  [[nodiscard]] std::optional<std::chrono::milliseconds> remaining() const {
    if (!deadline) return std::nullopt;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(*deadline - clock.steady());
    return (std::max)(left, std::chrono::milliseconds(0));
  }

  /// True once the host has asked to stop.
  [[nodiscard]] bool stop_requested() const noexcept {
#ifdef __cpp_lib_jthread
    return stop.stop_requested();
#else
    return false;
#endif
  }

  /// Gives the result a block besides its JSON, after those attached before (content.hpp). A copy of the call keeps its own.
  void attach(Content content) const { attached.push_back(std::move(content)); }

  /// Tells a listening host how far the work is; does nothing when nobody listens.
  void report_progress(double done, std::optional<double> total = std::nullopt, std::string_view message = {}) const {
    if (progress) progress(done, total, message);
  }

  /// The error for work that got no answer in time: TIMED_OUT (transient) on a read, OUTCOME_UNKNOWN (unknown) on
  /// anything else, with a key or without; only an upstream that deduplicates lets a write be sent again. `subject`
  /// names the work and starts the sentence: "The refund of order A17".
  [[nodiscard]] ToolError timed_out(std::string_view subject) const {
    return unanswered("TIMED_OUT", subject, "timed out");
  }
  /// The same for work that was stopped half-way: CANCELLED on a read.
  [[nodiscard]] ToolError cancelled(std::string_view subject) const {
    return unanswered("CANCELLED", subject, "was cancelled");
  }

 private:
  [[nodiscard]] ToolError unanswered(ErrorCode code, std::string_view subject, std::string_view event) const {
    std::string message(detail::is_blank(subject) ? std::string_view("The call") : subject);
    message.append(" ").append(event);
    if (may_change_state(effect) && deduplicated)
      return transient(code, message + "; the same call may be repeated, it takes effect once.").may_have_happened();
    if (may_change_state(effect))
      return unknown("OUTCOME_UNKNOWN", message + "; it may or may not have happened. Find out before doing it again.");
    return transient(code, message + "; nothing was changed, so the same call may be repeated.");
  }
};

}  // namespace v0
}  // namespace toolcontract
