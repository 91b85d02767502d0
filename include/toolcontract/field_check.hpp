// SPDX-License-Identifier: MIT
/// \file
/// Does a constraint make sense where it stands? Asked by the compiler, of every described field.
///
///     field<&Order::total>("total", "What was paid.", max_length(5))    // does not compile: constrain strings; …
///     field<&Order::total>("total", "What was paid.", between(9, 1))    // does not compile: an empty range
///
/// Nothing here is for users: schema.hpp is.
///
/// Cost: std only; compile time only.
#pragma once

#include <toolcontract/constraint.hpp>
#include <toolcontract/storage.hpp>
#include <toolcontract/table.hpp>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace toolcontract {
inline namespace v0 {
namespace detail {

/// What a description can get wrong with its values rather than its types: kept as data, one static_assert a rule.
enum class Problem {
  none,
  empty_name,
  duplicate_name,
  empty_description,
  bound_outside_member,
  empty_range,
  repeated_value,
  bad_step
};

template <class Constraint, class Value>
consteval void check_fits() {
  constexpr bool numeric = Integer<Value> || Real<Value>;
  constexpr bool text = std::same_as<Value, std::string>;
  constexpr Types types = Plain<Value>::is_described ? Types{} : Plain<Value>::schema().types;
  constexpr bool list = types == Types(Type::array);
  constexpr Keyword keyword = Constraint::keyword;
  static_assert(
      keyword != Keyword::range || numeric,
      "toolcontract: minimum, maximum and between constrain numbers; for a string use min_length and max_length, "
      "for a vector or map min_items and max_items");
  static_assert(keyword != Keyword::multiple || numeric, "toolcontract: multiple_of constrains numbers");
  static_assert(
      keyword != Keyword::length || text,
      "toolcontract: min_length and max_length constrain strings; for a vector or map use min_items and max_items");
  static_assert(keyword != Keyword::pattern || text,
                "toolcontract: pattern constrains strings; for a fixed set of values use an enum");
  static_assert(keyword != Keyword::format || text, "toolcontract: format constrains strings");
  static_assert(
      keyword != Keyword::items || list || types == Types(Type::object),
      "toolcontract: min_items and max_items constrain vectors and maps; for a string use min_length and max_length");
  static_assert(keyword != Keyword::unique || list, "toolcontract: unique_items constrains vectors and arrays");

  static_assert(keyword != Keyword::as_string || Integer<Value>,
                "toolcontract: as_string is for integers; a string is one already, and any other value has one form");

  using Given = typename Constraint::Value;  // of a default or example; void for anything else
  constexpr bool same = std::is_void_v<Given> || std::same_as<Given, Literal> ? true
                        : std::is_enum_v<Given> || std::same_as<Given, bool>  ? std::same_as<Given, Value>
                        : Integer<Given>                                      ? numeric
                        : Real<Given>                                         ? Real<Value>
                                                                              : text;
  static_assert(same,
                "toolcontract: a default or example has its member's type: a bool, number, string or enumerator, or "
                "tc::json(text) "
                "for anything else");
}

constexpr Problem problem_of(const Schema& plain, const Schema& constrained, std::string_view name,
                             std::string_view description) {
  if (name.empty()) return Problem::empty_name;
  if (description.find_first_not_of(" \t\n") == description.npos) return Problem::empty_description;
  const Limits& limits = constrained.limits;
  const auto outside = [&](const std::optional<Bound>& bound) {
    return bound && ((plain.limits.minimum && bound->value < plain.limits.minimum->value) ||
                     (plain.limits.maximum && bound->value > plain.limits.maximum->value));
  };
  if (outside(limits.minimum) || outside(limits.maximum)) return Problem::bound_outside_member;
  if (limits.minimum && limits.maximum) {
    const auto order = limits.minimum->value <=> limits.maximum->value;
    const bool one_value = order == 0 && !limits.minimum->exclusive && !limits.maximum->exclusive;
    if (!(order < 0) && !one_value) return Problem::empty_range;  // NaN too
  }
  if (limits.length.least > limits.length.most || limits.items.least > limits.items.most ||
      limits.properties.least > limits.properties.most)
    return Problem::empty_range;
  if (limits.items.least < plain.limits.items.least || limits.items.most > plain.limits.items.most)
    return Problem::bound_outside_member;  // a std::array has as many items as it has
  if (limits.multiple_of && !(*limits.multiple_of > Number(0))) return Problem::bad_step;
  return Problem::none;
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
