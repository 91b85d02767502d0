// SPDX-License-Identifier: MIT
#include <toolcontract/table.hpp>

#include <toolcontract/pattern.hpp>

#include "catch.hpp"
#include "samples.hpp"

#include <compare>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tc = toolcontract;
using tc::Literal;
using tc::Number;
using tc::Type;
using tc::Types;

namespace {

constexpr std::int64_t int64_min = (std::numeric_limits<std::int64_t>::min)();
constexpr std::int64_t int64_max = (std::numeric_limits<std::int64_t>::max)();
constexpr std::uint64_t uint64_max = (std::numeric_limits<std::uint64_t>::max)();
constexpr double two_to_53 = 9007199254740992.0;
constexpr double two_to_63 = 9223372036854775808.0;
constexpr double two_to_64 = 18446744073709551616.0;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// How many patterns `compile` was asked for.
int compiled_patterns = 0;
std::shared_ptr<const tc::Pattern> compile(std::string_view source) {
  ++compiled_patterns;
  return std::make_shared<const tc::Pattern>(source);
}

template <class T>
const tc::Table& table() {
  static const tc::Table linked(tc::detail::late_schema<T>(), compile);
  return linked;
}

const tc::Field& field_named(const tc::Schema& schema, std::string_view name) {
  for (const tc::Field& field : schema.fields)
    if (field.name == name) return field;
  throw std::invalid_argument("no field " + std::string(name));
}

std::vector<std::string> names(std::span<const tc::Field> fields) {
  std::vector<std::string> names;
  for (const tc::Field& field : fields) names.emplace_back(field.name);
  return names;
}

}  // namespace

// ---- Types

TEST_CASE("table: a set of types has what it was made of and nothing else") {
  const Types types = Types(Type::integer) | Type::null;
  std::vector<bool> has;
  for (const Type type :
       {Type::null, Type::boolean, Type::integer, Type::number, Type::string, Type::array, Type::object})
    has.push_back(types.has(type));
  CHECK(has == std::vector<bool>{true, false, true, false, false, false, false});
}

TEST_CASE("table: any is every type and no set is empty by accident") {
  CHECK(Types::any() ==
        (Types(Type::null) | Type::boolean | Type::integer | Type::number | Type::string | Type::array | Type::object));
  CHECK(Types().empty());
  CHECK_FALSE(Types(Type::null).empty());
}

// ---- Number

TEST_CASE("table: 5 and 5.0 are the same number, and so are 0 and -0.0") {
  STATIC_REQUIRE(Number(5) == Number(5.0));
  STATIC_REQUIRE(Number(0) == Number(-0.0));
  STATIC_REQUIRE(Number(std::uint8_t{255}) == Number(std::int64_t{255}));
}

TEST_CASE("table: integers next to 2^53 are told from the double that stands there") {
  STATIC_REQUIRE(Number(9007199254740991) < Number(two_to_53));
  STATIC_REQUIRE(Number(9007199254740992) == Number(two_to_53));
  STATIC_REQUIRE(Number(9007199254740993) > Number(two_to_53));
  STATIC_REQUIRE(Number(-9007199254740993) < Number(-two_to_53));
}

TEST_CASE("table: the ends of the 64-bit ranges are told from the doubles they round to") {
  STATIC_REQUIRE(Number(int64_max) < Number(two_to_63));
  STATIC_REQUIRE(Number(int64_min) == Number(-two_to_63));
  STATIC_REQUIRE(Number(std::uint64_t{1} << 63) == Number(two_to_63));
  STATIC_REQUIRE(Number(uint64_max) < Number(two_to_64));
  STATIC_REQUIRE(Number(uint64_max) > Number(two_to_63));
}

TEST_CASE("table: a large unsigned integer is greater than every signed one") {
  STATIC_REQUIRE(Number(uint64_max) > Number(int64_max));
  STATIC_REQUIRE(Number(uint64_max) > Number(-1));
  STATIC_REQUIRE(Number(uint64_max) == Number(uint64_max));
}

TEST_CASE("table: a fraction lies between the integers around it, on both sides of zero") {
  STATIC_REQUIRE((Number(2) < Number(2.5) && Number(2.5) < Number(3)));
  STATIC_REQUIRE((Number(-3) < Number(-2.5) && Number(-2.5) < Number(-2)));
  STATIC_REQUIRE((Number(-1) < Number(-0.5) && Number(-0.5) < Number(0)));
  STATIC_REQUIRE((Number(0) < Number(5e-324) && Number(0) > Number(-5e-324)));
}

TEST_CASE("table: infinities lie beyond every integer") {
  STATIC_REQUIRE(Number(infinity) > Number(uint64_max));
  STATIC_REQUIRE(Number(-infinity) < Number(int64_min));
}

TEST_CASE("table: NaN is unordered with every number, itself included") {
  for (const Number other : {Number(0), Number(uint64_max), Number(1.5), Number(not_a_number)}) {
    CHECK((Number(not_a_number) <=> other) == std::partial_ordering::unordered);
    CHECK((other <=> Number(not_a_number)) == std::partial_ordering::unordered);
    CHECK_FALSE(Number(not_a_number) == other);
  }
}

TEST_CASE("table: a float is the double of the same value") {
  STATIC_REQUIRE(Number(0.1F) == Number(static_cast<double>(0.1F)));
  STATIC_REQUIRE(Number(0.1F) != Number(0.1));
}

TEST_CASE("table: a number gives back what it was made of") {
  STATIC_REQUIRE(Number(int64_min).as_int64() == int64_min);
  STATIC_REQUIRE(Number(uint64_max).as_uint64() == uint64_max);
  STATIC_REQUIRE((Number(-1).is_integer() && Number(-1).is_signed()));
  STATIC_REQUIRE((Number(uint64_max).is_integer() && !Number(uint64_max).is_signed()));
  STATIC_REQUIRE(Number(std::uint64_t{7}).is_signed());  // what fits int64_t is held as such
  STATIC_REQUIRE_FALSE(Number(7.0).is_integer());
  STATIC_REQUIRE(Number(uint64_max).as_double() == two_to_64);
}

TEST_CASE("table: any two numbers compare as their exact values do") {
  using Exact = long double;
  static_assert(std::numeric_limits<Exact>::digits >= 64, "the reference must hold every 64-bit integer");
  std::mt19937_64 random(20261130);
  const std::uint64_t corners[] = {0,
                                   1,
                                   2,
                                   1ULL << 52,
                                   1ULL << 53,
                                   (1ULL << 53) + 1,
                                   1ULL << 62,
                                   (1ULL << 63) - 1,
                                   1ULL << 63,
                                   (1ULL << 63) + 1,
                                   uint64_max - 1,
                                   uint64_max};
  const auto draw = [&]() -> std::pair<Number, Exact> {
    const std::uint64_t bits = random() % 2 ? corners[random() % std::size(corners)] : random() >> (random() % 64);
    const auto integer = static_cast<std::int64_t>(random() % 2 ? bits : 0 - bits);
    const double real = static_cast<double>(integer) + (random() % 3 ? 0.0 : 0.5);
    switch (random() % 4) {
      case 0:
        return {Number(bits), static_cast<Exact>(bits)};
      case 1:
        return {Number(integer), static_cast<Exact>(integer)};
      case 2:
        return {Number(static_cast<double>(bits)), static_cast<Exact>(static_cast<double>(bits))};
      default:
        return {Number(real), static_cast<Exact>(real)};
    }
  };
  int wrong = 0;
  int equal = 0;
  for (int i = 0; i < 200000; ++i) {
    const auto [a, exact_a] = draw();
    const auto [b, exact_b] = draw();
    wrong += (a <=> b) != (exact_a <=> exact_b) || (a == b) != (exact_a == exact_b);
    equal += a == b;
  }
  CHECK(wrong == 0);
  CHECK(equal > 1000);
}

// ---- Literal

TEST_CASE("table: a literal knows its form and its value") {
  STATIC_REQUIRE_FALSE(Literal().present());
  STATIC_REQUIRE(Literal(nullptr).form() == Literal::Form::null);
  STATIC_REQUIRE(
      (Literal(true).form() == Literal::Form::boolean && Literal(true).boolean() && !Literal(false).boolean()));
  STATIC_REQUIRE(
      (Literal(Number(1.5)).form() == Literal::Form::number && Literal(Number(1.5)).number() == Number(1.5)));
  STATIC_REQUIRE((Literal("en").form() == Literal::Form::string && Literal("en").text() == "en"));
  STATIC_REQUIRE((Literal::json("[1]").form() == Literal::Form::json && Literal::json("[1]").text() == "[1]"));
  STATIC_REQUIRE(Literal::enumerator(-3).form() == Literal::Form::enumerator);
}

TEST_CASE("table: sizes allow what lies between their ends, both included") {
  constexpr tc::Sizes sizes{2, 4};
  STATIC_REQUIRE((!sizes.allow(1) && sizes.allow(2) && sizes.allow(4) && !sizes.allow(5)));
  STATIC_REQUIRE((tc::Sizes{}.any() && !sizes.any() && tc::Sizes{}.allow(tc::Sizes::unlimited)));
}

// ---- linking

TEST_CASE("table: fields keep their declared order and are also held by name") {
  const tc::Schema& root = table<samples::Orders>().root();
  std::vector<std::string> by_name;
  for (const tc::Slot& slot : root.fields_by_name) by_name.emplace_back(slot.name);
  CHECK(names(root.fields) == std::vector<std::string>{"reason", "priority", "limit", "cursor"});
  CHECK(by_name == std::vector<std::string>{"cursor", "limit", "priority", "reason"});
}

TEST_CASE("table: names are sorted by their bytes, as a std::map of strings is") {
  std::vector<std::string> by_name;
  for (const tc::Slot& slot : table<samples::Odd>().root().fields_by_name) by_name.emplace_back(slot.name);
  CHECK(by_name == std::vector<std::string>{"$top", "größe", "labels", "say \"hi\"\\", "sort-by", "user.name"});
}

TEST_CASE("table: a type that contains itself links to itself") {
  const tc::Schema& root = table<samples::Comment>().root();
  const tc::Schema& replies = field_named(root, "replies").schema;
  const tc::Schema& quoted = field_named(root, "quoted").schema;
  CHECK(&*replies.items == &root);
  CHECK(&*quoted.additional == &root);
}

TEST_CASE("table: a union that contains itself links to itself") {
  const tc::Schema& root = table<samples::Expression>().root();
  const tc::Schema& sum = *root.alternatives[1].schema;
  CHECK(root.alternatives[1].tag == "sum");
  CHECK(&*field_named(sum, "terms").schema.items == &root);
}

TEST_CASE("table: each use of a described type shares one shape and keeps its own words") {
  const tc::Schema& root = table<samples::Report>().root();
  const tc::Schema& period = field_named(root, "period").schema;
  const tc::Schema& previous = field_named(root, "previous").schema;
  CHECK(&*period.described == &*previous.described);
  CHECK(period.fields.data() == previous.fields.data());
  CHECK(&*field_named(root, "compare").schema.items == &*period.described);
  CHECK(period.description == "Which days.");
  CHECK(previous.description == "The one before.");
}

TEST_CASE("table: the use of a described type takes everything from its shape") {
  const tc::Schema& drawing = table<samples::Drawing>().root();
  const tc::Schema& outline = field_named(drawing, "outline").schema;
  const tc::Schema& priority = field_named(drawing, "priority").schema;
  const tc::Schema& period = field_named(table<samples::Report>().root(), "period").schema;
  CHECK(outline.types == Types(Type::object));
  CHECK((outline.tag == "kind" && outline.alternatives.size() == 2 &&
         outline.storage->form == tc::Storage::Form::tagged));
  CHECK((priority.choices.size() == 3 && priority.types == Types(Type::string)));
  CHECK(priority.storage->form == tc::Storage::Form::enumerator);
  CHECK((period.fields.size() == 2 && period.fields_by_name.size() == 2 && period.rules.size() == 1));
}

TEST_CASE("table: a default that is an enumerator becomes its name") {
  const tc::Literal& unit = field_named(table<samples::Defaults>().root(), "unit").schema.default_value;
  CHECK(unit.form() == Literal::Form::string);
  CHECK(unit.text() == "fahrenheit");
}

namespace {
enum class Level { low = -1, high = 1 };
constexpr auto tool_schema(tc::type<Level>) {
  return tc::enumeration(tc::value("low", Level::low), tc::value("high", Level::high));
}
struct Alarm {
  Level level = Level::low;
  Level unnamed = Level::low;
};
constexpr auto tool_schema(tc::type<Alarm>) {
  return tc::object(tc::field<&Alarm::level>("level", "How loud.", tc::examples(Level::high, Level::low)),
                    tc::field<&Alarm::unnamed>("unnamed", "How loud.", tc::default_value(static_cast<Level>(7))));
}
}  // namespace

TEST_CASE("table: examples that are enumerators become their names") {
  const auto& examples = field_named(table<Alarm>().root(), "level").schema.examples;
  CHECK(examples[0].text() == "high");
  CHECK(examples[1].text() == "low");
  CHECK_FALSE(examples[2].present());
}

TEST_CASE("table: an enumerator without a name becomes JSON that no check accepts") {
  const tc::Literal& unnamed = field_named(table<Alarm>().root(), "unnamed").schema.default_value;
  CHECK(unnamed.form() == Literal::Form::json);
  CHECK(nlohmann::json::parse(unnamed.text(), nullptr, false).is_discarded());
}

TEST_CASE("table: every pattern is compiled once, and belongs to the table") {
  compiled_patterns = 0;
  const tc::Table linked(tc::detail::late_schema<samples::Article>(), compile);
  CHECK(compiled_patterns == 2);
  CHECK(field_named(linked.root(), "slug").schema.limits.compiled_pattern->source() == "^[a-z0-9-]+$");
  CHECK(field_named(linked.root(), "code").schema.limits.compiled_pattern->source() == "[0-9]");
  CHECK(field_named(linked.root(), "title").schema.limits.compiled_pattern == nullptr);
}

namespace {
struct Broken {
  std::string text;
};
constexpr auto tool_schema(tc::type<Broken>) {
  return tc::object(tc::field<&Broken::text>("text", "Words.", tc::pattern("(")));
}
}  // namespace

TEST_CASE("table: a pattern that cannot be used throws when the table is made") {
  CHECK_THROWS_AS(tc::Table(tc::detail::late_schema<Broken>(), compile), tc::PatternError);
}

TEST_CASE("table: rules and secrets are noticed wherever in the type they are") {
  CHECK(table<samples::Report>().has_rules());
  CHECK_FALSE(table<samples::Drawing>().has_rules());
  CHECK(table<samples::Login>().has_secret());
  CHECK_FALSE(table<samples::Credentials>().has_secret());
}

namespace {
struct Outer {
  std::map<std::string, std::vector<samples::Period>> periods;
  std::vector<samples::Login> logins;
};
constexpr auto tool_schema(tc::type<Outer>) {
  return tc::object(tc::field<&Outer::periods>("periods", "By name."), tc::field<&Outer::logins>("logins", "Who."));
}
}  // namespace

TEST_CASE("table: rules and secrets inside lists and maps are noticed") {
  CHECK(table<Outer>().has_rules());
  CHECK(table<Outer>().has_secret());
}

TEST_CASE("table: a field reaches its member, also in a second base") {
  samples::Orders orders;
  const tc::Schema& root = table<samples::Orders>().root();
  CHECK(field_named(root, "reason").address(&orders) == &orders.reason);
  CHECK(field_named(root, "priority").address(&orders) == &orders.priority);
  CHECK(field_named(root, "limit").address(&orders) == &orders.limit);
}

TEST_CASE("table: an empty optional has no value, and filling it makes it hold one") {
  samples::Orders orders;
  const tc::Field& cursor = field_named(table<samples::Orders>().root(), "cursor");
  CHECK(cursor.value(&orders) == nullptr);
  *static_cast<std::string*>(cursor.fill(&orders)) = "next";
  CHECK(orders.cursor == "next");
  CHECK(cursor.value(&orders) == &*orders.cursor);
}
