// SPDX-License-Identifier: MIT
#include <toolcontract/schema_validator.hpp>

#include "catch.hpp"
#include "show.hpp"

#include <toolcontract/checker.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace tc = toolcontract;
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;
using Errors = std::vector<tc::FieldError>;
using tc::Shown;

// Used by valijson_facts_test.cpp as well: this is the one translation unit that compiles valijson.
tc::Result<Errors, tc::SchemaRefusal> verdict(const Json& document, const Json& value, std::size_t depth) {
  const auto validator = tc::compile_any(document);
  if (!validator) return validator.error();
  Errors errors = validator->explain(value, depth);
  CHECK(validator->accepts(value, depth) == errors.empty());
  return errors;
}

namespace {

tc::SchemaValidator compiled(std::string_view document) {
  auto validator = tc::SchemaValidator::compile(OrderedJson::parse(document));
  if (!validator) throw std::move(validator).error();
  return *std::move(validator);
}
Errors explained(std::string_view document, std::string_view value) {
  const tc::SchemaValidator validator = compiled(document);
  const Json json = Json::parse(value);
  Errors errors = validator.explain(json);
  CHECK(validator.accepts(json) == errors.empty());
  CHECK(validator.accepts(OrderedJson::parse(value)) == errors.empty());
  return errors;
}
/// Where, which keyword, why.
std::array<std::string, 3> refusal(std::string_view document) {
  const auto validator = tc::SchemaValidator::compile(Json::parse(document));
  if (validator) return {"", "", "compiled"};
  return {validator.error().at, validator.error().keyword, validator.error().problem};
}
std::array<std::string, 3> refused(std::string at, std::string keyword, std::string problem) {
  return {at, keyword, problem};
}
Shown keys(int count) { return "{" + std::to_string(count) + (count == 1 ? " key}" : " keys}"); }
Shown items(int count) { return "[" + std::to_string(count) + (count == 1 ? " item]" : " items]"); }

}  // namespace

// ---- not ----------------------------------------------------------------------------------------------------------------

TEST_CASE("not: what it excludes is said in words") {
  CHECK(explained(R"({"not":{"type":"integer"}})", "7") == Errors{{"", "not", "must not be an integer", 7}});
  CHECK(explained(R"({"not":{"const":"admin"}})", R"("admin")") == Errors{{"", "not", "must not be admin", "admin"}});
  CHECK(explained(R"({"not":{"enum":["a","b"]}})", R"("b")") == Errors{{"", "not", "must not be one of a, b", "b"}});
  CHECK(explained(R"({"not":{"minimum":10}})", "12") == Errors{{"", "not", "must not be a number, at least 10", 12}});
  CHECK(explained(R"({"not":{"multipleOf":3}})", "9") == Errors{{"", "not", "must not be a multiple of 3", 9}});
  CHECK(explained(R"({"not":{"pattern":"^tmp"}})", R"("tmp1")") ==
        Errors{{"", "not", "must not be a string that matches the pattern ^tmp", "tmp1"}});
  CHECK(explained(R"({"not":{"type":"string","maxLength":2}})", R"("ab")") ==
        Errors{{"", "not", "must not be a string of at most 2 characters", "ab"}});
  CHECK(explained(R"({"not":{"required":["id","name"]}})", R"({"id":1,"name":2})") ==
        Errors{{"", "not", "must not be an object with id and name", keys(2)}});
  CHECK(explained(R"({"not":{"properties":{"kind":{"const":"x"},"at":{"enum":[1,2]}},"required":["kind","at"]}})",
                  R"({"kind":"x","at":2})") ==
        Errors{{"", "not", "must not be an object with kind x and at one of 1, 2", keys(2)}});
  CHECK(explained(R"({"not":{"type":"array","items":{"type":"string"}}})", R"(["a"])") ==
        Errors{{"", "not", "must not be an array that fits the schema under not", items(1)}});
  CHECK(explained(R"({"not":{"not":{"type":"string"}}})", "7") ==
        Errors{{"", "not", "must not be any JSON value that fits the schema under not", 7}});
  CHECK(explained(R"({"not":{"anyOf":[{"required":["a"]},{"required":["b"]}]}})", R"({"b":1})") ==
        Errors{{"", "not", "must not be an object with a, or an object with b", keys(1)}});
  CHECK(explained(R"({"not":{"allOf":[{"type":"integer"},{"minimum":3}]}})", "4") ==
        Errors{{"", "not", "must not be an integer and a number, at least 3", 4}});
  CHECK(explained(R"({"properties":{"old":{"not":{}}}})", R"({"old":1})") ==
        Errors{{"old", "not", "must be left out; no value is allowed here", 1}});
}

TEST_CASE("not: a value that its schema rejects is fine") {
  const auto document = R"({"type":"object","properties":{"n":{"type":"integer","not":{"minimum":10,"maximum":20}}}})";
  CHECK(explained(document, R"({"n":9})").empty());
  CHECK(explained(document, R"({"n":21})").empty());
  CHECK(explained(document, R"({"n":15})") == Errors{{"n", "not", "must not be a number, 10 to 20", 15}});
  CHECK(explained(document, R"({"n":"x"})") == Errors{{"n", "type", "must be an integer", "x"}});
}

// ---- if, then, else -----------------------------------------------------------------------------------------------------

TEST_CASE("if: the errors are those of the branch that applies, each at its field") {
  const auto document =
      R"({"type":"object","properties":{"how":{"enum":["card","iban"]},"card":{"type":"string","pattern":"^[0-9]{4}$"},"iban":{"type":"string"}},
    "if":{"properties":{"how":{"const":"card"}},"required":["how"]},
    "then":{"properties":{"card":{"type":"string","minLength":4}},"required":["card"]},
    "else":{"required":["iban"]}})";
  CHECK(explained(document, R"({"how":"card","card":"1234"})").empty());
  CHECK(explained(document, R"({"how":"iban","iban":"DE"})").empty());
  CHECK(explained(document, R"({"how":"card"})") ==
        Errors{{"card", "required", "must be given: a string of at least 4 characters", {}}});
  CHECK(explained(document, R"({"how":"card","card":"1"})") ==
        Errors{{"card", "pattern", "must match the pattern ^[0-9]{4}$", "1"},
               {"card", "length", "must have at least 4 characters", "1"}});
  CHECK(explained(document, R"({"how":"iban"})") == Errors{{"iban", "required", "must be given: any JSON value", {}}});
}

TEST_CASE("if: without then and else, and then and else without if, it says nothing") {
  CHECK(explained(R"({"if":{"const":0}})", "0").empty());
  CHECK(explained(R"({"if":{"const":0},"then":{"const":1}})", "2").empty());
  CHECK(explained(R"({"then":{"const":1},"else":{"const":2}})", "3").empty());
  CHECK(explained(R"({"if":{"const":0},"then":false})", "0") ==
        Errors{{"", "not", "must be left out; no value is allowed here", {}}});
}

// ---- contains -----------------------------------------------------------------------------------------------------------

TEST_CASE("contains: what is missing is said with the count that was found") {
  CHECK(explained(R"({"contains":{"type":"integer"}})", R"(["a",1])").empty());
  CHECK(explained(R"({"contains":{"type":"integer"}})", R"("no array")").empty());
  CHECK(explained(R"({"contains":{"type":"integer"}})", R"(["a","b"])") ==
        Errors{{"", "items", "must have at least 1 item of this kind: an integer; it has 0", items(2)}});
  CHECK(explained(R"({"properties":{"tags":{"contains":{"const":"main"}}}})", R"({"tags":[]})") ==
        Errors{{"tags", "items", "must have at least 1 item of this kind: main; it has 0", items(0)}});
}

TEST_CASE("contains: minContains and maxContains bound the count, and are annotations without it") {
  const auto document = R"({"contains":{"minimum":5},"minContains":2,"maxContains":3})";
  CHECK(explained(document, "[1,5,6]").empty());
  CHECK(explained(document, "[5,6,7]").empty());
  CHECK(explained(document, "[5]") ==
        Errors{{"", "items", "must have 2 to 3 items of this kind: a number, at least 5; it has 1", items(1)}});
  CHECK(explained(document, "[5,6,7,8,9]") ==
        Errors{{"", "items", "must have 2 to 3 items of this kind: a number, at least 5; it has 5", items(5)}});
  CHECK(explained(R"({"contains":{"const":1},"minContains":0})", "[2]").empty());
  CHECK(explained(R"({"contains":{"const":1},"minContains":0,"maxContains":1})", "[1,1]") ==
        Errors{{"", "items", "must have at most 1 item of this kind: 1; it has 2", items(2)}});
  CHECK(explained(R"({"contains":{"const":1},"minContains":1.0,"maxContains":1})", "[2]") ==
        Errors{{"", "items", "must have exactly 1 item of this kind: 1; it has 0", items(1)}});
  CHECK(explained(R"({"minContains":2})", "[1]").empty());
  CHECK(explained(R"({"$schema":"http://json-schema.org/draft-07/schema#","contains":{"const":1},"minContains":2})",
                  "[1]")
            .empty());
}

// ---- patternProperties --------------------------------------------------------------------------------------------------

TEST_CASE("patternProperties: a member must satisfy every pattern its name matches, and its property") {
  const auto document =
      R"({"properties":{"x_a":{"type":"integer"}},"patternProperties":{"^x_":{"minimum":1},"_a$":{"maximum":9}}})";
  CHECK(explained(document, R"({"x_a":5,"x_b":12,"_a":-3,"other":"x"})").empty());
  CHECK(explained(document, R"({"x_a":10,"x_b":0,"y_a":10})") == Errors{{"x_a", "range", "must be at most 9", 10},
                                                                        {"x_b", "range", "must be at least 1", 0},
                                                                        {"y_a", "range", "must be at most 9", 10}});
  CHECK(explained(document, R"({"x_a":"five"})") == Errors{{"x_a", "type", "must be an integer", "five"}});
}

TEST_CASE("patternProperties: additionalProperties is for members that neither name nor pattern covers") {
  const auto closed =
      R"({"properties":{"id":{}},"patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false})";
  CHECK(explained(closed, R"({"id":1,"x-a":"b"})").empty());
  CHECK(explained(closed, R"({"ids":1,"x-a":2})") ==
        Errors{{"ids",
                "unknown_field",
                "must be left out; the known fields are id, other names must match ^x-; did you mean id?",
                {}},
               {R"(["x-a"])", "type", "must be a string", 2}});
  CHECK(explained(R"({"patternProperties":{"^a":{},"^b":{}},"additionalProperties":false})", R"({"c":1})") ==
        Errors{{"c", "unknown_field", "must be left out; names must match ^a, ^b", {}}});
  const auto typed = R"({"patternProperties":{"^x-":true},"additionalProperties":{"type":"integer"}})";
  CHECK(explained(typed, R"({"x-a":"b","n":1})").empty());
  CHECK(explained(typed, R"({"n":"1"})") == Errors{{"n", "type", "must be an integer", "1"}});
}

TEST_CASE("patternProperties: without any pattern, additionalProperties still holds") {
  CHECK(explained(R"({"patternProperties":{},"additionalProperties":false})", R"({"a":1})") ==
        Errors{{"a", "unknown_field", "must be left out; no fields are known here", {}}});
  CHECK(explained(R"({"patternProperties":{},"additionalProperties":{"type":"string"}})", R"({"a":1})") ==
        Errors{{"a", "type", "must be a string", 1}});
}

TEST_CASE("patternProperties: a required member that is no property is judged by patterns and additionalProperties") {
  const auto document =
      R"({"required":["x-a","b"],"patternProperties":{"^x-":{"type":"integer"}},"additionalProperties":false})";
  CHECK(explained(document, R"({"x-a":1})") == Errors{{"b", "required", "must be given: any JSON value", {}}});
  CHECK(explained(document, R"({"x-a":"1","b":2})") ==
        Errors{{"b", "unknown_field", "must be left out; names must match ^x-", {}},
               {R"(["x-a"])", "type", "must be an integer", "1"}});
}

// ---- dependentRequired, dependentSchemas, dependencies --------------------------------------------------------------------

TEST_CASE("dependentRequired: the missing member is named, once, with what it must be") {
  const auto document =
      R"({"properties":{"card":{},"owner":{"type":"string"}},"dependentRequired":{"card":["owner","zip"],"gift":["owner"]}})";
  CHECK(explained(document, R"({"owner":"x"})").empty());
  CHECK(explained(document, R"({"card":1,"owner":"x","zip":2})").empty());
  CHECK(explained(document, R"({"card":1,"gift":1})") ==
        Errors{{"owner", "required", "must be given beside card: a string", {}},
               {"zip", "required", "must be given beside card: any JSON value", {}}});
  CHECK(explained(R"({"required":["b"],"dependentRequired":{"a":["b"]}})", R"({"a":1})") ==
        Errors{{"b", "required", "must be given: any JSON value", {}}});
  CHECK(explained(document, R"(["card"])").empty());
}

TEST_CASE("dependentSchemas: the errors are those of the schema that applies") {
  const auto document =
      R"({"dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}},"required":["b"]},"never":false}})";
  CHECK(explained(document, R"({"b":"x"})").empty());
  CHECK(explained(document, R"({"a":1})") == Errors{{"b", "required", "must be given: an integer", {}}});
  CHECK(explained(document, R"({"a":1,"b":"x"})") == Errors{{"b", "type", "must be an integer", "x"}});
  CHECK(explained(document, R"({"never":1})") == Errors{{"", "not", "must be left out; no value is allowed here", {}}});
}

TEST_CASE("dependencies: draft-07's lists and schemas hold, and 2020-12 takes the keyword as an annotation") {
  const std::string dependencies = R"("dependencies":{"a":["b"],"c":{"maxProperties":1}}})";
  const std::string draft_07 = R"({"$schema":"http://json-schema.org/draft-07/schema#",)" + dependencies;
  CHECK(explained(draft_07, R"({"a":1})") == Errors{{"b", "required", "must be given beside a: any JSON value", {}}});
  CHECK(explained(draft_07, R"({"c":1,"d":2})") == Errors{{"", "count", "must have at most 1 entry", keys(2)}});
  CHECK(explained(draft_07, R"({"a":1,"b":2})").empty());
  CHECK(explained("{" + dependencies, R"({"a":1})").empty());
  CHECK(compiled("{" + dependencies).not_checked() == std::vector<std::string>{": dependencies"});
  const auto modern =
      R"({"$schema":"http://json-schema.org/draft-07/schema#","dependentRequired":{"a":["b"]},"dependentSchemas":{"a":false}})";
  CHECK(explained(modern, R"({"a":1})").empty());
  CHECK(compiled(modern).not_checked() == std::vector<std::string>{": dependentRequired", ": dependentSchemas"});
}

// ---- the table and valijson together ------------------------------------------------------------------------------------

TEST_CASE("schema_validator: all errors of a value come at once, those of further keywords among them") {
  const auto document = R"({"type":"object","required":["id"],"properties":{"id":{"type":"string"},
    "lines":{"type":"array","items":{"properties":{"sku":{"type":"string","not":{"const":""}},"n":{"type":"integer"}}}}},
    "dependentRequired":{"lines":["total"]},"additionalProperties":false})";
  CHECK(explained(document, R"({"lines":[{"sku":"","n":1},{"sku":"a","n":"2"}],"extra":1})") ==
        Errors{{"id", "required", "must be given: a string", {}},
               {"lines[0].sku", "not", R"(must not be "")", ""},
               {"lines[1].n", "type", "must be an integer", "2"},
               {"extra", "unknown_field", "must be left out; the known fields are id, lines", {}},
               {"total", "required", "must be given beside lines: any JSON value", {}}});
}

TEST_CASE("schema_validator: a union explains the branch that fits best, with its further keywords") {
  const auto document = R"({"oneOf":[{"properties":{"kind":{"const":"a"},"n":{"not":{"const":0}}},"required":["kind"]},
                                     {"properties":{"kind":{"const":"b"}},"required":["kind"],"dependentRequired":{"x":["y"]}}]})";
  CHECK(explained(document, R"({"kind":"a","n":1})").empty());
  CHECK(explained(document, R"({"kind":"a","n":0})") == Errors{{"n", "not", "must not be 0", 0}});
  CHECK(explained(document, R"({"kind":"b","x":0})") ==
        Errors{{"y", "required", "must be given beside x: any JSON value", {}}});
}

TEST_CASE("schema_validator: a secret value is not shown by a further keyword either") {
  const auto document =
      R"({"properties":{"pin":{"writeOnly":true,"not":{"const":"0000"}},"keys":{"writeOnly":true,"contains":{"type":"string"}}}})";
  CHECK(explained(document, R"({"pin":"0000","keys":[1]})") ==
        Errors{{"pin", "not", R"(must not be "0000")", "[redacted]"},
               {"keys", "items", "must have at least 1 item of this kind: a string; it has 0", "[redacted]"}});
}

TEST_CASE("schema_validator: siblings of $ref count in 2020-12 and are ignored in draft-07") {
  const std::string rest = R"("$ref":"#/definitions/n","not":{"const":0},"definitions":{"n":{"type":"integer"}}})";
  CHECK(explained("{" + rest, "0") == Errors{{"", "not", "must not be 0", 0}});
  CHECK(explained(R"({"$schema":"http://json-schema.org/draft-07/schema#",)" + rest, "0").empty());
}

TEST_CASE("schema_validator: a recursive schema holds at every level, through further keywords too") {
  const auto tree =
      R"({"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"next":{"$ref":"#/$defs/node"}},
    "if":{"required":["leaf"]},"then":{"not":{"required":["next"]}},"else":{"required":["next"]},"patternProperties":{"^x-":{"$ref":"#/$defs/node"}}}}})";
  CHECK(explained(tree, R"({"next":{"next":{"leaf":1}}})").empty());
  CHECK(explained(tree, R"({"next":{"x-a":{"leaf":1},"next":{"leaf":1,"next":{"leaf":1}}}})") ==
        Errors{{"next.next", "not", "must not be an object with next", keys(2)}});
  CHECK(explained(tree, R"({"next":{"leaf":1,"x-a":{}}})") ==
        Errors{{R"(next["x-a"].next)", "required", "must be given: any JSON value", {}}});
}

TEST_CASE("schema_validator: a property whose own schema led to it by reference is not forgotten") {
  const auto document =
      R"({"$ref":"#/$defs/a/properties/b","$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/a"}}}}})";
  CHECK(explained(document, R"({"b":{"b":5}})") == Errors{{"b.b", "type", "must be an object", 5}});
}

TEST_CASE("schema_validator: propertyNames may use further keywords") {
  CHECK(explained(R"({"propertyNames":{"not":{"pattern":"^_"}}})", R"({"a":1})").empty());
  CHECK(explained(R"({"propertyNames":{"not":{"pattern":"^_"}}})", R"({"_a":1})") ==
        Errors{{"_a", "property_name", "must have a name that is a string", {}}});
}

TEST_CASE(
    "schema_validator: defaults are filled in through patternProperties and additionalProperties, never through then "
    "or not") {
  const auto item = R"({"type":"object","properties":{"n":{"type":"integer","default":1}}})";
  const tc::SchemaValidator validator =
      compiled(std::string(R"({"properties":{"id":{"default":"x"},"q":{"if":{},"then":)") + item +
               R"(}},"patternProperties":{"^x-":)" + item + R"(},"additionalProperties":)" + item + "}");
  Json value = Json::parse(R"({"x-a":{},"other":{},"q":{}})");
  REQUIRE(validator.accepts(value));
  validator.fill_defaults(value);
  CHECK(value == Json::parse(R"({"x-a":{"n":1},"other":{"n":1},"q":{},"id":"x"})"));
}

TEST_CASE("schema_validator: repairs reach members that patternProperties describes") {
  const tc::SchemaValidator validator =
      compiled(R"({"patternProperties":{"^x-":{"type":"integer"}},"not":{"required":["x-b"]}})");
  Json value = Json::parse(R"({"x-a":"5","y":"5"})");
  CHECK(validator.repair(value) == std::vector<tc::Repair>{{R"(["x-a"])", "5", 5}});
  CHECK(value == Json::parse(R"({"x-a":5,"y":"5"})"));
  CHECK(validator.accepts(value));
}

TEST_CASE("schema_validator: a branch with further keywords that already fits is not repaired into another") {
  const tc::SchemaValidator validator =
      compiled(R"({"anyOf":[{"type":"string","not":{"const":"x"}},{"type":"integer"}]})");
  Json value = "5";
  CHECK(validator.repair(value).empty());
  CHECK(value == Json("5"));
}

TEST_CASE("compile_any: a document that Checker compiles never reaches valijson, and gives what Checker gives") {
  const auto document = OrderedJson::parse(
      R"({"type":"object","required":["b","a"],"properties":{"a":{"type":"integer"},"b":{"format":"x-y"}}})");
  const auto any = tc::compile_any(document);
  const auto checker = tc::Checker::compile(document);
  REQUIRE((any && checker));
  CHECK_FALSE(any->asks_valijson());
  CHECK(any->not_checked() == checker->not_checked());
  const Json value = Json::parse(R"({"a":"x"})");
  CHECK(any->explain(value) == checker->explain(value));
  CHECK(any->explain(value) ==
        Errors{{"a", "type", "must be an integer", "x"}, {"b", "required", "must be given: any JSON value", {}}});
  CHECK(tc::compile_any(Json::parse(R"({"items":{"not":{}}})"))->asks_valijson());
}

TEST_CASE("schema_validator: the shape is Checker's, and both may be what a tool from a document is compiled by") {
  const auto same = []<class Contract>(std::type_identity<Contract>) {
    const auto contract = Contract::compile(Json::parse(R"({"properties":{"n":{"type":"integer","default":2}}})"));
    Json value = Json::object();
    contract->fill_defaults(value);
    return contract->accepts(value) && contract->explain(value).empty() && contract->repair(value).empty() &&
           contract->not_checked().empty() && value == Json{{"n", 2}};
  };
  CHECK(same(std::type_identity<tc::Checker>()));
  CHECK(same(std::type_identity<tc::SchemaValidator>()));
  CHECK(same(std::type_identity<tc::AnyChecker>()));
}

TEST_CASE("schema_validator: an ordered document gives its errors in its own order") {
  const auto validator = tc::compile_any(OrderedJson::parse(R"({"dependentRequired":{"z":["y","x"],"a":["b"]}})"));
  const Json value = Json::parse(R"({"a":1,"z":1})");
  CHECK(validator->explain(value) == Errors{{"y", "required", "must be given beside z: any JSON value", {}},
                                            {"x", "required", "must be given beside z: any JSON value", {}},
                                            {"b", "required", "must be given beside a: any JSON value", {}}});
}

TEST_CASE("schema_validator: a validator outlives its document and its copies share it across threads") {
  const tc::SchemaValidator validator = compiled(
      R"({"items":{"if":{"type":"string"},"then":{"pattern":"^a"},"else":{"not":{"type":"null"}}},"contains":{"type":"integer"},"minContains":2})");
  const Json good = Json::parse(R"([1,2,"abc"])"), bad = Json::parse(R"([1,null,"b"])");
  const Errors expected = {{"[1]", "not", "must not be null", Shown::json("null")},
                           {"[2]", "pattern", "must match the pattern ^a", "b"},
                           {"", "items", "must have at least 2 items of this kind: an integer; it has 1", items(3)}};
  REQUIRE(validator.explain(bad) == expected);
  std::vector<int> wrong(8);
  std::vector<std::thread> threads;
  for (int& faults : wrong)
    threads.emplace_back([copy = validator, &faults, &good, &bad, &expected] {
      for (int round = 0; round < 500; ++round)
        faults += !copy.accepts(good) + copy.accepts(bad) + (round % 50 == 0 && copy.explain(bad) != expected);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(8));
}

// ---- refusals -----------------------------------------------------------------------------------------------------------

TEST_CASE("schema_validator: what is not enforced is refused where it stands, with the remedy") {
  const std::string remedy =
      "is not enforced; close the objects with additionalProperties, or name the target with $ref";
  for (const std::string keyword : {"unevaluatedProperties", "unevaluatedItems"})
    CHECK(refusal(R"({"then":{},"if":{"not":{")" + keyword + R"(":false}}})") == refused("/if/not", keyword, remedy));
  CHECK(refusal(R"({"dependentSchemas":{"a/b":{"$dynamicRef":"#x"}}})") ==
        refused("/dependentSchemas/a~1b", "$dynamicRef", remedy));
  CHECK(refusal(R"({"patternProperties":{"^~":{"$recursiveRef":"#"}}})") ==
        refused("/patternProperties/^~0", "$recursiveRef", remedy));
  CHECK(refusal(R"({"$schema":"http://json-schema.org/draft-04/schema#","not":{}})") ==
        refused("", "$schema",
                "names the dialect http://json-schema.org/draft-04/schema; 2020-12 and draft-07 are understood, "
                "translate the document to one of them"));
  CHECK(refusal(R"({"not":{"$ref":"https://example.com/s"}})") ==
        refused("/not", "$ref",
                "leads to https://example.com/s, which is not in the document; put the schema under $defs, nothing is "
                "fetched"));
}

TEST_CASE("schema_validator: malformed further keywords are refused where they stand") {
  CHECK(refusal(R"({"not":[]})") == refused("/not", "", "must be a schema: an object, true or false"));
  CHECK(refusal(R"({"if":1})") == refused("/if", "", "must be a schema: an object, true or false"));
  CHECK(refusal(R"({"if":true,"else":"x"})") == refused("/else", "", "must be a schema: an object, true or false"));
  CHECK(refusal(R"({"items":{"contains":null}})") ==
        refused("/items/contains", "", "must be a schema: an object, true or false"));
  CHECK(refusal(R"({"contains":{},"minContains":-1})") ==
        refused("", "minContains", "must be a whole number, 0 or more"));
  CHECK(refusal(R"({"contains":{},"maxContains":"2"})") ==
        refused("", "maxContains", "must be a whole number, 0 or more"));
  CHECK(refusal(R"({"patternProperties":[]})") == refused("", "patternProperties", "must be an object of schemas"));
  CHECK(refusal(R"({"patternProperties":{"^a":1}})") ==
        refused("/patternProperties/^a", "", "must be a schema: an object, true or false"));
  CHECK(refusal(R"({"dependentRequired":{"a":"b"}})") ==
        refused("", "dependentRequired", "must be an array of strings"));
  CHECK(refusal(R"({"dependentRequired":[]})") == refused("", "dependentRequired", "must be an object of schemas"));
  CHECK(refusal(R"({"dependentSchemas":{"a":["b"]}})") ==
        refused("/dependentSchemas/a", "", "must be a schema: an object, true or false"));
  CHECK(refusal(R"({"not":{"type":"text"}})") ==
        refused("/not", "type",
                "must be one of null, boolean, integer, number, string, array, object, or an array of these"));
  CHECK(refusal(R"({"not":{"multipleOf":0}})") == refused("/not", "multipleOf", "must be above 0"));
}

TEST_CASE("schema_validator: a pattern of patternProperties that cannot run in linear time is refused") {
  const auto found = refusal(R"({"patternProperties":{"^(?=a)b":true}})");
  CHECK(std::pair(found[0], found[1]) == std::pair<std::string, std::string>("", "patternProperties"));
  CHECK(found[2].find("lookaround") != std::string::npos);
  CHECK(refusal(R"({"patternProperties":{"(":true}})")[1] == "patternProperties");
}

TEST_CASE("schema_validator: a default that further keywords reject is refused") {
  CHECK(refusal(R"({"properties":{"n":{"type":"integer","default":0,"not":{"const":0}}}})") ==
        refused("/properties/n", "default", "is rejected by its own schema: it must not be 0. Got 0."));
}

TEST_CASE(
    "schema_validator: a reference that consumes no input is refused through every keyword that looks at the same "
    "value") {
  for (const std::string loop :
       {R"("not":{"$ref":"#"})", R"("if":{"$ref":"#"},"then":{})", R"("if":{},"then":{"$ref":"#"})",
        R"("if":{},"else":{"$ref":"#"})", R"("dependentSchemas":{"a":{"$ref":"#"}})",
        R"("anyOf":[{"not":{"allOf":[{"$ref":"#"}]}}])"}) {
    INFO(loop);
    const auto found = refusal("{" + loop + "}");
    CHECK(std::pair(found[1], found[2]) ==
          std::pair<std::string, std::string>(
              "$ref", "leads back to where it stands without looking at a member or an item; it would never end"));
  }
  CHECK(refusal(R"({"contains":{"$ref":"#"},"patternProperties":{"a":{"$ref":"#"}},"items":{"$ref":"#"}})")[2] ==
        "compiled");
}

TEST_CASE("schema_validator: a member name with U+0000 in a dependency is refused, since valijson would cut it") {
  CHECK(refusal(R"({"dependentRequired":{"a\u0000b":["c"]}})") ==
        refused("", "dependentRequired",
                "names a member with U+0000 in it, where valijson stops reading; rename the member"));
  CHECK(refusal(R"({"dependentSchemas":{"a\u0000b":{}}})")[1] == "dependentSchemas");
  CHECK(refusal(R"({"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["c\u0000"]}})")[1] ==
        "dependencies");
  CHECK(
      explained(
          R"({"patternProperties":{"^a.b$":{"type":"integer"}},"required":["a\u0000b"],"not":{"required":["c\u0000d"]}})",
          R"({"a\u0000b":1,"c":1})")
          .empty());
}

// ---- both walks ---------------------------------------------------------------------------------------------------------

TEST_CASE("schema_validator: accepting and explaining agree on every pair of these schemas and values") {
  const std::vector<std::string> parts = {
      R"({"type":"object"})",
      R"({"type":["array","integer"]})",
      R"({"required":["a"]})",
      R"({"minimum":2})",
      R"({"const":1})",
      "true",
      "false",
      R"({"properties":{"a":{"not":{"const":1}}}})",
      R"({"contains":{"const":1}})",
      R"({"contains":{"type":"object"},"maxContains":1})",
      R"({"patternProperties":{"^a":{"type":"integer"}},"additionalProperties":false})",
      R"({"dependentRequired":{"a":["b"]}})",
      R"({"dependentSchemas":{"b":{"maxProperties":1}}})",
      R"({"items":{"if":{"type":"integer"},"then":{"minimum":2}}})"};
  std::vector<std::string> documents;
  for (const std::string& a : parts) {
    documents.push_back(R"({"not":)" + a + "}");
    for (const std::string& b : parts) {
      documents.push_back(R"({"if":)" + a + R"(,"then":)" + b + "}");
      documents.push_back(R"({"if":{"not":)" + a + R"(},"else":)" + b + "}");
      documents.push_back(R"({"anyOf":[)" + a + R"(,{"not":)" + b + "}]}");
      documents.push_back(R"({"oneOf":[)" + a + "," + b + R"(],"patternProperties":{"b":)" + a + R"(},"contains":)" +
                          b + "}");
    }
  }
  std::vector<Json> values;
  for (const char* text : {"1", "2", "null", R"("x")", "[]", "[1]", "[1,2,{}]", "[{},{}]", "{}", R"({"a":1})",
                           R"({"a":2,"b":1})", R"({"b":{"a":1}})", R"({"a":"x","c":[1]})", R"([[1],[2]])"})
    values.push_back(Json::parse(text));
  std::size_t accepted = 0, total = 0;
  for (const std::string& document : documents) {
    const tc::SchemaValidator validator = compiled(document);
    for (const Json& value : values) {
      const bool accepts = validator.accepts(value);
      accepted += accepts;
      ++total;
      if (accepts == validator.explain(value).empty()) continue;
      FAIL_CHECK(document << " of " << value);
    }
  }
  CHECK((total == 798 * values.size() && accepted > total / 4 && accepted < total * 3 / 4));
}
