// SPDX-License-Identifier: MIT
#include <toolcontract/error.hpp>

#include "catch.hpp"
#include "show.hpp"

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tc = toolcontract;
using namespace std::chrono_literals;
using namespace std::string_literals;
using tc::Category;
using tc::Resolution;

namespace {

constexpr Category categories[] = {Category::transient, Category::validation, Category::business, Category::permission,
                                   Category::unknown};
constexpr Resolution resolutions[] = {Resolution::retry, Resolution::fix_input, Resolution::abort, Resolution::escalate,
                                      Resolution::reconcile};

/// What restore, given category and resolution, must make of an error that has every optional part.
tc::ErrorFacts everything(Category category, Resolution resolution) {
  tc::ErrorFacts facts;
  facts.code = "SOME_CODE";
  facts.category = category;
  facts.resolution = resolution;
  facts.message = "Order A17 is what this is about.";
  facts.field_errors = {{"limit", "range", "must be 1 to 50", tc::Shown(200)}};
  facts.budget = {"req_1", 2, 3, 8400ms};
  facts.retry_after = 1500ms;
  facts.may_have_happened = true;
  facts.reconcile = {"orders_get", R"({"order_id":"A17"})"};
  facts.example = R"({"limit":10})";
  facts.confirmation = {"Refund 12.50 EUR", "Wait for a human.", "ticket_1"};
  facts.partial = R"({"rows":[]})";
  facts.extra = R"({"trace":1})";
  facts.internal = tc::InternalDetail("pg://user:pw@host");
  return facts;
}

/// The facts a factory starts from.
tc::ErrorFacts facts(std::string code, Category category, Resolution resolution, std::string message) {
  tc::ErrorFacts facts;
  facts.code = std::move(code);
  facts.category = category;
  facts.resolution = resolution;
  facts.message = std::move(message);
  return facts;
}

tc::CallBudget budget(int attempt, std::optional<int> max_attempts = std::nullopt,
                      std::optional<std::chrono::milliseconds> remaining = std::nullopt) {
  return {"req_1", attempt, max_attempts, remaining};
}

template <class Thrown, class Run>
std::string thrown(Run run) {
  try {
    run();
  } catch (const Thrown& caught) {
    return caught.what();
  }
  return "(nothing was thrown)";
}

}  // namespace

// ---- the vocabulary

TEST_CASE("error: each category and each resolution has the word the envelope uses") {
  std::vector<std::string> words;
  for (const Category category : categories) words.emplace_back(tc::name(category));
  for (const Resolution resolution : resolutions) words.emplace_back(tc::name(resolution));
  CHECK(words == std::vector<std::string>{"transient", "validation", "business", "permission", "unknown", "retry",
                                          "fix_input", "abort", "escalate", "reconcile"});
}

TEST_CASE("error: the category table allows exactly these resolutions") {
  //                                retry fix_input abort escalate reconcile
  constexpr bool table[5][5] = {{true, false, false, true, false},   // transient
                                {false, true, true, true, false},    // validation
                                {false, false, true, true, false},   // business
                                {false, false, true, true, false},   // permission
                                {false, false, false, true, true}};  // unknown
  for (std::size_t c = 0; c < 5; ++c)
    for (std::size_t r = 0; r < 5; ++r) {
      INFO(categories[c] << " / " << resolutions[r]);
      CHECK(tc::allows(categories[c], resolutions[r]) == table[c][r]);
    }
}

TEST_CASE("error: every category starts with its own resolution, one that the table allows") {
  std::vector<Resolution> defaults;
  for (const Category category : categories) {
    defaults.push_back(tc::default_resolution(category));
    CHECK(tc::allows(category, defaults.back()));
  }
  CHECK(defaults == std::vector<Resolution>{Resolution::retry, Resolution::fix_input, Resolution::abort,
                                            Resolution::escalate, Resolution::reconcile});
}

// ---- codes

TEST_CASE("error code: a SCREAMING_SNAKE text of 1 to 64 characters is one") {
  for (const auto& text : {"A"s, "NOT_FOUND"s, "HTTP_404"s, "E1"s, "A_1_B"s, std::string(64, 'A')}) {
    INFO(text);
    CHECK(tc::ErrorCode::checked(text).text() == text);
  }
}

TEST_CASE("error code: any other text is refused with an example of a legal one") {
  for (const auto& text : {""s, "not_found"s, "NotFound"s, "NOT-FOUND"s, "NOT FOUND"s, "_NOT_FOUND"s, "NOT_FOUND_"s,
                           "NOT__FOUND"s, "4XX"s, "ÜBER"s, " A"s, std::string(65, 'A')}) {
    INFO(text);
    CHECK(thrown<std::invalid_argument>([&] { (void)tc::ErrorCode::checked(text); }) ==
          "toolcontract: an error code must be SCREAMING_SNAKE of 1 to 64 characters, such as ORDER_NOT_FOUND; got \"" +
              text + "\"");
  }
}

TEST_CASE("error code: a long illegal text is shown up to 80 characters") {
  CHECK(thrown<std::invalid_argument>([] { (void)tc::ErrorCode::checked(std::string(200, 'x')); }) ==
        "toolcontract: an error code must be SCREAMING_SNAKE of 1 to 64 characters, such as ORDER_NOT_FOUND; got \"" +
            std::string(80, 'x') + "\"");
}

TEST_CASE("error code: a literal is checked by the compiler and keeps its text") {
  constexpr tc::ErrorCode code = "ORDER_NOT_FOUND";
  STATIC_REQUIRE(code.text() == "ORDER_NOT_FOUND");
}

TEST_CASE("error code: a factory takes a code checked at run time") {
  const std::string from_config = "LIMIT_REACHED";
  CHECK(tc::business(tc::ErrorCode::checked(from_config), "Plan free allows 3 projects.").code() == "LIMIT_REACHED");
}

// ---- factories

TEST_CASE("error: each factory makes its category, with that category's resolution and nothing else set") {
  CHECK(tc::transient("A_CODE", "Shop is down.").facts() ==
        facts("A_CODE", Category::transient, Resolution::retry, "Shop is down."));
  CHECK(tc::validation("A_CODE", "Shop is down.").facts() ==
        facts("A_CODE", Category::validation, Resolution::fix_input, "Shop is down."));
  CHECK(tc::business("A_CODE", "Shop is down.").facts() ==
        facts("A_CODE", Category::business, Resolution::abort, "Shop is down."));
  CHECK(tc::permission("A_CODE", "Shop is down.").facts() ==
        facts("A_CODE", Category::permission, Resolution::escalate, "Shop is down."));
  CHECK(tc::unknown("A_CODE", "Shop is down.").facts() ==
        facts("A_CODE", Category::unknown, Resolution::reconcile, "Shop is down."));
}

TEST_CASE("error: the wider vocabulary of backends maps to the five categories") {
  auto limited =
      facts("RATE_LIMITED", Category::transient, Resolution::retry, "Too many calls; wait before the next one.");
  limited.retry_after = 2000ms;
  CHECK(tc::rate_limited(2s).facts() == limited);
  limited.message = "Search allows 5 calls a second.";
  CHECK(tc::rate_limited(2s, "Search allows 5 calls a second.").facts() == limited);
  CHECK(tc::unavailable("Shop is down.").facts() ==
        facts("UPSTREAM_UNAVAILABLE", Category::transient, Resolution::retry, "Shop is down."));
  CHECK(tc::not_found("Order A17 does not exist.").facts() ==
        facts("NOT_FOUND", Category::business, Resolution::abort, "Order A17 does not exist."));
  CHECK(tc::conflict("Order A17 was changed by someone else.").facts() ==
        facts("CONFLICT", Category::business, Resolution::abort, "Order A17 was changed by someone else."));
  CHECK(tc::permanent("ORDER_SHIPPED", "Order A17 has left.").facts() ==
        facts("ORDER_SHIPPED", Category::business, Resolution::abort, "Order A17 has left."));
  CHECK(tc::unauthenticated("The shop wants a login.").facts() ==
        facts("NOT_AUTHENTICATED", Category::permission, Resolution::escalate, "The shop wants a login."));
  CHECK(tc::forbidden("Role clerk may not refund.").facts() ==
        facts("FORBIDDEN", Category::permission, Resolution::escalate, "Role clerk may not refund."));
}

TEST_CASE("error: a malformed upstream reply is a validation error that the model cannot mend") {
  CHECK(tc::malformed_upstream("a JSON object", "HTML").facts() ==
        facts("MALFORMED_UPSTREAM", Category::validation, Resolution::escalate,
              "The upstream reply was malformed: expected a JSON object, got HTML."));
}

TEST_CASE("error: a blank message cannot be built, whatever the factory") {
  const std::vector<std::function<void(std::string)>> factories = {
      [](std::string message) { (void)tc::transient("A_CODE", std::move(message)); },
      [](std::string message) { (void)tc::validation("A_CODE", std::move(message)); },
      [](std::string message) { (void)tc::business("A_CODE", std::move(message)); },
      [](std::string message) { (void)tc::permission("A_CODE", std::move(message)); },
      [](std::string message) { (void)tc::unknown("A_CODE", std::move(message)); },
      [](std::string message) { (void)tc::permanent("A_CODE", std::move(message)); }};
  for (const auto& factory : factories)
    for (const auto* blank : {"", " ", "\n", " \t\r\n"})
      CHECK(thrown<std::invalid_argument>([&] { factory(blank); }) ==
            "toolcontract: an error's message must not be blank; say what happened and to what (A_CODE)");
}

TEST_CASE("error: retryable is exactly resolution == retry") {
  for (const Category category : categories)
    for (const Resolution resolution : resolutions) {
      const auto error = tc::ToolError::restore(facts("A_CODE", category, resolution, "Order A17."));
      INFO(category << " / " << resolution);
      CHECK(error.retryable() == (error.resolution() == Resolution::retry));
      if (error.retryable()) CHECK(category == Category::transient);
    }
}

// ---- builders

TEST_CASE("error builder: retry_after sets how long to wait") {
  auto expected = facts("A_CODE", Category::transient, Resolution::retry, "Shop is down.");
  expected.retry_after = 1500ms;
  CHECK(tc::transient("A_CODE", "Shop is down.").retry_after(1500ms).facts() == expected);
}

TEST_CASE("error builder: may_have_happened is for those who repeat, no part of what is said") {
  auto expected = facts("A_CODE", Category::transient, Resolution::retry, "The refund timed out.");
  expected.may_have_happened = true;
  CHECK(tc::transient("A_CODE", "The refund timed out.").may_have_happened().facts() == expected);
}

TEST_CASE("error builder: a retry_after in the past is now") {
  auto expected = facts("A_CODE", Category::transient, Resolution::retry, "Shop is down.");
  expected.retry_after = 0ms;
  CHECK(tc::transient("A_CODE", "Shop is down.").retry_after(-3s).facts() == expected);
}

TEST_CASE("error builder: field errors are kept in the order they are given") {
  auto expected = facts("A_CODE", Category::validation, Resolution::fix_input, "Two things are wrong.");
  expected.field_errors = {{"until", "rule", "must not be before since", std::nullopt},
                           {"limit", "range", "must be 1 to 50", tc::Shown(200)},
                           {"sku", "pattern", "must start with S", tc::Shown("A17")}};
  CHECK(tc::validation("A_CODE", "Two things are wrong.")
            .field("until", "rule", "must not be before since")
            .field("limit", "range", "must be 1 to 50", 200)
            .field("sku", "pattern", "must start with S", "A17")
            .facts() == expected);
}

TEST_CASE("error builder: example holds the arguments of a valid call") {
  auto expected = facts("A_CODE", Category::validation, Resolution::fix_input, "The limit is too high.");
  expected.example = R"({"limit":50})";
  CHECK(tc::validation("A_CODE", "The limit is too high.").example(R"({"limit":50})").facts() == expected);
}

TEST_CASE("error builder: confirmation says what a human must agree to") {
  auto expected = facts("CONFIRMATION_REQUIRED", Category::permission, Resolution::escalate, "Refunds need a human.");
  expected.confirmation = {"Refund 12.50 EUR", "Wait for the answer.", "ticket_1"};
  CHECK(tc::permission("CONFIRMATION_REQUIRED", "Refunds need a human.")
            .confirmation({"Refund 12.50 EUR", "Wait for the answer.", "ticket_1"})
            .facts() == expected);
}

TEST_CASE("error builder: reconcile_with names the call that finds out what happened") {
  auto expected = facts("OUTCOME_UNKNOWN", Category::unknown, Resolution::reconcile, "Refund op_7 has no answer.");
  expected.reconcile = {"refunds_get", R"({"operation_id":"op_7"})"};
  CHECK(tc::unknown("OUTCOME_UNKNOWN", "Refund op_7 has no answer.")
            .reconcile_with("refunds_get", R"({"operation_id":"op_7"})")
            .facts() == expected);
}

TEST_CASE("error builder: escalate() sends business, permission and unknown errors to a human") {
  CHECK(tc::business("A_CODE", "Order A17.").escalate().facts() ==
        facts("A_CODE", Category::business, Resolution::escalate, "Order A17."));
  CHECK(tc::permission("A_CODE", "Order A17.").abort().escalate().facts() ==
        facts("A_CODE", Category::permission, Resolution::escalate, "Order A17."));
  CHECK(tc::unknown("A_CODE", "Order A17.").escalate().facts() ==
        facts("A_CODE", Category::unknown, Resolution::escalate, "Order A17."));
}

TEST_CASE("error builder: abort() ends business and permission errors") {
  CHECK(tc::permission("A_CODE", "Order A17.").abort().facts() ==
        facts("A_CODE", Category::permission, Resolution::abort, "Order A17."));
  CHECK(tc::business("A_CODE", "Order A17.").escalate().abort().facts() ==
        facts("A_CODE", Category::business, Resolution::abort, "Order A17."));
}

TEST_CASE("error builder: of reconcile_with and escalate the later one counts") {
  CHECK(tc::unknown("A_CODE", "Order A17.").reconcile_with("orders_get", "{}").escalate().facts() ==
        facts("A_CODE", Category::unknown, Resolution::escalate, "Order A17."));
  auto expected = facts("A_CODE", Category::unknown, Resolution::reconcile, "Order A17.");
  expected.reconcile = {"orders_get", "{}"};
  CHECK(tc::unknown("A_CODE", "Order A17.").escalate().reconcile_with("orders_get", "{}").facts() == expected);
}

TEST_CASE("error builder: partial and internal belong to every category") {
  const auto check = [](const auto& made, Category category) {
    auto expected = facts("A_CODE", category, tc::default_resolution(category), "Order A17.");
    expected.partial = R"({"rows":2})";
    expected.internal = tc::InternalDetail("select * from orders");
    CHECK(made.facts() == expected);
  };
  check(tc::transient("A_CODE", "Order A17.").partial(R"({"rows":2})").internal("select * from orders"),
        Category::transient);
  check(tc::validation("A_CODE", "Order A17.").partial(R"({"rows":2})").internal("select * from orders"),
        Category::validation);
  check(tc::business("A_CODE", "Order A17.").partial(R"({"rows":2})").internal("select * from orders"),
        Category::business);
  check(tc::permission("A_CODE", "Order A17.").partial(R"({"rows":2})").internal("select * from orders"),
        Category::permission);
  check(tc::unknown("A_CODE", "Order A17.").partial(R"({"rows":2})").internal("select * from orders"),
        Category::unknown);
}

TEST_CASE("error builder: setters on a temporary keep their strings") {
  const auto longer = [](const char* start) {
    return start + std::string(100, '.');
  };  // too long to sit in the string object
  const auto error = tc::validation("A_CODE", longer("message"))
                         .field(longer("field"), longer("code"), longer("problem"), longer("got"))
                         .example(longer("example"))
                         .partial(longer("partial"))
                         .internal(longer("internal"));
  auto expected = facts("A_CODE", Category::validation, Resolution::fix_input, longer("message"));
  expected.field_errors = {{longer("field"), longer("code"), longer("problem"), tc::Shown(longer("got"))}};
  expected.example = longer("example");
  expected.partial = longer("partial");
  expected.internal = tc::InternalDetail(longer("internal"));
  CHECK(error.facts() == expected);
}

TEST_CASE("error builder: a setter on a temporary returns a value, one on a named builder a reference to it") {
  using Builder = decltype(tc::business("A_CODE", "Order A17."));
  STATIC_REQUIRE(std::is_same_v<decltype(std::declval<Builder>().escalate()), Builder>);
  STATIC_REQUIRE(std::is_same_v<decltype(std::declval<Builder&>().escalate()), Builder&>);
  auto builder = tc::validation("A_CODE", "The limits are wrong.");
  for (const auto* field : {"low", "high"}) builder.field(field, "range", "must be 1 to 50");
  auto expected = facts("A_CODE", Category::validation, Resolution::fix_input, "The limits are wrong.");
  expected.field_errors = {{"low", "range", "must be 1 to 50", std::nullopt},
                           {"high", "range", "must be 1 to 50", std::nullopt}};
  CHECK(builder.facts() == expected);
}

TEST_CASE("error builder: what is thrown is caught as a ToolError with everything that was set") {
  auto expected = facts("A_CODE", Category::transient, Resolution::retry, "Shop is down.");
  expected.retry_after = 2s;
  expected.internal = tc::InternalDetail("connect: refused");
  tc::ErrorFacts caught;
  try {
    throw tc::transient("A_CODE", "Shop is down.").retry_after(2s).internal("connect: refused");
  } catch (const tc::ToolError& error) {
    caught = error.facts();
  }
  CHECK(caught == expected);
}

TEST_CASE("error builder: what is thrown is a std::exception whose what() is the message") {
  CHECK(thrown<std::exception>([] {
          throw tc::business("A_CODE", "Order A17 has left.").internal("pg://user:pw@host");
        }) == "Order A17 has left.");
}

// ---- settled

TEST_CASE("settled: an error carries the id and the budget of its call") {
  auto expected = facts("A_CODE", Category::business, Resolution::abort, "Order A17.");
  expected.budget = {"req_01HZX9K4", 2, 3, 8400ms};
  CHECK(tc::business("A_CODE", "Order A17.").settled({"req_01HZX9K4", 2, 3, 8400ms}).facts() == expected);
}

TEST_CASE("settled: the error it is called on stays as it was") {
  const auto error = tc::transient("A_CODE", "Shop is down.");
  (void)error.settled(budget(3, 3, 0ms));
  CHECK(error.facts() == facts("A_CODE", Category::transient, Resolution::retry, "Shop is down."));
}

TEST_CASE("settled: the resolution follows from attempts, deadline and retry_after") {
  struct Case {
    Category category;
    int attempt;
    std::optional<int> max_attempts;
    std::optional<std::chrono::milliseconds> remaining;
    std::optional<std::chrono::milliseconds> retry_after;
    Resolution expected;
  };
  constexpr auto none = std::nullopt;
  const Case cases[] = {
      // Nothing is known of attempts or deadline: nothing changes.
      {Category::transient, 1, none, none, none, Resolution::retry},
      {Category::transient, 99, none, none, 1h, Resolution::retry},
      {Category::validation, 99, none, none, none, Resolution::fix_input},
      // Attempts.
      {Category::transient, 1, 2, none, none, Resolution::retry},
      {Category::transient, 2, 2, none, none, Resolution::escalate},
      {Category::transient, 3, 2, none, none, Resolution::escalate},
      {Category::transient, 1, 1, none, none, Resolution::escalate},
      {Category::validation, 2, 3, none, none, Resolution::fix_input},
      {Category::validation, 3, 3, none, none, Resolution::abort},
      {Category::validation, 4, 3, none, none, Resolution::abort},
      // Deadline.
      {Category::transient, 1, none, 1ms, none, Resolution::retry},
      {Category::transient, 1, none, 0ms, none, Resolution::escalate},
      {Category::transient, 1, none, -5ms, none, Resolution::escalate},
      {Category::validation, 1, none, 0ms, none, Resolution::fix_input},
      // Deadline against retry_after: what ends exactly at the deadline is too late.
      {Category::transient, 1, none, 1001ms, 1s, Resolution::retry},
      {Category::transient, 1, none, 1000ms, 1s, Resolution::escalate},
      {Category::transient, 1, none, 999ms, 1s, Resolution::escalate},
      {Category::transient, 1, none, 1ms, 0ms, Resolution::retry},
      // Both.
      {Category::transient, 1, 3, 5s, 1s, Resolution::retry},
      {Category::transient, 3, 3, 5s, 1s, Resolution::escalate},
      {Category::transient, 1, 3, 5s, 6s, Resolution::escalate},
      // No other category changes.
      {Category::business, 3, 3, 0ms, none, Resolution::abort},
      {Category::permission, 3, 3, 0ms, none, Resolution::escalate},
      {Category::unknown, 3, 3, 0ms, none, Resolution::reconcile},
  };
  for (const Case& c : cases) {
    auto given = facts("A_CODE", c.category, tc::default_resolution(c.category), "Order A17.");
    given.retry_after = c.retry_after;
    auto expected = given;
    expected.resolution = c.expected;
    expected.budget = budget(c.attempt, c.max_attempts, c.remaining);
    if (c.remaining && *c.remaining < 0ms) expected.budget.deadline_remaining = 0ms;
    CHECK(tc::ToolError::restore(given).settled(budget(c.attempt, c.max_attempts, c.remaining)).facts() == expected);
  }
}

TEST_CASE("settled: a deadline that has passed is 0, never negative") {
  CHECK(tc::business("A_CODE", "Order A17.").settled(budget(1, {}, -70ms)).facts().budget == budget(1, {}, 0ms));
}

TEST_CASE("settled: an error that was told not again stays so when it is settled once more") {
  const auto last = tc::transient("A_CODE", "Shop is down.").settled(budget(3, 3));
  CHECK(last.settled(budget(1, 3)).resolution() == Resolution::escalate);
}

TEST_CASE("settled: a malformed upstream reply stays with a human when attempts are used up") {
  CHECK(tc::malformed_upstream("JSON", "HTML").settled(budget(3, 3)).resolution() == Resolution::escalate);
}

// ---- restore

TEST_CASE(
    "restore: what the category table forbids becomes the category's default, and every part of another category "
    "goes") {
  for (const Category category : categories)
    for (const Resolution resolution : resolutions) {
      auto expected = everything(category, resolution);
      if (!tc::allows(category, resolution)) expected.resolution = tc::default_resolution(category);
      if (category != Category::transient) expected.retry_after.reset();
      if (category != Category::transient) expected.may_have_happened = false;
      if (category != Category::validation) expected.field_errors.clear();
      if (category != Category::validation) expected.example.clear();
      if (category != Category::permission) expected.confirmation.reset();
      if (expected.resolution != Resolution::reconcile) expected.reconcile.reset();
      CHECK(tc::ToolError::restore(everything(category, resolution)).facts() == expected);
    }
}

TEST_CASE("restore: negative times become 0") {
  auto given = facts("A_CODE", Category::transient, Resolution::retry, "Shop is down.");
  auto expected = given;
  given.retry_after = -1ms;
  given.budget.deadline_remaining = -1ms;
  expected.retry_after = 0ms;
  expected.budget.deadline_remaining = 0ms;
  CHECK(tc::ToolError::restore(given).facts() == expected);
}

TEST_CASE("restore: a code that is not SCREAMING_SNAKE is refused") {
  CHECK(thrown<std::invalid_argument>([] {
          (void)tc::ToolError::restore(facts("not found", Category::business, Resolution::abort, "Order A17."));
        }) ==
        "toolcontract: an error code must be SCREAMING_SNAKE of 1 to 64 characters, such as ORDER_NOT_FOUND; got \"not "
        "found\"");
}

TEST_CASE("restore: a blank message is refused") {
  CHECK(thrown<std::invalid_argument>([] {
          (void)tc::ToolError::restore(facts("NOT_FOUND", Category::business, Resolution::abort, " \n"));
        }) == "toolcontract: an error's message must not be blank (NOT_FOUND)");
}

TEST_CASE("error: two errors are equal when all their facts are") {
  const auto error = tc::not_found("Order A17 does not exist.");
  CHECK(error == tc::not_found("Order A17 does not exist."));
  CHECK_FALSE(error == tc::not_found("Order A18 does not exist."));
  CHECK_FALSE(error == tc::not_found("Order A17 does not exist.").internal("x"));
}

// ---- Shown, InternalDetail

TEST_CASE("shown: text stays text, still to be quoted") {
  for (const auto& shown : {tc::Shown("A17"), tc::Shown("A17"s), tc::Shown(std::string_view("A17"))}) {
    CHECK(shown.text() == "A17");
    CHECK_FALSE(shown.is_json());
  }
}

TEST_CASE("shown: a bool, a number and JSON text are JSON") {
  const std::pair<tc::Shown, std::string> cases[] = {
      {true, "true"},
      {false, "false"},
      {0, "0"},
      {-1, "-1"},
      {(std::numeric_limits<std::int64_t>::min)(), "-9223372036854775808"},
      {(std::numeric_limits<std::uint64_t>::max)(), "18446744073709551615"},
      {std::int8_t{-128}, "-128"},
      {0.1, "0.1"},
      {0.1F, "0.1"},
      {1e300, "1e+300"},
      {5.0, "5"},
      {5e-324, "5e-324"},
      {tc::Shown::json(R"([1,"a"])"), R"([1,"a"])"},
  };
  for (const auto& [shown, text] : cases) CHECK(shown == tc::Shown::json(text));
}

TEST_CASE("shown: NaN and the infinities, which JSON has not, are text") {
  CHECK(tc::Shown(std::numeric_limits<double>::quiet_NaN()) == tc::Shown("NaN"));
  CHECK(tc::Shown(std::numeric_limits<double>::infinity()) == tc::Shown("Infinity"));
  CHECK(tc::Shown(-std::numeric_limits<float>::infinity()) == tc::Shown("-Infinity"));
}

TEST_CASE("shown: the text true and the bool true differ") { CHECK_FALSE(tc::Shown("true") == tc::Shown(true)); }

TEST_CASE("internal detail: it turns into no text by itself") {
  STATIC_REQUIRE_FALSE(std::is_convertible_v<tc::InternalDetail, std::string>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<tc::InternalDetail, std::string_view>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<std::string, tc::InternalDetail>);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<tc::Shown, tc::InternalDetail>);
}

// ---- Result

TEST_CASE("result: a handler returns a value, a builder, or a ToolError") {
  const auto find = [](int id) -> tc::Result<std::string> {
    if (id == 0) return tc::not_found("Order 0 does not exist.").internal("no row");
    if (id < 0) return tc::ToolError(tc::conflict("Order -1 is odd."));
    return "order " + std::to_string(id);
  };
  CHECK(find(1).value() == "order 1");
  CHECK(find(0).error() == tc::not_found("Order 0 does not exist.").internal("no row"));
  CHECK(find(-1).error() == tc::conflict("Order -1 is odd."));
}

TEST_CASE("result: what converts to the value is taken") {
  const tc::Result<std::string> text = "a literal";
  CHECK(text.value() == "a literal");
  const tc::Result<double> number = 3;
  CHECK(number.value() == 3.0);
}

TEST_CASE("result: has_value and bool say which of the two it holds, also when the value is false") {
  const tc::Result<bool> no = false;
  const tc::Result<bool> error = tc::not_found("Order A17 does not exist.");
  CHECK(no.has_value());
  CHECK(static_cast<bool>(no));
  CHECK_FALSE(no.value());
  CHECK_FALSE(error.has_value());
  CHECK_FALSE(static_cast<bool>(error));
}

TEST_CASE("result: value() throws the error it holds") {
  tc::Result<int> result = tc::not_found("Order A17 does not exist.");
  const auto& unchanging = result;
  CHECK(thrown<tc::ToolError>([&] { (void)result.value(); }) == "Order A17 does not exist.");
  CHECK(thrown<tc::ToolError>([&] { (void)unchanging.value(); }) == "Order A17 does not exist.");
  CHECK(thrown<tc::ToolError>([&] { (void)std::move(result).value(); }) == "Order A17 does not exist.");
}

TEST_CASE("result: an empty optional is a value like any other") {
  const tc::Result<std::optional<int>> nothing = std::nullopt;
  REQUIRE(nothing.has_value());
  CHECK(nothing.value() == std::nullopt);
  const tc::Result<std::optional<int>> empty = std::optional<int>();
  REQUIRE(empty.has_value());
  CHECK(empty.value() == std::nullopt);
}

TEST_CASE("result: a value that can only be moved goes in and comes out") {
  tc::Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  CHECK(**result == 7);
  const std::unique_ptr<int> out = std::move(result).value();
  CHECK(*out == 7);
}

TEST_CASE("result: the value is reached and changed through * and ->") {
  tc::Result<std::string> result = "A1"s;
  *result += '7';
  result->push_back('!');
  CHECK(*std::as_const(result) == "A17!");
  CHECK(std::as_const(result)->size() == 4);
  CHECK(*std::move(result) == "A17!");
}

TEST_CASE("result: the error can be moved out, its facts whole") {
  tc::Result<int> result = tc::rate_limited(2s);
  const tc::ToolError error = std::move(result).error();
  CHECK(error == tc::rate_limited(2s));
}

TEST_CASE("result: a copy is independent of the original") {
  tc::Result<std::string> result = "A17"s;
  tc::Result<std::string> copy = result;  // NOLINT: the copy is the point
  *copy = "B1";
  CHECK(*result == "A17");
}

#ifdef __cpp_lib_expected
TEST_CASE("result: it converts to std::expected and back") {
  using Expected = std::expected<std::string, tc::ToolError>;
  const tc::Result<std::string> good = "A17"s;
  const tc::Result<std::string> bad = tc::not_found("Order A17 does not exist.");
  const Expected good_expected = good;
  const Expected bad_expected = bad;
  CHECK(good_expected.value() == "A17");
  CHECK(bad_expected.error() == tc::not_found("Order A17 does not exist."));
  CHECK(tc::Result<std::string>(good_expected).value() == "A17");
  CHECK(tc::Result<std::string>(bad_expected).error() == tc::not_found("Order A17 does not exist."));
}

TEST_CASE("result: a value that can only be moved converts to std::expected and back") {
  using Expected = std::expected<std::unique_ptr<int>, tc::ToolError>;
  Expected expected = tc::Result<std::unique_ptr<int>>(std::make_unique<int>(7));
  CHECK(**expected == 7);
  CHECK(**tc::Result<std::unique_ptr<int>>(std::move(expected)) == 7);
}
#endif

TEST_CASE("error: a JSON value that is shown is shown whole, since half of it would be no JSON") {
  const std::string list = "[" + std::string(200, ' ') + "1]";
  CHECK(tc::Shown::json(list).text() == list);
  CHECK(tc::Shown::json(list).is_json());
}
