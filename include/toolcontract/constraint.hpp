// SPDX-License-Identifier: MIT
/// \file
/// What a value must satisfy beyond its type: the constraints a field may carry, and one check for each of them.
///
///     tc::field<&In::amount>("amount", "Amount in euros, e.g. 12.50.", tc::exclusive_minimum(0), tc::multiple_of(0.01))
///     tc::field<&In::since>("since", "First day, e.g. 2026-11-30.", tc::format(tc::Format::date))
///
/// Described types and JSON Schema documents are checked by the same functions below, on the same Limits.
/// A constraint on a member JSON Schema has no such keyword for does not compile (schema.hpp checks the pairing).
///
/// Cost: std and RE2.
#pragma once

#include <toolcontract/format.hpp>
#include <toolcontract/pattern.hpp>
#include <toolcontract/table.hpp>
#include <toolcontract/utf8.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace toolcontract {
inline namespace v0 {

namespace detail {

/// Which members a constraint fits.
enum class Keyword { range, multiple, length, pattern, format, items, unique, as_string, annotation };

template <Keyword K, class Apply>
struct Constraint {
  static constexpr Keyword keyword = K;
  using Value = void;
  Apply apply;  ///< void(Schema&)
};
template <Keyword K, class Apply>
constexpr Constraint<K, Apply> constraint(Apply apply) {
  return {apply};
}

/// A default or examples: fits a member of the value's type V.
template <class V, class Apply>
struct Sample {
  static constexpr Keyword keyword = Keyword::annotation;
  using Value = V;
  Apply apply;
};
template <class V, class Apply>
constexpr Sample<V, Apply> sample(Apply apply) {
  return {apply};
}

template <class V>
constexpr Literal literal(V value) {
  if constexpr (std::is_enum_v<V>)
    return Literal::enumerator(static_cast<std::int64_t>(value));
  else if constexpr (std::is_arithmetic_v<V> && !std::same_as<V, bool>)
    return Literal(Number(value));
  else if constexpr (std::convertible_to<V, std::string_view>)
    return Literal(std::string_view(value));
  else
    return Literal(value);
}

/// The sizes that min_items and max_items mean. (No is_map(): g++ with UBSan compares no function in a constant expression.)
constexpr Sizes& counted(Schema& schema) {
  return schema.types == Types(Type::object) ? schema.limits.properties : schema.limits.items;
}

/// A finite number as digits * 10^exponent, by its shortest decimal text; the sign is left out.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
  explicit Decimal(std::floating_point auto value) {
    char text[40];
    const auto* end = std::to_chars(text, text + sizeof text, std::fabs(value), std::chars_format::scientific).ptr;
    for (const char* at = text; at != end; ++at) {
      if (*at == 'e') {
        int written = 0;
        std::from_chars(at[1] == '+' ? at + 2 : at + 1, end, written);
        exponent += written;
        break;
      }
      if (*at == '.') continue;
      digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
      if (at != text) --exponent;
    }
  }
};

#ifdef __SIZEOF_INT128__
__extension__ using Wide = unsigned __int128;
#else
#error "toolcontract needs a compiler with 128-bit integers (g++ or clang on a 64-bit target)"
#endif

/// Is value an integer times step, as decimals? (digits_v * 10^e) mod digits_s, by repeated multiplication without overflow.
inline bool is_decimal_multiple(const Number& value, const Number& step) {
  if (!std::isfinite(value.as_double()) || !std::isfinite(step.as_double()) || !(step > Number(0))) return false;
  if (value == Number(0)) return true;
  Decimal dividend(value.as_double());
  Decimal divisor(step.as_double());
  if (value.is_integer())
    dividend.digits = value.is_signed() && value.as_int64() < 0 ? 0 - value.as_uint64() : value.as_uint64(),
    dividend.exponent = 0;
  if (step.is_integer()) divisor.digits = step.as_uint64(), divisor.exponent = 0;
  for (; divisor.digits % 10 == 0; divisor.digits /= 10) ++divisor.exponent;
  for (; dividend.digits % 10 == 0; dividend.digits /= 10) ++dividend.exponent;
  int shift = dividend.exponent - divisor.exponent;
  if (shift < 0) return false;  // the value has decimals the step has not
  std::uint64_t remainder = dividend.digits % divisor.digits;
  for (; shift > 0 && remainder != 0; --shift)
    remainder = static_cast<std::uint64_t>(static_cast<Wide>(remainder) * 10 % divisor.digits);
  return remainder == 0;
}

}  // namespace detail

/// Numbers from `least` to `most`, both included.
constexpr auto between(Number least, Number most) {
  return detail::constraint<detail::Keyword::range>([=](Schema& schema) {
    schema.limits.minimum = Bound{least};
    schema.limits.maximum = Bound{most};
  });
}
constexpr auto minimum(Number least) {
  return detail::constraint<detail::Keyword::range>([=](Schema& schema) { schema.limits.minimum = Bound{least}; });
}
constexpr auto maximum(Number most) {
  return detail::constraint<detail::Keyword::range>([=](Schema& schema) { schema.limits.maximum = Bound{most}; });
}
constexpr auto exclusive_minimum(Number below) {
  return detail::constraint<detail::Keyword::range>([=](Schema& schema) {
    schema.limits.minimum = Bound{below, true};
  });
}
constexpr auto exclusive_maximum(Number above) {
  return detail::constraint<detail::Keyword::range>([=](Schema& schema) {
    schema.limits.maximum = Bound{above, true};
  });
}
/// Divisible without remainder; decimal steps such as 0.01 are taken as the decimals they are written as.
constexpr auto multiple_of(Number step) {
  return detail::constraint<detail::Keyword::multiple>([=](Schema& schema) { schema.limits.multiple_of = step; });
}
/// Length of a string in code points.
constexpr auto min_length(std::size_t least) {
  return detail::constraint<detail::Keyword::length>([=](Schema& schema) { schema.limits.length.least = least; });
}
constexpr auto max_length(std::size_t most) {
  return detail::constraint<detail::Keyword::length>([=](Schema& schema) { schema.limits.length.most = most; });
}
/// An ECMA-262 pattern the string must contain a match of; anchor it with ^ and $ to mean the whole. See pattern.hpp.
constexpr auto pattern(std::string_view ecma) {
  return detail::constraint<detail::Keyword::pattern>([=](Schema& schema) { schema.limits.pattern = ecma; });
}
constexpr auto format(Format format) {
  return detail::constraint<detail::Keyword::format>([=](Schema& schema) { schema.limits.format = format; });
}
/// Number of elements of a vector or entries of a map.
constexpr auto min_items(std::size_t least) {
  return detail::constraint<detail::Keyword::items>([=](Schema& schema) { detail::counted(schema).least = least; });
}
constexpr auto max_items(std::size_t most) {
  return detail::constraint<detail::Keyword::items>([=](Schema& schema) { detail::counted(schema).most = most; });
}
constexpr auto unique_items() {
  return detail::constraint<detail::Keyword::unique>([](Schema& schema) { schema.limits.unique = true; });
}
/// An integer that is a string of decimal digits in JSON, in arguments and results alike: 64-bit ids survive readers that
/// keep numbers in doubles, JavaScript first of all. Bounds, steps, default and examples stay numbers here.
constexpr auto as_string() {
  return detail::constraint<detail::Keyword::as_string>([](Schema& schema) {
    schema.types = Type::string;
    schema.as_string = true;
  });
}
/// JSON text, for a default or an example that is not a plain bool, number, string or enumerator.
constexpr Literal json(std::string_view text) { return Literal::json(text); }
/// What an absent argument becomes; makes the field one that may be left out. Checked against the field when the tool is built.
template <class V>
constexpr auto default_value(V value) {
  return detail::sample<V>([=](Schema& schema) { schema.default_value = detail::literal(value); });
}
/// Up to four sample values, shown to the model. Checked like a default.
template <class... Vs>
constexpr auto examples(Vs... values) {
  static_assert(sizeof...(Vs) >= 1 && sizeof...(Vs) <= 4, "toolcontract: examples takes one to four sample values");
  return detail::sample<std::common_type_t<Vs...>>(
      [=](Schema& schema) { schema.examples = {detail::literal(values)...}; });
}
/// A display name.
constexpr auto title(std::string_view title) {
  return detail::constraint<detail::Keyword::annotation>([=](Schema& schema) { schema.title = title; });
}
/// A credential or the like: never echoed in an error, a report or a result; emitted as writeOnly.
constexpr auto secret() {
  return detail::constraint<detail::Keyword::annotation>([](Schema& schema) { schema.secret = true; });
}
constexpr auto deprecated() {
  return detail::constraint<detail::Keyword::annotation>([](Schema& schema) { schema.deprecated = true; });
}

namespace detail {

/// A text that is of no use in part, such as a cursor: never cut to make a result fit.
constexpr auto kept_whole() {
  return constraint<Keyword::annotation>([](Schema& schema) { schema.kept_whole = true; });
}

/// What as_string emits; is_integer_text says the same.
inline constexpr std::string_view integer_pattern = "^-?(0|[1-9][0-9]*)$";

constexpr bool is_integer_text(std::string_view text) noexcept {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && (text.size() == 1 || text.front() != '0') &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// The integer an as_string member stands for; nothing for another text and for one that 64 bits do not hold.
inline std::optional<Number> integer_in(std::string_view text) {
  if (!is_integer_text(text)) return std::nullopt;
  const auto read = [&](auto value) -> std::optional<Number> {
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
    return Number(value);
  };
  return text.starts_with('-') ? read(std::int64_t{}) : read(std::uint64_t{});
}

}  // namespace detail

// One check for each limit. `limits` may hold others; each function looks at its own.

/// minimum, maximum and their exclusive forms.
[[nodiscard]] constexpr bool in_range(const Limits& limits, const Number& value) {
  if (limits.minimum &&
      (limits.minimum->exclusive ? !(value > limits.minimum->value) : !(value >= limits.minimum->value)))
    return false;
  return !limits.maximum ||
         (limits.maximum->exclusive ? value < limits.maximum->value : value <= limits.maximum->value);
}

/// multipleOf, with both numbers taken as the decimals they print as: 19.99 is a multiple of 0.01 although no double is.
[[nodiscard]] inline bool is_multiple_of(const Number& value, const Number& step) {
  if (value.is_integer() && step.is_integer()) {
    if (step == Number(0)) return false;
    const auto magnitude = [](const Number& number) {
      return number.is_signed() && number.as_int64() < 0 ? 0 - number.as_uint64() : number.as_uint64();
    };
    return magnitude(value) % magnitude(step) == 0;
  }
  return detail::is_decimal_multiple(value, step);
}

/// minLength, maxLength in code points. The text is valid UTF-8.
[[nodiscard, gnu::always_inline]] constexpr bool length_fits(const Limits& limits, std::string_view text) {
  const auto [least, most] = limits.length;  // each code point has one to four bytes
  if (text.size() <= most && (text.size() + 3) / 4 >= least) return true;
  if (text.size() < least || text.size() / 4 > most) return false;
  return limits.length.allow(utf8::count(text));
}

/// pattern: a match anywhere in the text.
[[nodiscard]] inline bool pattern_fits(const Limits& limits, std::string_view text) {
  return limits.compiled_pattern == nullptr || limits.compiled_pattern->matches(text);
}

/// format: enforced for the formats in format.hpp, an annotation otherwise.
[[nodiscard]] inline bool format_fits(const Limits& limits, std::string_view text) {
  return limits.format == Format::none || matches_format(limits.format, text);
}

}  // namespace v0
}  // namespace toolcontract
