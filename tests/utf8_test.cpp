// SPDX-License-Identifier: MIT
#include <toolcontract/utf8.hpp>

#include "catch.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace tc = toolcontract;
using namespace std::string_literals;
using namespace std::string_view_literals;

namespace {

/// UTF-8 as RFC 3629 defines it, by arithmetic instead of by ranges of bytes: read the bits, then look at the number.
std::size_t sequence_by_arithmetic(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::size_t length = byte(0) < 0x80           ? 1
                             : (byte(0) >> 5) == 0x06 ? 2
                             : (byte(0) >> 4) == 0x0E ? 3
                             : (byte(0) >> 3) == 0x1E ? 4
                                                      : 0;
  if (length < 2) return length;
  std::uint32_t point = byte(0) & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= text.size() || (byte(i) >> 6) != 2) return 0;
    point = point << 6 | (byte(i) & 0x3F);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool exists = point >= least[length] && point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);
  return exists ? length : 0;
}

std::string encoded(std::uint32_t point) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80 | ((point >> shift) & 0x3F)); };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xC0 | point >> 6), tail(0)};
  if (point < 0x10000) return {static_cast<char>(0xE0 | point >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | point >> 18), tail(12), tail(6), tail(0)};
}

}  // namespace

TEST_CASE("utf8: a text is ASCII exactly when no byte of it has the top bit, wherever that byte stands") {
  for (std::size_t size = 0; size <= 40; ++size) {
    std::string text(size, 'a');
    CHECK(tc::utf8::is_ascii(text));
    for (char& c : text) {
      c = '\x80';
      CHECK_FALSE(tc::utf8::is_ascii(text));
      CHECK_FALSE(tc::utf8::valid(text));
      c = '\x7F';
    }
    CHECK(tc::utf8::is_ascii(text));
  }
}

TEST_CASE("utf8: two texts are the same exactly when no byte of them differs, wherever that byte stands") {
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string text(size, 'a');
    std::string other = text;
    CHECK(tc::utf8::same(text, other));
    for (char& c : other) {
      c = 'b';
      CHECK_FALSE(tc::utf8::same(text, other));
      c = 'a';
    }
    CHECK_FALSE(tc::utf8::same(text, other + 'a'));
  }
}

TEST_CASE(
    "utf8: a sequence is well-formed exactly where RFC 3629 says, over every combination of the bytes at its bounds") {
  constexpr std::string_view bytes =
      "\x00\x41\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xF8\xFF"sv;
  std::size_t different = 0;
  const auto compare = [&](std::string_view text) {
    if (tc::utf8::sequence(text, 0) != sequence_by_arithmetic(text)) ++different;
  };
  std::string text(4, ' ');
  for (const char a : bytes)
    for (const char b : bytes)
      for (const char c : bytes)
        for (const char d : bytes) {
          text = {a, b, c, d};
          for (std::size_t length = 1; length <= 4; ++length) compare(std::string_view(text).substr(0, length));
        }
  CHECK(different == 0);
}

TEST_CASE("utf8: every code point is valid and one, a surrogate is neither") {
  std::vector<std::uint32_t> wrong;
  for (std::uint32_t point = 0; point <= 0x10FFFF; ++point) {
    const std::string text = encoded(point);
    const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
    const bool right = tc::utf8::sequence(text, 0) == (surrogate ? 0 : text.size()) &&
                       tc::utf8::valid(text) == !surrogate && tc::utf8::count(text) == 1;
    if (!right) wrong.push_back(point);
  }
  CHECK(wrong.empty());
}

TEST_CASE("utf8: a sequence is looked for where it is asked for, not where the text begins") {
  CHECK(tc::utf8::sequence("a\u00e9\u20ac\U0001F600", 0) == 1);
  CHECK(tc::utf8::sequence("a\u00e9\u20ac\U0001F600", 1) == 2);
  CHECK(tc::utf8::sequence("a\u00e9\u20ac\U0001F600", 2) == 0);
  CHECK(tc::utf8::sequence("a\u00e9\u20ac\U0001F600", 3) == 3);
  CHECK(tc::utf8::sequence("a\u00e9\u20ac\U0001F600", 6) == 4);
}

TEST_CASE("utf8: the first invalid byte is found at any distance, behind ASCII and behind other characters") {
  for (std::size_t before = 0; before < 40; ++before)
    for (const auto bad :
         {"\x80"sv, "\xC3"sv, "\xE2\x82"sv, "\xF0\x9F\x98"sv, "\xED\xA0\x80"sv, "\xC0\xAF"sv, "\xFF"sv})
      for (const auto after : {""sv, "a"sv, "a long and harmless end"sv}) {
        const std::string ascii(before, 'x');
        std::string wide;
        for (std::size_t i = 0; i < before; ++i) wide += "\u20ac";
        CHECK(tc::utf8::first_invalid(ascii + std::string(bad) + std::string(after)) == before);
        CHECK(tc::utf8::first_invalid(wide + std::string(bad) + std::string(after)) == 3 * before);
      }
}

TEST_CASE("utf8: a valid text has no invalid byte") {
  for (const auto text :
       {""sv, "a"sv, "a\0b"sv, "caf\u00e9"sv, "\u20ac\u20ac\u20ac"sv, "12345678\U0001F60012345678"sv, "\x7F"sv}) {
    CHECK(tc::utf8::valid(text));
    CHECK(tc::utf8::first_invalid(text) == text.size());
  }
}

TEST_CASE("utf8: the run of ASCII ends at the first byte of another character, whatever the alignment") {
  for (std::size_t from = 0; from < 10; ++from)
    for (std::size_t run = 0; run < 30; ++run) {
      const std::string text = std::string(from, '\xC3') + std::string(run, 'x');
      CHECK(tc::utf8::ascii_run(text, from) == run);
      CHECK(tc::utf8::ascii_run(text + "\xC3\xA9 and more of it", from) == run);
    }
}

TEST_CASE("utf8: characters are counted, not bytes") {
  CHECK(tc::utf8::count("") == 0);
  CHECK(tc::utf8::count("abc") == 3);
  CHECK(tc::utf8::count("caf\u00e9") == 4);
  CHECK(tc::utf8::count("\u20ac\U0001F600") == 2);
  CHECK(tc::utf8::count("e\u0301") == 2);  // a letter and a combining accent: code points, not what a person sees
}

TEST_CASE("utf8: a prefix ends before the character that does not fit") {
  constexpr auto text = "a\u00e9\u20ac\U0001F600"sv;  // 1 + 2 + 3 + 4 bytes
  std::vector<std::string_view> prefixes;
  for (std::size_t bytes = 0; bytes <= 11; ++bytes) prefixes.push_back(tc::utf8::prefix(text, bytes));
  CHECK(prefixes == std::vector<std::string_view>{"", "a", "a", "a\u00e9", "a\u00e9", "a\u00e9", "a\u00e9\u20ac",
                                                  "a\u00e9\u20ac", "a\u00e9\u20ac", "a\u00e9\u20ac", text, text});
}

TEST_CASE("utf8: a prefix of stray bytes is as long as asked for") {
  CHECK(tc::utf8::prefix(std::string(200, '\x80'), 120) == std::string(120, '\x80'));
  CHECK(tc::utf8::prefix("abc\x80\x80\x80\x80"sv, 5) == "abc\x80\x80"sv);
  CHECK(tc::utf8::prefix("abc\xE2\x82"sv, 4) == "abc\xE2"sv);
}

TEST_CASE("utf8: a prefix of any valid text is valid, short enough, and misses less than one character") {
  std::mt19937 random(20261130);  // NOLINT: the same texts every time
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (auto length = random() % 20; length > 0; --length) {
      constexpr std::uint32_t below[] = {0x80, 0x800, 0xD800, 0x110000};
      std::uint32_t point = static_cast<std::uint32_t>(random()) % below[random() % 4];
      if (point >= 0xD800 && point <= 0xDFFF) point = 0x20AC;
      text += encoded(point);
    }
    const std::size_t bytes = random() % (text.size() + 3);
    const std::string_view prefix = tc::utf8::prefix(text, bytes);
    const bool right =
        text.starts_with(prefix) && tc::utf8::valid(prefix) && prefix.size() <= bytes &&
        (prefix.size() == text.size() || prefix.size() + tc::utf8::sequence(text, prefix.size()) > bytes);
    INFO("text of " << text.size() << " bytes cut to " << bytes);
    REQUIRE(right);
  }
}

TEST_CASE("utf8: what needs no memory tricks works at compile time") {
  STATIC_REQUIRE(tc::utf8::sequence("\u20ac", 0) == 3);
  STATIC_REQUIRE(tc::utf8::count("\u20ac\u20ac") == 2);
  STATIC_REQUIRE(tc::utf8::prefix("\u20ac\u20ac", 5) == "\u20ac");
}
