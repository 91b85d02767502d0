// SPDX-License-Identifier: MIT
#include <toolcontract/json_value.hpp>

#include "catch.hpp"
#include "show.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tc = toolcontract;
using nlohmann::json;
using nlohmann::ordered_json;
using tc::Number;
using tc::Shown;
using tc::detail::soundness;
using tc::detail::Unsound;
using namespace std::string_literals;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Arrays inside arrays, `levels` of them.
json nested(std::size_t levels) {
  json value = json::array();
  for (std::size_t level = 1; level < levels; ++level) value = json::array({std::move(value)});
  return value;
}

/// The text write_json gives, or where and why it gives none.
template <class J>
std::string written(const J& value, std::size_t depth = tc::default_depth) {
  tc::TextWriter out;
  tc::Unencodable fault;
  if (tc::write_json(out, value, fault, depth)) return out.take();
  return "not written: " + fault.path + " " + fault.why;
}

}  // namespace

// ---- BasicJson

TEST_CASE("json_value: every basic_json is one, and nothing else is") {
  using own_json = nlohmann::basic_json<std::map, std::vector, std::string, bool, std::int64_t, std::uint64_t, float>;
  STATIC_REQUIRE((tc::BasicJson<json> && tc::BasicJson<ordered_json> && tc::BasicJson<own_json>));
  STATIC_REQUIRE_FALSE((tc::BasicJson<std::string> || tc::BasicJson<int> || tc::BasicJson<std::map<std::string, int>>));
}

// ---- shown

TEST_CASE("json_value: scalars are shown as they are") {
  CHECK(tc::shown(json(nullptr)) == Shown::json("null"));
  CHECK(tc::shown(json(true)) == Shown(true));
  CHECK(tc::shown(json(-5)) == Shown(-5));
  CHECK(tc::shown(json(18446744073709551615U)) == Shown(18446744073709551615U));
  CHECK(tc::shown(json(0.5)) == Shown(0.5));
  CHECK(tc::shown(json("opened")) == Shown("opened"));
}

TEST_CASE("json_value: lists and objects are shown by their size") {
  CHECK(tc::shown(json::array()) == Shown("[0 items]"));
  CHECK(tc::shown(json{1}) == Shown("[1 item]"));
  CHECK(tc::shown(json{1, 2, 3}) == Shown("[3 items]"));
  CHECK(tc::shown(json{{"a", 1}}) == Shown("{1 key}"));
  CHECK(tc::shown(ordered_json{{"a", 1}, {"b", 2}}) == Shown("{2 keys}"));
}

TEST_CASE("json_value: a long string is shown up to 120 bytes, cut on a character boundary") {
  CHECK(tc::shown(json(std::string(120, 'a'))) == Shown(std::string(120, 'a')));
  CHECK(tc::shown(json(std::string(121, 'a'))) == Shown(std::string(120, 'a') + "…"));
  CHECK(tc::shown(json(std::string(119, 'a') + "é")) == Shown(std::string(119, 'a') + "…"));
}

TEST_CASE("json_value: a string of stray bytes is cut like any other") {
  CHECK(tc::shown(json(std::string(200, '\x80'))) == Shown(std::string(120, '\x80') + "…"));
}

TEST_CASE("json_value: NaN, binary and discarded values are shown as text that is JSON") {
  CHECK(tc::shown(json(not_a_number)) == Shown("NaN"));
  CHECK(tc::shown(json(-infinity)) == Shown("-Infinity"));
  CHECK(tc::shown(json::binary({1, 2})) == Shown::json("null"));
  CHECK(tc::shown(json(json::value_t::discarded)) == Shown::json("null"));
}

// ---- numbers

TEST_CASE("json_value: a number is taken exactly, whichever kind it is held as") {
  CHECK(tc::detail::number_of(json(-9007199254740993)) == Number(-9007199254740993));
  CHECK(tc::detail::number_of(json(18446744073709551615U)) == Number(18446744073709551615U));
  CHECK(tc::detail::number_of(json(0.1)) == Number(0.1));
}

TEST_CASE("json_value: a number stands for an integer where it has no fraction and 64 bits hold it") {
  using tc::detail::integer_of;
  CHECK(integer_of(5.0) == Number(5));
  CHECK(integer_of(-0.0) == Number(0));
  CHECK(integer_of(-9223372036854775808.0) == Number((std::numeric_limits<std::int64_t>::min)()));
  CHECK(integer_of(9223372036854775808.0) == Number(std::uint64_t{1} << 63));
  CHECK(integer_of(18446744073709549568.0) == Number(18446744073709549568U));
  CHECK_FALSE(integer_of(0.5).has_value());
  CHECK_FALSE(integer_of(18446744073709551616.0).has_value());
  CHECK_FALSE(integer_of(-9223372036854777856.0).has_value());
  CHECK_FALSE(integer_of(infinity).has_value());
  CHECK_FALSE(integer_of(not_a_number).has_value());
}

TEST_CASE("json_value: a number of any size may be integral") {
  using tc::detail::is_integral;
  CHECK((is_integral(5) && is_integral(5.0) && is_integral(1e300) && is_integral(-0.0)));
  CHECK_FALSE((is_integral(0.5) || is_integral(infinity) || is_integral(not_a_number)));
}

// ---- UTF-8

TEST_CASE("json_value: stray bytes are repaired one by one and whole characters are kept") {
  CHECK(tc::detail::repaired_utf8("caf\xC3\xA9") == "café");
  CHECK(tc::detail::repaired_utf8("a\xFF\xFE"
                                  "b\xC3") == "a\uFFFD\uFFFDb\uFFFD");
  CHECK(tc::detail::repaired_utf8("").empty());
}

// ---- soundness

TEST_CASE("json_value: sound is what can be written as JSON and read again") {
  CHECK(soundness(json::parse(R"({"a":[1,-1,1.5,"é",null,true,{}]})"), 3) == Unsound::no);
}

TEST_CASE("json_value: the outermost value is level 1, and scalars are none") {
  CHECK(soundness(json(1), 0) == Unsound::no);
  CHECK(soundness(json::array(), 0) == Unsound::too_deep);
  CHECK(soundness(json::array(), 1) == Unsound::no);
  CHECK(soundness(nested(64), 64) == Unsound::no);
  CHECK(soundness(nested(65), 64) == Unsound::too_deep);
  CHECK(soundness(json{{"a", {{"b", json::object()}}}}, 2) == Unsound::too_deep);
}

TEST_CASE("json_value: stray bytes in a string or a key are noticed wherever they are") {
  CHECK(soundness(json("\xFF"), 1) == Unsound::encoding);
  CHECK(soundness(json{{"a", json{"b", "\xFF"}}}, 9) == Unsound::encoding);
  CHECK(soundness(json{{"a\xFF", 1}}, 9) == Unsound::encoding);
}

TEST_CASE("json_value: numbers that are not finite and values that are not JSON are noticed") {
  CHECK(soundness(json{1, infinity}, 9) == Unsound::not_finite);
  CHECK(soundness(json{1, not_a_number}, 9) == Unsound::not_finite);
  CHECK(soundness(json{1, json::binary({1})}, 9) == Unsound::not_json);
  CHECK(soundness(json(json::value_t::discarded), 9) == Unsound::not_json);
}

TEST_CASE("json_value: a value far deeper than the limit is looked at without running out of stack") {
  CHECK(soundness(nested(50000), 64) == Unsound::too_deep);
}

// ---- write_json, json_text

TEST_CASE("json_value: a value is written with its members in the order it holds them") {
  CHECK(written(json::parse(R"({"b":[1,true,null],"a":"x"})")) == R"({"a":"x","b":[1,true,null]})");
  CHECK(written(ordered_json::parse(R"({"b":[1,true,null],"a":"x"})")) == R"({"b":[1,true,null],"a":"x"})");
}

TEST_CASE("json_value: integers are written exactly and doubles as briefly as they read back") {
  CHECK(written(json{725653563933458432, -9223372036854775807 - 1, 18446744073709551615U}) ==
        "[725653563933458432,-9223372036854775808,18446744073709551615]");
  CHECK(written(json{0.1, 1e300, 5e-324, 2.0}) == "[0.1,1e+300,5e-324,2]");
}

TEST_CASE("json_value: equal numbers are written alike, whatever they are held as") {
  CHECK(written(json{5, 5U, 5.0}) == "[5,5,5]");
  CHECK(written(json{0, -0.0}) == "[0,0]");
  CHECK(written(json{10000000000000000000U, 1e19}) == "[10000000000000000000,10000000000000000000]");
}

TEST_CASE("json_value: invalid UTF-8 is written as U+FFFD, in keys too") {
  CHECK(written(json{{"k\xFF", "v\xFF"}}) == "{\"k\uFFFD\":\"v\uFFFD\"}");
}

TEST_CASE("json_value: what cannot be written is named by its path") {
  CHECK(written(json{{"a", {1, {{"b.c", infinity}}}}}) == "not written: a[1][\"b.c\"] must be a finite number");
  CHECK(written(json{0, not_a_number}) == "not written: [1] must be a finite number");
  CHECK(written(json::array({json::binary({1})})) == "not written: [0] must be a JSON value");
  CHECK(written(json(json::value_t::discarded)) == "not written:  must be a JSON value");
}

TEST_CASE("json_value: a value of 64 levels is written and one of 65 is not") {
  CHECK(written(nested(64)) == std::string(64, '[') + std::string(64, ']'));
  CHECK(written(json{{"a", nested(64)}}).substr(0, 14) == "not written: a");
  CHECK(written(nested(50000)).find("must be nested at most 64 levels deep") != std::string::npos);
}

TEST_CASE("json_value: json_text gives the text of a sound value and throws the place of an unsound one") {
  CHECK(tc::json_text(json{{"id", 725653563933458432}}) == R"({"id":725653563933458432})");
  CHECK(tc::json_text(nested(100), 100).size() == 200);
  std::string what;
  try {
    (void)tc::json_text(json{{"a", not_a_number}});
  } catch (const std::invalid_argument& refused) {
    what = refused.what();
  }
  CHECK(what == "toolcontract: a must be a finite number");
}
