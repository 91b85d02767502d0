// SPDX-License-Identifier: MIT
/// \file
/// What went wrong with a tool call, and who can put it right.
///
///     return tc::business("REFUND_WINDOW_EXPIRED", "Order A17 is outside the 30-day return window.");
///     return tc::rate_limited(2s).internal("upstream bucket 7 is empty");      // the detail reaches the log, never the model
///     return tc::validation("INVALID_RANGE", "until is before since.").field("until", "rule", "must not be before since");
///     // {"error_code":"INVALID_RANGE","category":"validation","retryable":false,"resolution":"fix_input",…
///
/// Each factory returns a builder that takes only the setters of its own category; any other does not compile.
/// A builder is a ToolError: return it where a Result is expected, or throw it.
///
/// Cost: std only, no JSON. Parts that are JSON in the envelope are held as JSON text.
#pragma once

#include <toolcontract/error_facts.hpp>
#include <toolcontract/utf8.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#include <version>
#ifdef __cpp_lib_expected
#include <expected>
#endif

#ifndef __cpp_exceptions
#error \
    "toolcontract needs exceptions: handlers may throw and the library turns what they throw into errors. Remove -fno-exceptions."
#endif

namespace toolcontract {
inline namespace v0 {

/// A classified failure. Made by the factories below, returned in a Result or thrown.
class [[nodiscard]] ToolError : public std::exception {
 public:
  /// Rebuilds an error from facts that came from elsewhere (another process, an older version): what the category
  /// table forbids falls back to the category's default, so a restored error obeys the same rules.
  /// \throws std::invalid_argument when the code is not SCREAMING_SNAKE or the message is blank.
  static ToolError restore(ErrorFacts facts);

  [[nodiscard]] const std::string& code() const noexcept { return facts_.code; }
  [[nodiscard]] Category category() const noexcept { return facts_.category; }
  [[nodiscard]] Resolution resolution() const noexcept { return facts_.resolution; }
  [[nodiscard]] bool retryable() const noexcept { return facts_.resolution == Resolution::retry; }
  [[nodiscard]] const std::string& message() const noexcept { return facts_.message; }
  [[nodiscard]] const std::vector<FieldError>& field_errors() const noexcept { return facts_.field_errors; }
  [[nodiscard]] const ErrorFacts& facts() const noexcept { return facts_; }
  [[nodiscard]] const char* what() const noexcept override { return facts_.message.c_str(); }

  /// The same error as part of one call: carries the call's id and budget, and says "not again" once the attempts or
  /// the deadline are used up (transient: escalate, also when retry_after lies beyond the deadline; validation: abort).
  ToolError settled(CallBudget budget) const;

  friend bool operator==(const ToolError& a, const ToolError& b) { return a.facts_ == b.facts_; }

 protected:
  ToolError(Category category, ErrorCode code, std::string message);
  ErrorFacts facts_;

 private:
  explicit ToolError(ErrorFacts facts) : facts_(std::move(facts)) {}
};

/// A ToolError under construction: only the setters of category C compile. Every setter returns the builder.
template <Category C>
class [[nodiscard]] ErrorOf : public ToolError {
 public:
  /// \throws std::invalid_argument for a blank message: a caller could not tell two such errors apart.
  ErrorOf(ErrorCode code, std::string message) : ToolError(C, code, std::move(message)) {}

  /// transient: how long to wait before the same call is worth sending again; a time in the past is now.
  ErrorOf& retry_after(std::chrono::milliseconds delay) & {
    static_assert(C == Category::transient,
                  "toolcontract: retry_after belongs to transient errors; this category must not be retried unchanged");
    facts_.retry_after = (std::max)(delay, std::chrono::milliseconds(0));
    return *this;
  }
  /// transient: the write may have been done, and may be repeated all the same, because its upstream does it once for its
  /// key. Whoever ends with such an error must not say that nothing was done.
  ErrorOf& may_have_happened() & {
    static_assert(C == Category::transient,
                  "toolcontract: may_have_happened belongs to transient errors; without an upstream that deduplicates, "
                  "what may have happened is unknown");
    facts_.may_have_happened = true;
    return *this;
  }
  /// validation: one thing that is wrong. `problem` starts with "must" and lists what is legal.
  ErrorOf& field(std::string field, std::string code, std::string problem, std::optional<Shown> got = std::nullopt) & {
    static_assert(C == Category::validation,
                  "toolcontract: field errors belong to validation errors; a rule that said no is business and names "
                  "its subject in the message");
    facts_.field_errors.push_back({std::move(field), std::move(code), std::move(problem), std::move(got)});
    return *this;
  }
  /// validation: the arguments of a call that would be valid, as JSON text.
  ErrorOf& example(std::string arguments) & {
    static_assert(C == Category::validation, "toolcontract: an example call belongs to validation errors");
    facts_.example = std::move(arguments);
    return *this;
  }
  /// permission: what a human must agree to before the call may go on.
  ErrorOf& confirmation(Confirmation confirmation) & {
    static_assert(C == Category::permission, "toolcontract: asking for confirmation belongs to permission errors");
    facts_.confirmation = std::move(confirmation);
    return *this;
  }
  /// unknown: the call that finds out what happened; `arguments` is the JSON text of an object.
  ErrorOf& reconcile_with(std::string tool, std::string arguments) & {
    static_assert(C == Category::unknown,
                  "toolcontract: reconcile_with belongs to unknown outcomes; an error with a known outcome needs no "
                  "reconciling");
    facts_.resolution = Resolution::reconcile;
    facts_.reconcile = {std::move(tool), std::move(arguments)};
    return *this;
  }
  /// business: somebody may decide otherwise. unknown: nothing can have changed, so there is nothing to reconcile.
  ErrorOf& escalate() & {
    static_assert(
        C == Category::business || C == Category::unknown || C == Category::permission,
        "toolcontract: escalate() belongs to business, permission and unknown errors; a transient or validation error "
        "escalates by itself once its attempts are used up");
    facts_.resolution = Resolution::escalate;
    facts_.reconcile.reset();
    return *this;
  }
  /// permission: nobody can grant this. (A business error aborts by default.)
  ErrorOf& abort() & {
    static_assert(C == Category::permission || C == Category::business,
                  "toolcontract: abort() belongs to permission and business errors");
    facts_.resolution = Resolution::abort;
    return *this;
  }
  /// What was obtained before the failure, as JSON text.
  ErrorOf& partial(std::string json) & {
    facts_.partial = std::move(json);
    return *this;
  }
  /// For the log only: an upstream body, a query, an exception's text. No envelope carries it.
  ErrorOf& internal(std::string detail) & {
    facts_.internal = InternalDetail(std::move(detail));
    return *this;
  }

  // The same on a temporary: returned by value, so that no string dangles.
  ErrorOf retry_after(std::chrono::milliseconds delay) && { return std::move(retry_after(delay)); }
  ErrorOf may_have_happened() && { return std::move(may_have_happened()); }
  ErrorOf field(std::string field, std::string code, std::string problem, std::optional<Shown> got = std::nullopt) && {
    return std::move(this->field(std::move(field), std::move(code), std::move(problem), std::move(got)));
  }
  ErrorOf example(std::string arguments) && { return std::move(example(std::move(arguments))); }
  ErrorOf confirmation(Confirmation asked) && { return std::move(confirmation(std::move(asked))); }
  ErrorOf reconcile_with(std::string tool, std::string arguments) && {
    return std::move(reconcile_with(std::move(tool), std::move(arguments)));
  }
  ErrorOf escalate() && { return std::move(escalate()); }
  ErrorOf abort() && { return std::move(abort()); }
  ErrorOf partial(std::string json) && { return std::move(partial(std::move(json))); }
  ErrorOf internal(std::string detail) && { return std::move(internal(std::move(detail))); }
};

inline ErrorOf<Category::transient> transient(ErrorCode code, std::string message) {
  return {code, std::move(message)};
}
inline ErrorOf<Category::validation> validation(ErrorCode code, std::string message) {
  return {code, std::move(message)};
}
inline ErrorOf<Category::business> business(ErrorCode code, std::string message) { return {code, std::move(message)}; }
inline ErrorOf<Category::permission> permission(ErrorCode code, std::string message) {
  return {code, std::move(message)};
}
inline ErrorOf<Category::unknown> unknown(ErrorCode code, std::string message) { return {code, std::move(message)}; }

// The wider vocabulary of backends, mapped to the five. Messages name their own subject ("Order A17", not "the order").
inline ErrorOf<Category::transient> rate_limited(std::chrono::milliseconds retry_after,
                                                 std::string message = "Too many calls; wait before the next one.") {
  return transient("RATE_LIMITED", std::move(message)).retry_after(retry_after);
}
inline ErrorOf<Category::transient> unavailable(std::string message) {
  return transient("UPSTREAM_UNAVAILABLE", std::move(message));
}
inline ErrorOf<Category::business> not_found(std::string message) { return business("NOT_FOUND", std::move(message)); }
inline ErrorOf<Category::business> conflict(std::string message) { return business("CONFLICT", std::move(message)); }
inline ErrorOf<Category::business> permanent(ErrorCode code, std::string message) {
  return business(code, std::move(message));
}
inline ErrorOf<Category::permission> unauthenticated(std::string message) {
  return permission("NOT_AUTHENTICATED", std::move(message));
}
inline ErrorOf<Category::permission> forbidden(std::string message) {
  return permission("FORBIDDEN", std::move(message));
}
/// An upstream reply that could not be understood. The model cannot mend it, so the resolution is escalate. `expected`
/// and `arrived` are short descriptions the model may see; the reply's body belongs in `.internal(…)`.
ErrorOf<Category::validation> malformed_upstream(std::string_view expected, std::string_view arrived);

/// A value, or the error that stands in its place: a ToolError unless said otherwise. Converts to and from std::expected
/// where there is one.
template <class T, class E = ToolError>
class [[nodiscard]] Result {
 public:
  template <class U = T>
  requires(std::convertible_to<U&&, T> && !std::derived_from<std::remove_cvref_t<U>, E> &&
           !std::same_as<std::remove_cvref_t<U>, Result>) Result(U&& value)
      : value_(std::in_place, std::forward<U>(value)) {}  // NOLINT: implicit, handlers return either
  Result(E error) : error_(std::move(error)) {}           // NOLINT

  [[nodiscard]] bool has_value() const noexcept { return value_.has_value(); }
  explicit operator bool() const noexcept { return has_value(); }

  /// \throws E (the error held) when there is no value.
  [[nodiscard]] T& value() & { return check(), *value_; }
  [[nodiscard]] const T& value() const& { return check(), *value_; }
  [[nodiscard]] T&& value() && { return check(), std::move(*value_); }
  /// Precondition: has_value().
  [[nodiscard]] T& operator*() & noexcept { return *value_; }
  [[nodiscard]] const T& operator*() const& noexcept { return *value_; }
  [[nodiscard]] T&& operator*() && noexcept { return std::move(*value_); }
  [[nodiscard]] T* operator->() noexcept { return &*value_; }
  [[nodiscard]] const T* operator->() const noexcept { return &*value_; }
  /// Precondition: !has_value().
  [[nodiscard]] const E& error() const& noexcept { return *error_; }
  [[nodiscard]] E&& error() && noexcept { return std::move(*error_); }

#ifdef __cpp_lib_expected
  Result(std::expected<T, E> other) {  // NOLINT
    if (other)
      value_.emplace(std::move(*other));
    else
      error_.emplace(std::move(other.error()));
  }
  operator std::expected<T, E>() const& {  // NOLINT
    if (value_) return *value_;
    return std::unexpected(*error_);
  }
  operator std::expected<T, E>() && {  // NOLINT
    if (value_) return std::move(*value_);
    return std::unexpected(std::move(*error_));
  }
#endif

 private:
  void check() const {
    if (!value_) throw E(*error_);
  }
  std::optional<T> value_;
  std::optional<E> error_;
};

inline ToolError::ToolError(Category category, ErrorCode code, std::string message) {
  if (detail::is_blank(message))
    throw std::invalid_argument("toolcontract: an error's message must not be blank; say what happened and to what (" +
                                std::string(code.text()) + ")");
  facts_.code = code.text();
  facts_.category = category;
  facts_.resolution = default_resolution(category);
  facts_.message = std::move(message);
}

inline ToolError ToolError::restore(ErrorFacts facts) {
  (void)ErrorCode::checked(facts.code);
  if (detail::is_blank(facts.message))
    throw std::invalid_argument("toolcontract: an error's message must not be blank (" + facts.code + ")");
  if (!allows(facts.category, facts.resolution)) facts.resolution = default_resolution(facts.category);
  constexpr std::chrono::milliseconds none(0);
  if (facts.budget.deadline_remaining)
    facts.budget.deadline_remaining = (std::max)(*facts.budget.deadline_remaining, none);
  if (facts.retry_after) facts.retry_after = (std::max)(*facts.retry_after, none);
  if (facts.category != Category::transient) {
    facts.retry_after.reset();
    facts.may_have_happened = false;
  }
  if (facts.category != Category::permission) facts.confirmation.reset();
  if (facts.resolution != Resolution::reconcile) facts.reconcile.reset();
  if (facts.category != Category::validation) {
    facts.field_errors.clear();
    facts.example.clear();
  }
  return ToolError(std::move(facts));
}

inline ToolError ToolError::settled(CallBudget budget) const {
  ToolError error(*this);
  ErrorFacts& facts = error.facts_;
  facts.budget = std::move(budget);
  auto& remaining = facts.budget.deadline_remaining;
  if (remaining && remaining->count() < 0) remaining = std::chrono::milliseconds(0);
  const bool no_attempt_left = facts.budget.max_attempts && facts.budget.attempt >= *facts.budget.max_attempts;
  const bool no_time_left =
      remaining && (remaining->count() == 0 || (facts.retry_after && *facts.retry_after >= *remaining));
  if (facts.resolution == Resolution::retry && (no_attempt_left || no_time_left))
    facts.resolution = Resolution::escalate;
  if (facts.resolution == Resolution::fix_input && no_attempt_left) facts.resolution = Resolution::abort;
  return error;
}

inline ErrorOf<Category::validation> malformed_upstream(std::string_view expected, std::string_view arrived) {
  struct Escalated : ErrorOf<Category::validation> {
    Escalated(std::string_view expected, std::string_view arrived)
        : ErrorOf("MALFORMED_UPSTREAM", "The upstream reply was malformed: expected " + std::string(expected) +
                                            ", got " + std::string(arrived) + ".") {
      facts_.resolution = Resolution::escalate;
    }
  };
  return Escalated(expected, arrived);
}

}  // namespace v0
}  // namespace toolcontract
