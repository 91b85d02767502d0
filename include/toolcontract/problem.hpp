// SPDX-License-Identifier: MIT
/// \file
/// How a fault in a value is told: what would be right, and the likely slip.
///
///     problem::one_of(choices, "opened")   // "must be one of open, pending, closed; did you mean open?"
///
/// Every wording of a field error stands here, so that one fault reads the same wherever it is found. Each starts with
/// "must", names every legal value or bound, is lower case and has no full stop.
///
/// Cost: std only; runs only once something is wrong.
#pragma once

#include <toolcontract/error.hpp>
#include <toolcontract/format.hpp>
#include <toolcontract/path.hpp>
#include <toolcontract/table.hpp>
#include <toolcontract/utf8.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

namespace detail {

inline std::string number_text(const Number& number) {
  char digits[40];
  const auto print = [&](auto value) {
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  };
  if (!number.is_integer()) return print(number.as_double());
  return number.is_signed() ? print(number.as_int64()) : print(number.as_uint64());
}

/// Edits (insert, delete, replace; case ignored) from a to b.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
      diagonal = std::exchange(row[j], (std::min)({replaced, row[j] + 1, row[j - 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace detail

/// The candidate a caller most likely meant by `given`; "" when none is near. Long inputs are never compared.
[[nodiscard]] inline std::string_view nearest(std::string_view given, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t best_distance = (std::max)(given.size() / 3, std::size_t{1}) + 1;
  if (given.empty() || given.size() > 64) return best;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > 64) continue;
    std::size_t distance = detail::edit_distance(given, candidate);
    if (distance == (std::max)(given.size(), candidate.size())) continue;  // nothing in common
    const bool abbreviated = given.size() >= 3 && (candidate.starts_with(given) || candidate.ends_with(given));
    if (abbreviated) distance = (std::min)(distance, std::size_t{1});
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

namespace problem {

/// A text as one of a list: bare, or in quotes where it would be taken for something else ("", "a, b", "1", "null").
[[nodiscard]] inline std::string listed(std::string_view name) {
  const auto digits = [&](std::size_t& at) {
    const std::size_t from = at;
    while (at < name.size() && name[at] >= '0' && name[at] <= '9') ++at;
    return at > from;
  };
  const auto is_number = [&] {
    std::size_t at = name.starts_with('-') ? 1 : 0;
    if (!digits(at)) return false;
    if (at < name.size() && name[at] == '.' && !digits(++at)) return false;
    if (at < name.size() && (name[at] == 'e' || name[at] == 'E')) {
      at += at + 1 < name.size() && (name[at + 1] == '+' || name[at + 1] == '-') ? 2U : 1U;
      if (!digits(at)) return false;
    }
    return at == name.size();
  };
  const auto is_one_of = [](char c, std::string_view of) { return of.find(c) != of.npos; };
  const bool plain = !name.empty() && !is_one_of(name.front(), " \"[{") && !is_one_of(name.back(), " ,") &&
                     name.find(", ") == name.npos && name != "true" && name != "false" && name != "null" &&
                     !is_number();
  if (plain) return std::string(name);
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}
/// "a, b, c"
[[nodiscard]] inline std::string listed(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(listed(name));
  return text;
}
[[nodiscard]] inline std::string did_you_mean(std::string_view given, std::span<const std::string_view> candidates) {
  const std::string_view near = nearest(given, candidates);
  return near.empty() ? std::string() : "; did you mean " + std::string(near) + "?";
}

/// "1 to 50", "at least 1", "greater than 0 and at most 10"; "" without bounds.
[[nodiscard]] inline std::string bounds(const Limits& limits) {
  const auto text = [](const Bound& bound) { return detail::number_text(bound.value); };
  const auto& low = limits.minimum;
  const auto& high = limits.maximum;
  if (low && high && !low->exclusive && !high->exclusive) return text(*low) + " to " + text(*high);
  std::string words;
  if (low) words.append(low->exclusive ? "greater than " : "at least ").append(text(*low));
  if (low && high) words += " and ";
  if (high) words.append(high->exclusive ? "less than " : "at most ").append(text(*high));
  return words;
}
[[nodiscard]] inline std::string range(const Limits& limits) { return "must be " + bounds(limits); }
[[nodiscard]] inline std::string finite() { return "must be a finite number"; }
[[nodiscard]] inline std::string fits_64_bits(bool is_signed) {
  return is_signed ? "must be -9223372036854775808 to 9223372036854775807" : "must be 0 to 18446744073709551615";
}
[[nodiscard]] inline std::string multiple(const Number& step) {
  return "must be a multiple of " + detail::number_text(step);
}

[[nodiscard]] inline std::string sizes(const Sizes& sizes, std::string_view unit) {
  std::string words;
  if (sizes.least == sizes.most)
    words = "exactly " + std::to_string(sizes.least);
  else if (sizes.most == Sizes::unlimited)
    words = "at least " + std::to_string(sizes.least);
  else if (sizes.least == 0)
    words = "at most " + std::to_string(sizes.most);
  else
    words = std::to_string(sizes.least) + " to " + std::to_string(sizes.most);
  words.append(" ").append(unit);
  const bool one = (sizes.most == Sizes::unlimited ? sizes.least : sizes.most) == 1;  // the number that comes last
  if (one && words.ends_with("ies"))
    words.replace(words.size() - 3, 3, "y");
  else if (one && words.ends_with('s'))
    words.pop_back();
  return words;
}
[[nodiscard]] inline std::string length(const Sizes& limit) { return "must have " + sizes(limit, "characters"); }
[[nodiscard]] inline std::string items(const Sizes& limit) { return "must have " + sizes(limit, "items"); }
[[nodiscard]] inline std::string properties(const Sizes& limit) { return "must have " + sizes(limit, "entries"); }
[[nodiscard]] inline std::string pattern(std::string_view source) {
  return "must match the pattern " + std::string(source);
}
[[nodiscard]] inline std::string unique(std::size_t index, std::size_t same_as) {
  return "must have no two equal items; item " + std::to_string(index) + " repeats item " + std::to_string(same_as);
}

[[nodiscard]] inline std::vector<std::string_view> names(std::span<const Choice> choices) {
  std::vector<std::string_view> names;
  for (const Choice& choice : choices) names.push_back(choice.name);
  return names;
}
[[nodiscard]] inline std::vector<std::string_view> names(std::span<const Alternative> alternatives) {
  std::vector<std::string_view> names;
  for (const Alternative& alternative : alternatives) names.push_back(alternative.tag);
  return names;
}
[[nodiscard]] inline std::vector<std::string_view> names(std::span<const Field> fields) {
  std::vector<std::string_view> names;
  for (const Field& field : fields) names.push_back(field.name);
  return names;
}
[[nodiscard]] inline std::string one_of(std::span<const std::string_view> legal, std::string_view given) {
  return "must be one of " + listed(legal) + did_you_mean(given, legal);
}

/// A legal value as it is listed: a string bare where it can be, anything else as JSON.
[[nodiscard]] inline std::string shown(const Literal& literal) {
  switch (literal.form()) {
    case Literal::Form::boolean:
      return literal.boolean() ? "true" : "false";
    case Literal::Form::number:
      return detail::number_text(literal.number());
    case Literal::Form::string:
      return listed(literal.text());
    case Literal::Form::json:
      return std::string(literal.text());
    default:
      return "null";
  }
}
[[nodiscard]] inline std::string listed(std::span<const Literal> literals) {
  std::string text;
  for (const Literal& literal : literals) text.append(text.empty() ? "" : ", ").append(shown(literal));
  return text;
}
/// enum and const of a document.
[[nodiscard]] inline std::string one_of(const Schema& schema, std::string_view given) {
  if (schema.is_const) return "must be " + listed(schema.allowed);
  std::vector<std::string_view> texts;
  for (const Literal& literal : schema.allowed)
    if (literal.form() == Literal::Form::string) texts.push_back(literal.text());
  return "must be one of " + listed(schema.allowed) + did_you_mean(given, texts);
}

/// "a string with an integer, 1 to 500": both ends always, since no number in the schema tells them.
[[nodiscard]] inline std::string integer_as_string(const Schema& schema) {
  Limits limits = schema.limits;
  const bool is_signed = schema.storage->is_signed;
  if (!limits.minimum)
    limits.minimum = Bound{is_signed ? Number((std::numeric_limits<std::int64_t>::min)()) : Number(0)};
  if (!limits.maximum)
    limits.maximum = Bound{is_signed ? Number((std::numeric_limits<std::int64_t>::max)())
                                     : Number((std::numeric_limits<std::uint64_t>::max)())};
  std::string text = "a string with an integer, " + bounds(limits);
  if (limits.multiple_of) text += ", a multiple of " + detail::number_text(*limits.multiple_of);
  return text;
}

/// " of 1 to 12 characters that matches the pattern ^A[0-9]+$"; "" without limits.
[[nodiscard]] inline std::string string_limits(const Limits& limits) {
  std::string text;
  if (!limits.length.any()) text += " of " + sizes(limits.length, "characters");
  if (!limits.pattern.empty()) text.append(" that matches the pattern ").append(limits.pattern);
  return text;
}

/// What a value of this schema looks like: "an integer, 1 to 50", "one of open, closed", "a date, e.g. 2026-11-30".
[[nodiscard]] inline std::string alternatives(std::span<const Link> parts, int hops);
[[nodiscard]] inline std::string expected(const Schema& schema, int hops = 4) {
  if (!schema.choices.empty()) return "one of " + listed(names(schema.choices));
  if (schema.as_string) return integer_as_string(schema);
  if (!schema.allowed.empty()) return (schema.is_const ? "" : "one of ") + listed(schema.allowed);
  if (schema.types == Types::any() && hops > 0)  // a reference or a union says what its parts say
    for (const std::span<const Link> parts : {schema.all_of, schema.any_of, schema.one_of})
      if (!parts.empty()) return alternatives(parts, hops - 1);
  const bool formatted = schema.limits.format != Format::none && schema.types.has(Type::string);
  if (schema.types == Types::any() && !formatted) return "any JSON value";
  const Types types = schema.types == Types::any() ? Types(Type::string) : schema.types;
  constexpr std::pair<Type, std::string_view> words[] = {{Type::boolean, "true or false"},
                                                         {Type::integer, "an integer"},
                                                         {Type::number, "a number"},
                                                         {Type::string, "a string"},
                                                         {Type::array, "an array"},
                                                         {Type::object, "an object"},
                                                         {Type::null, "null"}};
  std::string text;
  const auto add = [&](std::string_view word) { text.append(text.empty() ? "" : " or ").append(word); };
  for (const auto& [type, word] : words) {
    if (!types.has(type) || (formatted && type == Type::string)) continue;
    add(word);
    if (type == Type::string) text += string_limits(schema.limits);
    if (type == Type::array && !schema.limits.items.any()) text += " of " + sizes(schema.limits.items, "items");
  }
  if (formatted)
    add(format_problem(schema.limits.format).substr(std::string_view("must be ").size()));  // ends in examples
  const std::string range = bounds(schema.limits);
  return range.empty() ? text : text + ", " + range;
}
[[nodiscard]] inline std::string alternatives(std::span<const Link> parts, int hops) {
  std::vector<std::string> texts;
  for (const Link& part : parts.first((std::min)(parts.size(), std::size_t{8})))
    if (std::string one = expected(*part, hops); std::find(texts.begin(), texts.end(), one) == texts.end())
      texts.push_back(std::move(one));
  std::string text;
  for (const std::string& one : texts) text.append(text.empty() ? "" : ", or ").append(one);
  return text;
}
[[nodiscard]] inline std::string branches(std::span<const Link> parts) { return "must be " + alternatives(parts, 4); }
[[nodiscard]] inline std::string several_branches(std::size_t matched) {
  return "must fit exactly one of the alternatives; it fits " + std::to_string(matched) + " of them";
}
/// Where each alternative lacks other members: "must have id (a string), or name (a string)".
[[nodiscard]] inline std::string lacks(std::span<const std::string> members_of_each) {
  std::string text = "must have ";
  for (const std::string& members : members_of_each)
    text.append(&members == members_of_each.data() ? "" : ", or ").append(members);
  return text;
}
/// Beside what is wrong inside one alternative: the others, which take another type.
[[nodiscard]] inline std::string or_else(const Path& whole, std::span<const Link> others) {
  const std::string place = whole.text();
  return "; or " + (place.empty() ? "the whole" : place) + " must be " + alternatives(others, 4);
}
[[nodiscard]] inline std::string nothing() { return "must be left out; no value is allowed here"; }
[[nodiscard]] inline std::string no_item(std::size_t most) {
  return "must be left out; at most " + std::to_string(most) + " items are allowed";
}
[[nodiscard]] inline std::string property_name(const Schema& schema, std::string_view name) {
  if (!schema.allowed.empty()) {
    std::string text = one_of(schema, name);
    return "must be named " + text.substr(std::string_view("must be ").size());
  }
  Schema text = schema;
  text.types = Type::string;
  return "must have a name that is " + expected(text);
}
[[nodiscard]] inline std::string too_much_work() {
  return "must be simpler; checking it takes more steps than are allowed";
}
[[nodiscard]] inline std::string type(const Schema& schema) { return "must be " + expected(schema); }
[[nodiscard]] inline std::string required(const Schema& schema) {
  if (schema.accepts_nothing()) return "must be given, but no value is allowed for it; nothing satisfies this schema";
  return "must be given: " + expected(schema);
}
[[nodiscard]] inline std::string required_tag(std::span<const Alternative> alternatives) {
  return "must be given: one of " + listed(names(alternatives));
}
[[nodiscard]] inline std::string unknown_field(std::string_view given, std::span<const std::string_view> known) {
  if (known.empty()) return "must be left out; no fields are known here";
  return "must be left out; the known fields are " + listed(known) + did_you_mean(given, known);
}

[[nodiscard]] inline std::string utf8() { return "must be valid UTF-8"; }
[[nodiscard]] inline std::string too_deep(std::size_t most) {
  return "must be nested at most " + std::to_string(most) + " levels deep";
}
[[nodiscard]] inline std::string too_large(std::size_t most, std::string_view unit) {
  return "must have at most " + std::to_string(most) + " " + std::string(unit);
}
[[nodiscard]] inline std::string duplicate_key() { return "must be given once"; }
[[nodiscard]] inline std::string beyond_numbers() {
  return "must be a number that fits a double, at most 1.7976931348623157e+308";
}
[[nodiscard]] inline std::string malformed(std::string_view what, std::size_t byte) {
  return "must be one complete JSON value; " + std::string(what) + " at byte " + std::to_string(byte);
}

}  // namespace problem

/// The sentence form of a list of field errors, for clients that show only the message: the same facts, field by field.
[[nodiscard]] inline std::string sentences(std::span<const FieldError> errors,
                                           std::string_view whole = "The arguments") {
  std::string text;
  for (const FieldError& error : errors) {
    text.append(text.empty() ? "" : " ")
        .append(error.field.empty() ? whole : error.field)
        .append(" ")
        .append(error.problem);
    if (!text.ends_with('?')) text += '.';
    if (!error.got) continue;
    const bool quoted = !error.got->is_json();
    text.append(" Got ").append(quoted ? "\"" : "").append(error.got->text()).append(quoted ? "\"." : ".");
  }
  return text;
}

}  // namespace v0
}  // namespace toolcontract
