// SPDX-License-Identifier: MIT
/// \file
/// Random JSON for property tests: values a schema mostly accepts, values of any kind, and small changes to either.
///
///     RandomJson random(1);                                    // a seed gives the same values on every machine
///     nlohmann::json value = random.value_of(tc::table_of<T>().root());
///     random.mutate(value);
#pragma once

#include <toolcontract/constraint.hpp>
#include <toolcontract/table.hpp>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <vector>

class RandomJson {
 public:
  using Json = nlohmann::json;

  explicit RandomJson(std::uint64_t seed) : engine_(seed) {}

  /// 0 to n - 1.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  std::uint64_t bits() { return engine_(); }

  /// A value that `schema` (linked) accepts more often than not.
  Json value_of(const toolcontract::Schema& schema, std::size_t depth = 4) {
    using toolcontract::Type;
    if (!schema.choices.empty()) return schema.choices[below(schema.choices.size())].name;
    if (!schema.alternatives.empty()) {
      const std::size_t last_resort = depth == 0 ? 1 : schema.alternatives.size();
      const auto& alternative = schema.alternatives[below(last_resort)];
      Json value = value_of(*alternative.schema, depth);
      value[std::string(schema.tag)] = alternative.tag;
      return value;
    }
    if (schema.as_string) {
      const Json number = number_of(schema);
      return number.is_number_float() ? std::to_string(number.get<std::int64_t>()) : number.dump();
    }
    if (schema.types == toolcontract::Types::any()) return anything(2);
    if (schema.types.has(Type::boolean)) return one_in(2);
    if (schema.types.has(Type::integer) || schema.types.has(Type::number)) return number_of(schema);
    if (schema.types.has(Type::string)) return text_of(schema.limits);
    if (schema.types.has(Type::array)) {
      Json list = Json::array();
      for (std::size_t left = size_of(schema.limits.items, depth); left > 0; --left)
        list.push_back(value_of(*schema.items, less(depth)));
      return list;
    }
    Json object = Json::object();
    if (schema.is_map())
      for (std::size_t left = size_of(schema.limits.properties, depth); left > 0; --left)
        object[word()] = value_of(*schema.additional, less(depth));
    for (const toolcontract::Field& field : schema.fields)
      if (field.required || (depth > 0 && one_in(2)))
        object[std::string(field.name)] = value_of(field.schema, less(depth));
    return object;
  }

  /// Any JSON value, nested at most `depth` levels.
  Json anything(std::size_t depth) {
    switch (below(depth == 0 ? 6 : 8)) {
      case 0:
        return nullptr;
      case 1:
        return one_in(2);
      case 2:
        return word();
      case 3:
        return any_integer();
      case 4:
        return any_real();
      case 5:
        return pick<Json>({Json::array(), Json::object(), "", 0, 1, 1.0, -0.0, "circle", "10"});
      case 6: {
        Json list = Json::array();
        for (std::size_t left = below(4); left > 0; --left) list.push_back(anything(depth - 1));
        return list;
      }
      default: {
        Json object = Json::object();
        for (std::size_t left = below(4); left > 0; --left) object[word()] = anything(depth - 1);
        return object;
      }
    }
  }

  /// One change somewhere in the value, often one that makes it wrong.
  void mutate(Json& value) {
    std::vector<Json*> places;
    collect(value, places);
    Json& at = *places[below(places.size())];
    switch (below(7)) {
      case 0:
        at = anything(2);
        return;
      case 1:
        at = nullptr;
        return;
      case 2:
        if (at.is_object()) at[word()] = anything(1);
        if (at.is_array()) at.push_back(anything(1));
        return;
      case 3:
        if (!at.empty() && at.is_structured())
          at.erase(std::next(at.begin(), static_cast<std::ptrdiff_t>(below(at.size()))));
        return;
      case 4:
        if (!at.empty() && at.is_array()) at.push_back(at[below(at.size())]);
        return;
      case 5:
        if (at.is_number_float())
          at = at.get<double>() + pick({0.5, -1.0, 0.001, 1e300});
        else if (at.is_number())
          at = pick<Json>({at.get<double>(), -1, at.get<std::uint64_t>() + 1, 1e19, 5.5});
        return;
      default:
        if (at.is_string())
          at = at.get<std::string>() + pick<std::string>({"x", " ", "\xFF", "é", std::string(1, '\0'), "XXXXXXXXXXXX"});
        else
          at = Json(at.is_boolean() ? "true" : "1");
    }
  }

  std::int64_t any_integer() {
    using Limits = std::numeric_limits<std::int64_t>;
    const auto random = static_cast<std::int64_t>(engine_());
    switch (below(4)) {
      case 0:
        return static_cast<std::int64_t>(below(20)) - 10;
      case 1:
        return pick<std::int64_t>(
            {127, 128, -128, -129, 255, 256, 65535, 2147483647, 2147483648, 4294967295, 4294967296});
      case 2:
        return pick<std::int64_t>({(Limits::max)(), (Limits::min)(), 9007199254740993, -9007199254740993});
      default:
        return random >> below(64);
    }
  }

  double any_real() {
    switch (below(3)) {
      case 0:
        return static_cast<double>(any_integer()) / 100;
      case 1:
        return pick({0.0, -0.0, 0.1, 1e308, -1e308, 5e-324, 1e19, 9007199254740992.0, 18446744073709551616.0, 2.5});
      default:
        return static_cast<double>(static_cast<std::int64_t>(bits())) / (one_in(2) ? 1e18 : 1e-100);
    }
  }

  /// A short text, sometimes longer, sometimes not ASCII.
  std::string word() {
    if (one_in(8))
      return pick<std::string>({"", "é", "größer", "日本語", "\xF0\x9F\x98\x80", "a b", "x", "y", "radius", "op"});
    std::string word;
    for (std::size_t left = 1 + below(one_in(10) ? 60 : 6); left > 0; --left) word += "abcdefgh-0123456789"[below(19)];
    return word;
  }

 private:
  static std::size_t less(std::size_t depth) { return depth == 0 ? 0 : depth - 1; }

  std::size_t size_of(const toolcontract::Sizes& sizes, std::size_t depth) {
    const std::size_t spread = depth == 0 ? 1 : 4;
    return (std::min)(sizes.least + below(spread), sizes.most);
  }

  Json number_of(const toolcontract::Schema& schema) {
    const bool integer = !schema.types.has(toolcontract::Type::number);
    const toolcontract::Limits& limits = schema.limits;
    for (int attempt = 0; attempt < 20; ++attempt) {
      Json json;
      if (one_in(3) && limits.minimum)
        json = json_of(limits.minimum->value);
      else if (one_in(3) && limits.maximum)
        json = json_of(limits.maximum->value);
      else if (integer || one_in(2))
        json = any_integer();
      else
        json = any_real();
      if (limits.multiple_of) json = static_cast<double>(below(60)) * limits.multiple_of->as_double();
      if (limits.multiple_of && one_in(2)) json = static_cast<double>(below(10000)) / 100;
      const toolcontract::Number number = json.is_number_float()      ? toolcontract::Number(json.get<double>())
                                          : json.is_number_unsigned() ? toolcontract::Number(json.get<std::uint64_t>())
                                                                      : toolcontract::Number(json.get<std::int64_t>());
      if (toolcontract::in_range(limits, number)) return json;
    }
    return 1;
  }

  static Json json_of(const toolcontract::Number& number) {
    if (!number.is_integer()) return number.as_double();
    return number.is_signed() ? Json(number.as_int64()) : Json(number.as_uint64());
  }

  std::string text_of(const toolcontract::Limits& limits) {
    using toolcontract::Format;
    switch (limits.format) {
      case Format::date:
        return pick<std::string>({"2026-11-30", "2024-02-29", "0001-01-01"});
      case Format::date_time:
        return pick<std::string>({"2026-11-30T09:30:00Z", "2026-11-30T09:30:00.25+01:00"});
      case Format::time:
        return pick<std::string>({"09:30:00Z", "23:59:60Z"});
      case Format::duration:
        return pick<std::string>({"P3DT12H", "PT30M", "P2W"});
      case Format::uuid:
        return "2eb8aa08-aa98-11ea-b4aa-73b441d16380";
      case Format::email:
        return pick<std::string>({"ada@example.com", "a.b+c@example.co.uk"});
      case Format::uri:
        return pick<std::string>({"https://example.com/a%20b?page=2", "mailto:ada@example.com"});
      case Format::ipv4:
        return pick<std::string>({"192.168.0.1", "0.0.0.0"});
      case Format::ipv6:
        return pick<std::string>({"2001:db8::1", "::"});
      case Format::hostname:
        return pick<std::string>({"api.example.com", "localhost"});
      default:
        break;
    }
    for (int attempt = 0; attempt < 20; ++attempt) {
      std::string text = pick<std::string>({word(), word(), "A17", "tok_" + word(), "Login loop"});
      if (toolcontract::length_fits(limits, text) && toolcontract::pattern_fits(limits, text)) return text;
    }
    return "a-1";
  }

  static void collect(Json& value, std::vector<Json*>& places) {
    places.push_back(&value);
    if (value.is_structured())
      for (Json& inner : value) collect(inner, places);
  }

  std::mt19937_64 engine_;
};
