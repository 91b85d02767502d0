// SPDX-License-Identifier: MIT
#include <toolcontract/repair.hpp>

#include "catch.hpp"
#include "samples.hpp"
#include "show.hpp"

#include <toolcontract/checker.hpp>

#include <string>
#include <vector>

namespace tc = toolcontract;
using Json = nlohmann::json;

namespace {

/// The value after lenient reading, and what was done: "field: from -> to".
struct Repaired {
  Json value;
  std::vector<std::string> done;
  bool accepted = false;
};

Repaired repaired(const char* schema, const char* value) {
  const auto checker = tc::Checker::compile(nlohmann::ordered_json::parse(schema)).value();
  Repaired result{Json::parse(value), {}};
  for (const tc::Repair& repair : checker.repair(result.value))
    result.done.push_back(repair.field + ": " + repair.from.text() + " -> " +
                          (repair.to ? repair.to->text() : "absent"));
  result.accepted = checker.accepts(result.value);
  return result;
}
using Done = std::vector<std::string>;

}  // namespace

TEST_CASE("repair: each repair of the table is made and reported") {
  const Repaired result = repaired(
      R"({"properties":{"b":{"type":"boolean"},"i":{"type":"integer"},"n":{"type":"number"},"e":{"enum":["open","closed"]},
          "a":{"type":"array","items":{"type":"integer"}},"o":{"type":"object"},"opt":{"type":"string"}}})",
      R"({"b":"false","i":"5812","n":"1.5","e":"Open","a":"[\"1\",2]","o":"{\"x\":1}","opt":null})");
  CHECK(result.accepted);
  CHECK(result.value == Json::parse(R"({"b":false,"i":5812,"n":1.5,"e":"open","a":[1,2],"o":{"x":1}})"));
  CHECK(result.done == Done{"b: false -> false", "i: 5812 -> 5812", "n: 1.5 -> 1.5", "e: Open -> open",
                            "a: [\"1\",2] -> [2 items]", "a[0]: 1 -> 1", "o: {\"x\":1} -> {1 key}",
                            "opt: null -> absent"});
}

TEST_CASE("repair: nothing on the never list is repaired") {
  CHECK(repaired(R"({"type":"string"})", "1.5").done.empty());
  CHECK(repaired(R"({"type":["string","integer"]})", R"("7")").done.empty());
  CHECK(repaired(R"({"type":"string"})", R"("{\"a\":1}")").done.empty());
  CHECK(repaired(R"({"type":"integer"})", "0.5").done.empty());
  CHECK(repaired(R"({"type":"integer"})", R"("0x10")").done.empty());
  CHECK(repaired(R"({"type":"integer"})", R"(" 7")").done.empty());
  CHECK(repaired(R"({"type":"integer"})", "true").done.empty());
  CHECK(repaired(R"({"type":"boolean"})", "1").done.empty());
  CHECK(repaired(R"({"enum":["open","closed"]})", R"("opened")").done.empty());
  CHECK(repaired(R"({"enum":["a","A"]})", R"("a")").done.empty());
  CHECK(repaired(R"({"enum":["ab","aB"]})", R"("AB")").done.empty());
  CHECK(repaired(R"({"type":"object"})", R"("{\"a\":1,\"a\":2}")").done.empty());
  CHECK(repaired(R"({"properties":{"a":{"type":"string"}},"required":["a"]})", R"({"a":null})").done.empty());
}

TEST_CASE("repair: a repaired value is checked again") {
  const Repaired result = repaired(R"({"type":"integer","maximum":100})", R"("5812")");
  CHECK(result.value == 5812);
  CHECK_FALSE(result.accepted);
}

TEST_CASE("repair: of a union the alternative that then fits is repaired for") {
  const Repaired result = repaired(
      R"({"anyOf":[{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},{"type":"null"}]})",
      R"({"n":"1"})");
  CHECK(result.accepted);
  CHECK(result.value == Json::parse(R"({"n":1})"));
}

TEST_CASE("repair: a number is never read as an integer that is sent as a string, since it may be rounded already") {
  Json value = Json::parse(R"({"id":725653563933458432,"serial":"1","shift":"5"})");
  CHECK(tc::repair(tc::table_of<samples::Ids>().root(), value).empty());
  CHECK_FALSE(tc::accepts(tc::table_of<samples::Ids>().root(), value));
}
