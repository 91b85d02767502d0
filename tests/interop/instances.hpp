// SPDX-License-Identifier: MIT
/// \file
/// JSON values for one emitted JSON Schema: such as it accepts, and such as are wrong in one to three places.
///
///     Instances instances(document, landmarks_of(table), seed);
///     nlohmann::json value = instances.next();
///
/// Values are made from the emitted document, as a stranger would read it. Landmarks, the bounds that stand in the table,
/// make sure that what the table checks is tried also where the document should have lost it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <toolcontract/toolcontract.hpp>
#include <utility>
#include <vector>

namespace interop {

namespace tc = toolcontract;
using Json = nlohmann::json;

/// Numbers and sizes at which a verdict may change.
struct Landmarks {
  std::vector<Json> numbers{};
  std::set<std::size_t> sizes{};
};

inline Json json_of(const tc::Number& number) {
  if (!number.is_integer()) return number.as_double();
  return number.is_signed() ? Json(number.as_int64()) : Json(number.as_uint64());
}

/// Every bound anywhere in the table.
inline void add_landmarks(const tc::Schema& schema, Landmarks& landmarks, std::set<const void*>& seen) {
  for (const auto& bound : {schema.limits.minimum, schema.limits.maximum})
    if (bound) landmarks.numbers.push_back(json_of(bound->value));
  if (schema.limits.multiple_of) landmarks.numbers.push_back(json_of(*schema.limits.multiple_of));
  for (const tc::Sizes& sizes : {schema.limits.length, schema.limits.items, schema.limits.properties})
    for (const std::size_t size : {sizes.least, sizes.most})
      if (size != tc::Sizes::unlimited) landmarks.sizes.insert(size);
  const void* inside = schema.fields.empty() ? static_cast<const void*>(schema.alternatives.data()) : schema.fields.data();
  if (inside != nullptr && !seen.insert(inside).second) return;
  for (const tc::Field& field : schema.fields) add_landmarks(field.schema, landmarks, seen);
  for (const tc::Alternative& alternative : schema.alternatives) add_landmarks(*alternative.schema, landmarks, seen);
  if (schema.items.present()) add_landmarks(*schema.items, landmarks, seen);
  if (schema.additional.present()) add_landmarks(*schema.additional, landmarks, seen);
}

inline Landmarks landmarks_of(const tc::Table& table) {
  Landmarks landmarks;
  std::set<const void*> seen;
  add_landmarks(table.root(), landmarks, seen);
  for (const Json& number : std::vector<Json>(landmarks.numbers)) {
    const double value = number.get<double>();
    for (const double step : {-1.0, -0.5, 0.5, 1.0}) landmarks.numbers.push_back(value + step);
    if (std::fabs(value) < 1e15) landmarks.numbers.push_back(static_cast<std::int64_t>(value) + 1);
    if (std::fabs(value) < 1e15) landmarks.numbers.push_back(static_cast<std::int64_t>(value) - 1);
    landmarks.numbers.push_back(-value);
  }
  return landmarks;
}

class Instances {
 public:
  Instances(Json document, Landmarks landmarks, std::uint64_t seed)
      : document_(std::move(document)), landmarks_(std::move(landmarks)), engine_(seed) {}

  /// Two in five as the document has it, the others changed in one to three places.
  Json next() {
    Json value = sound(document_, 3);
    if (below(5) < 2) return value;
    for (std::size_t changes = below(3) + 1; changes > 0; --changes) change(value);
    return value;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

  // ---- sound values ----------------------------------------------------------------------------------------------------

  const Json& resolved(const Json& schema) {
    if (!schema.contains("$ref")) return schema;
    return document_.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1)));
  }

  Json sound(const Json& asked, std::size_t depth) {
    const Json& schema = resolved(asked);
    if (schema.contains("anyOf")) return sound(schema["anyOf"][depth == 0 ? 0 : below(schema["anyOf"].size())], depth);
    if (schema.contains("const")) return schema["const"];
    if (schema.contains("enum")) return schema["enum"][below(schema["enum"].size())];
    const std::string type = schema.value("type", "anything");
    if (type == "object") return object(schema, depth);
    if (type == "array") return array(schema, depth);
    if (type == "string") return text(schema);
    if (type == "integer" || type == "number") return number(schema, type == "integer");
    if (type == "boolean") return one_in(2);
    return anything(2);
  }

  Json object(const Json& schema, std::size_t depth) {
    Json value = Json::object();
    const Json properties = schema.value("properties", Json::object());
    std::set<std::string> required;
    for (const Json& name : schema.value("required", Json::array())) required.insert(name.get<std::string>());
    for (const auto& [name, property] : properties.items())
      if (required.contains(name) || (depth > 0 && one_in(2))) value[name] = sound(property, depth == 0 ? 0 : depth - 1);
    const bool map = schema.contains("additionalProperties") && schema["additionalProperties"].is_object();
    if (map) {
      const std::size_t least = schema.value("minProperties", std::size_t{0});
      const std::size_t most = schema.value("maxProperties", least + 3);
      for (std::size_t left = least + below(depth == 0 ? 1 : most - least + 1); left > 0; --left)
        value[word()] = sound(schema["additionalProperties"], depth == 0 ? 0 : depth - 1);
    } else if (!schema.contains("additionalProperties") && one_in(2)) {
      value[word()] = anything(1);
    }
    return value;
  }

  Json array(const Json& schema, std::size_t depth) {
    Json value = Json::array();
    const std::size_t least = schema.value("minItems", std::size_t{0});
    const std::size_t most = schema.value("maxItems", least + 3);
    const bool unique = schema.value("uniqueItems", false);
    for (std::size_t left = least + below(depth == 0 ? 1 : most - least + 1); left > 0; --left) {
      Json item = sound(schema["items"], depth == 0 ? 0 : depth - 1);
      for (int again = 0; unique && again < 5 && std::find(value.begin(), value.end(), item) != value.end(); ++again)
        item = sound(schema["items"], depth == 0 ? 0 : depth - 1);
      value.push_back(std::move(item));
    }
    return value;
  }

  Json text(const Json& schema) {
    if (schema.contains("format")) return formatted(schema["format"].get<std::string>());
    const std::size_t least = schema.value("minLength", std::size_t{0});
    const std::size_t most = schema.value("maxLength", least + 12);
    if (!schema.contains("pattern")) return characters(one_in(2) ? least : one_in(2) ? most : least + below(most - least + 1));
    const tc::Pattern pattern(schema["pattern"].get<std::string>());
    const std::vector<std::string> candidates = {"A17", "login-loop", "tok_a1", "a", "0", "tok_", "x-9", "9\xF0\x9F\x98\x80",
                                                 "tok_\xF0\x9F\x98\x80\xF0\x9F\x98\x80", "aaaaaaaaaaaaaaaaaaaa"};
    for (int again = 0; again < 40; ++again)
      if (const std::string& candidate = pick(candidates); pattern.matches(candidate)) return candidate;
    return characters(least);
  }

  std::string formatted(std::string_view format) {
    static const std::vector<std::pair<std::string_view, std::vector<std::string>>> samples = {
        {"date", {"2026-11-30", "2024-02-29", "0001-01-01"}},
        {"date-time", {"2026-11-30T09:30:00Z", "2026-11-30T09:30:00.25+01:00"}},
        {"time", {"09:30:00Z", "23:59:60Z"}},
        {"duration", {"P3DT12H", "PT30M", "P2W"}},
        {"uuid", {"2eb8aa08-aa98-11ea-b4aa-73b441d16380", "2EB8AA08-AA98-11EA-B4AA-73B441D16380"}},
        {"email", {"ada@example.com", "a.b+c@example.co.uk"}},
        {"uri", {"https://example.com/a%20b?page=2", "mailto:ada@example.com"}},
        {"ipv4", {"192.168.0.1", "0.0.0.0"}},
        {"ipv6", {"2001:db8::1", "::"}},
        {"hostname", {"api.example.com", "localhost"}}};
    for (const auto& [name, values] : samples)
      if (name == format) return pick(values);
    return "";
  }

  Json number(const Json& schema, bool integer) {
    const auto bound = [&](const char* inclusive, const char* exclusive, double otherwise) {
      return schema.contains(inclusive) ? schema[inclusive].get<double>() : schema.value(exclusive, otherwise);
    };
    const double low = (std::max)(bound("minimum", "exclusiveMinimum", -1000), -1e6);
    const double high = (std::min)(bound("maximum", "exclusiveMaximum", 1000), 1e6);
    if (schema.contains("multipleOf")) {
      const double step = schema["multipleOf"].get<double>();
      const double parts = std::round(1 / step);  // 19.99 is 1999 / 100, not 1999 * 0.01
      const double times = std::floor((high - low) * static_cast<double>(below(1001)) / 1000 / step);
      const double value = step < 1 ? times / parts : times * step;
      return integer ? Json(static_cast<std::int64_t>(low + value)) : Json(low + value);
    }
    const double value = low + (high - low) * static_cast<double>(below(1001)) / 1000;
    for (const char* edge : {"minimum", "maximum"})
      if (schema.contains(edge) && one_in(std::fabs(schema[edge].get<double>()) < 1e15 ? 4 : 40)) return schema[edge];
    if (!integer) return one_in(4) ? Json(std::round(value)) : Json(value);
    const auto whole = static_cast<std::int64_t>(value);
    return one_in(6) ? Json(static_cast<double>(whole)) : Json(whole);  // 5.0 is an integer too
  }

  // ---- changes -----------------------------------------------------------------------------------------------------------

  /// `count` code points, some of them of more than one byte or UTF-16 unit.
  std::string characters(std::size_t count) {
    static const std::vector<std::string> alphabet = {"a", "b", "c", "A", "0", "-", " ", "\n", "\"", "\\", "é", "ß", "日",
                                                      "\xE2\x80\xA8", "\xF0\x9F\x98\x80", "\xF0\x90\x8D\x88", "e\xCC\x81"};
    std::string text;
    const bool plain = one_in(2);
    for (std::size_t left = count; left > 0; --left) {
      const std::string& next = pick(alphabet);
      text += plain || next == "e\xCC\x81" ? "x" : next;
    }
    return text;
  }

  std::string word() {
    static const std::vector<std::string> words = {"",     "a",        "b",         "ada",        "10",    "x",      "y",
                                                   "kind", "circle",   "rectangle", "op",         "sum",   "constant", "radius",
                                                   "text", "__proto__", "toString", "constructor", "größe", "a.b",    "\xF0\x9F\x98\x80"};
    return pick(words);
  }

  Json any_number() {
    static const std::vector<Json> numbers = {0,     1,      -1,       5,    5.0,  -0.0,     0.1,        1.5,   2.5,  100.0, 127, 128, -128, -129, 255,
                                              256,   32767,  32768,    65535, 65536, 2147483647, 2147483648, -2147483648.0, 4294967295, 4294967296,
                                              9007199254740991, -9007199254740991, 1e15, 1e-7, 5e-324, 0.001, 19.99, 3.7, 0.30000000000000004};
    static const std::vector<Json> huge = {9007199254740993, INT64_MAX, INT64_MIN, UINT64_MAX, 1e19, -1e19, 1e300, -1e308, 3.4028235e38, 3.5e38};
    if (!landmarks_.numbers.empty() && one_in(2)) return pick(landmarks_.numbers);
    return one_in(8) ? pick(huge) : pick(numbers);
  }

  std::string any_text() {
    static const std::vector<std::string> texts = {"",       "0",     "5",   "true", "null", "low", "Low",  "LOW", "low ", "celsius", "Celsius",
                                                   "circle", "A17\n", "tok_", std::string("a\0b", 3), "login-loop\n", "Ünïcödé", "{}", "[]"};
    if (one_in(3)) return pick(texts);
    std::size_t count = below(8);
    if (!landmarks_.sizes.empty() && one_in(2)) {
      const std::vector<std::size_t> sizes(landmarks_.sizes.begin(), landmarks_.sizes.end());
      count = pick(sizes) + below(3);
      if (count > 0) --count;
    }
    return characters((std::min)(count, std::size_t{200}));
  }

  Json anything(std::size_t depth) {
    switch (below(depth == 0 ? 4 : 6)) {
      case 0: return nullptr;
      case 1: return one_in(2);
      case 2: return any_number();
      case 3: return any_text();
      case 4: {
        Json list = Json::array();
        for (std::size_t left = below(4); left > 0; --left) list.push_back(anything(depth - 1));
        return list;
      }
      default: {
        Json object = Json::object();
        for (std::size_t left = below(3); left > 0; --left) object[word()] = anything(depth - 1);
        return object;
      }
    }
  }

  static void collect(Json& value, std::vector<Json*>& places) {
    places.push_back(&value);
    if (value.is_structured())
      for (Json& inner : value) collect(inner, places);
  }

  void change(Json& value) {
    std::vector<Json*> places;
    collect(value, places);
    Json& at = *pick(places);
    switch (at.type()) {
      case Json::value_t::object: return change_object(at);
      case Json::value_t::array: return change_array(at);
      case Json::value_t::string: return change_text(at);
      case Json::value_t::number_integer:
      case Json::value_t::number_unsigned:
      case Json::value_t::number_float: return change_number(at);
      default: at = one_in(3) ? Json(nullptr) : anything(1);
    }
  }

  void change_object(Json& at) {
    const std::size_t choice = below(7);
    if (at.empty() || choice == 0) {
      at[word()] = anything(1);
      return;
    }
    const auto member = std::next(at.begin(), static_cast<std::ptrdiff_t>(below(at.size())));
    const std::string key = member.key();
    if (choice == 1) at = one_in(2) ? Json(Json::array({at})) : anything(1);
    if (choice == 2 || choice == 3) at.erase(key);
    if (choice == 4) {  // renamed
      Json moved = at[key];
      at.erase(key);
      at[one_in(2) ? key + "s" : std::string(tc::utf8::prefix(key, key.size() / 2))] = std::move(moved);
    }
    if (choice == 5) at[key] = anything(2);
    if (choice == 6) at[key] = nullptr;
  }

  void change_array(Json& at) {
    const std::size_t choice = below(7);
    if (at.empty() || choice == 0) {
      at.push_back(anything(1));
      return;
    }
    const std::size_t index = below(at.size());
    if (choice == 1) at = one_in(2) ? Json(at[index]) : anything(1);
    if (choice == 2) at.erase(index);
    if (choice == 3 || choice == 4) {  // the same once more; 1 as 1.0
      Json twin = at[index];
      if (twin.is_number_integer() && one_in(2)) twin = twin.get<double>();
      at.insert(at.begin() + static_cast<std::ptrdiff_t>(below(at.size() + 1)), std::move(twin));
    }
    if (choice == 5) std::swap(at[index], at[below(at.size())]);
    if (choice == 6) at[index] = anything(1);
  }

  void change_text(Json& at) {
    std::string text = at.get<std::string>();
    switch (below(8)) {
      case 0: at = any_text(); return;
      case 1: at = anything(1); return;
      case 2: at = text + pick(std::vector<std::string>{"x", " ", "\n", "s", "\xF0\x9F\x98\x80", std::string(1, '\0')}); return;
      case 3: at = std::string(tc::utf8::prefix(text, text.size() / 2)); return;
      case 4:  // the case of one letter
        for (char& c : text)
          if (one_in(2) && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) c = static_cast<char>(c ^ 32);
        at = text;
        return;
      case 5: at = word(); return;
      case 6: at = any_text(); return;
      default: at = Json::array({text});
    }
  }

  void change_number(Json& at) {
    const double value = at.get<double>();
    const bool whole = std::trunc(value) == value && std::fabs(value) < 1e15;
    switch (below(9)) {
      case 0: at = any_number(); return;
      case 1: at = any_number(); return;
      case 2: at = at.dump(); return;
      case 3: at = whole ? Json(static_cast<std::int64_t>(value) + 1) : Json(value + 1); return;
      case 4: at = whole ? Json(static_cast<std::int64_t>(value) - 1) : Json(value - 1); return;
      case 5: at = whole ? Json(value) : Json(std::trunc(value)); return;
      case 6: at = value + 0.5; return;
      case 7: at = -value; return;
      default: at = anything(1);
    }
  }

  Json document_;
  Landmarks landmarks_;
  std::mt19937_64 engine_;
};

}  // namespace interop
