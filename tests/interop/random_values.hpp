// SPDX-License-Identifier: MIT
/// \file
/// Random JSON values of every kind, rich in what validators get wrong. The same for the same seed on every machine.
///
///     RandomValues random(landmarks_of(table), seed);
///     nlohmann::json value = random.anything(2);
///
/// Landmarks are the bounds that stand in a table, and their neighbours: where a verdict may change.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <span>
#include <string>
#include <toolcontract/table.hpp>
#include <toolcontract/utf8.hpp>
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
  const void* inside =
      schema.fields.empty() ? static_cast<const void*>(schema.alternatives.data()) : schema.fields.data();
  if (inside != nullptr && !seen.insert(inside).second) return;
  for (const tc::Field& field : schema.fields) add_landmarks(field.schema, landmarks, seen);
  for (const tc::Alternative& alternative : schema.alternatives) add_landmarks(*alternative.schema, landmarks, seen);
  const auto visit = [&](const tc::Link& link) {
    if (link.present() && seen.insert(link.now).second) add_landmarks(*link, landmarks, seen);
  };
  visit(schema.items);
  visit(schema.additional);
  for (const std::span<const tc::Link> parts : {schema.prefix_items, schema.all_of, schema.any_of, schema.one_of})
    for (const tc::Link& part : parts) visit(part);
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

class RandomValues {
 public:
  RandomValues(Landmarks landmarks, std::uint64_t seed) : landmarks_(std::move(landmarks)), engine_(seed) {}

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  auto pick(const List& from) {
    return from[below(from.size())];
  }

  /// `count` code points, some of them of more than one byte or more than one UTF-16 unit.
  std::string characters(std::size_t count) {
    static const Json alphabet =
        Json::parse(R"(["a","b","c","A","0","-"," ","\n","\"","\\","é","ß","日","\u2028","😀","𐍈"])");
    const bool plain = one_in(3);
    std::string text;
    for (std::size_t left = count; left > 0; --left) text += plain ? "x" : pick(alphabet).get<std::string>();
    return text;
  }

  std::string word() {
    static const Json words =
        Json::parse(R"(["","a","b","ada","10","x","y","kind","circle","rectangle","op","sum","constant",
      "radius","text","__proto__","toString","constructor","größe","a.b","😀"])");
    return pick(words);
  }

  Json number() {
    static const Json numbers =
        Json::parse(R"([0,1,-1,5,5.0,-0.0,0.1,1.5,2.5,100.0,127,128,-128,-129,255,256,32767,32768,65535,
      65536,2147483647,2147483648,-2147483648.0,4294967295,4294967296,9007199254740991,-9007199254740991,1e15,1e-7,5e-324,0.001,
      19.99,3.7,0.30000000000000004])");
    static const Json huge =
        Json::parse(R"([9007199254740993,9223372036854775807,-9223372036854775808,18446744073709551615,1e19,
      -1e19,1e300,-1e308,3.4028235e38,3.5e38])");
    if (!landmarks_.numbers.empty() && one_in(2)) return pick(landmarks_.numbers);
    return pick(one_in(8) ? huge : numbers);
  }

  std::string text() {
    static const Json texts =
        Json::parse(R"(["","0","5","true","null","low","Low","LOW","low ","celsius","Celsius","circle",
      "A17\n","tok_","a\u0000b","login-loop\n","Ünïcödé","{}","[]"])");
    if (one_in(3)) return pick(texts);
    std::size_t count = below(8);
    if (!landmarks_.sizes.empty() && one_in(2)) {
      count = pick(std::vector<std::size_t>(landmarks_.sizes.begin(), landmarks_.sizes.end()));
      count += below(3);
      if (count > 0) --count;
    }
    return characters((std::min)(count, std::size_t{200}));
  }

  /// Any JSON value, nested at most `depth` levels.
  Json anything(std::size_t depth) {
    const std::size_t kind = below(depth == 0 ? 4 : 6);
    if (kind == 0) return nullptr;
    if (kind == 1) return one_in(2);
    if (kind == 2) return number();
    if (kind == 3) return text();
    Json value = kind == 4 ? Json::array() : Json::object();
    for (std::size_t left = below(4); left > 0; --left) {
      if (kind == 4)
        value.push_back(anything(depth - 1));
      else
        value[word()] = anything(depth - 1);
    }
    return value;
  }

 private:
  Landmarks landmarks_;
  std::mt19937_64 engine_;
};

}  // namespace interop
