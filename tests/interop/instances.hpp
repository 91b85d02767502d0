// SPDX-License-Identifier: MIT
/// \file
/// JSON values for one JSON Schema: such as it accepts, and such as are wrong in one to three places.
///
///     Instances instances(document, RandomValues(landmarks_of(table), seed));
///     nlohmann::json value = instances.next();
///
/// Values are made from the document, as a stranger would read it: the one a described type emits, or one that a real
/// server sends. The landmarks of the table see to it that what the table checks is tried also where the document should
/// have lost it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <toolcontract/pattern.hpp>
#include <toolcontract/table.hpp>
#include <toolcontract/utf8.hpp>
#include <utility>
#include <vector>

#include "random_values.hpp"

namespace interop {

/// Which members that need not be there are.
enum class Fill { some, least, most };

class Instances {
 public:
  Instances(Json document, RandomValues random) : document_(std::move(document)), random_(std::move(random)) {}

  /// Two in five as the document has it, the others changed in one to three places.
  Json next() {
    Json value = sound(document_, 3);
    if (random_.below(5) < 2) return value;
    for (std::size_t changes = random_.below(3) + 1; changes > 0; --changes) change(value);
    return value;
  }

  /// A value as the document has it, as far as this can tell; optional members down to `depth` levels.
  Json sound(Fill fill = Fill::some, std::size_t depth = 3) {
    fill_ = fill;
    Json value = sound(document_, depth);
    fill_ = Fill::some;
    return value;
  }

  /// The value, wrong in one place at most.
  Json changed(Json value) {
    change(value);
    return value;
  }

  [[nodiscard]] RandomValues& random() { return random_; }

 private:
  // ---- sound values ----------------------------------------------------------------------------------------------------

  const Json& resolved(const Json& schema) {
    if (!schema.is_object() || !schema.contains("$ref")) return schema;
    return resolved(document_.at(Json::json_pointer(schema["$ref"].get<std::string>().substr(1))));
  }

  // The keywords of both at once; members of both lists.
  Json merged(Json schema, const Json& asked) {
    const Json& other = resolved(asked);
    if (!other.is_object()) return schema;
    for (const auto& [key, value] : other.items()) {
      if (key == "properties" && schema.contains(key))
        schema[key].update(value);
      else if (key == "required" && schema.contains(key))
        schema[key].insert(schema[key].end(), value.begin(), value.end());
      else
        schema[key] = value;
    }
    return schema;
  }

  Json sound(const Json& asked, std::size_t depth) {
    const Json& schema = resolved(asked);
    if (!schema.is_object()) return random_.anything(1);
    for (const char* key : {"anyOf", "oneOf"}) {
      if (!schema.contains(key)) continue;
      Json rest = schema;
      rest.erase(key);
      return sound(merged(std::move(rest), schema[key][depth == 0 ? 0 : random_.below(schema[key].size())]), depth);
    }
    if (schema.contains("allOf")) {
      Json all = schema;
      all.erase("allOf");
      for (const Json& part : schema["allOf"]) all = merged(std::move(all), part);
      return sound(all, depth);
    }
    if (schema.contains("const")) return schema["const"];
    if (schema.contains("enum")) return schema["enum"][random_.below(schema["enum"].size())];
    const std::string type = type_of(schema);
    if (type == "object") return object(schema, depth);
    if (type == "array") return array(schema, depth);
    if (type == "string") return text(schema);
    if (type == "integer" || type == "number") return number(schema, type == "integer");
    if (type == "boolean") return random_.one_in(2);
    if (type == "null") return nullptr;
    return random_.anything(2);
  }

  std::string type_of(const Json& schema) {
    if (schema.contains("type") && schema["type"].is_array())
      return schema["type"][random_.below(schema["type"].size())].get<std::string>();
    return schema.value("type", schema.contains("properties") || schema.contains("required") ? "object" : "anything");
  }

  bool takes_optional(std::size_t depth) {
    return fill_ == Fill::most ? depth > 0 : fill_ == Fill::some && depth > 0 && random_.one_in(2);
  }

  Json object(const Json& schema, std::size_t depth) {
    Json value = Json::object();
    const std::size_t inner = depth == 0 ? 0 : depth - 1;
    const Json properties = schema.value("properties", Json::object());
    std::set<std::string> required;
    for (const Json& name : schema.value("required", Json::array())) required.insert(name.get<std::string>());
    for (const auto& [name, property] : properties.items())
      if (required.contains(name) || takes_optional(depth)) value[name] = sound(property, inner);
    const auto name = [&] {
      const bool listed = schema.contains("propertyNames") && schema["propertyNames"].contains("enum");
      return listed ? random_.pick(schema["propertyNames"]["enum"]).template get<std::string>() : random_.word();
    };
    const bool map = schema.contains("additionalProperties") && schema["additionalProperties"].is_object();
    if (map) {
      const std::size_t least = schema.value("minProperties", std::size_t{0});
      const std::size_t most = schema.value("maxProperties", least + 3);
      for (std::size_t left = least + random_.below(depth == 0 ? 1 : most - least + 1); left > 0; --left)
        if (const std::string key = name(); !properties.contains(key))
          value[key] = sound(schema["additionalProperties"], inner);
    } else if (schema.value("additionalProperties", true) && fill_ == Fill::some && random_.one_in(2)) {
      if (const std::string key = name(); !properties.contains(key)) value[key] = random_.anything(1);
    }
    return value;
  }

  Json array(const Json& schema, std::size_t depth) {
    Json value = Json::array();
    const std::size_t least = schema.value("minItems", std::size_t{0});
    const std::size_t most = schema.value("maxItems", least + 3);
    const bool unique = schema.value("uniqueItems", false);
    const Json prefix = schema.value("prefixItems", Json::array());
    const Json rest = schema.value("items", Json(true));
    std::size_t left = least + random_.below(depth == 0 ? 1 : most - least + 1);
    if (left == 0 && fill_ == Fill::most && depth > 0 && most > 0) left = 1;
    left = (std::max)(left, (std::min)(prefix.size(), most));
    for (; left > 0; --left) {
      const Json& asked = value.size() < prefix.size() ? prefix[value.size()] : rest;
      if (asked == Json(false)) break;
      Json item = sound(asked, depth == 0 ? 0 : depth - 1);
      for (int again = 0; unique && again < 5 && std::find(value.begin(), value.end(), item) != value.end(); ++again)
        item = sound(asked, depth == 0 ? 0 : depth - 1);
      value.push_back(std::move(item));
    }
    return value;
  }

  Json text(const Json& schema) {
    if (schema.contains("format") && !schema.contains("pattern")) {
      std::string text = formatted(schema["format"].get<std::string>());
      if (!text.empty()) return text;
    }
    const std::size_t least = schema.value("minLength", std::size_t{0});
    const std::size_t most = schema.value("maxLength", least + 12);
    if (!schema.contains("pattern"))
      return random_.characters(random_.one_in(2)   ? least
                                : random_.one_in(2) ? most
                                                    : least + random_.below(most - least + 1));
    if (schema["pattern"] == tc::detail::integer_pattern) {
      if (!random_.one_in(4)) return std::to_string(5 * random_.below(11));
      const Json number = random_.number();
      return number.is_number_integer() ? number.dump() : std::to_string(random_.below(1000));
    }
    const tc::Pattern pattern(schema["pattern"].get<std::string>());
    const std::vector<std::string> candidates = {"A17",
                                                 "login-loop",
                                                 "tok_a1",
                                                 "a",
                                                 "0",
                                                 "tok_",
                                                 "x-9",
                                                 "9\xF0\x9F\x98\x80",
                                                 "tok_\xF0\x9F\x98\x80\xF0\x9F\x98\x80",
                                                 "aaaaaaaaaaaaaaaaaaaa",
                                                 "2026-11-30",
                                                 "2026-11-01to2026-11-30",
                                                 "2026-11-30T09:30:00Z",
                                                 "api.example.com",
                                                 "2eb8aa08-aa98-41ea-b4aa-73b441d16380"};
    std::vector<std::string> fitting;
    for (const std::string& candidate : candidates)
      if (pattern.matches(candidate)) fitting.push_back(candidate);
    return fitting.empty() ? random_.characters(least) : random_.pick(fitting);
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
      if (name == format) return random_.pick(values);
    return "";  // a format that is only a note
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
      const double times = std::floor((high - low) * static_cast<double>(random_.below(1001)) / 1000 / step);
      const double value = step < 1 ? times / parts : times * step;
      return integer ? Json(static_cast<std::int64_t>(low + value)) : Json(low + value);
    }
    const double value = low + (high - low) * static_cast<double>(random_.below(1001)) / 1000;
    for (const char* edge : {"minimum", "maximum"})
      if (schema.contains(edge) && random_.one_in(std::fabs(schema[edge].get<double>()) < 1e15 ? 4 : 40))
        return schema[edge];
    if (!integer) return random_.one_in(4) ? Json(std::round(value)) : Json(value);
    const auto whole = static_cast<std::int64_t>(value);
    return random_.one_in(6) ? Json(static_cast<double>(whole)) : Json(whole);  // 5.0 is an integer too
  }

  // ---- changes -----------------------------------------------------------------------------------------------------------

  static void collect(Json& value, std::vector<Json*>& places) {
    places.push_back(&value);
    if (value.is_structured())
      for (Json& inner : value) collect(inner, places);
  }

  void change(Json& value) {
    std::vector<Json*> places;
    collect(value, places);
    Json& at = *random_.pick(places);
    switch (at.type()) {
      case Json::value_t::object:
        return change_object(at);
      case Json::value_t::array:
        return change_array(at);
      case Json::value_t::string:
        return change_text(at);
      case Json::value_t::number_integer:
      case Json::value_t::number_unsigned:
      case Json::value_t::number_float:
        return change_number(at);
      default:
        at = random_.one_in(3) ? Json(nullptr) : random_.anything(1);
    }
  }

  void change_object(Json& at) {
    const std::size_t choice = random_.below(7);
    if (at.empty() || choice == 0) {
      at[random_.word()] = random_.anything(1);
      return;
    }
    const auto member = std::next(at.begin(), static_cast<std::ptrdiff_t>(random_.below(at.size())));
    const std::string key = member.key();
    if (choice == 1) at = random_.one_in(2) ? Json(Json::array({at})) : random_.anything(1);
    if (choice == 2 || choice == 3) at.erase(key);
    if (choice == 4) {  // renamed
      Json moved = at[key];
      at.erase(key);
      at[random_.one_in(2) ? key + "s" : std::string(tc::utf8::prefix(key, key.size() / 2))] = std::move(moved);
    }
    if (choice == 5) at[key] = random_.anything(2);
    if (choice == 6) at[key] = nullptr;
  }

  void change_array(Json& at) {
    const std::size_t choice = random_.below(7);
    if (at.empty() || choice == 0) {
      at.push_back(random_.anything(1));
      return;
    }
    const std::size_t index = random_.below(at.size());
    if (choice == 1) at = random_.one_in(2) ? Json(at[index]) : random_.anything(1);
    if (choice == 2) at.erase(index);
    if (choice == 3 || choice == 4) {  // the same once more; 1 as 1.0
      Json twin = at[index];
      if (twin.is_number_integer() && random_.one_in(2)) twin = twin.get<double>();
      at.insert(at.begin() + static_cast<std::ptrdiff_t>(random_.below(at.size() + 1)), std::move(twin));
    }
    if (choice == 5) std::swap(at[index], at[random_.below(at.size())]);
    if (choice == 6) at[index] = random_.anything(1);
  }

  void change_text(Json& at) {
    std::string text = at.get<std::string>();
    switch (random_.below(9)) {
      case 8:  // another way to write a number
        at = random_.pick(std::vector<std::string>{"0" + text, "-" + text, "+" + text, text + ".0", text + "0"});
        return;
      case 0:
        at = random_.text();
        return;
      case 1:
        at = random_.anything(1);
        return;
      case 2:
        at = text +
             random_.pick(std::vector<std::string>{"x", " ", "\n", "s", "\xF0\x9F\x98\x80", std::string(1, '\0')});
        return;
      case 3:
        at = std::string(tc::utf8::prefix(text, text.size() / 2));
        return;
      case 4:  // the case of one letter
        for (char& c : text)
          if (random_.one_in(2) && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) c = static_cast<char>(c ^ 32);
        at = text;
        return;
      case 5:
        at = random_.word();
        return;
      case 6:
        at = random_.text();
        return;
      default:
        at = Json::array({text});
    }
  }

  void change_number(Json& at) {
    const double value = at.get<double>();
    const bool whole = std::trunc(value) == value && std::fabs(value) < 1e15;
    switch (random_.below(9)) {
      case 0:
        at = random_.number();
        return;
      case 1:
        at = random_.number();
        return;
      case 2:
        at = at.dump();
        return;
      case 3:
        at = whole ? Json(static_cast<std::int64_t>(value) + 1) : Json(value + 1);
        return;
      case 4:
        at = whole ? Json(static_cast<std::int64_t>(value) - 1) : Json(value - 1);
        return;
      case 5:
        at = whole ? Json(value) : Json(std::trunc(value));
        return;
      case 6:
        at = value + 0.5;
        return;
      case 7:
        at = -value;
        return;
      default:
        at = random_.anything(1);
    }
  }

  Json document_;
  RandomValues random_;
  Fill fill_ = Fill::some;
};

}  // namespace interop
