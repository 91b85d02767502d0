// SPDX-License-Identifier: MIT
#include <toolcontract/schema.hpp>

#include "catch.hpp"
#include "samples.hpp"

#include <array>
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
using tc::Number;
using tc::Type;
using tc::Types;
using Form = tc::Storage::Form;
using namespace std::string_view_literals;

namespace {

/// The schema of T as its description says it, before linking.
template <class T>
const tc::Schema& described() {
  return tc::detail::late_schema<T>();
}

template <class T>
const tc::Field& field_named(std::string_view name) {
  for (const tc::Field& field : described<T>().fields)
    if (field.name == name) return field;
  throw std::invalid_argument("no field " + std::string(name));
}

/// Type, storage and range of a plain number type, in words.
template <class T>
std::string number_type() {
  const tc::Schema& schema = described<T>();
  std::string words = schema.types == Types(Type::integer)  ? "integer"
                      : schema.types == Types(Type::number) ? "number"
                                                            : "?";
  words += schema.storage->form == Form::integer ? " in " : schema.storage->form == Form::real ? " in real " : " ? ";
  words += (schema.storage->is_signed ? "+-" : "") + std::to_string(schema.storage->size);
  const auto text = [](const Number& number) {
    return !number.is_integer() ? nlohmann::json(number.as_double()).dump()
           : number.is_signed() ? std::to_string(number.as_int64())
                                : std::to_string(number.as_uint64());
  };
  if (schema.limits.minimum) words += " from " + text(schema.limits.minimum->value);
  if (schema.limits.maximum) words += " to " + text(schema.limits.maximum->value);
  return words;
}

std::vector<std::string> field_names(const tc::Schema& schema) {
  std::vector<std::string> names;
  for (const tc::Field& field : schema.fields) names.emplace_back(field.name);
  return names;
}

template <class T>
std::vector<std::string> required_names() {
  std::vector<std::string> names;
  for (const tc::Field& field : described<T>().fields)
    if (field.required) names.emplace_back(field.name);
  return names;
}

}  // namespace

// ---- plain types

TEST_CASE("schema: integers narrower than 64 bits carry their range") {
  CHECK(number_type<std::int8_t>() == "integer in +-1 from -128 to 127");
  CHECK(number_type<std::int16_t>() == "integer in +-2 from -32768 to 32767");
  CHECK(number_type<std::int32_t>() == "integer in +-4 from -2147483648 to 2147483647");
  CHECK(number_type<std::uint8_t>() == "integer in 1 from 0 to 255");
  CHECK(number_type<std::uint16_t>() == "integer in 2 from 0 to 65535");
  CHECK(number_type<std::uint32_t>() == "integer in 4 from 0 to 4294967295");
}

TEST_CASE("schema: 64-bit integers carry no bound that a double could not say") {
  CHECK(number_type<std::int64_t>() == "integer in +-8");
  CHECK(number_type<std::uint64_t>() == "integer in 8 from 0");
}

TEST_CASE("schema: every spelling of an integer is the integer of its size") {
  CHECK(number_type<short>() == number_type<std::int16_t>());
  CHECK(number_type<int>() == number_type<std::int32_t>());
  CHECK(number_type<long long>() == number_type<std::int64_t>());
  CHECK(number_type<unsigned long long>() == number_type<std::uint64_t>());
}

TEST_CASE("schema: a double takes any number and a float those it can hold, as decimals") {
  CHECK(number_type<double>() == "number in real +-8");
  CHECK(number_type<float>() == "number in real +-4 from -3.4028235e+38 to 3.4028235e+38");
}

TEST_CASE("schema: bool, string and JSON have the type they say") {
  CHECK(described<bool>().types == Types(Type::boolean));
  CHECK(described<std::string>().types == Types(Type::string));
  CHECK(described<nlohmann::json>().types == Types::any());
  CHECK(described<nlohmann::ordered_json>().types == Types::any());
}

TEST_CASE("schema: a vector is a list of any length of its elements") {
  const tc::Schema& schema = described<std::vector<std::int8_t>>();
  CHECK((schema.types == Types(Type::array) && schema.storage->form == Form::sequence && schema.limits.items.any()));
  CHECK(&schema.items.late() == &described<std::int8_t>());
}

TEST_CASE("schema: an array is a list of exactly its length") {
  const tc::Schema& schema = described<std::array<bool, 3>>();
  CHECK((schema.types == Types(Type::array) && schema.storage->form == Form::fixed));
  CHECK((schema.limits.items.least == 3 && schema.limits.items.most == 3));
  CHECK(&schema.items.late() == &described<bool>());
}

TEST_CASE("schema: a map is an object of any keys whose values have one schema") {
  const tc::Schema& schema = described<std::map<std::string, double>>();
  CHECK((schema.is_map() && schema.storage->form == Form::map && schema.limits.properties.any() &&
         schema.fields.empty()));
  CHECK(&schema.additional.late() == &described<double>());
}

TEST_CASE("schema: lists and maps nest") {
  const tc::Schema& map = described<std::map<std::string, std::vector<std::vector<samples::Point>>>>();
  CHECK(&map.additional.late().items.late().items.late() == &described<samples::Point>());
}

// ---- described types

TEST_CASE("schema: a struct is an object with its fields in declared order") {
  CHECK(described<samples::Article>().types == Types(Type::object));
  CHECK(described<samples::Article>().storage->form == Form::record);
  CHECK(field_names(described<samples::Article>()) == std::vector<std::string>{"title", "slug", "code", "tags"});
  CHECK_FALSE(described<samples::Article>().is_map());
}

TEST_CASE("schema: a struct without fields is an object that takes none") {
  const tc::Schema& schema = described<samples::Nothing>();
  CHECK((schema.types == Types(Type::object) && schema.fields.empty() && !schema.allow_unknown && !schema.is_map()));
}

TEST_CASE("schema: a field keeps its description and its constraints") {
  const tc::Schema& title = field_named<samples::Article>("title").schema;
  const tc::Schema& tags = field_named<samples::Article>("tags").schema;
  CHECK((title.description == "Headline." && title.title == "Headline"));
  CHECK((title.limits.length.least == 2 && title.limits.length.most == 40));
  CHECK((title.examples[0].text() == "Login loop" && title.examples[1].text() == "Größe ändern" &&
         !title.examples[2].present()));
  CHECK(field_named<samples::Article>("slug").schema.limits.pattern == "^[a-z0-9-]+$");
  CHECK(field_named<samples::Article>("code").schema.deprecated);
  CHECK((tags.limits.items.least == 1 && tags.limits.items.most == 3 && tags.limits.unique));
}

TEST_CASE("schema: a bound on a field replaces one end of what the member holds and leaves the other") {
  const tc::Limits& port = field_named<samples::Limited>("port").schema.limits;
  CHECK((port.minimum->value == Number(0) && port.maximum->value == Number(49151)));
  const tc::Limits& ratio = field_named<samples::Limited>("ratio").schema.limits;
  CHECK((ratio.minimum->exclusive && ratio.maximum->exclusive));
}

TEST_CASE("schema: bounds beyond int64_t and beyond 2^53 are kept exactly") {
  const tc::Limits& serial = field_named<samples::Limited>("serial").schema.limits;
  const tc::Limits& wide = field_named<samples::Limited>("wide").schema.limits;
  CHECK(serial.maximum->value == Number(18446744073709551614U));
  CHECK(wide.minimum->value == Number(-9007199254740993));
}

TEST_CASE("schema: a size on a map counts entries and on a list items") {
  const tc::Limits& stock = field_named<samples::Collections>("stock").schema.limits;
  const tc::Limits& numbers = field_named<samples::Collections>("numbers").schema.limits;
  CHECK((stock.properties.least == 1 && stock.properties.most == 3 && stock.items.any()));
  CHECK((numbers.items.least == 1 && numbers.items.most == 4 && numbers.properties.any()));
}

TEST_CASE("schema: a member is required unless it is optional or has a default") {
  CHECK(required_names<samples::Orders>() == std::vector<std::string>{"reason", "priority"});
  CHECK(required_names<samples::Optionals>().empty());
  CHECK(required_names<samples::Defaults>().empty());
}

TEST_CASE("schema: an optional member has the schema of what it holds") {
  CHECK(field_named<samples::Optionals>("flag").schema.types == Types(Type::boolean));
  CHECK(field_named<samples::Optionals>("small").schema.limits.maximum->value == Number(127));
  CHECK(field_named<samples::Optionals>("list").schema.limits.items.most == 2);
  CHECK(&field_named<samples::Optionals>("point").schema.described.late() == &described<samples::Point>());
}

TEST_CASE("schema: inherited members stand where the description puts them") {
  CHECK(field_names(described<samples::Orders>()) == std::vector<std::string>{"reason", "priority", "limit", "cursor"});
}

TEST_CASE("schema: an inherited member is reached through the base that declares it, also the second") {
  samples::Orders orders;
  CHECK(field_named<samples::Orders>("reason").address(&orders) == static_cast<void*>(&orders.reason));
  CHECK(field_named<samples::Orders>("limit").address(&orders) == static_cast<void*>(&orders.limit));
  CHECK(field_named<samples::Orders>("priority").address(&orders) == static_cast<void*>(&orders.priority));
  CHECK(static_cast<void*>(&orders.reason) != static_cast<void*>(&orders));  // a base that is not at the front
}

namespace {
struct Named {
  std::string name;
};
struct Dated : Named {
  std::string date;
};
struct Sized {
  std::uint8_t size = 0;
};
struct Parcel : Sized, Dated {};
constexpr auto tool_schema(tc::type<Parcel>) {
  return tc::object(tc::field<&Parcel::name>("name", "Whose."), tc::field<&Parcel::date>("date", "When."),
                    tc::field<&Parcel::size>("size", "How big."));
}
}  // namespace

TEST_CASE("schema: a member of a base of a base is reached") {
  Parcel parcel;
  *static_cast<std::string*>(field_named<Parcel>("name").fill(&parcel)) = "Ada";
  *static_cast<std::uint8_t*>(field_named<Parcel>("size").fill(&parcel)) = 7;
  CHECK(parcel.name == "Ada");
  CHECK(parcel.size == 7);
}

TEST_CASE("schema: an enum is a string of its names, with what they mean") {
  const tc::Schema& schema = described<samples::Priority>();
  CHECK((schema.types == Types(Type::string) && schema.storage->form == Form::enumerator && schema.storage->size == 1));
  std::vector<std::string> choices;
  for (const tc::Choice& choice : schema.choices)
    choices.push_back(std::string(choice.name) + "=" + std::to_string(choice.enumerator) + " " +
                      std::string(choice.description));
  CHECK(choices == std::vector<std::string>{"low=10 can wait for weeks", "normal=20 this week", "high=250 today"});
}

TEST_CASE("schema: a variant is an object whose tag names the alternative") {
  const tc::Schema& schema = described<samples::Shape>();
  CHECK((schema.types == Types(Type::object) && schema.storage->form == Form::tagged && schema.tag == "kind"));
  CHECK((schema.alternatives[0].tag == "circle" && schema.alternatives[1].tag == "rectangle" &&
         schema.alternatives.size() == 2));
  CHECK(&schema.alternatives[0].schema.late() == &described<samples::Circle>());
}

TEST_CASE("schema: a recursive type refers to its own description") {
  const tc::Schema& replies = field_named<samples::Comment>("replies").schema;
  CHECK(&replies.items.late() == &described<samples::Comment>());
  const tc::Schema& sum = described<samples::Expression>().alternatives[1].schema.late();
  CHECK(&sum.fields[0].schema.items.late() == &described<samples::Expression>());
}

TEST_CASE("schema: a rule keeps the field to point at and its words, and runs on the object") {
  const auto rules = described<samples::Period>().rules;
  REQUIRE(rules.size() == 1);
  CHECK((rules[0].field == "until" && rules[0].problem == "must not be before since"));
  const samples::Period forwards{"2026-01-01", "2026-01-02"};
  const samples::Period backwards{"2026-01-02", "2026-01-01"};
  CHECK(rules[0].holds(&forwards));
  CHECK_FALSE(rules[0].holds(&backwards));
}

TEST_CASE("schema: an object takes no unknown members unless it says so") {
  CHECK(described<samples::Loose>().allow_unknown);
  CHECK_FALSE(described<samples::Point>().allow_unknown);
}

TEST_CASE("schema: defaults of each kind are kept as they were written") {
  using Literal = tc::Literal::Form;
  const auto form = [](std::string_view name) {
    return field_named<samples::Defaults>(name).schema.default_value.form();
  };
  CHECK(form("active") == Literal::boolean);
  CHECK(form("limit") == Literal::number);
  CHECK(form("language") == Literal::string);
  CHECK(form("unit") == Literal::enumerator);
  CHECK(form("tags") == Literal::json);
}

TEST_CASE("schema: a secret field says so, and only that field") {
  CHECK(field_named<samples::Login>("token").schema.secret);
  CHECK_FALSE(field_named<samples::Login>("host").schema.secret);
}

// ---- types that are described from outside

namespace elsewhere {
struct Celsius {
  double degrees = 0;
};
}  // namespace elsewhere

template <>
struct toolcontract::Describe<elsewhere::Celsius> {
  static constexpr auto schema() { return tc::object(tc::field<&elsewhere::Celsius::degrees>("degrees", "How warm.")); }
};

TEST_CASE("schema: a type of somebody else's namespace is described by specialising Describe") {
  CHECK(field_names(described<elsewhere::Celsius>()) == std::vector<std::string>{"degrees"});
}

// ---- what a description may not say, as data

namespace {
struct Wrong {
  std::int8_t small = 0;
  double real = 0;
  std::string text;
  std::array<int, 2> pair{};
  std::vector<int> list;
};
template <auto Member, class... Constraints>
constexpr tc::detail::Problem problem(Constraints... constraints) {
  return tc::detail::make_field<Member>("name", "Words.", constraints...).problem;
}
using tc::detail::Problem;
}  // namespace

TEST_CASE("schema: a bound outside what the member holds is noticed") {
  STATIC_REQUIRE(problem<&Wrong::small>(tc::maximum(127)) == Problem::none);
  STATIC_REQUIRE(problem<&Wrong::small>(tc::maximum(128)) == Problem::bound_outside_member);
  STATIC_REQUIRE(problem<&Wrong::small>(tc::minimum(-129)) == Problem::bound_outside_member);
  STATIC_REQUIRE(problem<&Wrong::small>(tc::maximum(-129)) == Problem::bound_outside_member);
}

TEST_CASE("schema: a range that nothing fits is noticed, also one whose ends are excluded") {
  STATIC_REQUIRE(problem<&Wrong::real>(tc::between(1, 1)) == Problem::none);
  STATIC_REQUIRE(problem<&Wrong::real>(tc::between(2, 1)) == Problem::empty_range);
  STATIC_REQUIRE(problem<&Wrong::real>(tc::exclusive_minimum(1), tc::maximum(1)) == Problem::empty_range);
  STATIC_REQUIRE(problem<&Wrong::real>(tc::minimum(1), tc::exclusive_maximum(1)) == Problem::empty_range);
  STATIC_REQUIRE(problem<&Wrong::real>(tc::exclusive_minimum(0), tc::exclusive_maximum(1)) == Problem::none);
  STATIC_REQUIRE(problem<&Wrong::text>(tc::min_length(3), tc::max_length(2)) == Problem::empty_range);
  STATIC_REQUIRE(problem<&Wrong::list>(tc::min_items(3), tc::max_items(2)) == Problem::empty_range);
}

TEST_CASE("schema: an array has as many items as it has, whatever a field says") {
  STATIC_REQUIRE(problem<&Wrong::pair>(tc::max_items(3)) == Problem::bound_outside_member);
  STATIC_REQUIRE(problem<&Wrong::pair>(tc::min_items(1)) == Problem::bound_outside_member);
  STATIC_REQUIRE(problem<&Wrong::pair>(tc::min_items(3)) == Problem::empty_range);
  STATIC_REQUIRE(problem<&Wrong::pair>(tc::min_items(2), tc::max_items(2)) == Problem::none);
}

TEST_CASE("schema: a step that is not above zero is noticed") {
  STATIC_REQUIRE(problem<&Wrong::real>(tc::multiple_of(0.01)) == Problem::none);
  STATIC_REQUIRE(problem<&Wrong::real>(tc::multiple_of(0)) == Problem::bad_step);
  STATIC_REQUIRE(problem<&Wrong::real>(tc::multiple_of(-1)) == Problem::bad_step);
  STATIC_REQUIRE(problem<&Wrong::real>(tc::multiple_of(std::numeric_limits<double>::quiet_NaN())) == Problem::bad_step);
}

TEST_CASE("schema: an empty name, a blank description and a repeated name are noticed") {
  STATIC_REQUIRE(tc::field<&Wrong::real>("", "Words.").problem == Problem::empty_name);
  STATIC_REQUIRE(tc::field<&Wrong::real>("real", " \n").problem == Problem::empty_description);
  STATIC_REQUIRE(tc::object(tc::field<&Wrong::real>("a", "Words."), tc::field<&Wrong::text>("a", "Words.")).problem ==
                 Problem::duplicate_name);
  STATIC_REQUIRE(tc::object(tc::field<&Wrong::real>("a", ""), tc::field<&Wrong::text>("b", "Words.")).problem ==
                 Problem::empty_description);
}

TEST_CASE("schema: an enumeration with a repeated or empty name or a repeated value is noticed") {
  using samples::Unit;
  STATIC_REQUIRE(tc::enumeration(tc::value("a", Unit::celsius), tc::value("a", Unit::fahrenheit)).problem ==
                 Problem::duplicate_name);
  STATIC_REQUIRE(tc::enumeration(tc::value("a", Unit::celsius), tc::value("b", Unit::celsius)).problem ==
                 Problem::repeated_value);
  STATIC_REQUIRE(tc::enumeration(tc::value("", Unit::celsius)).problem == Problem::empty_name);
}

TEST_CASE("schema: a union with an empty tag or two equal tags is noticed") {
  using samples::Circle;
  using samples::Rectangle;
  STATIC_REQUIRE(tc::tagged("", tc::alternative<Circle>("a")).problem == Problem::empty_name);
  STATIC_REQUIRE(tc::tagged("kind", tc::alternative<Circle>("")).problem == Problem::empty_name);
  STATIC_REQUIRE(tc::tagged("kind", tc::alternative<Circle>("a"), tc::alternative<Rectangle>("a")).problem ==
                 Problem::duplicate_name);
}
