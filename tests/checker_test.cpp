// SPDX-License-Identifier: MIT
#include <toolcontract/checker.hpp>

#include "catch.hpp"
#include "random_json.hpp"
#include "samples.hpp"
#include "show.hpp"

#include <toolcontract/json_schema.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tc = toolcontract;
using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;
using Errors = std::vector<tc::FieldError>;
using tc::Shown;

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

TEST_CASE("checker: branches that fit equally well and lack different members are told together") {
  CHECK(explained(R"({"anyOf":[{"required":["id"],"properties":{"id":{"type":"string"}}},{"required":["name"]}]})",
                  R"({"x":1})") == Errors{{"", "any_of", "must have id (a string), or name", "{1 key}"}});
  CHECK(explained(R"({"anyOf":[{"required":["id"]},{"required":["name","age"]}]})", R"({"age":1})") ==
        Errors{{"name", "required", "must be given: any JSON value", {}}});  // that branch knows age
  const auto* position =
      R"({"items":{"anyOf":[{"type":"object","properties":{"at":{"type":"string"},"line":{"type":"integer"}},"required":["at","line"],"additionalProperties":false},
      {"type":"object","properties":{"at":{"type":"string"},"position":{"type":"integer"}},"required":["at","position"],"additionalProperties":false}]}})";
  CHECK(explained(position, R"([{"at":"a"}])") ==
        Errors{{"[0]", "any_of", "must have line (an integer), or position (an integer)", "{1 key}"}});
  CHECK(explained(position, R"([{"at":"a","lines":1}])") ==
        Errors{
            {"[0]", "any_of", "must have line (an integer), or position (an integer)", "{2 keys}"},
            {"[0].lines", "unknown_field", "must be left out; the known fields are at, line; did you mean line?", {}}});
  CHECK(explained(position, R"([{"at":"a","position":"1"}])") ==
        Errors{{"[0].position", "type", "must be an integer", "1"}});
}

TEST_CASE("checker: what is wrong inside one alternative is told with the alternatives of other types") {
  const auto* union_of_types =
      R"({"properties":{"a":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"string"},{"type":"null"}]}}})";
  CHECK(explained(union_of_types, R"({"a":[1,"x"]})") ==
        Errors{{"a[1]", "type", "must be an integer; or a must be a string, or null", "x"}});
  CHECK(explained(R"({"anyOf":[{"type":"object","required":["n"]},{"type":"string"}]})", "{}") ==
        Errors{{"n", "required", "must be given: any JSON value; or the whole must be a string", {}}});
  CHECK(explained(R"({"anyOf":[{"type":"object","properties":{"n":{"type":"integer"}}},{"type":"null"}]})",
                  R"({"n":1.5})") == Errors{{"n", "type", "must be an integer", 1.5}});  // null is no news
}

TEST_CASE("checker: without its tag a union tells the members that none of its alternatives knows") {
  CHECK(
      explained(
          R"({"anyOf":[{"type":"object","properties":{"kind":{"const":"a"},"n":{"type":"integer"}},"required":["kind"],"additionalProperties":false},
                       {"type":"object","properties":{"kind":{"const":"b"},"m":{"type":"integer"}},"required":["kind"],"additionalProperties":false}]})",
          R"({"kinds":"a","n":"1"})") ==
      Errors{{"kind", "required", "must be given: one of a, b", {}},
             {"kinds", "unknown_field", "must be left out; the known fields are kind, n, m; did you mean kind?", {}}});
  CHECK(
      tc::explain(tc::table_of<samples::Drawing>().root(),
                  Json::parse(R"({"outline":{"kin":"circle","radius":1},"shapes":[],"named":{},"priority":"low"})")) ==
      Errors{{"outline.kind", "required", "must be given: one of circle, rectangle", {}},
             {"outline.kin",
              "unknown_field",
              "must be left out; the known fields are kind, radius, width, height, label; did you mean kind?",
              {}}});
}

TEST_CASE("checker: a legal text that would be misread in a list stands in quotes") {
  CHECK(explained(R"({"enum":["a, b","",  "1",1,"-2.5e3","true",true," x","[]","2026-11-30","b\"c"]})", R"("z")") ==
        Errors{{"", "enum", R"(must be one of "a, b", "", "1", 1, "-2.5e3", "true", true, " x", "[]", 2026-11-30, b"c)",
                "z"}});
  CHECK(explained(R"({"const":"null"})", "null") == Errors{{"", "const", R"(must be "null")", Shown::json("null")}});
}

TEST_CASE("checker: a member that is required and can have no value is told as such") {
  CHECK(explained(R"({"required":["x"],"additionalProperties":false})", "{}") ==
        Errors{{"x", "required", "must be given, but no value is allowed for it; nothing satisfies this schema", {}}});
}

TEST_CASE("checker: a wrong type is told with every limit of the right one") {
  const auto type_of = [](const char* schema) { return explained(schema, "false").at(0).problem; };
  CHECK(type_of(R"({"type":"string","minLength":2,"maxLength":5,"pattern":"^a"})") ==
        "must be a string of 2 to 5 characters that matches the pattern ^a");
  CHECK(type_of(R"({"type":["array","null"],"minItems":2})") == "must be an array of at least 2 items or null");
  CHECK(type_of(R"({"type":["string","null"],"format":"date"})") == "must be null or a date, e.g. 2026-11-30");
  CHECK(type_of(R"({"anyOf":[{"type":"string"},{"type":"string"},{"type":"object"}]})") ==
        "must be a string, or an object");
}

TEST_CASE("checker: constants, tuples and names say what is legal") {
  CHECK(explained(R"({"const":{"a":[1,2.0]}})", R"({"a":[1.0,2]})").empty());
  CHECK(explained(R"({"enum":["a",1,null]})", "2") == Errors{{"", "enum", "must be one of a, 1, null", 2}});
  CHECK(explained(R"({"prefixItems":[{"type":"number"},{"type":"number"}],"items":false})", "[1,2,3]") ==
        Errors{{"[2]", "items", "must be left out; at most 2 items are allowed", 3}});
  CHECK(explained(R"({"propertyNames":{"enum":["red","green"]}})", R"({"reed":1})") ==
        Errors{{"reed", "property_name", "must be named one of red, green; did you mean red?", {}}});
  CHECK(explained(R"({"propertyNames":{"maxLength":3,"pattern":"^x"}})", R"({"abcd":1})") ==
        Errors{{"abcd",
                "property_name",
                "must have a name that is a string of at most 3 characters that matches the pattern ^x",
                {}}});
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

TEST_CASE("checker: a default is filled in turn, but never inside itself") {
  const auto filled = [](const char* document) {
    Json value = Json::object();
    compiled(document).fill_defaults(value);
    return value;
  };
  CHECK(filled(R"({"properties":{"page":{"properties":{"size":{"default":10}},"default":{}}}})") ==
        Json::parse(R"({"page":{"size":10}})"));
  CHECK(
      filled(
          R"({"$defs":{"n":{"properties":{"next":{"$ref":"#/$defs/n","default":{}},"v":{"default":1}}}},"$ref":"#/$defs/n"})") ==
      Json::parse(R"({"next":{"v":1},"v":1})"));
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

TEST_CASE("checker: every value of an object is a step of the work it may take") {
  const auto steps = [](const char* document, const char* value) {
    std::size_t work = 10;
    const tc::Checker checker = compiled(document);
    const bool sound = tc::detail::Acceptor<Json>(work).value(checker.table()->root(), Json::parse(value), nullptr, 9);
    return std::pair(sound, 10 - work);
  };
  using Steps = std::pair<bool, std::size_t>;
  const char* closed =
      R"({"type":"object","properties":{"a":{},"b":{},"c":{"type":"string"}},"additionalProperties":false})";
  const char* open = R"({"type":"object","properties":{"a":{},"b":{},"c":{"type":"string"}}})";
  const char* nine = R"({"type":"object","additionalProperties":false,"properties":{"a":{},"b":{},"c":{},"d":{},)"
                     R"("e":{},"f":{},"g":{},"h":{},"i":{},"j":{}}})";
  for (const char* document : {closed, open}) {
    CHECK(steps(document, R"({"a":1,"b":2,"c":"3"})") == Steps(true, 4));
    CHECK(steps(document, R"({})") == Steps(true, 1));
  }
  CHECK(steps(nine, R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1})") == Steps(true, 10));
  CHECK(steps(nine, R"({"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1})") == Steps(false, 10));
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
