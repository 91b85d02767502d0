// SPDX-License-Identifier: MIT
/// \file
/// What an error says, as data: its category, its code, the fields it points at, the next move.
///
///     tc::allows(tc::Category::business, tc::Resolution::retry)     // false: the category fixes what may be said
///     tc::ErrorCode("ORDER_NOT_FOUND")                              // checked by the compiler
///     error.facts().field_errors                                    // [{"until", "rule", "must not be before since", …}]
///
/// Who makes an error uses error.hpp; who reads one, writes one down or carries it elsewhere needs no more than this.
///
/// Cost: std only, no JSON. Parts that are JSON in the envelope are held as JSON text.
#pragma once

#include <toolcontract/utf8.hpp>

#include <charconv>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Pick by what the caller should do next, not by what broke.
enum class Category : unsigned char {
  transient,   ///< The same call may work later, unchanged. A write that may already have landed is `unknown`.
  validation,  ///< Something is malformed and nobody's rule said no. A rule that said no is `business`.
  business,    ///< A rule says no, and will say no again. If another caller could be allowed, it is `permission`.
  permission,  ///< This caller may not, or a human must agree first. If nobody may, it is `business`.
  unknown,  ///< A write went out and no answer came back, or a fault nobody classified. A timed-out read is `transient`.
};

/// What the caller does next. The category fixes which of these may be said.
enum class Resolution : unsigned char {
  retry,      ///< Send the same call again (transient only).
  fix_input,  ///< Change the arguments as field_errors say, then call again (validation only).
  abort,      ///< Stop: no further call of this kind will work.
  escalate,   ///< Hand over to a human or to the caller's caller.
  reconcile,  ///< Do not call again: find out what happened first (unknown only).
};

[[nodiscard]] constexpr std::string_view name(Category category) noexcept {
  constexpr std::string_view names[] = {"transient", "validation", "business", "permission", "unknown"};
  return names[static_cast<unsigned char>(category)];
}
[[nodiscard]] constexpr std::string_view name(Resolution resolution) noexcept {
  constexpr std::string_view names[] = {"retry", "fix_input", "abort", "escalate", "reconcile"};
  return names[static_cast<unsigned char>(resolution)];
}

/// The resolution a category has until something says otherwise.
[[nodiscard]] constexpr Resolution default_resolution(Category category) noexcept {
  constexpr Resolution defaults[] = {Resolution::retry, Resolution::fix_input, Resolution::abort, Resolution::escalate,
                                     Resolution::reconcile};
  return defaults[static_cast<unsigned char>(category)];
}

/// The category table: which resolutions a category may carry.
[[nodiscard]] constexpr bool allows(Category category, Resolution resolution) noexcept {
  switch (category) {
    case Category::transient:
      return resolution == Resolution::retry || resolution == Resolution::escalate;
    case Category::validation:
      return resolution == Resolution::fix_input || resolution == Resolution::abort ||
             resolution == Resolution::escalate;
    case Category::business:
    case Category::permission:
      return resolution == Resolution::abort || resolution == Resolution::escalate;
    case Category::unknown:
      return resolution == Resolution::reconcile || resolution == Resolution::escalate;
  }
  return false;
}

namespace detail {

constexpr bool is_screaming_snake(std::string_view text) noexcept {
  if (text.empty() || text.size() > 64 || text.front() < 'A' || text.front() > 'Z' || text.back() == '_') return false;
  char before = 'A';
  for (const char c : text) {
    const bool legal = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!legal || (c == '_' && before == '_')) return false;
    before = c;
  }
  return true;
}

constexpr bool is_blank(std::string_view text) noexcept { return text.find_first_not_of(" \t\r\n") == text.npos; }

// Not constexpr: reaching it in a constant expression stops the compiler, and the name is the message it prints.
inline void an_error_code_must_be_SCREAMING_SNAKE_such_as_ORDER_NOT_FOUND_of_1_to_64_characters() {}

}  // namespace detail

/// A stable identifier in SCREAMING_SNAKE: dashboards and callers branch on it, so it changes only with its meaning.
/// A literal is checked by the compiler; a code made at run time goes through `checked`.
class ErrorCode {
 public:
  template <std::size_t N>
  consteval ErrorCode(const char (&literal)[N]) : text_(literal, N - 1) {  // NOLINT: implicit, factories take a literal
    if (!detail::is_screaming_snake(text_))
      detail::an_error_code_must_be_SCREAMING_SNAKE_such_as_ORDER_NOT_FOUND_of_1_to_64_characters();
  }

  /// \throws std::invalid_argument when the text is not SCREAMING_SNAKE. The text must outlive the ErrorCode.
  [[nodiscard]] static ErrorCode checked(std::string_view text);

  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

 private:
  struct Unchecked {};
  constexpr ErrorCode(Unchecked, std::string_view text) noexcept : text_(text) {}
  std::string_view text_;
};

/// A value shown back to the caller: a string, cut to 120 bytes on a character boundary, or JSON text for everything else.
class Shown {
 public:
  Shown(std::string text) : text_(std::move(text)) {  // NOLINT: implicit, `got` takes what the author has
    if (const std::size_t kept = utf8::prefix(text_, 120).size(); kept < text_.size())
      text_.replace(kept, text_.npos, "…");
  }
  Shown(std::string_view text) : Shown(std::string(text)) {}              // NOLINT
  Shown(const char* text) : Shown(std::string(text)) {}                   // NOLINT
  Shown(bool value) : text_(value ? "true" : "false"), is_json_(true) {}  // NOLINT
  template <class N>
  requires(std::is_arithmetic_v<N> && !std::same_as<N, bool>) Shown(N value);  // NOLINT
  /// Any JSON value, as its text. The text must be well-formed JSON.
  [[nodiscard]] static Shown json(std::string text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] bool is_json() const noexcept {
    return is_json_;
  }  ///< false: text() is a plain string, still to be quoted
  friend bool operator==(const Shown&, const Shown&) = default;

 private:
  std::string text_;
  bool is_json_ = false;
};

/// One thing that is wrong with one argument.
struct FieldError {
  std::string field{};    ///< Readable path, e.g. `items[3].sku` or `labels["a.b"]`; "" for the arguments as a whole.
  std::string code{};     ///< What kind of fault: required, type, enum, range, …
  std::string problem{};  ///< Starts with "must": every legal value or bound, then the next step.
  std::optional<Shown> got{};  ///< What arrived; left out for an unknown field, "[redacted]" for a secret one.
  friend bool operator==(const FieldError&, const FieldError&) = default;
};

/// Text for the person who reads the log, never for a model: no envelope can be made from this type.
class InternalDetail {
 public:
  explicit InternalDetail(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] const std::string& for_report() const noexcept { return text_; }
  friend bool operator==(const InternalDetail&, const InternalDetail&) = default;

 private:
  std::string text_;
};

/// The call that finds out what happened to an earlier one.
struct ReconcileCall {
  std::string tool{};
  std::string arguments{};  ///< JSON text of an object.
  friend bool operator==(const ReconcileCall&, const ReconcileCall&) = default;
};

/// What a human is asked before the call may go on.
struct Confirmation {
  std::string preview{};         ///< What would happen, in words to show.
  std::string how_to_proceed{};  ///< What the model does meanwhile.
  std::string ticket{};          ///< Opaque; only the host can grant it.
  friend bool operator==(const Confirmation&, const Confirmation&) = default;
};

/// Which call an error belongs to, and what is left to try: told by the host, not by the tool.
struct CallBudget {
  std::string correlation_id{};
  int attempt = 1;                    ///< 1 for the first.
  std::optional<int> max_attempts{};  ///< Absent: the host did not say.
  std::optional<std::chrono::milliseconds>
      deadline_remaining{};  ///< Absent: no deadline. Never negative in an envelope.
  friend bool operator==(const CallBudget&, const CallBudget&) = default;
};

/// Everything an error says. Members that are JSON text may be empty: then the envelope leaves them out.
struct ErrorFacts {
  std::string code{};
  Category category = Category::unknown;
  Resolution resolution = Resolution::reconcile;
  std::string message{};
  std::vector<FieldError> field_errors{};
  CallBudget budget{};
  std::optional<std::chrono::milliseconds> retry_after{};
  bool may_have_happened = false;  ///< See ErrorOf::may_have_happened; no part of the envelope.
  std::optional<ReconcileCall> reconcile{};
  std::string example{};  ///< A valid call's arguments (JSON text).
  std::optional<Confirmation> confirmation{};
  std::string partial{};  ///< What was obtained before the failure (JSON text).
  std::string extra{};    ///< Members of a foreign envelope that this version does not know (JSON text of an object).
  std::optional<InternalDetail> internal{};
  friend bool operator==(const ErrorFacts&, const ErrorFacts&) = default;
};

inline ErrorCode ErrorCode::checked(std::string_view text) {
  if (!detail::is_screaming_snake(text))
    throw std::invalid_argument(
        "toolcontract: an error code must be SCREAMING_SNAKE of 1 to 64 characters, such as "
        "ORDER_NOT_FOUND; got \"" +
        std::string(text.substr(0, 80)) + "\"");
  return {Unchecked{}, text};
}

template <class N>
requires(std::is_arithmetic_v<N> && !std::same_as<N, bool>) Shown::Shown(N value) : is_json_(true) {
  if constexpr (std::is_floating_point_v<N>) {
    if (!(value - value == 0)) {  // NaN and infinity have no JSON number
      text_ = value != value ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
      is_json_ = false;
      return;
    }
  }
  char digits[32];
  text_.assign(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

inline Shown Shown::json(std::string text) {
  Shown shown{std::string()};
  shown.text_ = std::move(text);  // whole: half of it would be no JSON
  shown.is_json_ = true;
  return shown;
}

}  // namespace v0
}  // namespace toolcontract
