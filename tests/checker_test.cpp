// SPDX-License-Identifier: MIT
#include <toolcontract/checker.hpp>

#include "catch.hpp"
#include "random_json.hpp"
#include "samples.hpp"
#include "show.hpp"

#include <toolcontract/json_schema.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tc = toolcontract;
using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;
using Errors = std::vector<tc::FieldError>;

namespace {

tc::Checker compiled(const char* schema) { return tc::Checker::compile(Ordered::parse(schema)).value(); }

Errors explained(const char* schema, const char* value) {
  const tc::Checker checker = compiled(schema);
  const Json json = Json::parse(value);
  auto errors = checker.explain(json);
  CHECK(checker.accepts(json) == errors.empty());
  return errors;
}

/// "at|keyword" of a refusal; "" when the document is taken.
std::string refused(const char* schema) {
  const auto checker = tc::Checker::compile(Ordered::parse(schema));
  return checker ? "" : checker.error().at + "|" + checker.error().keyword;
}

}  // namespace

TEST_CASE("checker: all errors come at once, in the document's order") {
  CHECK(
      explained(
          R"({"type":"object","properties":{"days":{"type":"integer","minimum":1,"maximum":7},"city":{"type":"string","minLength":2}},
                      "required":["city","days"],"additionalProperties":false})",
          R"({"city":"x","days":9,"day":1})") ==
      Errors{{"days", "range", "must be 1 to 7", 9},
             {"city", "length", "must have at least 2 characters", "x"},
             {"day", "unknown_field", "must be left out; the known fields are days, city; did you mean days?", {}}});
}

TEST_CASE("checker: of a union the branch that fits best is explained") {
  CHECK(explained(R"({"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]})", "0") ==
        Errors{{"", "range", "must be at least 1", 0}});
  CHECK(explained(R"({"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]})", R"("x")") ==
        Errors{{"", "any_of", "must be an integer, at least 1, or null", "x"}});
  CHECK(
      explained(
          R"({"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":"integer"}},"required":["kind","n"]},
                               {"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]})",
          R"({"kind":"a","n":"1"})") == Errors{{"n", "type", "must be an integer", "1"}});
  CHECK(explained(R"({"oneOf":[{"type":"integer"},{"minimum":2}]})", "3") ==
        Errors{{"", "one_of", "must fit exactly one of the alternatives; it fits 2 of them", 3}});
  CHECK(explained(R"({"anyOf":[{"const":"open"},{"const":"closed"}]})", R"("opened")") ==
        Errors{{"", "enum", "must be one of open, closed; did you mean open?", "opened"}});
}

TEST_CASE("checker: constants, tuples and names say what is legal") {
  CHECK(explained(R"({"const":{"a":[1,2.0]}})", R"({"a":[1.0,2]})").empty());
  CHECK(explained(R"({"enum":["a",1,null]})", "2") == Errors{{"", "enum", "must be one of a, 1, null", 2}});
  CHECK(explained(R"({"prefixItems":[{"type":"number"},{"type":"number"}],"items":false})", "[1,2,3]") ==
        Errors{{"[2]", "items", "must be left out; at most 2 items are allowed", 3}});
  CHECK(explained(R"({"propertyNames":{"enum":["red","green"]}})", R"({"reed":1})") ==
        Errors{{"reed", "property_name", "must be named one of red, green; did you mean red?", {}}});
}

TEST_CASE("checker: what it cannot enforce is refused with its place and keyword") {
  CHECK(refused(R"({"properties":{"a":{"not":{}}}})") == "/properties/a|not");
  CHECK(refused(R"({"type":"strin"})") == "|type");
  CHECK(refused(R"({"properties":{"a/b":{"minLength":-1}}})") == "/properties/a~1b|minLength");
  CHECK(refused(R"({"items":{"pattern":"(?=a)b"}})") == "/items|pattern");
  CHECK(refused(R"({"properties":{"a":{"$ref":"https://example.com/s.json"}}})") == "/properties/a|$ref");
  CHECK(refused(R"({"$ref":"#/$defs/none"})") == "|$ref");
  CHECK(refused(R"({"$ref":"#"})") == "|$ref");
  CHECK(
      refused(
          R"({"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"})")
          .ends_with("|$ref"));
  CHECK(refused(R"({"multipleOf":0})") == "|multipleOf");
  CHECK(refused(R"({"properties":{"n":{"maximum":7,"default":9}}})") == "/properties/n|default");
  CHECK(refused(R"({"unevaluatedProperties":false})") == "|unevaluatedProperties");
  CHECK(refused(R"({"$dynamicRef":"#a"})") == "|$dynamicRef");
  CHECK(refused(R"({"$schema":"http://json-schema.org/draft-04/schema#"})") == "|$schema");
  CHECK(refused(R"({"properties":{"a":{"properties":{"b":{"$ref":"#/properties/a"}}}}})").empty());
}

TEST_CASE("checker: unknown keywords and formats are annotations and listed") {
  CHECK(compiled(R"({"properties":{"id":{"type":"string","format":"x-ticket","x-order":1}}})").not_checked() ==
        std::vector<std::string>{"/properties/id: format x-ticket", "/properties/id: x-order"});
}

TEST_CASE("checker: siblings of $ref count in 2020-12 and are ignored in draft-07") {
  CHECK(explained(R"({"properties":{"a":{"$ref":"#/$defs/s","minLength":3}},"$defs":{"s":{"type":"string"}}})",
                  R"({"a":"ab"})")
            .size() == 1);
  CHECK(
      explained(
          R"({"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"$ref":"#/definitions/s","minLength":3}},
                      "definitions":{"s":{"type":"string"}}})",
          R"({"a":"ab"})")
          .empty());
}

TEST_CASE("checker: defaults fill in where properties are reached unconditionally") {
  const tc::Checker checker =
      compiled(R"({"properties":{"limit":{"default":10},"in":{"properties":{"deep":{"default":[1]}}}},
      "allOf":[{"properties":{"all":{"default":true}}}],"anyOf":[{"properties":{"any":{"default":1}}},{}]})");
  Json value = Json::parse(R"({"in":{}})");
  checker.fill_defaults(value);
  CHECK(value == Json::parse(R"({"in":{"deep":[1]},"limit":10,"all":true})"));
}

TEST_CASE("checker: alternatives that multiply with each level end as too_large") {
  const tc::Checker checker =
      compiled(R"({"$defs":{"n":{"anyOf":[{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["x"]},
      {"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["y"]}]}},"$ref":"#/$defs/n"})");
  Json value = Json::object();
  for (int i = 0; i < 60; ++i) value = Json{{"n", value}};
  CHECK_FALSE(checker.accepts(value));
  CHECK(checker.explain(value) ==
        Errors{{"", "too_large", "must be simpler; checking it takes more steps than are allowed", {}}});
}

TEST_CASE("checker: a described type and its emitted schema give the same verdicts and the same field errors") {
  samples::for_each_type([]<class T>(std::string_view name) {
    if (std::is_same_v<T, samples::Ids>) return;  // the bounds of an integer sent as a string are no keyword
    const tc::Table& table = tc::table_of<T>();
    const auto checker = tc::Checker::compile(Ordered::parse(tc::json_schema_text<T>()));
    INFO(name);
    REQUIRE(checker.has_value());
    RandomJson random(7);
    for (int i = 0; i < 300; ++i) {
      Json value = random.value_of(table.root(), 4);
      if (i % 2 == 1) random.mutate(value);
      INFO(value.dump(-1, ' ', true, Json::error_handler_t::replace));
      const Errors typed = tc::explain(table.root(), value);
      const auto beyond_64_bits =
          [](const tc::FieldError& error) {  // JSON Schema has no word for a 64-bit member's range
            return error.problem == tc::problem::fits_64_bits(true) ||
                   error.problem == tc::problem::fits_64_bits(false);
          };
      if (std::any_of(typed.begin(), typed.end(), beyond_64_bits)) continue;
      CHECK(checker->accepts(value) == typed.empty());
      CHECK(checker->explain(value) == typed);
    }
  });
}

TEST_CASE("checker: every tool of the real servers is taken") {
  const char* corpus = std::getenv("TOOLCONTRACT_CORPUS");
  if (corpus == nullptr) {
    WARN("left out: the tools/list dumps of real servers (TOOLCONTRACT_CORPUS is not set)");
    return;
  }
  std::size_t schemas = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(corpus) / "tools-list")) {
    std::ifstream file(entry.path());
    const Ordered dump = Ordered::parse(file);
    const Ordered& list = dump.is_array() ? dump : dump.contains("result") ? dump["result"]["tools"] : dump["tools"];
    for (const Ordered& tool : list)
      for (const char* key : {"inputSchema", "outputSchema"}) {
        if (!tool.contains(key)) continue;
        ++schemas;
        INFO(entry.path().filename() << " " << tool["name"]);
        CHECK(tc::Checker::compile(tool[key]).has_value());
      }
  }
  CHECK(schemas > 200);
}
