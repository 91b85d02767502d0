// SPDX-License-Identifier: MIT
#include <toolcontract/check.hpp>

#include "catch.hpp"
#include "random_json.hpp"
#include "samples.hpp"
#include "show.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tc = toolcontract;
using nlohmann::json;
using nlohmann::ordered_json;
using Errors = std::vector<tc::FieldError>;
using namespace std::string_literals;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
const tc::Schema& schema() {
  return tc::table_of<T>().root();
}

/// What explain says of a value; accepts must agree, and both must say the same of an ordered_json.
template <class T>
Errors explained(const json& value) {
  const ordered_json ordered = value;
  const Errors errors = tc::explain(schema<T>(), value);
  REQUIRE(tc::accepts(schema<T>(), value) == errors.empty());
  REQUIRE(tc::accepts(schema<T>(), ordered) == errors.empty());
  REQUIRE(tc::explain(schema<T>(), ordered) == errors);
  return errors;
}
template <class T>
Errors explained(const char* text) {
  return explained<T>(json::parse(text));
}

/// The same for one field of a value that is otherwise as `sound` gives it.
template <class T>
Errors explained_with(json sound, const std::string& name, json value) {
  sound[name] = std::move(value);
  return explained<T>(sound);
}

const json widths{{"flag", true}, {"i8", 1},  {"i16", 1}, {"i32", 1},    {"i64", 1}, {"u8", 1},
                  {"u16", 1},     {"u32", 1}, {"u64", 1}, {"single", 1}, {"real", 1}};
const json limited{{"percent", 1}, {"id", 1},      {"port", 1},  {"serial", 1}, {"wide", 1},
                   {"step", 5},    {"ratio", 0.5}, {"price", 1}, {"rating", 1}};
const json article{{"title", "Login loop"}, {"slug", "login"}, {"code", "A17"}, {"tags", {"a"}}};
const json collections{
    {"numbers", {1}},   {"position", {0, 0}},    {"stock", {{"a", 1}}},     {"by_team", json::object()},
    {"grid", {{1, 2}}}, {"path", json::array()}, {"words", {"a", "b", "c"}}};
const json drawing{{"outline", {{"kind", "circle"}, {"radius", 1}}},
                   {"shapes", json::array()},
                   {"named", json::object()},
                   {"priority", "low"}};
const json login{{"host", "example.com"},
                 {"token", "tok_1"},
                 {"pin", 1},
                 {"credentials", {{"user", "ada9"}, {"codes", json::array()}}}};

/// Arrays inside arrays, `levels` of them.
json nested(std::size_t levels) {
  json value = json::array();
  for (std::size_t level = 1; level < levels; ++level) value = json::array({std::move(value)});
  return value;
}

}  // namespace

// ---- sound values

TEST_CASE("check: the sound values these tests start from are accepted") {
  CHECK(explained<samples::Widths>(widths).empty());
  CHECK(explained<samples::Limited>(limited).empty());
  CHECK(explained<samples::Article>(article).empty());
  CHECK(explained<samples::Collections>(collections).empty());
  CHECK(explained<samples::Drawing>(drawing).empty());
  CHECK(explained<samples::Login>(login).empty());
  CHECK(explained<samples::Nothing>(json::object()).empty());
}

// ---- type

TEST_CASE("check: a value that is no object is told so, with what it is") {
  const auto told = [](tc::Shown got) { return Errors{{"", "type", "must be an object", std::move(got)}}; };
  CHECK(explained<samples::Point>("[]") == told("[0 items]"));
  CHECK(explained<samples::Point>("\"x\"") == told("x"));
  CHECK(explained<samples::Point>("3") == told(3));
  CHECK(explained<samples::Point>("false") == told(false));
  CHECK(explained<samples::Point>("null") == told(tc::Shown::json("null")));
}

TEST_CASE("check: a boolean is true or false and nothing that looks like it") {
  for (const json& value : {json(true), json(false)})
    CHECK(explained_with<samples::Widths>(widths, "flag", value).empty());
  for (const json& value : {json(0), json(1), json("true"), json(nullptr), json::array(), json::object()})
    CHECK(explained_with<samples::Widths>(widths, "flag", value) ==
          Errors{{"flag", "type", "must be true or false", tc::shown(value)}});
}

TEST_CASE("check: an integer is any number without a fraction") {
  for (const json& value : {json(5), json(5.0), json(-0.0), json(0U)})
    CHECK(explained_with<samples::Widths>(widths, "i32", value).empty());
  for (const json& value : {json(0.5), json("5"), json(true), json(nullptr), json::array({5})})
    CHECK(explained_with<samples::Widths>(widths, "i32", value) ==
          Errors{{"i32", "type", "must be an integer, -2147483648 to 2147483647", tc::shown(value)}});
}

TEST_CASE("check: a number is any finite number") {
  for (const json& value : {json(5), json(0.5), json(-1e308), json(18446744073709551615U)})
    CHECK(explained_with<samples::Widths>(widths, "real", value).empty());
  for (const json& value : {json("1.5"), json(false), json(nullptr)})
    CHECK(explained_with<samples::Widths>(widths, "real", value) ==
          Errors{{"real", "type", "must be a number", tc::shown(value)}});
}

TEST_CASE("check: a string is only a string") {
  for (const json& value : {json(1.000001), json(true), json(nullptr), json::array(), json::object()})
    CHECK(explained_with<samples::Odd>({{"sort-by", ""},
                                        {"user.name", ""},
                                        {"say \"hi\"\\", ""},
                                        {"größe", ""},
                                        {"$top", ""},
                                        {"labels", json::object()}},
                                       "$top",
                                       value) == Errors{{R"(["$top"])", "type", "must be a string", tc::shown(value)}});
}

TEST_CASE("check: a list, a map and a struct are not taken for each other") {
  CHECK(explained_with<samples::Collections>(collections, "numbers", json::object()) ==
        Errors{{"numbers", "type", "must be an array of 1 to 4 items", "{0 keys}"}});
  CHECK(explained_with<samples::Collections>(collections, "stock", json::array()) ==
        Errors{{"stock", "type", "must be an object", "[0 items]"}});
  CHECK(explained_with<samples::Drawing>(drawing, "outline", "circle") ==
        Errors{{"outline", "type", "must be an object", "circle"}});
}

TEST_CASE("check: null is the absence of nothing, also for an optional member") {
  CHECK(explained<samples::Optionals>(R"({"text":null})") ==
        Errors{{"text", "type", "must be a string of at least 1 character", tc::Shown::json("null")}});
}

// ---- range, multiple_of

TEST_CASE("check: a number outside its bounds is told the bounds") {
  const auto limit = [](const char* name, json value) {
    return explained_with<samples::Limited>(limited, name, std::move(value));
  };
  CHECK(limit("percent", 101) == Errors{{"percent", "range", "must be 0 to 100", 101}});
  CHECK(limit("percent", -1) == Errors{{"percent", "range", "must be 0 to 100", -1}});
  CHECK(limit("id", 0) == Errors{{"id", "range", "must be at least 1", 0}});
  CHECK(limit("port", 49152) == Errors{{"port", "range", "must be 0 to 49151", 49152}});
  CHECK(limit("ratio", 0) == Errors{{"ratio", "range", "must be greater than 0 and less than 1", 0}});
  CHECK(limit("ratio", 1.0) == Errors{{"ratio", "range", "must be greater than 0 and less than 1", 1.0}});
  CHECK(limit("wide", 9007199254740994) ==
        Errors{{"wide", "range", "must be -9007199254740993 to 9007199254740993", 9007199254740994}});
}

TEST_CASE("check: what a member cannot hold is out of range, never wrapped") {
  const auto width = [](const char* name, json value) {
    return explained_with<samples::Widths>(widths, name, std::move(value));
  };
  CHECK(width("i8", 128) == Errors{{"i8", "range", "must be -128 to 127", 128}});
  CHECK(width("u16", -1) == Errors{{"u16", "range", "must be 0 to 65535", -1}});
  CHECK(width("i64", 9223372036854775808U) ==
        Errors{{"i64", "range", "must be -9223372036854775808 to 9223372036854775807", 9223372036854775808U}});
  CHECK(width("i64", 1e19) == Errors{{"i64", "range", "must be -9223372036854775808 to 9223372036854775807", 1e19}});
  CHECK(width("u64", -1) == Errors{{"u64", "range", "must be at least 0", -1}});
  CHECK(width("u64", 18446744073709551616.0) ==
        Errors{{"u64", "range", "must be 0 to 18446744073709551615", 18446744073709551616.0}});
  CHECK(width("single", 3.5e38) == Errors{{"single", "range", "must be -3.4028235e+38 to 3.4028235e+38", 3.5e38}});
}

TEST_CASE("check: the ends of what a member can hold are accepted") {
  json ends = widths;
  ends.update(
      {{"i8", -128}, {"u8", 255}, {"i32", 2147483647}, {"u64", 18446744073709551615U}, {"single", 3.4028235e38}});
  ends["i64"] = (std::numeric_limits<std::int64_t>::min)();
  CHECK(explained<samples::Widths>(ends).empty());
}

TEST_CASE("check: NaN and infinity are out of range for a number and the wrong type for the rest") {
  CHECK(explained_with<samples::Widths>(widths, "real", not_a_number) ==
        Errors{{"real", "range", "must be a finite number", "NaN"}});
  CHECK(explained_with<samples::Widths>(widths, "i8", infinity) ==
        Errors{{"i8", "range", "must be a finite number", "Infinity"}});
  CHECK(explained_with<samples::Article>(article, "title", infinity) ==
        Errors{{"title", "type", "must be a string of 2 to 40 characters", "Infinity"}});
}

TEST_CASE("check: a number that is no multiple is told the step") {
  CHECK(explained_with<samples::Limited>(limited, "price", 19.99).empty());
  CHECK(explained_with<samples::Limited>(limited, "rating", 3.7).empty());
  CHECK(explained_with<samples::Limited>(limited, "price", 19.995) ==
        Errors{{"price", "multiple_of", "must be a multiple of 0.01", 19.995}});
  CHECK(explained_with<samples::Limited>(limited, "step", 7) ==
        Errors{{"step", "multiple_of", "must be a multiple of 5", 7}});
}

// ---- strings

TEST_CASE("check: a length is counted in code points") {
  CHECK(explained_with<samples::Article>(article, "title", std::string("日本")).empty());
  CHECK(explained_with<samples::Article>(article, "title", "x") ==
        Errors{{"title", "length", "must have 2 to 40 characters", "x"}});
  CHECK(explained_with<samples::Article>(article, "title", std::string(41, 'x')) ==
        Errors{{"title", "length", "must have 2 to 40 characters", std::string(41, 'x')}});
}

TEST_CASE("check: a NUL inside a string counts like any other character") {
  CHECK(explained_with<samples::Comment>({{"text", ""}}, "text", "\0AAAAAAAAAA"s) ==
        Errors{{"text", "length", "must have at most 10 characters", "\0AAAAAAAAAA"s}});
}

TEST_CASE("check: a pattern is told as it is written, and every fault of one string is told") {
  CHECK(explained_with<samples::Article>(article, "code", "ABC") ==
        Errors{{"code", "pattern", "must match the pattern [0-9]", "ABC"}});
  CHECK(explained_with<samples::Article>(article, "slug", "A very long slug, this is") ==
        Errors{{"slug", "length", "must have at most 20 characters", "A very long slug, this is"},
               {"slug", "pattern", "must match the pattern ^[a-z0-9-]+$", "A very long slug, this is"}});
}

TEST_CASE("check: each format is enforced and told with an example") {
  json value = json::object();
  for (const tc::Field& field : schema<samples::Formats>().fields) value[std::string(field.name)] = "-";
  Errors expected;
  for (const tc::Field& field : schema<samples::Formats>().fields)
    expected.push_back(
        {std::string(field.name), "format", std::string(tc::format_problem(field.schema.limits.format)), "-"});
  CHECK(expected.size() == 10);
  CHECK(explained<samples::Formats>(value) == expected);
}

TEST_CASE("check: a string that is no UTF-8 is told so") {
  CHECK(explained_with<samples::Article>(article, "title", "ab\xFF") ==
        Errors{{"title", "encoding", "must be valid UTF-8", "ab\xFF"}});
}

TEST_CASE("check: an enum takes its exact names and offers the nearest") {
  const std::string legal = "must be one of celsius, fahrenheit";
  CHECK(explained<samples::Optionals>(R"({"unit":"celsius"})").empty());
  CHECK(explained<samples::Optionals>(R"({"unit":"Celsius"})") ==
        Errors{{"unit", "enum", legal + "; did you mean celsius?", "Celsius"}});
  CHECK(explained<samples::Optionals>(R"({"unit":"kelvin"})") == Errors{{"unit", "enum", legal, "kelvin"}});
  CHECK(explained<samples::Optionals>(R"({"unit":0})") == Errors{{"unit", "type", legal, 0}});
  CHECK(explained<samples::Optionals>(json{{"unit", "\xFF"}}) == Errors{{"unit", "enum", legal, "\xFF"}});
}

// ---- lists and maps

TEST_CASE("check: a list of the wrong size is told its size, and its items are looked at all the same") {
  CHECK(explained_with<samples::Collections>(collections, "numbers", json::array()) ==
        Errors{{"numbers", "count", "must have 1 to 4 items", "[0 items]"}});
  CHECK(explained_with<samples::Collections>(collections, "numbers", {1, 2, 3, 4, "x"}) ==
        Errors{{"numbers", "count", "must have 1 to 4 items", "[5 items]"},
               {"numbers[4]", "type", "must be an integer, -2147483648 to 2147483647", "x"}});
  CHECK(explained_with<samples::Collections>(collections, "position", {1, 2, 3}) ==
        Errors{{"position", "count", "must have exactly 2 items", "[3 items]"}});
}

TEST_CASE("check: a map of the wrong size is told its size") {
  CHECK(explained_with<samples::Collections>(collections, "stock", json::object()) ==
        Errors{{"stock", "count", "must have 1 to 3 entries", "{0 keys}"}});
}

TEST_CASE("check: a fault inside lists and maps is told by its whole path") {
  CHECK(explained_with<samples::Collections>(collections, "grid", {{1}, {2, 40000}}) ==
        Errors{{"grid[1][1]", "range", "must be -32768 to 32767", 40000}});
  CHECK(explained_with<samples::Collections>(collections, "by_team", {{"sales", {"low"}}, {"a.b", {"low", "dates"}}}) ==
        Errors{{R"(by_team["a.b"][1])", "enum", "must be one of low, normal, high", "dates"}});
}

TEST_CASE("check: a key of a map that is no UTF-8 is told so") {
  CHECK(explained_with<samples::Collections>(collections, "stock", {{"\xFF", 1}}) ==
        Errors{{"stock[\"\xFF\"]", "encoding", "must be valid UTF-8", {}}});
}

TEST_CASE("check: equal items are told by their places") {
  CHECK(explained_with<samples::Article>(article, "tags", {"a", "b", "a"}) ==
        Errors{{"tags", "unique", "must have no two equal items; item 2 repeats item 0", "[3 items]"}});
}

TEST_CASE("check: items are equal by value, whatever they are held as") {
  const auto repeats = [](const char* values) {
    return !explained<samples::Note>(json{{"body", 0}, {"labels", json::object()}, {"values", json::parse(values)}})
                .empty();
  };
  CHECK(repeats("[1, 1.0]"));
  CHECK(repeats("[0, -0.0]"));
  CHECK(repeats(R"([{"a":1,"b":[2.0]}, {"b":[2],"a":1.0}])"));
  CHECK(repeats("[null, null]"));
  CHECK(repeats("[9007199254740993, 9007199254740993]"));
  CHECK_FALSE(repeats("[9007199254740993, 9007199254740992.0]"));
  CHECK_FALSE(repeats(R"([1, "1", true, null, [1]])"));
  CHECK_FALSE(repeats(R"([[], {}, "", 0, false])"));
  CHECK_FALSE(repeats(R"([{"a":1}, {"b":1}, {"a":2}, {"a":1,"b":1}])"));
  CHECK_FALSE(repeats("[[1,2], [2,1], [1], [1,2,3]]"));
}

TEST_CASE("check: objects are equal in whatever order their members stand") {
  const auto values = ordered_json::parse(R"({"body":0,"labels":{},"values":[{"a":1,"b":2},{"b":2,"a":1}]})");
  CHECK(tc::explain(schema<samples::Note>(), values) ==
        Errors{{"values", "unique", "must have no two equal items; item 1 repeats item 0", "[2 items]"}});
}

namespace {
struct Numbers {
  std::vector<std::int64_t> all;
  std::vector<samples::Point> points;
};
constexpr auto tool_schema(tc::type<Numbers>) {
  return tc::object(
      tc::field<&Numbers::all>("all", "Different numbers.", tc::unique_items(), tc::default_value(tc::json("[]"))),
      tc::field<&Numbers::points>("points", "Different places.", tc::unique_items(),
                                  tc::default_value(tc::json("[]"))));
}
}  // namespace

TEST_CASE("check: ten thousand different items are told apart quickly") {
  json numbers = json::array();
  json points = json::array();
  for (int i = 0; i < 10000; ++i) numbers.push_back((i * 7919) % 10007);
  for (int i = 0; i < 10000; ++i) points.push_back({{"x", i % 100}, {"y", i / 100}});
  const json value{{"all", numbers}, {"points", points}};
  const auto start = std::chrono::steady_clock::now();
  const bool accepted = tc::accepts(schema<Numbers>(), value);
  const auto taken = std::chrono::steady_clock::now() - start;
  CHECK(accepted);
  CHECK(taken < std::chrono::seconds(5));  // comparing each with each takes minutes
}

// ---- objects

TEST_CASE("check: a missing field is told what it should be") {
  CHECK(explained<samples::Orders>("{}") ==
        Errors{{"reason", "required", "must be given: a string of at least 3 characters", {}},
               {"priority", "required", "must be given: one of low, normal, high", {}}});
}

TEST_CASE("check: an unknown field is told the known ones and never shown") {
  CHECK(explained<samples::Point>(R"({"x":1,"y":2,"z":"secret"})") ==
        Errors{{"z", "unknown_field", "must be left out; the known fields are x, y", {}}});
  CHECK(explained<samples::Orders>(R"({"reason":"abc","priority":"low","limits":1})") ==
        Errors{{"limits",
                "unknown_field",
                "must be left out; the known fields are reason, priority, limit, cursor; did you mean limit?",
                {}}});
  CHECK(explained<samples::Nothing>(R"({"x":1})") ==
        Errors{{"x", "unknown_field", "must be left out; no fields are known here", {}}});
}

TEST_CASE("check: all errors come at once, in schema order and then the unknown fields") {
  CHECK(explained<samples::Orders>(R"({"a":1,"cursor":5,"limit":0,"priority":"lo","zz":2})") ==
        Errors{{"reason", "required", "must be given: a string of at least 3 characters", {}},
               {"priority", "enum", "must be one of low, normal, high; did you mean low?", "lo"},
               {"limit", "range", "must be 1 to 50", 0},
               {"cursor", "type", "must be a string", 5},
               {"a", "unknown_field", "must be left out; the known fields are reason, priority, limit, cursor", {}},
               {"zz", "unknown_field", "must be left out; the known fields are reason, priority, limit, cursor", {}}});
}

TEST_CASE("check: unknown fields are told in the order the value holds them") {
  const auto value = ordered_json::parse(R"({"zz":2,"y":1,"x":1,"a":1})");
  const Errors errors = tc::explain(schema<samples::Point>(), value);
  REQUIRE(errors.size() == 2);
  CHECK((errors[0].field == "zz" && errors[1].field == "a"));
}

TEST_CASE("check: errors inside a member come where that member stands in the schema") {
  CHECK(
      explained<samples::Drawing>(
          R"({"outline":{"kind":"circle","radius":0,"extra":1},"named":{},"priority":3,"more":1})") ==
      Errors{{"outline.radius", "range", "must be greater than 0", 0},
             {"outline.extra", "unknown_field", "must be left out; the known fields are kind, radius", {}},
             {"shapes", "required", "must be given: an array of at most 4 items", {}},
             {"priority", "type", "must be one of low, normal, high", 3},
             {"more", "unknown_field", "must be left out; the known fields are outline, shapes, named, priority", {}}});
}

TEST_CASE("check: of more than sixteen faults the first sixteen are listed and the rest counted") {
  json value = json::object();
  for (int i = 0; i < 20; ++i) value["n" + std::to_string(10 + i)] = i;
  const Errors errors = explained<samples::Nothing>(value);
  REQUIRE(errors.size() == 17);
  CHECK(errors[15] == tc::FieldError{"n25", "unknown_field", "must be left out; no fields are known here", {}});
  CHECK(errors[16] == tc::FieldError{"", "more", "must be free of 4 more faults that are not listed here", {}});
}

TEST_CASE("check: an object that passes over unknown members takes any, if they are sound JSON") {
  CHECK(explained<samples::Loose>(R"({"id":"a","x":[1,{"y":null}],"aa":1})").empty());
  CHECK(explained<samples::Loose>(json{{"id", "a"}, {"x", "\xFF"}}) ==
        Errors{{"x", "encoding", "must be valid UTF-8", {}}});
  CHECK(explained<samples::Loose>(json{{"id", "a"}, {"\xFF", 1}}) ==
        Errors{{"[\"\xFF\"]", "encoding", "must be valid UTF-8", {}}});
  CHECK(explained<samples::Loose>(json{{"id", "a"}, {"x", infinity}}) ==
        Errors{{"x", "range", "must be a finite number", {}}});
  CHECK(explained<samples::Loose>(R"({"x":1})") == Errors{{"id", "required", "must be given: a string", {}}});
}

TEST_CASE("check: a nested object is strict where only the outer one passes over unknown members") {
  CHECK(explained<samples::Loose>(R"({"id":"a","at":{"x":1,"y":1,"z":1}})") ==
        Errors{{"at.z", "unknown_field", "must be left out; the known fields are x, y", {}}});
}

// ---- unions

TEST_CASE("check: a union is checked as the alternative its tag names") {
  CHECK(explained<samples::Shape>(R"({"kind":"rectangle","width":1,"height":2,"label":"a"})").empty());
  CHECK(explained<samples::Shape>(R"({"kind":"rectangle","radius":2})") ==
        Errors{{"width", "required", "must be given: a number", {}},
               {"height", "required", "must be given: a number", {}},
               {"radius", "unknown_field", "must be left out; the known fields are kind, width, height, label", {}}});
}

TEST_CASE("check: a missing or unknown tag is told the alternatives, and nothing else is looked at") {
  CHECK(explained<samples::Shape>(R"({"radius":"x"})") ==
        Errors{{"kind", "required", "must be given: one of circle, rectangle", {}}});
  CHECK(explained<samples::Shape>(R"({"kind":"circel","radius":"x"})") ==
        Errors{{"kind", "enum", "must be one of circle, rectangle; did you mean circle?", "circel"}});
  CHECK(explained<samples::Shape>(R"({"kind":1})") == Errors{{"kind", "enum", "must be one of circle, rectangle", 1}});
}

TEST_CASE("check: a recursive union is checked all the way down") {
  CHECK(
      explained<samples::Expression>(R"({"op":"sum","terms":[{"op":"constant","value":1},{"op":"sum","terms":[]}]})") ==
      Errors{{"terms[1].terms", "count", "must have at least 1 item", "[0 items]"}});
  CHECK(explained<samples::Comment>(
            R"({"text":"a","replies":[{"text":"b"},{"text":"c","quoted":{"ada":{"text":5}}}]})") ==
        Errors{{"replies[1].quoted.ada.text", "type", "must be a string of at most 10 characters", 5}});
}

// ---- anything

TEST_CASE("check: a member that takes anything takes every sound JSON value") {
  for (const json& value :
       {json(nullptr), json(true), json(-1), json(0.5), json(""), json::array({1, "a"}), json{{"a", json::object()}}})
    CHECK(
        explained<samples::Note>(json{{"body", value}, {"values", json::array()}, {"labels", json::object()}}).empty());
}

TEST_CASE("check: a member that takes anything takes nothing that is no JSON") {
  const auto body = [](json value) {
    return explained<samples::Note>(
        json{{"body", std::move(value)}, {"values", json::array()}, {"labels", json::object()}});
  };
  CHECK(body({{"a", "\xFF"}}) == Errors{{"body", "encoding", "must be valid UTF-8", {}}});
  CHECK(body({1, infinity}) == Errors{{"body", "range", "must be a finite number", {}}});
  CHECK(body(json::binary({1})) == Errors{{"body", "type", "must be a JSON value", tc::Shown::json("null")}});
}

// ---- secrets

TEST_CASE("check: a secret is redacted in every error") {
  const auto with = [](const char* name, json value) {
    return explained_with<samples::Login>(login, name, std::move(value));
  };
  CHECK(with("token", 5) ==
        Errors{{"token", "type", "must be a string of at most 12 characters that matches the pattern ^tok_",
                "[redacted]"}});
  CHECK(with("token", "s3cret") == Errors{{"token", "pattern", "must match the pattern ^tok_", "[redacted]"}});
  CHECK(with("token", "tok_too_long_for_it") ==
        Errors{{"token", "length", "must have at most 12 characters", "[redacted]"}});
  CHECK(with("token", "tok_\xFF") == Errors{{"token", "encoding", "must be valid UTF-8", "[redacted]"}});
  CHECK(with("pin", 12345) == Errors{{"pin", "range", "must be 0 to 9999", "[redacted]"}});
  CHECK(with("pin", "1234") == Errors{{"pin", "type", "must be an integer, 0 to 9999", "[redacted]"}});
  CHECK(with("keys", {1}) == Errors{{"keys", "type", "must be an object", "[redacted]"}});
}

TEST_CASE("check: whatever is nested in a secret is redacted too") {
  const auto with = [](const char* name, json value) {
    return explained_with<samples::Login>(login, name, std::move(value));
  };
  CHECK(with("credentials", {{"user", "ada"}, {"codes", {"a", 5, "c"}}, {"level", "lowe"}}) ==
        Errors{{"credentials.user", "length", "must have at least 4 characters", "[redacted]"},
               {"credentials.codes", "count", "must have at most 2 items", "[redacted]"},
               {"credentials.codes[1]", "type", "must be a string", "[redacted]"},
               {"credentials.level", "enum", "must be one of low, normal, high", "[redacted]"}});
  CHECK(with("keys", {{"a", "s3cret"}}) ==
        Errors{{"keys.a", "type", "must be an integer, -2147483648 to 2147483647", "[redacted]"}});
  CHECK(with("blob", json::binary({1})) == Errors{{"blob", "type", "must be a JSON value", "[redacted]"}});
}

TEST_CASE("check: what was near a secret's tag or value is not told either") {
  const auto with = [](json value) { return explained_with<samples::Login>(login, "captcha", std::move(value)); };
  CHECK(with({{"kind", "circles"}}) ==
        Errors{{"captcha.kind", "enum", "must be one of circle, rectangle", "[redacted]"}});
  CHECK(with({{"kind", "circle"}, {"radius", -1}}) ==
        Errors{{"captcha.radius", "range", "must be greater than 0", "[redacted]"}});
}

TEST_CASE("check: no error about a login says anything of what its secrets hold") {
  const std::string marker = "QZQZQZ";
  RandomJson random(7);
  for (int round = 0; round < 2000; ++round) {
    json value = login;
    const auto secret = [&]() -> json {
      switch (random.below(4)) {
        case 0:
          return marker;
        case 1:
          return json::array({marker, marker});
        case 2:
          return json{{"kind", marker}, {"user", marker}, {"codes", {marker, {marker}}}, {"level", marker}};
        default:
          return json{{"kind", "circle"}, {"radius", marker}};
      }
    };
    for (const char* name : {"token", "pin", "credentials", "captcha", "keys", "blob"})
      if (random.one_in(2)) value[name] = secret();
    const std::string told = tc::sentences(tc::explain(schema<samples::Login>(), value));
    INFO(told);
    REQUIRE(told.find(marker) == std::string::npos);
  }
}

// ---- depth

TEST_CASE("check: a value of 64 levels is accepted and one of 65 is too deep") {
  const auto at = [](std::size_t levels) {
    return explained<samples::Note>(
        json{{"body", nested(levels - 1)}, {"values", json::array()}, {"labels", json::object()}});
  };
  CHECK(at(64).empty());
  CHECK(at(65) == Errors{{"", "too_deep", "must be nested at most 64 levels deep", {}}});
}

TEST_CASE("check: depth is counted the same in structs, lists, maps and unions") {
  json comment{{"text", "a"}};
  for (int level = 1; level < 63; level += 2) comment = json{{"text", "a"}, {"replies", {comment}}};
  CHECK(explained<samples::Comment>(comment).empty());  // 63 levels
  const json list{{"text", "a"}, {"replies", {comment}}};
  CHECK(explained<samples::Comment>(list) == Errors{{"", "too_deep", "must be nested at most 64 levels deep", {}}});
  json sum{{"op", "constant"}, {"value", 1}};
  for (int level = 1; level < 63; level += 2) sum = json{{"op", "sum"}, {"terms", {sum}}};
  CHECK(explained<samples::Expression>(sum).empty());
  CHECK(explained<samples::Expression>(json{{"op", "sum"}, {"terms", {sum}}}).size() == 1);
}

TEST_CASE("check: the depth allowed is the caller's to say") {
  const json value = json::parse(R"({"text":"a","replies":[{"text":"b"}]})");  // three levels
  CHECK(tc::accepts(schema<samples::Comment>(), value, 3));
  CHECK_FALSE(tc::accepts(schema<samples::Comment>(), value, 2));
  CHECK(tc::explain(schema<samples::Comment>(), value, 2) ==
        Errors{{"", "too_deep", "must be nested at most 2 levels deep", {}}});
  CHECK_FALSE(tc::accepts(schema<samples::Nothing>(), json::object(), 0));
}

TEST_CASE("check: a value of many thousand levels is refused, whatever the type") {
  const json deep = nested(20000);
  samples::for_each_type([&]<class T>(std::string_view name) {
    INFO(name);
    CHECK_FALSE(tc::accepts(schema<T>(), deep));
    CHECK(tc::explain(schema<T>(), deep) == Errors{{"", "too_deep", "must be nested at most 64 levels deep", {}}});
  });
}

TEST_CASE("check: a deep value behind a broken string is still refused") {
  const json value{{"body", {"\xFF", nested(100)}}, {"values", json::array()}, {"labels", json::object()}};
  CHECK(explained<samples::Note>(value) == Errors{{"body", "encoding", "must be valid UTF-8", {}}});
}

// ---- both kinds of JSON, and both walks

TEST_CASE("check: accepts says yes exactly when explain finds nothing, of any value and for any type") {
  int accepted = 0;
  int refused = 0;
  std::string disagreement;
  samples::for_each_type([&]<class T>(std::string_view name) {
    RandomJson random(20261130);
    for (int round = 0; round < 1500; ++round) {
      json value = random.one_in(10) ? random.anything(4) : random.value_of(schema<T>());
      for (std::size_t changes = random.below(4); changes > 0; --changes) random.mutate(value);
      const std::size_t depth = random.one_in(20) ? random.below(6) : tc::default_depth;
      const ordered_json ordered = value;
      const bool yes = tc::accepts(schema<T>(), value, depth);
      const bool same = tc::explain(schema<T>(), value, depth).empty() == yes &&
                        tc::accepts(schema<T>(), ordered, depth) == yes &&
                        tc::explain(schema<T>(), ordered, depth).empty() == yes;
      (yes ? accepted : refused) += 1;
      if (!same)
        disagreement.append(name)
            .append(": ")
            .append(value.dump(-1, ' ', false, json::error_handler_t::replace))
            .append("\n");
    }
  });
  CHECK(disagreement.empty());
  CHECK(accepted > 8000);
  CHECK(refused > 8000);
  CHECK(accepted + refused >= 20000);
}

TEST_CASE("check: the order of members changes no verdict") {
  std::string disagreement;
  samples::for_each_type([&]<class T>(std::string_view name) {
    RandomJson random(4);
    for (int round = 0; round < 300; ++round) {
      json value = random.value_of(schema<T>());
      if (random.one_in(2)) random.mutate(value);
      ordered_json shuffled = value;
      if (shuffled.is_object()) {
        auto& members = shuffled.get_ref<ordered_json::object_t&>();
        ordered_json::object_t other;
        while (!members.empty()) {
          const auto at = members.begin() + static_cast<std::ptrdiff_t>(random.below(members.size()));
          other.push_back(*at);
          members.erase(at);
        }
        members = std::move(other);
      }
      if (tc::accepts(schema<T>(), value) != tc::accepts(schema<T>(), shuffled)) disagreement.append(name).append("\n");
    }
  });
  CHECK(disagreement.empty());
}

TEST_CASE("check: a basic_json with containers of its own gets the same verdicts") {
  using small_json = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int32_t, std::uint32_t, float>;
  CHECK(tc::accepts(schema<samples::Point>(), small_json::parse(R"({"x":1,"y":-0.5})")));
  CHECK(tc::explain(schema<samples::Point>(), small_json::parse(R"({"x":"1","y":2})")) ==
        Errors{{"x", "type", "must be a number", "1"}});
}

// ---- tables

TEST_CASE("check: a type has one table, however often it is asked for") {
  CHECK(&tc::table_of<samples::Drawing>() == &tc::table_of<samples::Drawing>());
}
