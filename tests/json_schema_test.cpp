// SPDX-License-Identifier: MIT
#include <toolcontract/json_schema.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "catch.hpp"
#include "samples.hpp"

namespace tc = toolcontract;
using tc::Direction;

namespace {

// ---- one struct for each thing a schema can say

struct Nothing {};
constexpr auto tool_schema(tc::type<Nothing>) { return tc::object(); }

struct Plains {
  bool flag = false;
  std::string text;
  double real = 0;
  std::int64_t wide = 0;
  nlohmann::json any;
};
constexpr auto tool_schema(tc::type<Plains>) {
  return tc::object(tc::field<&Plains::flag>("flag", "A flag."), tc::field<&Plains::text>("text", "A text."),
                    tc::field<&Plains::real>("real", "A real."), tc::field<&Plains::wide>("wide", "An integer."),
                    tc::field<&Plains::any>("any", "Anything."));
}

struct Narrow {
  std::int8_t i8 = 0;
  std::uint8_t u8 = 0;
  std::int16_t i16 = 0;
  std::uint16_t u16 = 0;
  std::int32_t i32 = 0;
  std::uint32_t u32 = 0;
  std::uint64_t u64 = 0;
  float real = 0;
};
constexpr auto tool_schema(tc::type<Narrow>) {
  return tc::object(tc::field<&Narrow::i8>("i8", "1."), tc::field<&Narrow::u8>("u8", "2."),
                    tc::field<&Narrow::i16>("i16", "3."), tc::field<&Narrow::u16>("u16", "4."),
                    tc::field<&Narrow::i32>("i32", "5."), tc::field<&Narrow::u32>("u32", "6."),
                    tc::field<&Narrow::u64>("u64", "7."), tc::field<&Narrow::real>("real", "8."));
}

struct Strings {
  std::string code, name, day;
};
constexpr auto tool_schema(tc::type<Strings>) {
  return tc::object(
      tc::field<&Strings::code>("code", "Code.", tc::pattern("^A[0-9]+$"), tc::min_length(2), tc::max_length(12)),
      tc::field<&Strings::name>("name", "Name.", tc::min_length(1)),
      tc::field<&Strings::day>("day", "Day.", tc::format(tc::Format::date)));
}

struct Numbers {
  std::int32_t count = 0;
  std::int64_t least = 0;
  std::int64_t most = 0;
  double share = 0;
  double price = 0;
  std::uint64_t id = 0;
};
constexpr auto tool_schema(tc::type<Numbers>) {
  return tc::object(tc::field<&Numbers::count>("count", "Count.", tc::between(1, 50)),
                    tc::field<&Numbers::least>("least", "Least.", tc::minimum(-5)),
                    tc::field<&Numbers::most>("most", "Most.", tc::maximum(5)),
                    tc::field<&Numbers::share>("share", "Share.", tc::exclusive_minimum(0), tc::exclusive_maximum(1)),
                    tc::field<&Numbers::price>("price", "Price.", tc::multiple_of(0.01), tc::maximum(1e21)),
                    tc::field<&Numbers::id>("id", "ID.", tc::between(1, 18446744073709551615U)));
}

struct Lists {
  std::vector<std::string> tags;
  std::array<double, 2> place{};
  std::vector<std::vector<std::int64_t>> rows;
};
constexpr auto tool_schema(tc::type<Lists>) {
  return tc::object(tc::field<&Lists::tags>("tags", "Tags.", tc::min_items(1), tc::max_items(5), tc::unique_items()),
                    tc::field<&Lists::place>("place", "Longitude and latitude."),
                    tc::field<&Lists::rows>("rows", "Rows."));
}

struct Maps {
  std::map<std::string, std::int64_t> counts;
  std::map<std::string, std::vector<std::string>> words;
};
constexpr auto tool_schema(tc::type<Maps>) {
  return tc::object(tc::field<&Maps::counts>("counts", "Counts.", tc::min_items(1), tc::max_items(3)),
                    tc::field<&Maps::words>("words", "Words."));
}

enum class Status { open, pending, closed };
constexpr auto tool_schema(tc::type<Status>) {
  return tc::enumeration(tc::value("open", Status::open), tc::value("pending", Status::pending, "waits for them"),
                         tc::value("closed", Status::closed, "solved or given up."));
}

struct Filter {
  Status status = Status::open;
  std::vector<Status> others;
};
constexpr auto tool_schema(tc::type<Filter>) {
  return tc::object(tc::field<&Filter::status>("status", "State.", tc::default_value(Status::pending)),
                    tc::field<&Filter::others>("others", "More states."));
}

struct Line {
  std::string sku;
  std::optional<std::int64_t> count;
};
constexpr auto tool_schema(tc::type<Line>) {
  return tc::object(tc::field<&Line::sku>("sku", "Article."), tc::field<&Line::count>("count", "How many."));
}

struct Basket {
  Line first;
  std::vector<Line> others;
  std::optional<Line> gift;
};
constexpr auto tool_schema(tc::type<Basket>) {
  return tc::object(tc::field<&Basket::first>("first", "First line."), tc::field<&Basket::others>("others", "More."),
                    tc::field<&Basket::gift>("gift", "A gift."));
}

struct Loose {
  std::string name;
};
constexpr auto tool_schema(tc::type<Loose>) {
  return tc::object(tc::field<&Loose::name>("name", "Name.")).ignore_unknown();
}

struct Circle {
  double radius = 0;
};
constexpr auto tool_schema(tc::type<Circle>) { return tc::object(tc::field<&Circle::radius>("radius", "Radius.")); }
struct Dot {};
constexpr auto tool_schema(tc::type<Dot>) { return tc::object(); }
using Shape = std::variant<Circle, Dot>;
constexpr auto tool_schema(tc::type<Shape>) {
  return tc::tagged("kind", tc::alternative<Circle>("circle"), tc::alternative<Dot>("dot"));
}
struct Drawing {
  Shape shape;
};
constexpr auto tool_schema(tc::type<Drawing>) {
  return tc::object(tc::field<&Drawing::shape>("shape", "What to draw."));
}

struct Annotated {
  std::string name, password, old;
  std::int64_t limit = 0;
  std::vector<std::string> tags;
};
constexpr auto tool_schema(tc::type<Annotated>) {
  return tc::object(
      tc::field<&Annotated::name>("name", "Name.", tc::title("Full name"), tc::examples("Ada", "Grace")),
      tc::field<&Annotated::password>("password", "Password.", tc::secret()),
      tc::field<&Annotated::old>("old", "Old.", tc::deprecated(), tc::secret()),
      tc::field<&Annotated::limit>("limit", "Limit.", tc::between(1, 50), tc::default_value(10), tc::examples(1, 2)),
      tc::field<&Annotated::tags>("tags", "Tags.", tc::default_value(tc::json(R"(["a"])"))));
}

struct Defaults {
  bool flag = false;
  std::string text;
  double real = 0;
};
constexpr auto tool_schema(tc::type<Defaults>) {
  return tc::object(tc::field<&Defaults::flag>("flag", "Flag.", tc::default_value(true)),
                    tc::field<&Defaults::text>("text", "Text.", tc::default_value("say \"x\"")),
                    tc::field<&Defaults::real>("real", "Real.", tc::default_value(0.1)));
}

struct Unsorted {
  std::int64_t zebra = 0, apple = 0, mango = 0;
};
constexpr auto tool_schema(tc::type<Unsorted>) {
  return tc::object(tc::field<&Unsorted::zebra>("zebra", "1."), tc::field<&Unsorted::apple>("apple", "2."),
                    tc::field<&Unsorted::mango>("mango", "3."));
}

struct Base {
  std::string id;
};
struct Derived : Base {
  bool more = false;
};
constexpr auto tool_schema(tc::type<Derived>) {
  return tc::object(tc::field<&Derived::id>("id", "ID."), tc::field<&Derived::more>("more", "More."));
}

// ---- types that contain themselves

struct Node {
  std::string name;
  std::vector<Node> children;
};
constexpr auto tool_schema(tc::type<Node>);
struct Forest {
  std::vector<Node> trees;
  Node favourite;
};
constexpr auto tool_schema(tc::type<Forest>);
constexpr auto tool_schema(tc::type<Node>) {
  return tc::object(tc::field<&Node::name>("name", "Name."), tc::field<&Node::children>("children", "Below it."));
}
constexpr auto tool_schema(tc::type<Forest>) {
  return tc::object(tc::field<&Forest::trees>("trees", "Trees."),
                    tc::field<&Forest::favourite>("favourite", "The best one."));
}

struct Leaf {
  std::int64_t value = 0;
};
struct Sum;
using Term = std::variant<Leaf, Sum>;
struct Sum {
  std::vector<Term> terms;
};
constexpr auto tool_schema(tc::type<Leaf>) { return tc::object(tc::field<&Leaf::value>("value", "Value.")); }
constexpr auto tool_schema(tc::type<Sum>) { return tc::object(tc::field<&Sum::terms>("terms", "Terms.")); }
constexpr auto tool_schema(tc::type<Term>) {
  return tc::tagged("op", tc::alternative<Leaf>("leaf"), tc::alternative<Sum>("sum"));
}
struct Formula {
  std::vector<Term> term;
};
constexpr auto tool_schema(tc::type<Formula>) { return tc::object(tc::field<&Formula::term>("term", "The term.")); }

struct Person;
struct Company {
  std::vector<Person> people;
};
struct Person {
  std::vector<Company> companies;
};
constexpr auto tool_schema(tc::type<Person>) {
  return tc::object(tc::field<&Person::companies>("companies", "Where."));
}
constexpr auto tool_schema(tc::type<Company>) { return tc::object(tc::field<&Company::people>("people", "Who.")); }

struct Odd {
  std::map<std::string, Odd> children;
};
constexpr auto tool_schema(tc::type<Odd>) { return tc::object(tc::field<&Odd::children>("a b/c", "Below it.")); }

struct Twin {
  std::map<std::string, Twin> children;
};
constexpr auto tool_schema(tc::type<Twin>) { return tc::object(tc::field<&Twin::children>("a b/c", "Below it.")); }
struct Zoo {
  Odd odd;
  Twin twin;
};
constexpr auto tool_schema(tc::type<Zoo>) {
  return tc::object(tc::field<&Zoo::odd>("odd", "Odd."), tc::field<&Zoo::twin>("twin", "Twin."));
}

}  // namespace

// ---- what each kind of value is told as

TEST_CASE("json_schema: a struct without fields takes nothing") {
  CHECK(tc::json_schema_text<Nothing>() == R"({"type":"object","properties":{},"additionalProperties":false})");
}

TEST_CASE("json_schema: plain members have their type, and a JSON value has none") {
  CHECK(tc::json_schema_text<Plains>() ==
        R"({"type":"object","properties":{"flag":{"type":"boolean","description":"A flag."},)"
        R"("text":{"type":"string","description":"A text."},"real":{"type":"number","description":"A real."},)"
        R"("wide":{"type":"integer","description":"An integer."},"any":{"description":"Anything."}},)"
        R"("required":["flag","text","real","wide","any"],"additionalProperties":false})");
}

TEST_CASE("json_schema: what a narrow number can hold stands in the schema") {
  CHECK(tc::json_schema_text<Narrow>() ==
        R"({"type":"object","properties":{)"
        R"("i8":{"type":"integer","description":"1.","minimum":-128,"maximum":127},)"
        R"("u8":{"type":"integer","description":"2.","minimum":0,"maximum":255},)"
        R"("i16":{"type":"integer","description":"3.","minimum":-32768,"maximum":32767},)"
        R"("u16":{"type":"integer","description":"4.","minimum":0,"maximum":65535},)"
        R"("i32":{"type":"integer","description":"5.","minimum":-2147483648,"maximum":2147483647},)"
        R"("u32":{"type":"integer","description":"6.","minimum":0,"maximum":4294967295},)"
        R"("u64":{"type":"integer","description":"7.","minimum":0},)"
        R"("real":{"type":"number","description":"8.","minimum":-3.4028235e+38,"maximum":3.4028235e+38}},)"
        R"("required":["i8","u8","i16","u16","i32","u32","u64","real"],"additionalProperties":false})");
}

TEST_CASE("json_schema: a string carries its pattern, lengths and format") {
  CHECK(tc::json_schema_text<Strings>() ==
        R"({"type":"object","properties":{)"
        R"("code":{"type":"string","description":"Code.","pattern":"^A[0-9]+$","minLength":2,"maxLength":12},)"
        R"("name":{"type":"string","description":"Name.","minLength":1},)"
        R"("day":{"type":"string","description":"Day.","format":"date"}},)"
        R"("required":["code","name","day"],"additionalProperties":false})");
}

TEST_CASE("json_schema: a number carries its bounds and step, exact to 64 bits") {
  CHECK(tc::json_schema_text<Numbers>() ==
        R"({"type":"object","properties":{)"
        R"("count":{"type":"integer","description":"Count.","minimum":1,"maximum":50},)"
        R"("least":{"type":"integer","description":"Least.","minimum":-5},)"
        R"("most":{"type":"integer","description":"Most.","maximum":5},)"
        R"("share":{"type":"number","description":"Share.","exclusiveMinimum":0,"exclusiveMaximum":1},)"
        R"("price":{"type":"number","description":"Price.","maximum":1e+21,"multipleOf":0.01},)"
        R"("id":{"type":"integer","description":"ID.","minimum":1,"maximum":18446744073709551615}},)"
        R"("required":["count","least","most","share","price","id"],"additionalProperties":false})");
}

TEST_CASE(
    "json_schema: an integer sent as a string is a string of digits, its bounds in words and its samples strings") {
  const auto members = tc::json_schema<samples::Ids>()["properties"];
  CHECK(members["id"].dump() ==
        R"({"type":"string","description":"Of an order, e.g. '725653563933458432'. A string with an integer, )"
        R"(-9223372036854775808 to 9223372036854775807.","pattern":"^-?(0|[1-9][0-9]*)$"})");
  CHECK(members["serial"]["description"] == "From 1. A string with an integer, 1 to 18446744073709551615.");
  CHECK(members["shift"]["description"] == "In minutes. A string with an integer, -500 to 500, a multiple of 5.");
  CHECK(members["parent"]["description"] == "The one above. A string with an integer, greater than 0 and at most 255.");
  CHECK(members["page"].dump() == R"({"type":"string","description":"Which page. A string with an integer, 1 to 50.",)"
                                  R"("pattern":"^-?(0|[1-9][0-9]*)$","default":"10","examples":["5","50"]})");
}

TEST_CASE("json_schema: a list carries its items, counts and whether they differ") {
  CHECK(tc::json_schema_text<Lists>() ==
        R"({"type":"object","properties":{)"
        R"("tags":{"type":"array","description":"Tags.","minItems":1,"maxItems":5,"uniqueItems":true,)"
        R"("items":{"type":"string"}},)"
        R"("place":{"type":"array","description":"Longitude and latitude.","minItems":2,"maxItems":2,)"
        R"("items":{"type":"number"}},)"
        R"("rows":{"type":"array","description":"Rows.",)"
        R"("items":{"type":"array","items":{"type":"integer"}}}},)"
        R"("required":["tags","place","rows"],"additionalProperties":false})");
}

TEST_CASE("json_schema: a map is an object whose values have one schema") {
  CHECK(tc::json_schema_text<Maps>() ==
        R"({"type":"object","properties":{)"
        R"("counts":{"type":"object","description":"Counts.","minProperties":1,"maxProperties":3,)"
        R"("additionalProperties":{"type":"integer"}},)"
        R"("words":{"type":"object","description":"Words.",)"
        R"("additionalProperties":{"type":"array","items":{"type":"string"}}}},)"
        R"("required":["counts","words"],"additionalProperties":false})");
}

TEST_CASE("json_schema: an enumeration lists its names and tells their meanings in the description") {
  CHECK(tc::json_schema_text<Filter>() ==
        R"({"type":"object","properties":{)"
        R"("status":{"type":"string","description":"State. pending: waits for them. closed: solved or given up.",)"
        R"("enum":["open","pending","closed"],"default":"pending"},)"
        R"("others":{"type":"array","description":"More states.","items":{"type":"string",)"
        R"("description":"pending: waits for them. closed: solved or given up.","enum":["open","pending","closed"]}}},)"
        R"("required":["others"],"additionalProperties":false})");
}

TEST_CASE("json_schema: a nested struct stands where it is used, as often as it is used") {
  const std::string line =
      R"("properties":{"sku":{"type":"string","description":"Article."},)"
      R"("count":{"type":"integer","description":"How many."}},"required":["sku"],"additionalProperties":false})";
  CHECK(tc::json_schema_text<Basket>() ==
        R"({"type":"object","properties":{"first":{"type":"object","description":"First line.",)" + line +
            R"(,"others":{"type":"array","description":"More.","items":{"type":"object",)" + line +
            R"(},"gift":{"type":"object","description":"A gift.",)" + line +
            R"(},"required":["first","others"],"additionalProperties":false})");
}

TEST_CASE("json_schema: a struct that ignores unknown members does not forbid them") {
  CHECK(tc::json_schema_text<Loose>() ==
        R"({"type":"object","properties":{"name":{"type":"string","description":"Name."}},"required":["name"]})");
}

TEST_CASE("json_schema: a union is anyOf objects told apart by a constant tag") {
  CHECK(tc::json_schema_text<Drawing>() ==
        R"({"type":"object","properties":{"shape":{"description":"What to draw.","anyOf":[)"
        R"({"type":"object","properties":{"kind":{"type":"string","const":"circle"},)"
        R"("radius":{"type":"number","description":"Radius."}},"required":["kind","radius"],)"
        R"("additionalProperties":false},)"
        R"({"type":"object","properties":{"kind":{"type":"string","const":"dot"}},"required":["kind"],)"
        R"("additionalProperties":false}]}},"required":["shape"],"additionalProperties":false})");
}

TEST_CASE("json_schema: title, default, examples, deprecated and writeOnly stand in this order") {
  CHECK(tc::json_schema_text<Annotated>() ==
        R"({"type":"object","properties":{)"
        R"("name":{"type":"string","title":"Full name","description":"Name.","examples":["Ada","Grace"]},)"
        R"("password":{"type":"string","description":"Password.","writeOnly":true},)"
        R"("old":{"type":"string","description":"Old.","deprecated":true,"writeOnly":true},)"
        R"("limit":{"type":"integer","description":"Limit.","minimum":1,"maximum":50,"default":10,"examples":[1,2]},)"
        R"("tags":{"type":"array","description":"Tags.","items":{"type":"string"},"default":["a"]}},)"
        R"("required":["name","password","old"],"additionalProperties":false})");
}

TEST_CASE("json_schema: a default is written as JSON of its own type") {
  CHECK(tc::json_schema_text<Defaults>() ==
        R"({"type":"object","properties":{"flag":{"type":"boolean","description":"Flag.","default":true},)"
        R"("text":{"type":"string","description":"Text.","default":"say \"x\""},)"
        R"("real":{"type":"number","description":"Real.","default":0.1}},"additionalProperties":false})");
}

TEST_CASE("json_schema: properties stand in the order they were declared in") {
  CHECK(tc::json_schema_text<Unsorted>() ==
        R"({"type":"object","properties":{"zebra":{"type":"integer","description":"1."},)"
        R"("apple":{"type":"integer","description":"2."},"mango":{"type":"integer","description":"3."}},)"
        R"("required":["zebra","apple","mango"],"additionalProperties":false})");
}

TEST_CASE("json_schema: inherited members are properties like the struct's own") {
  CHECK(tc::json_schema_text<Derived>() ==
        R"({"type":"object","properties":{"id":{"type":"string","description":"ID."},)"
        R"("more":{"type":"boolean","description":"More."}},"required":["id","more"],"additionalProperties":false})");
}

TEST_CASE("json_schema: a root that is no struct is told as what it is") {
  CHECK(tc::json_schema_text<std::vector<std::string>>() == R"({"type":"array","items":{"type":"string"}})");
  CHECK(tc::json_schema_text<double>() == R"({"type":"number"})");
  CHECK(tc::json_schema_text<std::map<std::string, bool>>() ==
        R"({"type":"object","additionalProperties":{"type":"boolean"}})");
  CHECK(tc::json_schema_text<Status>() ==
        R"({"type":"string","description":"pending: waits for them. closed: solved or given up.",)"
        R"("enum":["open","pending","closed"]})");
  CHECK(tc::json_schema_text<nlohmann::json>() == "{}");
}

// ---- direction

TEST_CASE("json_schema: an input may leave out what has a default, a result always carries it") {
  const auto text = [](const std::string& required) {
    return R"({"type":"object","properties":{"flag":{"type":"boolean","description":"Flag.","default":true},)"
           R"("text":{"type":"string","description":"Text.","default":"say \"x\""},)"
           R"("real":{"type":"number","description":"Real.","default":0.1}},)" +
           required + R"("additionalProperties":false})";
  };
  CHECK(tc::json_schema_text<Defaults>(Direction::input) == text(""));
  CHECK(tc::json_schema_text<Defaults>(Direction::output) == text(R"("required":["flag","text","real"],)"));
}

TEST_CASE("json_schema: an optional member is required in neither direction") {
  const std::string text =
      R"({"type":"object","properties":{"sku":{"type":"string","description":"Article."},)"
      R"("count":{"type":"integer","description":"How many."}},"required":["sku"],"additionalProperties":false})";
  CHECK(tc::json_schema_text<Line>(Direction::input) == text);
  CHECK(tc::json_schema_text<Line>(Direction::output) == text);
}

// ---- recursion

TEST_CASE("json_schema: a root that contains itself refers to #") {
  CHECK(tc::json_schema_text<Node>() ==
        R"({"type":"object","properties":{"name":{"type":"string","description":"Name."},)"
        R"("children":{"type":"array","description":"Below it.","items":{"$ref":"#"}}},)"
        R"("required":["name","children"],"additionalProperties":false})");
}

TEST_CASE("json_schema: a part that contains itself stands once, in $defs, and its uses keep their own descriptions") {
  CHECK(tc::json_schema_text<Forest>() ==
        R"({"type":"object","properties":{)"
        R"("trees":{"type":"array","description":"Trees.","items":{"$ref":"#/$defs/children"}},)"
        R"("favourite":{"$ref":"#/$defs/children","description":"The best one."}},)"
        R"("required":["trees","favourite"],"additionalProperties":false,)"
        R"("$defs":{"children":{"type":"object","properties":{"name":{"type":"string","description":"Name."},)"
        R"("children":{"type":"array","description":"Below it.","items":{"$ref":"#/$defs/children"}}},)"
        R"("required":["name","children"],"additionalProperties":false}}})");
}

TEST_CASE("json_schema: a list of what contains itself refers to $defs") {
  CHECK(tc::json_schema_text<std::vector<Node>>() ==
        R"({"type":"array","items":{"$ref":"#/$defs/children"},)"
        R"("$defs":{"children":{"type":"object","properties":{"name":{"type":"string","description":"Name."},)"
        R"("children":{"type":"array","description":"Below it.","items":{"$ref":"#/$defs/children"}}},)"
        R"("required":["name","children"],"additionalProperties":false}}})");
}

TEST_CASE("json_schema: references follow the document to where it will stand") {
  CHECK(tc::json_schema_text(tc::table_of<Node>(), Direction::output, "#/properties/result") ==
        R"({"type":"object","properties":{"name":{"type":"string","description":"Name."},)"
        R"("children":{"type":"array","description":"Below it.","items":{"$ref":"#/properties/result"}}},)"
        R"("required":["name","children"],"additionalProperties":false})");
  CHECK(tc::json_schema_text(tc::table_of<std::vector<Node>>(), Direction::output, "#/properties/result") ==
        R"({"type":"array","items":{"$ref":"#/properties/result/$defs/children"},)"
        R"("$defs":{"children":{"type":"object","properties":{"name":{"type":"string","description":"Name."},)"
        R"("children":{"type":"array","description":"Below it.",)"
        R"("items":{"$ref":"#/properties/result/$defs/children"}}},)"
        R"("required":["name","children"],"additionalProperties":false}}})");
}

TEST_CASE("json_schema: a union that contains itself through an alternative is defined once") {
  const std::string defined =
      R"("$defs":{"terms":{"anyOf":[{"type":"object","properties":{"op":{"type":"string","const":"leaf"},)"
      R"("value":{"type":"integer","description":"Value."}},"required":["op","value"],"additionalProperties":false},)"
      R"({"type":"object","properties":{"op":{"type":"string","const":"sum"},)"
      R"("terms":{"type":"array","description":"Terms.","items":{"$ref":"#/$defs/terms"}}},)"
      R"("required":["op","terms"],"additionalProperties":false}]}}})";
  CHECK(tc::json_schema_text<Formula>() ==
        R"({"type":"object","properties":{"term":{"type":"array","description":"The term.",)"
        R"("items":{"$ref":"#/$defs/terms"}}},"required":["term"],"additionalProperties":false,)" +
            defined);
}

TEST_CASE("json_schema: an alternative used as the root is described without its tag, and the union inside it once") {
  CHECK(tc::json_schema_text<Sum>() ==
        R"({"type":"object","properties":{"terms":{"type":"array","description":"Terms.",)"
        R"("items":{"$ref":"#/$defs/terms"}}},"required":["terms"],"additionalProperties":false,)"
        R"("$defs":{"terms":{"anyOf":[{"type":"object","properties":{"op":{"type":"string","const":"leaf"},)"
        R"("value":{"type":"integer","description":"Value."}},"required":["op","value"],)"
        R"("additionalProperties":false},{"type":"object","properties":{"op":{"type":"string","const":"sum"},)"
        R"("terms":{"type":"array","description":"Terms.","items":{"$ref":"#/$defs/terms"}}},)"
        R"("required":["op","terms"],"additionalProperties":false}]}}})");
}

TEST_CASE("json_schema: a union as the root refers to itself as #") {
  CHECK(tc::json_schema_text<Term>() ==
        R"({"anyOf":[{"type":"object","properties":{"op":{"type":"string","const":"leaf"},)"
        R"("value":{"type":"integer","description":"Value."}},"required":["op","value"],)"
        R"("additionalProperties":false},{"type":"object","properties":{"op":{"type":"string","const":"sum"},)"
        R"("terms":{"type":"array","description":"Terms.","items":{"$ref":"#"}}},)"
        R"("required":["op","terms"],"additionalProperties":false}]})");
}

TEST_CASE("json_schema: two types that contain each other need one reference") {
  CHECK(tc::json_schema_text<Person>() ==
        R"({"type":"object","properties":{"companies":{"type":"array","description":"Where.",)"
        R"("items":{"type":"object","properties":{"people":{"type":"array","description":"Who.",)"
        R"("items":{"$ref":"#"}}},"required":["people"],"additionalProperties":false}}},)"
        R"("required":["companies"],"additionalProperties":false})");
}

TEST_CASE("json_schema: names in $defs are plain words, and two types never share one") {
  CHECK(tc::json_schema_text<Zoo>() ==
        R"({"type":"object","properties":{"odd":{"$ref":"#/$defs/a_b_c","description":"Odd."},)"
        R"("twin":{"$ref":"#/$defs/a_b_c2","description":"Twin."}},"required":["odd","twin"],)"
        R"("additionalProperties":false,"$defs":{)"
        R"("a_b_c":{"type":"object","properties":{"a b/c":{"type":"object","description":"Below it.",)"
        R"("additionalProperties":{"$ref":"#/$defs/a_b_c"}}},"required":["a b/c"],"additionalProperties":false},)"
        R"("a_b_c2":{"type":"object","properties":{"a b/c":{"type":"object","description":"Below it.",)"
        R"("additionalProperties":{"$ref":"#/$defs/a_b_c2"}}},"required":["a b/c"],"additionalProperties":false}}})");
}

// ---- the document as a whole

TEST_CASE("json_schema: examples given for the root stand in it, behind its fields") {
  const std::vector<std::string> examples{R"({"name":"x"})", R"({"name":"y"})"};
  CHECK(tc::json_schema_text(tc::table_of<Loose>(), Direction::input, "#", examples) ==
        R"({"type":"object","properties":{"name":{"type":"string","description":"Name."}},"required":["name"],)"
        R"("examples":[{"name":"x"},{"name":"y"}]})");
}

TEST_CASE("json_schema: the JSON form is the text, read, in the same order") {
  CHECK(tc::json_schema<Unsorted>().dump() == tc::json_schema_text<Unsorted>());
  CHECK(tc::json_schema<Defaults>(Direction::output).dump() == tc::json_schema_text<Defaults>(Direction::output));
  CHECK(tc::json_schema<Loose, nlohmann::json>() ==
        nlohmann::json::parse(R"({"type":"object","required":["name"],)"
                              R"("properties":{"name":{"description":"Name.","type":"string"}}})"));
}

TEST_CASE("json_schema: every text parses, in both directions") {
  const auto parses = [](const tc::Table& table) {
    for (const Direction direction : {Direction::input, Direction::output})
      CHECK(nlohmann::json::accept(tc::json_schema_text(table, direction)));
  };
  parses(tc::table_of<Nothing>());
  parses(tc::table_of<Plains>());
  parses(tc::table_of<Narrow>());
  parses(tc::table_of<Strings>());
  parses(tc::table_of<Numbers>());
  parses(tc::table_of<Lists>());
  parses(tc::table_of<Maps>());
  parses(tc::table_of<Filter>());
  parses(tc::table_of<Basket>());
  parses(tc::table_of<Drawing>());
  parses(tc::table_of<Annotated>());
  parses(tc::table_of<Defaults>());
  parses(tc::table_of<Forest>());
  parses(tc::table_of<Formula>());
  parses(tc::table_of<Zoo>());
}
