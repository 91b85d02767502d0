// SPDX-License-Identifier: MIT
/// \file
/// When two JSON values are the same: 1.0 is 1, members stand in any order.
///
///     detail::order(a, b) == 0                     // a total order, for sorting and uniqueItems
///     detail::canonical_text({{"b", 1.0}, {"a", 2}})   // {"a":2,"b":1}: one text for all values that are equal
///
/// nlohmann's == tells 18446744073709551615 and -1 apart only by luck and compares ordered objects in order.
/// Nothing here is for users.
///
/// Cost: nlohmann/json; templates only.
#pragma once

#include <toolcontract/json_value.hpp>
#include <toolcontract/table.hpp>
#include <toolcontract/text.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

template <BasicJson J>
const std::string& text_of(const J& json) {
  return *json.template get_ptr<const typename J::string_t*>();
}

/// Objects of J are sorted by name, as those of nlohmann::json are.
template <BasicJson J>
inline constexpr bool is_sorted =
    std::is_same_v<typename J::object_t,
                   std::map<std::string, J, typename J::object_t::key_compare, typename J::object_t::allocator_type>> &&
    (std::is_same_v<typename J::object_t::key_compare, std::less<std::string>> ||
     std::is_same_v<typename J::object_t::key_compare, std::less<>>);

/// Compares values as JSON Schema means equality (1.0 equals 1, members in any order); any total order otherwise.
/// Precondition: no NaN inside.
template <BasicJson J>
int order(const J& a, const J& b) {
  const auto rank = [](const J& value) { return value.is_number() ? 2 : static_cast<int>(value.type()) + 10; };
  const auto sign = [](const auto& x, const auto& y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (rank(a) != rank(b)) return sign(rank(a), rank(b));
  if (a.is_number()) return sign(number_of(a), number_of(b));
  if (a.is_boolean()) return sign(a.template get<bool>(), b.template get<bool>());
  if (a.is_string()) return text_of(a).compare(text_of(b));
  if (!a.is_structured() || a.size() != b.size()) return sign(a.size(), b.size());
  if (a.is_array()) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (const int difference = order(a[i], b[i]); difference != 0) return difference;
    return 0;
  }
  using Member = const typename J::object_t::value_type*;
  const auto compare = [&](const auto& x, const auto& y) {
    const int names = x.first.compare(y.first);
    return names != 0 ? names : order(x.second, y.second);
  };
  const auto& left = a.template get_ref<const typename J::object_t&>();
  const auto& right = b.template get_ref<const typename J::object_t&>();
  if constexpr (is_sorted<J>) {
    for (auto x = left.begin(), y = right.begin(); x != left.end(); ++x, ++y)
      if (const int difference = compare(*x, *y); difference != 0) return difference;
  } else {
    std::vector<Member> xs, ys;
    for (const auto& member : left) xs.push_back(&member);
    for (const auto& member : right) ys.push_back(&member);
    const auto by_name = [](Member x, Member y) { return x->first < y->first; };
    std::sort(xs.begin(), xs.end(), by_name);
    std::sort(ys.begin(), ys.end(), by_name);
    for (std::size_t i = 0; i < xs.size(); ++i)
      if (const int difference = compare(*xs[i], *ys[i]); difference != 0) return difference;
  }
  return 0;
}

/// One text for all values that are equal: members sorted, 1.0 written as 1. Precondition: sound.
template <BasicJson J>
void write_canonical(TextWriter& out, const J& json) {
  if (json.is_number()) {
    const Number number = number_of(json);
    const auto integer = integer_of(number);
    return write_number(out, integer ? *integer : number);
  }
  if (json.is_array()) {
    out.begin_array();
    for (const J& element : json) write_canonical(out, element);
    out.end_array();
    return;
  }
  if (json.is_object()) {
    std::map<std::string_view, const J*> sorted;
    for (const auto& [key, member] : json.template get_ref<const typename J::object_t&>()) sorted.emplace(key, &member);
    out.begin_object();
    for (const auto& [key, member] : sorted) write_canonical(out.key(key), *member);
    out.end_object();
    return;
  }
  Unencodable ignored;
  (void)write_json(out, json, ignored);
}

template <BasicJson J>
std::string canonical_text(const J& json) {
  TextWriter out;
  write_canonical(out, json);
  return out.take();
}

template <BasicJson J>
bool equals(const J& json, const Literal& literal) {
  switch (literal.form()) {
    case Literal::Form::null:
      return json.is_null();
    case Literal::Form::boolean:
      return json.is_boolean() && json.template get<bool>() == literal.boolean();
    case Literal::Form::number:
      return json.is_number() && number_of(json) == literal.number();
    case Literal::Form::string:
      return json.is_string() && text_of(json) == literal.text();
    case Literal::Form::json:
      return json.is_structured() && canonical_text(json) == literal.text();
    default:
      return false;
  }
}

/// Is the value one of the schema's constants?
template <BasicJson J>
bool is_allowed(const Schema& schema, const J& json) {
  if (json.is_string()) {
    const std::string_view text = text_of(json);
    for (const Literal& literal : schema.allowed)
      if (literal.form() == Literal::Form::string && utf8::same(literal.text(), text)) return true;
    return false;
  }
  return std::any_of(schema.allowed.begin(), schema.allowed.end(),
                     [&](const Literal& literal) { return equals(json, literal); });
}

/// The first two equal elements, as {later, earlier}; n log n, and without allocating for a few.
template <BasicJson J>
std::optional<std::pair<std::size_t, std::size_t>> repeated(const typename J::array_t& elements) {
  constexpr std::size_t few = 16;
  if (elements.size() <= few) {
    for (std::size_t i = 1; i < elements.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (order(elements[i], elements[j]) == 0) return std::pair(i, j);
    return std::nullopt;
  }
  std::vector<std::size_t> sorted(elements.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  const auto before = [&](std::size_t a, std::size_t b) { return order(elements[a], elements[b]) < 0; };
  std::stable_sort(sorted.begin(), sorted.end(), before);
  std::optional<std::pair<std::size_t, std::size_t>> first;
  for (std::size_t i = 1; i < sorted.size(); ++i)
    if (!before(sorted[i - 1], sorted[i]) && (!first || sorted[i] < first->first)) first = {sorted[i], sorted[i - 1]};
  return first;
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
