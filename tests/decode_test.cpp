// SPDX-License-Identifier: MIT
#include <toolcontract/decode.hpp>

#include "catch.hpp"
#include "random_json.hpp"
#include "samples.hpp"
#include "show.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tc = toolcontract;
using nlohmann::json;
using nlohmann::ordered_json;
using Errors = std::vector<tc::FieldError>;
using namespace std::string_literals;

namespace {

/// One member "v" of any type.
template <class T>
struct One {
  T v{};
};
template <class T>
constexpr auto tool_schema(tc::type<One<T>>) {
  return tc::object(tc::field<&One<T>::v>("v", "A value."));
}

struct RefundInput {
  std::string order_id;
  std::string operation_id;
  std::int32_t amount_cents = 0;
};
constexpr auto tool_schema(tc::type<RefundInput>) {
  return tc::object(
      tc::field<&RefundInput::order_id>("order_id", "Exact order ID, e.g. 'A17'.", tc::pattern("^A[0-9]+$"),
                                        tc::max_length(12)),
      tc::field<&RefundInput::operation_id>("operation_id", "One id per intended refund, e.g. 'op_7f3a'."),
      tc::field<&RefundInput::amount_cents>("amount_cents", "In cents, e.g. 1250.", tc::between(1, 500'000)));
}

/// The field errors decode ends with; none when it succeeds.
template <class T, class In>
Errors errors_of(const In& in, const tc::InputLimits& limits = {}) {
  const tc::Result<T> result = tc::decode<T>(in, limits);
  return result ? Errors{} : result.error().field_errors();
}

/// "field code" of each error.
template <class T, class In>
std::vector<std::string> faults_of(const In& in, const tc::InputLimits& limits = {}) {
  std::vector<std::string> faults;
  for (const tc::FieldError& error : errors_of<T>(in, limits)) faults.push_back(error.field + " " + error.code);
  return faults;
}
using Faults = std::vector<std::string>;

/// The member "v" that a text gives.
template <class T>
T v_of(std::string_view text) {
  return tc::decode<One<T>>(text).value().v;
}

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

Errors malformed(const char* what, std::size_t byte) {
  return {{"",
           "malformed_json",
           std::string("must be one complete JSON value; ") + what + " at byte " + std::to_string(byte),
           {}}};
}

const std::string beyond = "must be a number that fits a double, at most 1.7976931348623157e+308";

}  // namespace

// ---- the error

TEST_CASE("decode: an error says everything at once, in its message and field by field") {
  const auto result = tc::decode<RefundInput>(R"({"order_id":"B1","amount_cents":5.0})");
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == "INVALID_ARGUMENTS");
  CHECK(result.error().category() == tc::Category::validation);
  CHECK(result.error().resolution() == tc::Resolution::fix_input);
  CHECK(result.error().message() ==
        "The arguments were not accepted. order_id must match the pattern ^A[0-9]+$. Got \"B1\". operation_id must be "
        "given: a string.");
  CHECK(result.error().field_errors() == Errors{{"order_id", "pattern", "must match the pattern ^A[0-9]+$", "B1"},
                                                {"operation_id", "required", "must be given: a string", {}}});
}

TEST_CASE("decode: the error names whose arguments they were") {
  const auto error =
      tc::invalid_arguments("The arguments of orders_get", {{"id", "required", "must be given: a string", {}}});
  CHECK(error.message() == "The arguments of orders_get were not accepted. id must be given: a string.");
}

// ---- what is accepted strictly (design, section 5)

TEST_CASE("decode: a boolean is true or false") {
  CHECK(v_of<bool>(R"({"v":true})"));
  CHECK_FALSE(v_of<bool>(R"({"v":false})"));
  for (const char* text : {R"({"v":"true"})", R"({"v":1})", R"({"v":null})"})
    CHECK(faults_of<One<bool>>(text) == Faults{"v type"});
}

TEST_CASE("decode: 5.0 is the integer 5, also nested") {
  CHECK(v_of<std::int32_t>(R"({"v":5.0})") == 5);
  CHECK(v_of<std::int32_t>(R"({"v":5e2})") == 500);
  CHECK(v_of<std::int32_t>(R"({"v":-0.0})") == 0);
  CHECK(v_of<std::vector<One<std::int64_t>>>(R"({"v":[{"v":7.0}]})")[0].v == 7);
  CHECK(v_of<std::map<std::string, std::uint8_t>>(R"({"v":{"a":7.0}})") ==
        std::map<std::string, std::uint8_t>{{"a", 7}});
}

TEST_CASE("decode: an integer is no string, no boolean and no fraction") {
  for (const char* text : {R"({"v":"5812"})", R"({"v":true})", R"({"v":0.5})", R"({"v":null})", R"({"v":[5]})"})
    CHECK(faults_of<One<std::int32_t>>(text) == Faults{"v type"});
}

TEST_CASE("decode: a number is any finite number that the member holds") {
  CHECK(v_of<double>(R"({"v":5})") == 5.0);
  CHECK(v_of<double>(R"({"v":-1.7976931348623157e308})") == -1.7976931348623157e308);
  CHECK(v_of<double>(R"({"v":5e-324})") == 5e-324);
  CHECK(v_of<float>(R"({"v":0.1})") == 0.1F);
  CHECK(v_of<float>(R"({"v":3.4028235e38})") == (std::numeric_limits<float>::max)());
  CHECK(faults_of<One<float>>(R"({"v":3.5e38})") == Faults{"v range"});
  CHECK(faults_of<One<double>>(R"({"v":"1.5"})") == Faults{"v type"});
}

TEST_CASE("decode: a string is a string of valid UTF-8, and is never made from anything else") {
  CHECK(v_of<std::string>(R"({"v":"{\"a\":1}"})") == R"({"a":1})");  // JSON in a string stays a string
  CHECK(v_of<std::string>(R"({"v":"gr\u00f6\u00dfer \ud83d\ude00"})") == "größer 😀");
  CHECK(v_of<std::string>(R"({"v":"\u0000"})") == "\0"s);
  for (const char* text : {R"({"v":1.000001})", R"({"v":true})", R"({"v":null})", R"({"v":[]})", R"({"v":{}})"})
    CHECK(faults_of<One<std::string>>(text) == Faults{"v type"});
}

TEST_CASE("decode: an enum takes its exact names and never falls back to the first") {
  CHECK(v_of<samples::Priority>(R"({"v":"high"})") == samples::Priority::high);
  for (const char* text : {R"({"v":"High"})", R"({"v":"opened"})", R"({"v":""})"})
    CHECK(faults_of<One<samples::Priority>>(text) == Faults{"v enum"});
  CHECK(faults_of<One<samples::Priority>>(R"({"v":250})") == Faults{"v type"});
}

TEST_CASE("decode: a list and an object are themselves, not a string that holds their JSON") {
  CHECK(v_of<std::vector<std::string>>(R"({"v":["a"]})") == std::vector<std::string>{"a"});
  CHECK(faults_of<One<std::vector<std::string>>>(R"({"v":"[\"a\"]"})") == Faults{"v type"});
  CHECK(faults_of<One<samples::Point>>(R"({"v":"{\"x\":1,\"y\":1}"})") == Faults{"v type"});
}

TEST_CASE("decode: an optional member may be absent, and null is no absence") {
  CHECK(v_of<std::optional<std::string>>("{}") == std::nullopt);
  CHECK(v_of<std::optional<std::string>>(R"({"v":"x"})") == "x");
  CHECK(faults_of<One<std::optional<std::string>>>(R"({"v":null})") == Faults{"v type"});
}

// ---- never, in any mode

TEST_CASE("decode: any JSON number into any integer member is exact or an error") {
  RandomJson random(20261130);
  int accepted = 0;
  int refused = 0;
  const auto hold = [&]<class I>(I) {
    for (int round = 0; round < 5000; ++round) {
      const json number = random.one_in(3)   ? json(random.bits() >> random.below(64))
                          : random.one_in(2) ? json(random.any_integer())
                                             : json(random.any_real());
      const tc::Number exact = tc::detail::number_of(number);
      const bool integral = tc::detail::is_integral(exact);
      const bool holds = integral && exact >= tc::Number((std::numeric_limits<I>::min)()) &&
                         exact <= tc::Number((std::numeric_limits<I>::max)());
      const auto result = tc::decode<One<I>>(json{{"v", number}});
      const bool right = holds ? result && tc::Number(result->v) == exact
                               : !result && result.error().field_errors().size() == 1 &&
                                     result.error().field_errors()[0].code == (integral ? "range" : "type");
      INFO(number.dump() << " into " << sizeof(I) << " bytes");
      if (!right) FAIL_CHECK();
      (holds ? accepted : refused) += 1;
    }
  };
  hold(std::int8_t{}), hold(std::int16_t{}), hold(std::int32_t{}), hold(std::int64_t{});
  hold(std::uint8_t{}), hold(std::uint16_t{}), hold(std::uint32_t{}), hold(std::uint64_t{});
  CHECK(accepted > 5000);
  CHECK(refused > 5000);
}

TEST_CASE("decode: the ends of every integer width arrive exactly, and one beyond is an error") {
  const auto ends = []<class I>(I, const char* below, const char* least, const char* most, const char* above) {
    const auto text = [](const char* number) { return R"({"v":)" + std::string(number) + "}"; };
    CHECK(v_of<I>(text(least)) == (std::numeric_limits<I>::min)());
    CHECK(v_of<I>(text(most)) == (std::numeric_limits<I>::max)());
    CHECK(faults_of<One<I>>(text(below)) == Faults{"v range"});
    CHECK(faults_of<One<I>>(text(above)) == Faults{"v range"});
  };
  ends(std::int8_t{}, "-129", "-128", "127", "128");
  ends(std::int16_t{}, "-32769", "-32768", "32767", "32768");
  ends(std::int32_t{}, "-2147483649", "-2147483648", "2147483647", "2147483648");
  ends(std::int64_t{}, "-9223372036854775809", "-9223372036854775808", "9223372036854775807", "9223372036854775808");
  ends(std::uint8_t{}, "-1", "0", "255", "256");
  ends(std::uint16_t{}, "-1", "0", "65535", "65536");
  ends(std::uint32_t{}, "-1", "0", "4294967295", "4294967296");
  ends(std::uint64_t{}, "-1", "0", "18446744073709551615", "18446744073709551616");
}

TEST_CASE("decode: an unknown key is an error unless the object passes over it") {
  CHECK(faults_of<samples::Nothing>(R"({"x":1})") == Faults{"x unknown_field"});
  CHECK(tc::decode<samples::Loose>(R"({"id":"a","x":1})").value() == samples::Loose{"a", {}});
}

// ---- cases seen elsewhere

TEST_CASE("decode: required-missing: a missing field is named") {
  CHECK(faults_of<One<std::string>>("{}") == Faults{"v required"});
}

namespace {
struct Forecast {
  std::string city;
  std::int32_t days = 0;
};
constexpr auto tool_schema(tc::type<Forecast>) {
  return tc::object(tc::field<&Forecast::city>("city", "Which city.", tc::min_length(2)),
                    tc::field<&Forecast::days>("days", "How many days.", tc::between(1, 7)));
}
struct Node {
  std::int32_t v = 0;
  std::vector<Node> kids;
};
constexpr auto tool_schema(tc::type<Node>) {
  return tc::object(tc::field<&Node::v>("v", "A number."),
                    tc::field<&Node::kids>("kids", "Below.", tc::default_value(tc::json("[]"))));
}
struct Strings {
  std::optional<std::string> dot, date, code;
};
constexpr auto tool_schema(tc::type<Strings>) {
  return tc::object(tc::field<&Strings::dot>("dot", "One character.", tc::pattern("^.$")),
                    tc::field<&Strings::date>("date", "A day.", tc::format(tc::Format::date)),
                    tc::field<&Strings::code>("code", "Short.", tc::max_length(3)));
}
}  // namespace

TEST_CASE("decode: two-errors-at-once: both are told") {
  CHECK(faults_of<Forecast>(R"({"city":"x","days":9})") == Faults{"city length", "days range"});
}

TEST_CASE("decode: unknown-field: a missing and an unknown field are told together") {
  CHECK(faults_of<One<std::string>>(R"({"path":"x"})") == Faults{"v required", "path unknown_field"});
}

TEST_CASE("decode: array-instead-of-object: the arguments as a whole are wrong") {
  CHECK(faults_of<Forecast>("[]") == Faults{" type"});
}

TEST_CASE("decode: enum-near-miss: the problem names every value and suggests one") {
  CHECK(errors_of<One<samples::Unit>>(R"({"v":"celcius"})") ==
        Errors{{"v", "enum", "must be one of celsius, fahrenheit; did you mean celsius?", "celcius"}});
}

TEST_CASE("decode: recursive-node: a fault deep down is told by its path") {
  CHECK(faults_of<One<Node>>(R"({"v":{"v":1,"kids":[{"v":2},{"v":"x"}]}})") == Faults{"v.kids[1].v type"});
}

TEST_CASE("decode: uint64-max: a number above a bound never wraps to one below it") {
  CHECK(faults_of<Forecast>(R"({"city":"xx","days":18446744073709551615})") == Faults{"days range"});
}

TEST_CASE("decode: embedded-nul-length: an escaped NUL counts") {
  CHECK(faults_of<Strings>(R"({"code":"\u0000AAAA"})") == Faults{"code length"});
}

TEST_CASE("decode: dot-is-a-character: a pattern sees characters, not bytes") {
  CHECK(faults_of<Strings>(R"({"dot":"é"})").empty());
  CHECK(faults_of<Strings>(R"({"dot":"éé"})") == Faults{"dot pattern"});
}

TEST_CASE("decode: date-that-does-not-exist, empty-string-optional-date: a date is a real day") {
  CHECK(faults_of<Strings>(R"({"date":"2023-02-29"})") == Faults{"date format"});
  CHECK(faults_of<Strings>(R"({"date":""})") == Faults{"date format"});
}

TEST_CASE("decode: multiple-of-cents: 19.99 is whole cents and 19.995 is not") {
  const json limited{{"percent", 1}, {"id", 1},      {"port", 1},      {"serial", 1}, {"wide", 1},
                     {"step", 5},    {"ratio", 0.5}, {"price", 19.99}, {"rating", 1}};
  json wrong = limited;
  wrong["price"] = 19.995;
  CHECK(faults_of<samples::Limited>(limited).empty());
  CHECK(faults_of<samples::Limited>(wrong) == Faults{"price multiple_of"});
}

TEST_CASE("decode: prefix-items: a third coordinate of two is too many") {
  CHECK(faults_of<One<std::array<double, 2>>>(R"({"v":[1,2,3]})") == Faults{"v count"});
}

// ---- values arrive

TEST_CASE("decode: every number arrives in its member") {
  const samples::Widths expected{
      true, -128,  -32768,      -2147483647 - 1,       (std::numeric_limits<std::int64_t>::min)(),
      255,  65535, 4294967295U, 18446744073709551615U, 0.1F,
      -0.1};
  CHECK(tc::decode<samples::Widths>(R"({"flag":true,"i8":-128,"i16":-32768,"i32":-2147483648,"i64":-9223372036854775808,
        "u8":255,"u16":65535,"u32":4294967295,"u64":18446744073709551615,"single":0.1,"real":-0.1})")
            .value() == expected);
}

TEST_CASE("decode: lists, arrays and maps arrive whole") {
  const samples::Collections expected{{3, 1},
                                      {1.5, -2},
                                      {{"a", 1}, {"b", 2}},
                                      {{"t", {samples::Priority::low, samples::Priority::high}}},
                                      {{1, 2}, {}, {3}},
                                      {{0, 1}, {1, 0}},
                                      {"x", "y", "z"}};
  CHECK(tc::decode<samples::Collections>(
            R"({"numbers":[3,1],"position":[1.5,-2],"stock":{"b":2,"a":1},"by_team":{"t":["low","high"]},
        "grid":[[1,2],[],[3]],"path":[{"x":0,"y":1},{"y":0,"x":1}],"words":["x","y","z"]})")
            .value() == expected);
}

TEST_CASE("decode: unions arrive as the alternative that was named") {
  const samples::Drawing expected{samples::Circle{2},
                                  {samples::Rectangle{1, 2, "a"}, samples::Circle{0.5}},
                                  {{"n", samples::Rectangle{3, 4, {}}}},
                                  samples::Priority::high};
  CHECK(tc::decode<samples::Drawing>(
            R"({"outline":{"radius":2,"kind":"circle"},"shapes":[{"kind":"rectangle","width":1,"height":2,"label":"a"},
        {"kind":"circle","radius":0.5}],"named":{"n":{"kind":"rectangle","width":3,"height":4}},"priority":"high"})")
            .value() == expected);
}

TEST_CASE("decode: inherited members arrive, of both bases") {
  const samples::Orders orders =
      tc::decode<samples::Orders>(R"({"reason":"audit","priority":"low","limit":5,"cursor":"c"})").value();
  CHECK((orders.reason == "audit" && orders.priority == samples::Priority::low && orders.limit == 5 &&
         orders.cursor == "c"));
}

TEST_CASE("decode: a recursive value arrives whole") {
  const samples::Comment expected{"a", {{"b", {}, {}}, {"c", {{"d", {}, {}}}, {}}}, {{"ada", {"e", {}, {}}}}};
  CHECK(
      tc::decode<samples::Comment>(
          R"({"text":"a","replies":[{"text":"b"},{"text":"c","replies":[{"text":"d"}]}],"quoted":{"ada":{"text":"e"}}})")
          .value() == expected);
}

TEST_CASE("decode: a member that takes anything gets exactly what was sent, from any basic_json") {
  const char* text =
      R"({"body":{"b":[1,-1,0.5,"x",null,true],"a":18446744073709551615},"values":[],"labels":{"n":[[]]}})";
  const samples::Note expected{
      json::parse(R"({"b":[1,-1,0.5,"x",null,true],"a":18446744073709551615})"), {}, {{"n", json::parse("[[]]")}}};
  CHECK(tc::decode<samples::Note>(text).value() == expected);
  CHECK(tc::decode<samples::Note>(json::parse(text)).value() == expected);
  CHECK(tc::decode<samples::Note>(ordered_json::parse(text)).value() == expected);
  CHECK(tc::decode<One<ordered_json>>(json::parse(R"({"v":{"b":1,"a":2}})")).value().v ==
        ordered_json::parse(R"({"a":2,"b":1})"));
}

TEST_CASE("decode: a member that takes anything may be as deep as the limit allows, from any basic_json") {
  tc::InputLimits limits;
  limits.depth = 200;
  const ordered_json ordered{{"v", ordered_json::parse(nested(150))}};
  CHECK(tc::decode<One<json>>(ordered, limits).value().v == json::parse(nested(150)));
  CHECK(faults_of<One<json>>(ordered) == Faults{" too_deep"});
}

TEST_CASE("decode: text, json, ordered_json and a document give the same value") {
  const std::string text = R"({"priority":"normal","reason":"why","cursor":"é"})";
  const samples::Orders expected = tc::decode<samples::Orders>(text).value();
  CHECK(tc::decode<samples::Orders>(json::parse(text)).value() == expected);
  CHECK(tc::decode<samples::Orders>(ordered_json::parse(text)).value() == expected);
  CHECK(tc::decode<samples::Orders>(tc::parse(text)).value() == expected);
  CHECK(tc::decode<samples::Orders>(tc::parse<ordered_json>(text)).value() == expected);
}

// ---- defaults

TEST_CASE("decode: defaults of each kind arrive") {
  samples::Defaults expected;
  expected.active = true;
  expected.limit = 10;
  expected.serial = 18446744073709551615U;
  expected.threshold = 0.5;
  expected.share = 2;
  expected.language = "en";
  expected.unit = samples::Unit::fahrenheit;
  expected.tags = {"new", "hot"};
  expected.range = {1, 9};
  expected.weights = {{"new", 2}};
  expected.origin = {1.5, -2};
  expected.shape = samples::Rectangle{2, 3, {}};
  expected.extra = json::parse(R"({"a":[1,null]})");
  expected.page = 1;
  CHECK(tc::decode<samples::Defaults>("{}").value() == expected);
  CHECK(tc::decode<samples::Defaults>(json::object()).value() == expected);
  CHECK(tc::decode<samples::Defaults>(ordered_json::object()).value() == expected);
}

TEST_CASE("decode: what is given wins over a default, also what is empty") {
  const auto given =
      tc::decode<samples::Defaults>(R"({"active":false,"tags":[],"weights":{},"language":"","page":7})").value();
  CHECK_FALSE(given.active);
  CHECK((given.tags.empty() && given.weights.empty() && given.language.empty() && given.page == 7));
  CHECK(given.limit == 10);
}

TEST_CASE("decode: defaults arrive inside nested values") {
  CHECK(v_of<std::vector<Node>>(R"({"v":[{"v":1}]})")[0].kids.empty());
  CHECK(v_of<samples::Defaults>(R"({"v":{}})").limit == 10);
}

// ---- rules over several fields

TEST_CASE("decode: a rule that does not hold is told at its field") {
  CHECK(errors_of<samples::Period>(R"({"since":"2026-02-01","until":"2026-01-01"})") ==
        Errors{{"until", "rule", "must not be before since", {}}});
  CHECK(errors_of<samples::Period>(R"({"since":"2026-01-01","until":"2026-01-01"})").empty());
}

TEST_CASE("decode: rules run only once every field is sound") {
  CHECK(faults_of<samples::Period>(R"({"since":"2026-02-01","until":"yesterday"})") == Faults{"until format"});
}

TEST_CASE("decode: rules run in lists, maps and optional members, and come in schema order with their paths") {
  const std::string wrong = R"({"since":"2026-02-01","until":"2026-01-01"})";
  const std::string right = R"({"since":"2026-01-01","until":"2026-02-01"})";
  CHECK(faults_of<samples::Report>(R"({"period":)" + wrong + R"(,"compare":[)" + right + "," + wrong +
                                   R"(],"named":{"a.b":)" + wrong + R"(},"previous":)" + wrong + "}") ==
        Faults{"period.until rule", "compare[1].until rule", R"(named["a.b"].until rule)", "previous.until rule",
               " rule"});
}

TEST_CASE("decode: a rule may be about the object as a whole") {
  const std::string period = R"("period":{"since":"2026-01-01","until":"2026-02-01"})";
  CHECK(errors_of<samples::Report>("{" + period + "}") == Errors{{"", "rule", "must have an email or a phone", {}}});
  CHECK(errors_of<One<samples::Report>>(R"({"v":{)" + period + "}}") ==
        Errors{{"v", "rule", "must have an email or a phone", {}}});
}

TEST_CASE("decode: every rule that does not hold is told, and an absent member has none") {
  const std::string period = R"("period":{"since":"2026-01-01","until":"2026-02-01"})";
  CHECK(faults_of<samples::Report>("{" + period + R"(,"email":"a@example.com","phone":"1"})") == Faults{"phone rule"});
  CHECK(faults_of<samples::Report>("{" + period + R"(,"phone":"1"})").empty());
}

namespace {
using Span = std::variant<samples::Period, samples::Point>;
}  // namespace
template <>
struct toolcontract::Describe<Span> {
  static constexpr auto schema() {
    return tc::tagged("kind", tc::alternative<samples::Period>("period"), tc::alternative<samples::Point>("point"));
  }
};

TEST_CASE("decode: rules run in the alternative of a union that was named") {
  CHECK(faults_of<Span>(R"({"kind":"period","since":"2026-02-01","until":"2026-01-01"})") == Faults{"until rule"});
  CHECK(faults_of<Span>(R"({"kind":"point","x":1,"y":2})").empty());
}

// ---- raw text: nothing there, cut off, malformed

TEST_CASE("decode: no text means no arguments") {
  CHECK(tc::decode<samples::Defaults>("").value() == tc::decode<samples::Defaults>("{}").value());
  CHECK(faults_of<One<std::string>>("") == Faults{"v required"});
  CHECK(errors_of<samples::Nothing>(" ") == malformed("it ends too early", 1));
}

TEST_CASE("decode: a text cut off at any byte is malformed and nothing else") {
  const std::string text =
      R"({"text":"gr\u00fc\u00dfe é\n","replies":[{"text":"b","quoted":{}}, {"text" : "-1.5e+3"}],"quoted":{"a":{"text":"😀"}}})";
  const std::string numbers = R"({"v":[true,false,null,-10.25e-2,1e400,{"a":[[0]]}]})";
  REQUIRE(tc::decode<samples::Comment>(text));
  for (const std::string& whole : {text, numbers})
    for (std::size_t cut = 1; cut < whole.size(); ++cut) {
      const std::string_view part = std::string_view(whole).substr(0, cut);
      const bool inside_character = !tc::utf8::valid(part);
      INFO(part);
      const Errors errors = errors_of<samples::Comment>(part);
      REQUIRE(errors.size() == (inside_character ? 2 : 1));
      REQUIRE((!inside_character || errors[0].code == "encoding"));
      REQUIRE(errors.back().code == "malformed_json");
      if (!inside_character) REQUIRE(errors == malformed("it ends too early", cut));
    }
}

TEST_CASE("decode: a malformed text is told where it goes wrong") {
  CHECK(errors_of<samples::Nothing>("{x}") == malformed("it goes wrong", 1));
  CHECK(errors_of<samples::Nothing>("{]") == malformed("it goes wrong", 1));
  CHECK(errors_of<samples::Nothing>("{}x") == malformed("it goes wrong", 2));
  CHECK(errors_of<samples::Nothing>("{} {}") == malformed("it goes wrong", 3));
  CHECK(errors_of<samples::Nothing>(R"({"a":1,})") == malformed("it goes wrong", 7));
  CHECK(errors_of<samples::Nothing>("{'a':1}") == malformed("it goes wrong", 1));
}

TEST_CASE("decode: what JSON does not have is malformed") {
  for (const char* text : {"{\"v\":01}", "{\"v\":+1}", "{\"v\":.5}", "{\"v\":1.}", "{\"v\":NaN}", "{\"v\":Infinity}",
                           "{\"v\":0x10}", "{\"v\":True}", "{\"v\":1 /* one */}", "{\"v\":\"\t\"}", R"({"v":"\x"})",
                           R"({"v":"\ud800"})", R"({"v":"\udc00\ud800"})", "{v:1}"}) {
    INFO(text);
    CHECK(faults_of<One<json>>(text) == Faults{" malformed_json"});
  }
}

TEST_CASE("decode: a NUL byte never ends a text early") {
  CHECK(errors_of<samples::Nothing>("{}\0"s) == malformed("it has a NUL byte", 2));
  CHECK(errors_of<samples::Nothing>("{}\0{\"x\":1}"s) == malformed("it has a NUL byte", 2));
  CHECK(errors_of<samples::Nothing>("\0"s) == malformed("it has a NUL byte", 0));
  CHECK(errors_of<One<std::string>>("{\"v\":\"a\0b\"}"s) == malformed("it has a NUL byte", 7));
}

// ---- raw text: duplicate keys

TEST_CASE("decode: a duplicate key is an error, and neither value wins") {
  CHECK(errors_of<One<std::int32_t>>(R"({"v":2,"v":3})") == Errors{{"v", "duplicate_key", "must be given once", {}}});
}

TEST_CASE("decode: duplicate keys are found however deep, each told once a time it is repeated") {
  CHECK(faults_of<One<json>>(R"({"v":[{"a":1,"b":{"c":1,"c":2},"a":3,"a":4}],"v":0})") ==
        Faults{"v[0].b.c duplicate_key", "v[0].a duplicate_key", "v[0].a duplicate_key", "v duplicate_key"});
}

TEST_CASE("decode: keys are compared as what they say, not as they are written") {
  CHECK(faults_of<One<std::int32_t>>(R"({"v":1,"\u0076":2})") == Faults{"v duplicate_key"});
  CHECK(faults_of<One<json>>(R"({"v":{"a":1,"A":2,"a ":3}})").empty());
}

TEST_CASE("decode: the value of a repeated key is not looked into") {
  CHECK(faults_of<One<json>>(R"({"v":1,"v":{"a":1,"a":2,"b":1e400}})") == Faults{"v duplicate_key"});
}

TEST_CASE("decode: faults of the text come alone, before any check of the schema") {
  CHECK(faults_of<Forecast>(R"({"city":1,"city":2,"other":3})") == Faults{"city duplicate_key"});
}

// ---- raw text: encoding

TEST_CASE("decode: a text that is no UTF-8 is told the byte") {
  CHECK(errors_of<One<std::string>>("{\"v\":\"a\xFF\"}") ==
        Errors{{"", "encoding", "must be valid UTF-8; byte 7 is not", {}}});
  CHECK(faults_of<One<json>>("{\"v\":{\"\xC3(\":1}}") == Faults{" encoding"});
}

TEST_CASE("decode: overlong forms, surrogates and code points beyond Unicode are no UTF-8") {
  for (const char* bytes : {"\xC0\x80", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80", "\xF0\x9F\x98"}) {
    const std::string text = std::string("{\"v\":\"") + bytes + "\"}";
    CHECK(faults_of<One<std::string>>(text) == Faults{" encoding"});
  }
}

TEST_CASE("decode: a broken byte hides no other fault of the text") {
  CHECK(faults_of<One<json>>("{\"v\":\"\xFF\",\"v\":1,\"w\":1e400}") ==
        Faults{" encoding", "v duplicate_key", "w range"});
}

// ---- raw text: numbers beyond any range

TEST_CASE("decode: a number beyond any double is out of range at its field") {
  CHECK(errors_of<One<double>>(R"({"v":1e400})") == Errors{{"v", "range", beyond, {}}});
  CHECK(errors_of<One<double>>(R"({"v":-1e400})") == Errors{{"v", "range", beyond, {}}});
  CHECK(errors_of<One<std::int32_t>>("{\"v\":" + std::string(400, '9') + "}") == Errors{{"v", "range", beyond, {}}});
  CHECK(errors_of<One<double>>("{\"v\":1" + std::string(309, '0') + ".5}") == Errors{{"v", "range", beyond, {}}});
}

TEST_CASE("decode: several numbers beyond range are each told at their place") {
  CHECK(faults_of<One<json>>(
            R"({"v":[1,1e400,{"a":-2E+999,"b":1e5},[[3e309]],1e308],"w":9e400,"x":"1e400","1e400":5})") ==
        Faults{"v[1] range", "v[2].a range", "v[3][0][0] range", "w range"});
}

TEST_CASE("decode: any number of numbers beyond range is told, the first sixteen by name") {
  std::string text = "[1e400";
  for (int i = 1; i < 40; ++i) text += ",1e400";
  const Errors errors = errors_of<One<json>>(text + "]");
  REQUIRE(errors.size() == 17);
  CHECK(errors[15] == tc::FieldError{"[15]", "range", beyond, {}});
  CHECK(errors[16] == tc::FieldError{"", "more", "must be free of 24 more faults that are not listed here", {}});
}

TEST_CASE("decode: a text with a number beyond range that is malformed as well is malformed") {
  CHECK(errors_of<One<json>>(R"({"v":1e400,})") == malformed("it goes wrong", 11));
  CHECK(errors_of<One<json>>(R"({"v":1e400)") == malformed("it ends too early", 10));
  CHECK(faults_of<One<json>>(R"({"v":1e400e5})") == Faults{" malformed_json"});
  CHECK(faults_of<One<json>>(R"({"v":1e400-})") == Faults{" malformed_json"});
}

TEST_CASE("decode: strings that look like numbers are left alone when numbers are out of range") {
  const tc::Document document = tc::parse(R"(["1e400","\"1e400",1e400,"\\",1e400])");
  CHECK(document.value() == json::parse(R"(["1e400","\"1e400",0,"\\",0])"));
  CHECK(document.faults().size() == 2);
}

TEST_CASE("decode: numbers at the edge of doubles are sound") {
  CHECK(v_of<double>(R"({"v":1.7976931348623157e308})") == (std::numeric_limits<double>::max)());
  CHECK(v_of<double>(R"({"v":1e-400})") == 0);
  CHECK(v_of<double>("{\"v\":0." + std::string(400, '0') + "1e401}") == 1);
}

// ---- raw text: limits

TEST_CASE("decode: a text of 64 levels is read and one of 65 is too deep") {
  CHECK(faults_of<One<json>>(R"({"v":)" + nested(63) + "}").empty());
  CHECK(errors_of<One<json>>(R"({"v":)" + nested(64) + "}") ==
        Errors{{"", "too_deep", "must be nested at most 64 levels deep", {}}});
}

TEST_CASE("decode: objects and arrays count alike, and too deep is told once") {
  std::string objects = "1";
  for (int i = 0; i < 64; ++i) objects = R"({"a":)" + objects + "}";
  CHECK(tc::parse(objects).ok());
  CHECK(faults_of<One<json>>(R"({"a":)" + objects + "}") == Faults{" too_deep"});
  CHECK(faults_of<One<json>>("[" + nested(64) + "," + nested(64) + "]") == Faults{" too_deep"});
}

TEST_CASE("decode: what is too deep is left out of the document, and the rest is read") {
  tc::InputLimits limits;
  limits.depth = 2;
  const tc::Document document = tc::parse(R"({"a":[[1]],"b":[2],"c":{"d":{"e":{}}}})", limits);
  CHECK(document.readable());
  CHECK(document.value() == json::parse(R"({"a":[null],"b":[2],"c":{"d":null}})"));
}

TEST_CASE("decode: a JSON value handed over is held to the same depth") {
  json value = json::array();
  for (int level = 1; level < 63; ++level) value = json::array({std::move(value)});
  CHECK(faults_of<One<json>>(json{{"v", value}}).empty());
  value = json::array({json::array({std::move(value)})});
  CHECK(faults_of<One<json>>(json{{"v", value}}) == Faults{" too_deep"});
}

TEST_CASE("decode: a text longer than the limit is not read at all") {
  tc::InputLimits limits;
  limits.bytes = 10;
  CHECK(errors_of<samples::Nothing>("{        }", limits).empty());
  CHECK(errors_of<samples::Nothing>("{         }", limits) ==
        Errors{{"", "too_large", "must have at most 10 bytes", {}}});
  CHECK(errors_of<samples::Nothing>("{}" + std::string(10 * 1024 * 1024 - 2, ' ')).empty());
  CHECK(errors_of<samples::Nothing>(std::string(10 * 1024 * 1024 + 1, '\xFF')) ==
        Errors{{"", "too_large", "must have at most 10485760 bytes", {}}});
}

TEST_CASE("decode: a text of more values than the limit is too large, whatever holds them") {
  tc::InputLimits limits;
  limits.values = 4;
  CHECK(tc::parse(R"([1,{"a":2}])", limits).ok());
  CHECK(errors_of<One<json>>(R"({"v":[1,2,3]})", limits) ==
        Errors{{"", "too_large", "must have at most 4 values", {}}});
  CHECK(errors_of<One<json>>("[[[[[]]]]]", limits) == Errors{{"", "too_large", "must have at most 4 values", {}}});
  std::string million = "[0";
  for (int i = 2; i < 1'000'000; ++i) million += ",0";
  CHECK(tc::parse(million + "]").ok());
  CHECK(errors_of<One<json>>(million + ",0]") == Errors{{"", "too_large", "must have at most 1000000 values", {}}});
}

TEST_CASE("decode: ten megabytes of brackets are refused quickly") {
  for (const char* part : {"[", "[{\"a\":", "{\"a\":"}) {
    std::string text;
    while (text.size() < 10 * 1024 * 1024 - 8) text += part;
    const auto start = std::chrono::steady_clock::now();
    CHECK(faults_of<One<json>>(text) == Faults{" malformed_json"});
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
  }
}

TEST_CASE("decode: ten megabytes of sound nesting are too deep, and quickly") {
  const std::string text = nested(5 * 1024 * 1024);
  const auto start = std::chrono::steady_clock::now();
  CHECK(faults_of<One<json>>(text) == Faults{" too_deep", " too_large"});
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("decode: a megabyte of numbers beyond range is refused quickly") {
  std::string text = "[1e400";
  while (text.size() < 1024 * 1024) text += ",1e400";
  const auto start = std::chrono::steady_clock::now();
  CHECK_FALSE(tc::parse(text + "]").ok());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(60));
}

// ---- documents

TEST_CASE("decode: a sound document holds its value and no fault") {
  const tc::Document document = tc::parse(R"( [1, "a"] )");
  CHECK((document.ok() && document.readable() && document.faults().empty()));
  CHECK(document.value() == json::parse(R"([1,"a"])"));
}

TEST_CASE("decode: a document that is not JSON has no value") {
  const tc::Document document = tc::parse(R"({"id":1)");
  CHECK((!document.ok() && !document.readable() && document.value().is_null()));
}

TEST_CASE("decode: a document with duplicates keeps the first of each and stays readable") {
  const tc::Document document = tc::parse(R"({"id":7,"a":1,"id":8,"b":[1e400]})");
  CHECK((!document.ok() && document.readable()));
  CHECK(document.value() == json::parse(R"({"id":7,"a":1,"b":[0]})"));
}

TEST_CASE("decode: a part taken from a document brings its own faults along, counted from itself") {
  tc::Document message = tc::parse(R"({"id":1,"params":{"name":"x","arguments":{"v":1,"v":2,"w":[1e400]}},"id":2})");
  const tc::Document arguments = message.take({"params", "arguments"});
  CHECK(arguments.value() == json::parse(R"({"v":1,"w":[0]})"));
  CHECK(arguments.faults() == Errors{{"v", "duplicate_key", "must be given once", {}}, {"w[0]", "range", beyond, {}}});
  CHECK(message.faults() == Errors{{"id", "duplicate_key", "must be given once", {}}});
  CHECK(message.value() == json::parse(R"({"id":1,"params":{"name":"x","arguments":null}})"));
}

TEST_CASE("decode: a part without faults is sound although the rest of the document is not") {
  tc::Document message = tc::parse(R"({"id":1,"id":2,"params":{"arguments":{"v":1},"arguments2":{"v":1,"v":2}}})");
  const tc::Document arguments = message.take({"params", "arguments"});
  CHECK(arguments.ok());
  CHECK(tc::decode<One<std::int32_t>>(arguments).value().v == 1);
  CHECK(message.faults().size() == 2);
}

TEST_CASE("decode: a part that is itself repeated is told as a whole") {
  tc::Document message = tc::parse(R"({"params":{"arguments":{"v":1},"arguments":{"v":2}}})");
  CHECK(faults_of<One<std::int32_t>>(message.take({"params", "arguments"})) == Faults{" duplicate_key"});
  CHECK(message.ok());
}

TEST_CASE("decode: faults of the text as a whole come along and stay") {
  tc::Document message = tc::parse("{\"note\":\"\xFF\",\"arguments\":{\"v\":1}}");
  CHECK(faults_of<One<std::int32_t>>(message.take({"arguments"})) == Faults{" encoding"});
  CHECK_FALSE(message.ok());
}

TEST_CASE("decode: a part that is not there is empty arguments") {
  tc::Document message = tc::parse(R"({"params":{"name":"x"}})");
  CHECK(message.take({"params", "arguments"}).value() == json::object());
  CHECK(message.take({"none", "at", "all"}).value() == json::object());
  CHECK(message.take({"params", "name", "x"}).value() == json::object());
  CHECK(message.value() == json::parse(R"({"params":{"name":"x"}})"));
}

TEST_CASE("decode: taking the whole of a document takes its faults too") {
  tc::Document message = tc::parse(R"({"v":1,"v":2})");
  CHECK(faults_of<One<std::int32_t>>(message.take({})) == Faults{"v duplicate_key"});
  CHECK(message.ok());
}

TEST_CASE("decode: what lies too deep in a part is told of the part") {
  tc::Document message = tc::parse(R"({"arguments":{"v":)" + nested(64) + "}}");
  CHECK(faults_of<One<json>>(message.take({"arguments"})) == Faults{" too_deep"});
  CHECK(message.ok());
}

TEST_CASE("decode: a part of a text that is not JSON is not JSON either") {
  tc::Document message = tc::parse(R"({"arguments":{"v":1})");
  const tc::Document arguments = message.take({"arguments"});
  CHECK_FALSE(arguments.readable());
  CHECK(faults_of<One<std::int32_t>>(arguments) == Faults{" malformed_json"});
}

TEST_CASE("decode: a document with more faults than are kept says so, and so does each part of it") {
  std::string text = R"({"a":{"v":1},"b":[)";
  for (int i = 0; i < 100; ++i) text += "1e400,";
  tc::Document message = tc::parse(text + "0]}");
  const Errors told = message.faults();
  REQUIRE(told.size() == 17);
  CHECK(told[16] == tc::FieldError{"", "more", "must be free of 84 more faults that are not listed here", {}});
  CHECK(errors_of<One<json>>(message.take({"a"})) ==
        Errors{{"", "more", "must be free of 36 more faults that are not listed here", {}}});
}

// ---- nothing throws

TEST_CASE("decode: random bytes never throw, and what is called sound is what nlohmann reads") {
  RandomJson random(20261130);
  const std::string_view alphabet = "{}[]:,\"\\ \n0123456789-+.eEtrufalsn\xC3\xA9\xFF\x80";
  int sound = 0;
  std::string wrong;
  for (int round = 0; round < 50000; ++round) {
    std::string text;
    for (std::size_t left = random.below(24); left > 0; --left)
      text += random.one_in(12) ? static_cast<char>(random.below(256)) : alphabet[random.below(alphabet.size())];
    const tc::Document document = tc::parse(text);
    (void)tc::decode<samples::Optionals>(text);
    const bool plain = text.find('\0') == text.npos && tc::utf8::valid(text);
    const bool read = plain && json::accept(text);
    if (document.ok() && !(read && document.value() == json::parse(text))) wrong += text + "\n";
    if (read && !document.readable()) wrong += text + "\n";
    sound += document.ok();
  }
  CHECK(wrong.empty());
  CHECK(sound > 100);
}

TEST_CASE("decode: an integer sent as a string takes exactly its digits, within its bounds") {
  const auto read = [](const json& id, const json& page) {
    return tc::decode<samples::Ids>(json{{"id", id}, {"serial", "1"}, {"shift", "-0"}, {"page", page}});
  };
  CHECK(read("725653563933458432", "50").value() == samples::Ids{725653563933458432, 1, 0, {}, 50});
  CHECK(read("-9223372036854775808", "1").value().id == (std::numeric_limits<std::int64_t>::min)());
  CHECK(tc::decode<samples::Ids>(R"({"id":"1","serial":"18446744073709551615","shift":"5"})").value() ==
        samples::Ids{1, 18446744073709551615U, 5, {}, 10});
  const auto wrong = [&](const json& page) {
    const auto refused = read("1", page);
    REQUIRE_FALSE(refused);
    REQUIRE(refused.error().field_errors().size() == 1);
    return refused.error().field_errors()[0];
  };
  const std::string problem = "must be a string with an integer, 1 to 50";
  for (const char* text : {"", "-", "+1", "01", "-01", "1.0", "1e1", " 1", "1 ", "1\n", "0x1", "one", "\xC2\xB2"})
    CHECK(wrong(text) == tc::FieldError{"page", "pattern", problem, tc::Shown(text)});
  CHECK(wrong(std::string("1\0", 2)).code == "pattern");
  for (const char* text : {"0", "-0", "51", "-1", "2147483648", "9223372036854775808", "99999999999999999999999999"})
    CHECK(wrong(text) == tc::FieldError{"page", "range", problem, tc::Shown(text)});
  CHECK(wrong(5) == tc::FieldError{"page", "type", problem, tc::Shown(5)});
  CHECK(wrong(nullptr).problem == problem);
  CHECK(read("9223372036854775808", "1").error().field_errors()[0] ==
        tc::FieldError{"id", "range", "must be a string with an integer, -9223372036854775808 to 9223372036854775807",
                       tc::Shown("9223372036854775808")});
  CHECK(tc::decode<samples::Ids>(R"({"id":"1","serial":"-1","shift":"7"})").error().message() ==
        "The arguments were not accepted. serial must be a string with an integer, 1 to 18446744073709551615. Got "
        "\"-1\". shift must be a string with an integer, -500 to 500, a multiple of 5. Got \"7\".");
}

TEST_CASE("decode: damaged arguments never throw, for any type") {
  int accepted = 0;
  int refused = 0;
  samples::for_each_type([&]<class T>(std::string_view name) {
    RandomJson random(5);
    const tc::Schema& schema = tc::table_of<T>().root();
    INFO(name);
    for (int round = 0; round < 500; ++round) {
      json value = random.value_of(schema);
      if (random.one_in(3)) random.mutate(value);
      std::string text = value.dump(random.one_in(2) ? 1 : -1, ' ', false, json::error_handler_t::ignore);
      for (std::size_t damages = random.below(3); damages > 0 && !text.empty(); --damages) {
        const std::size_t at = random.below(text.size());
        switch (random.below(4)) {
          case 0:
            text[at] = static_cast<char>(random.below(256));
            break;
          case 1:
            text.erase(at, 1 + random.below(4));
            break;
          case 2:
            text.insert(at, text.substr(random.below(text.size())).substr(0, 20));
            break;
          default:
            text.insert(at, random.pick<std::string>({"1e400", "{", "]", "\"", "\\u0000", ",", "null"}));
        }
      }
      const tc::Document document = tc::parse(text);
      const auto result = tc::decode<T>(text);
      const bool read = text.find('\0') == text.npos && tc::utf8::valid(text) && json::accept(text);
      if (document.ok()) REQUIRE(document.value() == json::parse(text));
      if (read) REQUIRE(document.readable());
      if (!result) REQUIRE_FALSE(result.error().field_errors().empty());
      (result ? accepted : refused) += 1;
    }
  });
  CHECK(accepted > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("decode: a value is accepted exactly when the schema accepts it and every rule holds") {
  samples::for_each_type([]<class T>(std::string_view name) {
    RandomJson random(6);
    const tc::Table& table = tc::table_of<T>();
    INFO(name);
    for (int round = 0; round < 500; ++round) {
      json value = random.value_of(table.root());
      for (std::size_t changes = random.below(3); changes > 0; --changes) random.mutate(value);
      const bool accepted = tc::accepts(table.root(), value);
      const auto result = tc::decode<T>(value);
      const auto ordered = tc::decode<T>(ordered_json(value));
      REQUIRE((accepted || !result));
      REQUIRE((!accepted || result || result.error().field_errors()[0].code == "rule"));
      REQUIRE(result.has_value() == ordered.has_value());
      if (result) REQUIRE(*result == *ordered);
    }
  });
}
