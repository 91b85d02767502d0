// SPDX-License-Identifier: MIT
#include <toolcontract/encode.hpp>

#include <toolcontract/decode.hpp>

#include "catch.hpp"
#include "random_json.hpp"
#include "samples.hpp"
#include "show.hpp"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tc = toolcontract;
using nlohmann::json;
using nlohmann::ordered_json;
using namespace std::string_literals;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// One member "v" of any type.
template <class T>
struct One {
  T v{};
  friend bool operator==(const One&, const One&) = default;
};
template <class T>
constexpr auto tool_schema(tc::type<One<T>>) {
  return tc::object(tc::field<&One<T>::v>("v", "A value."));
}

/// The text of a member "v", or why there is none.
template <class T>
std::string text_of(T value) {
  const auto text = tc::encode_text(One<T>{std::move(value)});
  return text ? text->substr(5, text->size() - 6) : text.error().facts().internal->for_report();
}

/// The text of a value, or why there is none.
template <class T>
std::string written(const T& value) {
  const auto text = tc::encode_text(value);
  return text ? *text : "not written: " + text.error().facts().internal->for_report();
}

samples::Limited limited() { return {1, 1, 1, 1, 1, 5, 0.5, 1, 1}; }
samples::Article article() { return {"Login loop", "login", "A17", {"a"}}; }
samples::Collections collections() { return {{1}, {0, 0}, {{"a", 1}}, {}, {}, {}, {"a", "b", "c"}}; }

/// A comment answered by a comment answered by …; `levels` of JSON, an even number.
samples::Comment answered(std::size_t levels) {
  samples::Comment comment{"x", {}, {}};
  for (std::size_t level = 2; level < levels; level += 2) {
    samples::Comment above{"x", {}, {}};
    above.replies.push_back(std::move(comment));
    comment = std::move(above);
  }
  return comment;
}

}  // namespace

// ---- what is written

namespace {
struct Refund {
  std::string refund_id, status;
};
constexpr auto tool_schema(tc::type<Refund>) {
  return tc::object(tc::field<&Refund::refund_id>("refund_id", "The refund."),
                    tc::field<&Refund::status>("status", "Its state."));
}
}  // namespace

TEST_CASE("encode: a struct is written in declared order, and read into JSON in that order") {
  const Refund refund{"rf_1", "done"};
  CHECK(written(refund) == R"({"refund_id":"rf_1","status":"done"})");
  CHECK(written(samples::Orders{}) == "not written: reason must have at least 3 characters");
  samples::Orders orders;
  orders.reason = "audit";
  orders.cursor = "c";
  CHECK(written(orders) == R"({"reason":"audit","priority":"normal","limit":10,"cursor":"c"})");
  CHECK(tc::encode(orders).value() ==
        ordered_json::parse(R"({"reason":"audit","priority":"normal","limit":10,"cursor":"c"})"));
  CHECK(tc::encode(orders).value().dump() == R"({"reason":"audit","priority":"normal","limit":10,"cursor":"c"})");
  CHECK(tc::encode<json>(refund).value() == json{{"refund_id", "rf_1"}, {"status", "done"}});
}

TEST_CASE("encode: an empty optional is left out, and a value that came from a default is not") {
  CHECK(written(samples::Optionals{}) == "{}");
  samples::Optionals some;
  some.flag = false;
  some.text = "x";
  some.shape = samples::Circle{1};
  some.list.emplace();
  some.any = nullptr;
  CHECK(written(some) == R"({"flag":false,"text":"x","shape":{"kind":"circle","radius":1},"list":[],"any":null})");
  CHECK(written(tc::decode<samples::Defaults>("{}").value()) ==
        R"({"active":true,"limit":10,"serial":18446744073709551615,"threshold":0.5,"share":2,"language":"en",)"
        R"("unit":"fahrenheit","tags":["new","hot"],"range":[1,9],"weights":{"new":2},"origin":{"x":1.5,"y":-2},)"
        R"("shape":{"kind":"rectangle","width":2,"height":3},"extra":{"a":[1,null]},"page":1})");
}

TEST_CASE("encode: an integer sent as a string is its digits, exact, and held to its bounds") {
  CHECK(written(samples::Ids{725653563933458432, 18446744073709551615U, -5, 7, 1}) ==
        R"({"id":"725653563933458432","serial":"18446744073709551615","shift":"-5","parent":"7","page":"1"})");
  CHECK(written(samples::Ids{(std::numeric_limits<std::int64_t>::min)(), 1, 0, {}, 50}) ==
        R"({"id":"-9223372036854775808","serial":"1","shift":"0","page":"50"})");
  CHECK(written(samples::Ids{0, 1, 0, {}, 51}) == "not written: page must be a string with an integer, 1 to 50");
  CHECK(written(samples::Ids{0, 1, 7, {}, 5}) == "not written: shift must be a multiple of 5");
}

TEST_CASE("encode: a struct without fields is an empty object") { CHECK(written(samples::Nothing{}) == "{}"); }

TEST_CASE("encode: the ends of every integer width are exact") {
  const samples::Widths least{false, -128, -32768, -2147483647 - 1, (std::numeric_limits<std::int64_t>::min)(), 0, 0, 0,
                              0,     0,    0};
  const samples::Widths most{true,
                             127,
                             32767,
                             2147483647,
                             (std::numeric_limits<std::int64_t>::max)(),
                             255,
                             65535,
                             4294967295U,
                             18446744073709551615U,
                             0,
                             0};
  CHECK(written(least) == R"({"flag":false,"i8":-128,"i16":-32768,"i32":-2147483648,"i64":-9223372036854775808,)"
                          R"("u8":0,"u16":0,"u32":0,"u64":0,"single":0,"real":0})");
  CHECK(written(most) == R"({"flag":true,"i8":127,"i16":32767,"i32":2147483647,"i64":9223372036854775807,)"
                         R"("u8":255,"u16":65535,"u32":4294967295,"u64":18446744073709551615,"single":0,"real":0})");
}

TEST_CASE("encode: doubles and floats are as brief as they read back, and -0 is 0") {
  CHECK(text_of(0.1) == "0.1");
  CHECK(text_of(0.1F) == "0.1");
  CHECK(text_of(5.0) == "5");
  CHECK(text_of(1e300) == "1e+300");
  CHECK(text_of(5e-324) == "5e-324");
  CHECK(text_of(-0.0) == "0");
  CHECK(text_of((std::numeric_limits<float>::max)()) == "3.4028235e+38");
  CHECK(text_of(-(std::numeric_limits<float>::max)()) == "-3.4028235e+38");
}

TEST_CASE("encode: strings are escaped, and invalid UTF-8 becomes U+FFFD") {
  CHECK(text_of("say \"hi\"\\\n\x01"s) == R"("say \"hi\"\\\n\u0001")");
  CHECK(text_of("größer 😀"s) == "\"größer 😀\"");
  CHECK(text_of("\0"s) == R"("\u0000")");
  CHECK(text_of("a\xFF\xC3"s) == "\"a\uFFFD\uFFFD\"");
  CHECK(text_of(std::map<std::string, bool>{{"k\xFF", true}}) == "{\"k\uFFFD\":true}");
}

TEST_CASE("encode: lists, arrays and maps are written whole") {
  const samples::Collections value{
      {3, 1},       {1.5, -2}, {{"b", 2}, {"a", 1}}, {{"t", {samples::Priority::low, samples::Priority::high}}},
      {{1, 2}, {}}, {{0, 1}},  {"x", "y", "z"}};
  CHECK(
      written(value) ==
      R"({"numbers":[3,1],"position":[1.5,-2],"stock":{"a":1,"b":2},"by_team":{"t":["low","high"]},"grid":[[1,2],[]],)"
      R"("path":[{"x":0,"y":1}],"words":["x","y","z"]})");
}

TEST_CASE("encode: a union writes its tag first") {
  CHECK(written(samples::Shape(samples::Rectangle{1, 2, {}})) == R"({"kind":"rectangle","width":1,"height":2})");
  CHECK(written(samples::Expression(samples::Sum{{samples::Constant{1}, samples::Sum{{samples::Constant{2}}}}})) ==
        R"({"op":"sum","terms":[{"op":"constant","value":1},{"op":"sum","terms":[{"op":"constant","value":2}]}]})");
}

TEST_CASE("encode: a member that takes anything is written as it is") {
  CHECK(text_of(json::parse(R"({"b":[1,null],"a":"x"})")) == R"({"a":"x","b":[1,null]})");
  CHECK(text_of(ordered_json::parse(R"({"b":[1,null],"a":"x"})")) == R"({"b":[1,null],"a":"x"})");
}

TEST_CASE("encode: names that are no identifiers are written as they are") {
  const samples::Odd odd{"1", "2", "3", "4", "5", {{"a.b", 6}}};
  CHECK(written(odd) ==
        R"({"sort-by":"1","user.name":"2","say \"hi\"\\":"3","größe":"4","$top":"5","labels":{"a.b":6}})");
}

// ---- what is not written

TEST_CASE("encode: what cannot be written is an internal error whose place only the report has") {
  const auto text = tc::encode_text(samples::Point{1, not_a_number});
  REQUIRE_FALSE(text);
  CHECK(text.error().code() == "INTERNAL_ERROR");
  CHECK(text.error().category() == tc::Category::unknown);
  CHECK(text.error().resolution() == tc::Resolution::escalate);
  CHECK(text.error().message() == "The result could not be written as JSON.");
  CHECK(text.error().facts().internal->for_report() == "y must be a finite number");
  CHECK(tc::encode(samples::Point{1, not_a_number}).error() == text.error());
}

TEST_CASE("encode: NaN and infinity are named by their path") {
  auto value = collections();
  value.path = {{0, 1}, {infinity, 0}};
  CHECK(written(value) == "not written: path[1].x must be a finite number");
  CHECK(text_of(std::map<std::string, std::vector<float>>{{"a.b", {0, -std::numeric_limits<float>::infinity()}}}) ==
        "v[\"a.b\"][1] must be a finite number");
  CHECK(text_of(json{{"a", {1, not_a_number}}}) == "v.a[1] must be a finite number");
}

TEST_CASE("encode: a value that is not JSON is named by its path") {
  CHECK(text_of(json{{"a", json::binary({1})}}) == "v.a must be a JSON value");
  CHECK(text_of(json(json::value_t::discarded)) == "v must be a JSON value");
}

TEST_CASE("encode: an enumerator without a name is named by its path") {
  samples::Drawing drawing{samples::Circle{1}, {}, {}, static_cast<samples::Priority>(7)};
  CHECK(written(drawing) == "not written: priority must be one of low, normal, high");
}

TEST_CASE("encode: a bound that does not hold is named") {
  const auto with = [](auto member, auto value) {
    auto object = limited();
    object.*member = static_cast<std::remove_reference_t<decltype(object.*member)>>(value);
    return written(object);
  };
  using samples::Limited;
  CHECK(with(&Limited::percent, 101) == "not written: percent must be 0 to 100");
  CHECK(with(&Limited::id, 0) == "not written: id must be at least 1");
  CHECK(with(&Limited::serial, 18446744073709551615U) == "not written: serial must be 1 to 18446744073709551614");
  CHECK(with(&Limited::wide, 9007199254740994) == "not written: wide must be -9007199254740993 to 9007199254740993");
  CHECK(with(&Limited::ratio, 1.0) == "not written: ratio must be greater than 0 and less than 1");
  CHECK(with(&Limited::price, 19.995) == "not written: price must be a multiple of 0.01");
  CHECK(with(&Limited::step, 7) == "not written: step must be a multiple of 5");
}

TEST_CASE("encode: a float is checked as the decimal it is written as") {
  auto object = limited();
  object.rating = 3.7F;  // 3.7000000476837158 as a double
  CHECK(written(object) ==
        R"({"percent":1,"id":1,"port":1,"serial":1,"wide":1,"step":5,"ratio":0.5,"price":1,"rating":3.7})");
  object.rating = 3.75F;
  CHECK(written(object) == "not written: rating must be a multiple of 0.1");
}

TEST_CASE("encode: a string that its field does not take is named") {
  const auto with = [](auto member, std::string value) {
    auto object = article();
    object.*member = std::move(value);
    return written(object);
  };
  using samples::Article;
  CHECK(with(&Article::title, "x") == "not written: title must have 2 to 40 characters");
  CHECK(with(&Article::slug, "A b") == "not written: slug must match the pattern ^[a-z0-9-]+$");
  CHECK(written(samples::Period{"2026-02-30", "2026-03-01"}) == "not written: since must be a date, e.g. 2026-11-30");
}

TEST_CASE("encode: an invalid string is checked as the text it becomes") {
  auto object = article();
  object.title = std::string(40, '\x80');
  CHECK(tc::encode_text(object));
  object.title = std::string(41, '\x80');
  CHECK(written(object) == "not written: title must have 2 to 40 characters");
}

TEST_CASE("encode: a list or map of the wrong size is named") {
  auto none = collections();
  none.numbers.clear();
  CHECK(written(none) == "not written: numbers must have 1 to 4 items");
  auto many = collections();
  many.stock = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}};
  CHECK(written(many) == "not written: stock must have 1 to 3 entries");
}

TEST_CASE("encode: equal items are named by their list") {
  auto value = collections();
  value.numbers = {1, 2, 1};
  CHECK(written(value) == "not written: numbers must have no two equal items");
  value = collections();
  value.path = {{0.0, 1}, {-0.0, 1}};
  CHECK(written(value) == "not written: path must have no two equal items");
  value.path = {{0, 1}, {1, 0}};
  value.numbers = {1, 11, 111};
  CHECK(tc::encode_text(value));
}

TEST_CASE("encode: a variant that holds nothing is named") {
  struct Throws {
    operator samples::Rectangle() const { throw std::runtime_error("no"); }
  };
  samples::Drawing drawing{samples::Circle{1}, {}, {}, samples::Priority::low};
  CHECK_THROWS(drawing.outline.emplace<samples::Rectangle>(Throws{}));
  REQUIRE(drawing.outline.valueless_by_exception());
  CHECK(written(drawing) == "not written: outline must hold one of its alternatives");
}

TEST_CASE("encode: 64 levels are written and more are not") {
  CHECK(tc::encode_text(answered(64)));
  CHECK(written(answered(66)).find("must be nested at most 64 levels deep") != std::string::npos);
  CHECK(text_of(json::parse(std::string(63, '[') + std::string(63, ']'))) ==
        std::string(63, '[') + std::string(63, ']'));
  CHECK(
      text_of(json::parse(std::string(64, '[') + std::string(64, ']'))).find("must be nested at most 64 levels deep") !=
      std::string::npos);
}

TEST_CASE("encode: lists of different items inside each other are written once, however deep") {
  const auto start = std::chrono::steady_clock::now();
  CHECK(tc::encode_text(answered(64)));  // each level of replies has unique items
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
}

TEST_CASE("encode: write_object adds to a text and counts its path from where it is told") {
  tc::TextWriter out;
  tc::Unencodable fault;
  const samples::Point sound{1, 2};
  const samples::Point unsound{1, infinity};
  const tc::Path root;
  const tc::Path place(&root, "result");
  out.begin_object().key("result");
  CHECK(tc::write_object(out, tc::table_of<samples::Point>().root(), &sound, fault));
  CHECK(out.end_object().text() == R"({"result":{"x":1,"y":2}})");
  CHECK_FALSE(tc::write_object(out, tc::table_of<samples::Point>().root(), &unsound, fault, tc::default_depth, place));
  CHECK((fault.path == "result.y" && fault.why == "must be a finite number"));
}

// ---- there and back

TEST_CASE("encode: what is encoded decodes to the same object, for any type") {
  samples::for_each_type([]<class T>(std::string_view name) {
    RandomJson random(20261130);
    const tc::Schema& schema = tc::table_of<T>().root();
    INFO(name);
    int objects = 0;
    for (int round = 0; round < 1000; ++round) {
      json value = random.value_of(schema);
      if (random.one_in(4)) random.mutate(value);
      const auto object = tc::decode<T>(value);
      if (!object) continue;
      const auto text = tc::encode_text(*object);
      INFO(value.dump());
      if (!text) {  // where defaults made different items equal
        REQUIRE(written(*object).ends_with("must have no two equal items"));
        continue;
      }
      ++objects;
      REQUIRE(tc::accepts(schema, json::parse(*text)));
      REQUIRE(tc::decode<T>(*text).value() == *object);
      REQUIRE(tc::encode_text(tc::decode<T>(*text).value()).value() == *text);
    }
    CHECK(objects > 60);
  });
}

TEST_CASE("encode: any numbers at all are written exactly, or named when they are none") {
  RandomJson random(3);
  int numbers = 0;
  for (int round = 0; round < 20000; ++round) {
    samples::Widths widths;
    const auto fill = [&](auto& member) {
      const std::uint64_t bits = random.bits();
      std::memcpy(&member, &bits, sizeof member);
    };
    fill(widths.i8), fill(widths.i16), fill(widths.i32), fill(widths.i64), fill(widths.u8), fill(widths.u16),
        fill(widths.u32);
    fill(widths.u64), fill(widths.single), fill(widths.real);
    const auto text = tc::encode_text(widths);
    const bool finite = std::isfinite(widths.single) && std::isfinite(widths.real);
    REQUIRE(text.has_value() == finite);
    if (!text) continue;
    ++numbers;
    REQUIRE(tc::decode<samples::Widths>(*text).value() == widths);
  }
  CHECK(numbers > 10000);
}

TEST_CASE("encode: whatever an object holds, what is written is accepted by its own schema") {
  RandomJson random(8);
  int given = 0;
  int refused = 0;
  const auto hold = [&](const auto& object) {
    using T = std::remove_cvref_t<decltype(object)>;
    const auto text = tc::encode_text(object);
    (text ? given : refused) += 1;
    if (!text) return;
    INFO(*text);
    REQUIRE(tc::decode<T>(*text).has_value());
  };
  const auto bytes = [&] {
    std::string text = random.word();
    for (std::size_t left = random.below(3); left > 0; --left) text += static_cast<char>(random.below(256));
    return text;
  };
  for (int round = 0; round < 3000; ++round) {
    auto numbers = limited();
    numbers.percent = static_cast<std::int32_t>(random.below(120)) - 10;
    numbers.step = static_cast<std::int32_t>(random.below(3)) * 5 + (random.one_in(3) ? 1 : 0);
    numbers.price = static_cast<double>(random.below(100000)) / (random.one_in(3) ? 1000 : 100);
    numbers.rating = static_cast<float>(random.below(60)) / (random.one_in(3) ? 100.0F : 10.0F);
    numbers.ratio = random.any_real();
    if (random.one_in(2)) numbers.ratio = 0.25;
    hold(numbers);
    auto words = article();
    words.title = bytes();
    words.tags = {bytes(), random.one_in(4) ? "\xFF" : "a", random.one_in(4) ? "\xFE" : "b"};
    hold(words);
    auto lists = collections();
    lists.numbers = {static_cast<std::int32_t>(random.below(3)), static_cast<std::int32_t>(3 + random.below(2)), 4};
    lists.path = {{random.any_real(), 1}, {0, 1}, {-0.0, random.one_in(2) ? 1.0 : 2.0}};
    lists.stock[bytes()] = 3;
    hold(lists);
    hold(samples::Note{random.anything(3), {random.anything(1), random.anything(1)}, {{bytes(), random.anything(1)}}});
  }
  CHECK(given > 3000);
  CHECK(refused > 1000);
}
