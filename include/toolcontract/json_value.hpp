// SPDX-License-Identifier: MIT
/// \file
/// JSON values of any nlohmann::basic_json: told from other types, looked at safely, written as text.
///
///     tc::json_text(nlohmann::json{{"id", 725653563933458432}});   // {"id":725653563933458432}
///     struct Note { nlohmann::json extra; };                                               // a member that takes anything
///
/// nlohmann's dump, copy and == recurse as deep as the value (a crash near 58,000 levels), throw on invalid UTF-8 and
/// turn NaN into null; nothing here does.
///
/// Cost: nlohmann/json; templates only, so a file that uses none pays for none.
#pragma once

#include <toolcontract/number.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/storage.hpp>
#include <toolcontract/text.hpp>
#include <toolcontract/utf8.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// nlohmann::json, ordered_json, or a basic_json with containers of one's own.
template <class J>
concept BasicJson = requires(const J& json) {
  typename J::object_t;
  typename J::array_t;
  typename J::number_unsigned_t;
  { json.type() } -> std::same_as<nlohmann::detail::value_t>;
  { json.template get_ref<const typename J::string_t&>() } -> std::convertible_to<std::string_view>;
};

/// Arguments and results are nested at most this deep unless a limit says otherwise; the outermost value is level 1.
inline constexpr std::size_t default_depth = 64;

/// Why a value cannot be written as JSON, and where.
struct Unencodable {
  std::string path;
  std::string why;
  bool too_large = false;  ///< only its size is wrong
};

/// Writes `json` member by member. False, with the first fault named, when a number is not finite, a value is binary or
/// discarded, or the nesting is deeper than `depth`; the text written so far is then not JSON.
template <BasicJson J>
[[nodiscard]] bool write_json(TextWriter& out, const J& json, Unencodable& fault, std::size_t depth = default_depth,
                              const Path& path = {});

/// `json` as text, for values that are known to be sound. \throws std::invalid_argument naming the place otherwise.
template <BasicJson J>
[[nodiscard]] std::string json_text(const J& json, std::size_t depth = default_depth);

/// What of a value is shown back to the caller: strings cut to 120 bytes, containers by their size.
template <BasicJson J>
[[nodiscard]] Shown shown(const J& json) {
  using V = nlohmann::detail::value_t;
  switch (json.type()) {
    case V::boolean:
      return json.template get<bool>();
    case V::number_integer:
      return json.template get<typename J::number_integer_t>();
    case V::number_unsigned:
      return json.template get<typename J::number_unsigned_t>();
    case V::number_float:
      return json.template get<typename J::number_float_t>();
    case V::array:
      return "[" + std::to_string(json.size()) + (json.size() == 1 ? " item]" : " items]");
    case V::object:
      return "{" + std::to_string(json.size()) + (json.size() == 1 ? " key}" : " keys}");
    case V::string: {
      const std::string_view text = json.template get_ref<const typename J::string_t&>();
      const std::string_view head = utf8::prefix(text, 120);
      return head.size() == text.size() ? std::string(text) : std::string(head) + "…";
    }
    default:
      return Shown::json("null");
  }
}

namespace detail {

/// `text` with U+FFFD in place of each byte that belongs to no well-formed sequence.
inline std::string repaired_utf8(std::string_view text) {
  std::string repaired;
  for (;;) {
    const std::size_t sound = utf8::first_invalid(text);
    repaired += text.substr(0, sound);
    if (sound == text.size()) return repaired;
    repaired += "\xEF\xBF\xBD";
    text.remove_prefix(sound + 1);
  }
}

/// Precondition: json.is_number().
template <BasicJson J>
Number number_of(const J& json) {
  using V = nlohmann::detail::value_t;
  if (json.type() == V::number_unsigned) return json.template get<typename J::number_unsigned_t>();
  if (json.type() == V::number_integer) return json.template get<typename J::number_integer_t>();
  return static_cast<double>(json.template get<typename J::number_float_t>());
}

inline void write_number(TextWriter& out, const Number& number) {
  if (!number.is_integer())
    out.number(number.as_double());
  else if (number.is_signed())
    out.number(number.as_int64());
  else
    out.number(number.as_uint64());
}

inline void write_literal(TextWriter& out, const Literal& literal) {
  switch (literal.form()) {
    case Literal::Form::boolean:
      out.boolean(literal.boolean());
      return;
    case Literal::Form::number:
      write_number(out, literal.number());
      return;
    case Literal::Form::string:
      out.string(literal.text());
      return;
    case Literal::Form::json:
      out.raw(literal.text());
      return;
    default:
      out.null();
  }
}

/// Where an unconstrained value is unsound: too deep, invalid UTF-8, not finite, binary.
enum class Unsound : unsigned char { no, too_deep, encoding, not_finite, not_json };

template <BasicJson J>
Unsound soundness(const J& json, std::size_t depth) {
  using V = nlohmann::detail::value_t;
  const auto text = [](const std::string_view value) { return utf8::valid(value) ? Unsound::no : Unsound::encoding; };
  switch (json.type()) {
    case V::string:
      return text(json.template get_ref<const typename J::string_t&>());
    case V::number_float:
      return std::isfinite(number_of(json).as_double()) ? Unsound::no : Unsound::not_finite;
    case V::binary:
    case V::discarded:
      return Unsound::not_json;
    case V::array:
      if (depth == 0) return Unsound::too_deep;
      for (const J& element : json.template get_ref<const typename J::array_t&>())
        if (const Unsound found = soundness(element, depth - 1); found != Unsound::no) return found;
      return Unsound::no;
    case V::object:
      if (depth == 0) return Unsound::too_deep;
      for (const auto& [key, member] : json.template get_ref<const typename J::object_t&>()) {
        if (text(key) != Unsound::no) return Unsound::encoding;
        if (const Unsound found = soundness(member, depth - 1); found != Unsound::no) return found;
      }
      return Unsound::no;
    default:
      return Unsound::no;
  }
}

template <BasicJson J>
inline constexpr char json_type_tag = 0;  // its address names J

template <BasicJson J>
struct Anything<J> : std::true_type {
  static constexpr Storage storage = [] {
    Storage storage{Storage::Form::anything};
    storage.json_type = &json_type_tag<J>;
    storage.parse = [](void* self, std::string_view text) { *static_cast<J*>(self) = J::parse(text, nullptr, false); };
    storage.write = [](const void* self, TextWriter& out, Unencodable& fault, std::size_t depth, const Path& path) {
      return write_json(out, *static_cast<const J*>(self), fault, depth, path);
    };
    return storage;
  }();
};

}  // namespace detail

template <BasicJson J>
bool write_json(TextWriter& out, const J& json, Unencodable& fault, std::size_t depth, const Path& path) {
  using V = nlohmann::detail::value_t;
  const auto fail = [&](std::string why) {
    fault = {path.text(), std::move(why)};
    return false;
  };
  switch (json.type()) {
    case V::null:
      out.null();
      return true;
    case V::boolean:
      out.boolean(json.template get<bool>());
      return true;
    case V::number_integer:
      out.number(json.template get<typename J::number_integer_t>());
      return true;
    case V::number_unsigned:
      out.number(json.template get<typename J::number_unsigned_t>());
      return true;
    case V::number_float: {
      const auto value = json.template get<typename J::number_float_t>();
      if (!std::isfinite(value)) return fail(problem::finite());
      const auto integer = detail::integer_of(Number(value));  // equal numbers are written alike: 5.0 and 5, -0.0 and 0
      if (!integer)
        out.number(value);
      else if (integer->is_signed())
        out.number(integer->as_int64());
      else
        out.number(integer->as_uint64());
      return true;
    }
    case V::string:
      out.string(json.template get_ref<const typename J::string_t&>());
      return true;
    case V::array: {
      if (depth == 0) return fail(problem::too_deep(default_depth));
      out.begin_array();
      std::size_t index = 0;
      for (const J& element : json.template get_ref<const typename J::array_t&>())
        if (!write_json(out, element, fault, depth - 1, Path(&path, index++))) return false;
      out.end_array();
      return true;
    }
    case V::object: {
      if (depth == 0) return fail(problem::too_deep(default_depth));
      out.begin_object();
      for (const auto& [key, member] : json.template get_ref<const typename J::object_t&>()) {
        out.key(key);
        if (!write_json(out, member, fault, depth - 1, Path(&path, std::string_view(key)))) return false;
      }
      out.end_object();
      return true;
    }
    default:
      return fail("must be a JSON value");
  }
}

template <BasicJson J>
std::string json_text(const J& json, std::size_t depth) {
  TextWriter out;
  Unencodable fault;
  if (!write_json(out, json, fault, depth))
    throw std::invalid_argument("toolcontract: " + fault.path + " " + fault.why);
  return out.take();
}

}  // namespace v0
}  // namespace toolcontract
