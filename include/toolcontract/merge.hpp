// SPDX-License-Identifier: MIT
/// \file
/// What several failures amount to: each told apart in a result, and all of them together as one error.
///
///     tc::merge({{"crm", tc::unavailable("The CRM is down.")}, {"mail", tc::forbidden("Mail of Ada is private.")}});
///     // {"error_code":"FORBIDDEN","category":"permission","retryable":false,"resolution":"escalate","message":"2 failures.
///     //  crm: The CRM is down. mail: Mail of Ada is private.",…,"partial":{"failed":[{"source":"crm",…},{"source":"mail",…}]}}
///
/// The category is the first of these that is among them: unknown (something may have happened), permission, validation,
/// business, transient. So the whole may be retried only where each may be, and then after the longest wait. What may have
/// happened is told first. As many failures are listed as an error may hold (error_limits.hpp); the rest is counted by
/// category.
///
/// Cost: nlohmann/json through encode.hpp; instantiated where it is used.
#pragma once

#include <toolcontract/encode.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/error_limits.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/schema.hpp>
#include <toolcontract/text.hpp>
#include <toolcontract/utf8.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

constexpr auto tool_schema(type<Category>) {
  return enumeration(value("transient", Category::transient), value("validation", Category::validation),
                     value("business", Category::business), value("permission", Category::permission),
                     value("unknown", Category::unknown));
}
constexpr auto tool_schema(type<Resolution>) {
  return enumeration(value("retry", Resolution::retry), value("fix_input", Resolution::fix_input),
                     value("abort", Resolution::abort), value("escalate", Resolution::escalate),
                     value("reconcile", Resolution::reconcile));
}

/// JSON that is text already, as a member that takes any JSON. A text that is no JSON is written as a string.
struct JsonText {
  std::string text = "null";
  friend bool operator==(const JsonText&, const JsonText&) = default;
};

namespace detail {

template <>
struct Anything<JsonText> : std::true_type {
  static constexpr Storage storage = [] {
    Storage storage{Storage::Form::anything};
    storage.parse = [](void* self, std::string_view text) { static_cast<JsonText*>(self)->text = text; };
    storage.write = [](const void* self, TextWriter& out, Unencodable&, std::size_t, const Path&) {
      const std::string& text = static_cast<const JsonText*>(self)->text;
      is_json(text) ? out.raw(text) : out.string(text);
      return true;
    };
    return storage;
  }();
};

/// How the members of FailureFacts are described, in C, after what C has before them.
template <class C, class... Before>
constexpr auto failure_object(Before... before) {
  return object(before..., field<&C::error_code>("error_code", "A stable code, e.g. 'RATE_LIMITED'."),
                field<&C::category>("category", "unknown: it may have happened all the same."),
                field<&C::retryable>("retryable", "True: the same may work later, unchanged."),
                field<&C::resolution>("resolution", "What to do about it."),
                field<&C::message>("message", "The same in words."),
                field<&C::retry_after_ms>("retry_after_ms", "Milliseconds to wait before a retry, e.g. 2000."),
                field<&C::reconcile>("reconcile", "The call that finds out what happened."),
                field<&C::partial>("partial", "What was obtained before the failure."));
}

}  // namespace detail

/// The call that finds out what happened, as a result tells it.
struct FailureReconcile {
  std::string tool{};
  JsonText arguments{};
  friend constexpr auto tool_schema(type<FailureReconcile>) {
    return object(field<&FailureReconcile::tool>("tool", "The tool to call."),
                  field<&FailureReconcile::arguments>("arguments", "What to call it with."));
  }
  friend bool operator==(const FailureReconcile&, const FailureReconcile&) = default;
};

/// What a result says of one thing that failed: the part of an envelope that a caller acts on.
struct FailureFacts {
  std::string error_code{};
  Category category = Category::unknown;
  bool retryable = false;
  Resolution resolution = Resolution::reconcile;
  std::string message{};  ///< at most 1000 bytes, cut on a character boundary
  std::optional<std::int64_t> retry_after_ms{};
  std::optional<FailureReconcile> reconcile{};
  std::optional<JsonText> partial{};  ///< what it had obtained before; left out, and said so, above 4 KiB

  FailureFacts() = default;
  explicit FailureFacts(const ToolError& error);
  friend constexpr auto tool_schema(type<FailureFacts>) { return detail::failure_object<FailureFacts>(); }
  friend bool operator==(const FailureFacts&, const FailureFacts&) = default;
};

/// The same, and what it was that failed.
struct Failure : FailureFacts {
  std::string source{};  ///< at most 120 bytes

  Failure() = default;
  Failure(std::string_view what, const ToolError& error);
  friend constexpr auto tool_schema(type<Failure>) {
    return detail::failure_object<Failure>(field<&Failure::source>("source", "What failed, e.g. 'crm'."));
  }
  friend bool operator==(const Failure&, const Failure&) = default;
};

/// An error and where it came from.
struct SourcedError {
  std::string source{};
  ToolError error;
};

/// One error that says all of `errors`. One alone comes back as it is. The code is that of the first error of the category
/// the whole has; a reconcile call, a confirmation, field errors are those of that category; `partial` lists each
/// failure, also with its own reconcile call. `lead` starts the message.
/// \throws std::invalid_argument when there are none.
template <class = void>
[[nodiscard]] ToolError merge(std::span<const SourcedError> errors, std::string_view lead = {});
template <class = void>
[[nodiscard]] ToolError merge(std::initializer_list<SourcedError> errors, std::string_view lead = {}) {
  return merge<>(std::span(errors.begin(), errors.size()), lead);
}

namespace detail {

inline std::string shortened(std::string_view text, std::size_t most) {
  const std::string_view head = utf8::prefix(text, most);
  return head.size() == text.size() ? std::string(text) : std::string(head) + "…";
}

/// Something may have happened, whatever else is said.
inline bool in_doubt(const ToolError& error) {
  return error.category() == Category::unknown || error.facts().may_have_happened;
}

/// What may have happened first, what must be looked up before what only a person can; otherwise as they came.
inline int urgency(const ToolError& error) {
  if (!in_doubt(error)) return 2;
  return error.resolution() == Resolution::escalate ? 1 : 0;
}

/// The errors as they are told.
template <class = void>
std::vector<const SourcedError*> by_urgency(std::span<const SourcedError> errors) {
  std::vector<const SourcedError*> order;
  for (const SourcedError& one : errors) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(),
                   [](const SourcedError* a, const SourcedError* b) { return urgency(a->error) < urgency(b->error); });
  return order;
}

// A template so that who merges nothing does not pay for it.
template <class = void>
class Merger {
 public:
  explicit Merger(std::span<const SourcedError> errors) : errors_(by_urgency<>(errors)) {}

  ErrorFacts facts(std::string_view lead) const {
    ErrorFacts whole;
    whole.category = category();
    const auto counts = [&](const ToolError& error) {
      return whole.category == Category::unknown ? in_doubt(error) : error.category() == whole.category;
    };
    constexpr Resolution preferred[] = {Resolution::reconcile, Resolution::fix_input, Resolution::escalate,
                                        Resolution::abort, Resolution::retry};  // retry only if every one says so
    std::size_t best = std::size(preferred);
    FieldErrors left_out;
    std::string internal;
    for (const SourcedError* one : errors_) {
      const ErrorFacts& facts = one->error.facts();
      if (facts.internal) append(internal, one->source, facts.internal->for_report());
      if (facts.budget.attempt >= whole.budget.attempt) whole.budget = facts.budget;
      if (!counts(one->error)) continue;
      if (whole.code.empty())
        whole.code = one->error.category() == whole.category ? facts.code : "OUTCOME_UNKNOWN";  // no longer transient
      const Resolution said =
          facts.may_have_happened && whole.category == Category::unknown ? Resolution::reconcile : facts.resolution;
      best = (std::min)(best, static_cast<std::size_t>(std::find(preferred, std::end(preferred), said) - preferred));
      if (facts.retry_after)
        whole.retry_after = (std::max)(whole.retry_after.value_or(*facts.retry_after), *facts.retry_after);
      whole.may_have_happened = whole.may_have_happened || facts.may_have_happened;
      if (!whole.reconcile) whole.reconcile = facts.reconcile;
      if (!whole.confirmation) whole.confirmation = facts.confirmation;
      if (whole.example.empty()) whole.example = facts.example;
      for (const FieldError& fault : facts.field_errors) {
        if (whole.field_errors.size() < FieldErrors::most)
          whole.field_errors.push_back(fault);
        else
          left_out.count();
      }
    }
    if (left_out.size() > 0) whole.field_errors.push_back(left_out.take().back());
    whole.resolution = preferred[best];
    whole.message = message(lead);
    whole.partial = list();
    if (!internal.empty()) whole.internal = InternalDetail(std::move(internal));
    return whole;
  }

 private:
  // An error that may be repeated because its upstream does it once is in doubt as soon as the whole may not be repeated.
  Category category() const {
    const auto any = [&](auto holds) {
      return std::any_of(errors_.begin(), errors_.end(), [&](const SourcedError* one) { return holds(one->error); });
    };
    const bool repeatable = !any([](const ToolError& error) { return !error.retryable(); });
    if (!repeatable && any(in_doubt)) return Category::unknown;
    for (const Category first : {Category::permission, Category::validation, Category::business})
      if (any([&](const ToolError& error) { return error.category() == first; })) return first;
    return Category::transient;
  }

  static void append(std::string& text, std::string_view source, std::string_view what) {
    text.append(text.empty() ? "" : " ").append(shortened(source, 120)).append(": ").append(what);
  }

  // "3 unknown, 1 transient" of those from `first` on.
  std::string counted(std::size_t first) const {
    constexpr std::size_t categories = 5;
    std::array<std::size_t, categories> counts{};
    for (std::size_t i = first; i < errors_.size(); ++i)
      ++counts[static_cast<std::size_t>(errors_[i]->error.category())];
    std::string text;
    for (std::size_t i = categories; i-- > 0;)
      if (counts[i] > 0)
        text.append(text.empty() ? "" : ", ")
            .append(std::to_string(counts[i]))
            .append(" ")
            .append(name(static_cast<Category>(i)));
    return text;
  }

  static std::size_t written_size(std::string_view text) {
    std::string quoted;
    append_quoted(quoted, text);
    return quoted.size();
  }

  // Whatever stands in it is within what an error may take: what is not told in words is counted.
  std::string message(std::string_view lead) const {
    constexpr std::size_t room = ErrorLimits::message - 256;
    std::string text(lead.empty() ? std::to_string(errors_.size()) + " failures." : shortened(lead, 256));
    const std::size_t each = (std::max)(room / errors_.size(), std::size_t{160});
    std::size_t told = 0;
    for (std::size_t size = written_size(text); told < errors_.size(); ++told) {
      std::string one;
      append(one, errors_[told]->source, shortened(errors_[told]->error.message(), each));
      if (std::string_view(".!?").find(one.back()) == std::string_view::npos) one += '.';
      size += written_size(one);
      if (told > 0 && size > room) break;
      text.append(" ").append(one);
    }
    if (told < errors_.size())
      text.append(" And ")
          .append(std::to_string(errors_.size() - told))
          .append(" more: ")
          .append(counted(told))
          .append(".");
    return text;
  }

  std::string list() const {
    TextWriter out;
    out.begin_object().key("failed").begin_array();
    std::size_t listed = 0;
    for (; listed < errors_.size(); ++listed) {
      const Failure failure(errors_[listed]->source, errors_[listed]->error);
      TextWriter one;
      Unencodable fault;  // there is nothing in a failure that cannot be written
      (void)write_object(one, table_of<Failure>().root(), &failure, fault);
      if (listed > 0 && out.text().size() + one.text().size() > ErrorLimits::partial - 256) break;
      out.raw(one.text());
    }
    out.end_array();
    if (listed < errors_.size()) out.key("not_listed").string(counted(listed));
    return out.end_object().take();
  }

  std::vector<const SourcedError*> errors_;
};

/// The failures of a result, as they are told.
template <class = void>
std::vector<Failure> failures_of(std::span<const SourcedError> errors) {
  std::vector<Failure> told;
  for (const SourcedError* one : by_urgency<>(errors)) told.emplace_back(one->source, one->error);
  return told;
}

}  // namespace detail

inline FailureFacts::FailureFacts(const ToolError& error)
    : error_code(error.code()),
      category(error.category()),
      retryable(error.retryable()),
      resolution(error.resolution()),
      message(detail::shortened(error.message(), 1000)) {
  const ErrorFacts& facts = error.facts();
  if (facts.retry_after) retry_after_ms = static_cast<std::int64_t>(facts.retry_after->count());
  if (facts.reconcile) {
    const auto& [tool, arguments] = *facts.reconcile;
    if (tool.size() + arguments.size() > ErrorLimits::reconcile)
      message += " (The call that finds out is too long to repeat here.)";
    else
      reconcile = FailureReconcile{tool, {arguments.empty() ? "{}" : arguments}};
  }
  if (facts.partial.size() > 4096)
    message += " (What it had obtained is too long to repeat here.)";
  else if (!facts.partial.empty())
    partial = JsonText{facts.partial};
}

inline Failure::Failure(std::string_view what, const ToolError& error)
    : FailureFacts(error), source(detail::shortened(what, 120)) {}

template <class>
ToolError merge(std::span<const SourcedError> errors, std::string_view lead) {
  if (errors.empty()) throw std::invalid_argument("toolcontract: merge needs at least one error");
  if (errors.size() == 1) return errors.front().error;
  return ToolError::restore(detail::Merger<>(errors).facts(lead));
}

}  // namespace v0
}  // namespace toolcontract
