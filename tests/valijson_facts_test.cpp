// SPDX-License-Identifier: MIT
//
// What valijson 1.0 gets wrong, ignores, throws on or crashes on, one test each: here it must come out right or be refused.
// Nothing of valijson is included: verdict() stands in schema_validator_test.cpp.
#include <toolcontract/checker.hpp>

#include "catch.hpp"
#include "show.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tc = toolcontract;
using Json = nlohmann::json;
using Errors = std::vector<tc::FieldError>;

tc::Result<Errors, tc::SchemaRefusal> verdict(const Json& document, const Json& value, std::size_t depth);

namespace {

/// Does `value` satisfy `schema`? The schema stands in places that only valijson reaches as well, and all must agree.
bool holds(std::string_view text, const Json& value) {
  const Json schema = Json::parse(text);
  const auto plain = verdict(schema, value, 64);
  REQUIRE(plain);
  const auto check = [&](const Json& document, const Json& wrapped, bool negated) {
    INFO(document.dump());
    const auto same = verdict(document, wrapped, 64);
    CHECK((same && same->empty() == (plain->empty() != negated)));
  };
  check({{"not", schema}}, value, true);
  check({{"not", {{"not", schema}}}}, value, false);
  check({{"if", schema}, {"then", true}, {"else", false}}, value, false);
  check({{"if", true}, {"then", schema}}, value, false);
  check({{"contains", schema}}, Json::array({value}), false);
  check({{"contains", schema}, {"maxContains", 0}, {"minContains", 0}}, Json::array({value}), true);
  check({{"patternProperties", {{"^m$", schema}}}}, {{"m", value}}, false);
  check({{"patternProperties", {{"^x$", true}}}, {"additionalProperties", schema}}, {{"m", value}}, false);
  check({{"dependentSchemas", {{"m", {{"properties", {{"m", schema}}}}}}}}, {{"m", value}}, false);
  return plain->empty();
}

/// The keyword that a document is refused for; "" when it is not.
std::string refused(std::string_view document) {
  const auto result = verdict(Json::parse(document), nullptr, 64);
  return result ? "" : result.error().keyword;
}
Errors errors_of(std::string_view document, const Json& value) {
  auto result = verdict(Json::parse(document), value, 64);
  REQUIRE(result);
  return *std::move(result);
}
double seconds_of(const auto& step) {
  const auto start = std::chrono::steady_clock::now();
  step();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
/// {"a":{"a":…5}}, `levels` of it, without recursion.
Json nested(std::size_t levels) {
  Json value = 5;
  for (std::size_t level = 0; level < levels; ++level) {
    Json outer = Json::object();
    outer["a"] = std::move(value);
    value = std::move(outer);
  }
  return value;
}
void take_apart(Json value) {
  while (value.is_object()) {
    Json inner = std::move(value["a"]);
    value = std::move(inner);
  }
}

}  // namespace

// ---- wrong verdicts -----------------------------------------------------------------------------------------------------

TEST_CASE("valijson: 1.0 is an integer here") {
  CHECK(holds(R"({"type":"integer"})", 1.0));
  CHECK_FALSE(holds(R"({"type":"integer"})", 1.5));
  CHECK(holds(R"({"enum":[1]})", 1.0));
  CHECK(holds(R"({"const":[{"a":1.0}]})", Json::parse(R"([{"a":1}])")));
}

TEST_CASE("valijson: 18446744073709551615 is above 100 and not -1 here") {
  constexpr auto largest = (std::numeric_limits<std::uint64_t>::max)();
  CHECK_FALSE(holds(R"({"maximum":100})", largest));
  CHECK_FALSE(holds(R"({"minimum":-1,"maximum":-1})", largest));
  CHECK_FALSE(holds(R"({"const":-1})", largest));
  CHECK(holds(R"({"minimum":18446744073709551615})", largest));
  CHECK_FALSE(holds(R"({"exclusiveMaximum":9007199254740993})", 9007199254740993));
  CHECK(holds(R"({"exclusiveMaximum":9007199254740993})", 9007199254740992));
}

TEST_CASE("valijson: a text goes on after U+0000 here") {
  using namespace std::string_literals;
  CHECK_FALSE(holds(R"({"maxLength":3})", "\0AAAA"s));
  CHECK(holds(R"({"maxLength":5,"minLength":5})", "\0AAAA"s));
  CHECK_FALSE(holds(R"({"enum":["a"]})", "a\0b"s));
  CHECK(holds(R"({"required":["a\u0000b"]})", {{"a\0b"s, 1}}));
  CHECK_FALSE(holds(R"({"required":["a\u0000b"]})", {{"a", 1}}));
  CHECK(holds(R"({"properties":{"a\u0000b":{"type":"string"}}})", {{"a", 1}}));
}

TEST_CASE("valijson: 19.99 is a multiple of 0.01 here, and 19.995 is not") {
  CHECK(holds(R"({"multipleOf":0.01})", 19.99));
  CHECK_FALSE(holds(R"({"multipleOf":0.01})", 19.995));
  CHECK_FALSE(holds(R"({"multipleOf":2})", 4.5));
}

TEST_CASE("valijson: 2023 has no February 29 here, and a date format says nothing about a number") {
  CHECK_FALSE(holds(R"({"format":"date"})", "2023-02-29"));
  CHECK(holds(R"({"format":"date"})", "2024-02-29"));
  CHECK_FALSE(holds(R"({"format":"date"})", "2024-04-31"));
  CHECK(holds(R"({"format":"date"})", 12));
  CHECK(holds(R"({"format":"date-time"})", nullptr));
}

TEST_CASE("valijson: a dot in a pattern is one character here, not one byte") {
  CHECK(holds(R"({"pattern":"^.$"})", "é"));
  CHECK(holds(R"({"pattern":"^.$"})", "𝄞"));
  CHECK_FALSE(holds(R"({"pattern":"^..$"})", "é"));
  CHECK(verdict(Json::parse(R"({"patternProperties":{"^.$":{"type":"integer"}}})"), {{"é", "x"}}, 64)->size() == 1);
}

TEST_CASE("valijson: NaN and infinities are no numbers here") {
  for (const double number : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const char* schema : {R"({"if":true,"then":{"minimum":0,"maximum":10}})", R"({"not":{"type":"string"}})",
                               R"({"not":{"minimum":0}})"}) {
      INFO(schema);
      CHECK(errors_of(schema, number) == Errors{{"", "range", "must be a finite number", number}});
    }
}

// ---- ignored ------------------------------------------------------------------------------------------------------------

TEST_CASE("valijson: dependentRequired and dependentSchemas are enforced here") {
  CHECK_FALSE(holds(R"({"dependentRequired":{"a":["b"]}})", {{"a", 1}}));
  CHECK_FALSE(holds(R"({"dependentSchemas":{"a":{"maxProperties":1}}})", {{"a", 1}, {"b", 1}}));
}

TEST_CASE("valijson: prefixItems, minContains and maxContains are enforced here") {
  CHECK_FALSE(holds(R"({"prefixItems":[{"type":"integer"}]})", Json::parse(R"(["a"])")));
  CHECK_FALSE(holds(R"({"prefixItems":[{}],"items":false})", Json::parse("[1,2]")));
  CHECK_FALSE(holds(R"({"contains":{},"minContains":2})", Json::parse("[1]")));
  CHECK_FALSE(holds(R"({"contains":{},"maxContains":1})", Json::parse("[1,2]")));
}

TEST_CASE("valijson: siblings of $ref count here in 2020-12") {
  const Json document = Json::parse(R"({"not":{"$ref":"#/$defs/n","minimum":5},"$defs":{"n":{"type":"integer"}}})");
  CHECK(verdict(document, 4, 64)->empty());
  CHECK(verdict(document, 5, 64)->size() == 1);
}

TEST_CASE("valijson: formats beyond date and time are enforced here, and nullable is listed as unchecked") {
  CHECK_FALSE(holds(R"({"format":"email"})", "nobody"));
  CHECK_FALSE(holds(R"({"format":"ipv4"})", "1.2.3"));
  CHECK_FALSE(holds(R"({"format":"uuid"})", "1"));
  CHECK_FALSE(holds(R"({"type":"string","nullable":true})", nullptr));
}

TEST_CASE("valijson: unevaluatedItems, unevaluatedProperties and $dynamicRef are refused here") {
  CHECK(refused(R"({"unevaluatedProperties":false})") == "unevaluatedProperties");
  CHECK(refused(R"({"not":{"unevaluatedItems":{}}})") == "unevaluatedItems");
  CHECK(refused(R"({"if":{"$dynamicRef":"#a"}})") == "$dynamicRef");
}

TEST_CASE("valijson: a name that propertyNames rejects is reported here") {
  CHECK_FALSE(holds(R"({"propertyNames":{"maxLength":2}})", {{"abc", 1}}));
  CHECK(errors_of(R"({"not":{"type":"array"},"propertyNames":{"enum":["abcd"]}})", {{"abc", 1}}) ==
        Errors{{"abc", "property_name", "must be named one of abcd; did you mean abcd?", {}}});
}

// ---- throws -------------------------------------------------------------------------------------------------------------

TEST_CASE("valijson: $anchor, an embedded $id and maxLength 2.0 are fine here") {
  const Json anchored = Json::parse(R"({"not":{"$ref":"#text"},"$defs":{"t":{"$anchor":"text","type":"string"}}})");
  CHECK(verdict(anchored, "x", 64)->size() == 1);
  CHECK(verdict(anchored, 1, 64)->empty());
  const Json embedded = Json::parse(
      R"({"$id":"https://example.com/root","not":{"$ref":"item"},"$defs":{"i":{"$id":"item","type":"string"}}})");
  CHECK(verdict(embedded, "x", 64)->size() == 1);
  CHECK(verdict(embedded, 1, 64)->empty());
  CHECK(holds(R"({"maxLength":2.0})", "ab"));
  CHECK_FALSE(holds(R"({"maxLength":2.0})", "abc"));
}

TEST_CASE("valijson: what it throws on is a refusal here, when the document is loaded") {
  CHECK(refused(R"({"not":{"$ref":"http://example.com/a"}})") == "$ref");
  CHECK(refused(R"({"not":{"type":"int"}})") == "type");
  CHECK(refused(R"({"not":{"pattern":"("}})") == "pattern");
  CHECK(refused(R"({"not":{"pattern":"(?<=a)b"}})") == "pattern");
  CHECK(refused(R"({"patternProperties":{"[":{}}})") == "patternProperties");
}

// ---- crashes and endless work -------------------------------------------------------------------------------------------

TEST_CASE("valijson: a text of 100 KB meets patterns, names and formats here without recursion") {
  const std::string longest(100'000, 'a');
  CHECK(holds(R"({"pattern":"^[a-z]+$"})", longest));
  CHECK_FALSE(holds(R"({"pattern":"^(a|b)*c$"})", longest));
  CHECK_FALSE(holds(R"({"format":"date-time"})", longest));
  CHECK_FALSE(holds(R"({"format":"email"})", longest));
  CHECK_FALSE(holds(R"({"patternProperties":{"^(a|b)*$":false}})", {{longest, 1}}));
}

TEST_CASE("valijson: (a+)+$ takes linear time here") {
  const std::string text = std::string(100'000, 'a') + "!";
  CHECK(seconds_of([&] {
          CHECK_FALSE(holds(R"({"pattern":"^(a+)+$"})", text));
          CHECK(holds(R"({"patternProperties":{"^(a+)+$":false}})", {{text, 1}}));
        }) < 5);
}

TEST_CASE("valijson: a recursive schema meets a value of any depth here") {
  const Json recursive = Json::parse(
      R"({"$ref":"#/$defs/n","$defs":{"n":{"type":"object","if":{"required":["a"]},"then":{"properties":{"a":{"$ref":"#/$defs/n"}}}}}})");
  CHECK(*verdict(recursive, nested(63), 64) == Errors{{"a" +
                                                           [] {
                                                             std::string rest;
                                                             for (int i = 1; i < 63; ++i) rest += ".a";
                                                             return rest;
                                                           }(),
                                                       "type", "must be an object", 5}});
  for (const std::size_t depth : {std::size_t{65}, std::size_t{8'000}, std::size_t{100'000}}) {
    Json value = nested(depth);
    CHECK(*verdict(recursive, value, 64) == Errors{{"", "too_deep", "must be nested at most 64 levels deep", {}}});
    take_apart(std::move(value));
  }
  CHECK(*verdict(recursive, nested(2'000), 4'000) ==
        Errors{{"", "too_large", "must be simpler; checking it takes more steps than are allowed", {}}});
}

TEST_CASE("valijson: many keywords inside each other, at each of many levels, end here as too large") {
  Json inner = Json::parse(R"({"properties":{"a":{"$ref":"#/$defs/n"}}})");
  for (int i = 0; i < 200; ++i) inner = {{"not", {{"not", std::move(inner)}}}};
  CHECK(refused(Json{{"$ref", "#/$defs/n"}, {"$defs", {{"n", inner}}}}.dump()) == "");
  Json less = Json::parse(R"({"properties":{"a":{"$ref":"#/$defs/n"}}})");
  for (int i = 0; i < 100; ++i) less = {{"not", std::move(less)}};
  const Json document = {{"$ref", "#/$defs/n"}, {"$defs", {{"n", less}}}};
  CHECK(verdict(document, nested(1), 64)->empty());
  CHECK(*verdict(document, nested(60), 64) ==
        Errors{{"", "too_large", "must be simpler; checking it takes more steps than are allowed", {}}});
}

TEST_CASE("valijson: a recursive two-branch anyOf ends here as too large, within the work budget") {
  const Json document = Json::parse(R"({"$ref":"#/$defs/n","$defs":{"n":{"not":{"not":{"anyOf":[
    {"properties":{"a":{"$ref":"#/$defs/n"}},"required":["x"]},{"properties":{"a":{"$ref":"#/$defs/n"}},"required":["y"]}]}}}}})");
  const Json value = nested(60);
  CHECK(seconds_of([&] {
          CHECK(*verdict(document, value, 64) ==
                Errors{{"", "too_large", "must be simpler; checking it takes more steps than are allowed", {}}});
        }) < 60);
}

TEST_CASE("valijson: work that is used up inside not or oneOf is not taken for a yes") {
  const Json document = Json::parse(R"({"not":{"$ref":"#/$defs/n"},"$defs":{"n":{"anyOf":[
    {"properties":{"a":{"$ref":"#/$defs/n"}},"required":["x"]},{"properties":{"a":{"$ref":"#/$defs/n"}},"required":["y"]}]}}})");
  CHECK(*verdict(document, nested(60), 64) ==
        Errors{{"", "too_large", "must be simpler; checking it takes more steps than are allowed", {}}});
  CHECK(verdict(document, nested(4), 64)->empty());
  const Json one_of = Json::parse(R"({"oneOf":[{"if":true,"then":{"type":"array"}},{"$ref":"#/$defs/t"}],
    "$defs":{"t":{"items":{"allOf":[{"$ref":"#/$defs/t"},{"$ref":"#/$defs/t"}]}}}})");
  Json array = 1;
  for (int i = 0; i < 40; ++i) array = Json::array({std::move(array)});
  CHECK(*verdict(one_of, array, 64) ==
        Errors{{"", "too_large", "must be simpler; checking it takes more steps than are allowed", {}}});
}

TEST_CASE("valijson: references that go round in circles are refused here") {
  CHECK(refused(R"({"$ref":"#"})") == "$ref");
  CHECK(refused(R"({"allOf":[{"$ref":"#"}]})") == "$ref");
  CHECK(refused(R"({"not":{"$ref":"#"}})") == "$ref");
  CHECK(refused(
            R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"if":true,"then":{"$ref":"#/$defs/a"}}}})") ==
        "$ref");
}

TEST_CASE("valijson: multipleOf 0 is refused here") {
  CHECK(refused(R"({"multipleOf":0})") == "multipleOf");
  CHECK(refused(R"({"contains":{"multipleOf":0.0}})") == "multipleOf");
}

TEST_CASE("valijson: uniqueItems of 10,000 texts or numbers takes n log n here") {
  Json texts = Json::array(), numbers = Json::array();
  for (int i = 0; i < 10'000; ++i) {
    texts.push_back("text number " + std::to_string(i));
    numbers.push_back(i);
  }
  CHECK(seconds_of([&] {
          CHECK(holds(R"({"uniqueItems":true})", texts));
          CHECK(holds(R"({"uniqueItems":true})", numbers));
          numbers.push_back(17.0);
          CHECK_FALSE(holds(R"({"uniqueItems":true})", numbers));
        }) < 5);
}

// ---- errors -------------------------------------------------------------------------------------------------------------

TEST_CASE("valijson: index 0 and key \"0\" are told apart here") {
  const char* document = R"({"if":true,"then":{"items":{"type":"string"},"additionalProperties":{"type":"string"}}})";
  CHECK(errors_of(document, Json::array({1})) == Errors{{"[0]", "type", "must be a string", 1}});
  CHECK(errors_of(document, {{"0", 1}}) == Errors{{R"(["0"])", "type", "must be a string", 1}});
}

TEST_CASE(
    "valijson: one fault gives one error here, with keyword, legal values and what arrived, however deep and whatever "
    "the union") {
  const char* document = R"({"if":true,"then":{"properties":{"a":{"properties":{"b":{"items":{"anyOf":[
    {"type":"object","properties":{"kind":{"const":"x"},"n":{"enum":["one","two"]}},"required":["kind"]},
    {"type":"object","properties":{"kind":{"const":"y"}},"required":["kind"]}]}}}}}}})";
  CHECK(errors_of(document, Json::parse(R"({"a":{"b":[{"kind":"y"},{"kind":"x","n":"twoo"}]}})")) ==
        Errors{{"a.b[1].n", "enum", "must be one of one, two; did you mean two?", "twoo"}});
}
