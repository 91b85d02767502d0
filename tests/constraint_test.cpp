// SPDX-License-Identifier: MIT
#include <toolcontract/constraint.hpp>

#include "catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace tc = toolcontract;
using tc::Bound;
using tc::Limits;
using tc::Number;
using namespace std::string_literals;

namespace {

constexpr std::int64_t int64_min = (std::numeric_limits<std::int64_t>::min)();
constexpr std::int64_t int64_max = (std::numeric_limits<std::int64_t>::max)();
constexpr std::uint64_t uint64_max = (std::numeric_limits<std::uint64_t>::max)();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

constexpr Limits range(std::optional<Bound> minimum, std::optional<Bound> maximum) {
  Limits limits;
  limits.minimum = minimum;
  limits.maximum = maximum;
  return limits;
}

constexpr Limits lengths(std::size_t least, std::size_t most = tc::Sizes::unlimited) {
  Limits limits;
  limits.length = {least, most};
  return limits;
}

/// What a constraint does to a fresh schema of that type.
template <class Constraint>
tc::Schema applied(Constraint constraint, tc::Types types = tc::Type::array) {
  tc::Schema schema;
  schema.types = types;
  constraint.apply(schema);
  return schema;
}

}  // namespace

// ---- what a constraint sets

TEST_CASE("constraint: between, minimum and maximum include their ends") {
  const Limits between = applied(tc::between(1, 50)).limits;
  CHECK((between.minimum->value == Number(1) && !between.minimum->exclusive));
  CHECK((between.maximum->value == Number(50) && !between.maximum->exclusive));
  const Limits minimum = applied(tc::minimum(-1)).limits;
  CHECK((minimum.minimum->value == Number(-1) && !minimum.minimum->exclusive && !minimum.maximum));
  const Limits maximum = applied(tc::maximum(2.5)).limits;
  CHECK((maximum.maximum->value == Number(2.5) && !maximum.maximum->exclusive && !maximum.minimum));
}

TEST_CASE("constraint: exclusive bounds exclude their ends") {
  const Limits above = applied(tc::exclusive_minimum(0)).limits;
  CHECK((above.minimum->value == Number(0) && above.minimum->exclusive && !above.maximum));
  const Limits below = applied(tc::exclusive_maximum(1)).limits;
  CHECK((below.maximum->value == Number(1) && below.maximum->exclusive && !below.minimum));
}

TEST_CASE("constraint: min_items and max_items count the items of a list and the entries of a map") {
  tc::Schema list = applied(tc::min_items(1));
  tc::max_items(3).apply(list);
  CHECK((list.limits.items.least == 1 && list.limits.items.most == 3 && list.limits.properties.any()));
  tc::Schema map = applied(tc::min_items(1), tc::Type::object);
  tc::max_items(3).apply(map);
  CHECK((map.limits.properties.least == 1 && map.limits.properties.most == 3 && map.limits.items.any()));
}

TEST_CASE("constraint: the other constraints set their own limit or note") {
  CHECK(applied(tc::multiple_of(0.01)).limits.multiple_of == Number(0.01));
  CHECK(applied(tc::min_length(2)).limits.length.least == 2);
  CHECK(applied(tc::max_length(9)).limits.length.most == 9);
  CHECK(applied(tc::pattern("^A")).limits.pattern == "^A");
  CHECK(applied(tc::format(tc::Format::date)).limits.format == tc::Format::date);
  CHECK(applied(tc::unique_items()).limits.unique);
  CHECK(applied(tc::title("Title")).title == "Title");
  CHECK(applied(tc::secret()).secret);
  CHECK(applied(tc::deprecated()).deprecated);
}

namespace {
enum class Colour : std::int8_t { red = -1 };
}  // namespace

TEST_CASE("constraint: a default keeps the form of the value it was given") {
  using Form = tc::Literal::Form;
  CHECK(applied(tc::default_value(true)).default_value.form() == Form::boolean);
  CHECK(applied(tc::default_value(uint64_max)).default_value.number() == Number(uint64_max));
  CHECK(applied(tc::default_value(0.5F)).default_value.number() == Number(0.5));
  CHECK(applied(tc::default_value("en")).default_value.text() == "en");
  CHECK(applied(tc::default_value(tc::json("[]"))).default_value.form() == Form::json);
  CHECK(applied(tc::default_value(Colour::red)).default_value.form() == Form::enumerator);
  CHECK(applied(tc::default_value(Colour::red)).default_value.number() == Number(-1));
}

TEST_CASE("constraint: examples stand in the order they were given") {
  const tc::Schema schema = applied(tc::examples("a", "b"));
  CHECK((schema.examples[0].text() == "a" && schema.examples[1].text() == "b" && !schema.examples[2].present()));
}

// ---- in_range

TEST_CASE("constraint: without bounds every number is in range") {
  for (const Number number : {Number(0), Number(int64_min), Number(uint64_max), Number(-1e308)})
    CHECK(tc::in_range({}, number));
}

TEST_CASE("constraint: inclusive bounds take their ends and nothing beyond") {
  constexpr Limits limits = range(Bound{1}, Bound{50});
  STATIC_REQUIRE(
      (tc::in_range(limits, 1) && tc::in_range(limits, 50) && tc::in_range(limits, 1.0) && tc::in_range(limits, 25.5)));
  STATIC_REQUIRE((!tc::in_range(limits, 0) && !tc::in_range(limits, 51) && !tc::in_range(limits, 50.5) &&
                  !tc::in_range(limits, 0.999)));
}

TEST_CASE("constraint: exclusive bounds leave their ends out") {
  constexpr Limits limits = range(Bound{0, true}, Bound{1, true});
  STATIC_REQUIRE((tc::in_range(limits, 0.5) && tc::in_range(limits, 5e-324)));
  STATIC_REQUIRE((!tc::in_range(limits, 0) && !tc::in_range(limits, -0.0) && !tc::in_range(limits, 1) &&
                  !tc::in_range(limits, 1.0)));
}

TEST_CASE("constraint: bounds beyond 2^53 are exact") {
  constexpr Limits limits = range(Bound{-9007199254740993}, Bound{9007199254740993});
  STATIC_REQUIRE((tc::in_range(limits, 9007199254740993) && !tc::in_range(limits, 9007199254740994)));
  STATIC_REQUIRE((tc::in_range(limits, -9007199254740993) && !tc::in_range(limits, -9007199254740994)));
  constexpr Limits wide = range(Bound{0}, Bound{uint64_max});
  STATIC_REQUIRE((tc::in_range(wide, uint64_max) && !tc::in_range(wide, 18446744073709551616.0)));
  constexpr Limits narrow = range(std::nullopt, Bound{int64_max});
  STATIC_REQUIRE((tc::in_range(narrow, int64_max) && !tc::in_range(narrow, 9223372036854775808.0)));
}

TEST_CASE("constraint: NaN and infinity are in no bounded range") {
  CHECK_FALSE(tc::in_range(range(Bound{0}, std::nullopt), not_a_number));
  CHECK_FALSE(tc::in_range(range(std::nullopt, Bound{0}), not_a_number));
  CHECK_FALSE(tc::in_range(range(std::nullopt, Bound{1e308}), infinity));
}

// ---- is_multiple_of

TEST_CASE("constraint: an integer is a multiple of what divides it, whatever the signs") {
  CHECK(tc::is_multiple_of(15, 5));
  CHECK(tc::is_multiple_of(-15, 5));
  CHECK(tc::is_multiple_of(0, 5));
  CHECK_FALSE(tc::is_multiple_of(7, 5));
  CHECK_FALSE(tc::is_multiple_of(-7, 5));
}

TEST_CASE("constraint: big integers are divided exactly") {
  CHECK(tc::is_multiple_of(9007199254740993, 3));
  CHECK_FALSE(tc::is_multiple_of(9007199254740993, 2));
  CHECK(tc::is_multiple_of(uint64_max, 5));
  CHECK_FALSE(tc::is_multiple_of(uint64_max, 2));
  CHECK(tc::is_multiple_of(int64_min, 2));
  CHECK_FALSE(tc::is_multiple_of(int64_min, 3));
  CHECK(tc::is_multiple_of(int64_min, std::uint64_t{1} << 63));
}

TEST_CASE("constraint: decimals are multiples as they are written, not as doubles hold them") {
  CHECK(tc::is_multiple_of(19.99, 0.01));
  CHECK(tc::is_multiple_of(0.3, 0.1));
  CHECK(tc::is_multiple_of(4.35, 0.05));
  CHECK(tc::is_multiple_of(1.1, 1.1));
  CHECK(tc::is_multiple_of(-19.99, 0.01));
  CHECK(tc::is_multiple_of(0.0075, 0.0001));
  CHECK_FALSE(tc::is_multiple_of(19.995, 0.01));
  CHECK_FALSE(tc::is_multiple_of(-19.995, 0.01));
  CHECK_FALSE(tc::is_multiple_of(0.1 + 0.2, 0.1));  // it is written 0.30000000000000004
  CHECK_FALSE(tc::is_multiple_of(0.00751, 0.0001));
}

TEST_CASE("constraint: a value and a step of different kinds are compared as numbers") {
  CHECK(tc::is_multiple_of(5.0, 5));
  CHECK(tc::is_multiple_of(10, 2.5));
  CHECK(tc::is_multiple_of(10, 0.1));
  CHECK(tc::is_multiple_of(uint64_max, 0.5));
  CHECK(tc::is_multiple_of(-10, 0.1));
  CHECK_FALSE(tc::is_multiple_of(5.5, 5));
  CHECK_FALSE(tc::is_multiple_of(10, 0.3));
  CHECK_FALSE(tc::is_multiple_of(uint64_max, 2.0));
}

TEST_CASE("constraint: huge and tiny numbers are divided without overflow") {
  CHECK(tc::is_multiple_of(1e308, 0.01));
  CHECK(tc::is_multiple_of(1e308, 1e-308));
  CHECK(tc::is_multiple_of(1e308, 2));
  CHECK(tc::is_multiple_of(1.5e308, 0.7) == false);
  CHECK_FALSE(tc::is_multiple_of(1e308, 3));
  CHECK(tc::is_multiple_of(3e307, 3));
  CHECK(tc::is_multiple_of(1.7976931348623157e308, 1.7976931348623157e308));
  CHECK(tc::is_multiple_of(5e-324, 5e-324));
  CHECK_FALSE(tc::is_multiple_of(5e-324, 1e-300));
  CHECK(tc::is_multiple_of(1e19, 10));
  constexpr std::uint64_t five_to_27 = 7450580596923828125U;
  CHECK(tc::is_multiple_of(1e30, five_to_27));
  CHECK_FALSE(tc::is_multiple_of(1e26, five_to_27));
}

TEST_CASE("constraint: zero is a multiple of every step") {
  CHECK(tc::is_multiple_of(0, 0.01));
  CHECK(tc::is_multiple_of(-0.0, 0.01));
  CHECK(tc::is_multiple_of(0.0, 7));
}

TEST_CASE("constraint: nothing is a multiple of zero, and NaN and infinity are multiples of nothing") {
  CHECK_FALSE(tc::is_multiple_of(1, 0));
  CHECK_FALSE(tc::is_multiple_of(0, 0));
  CHECK_FALSE(tc::is_multiple_of(1.5, 0.0));
  CHECK_FALSE(tc::is_multiple_of(not_a_number, 1));
  CHECK_FALSE(tc::is_multiple_of(infinity, 1));
  CHECK_FALSE(tc::is_multiple_of(1.5, infinity));
  CHECK_FALSE(tc::is_multiple_of(1.5, not_a_number));
}

TEST_CASE("constraint: every amount in cents is a multiple of a cent, and no other is") {
  std::mt19937_64 random(1);
  int wrong = 0;
  for (int i = 0; i < 100000; ++i) {
    const auto cents = static_cast<std::int64_t>(random() % 1'000'000'000'000);
    const auto tenth = static_cast<std::int64_t>(1 + random() % 9);
    const double amount = std::stod(std::to_string(cents / 100) + "." + std::to_string(100 + cents % 100).substr(1));
    const double between = std::stod(std::to_string(cents / 100) + "." + std::to_string(100 + cents % 100).substr(1) +
                                     std::to_string(tenth));
    wrong +=
        !tc::is_multiple_of(amount, 0.01) || tc::is_multiple_of(between, 0.01) || !tc::is_multiple_of(-amount, 0.01);
  }
  CHECK(wrong == 0);
}

// ---- length_fits

TEST_CASE("constraint: length is counted in code points, not in bytes") {
  CHECK(tc::length_fits(lengths(2, 2), "éé"));                                   // two bytes each
  CHECK(tc::length_fits(lengths(1, 1), "\xF0\x9F\x98\x80"));                     // one emoji, four bytes
  CHECK(tc::length_fits(lengths(2, 2), "e\xCC\x81"));                            // a letter and its accent are two
  CHECK_FALSE(tc::length_fits(lengths(3), "\xF0\x9F\x98\x80\xF0\x9F\x98\x80"));  // eight bytes, two code points
}

TEST_CASE("constraint: both ends of a length are included") {
  const auto fits = [](std::size_t size) { return tc::length_fits(lengths(2, 4), std::string(size, 'x')); };
  CHECK((!fits(1) && fits(2) && fits(3) && fits(4) && !fits(5)));
}

TEST_CASE("constraint: a NUL counts as a character like any other") {
  CHECK_FALSE(tc::length_fits(lengths(0, 3), "\0AAAA"s));
  CHECK(tc::length_fits(lengths(5, 5), "\0AAAA"s));
}

TEST_CASE("constraint: the shortcuts over bytes agree with counting, at every boundary") {
  std::string text;
  for (std::size_t points = 0; points <= 40; ++points, text += "日")
    for (std::size_t limit = 0; limit <= 130; ++limit) {
      INFO(points << " code points, limit " << limit);
      REQUIRE(tc::length_fits(lengths(0, limit), text) == (points <= limit));
      REQUIRE(tc::length_fits(lengths(limit), text) == (points >= limit));
    }
}

TEST_CASE("constraint: four-byte characters are not too long for a limit they just meet") {
  std::string text;
  for (std::size_t points = 0; points <= 9; ++points, text += "\xF0\x9F\x98\x80") {
    CHECK(tc::length_fits(lengths(points, points), text));
    if (points > 0) CHECK_FALSE(tc::length_fits(lengths(0, points - 1), text));
  }
}

// ---- pattern_fits, format_fits

TEST_CASE("constraint: a pattern matches anywhere in the text, and no pattern matches everything") {
  const tc::Pattern digit("[0-9]");
  Limits limits;
  CHECK(tc::pattern_fits(limits, "anything"));
  limits.compiled_pattern = &digit;
  CHECK(tc::pattern_fits(limits, "A17"));
  CHECK_FALSE(tc::pattern_fits(limits, "A"));
}

TEST_CASE("constraint: a format is enforced, and no format takes everything") {
  Limits limits;
  CHECK(tc::format_fits(limits, "2026-02-30"));
  limits.format = tc::Format::date;
  CHECK(tc::format_fits(limits, "2026-02-28"));
  CHECK_FALSE(tc::format_fits(limits, "2026-02-30"));
}
