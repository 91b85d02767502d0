// SPDX-License-Identifier: MIT
#include <toolcontract/problem.hpp>

#include "catch.hpp"
#include "show.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tc = toolcontract;
namespace problem = toolcontract::problem;
using tc::Bound;
using tc::Limits;
using tc::Number;
using tc::Path;
using Errors = std::vector<tc::FieldError>;

namespace {

using Names = std::vector<std::string_view>;
const Names states{"open", "pending", "closed"};

Limits range(std::optional<Bound> minimum, std::optional<Bound> maximum) {
  Limits limits;
  limits.minimum = minimum;
  limits.maximum = maximum;
  return limits;
}

tc::Schema of(tc::Types types, Limits limits = {}) {
  tc::Schema schema;
  schema.types = types;
  schema.limits = limits;
  return schema;
}

constexpr tc::Choice choices[] = {{"open", "", 0}, {"closed", "", 1}};

}  // namespace

// ---- Path

TEST_CASE("problem: the path of the whole value is empty") { CHECK(Path().text().empty()); }

TEST_CASE("problem: a path joins names with dots and shows indexes in brackets") {
  const Path root;
  const Path items(&root, "items");
  const Path third(&items, std::size_t{3});
  const Path sku(&third, "sku");
  CHECK(items.text() == "items");
  CHECK(third.text() == "items[3]");
  CHECK(sku.text() == "items[3].sku");
}

TEST_CASE("problem: a path may begin with an index, and indexes may follow each other") {
  const Path root;
  const Path row(&root, std::size_t{0});
  const Path cell(&row, std::size_t{12});
  CHECK(row.text() == "[0]");
  CHECK(cell.text() == "[0][12]");
}

TEST_CASE("problem: a key that is no identifier is quoted in a path") {
  const Path root;
  const Path labels(&root, "labels");
  const auto quoted = [&](std::string_view key) { return Path(&labels, key).text(); };
  CHECK(quoted("_x9") == "labels._x9");
  CHECK(quoted("a.b") == R"(labels["a.b"])");
  CHECK(quoted("9a") == R"(labels["9a"])");
  CHECK(quoted("sort-by") == R"(labels["sort-by"])");
  CHECK(quoted("größe") == R"(labels["größe"])");
  CHECK(quoted("") == R"(labels[""])");
  CHECK(quoted(R"(say "hi"\)") == R"(labels["say \"hi\"\\"])");
  CHECK(Path(&root, "a b").text() == R"(["a b"])");
}

TEST_CASE("problem: a long key is cut in a path, on a character boundary") {
  const Path root;
  const std::string letters(201, 'a');
  CHECK(Path(&root, std::string_view(letters).substr(0, 200)).text() == letters.substr(0, 200));
  CHECK(Path(&root, letters).text() == "[\"" + letters.substr(0, 200) + "…\"]");
  const std::string accented = std::string(199, 'a') + "éé";
  CHECK(Path(&root, accented).text() == "[\"" + std::string(199, 'a') + "…\"]");
}

// ---- FieldErrors

TEST_CASE("problem: field errors keep what they were given, in order") {
  tc::FieldErrors errors;
  const Path root;
  CHECK(errors.empty());
  errors.add(Path(&root, "city"), "required", "must be given: a string");
  errors.add(Path(&root, "days"), "range", "must be 1 to 7", 9);
  CHECK_FALSE(errors.empty());
  CHECK(errors.take() ==
        Errors{{"city", "required", "must be given: a string", {}}, {"days", "range", "must be 1 to 7", 9}});
}

TEST_CASE("problem: sixteen field errors are listed without a word more") {
  tc::FieldErrors errors;
  for (int i = 0; i < 16; ++i) errors.add(Path(), "type", "must be a string");
  CHECK(errors.full());
  CHECK(errors.take() == Errors(16, {"", "type", "must be a string", {}}));
}

TEST_CASE("problem: of more than sixteen field errors the first are listed and the rest counted") {
  tc::FieldErrors errors;
  for (int i = 0; i < 20; ++i) errors.add(Path(), "type", "must be a string");
  errors.count();
  errors.count(3);
  Errors expected(16, {"", "type", "must be a string", {}});
  expected.push_back({"", "more", "must be free of 8 more faults that are not listed here", {}});
  CHECK(errors.take() == expected);
}

// ---- nearest, did you mean

TEST_CASE("problem: nearest finds what was meant by a slip of one or two letters") {
  CHECK(tc::nearest("opened", states) == "open");
  CHECK(tc::nearest("dates", Names{"date", "amount", "name"}) == "date");
  CHECK(tc::nearest("amuont", Names{"date", "amount", "name"}) == "amount");
  CHECK(tc::nearest("lmit", Names{"query", "limit"}) == "limit");
  CHECK(tc::nearest("close", states) == "closed");
}

TEST_CASE("problem: nearest does not mind case") {
  CHECK(tc::nearest("OPEN", states) == "open");
  CHECK(tc::nearest("OrderId", Names{"orderid", "order"}) == "orderid");
}

TEST_CASE("problem: nearest takes the beginning or the end of a name for the name") {
  CHECK(tc::nearest("order", Names{"customer", "order_id"}) == "order_id");
  CHECK(tc::nearest("cents", Names{"amount_cents", "currency"}) == "amount_cents");
  CHECK(tc::nearest("or", Names{"customer", "order_id"}).empty());  // too short to tell
}

TEST_CASE("problem: nearest finds nothing when nothing is near") {
  CHECK(tc::nearest("banana", states).empty());
  CHECK(tc::nearest("", states).empty());
  CHECK(tc::nearest("open", Names{}).empty());
}

TEST_CASE("problem: names without a letter in common are never near, however short") {
  CHECK(tc::nearest("x", Names{"q", "n"}).empty());
  CHECK(tc::nearest("a", Names{"b", "ab"}) == "ab");
}

TEST_CASE("problem: of several near names the nearest is taken, and the first of equals") {
  CHECK(tc::nearest("dat", Names{"data", "date"}) == "data");
  CHECK(tc::nearest("names", Names{"game", "name"}) == "name");
}

TEST_CASE("problem: a name of more than 64 bytes is never compared") {
  const std::string at_most(64, 'a');
  const std::string longer(65, 'a');
  CHECK(tc::nearest(at_most, Names{at_most}) == at_most);
  CHECK(tc::nearest(longer, Names{at_most}).empty());
  CHECK(tc::nearest(at_most, Names{longer}).empty());
}

TEST_CASE("problem: did you mean is said only where something is near") {
  CHECK(problem::did_you_mean("opened", states) == "; did you mean open?");
  CHECK(problem::did_you_mean("banana", states).empty());
}

// ---- the wordings

TEST_CASE("problem: bounds are told by what they include") {
  CHECK(problem::bounds({}).empty());
  CHECK(problem::bounds(range(Bound{1}, Bound{50})) == "1 to 50");
  CHECK(problem::bounds(range(Bound{1}, {})) == "at least 1");
  CHECK(problem::bounds(range({}, Bound{50})) == "at most 50");
  CHECK(problem::bounds(range(Bound{0, true}, {})) == "greater than 0");
  CHECK(problem::bounds(range({}, Bound{1, true})) == "less than 1");
  CHECK(problem::bounds(range(Bound{0, true}, Bound{10})) == "greater than 0 and at most 10");
  CHECK(problem::bounds(range(Bound{0}, Bound{1, true})) == "at least 0 and less than 1");
  CHECK(problem::bounds(range(Bound{0, true}, Bound{1, true})) == "greater than 0 and less than 1");
}

TEST_CASE("problem: numbers are told exactly and as briefly as they read back") {
  CHECK(problem::range(range(Bound{-0.5}, Bound{0.01})) == "must be -0.5 to 0.01");
  CHECK(problem::range(range(Bound{(std::numeric_limits<std::int64_t>::min)()},
                             Bound{(std::numeric_limits<std::uint64_t>::max)()})) ==
        "must be -9223372036854775808 to 18446744073709551615");
  CHECK(problem::range(range({}, Bound{1e308})) == "must be at most 1e+308");
}

TEST_CASE("problem: what a number must be is said whole") {
  CHECK(problem::finite() == "must be a finite number");
  CHECK(problem::fits_64_bits(true) == "must be -9223372036854775808 to 9223372036854775807");
  CHECK(problem::fits_64_bits(false) == "must be 0 to 18446744073709551615");
  CHECK(problem::multiple(0.01) == "must be a multiple of 0.01");
  CHECK(problem::multiple(5) == "must be a multiple of 5");
  CHECK(problem::beyond_numbers() == "must be a number that fits a double, at most 1.7976931348623157e+308");
}

TEST_CASE("problem: sizes are told in their own unit") {
  CHECK(problem::length({2, 40}) == "must have 2 to 40 characters");
  CHECK(problem::length({2, tc::Sizes::unlimited}) == "must have at least 2 characters");
  CHECK(problem::length({0, 40}) == "must have at most 40 characters");
  CHECK(problem::length({3, 3}) == "must have exactly 3 characters");
  CHECK(problem::items({1, 4}) == "must have 1 to 4 items");
  CHECK(problem::properties({0, 3}) == "must have at most 3 entries");
}

TEST_CASE("problem: a pattern is told as it was written") {
  CHECK(problem::pattern("^A[0-9]+$") == "must match the pattern ^A[0-9]+$");
}

TEST_CASE("problem: repeated items are told by their indexes") {
  CHECK(problem::unique(3, 1) == "must have no two equal items; item 3 repeats item 1");
}

TEST_CASE("problem: every legal value is listed, with what was probably meant") {
  CHECK(problem::one_of(states, "opened") == "must be one of open, pending, closed; did you mean open?");
  CHECK(problem::one_of(states, "banana") == "must be one of open, pending, closed");
}

TEST_CASE("problem: an unknown field is told the known ones, with what was probably meant") {
  CHECK(problem::unknown_field("path", Names{"topic"}) == "must be left out; the known fields are topic");
  CHECK(problem::unknown_field("lmit", Names{"query", "limit"}) ==
        "must be left out; the known fields are query, limit; did you mean limit?");
  CHECK(problem::unknown_field("x", Names{}) == "must be left out; no fields are known here");
}

TEST_CASE("problem: each type has its words") {
  const auto type = [](tc::Types types) { return problem::type(of(types)); };
  CHECK(type(tc::Type::boolean) == "must be true or false");
  CHECK(type(tc::Type::integer) == "must be an integer");
  CHECK(type(tc::Type::number) == "must be a number");
  CHECK(type(tc::Type::string) == "must be a string");
  CHECK(type(tc::Type::array) == "must be an array");
  CHECK(type(tc::Type::object) == "must be an object");
  CHECK(type(tc::Type::null) == "must be null");
  CHECK(type(tc::Types(tc::Type::string) | tc::Type::null) == "must be a string or null");
  CHECK(type(tc::Types::any()) == "must be any JSON value");
}

TEST_CASE("problem: what is expected names bounds, format and legal values") {
  tc::Schema choice = of(tc::Type::string);
  choice.choices = choices;
  Limits date;
  date.format = tc::Format::date;
  CHECK(problem::type(of(tc::Type::integer, range(Bound{1}, Bound{50}))) == "must be an integer, 1 to 50");
  CHECK(problem::type(choice) == "must be one of open, closed");
  CHECK(problem::type(of(tc::Type::string, date)) == "must be a date, e.g. 2026-11-30");
  CHECK(problem::required(of(tc::Type::integer, range(Bound{1}, Bound{50}))) == "must be given: an integer, 1 to 50");
  CHECK(problem::required(choice) == "must be given: one of open, closed");
}

TEST_CASE("problem: a missing tag is told the alternatives") {
  const tc::Alternative alternatives[] = {{"circle", {}}, {"square", {}}};
  CHECK(problem::required_tag(alternatives) == "must be given: one of circle, square");
}

TEST_CASE("problem: what is wrong with a text is said whole") {
  CHECK(problem::utf8() == "must be valid UTF-8");
  CHECK(problem::too_deep(64) == "must be nested at most 64 levels deep");
  CHECK(problem::too_large(1000000, "values") == "must have at most 1000000 values");
  CHECK(problem::duplicate_key() == "must be given once");
  CHECK(problem::malformed("it ends too early", 12) == "must be one complete JSON value; it ends too early at byte 12");
}

// ---- sentences

TEST_CASE("problem: a list of field errors reads as sentences that say the same") {
  const Errors errors{{"status", "enum", "must be one of open, closed; did you mean open?", "opened"},
                      {"limit", "range", "must be 1 to 50", 200},
                      {"query", "required", "must be given: a string", {}},
                      {"", "count", "must have at most 3 entries", "{4 keys}"}};
  CHECK(tc::sentences(errors) ==
        "status must be one of open, closed; did you mean open? Got \"opened\". limit must be 1 to 50. Got 200. "
        "query must be given: a string. The arguments must have at most 3 entries. Got \"{4 keys}\".");
}

TEST_CASE("problem: the value as a whole is called what the caller calls it") {
  CHECK(tc::sentences(Errors{{"", "type", "must be an object", {}}}, "The reply") == "The reply must be an object.");
  CHECK(tc::sentences(Errors{}).empty());
}
