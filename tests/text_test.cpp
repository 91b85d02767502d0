// SPDX-License-Identifier: MIT
#include <toolcontract/text.hpp>

#include "catch.hpp"

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>

namespace tc = toolcontract;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

std::string in_quotes(std::string_view text) {
  std::string out;
  tc::append_quoted(out, text);
  return out;
}

template <class N>
std::string number(N value) {
  return tc::TextWriter().number(value).take();
}

/// Writes `json` with a TextWriter: as tall and as wide as it is.
void write(tc::TextWriter& out, const nlohmann::ordered_json& json) {
  switch (json.type()) {
    case nlohmann::ordered_json::value_t::object:
      out.begin_object();
      for (const auto& [key, member] : json.items()) write(out.key(key), member);
      out.end_object();
      break;
    case nlohmann::ordered_json::value_t::array:
      out.begin_array();
      for (const auto& element : json) write(out, element);
      out.end_array();
      break;
    case nlohmann::ordered_json::value_t::string:
      out.string(json.get_ref<const std::string&>());
      break;
    case nlohmann::ordered_json::value_t::boolean:
      out.boolean(json.get<bool>());
      break;
    case nlohmann::ordered_json::value_t::number_integer:
      out.number(json.get<std::int64_t>());
      break;
    case nlohmann::ordered_json::value_t::number_unsigned:
      out.number(json.get<std::uint64_t>());
      break;
    case nlohmann::ordered_json::value_t::number_float:
      out.number(json.get<double>());
      break;
    default:
      out.null();
  }
}

nlohmann::ordered_json random_json(std::mt19937_64& random, int depth) {
  const auto text = [&] {
    std::string letters;
    for (auto length = random() % 6; length > 0; --length) letters += static_cast<char>(random() % 128);
    return letters;
  };
  switch (random() % (depth > 0 ? 8 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return random() % 2 == 0;
    case 2:
      return text();
    case 3:
      return static_cast<std::int64_t>(random());
    case 4:
      return random();
    case 5: {
      const auto value = std::bit_cast<double>(random());
      return std::isfinite(value) ? value : 0.5;
    }
    case 6: {
      auto array = nlohmann::ordered_json::array();
      for (auto count = random() % 4; count > 0; --count) array.push_back(random_json(random, depth - 1));
      return array;
    }
    default: {
      auto object = nlohmann::ordered_json::object();
      for (auto count = random() % 4; count > 0; --count) object[text()] = random_json(random, depth - 1);
      return object;
    }
  }
}

}  // namespace

// ---- structure

TEST_CASE("text: members and elements come out in the order they are written, with the commas they need") {
  tc::TextWriter out;
  out.begin_object();
  out.key("b").number(1);
  out.key("a").begin_array().string("x").null().boolean(true).boolean(false).begin_array().end_array().end_array();
  out.key("").begin_object().end_object();
  out.key("raw").raw(R"({"x":[1, 2]})");
  out.end_object();
  CHECK(out.text() == R"({"b":1,"a":["x",null,true,false,[]],"":{},"raw":{"x":[1, 2]}})");
}

TEST_CASE("text: an empty object, an empty array and a lone value need no comma") {
  CHECK(tc::TextWriter().begin_object().end_object().text() == "{}");
  CHECK(tc::TextWriter().begin_array().end_array().text() == "[]");
  CHECK(tc::TextWriter().string("a").text() == "\"a\"");
}

TEST_CASE("text: a writer whose text was taken starts anew") {
  tc::TextWriter out;
  CHECK(out.number(1).take() == "1");
  CHECK(out.text().empty());
  CHECK(out.begin_array().number(2).end_array().take() == "[2]");
}

TEST_CASE("text: the example in the header's first lines comes out as it says") {
  tc::TextWriter out;
  out.begin_object().key("order").string("A17\xff").key("total").number(12.5).end_object();
  CHECK(out.take() == "{\"order\":\"A17\uFFFD\",\"total\":12.5}");
}

// ---- strings

TEST_CASE("text: quotes, backslashes and control characters are escaped, everything else stands as it is") {
  CHECK(in_quotes("") == R"("")");
  CHECK(in_quotes("\"\\/") == R"("\"\\/")");
  CHECK(in_quotes("\b\f\n\r\t") == R"("\b\f\n\r\t")");
  CHECK(in_quotes("\0\x01\x0b\x1f\x7f"sv) == "\"\\u0000\\u0001\\u000b\\u001f\x7f\"");
  CHECK(in_quotes("caf\u00e9 \u2028 \U0001F600") == "\"caf\u00e9 \u2028 \U0001F600\"");
}

TEST_CASE("text: every byte below 0x80 reads back as itself") {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  CHECK(nlohmann::json::parse(in_quotes(all)).get<std::string>() == all);
}

TEST_CASE("text: a byte that must be escaped is, wherever it stands in a text of whatever length") {
  for (std::size_t size = 1; size <= 20; ++size)
    for (std::size_t at = 0; at < size; ++at)
      for (int c = 0; c < 128; ++c) {
        std::string text(size, 'a');
        text[at] = static_cast<char>(c);
        REQUIRE(in_quotes(text) == nlohmann::json(text).dump());
      }
}

TEST_CASE("text: each stray byte becomes U+FFFD and what stands around it stays") {
  CHECK(in_quotes("\x80") == "\"\uFFFD\"");
  CHECK(in_quotes("a\xFFz") == "\"a\uFFFDz\"");
  CHECK(in_quotes("\xC3\x28") == "\"\uFFFD(\"");                           // a lead byte without its continuation
  CHECK(in_quotes("\xC3") == "\"\uFFFD\"");                                // the text ends inside a character
  CHECK(in_quotes("\xF0\x9F\x98") == "\"\uFFFD\uFFFD\uFFFD\"");            // the same, three bytes in
  CHECK(in_quotes("\xED\xA0\x80") == "\"\uFFFD\uFFFD\uFFFD\"");            // a surrogate
  CHECK(in_quotes("\xC0\xAF") == "\"\uFFFD\uFFFD\"");                      // an overlong form
  CHECK(in_quotes("\xF4\x90\x80\x80") == "\"\uFFFD\uFFFD\uFFFD\uFFFD\"");  // above U+10FFFF
  CHECK(in_quotes("\xE2\x82\"\n") == "\"\uFFFD\uFFFD\\\"\\n\"");           // what follows is still escaped
  CHECK(in_quotes("\xFF\u20ac\xFF") == "\"\uFFFD\u20ac\uFFFD\"");
}

TEST_CASE("text: any bytes at all give a string that parses") {
  std::mt19937 random(20261130);  // NOLINT: the same bytes every time
  for (int round = 0; round < 5000; ++round) {
    std::string bytes;
    for (auto length = random() % 12; length > 0; --length) bytes += static_cast<char>(random() % 256);
    const std::string text = in_quotes(bytes);
    INFO(text);
    REQUIRE(nlohmann::json::accept(text));
  }
}

TEST_CASE("text: a key is escaped like any other string") {
  CHECK(tc::TextWriter().begin_object().key("a\"\n\xFF").null().end_object().text() == "{\"a\\\"\\n\uFFFD\":null}");
}

TEST_CASE("text: quoting appends to what is there") {
  std::string out = "x=";
  tc::append_quoted(out, "y");
  CHECK(out == "x=\"y\"");
}

// ---- numbers

TEST_CASE("text: integers of every width come out whole") {
  CHECK(number(0) == "0");
  CHECK(number((std::numeric_limits<std::int64_t>::min)()) == "-9223372036854775808");
  CHECK(number((std::numeric_limits<std::int64_t>::max)()) == "9223372036854775807");
  CHECK(number((std::numeric_limits<std::uint64_t>::max)()) == "18446744073709551615");
  CHECK(number(std::int8_t{-128}) == "-128");
  CHECK(number(std::uint8_t{255}) == "255");
  CHECK(number(9007199254740993) == "9007199254740993");
}

TEST_CASE("text: a floating-point number is the shortest text that reads back equal") {
  CHECK(number(0.0) == "0");
  CHECK(number(-0.0) == "-0");
  CHECK(number(5.0) == "5");
  CHECK(number(0.1) == "0.1");
  CHECK(number(0.1F) == "0.1");
  CHECK(number(1e300) == "1e+300");
  CHECK(number(5e-324) == "5e-324");
  CHECK(number((std::numeric_limits<double>::max)()) == "1.7976931348623157e+308");
  CHECK(number(-1.0 / 3) == "-0.3333333333333333");
}

TEST_CASE("text: every finite double reads back as the same double") {
  std::mt19937_64 random(20261130);  // NOLINT: the same numbers every time
  for (int round = 0; round < 20000; ++round) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = number(value);
    INFO(text);
    REQUIRE(nlohmann::json::parse(text).get<double>() == value);
  }
}

TEST_CASE("text: every finite float reads back as the same float") {
  std::mt19937 random(20261130);  // NOLINT: the same numbers every time
  for (int round = 0; round < 20000; ++round) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(value)) continue;
    const std::string text = number(value);
    INFO(text);
    REQUIRE(nlohmann::json::parse(text).get<float>() == value);
  }
}

TEST_CASE("text: NaN and the infinities become null") {
  CHECK(number(std::numeric_limits<double>::quiet_NaN()) == "null");
  CHECK(number(std::numeric_limits<double>::infinity()) == "null");
  CHECK(number(-std::numeric_limits<float>::infinity()) == "null");
}

// ---- all of it

TEST_CASE("text: any JSON value that is written parses to an equal one") {
  std::mt19937_64 random(20261130);  // NOLINT: the same values every time
  for (int round = 0; round < 3000; ++round) {
    const auto json = random_json(random, 5);
    tc::TextWriter out;
    write(out, json);
    INFO(out.text());
    REQUIRE(nlohmann::ordered_json::parse(out.text(), nullptr, false) == json);
  }
}

// ---- is it JSON?

TEST_CASE("text: is_json knows JSON from what is not quite JSON") {
  const std::string_view sound[] = {"0",
                                    "-0",
                                    "1.5e-400",
                                    "1e308",
                                    "-1.7976931348623157e+308",
                                    "null",
                                    "true",
                                    R"("")",
                                    R"("\u00e9\ud83d\ude00\"\\\/")",
                                    "\"\xC3\xA9\"",
                                    "[]",
                                    " [ 1 , [ ] , { } ] ",
                                    R"({"a":{"b":[1,2]},"c":"d"})",
                                    "\t\r\n{}\n"};
  for (const std::string_view text : sound) {
    INFO(text);
    CHECK(tc::is_json(text));
    CHECK(nlohmann::json::accept(text));
  }
  const std::string_view broken[] = {"",
                                     " ",
                                     "01",
                                     "-",
                                     "+1",
                                     "1.",
                                     ".5",
                                     "1e",
                                     "1e309",
                                     "-2e308",
                                     "1e99999999999999999999",
                                     "NaN",
                                     "Infinity",
                                     "nul",
                                     "truee",
                                     "'a'",
                                     "\"",
                                     "\"\n\"",
                                     "\"\0\""sv,
                                     R"("\x")",
                                     R"("\u12")",
                                     R"("\u-123")",
                                     R"("\ud800")",
                                     R"("\ud800\u0041")",
                                     R"("\udc00")",
                                     "\"\xFF\"",
                                     "\"\xED\xA0\x80\"",
                                     "[",
                                     "]",
                                     "[1,]",
                                     "[,1]",
                                     "[1 2]",
                                     "{",
                                     "}",
                                     "[}",
                                     "{]",
                                     R"({"a"})",
                                     R"({"a":})",
                                     R"({"a":1,})",
                                     R"({a:1})",
                                     R"({1:1})",
                                     "1 2",
                                     "[] []",
                                     "{}x",
                                     "// c\n1",
                                     "\xEF\xBB\xBF{}",
                                     "{}\0"sv};
  for (const std::string_view text : broken) {
    INFO(text);
    CHECK_FALSE(tc::is_json(text));
  }
  CHECK(tc::is_json(std::string(100'000, '[') + std::string(100'000, ']')));
  CHECK_FALSE(tc::is_json(std::string(100'000, '[')));
  CHECK_FALSE(tc::is_json(std::string(400, '9')));
}

TEST_CASE("text: is_json says of damaged texts what nlohmann/json says") {
  std::mt19937 random(7);
  const std::string whole = R"({"id":-12.5e3,"list":[true,null,"a\u00e9\\",{}],"t":"\ud83d\ude00x"})";
  const std::string_view bits[] = {"\"", "\\", "{", "}", "[",    "]",    ",", ":", "0",
                                   "9",  "-",  ".", "e", "\xFF", "\xC3", "u", " ", "\n"};
  std::size_t sound = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = whole;
    for (std::size_t damages = random() % 3; damages > 0; --damages) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, 1 + random() % 3);
      else
        text.insert(at, bits[random() % std::size(bits)]);
      if (text.empty()) break;
    }
    sound += tc::is_json(text);
    INFO(text);
    REQUIRE(tc::is_json(text) == nlohmann::json::accept(text));
  }
  CHECK(sound > 5000);
}
