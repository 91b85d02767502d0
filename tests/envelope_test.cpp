// SPDX-License-Identifier: MIT
#include <toolcontract/envelope.hpp>

#include "catch.hpp"
#include "show.hpp"

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tc = toolcontract;
using namespace std::chrono_literals;
using namespace std::string_literals;
using nlohmann::json;
using nlohmann::ordered_json;
using tc::Category;
using tc::Resolution;

namespace {

constexpr Category categories[] = {Category::transient, Category::validation, Category::business, Category::permission,
                                   Category::unknown};
constexpr std::string_view known_keys[] = {"error_code",
                                           "category",
                                           "retryable",
                                           "resolution",
                                           "message",
                                           "field_errors",
                                           "correlation_id",
                                           "attempt",
                                           "max_attempts",
                                           "retry_after_ms",
                                           "reconcile",
                                           "example",
                                           "needs_confirmation",
                                           "preview",
                                           "how_to_proceed",
                                           "ticket",
                                           "partial",
                                           "errorCategory",
                                           "isRetryable",
                                           "deadline_ms_remaining"};

/// The facts an envelope reads as; the code NO_ENVELOPE where it is none.
template <class Source>
tc::ErrorFacts read(const Source& source) {
  const std::optional<tc::ToolError> error = tc::read_envelope(source);
  if (error) return error->facts();
  tc::ErrorFacts none;
  none.code = "NO_ENVELOPE";
  return none;
}

tc::ErrorFacts no_envelope() { return read(json(nullptr)); }

/// What a reader makes of an envelope that says no more than this.
tc::ErrorFacts facts(Category category, std::optional<Resolution> resolution = std::nullopt) {
  tc::ErrorFacts facts;
  facts.code = "UNSPECIFIED";
  facts.category = category;
  facts.resolution = resolution.value_or(tc::default_resolution(category));
  facts.message = "The tool gave no reason.";
  return facts;
}

/// A JSON value of any kind; objects have sorted keys, so that reading through nlohmann::json changes nothing.
json random_json(std::mt19937& random, int depth) {
  const auto text = [&] {
    constexpr std::string_view parts[] = {"a",  "B",    "7",      " ",      "\"",         "\\",
                                          "\n", "\x01", "\u00e9", "\u20ac", "\U0001F600", "{}"};
    std::string made;
    for (auto length = random() % 5; length > 0; --length) made += parts[random() % std::size(parts)];
    return made;
  };
  switch (random() % (depth > 0 ? 8 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return random() % 2 == 0;
    case 2:
      return text();
    case 3:
      return static_cast<std::int64_t>(random()) - 2'000'000'000;
    case 4:
      return (std::uint64_t{random()} << 32) + random();
    case 5:
      return (static_cast<double>(random()) + 0.5) / 1e7;
    case 6: {
      auto array = json::array();
      for (auto count = random() % 4; count > 0; --count) array.push_back(random_json(random, depth - 1));
      return array;
    }
    default: {
      auto object = json::object();
      for (auto count = random() % 4; count > 0; --count) object[text()] = random_json(random, depth - 1);
      return object;
    }
  }
}

json random_object(std::mt19937& random, std::string_view key_prefix) {
  auto object = json::object();
  for (auto count = random() % 4; count > 0; --count)
    object[std::string(key_prefix) + std::to_string(random() % 100)] = random_json(random, 3);
  return object;
}

/// An error with anything an error may have, but for internal detail.
tc::ToolError random_error(std::mt19937& random) {
  const auto maybe = [&] { return random() % 2 == 0; };
  const auto text = [&] { return "text " + random_json(random, 2).dump(); };
  const auto time = [&] { return std::chrono::milliseconds(std::uint64_t{random()} << (random() % 16)); };
  tc::ErrorFacts facts;
  facts.code = "CODE_" + std::to_string(random());
  facts.category = categories[random() % 5];
  facts.resolution = static_cast<Resolution>(random() % 5);
  facts.message = text();
  for (auto count = random() % 3; count > 0; --count) {
    tc::FieldError error{text(), text(), text(), std::nullopt};
    if (const json got = random_json(random, 1); maybe())
      error.got = got.is_string() ? tc::Shown(got.get<std::string>()) : tc::Shown::json(tc::json_text(got));
    facts.field_errors.push_back(std::move(error));
  }
  facts.budget.correlation_id = text();
  facts.budget.attempt = static_cast<int>(random() % 1000);
  if (maybe()) facts.budget.max_attempts = static_cast<int>(random() % 1000);
  if (maybe()) facts.budget.deadline_remaining = time();
  if (maybe()) facts.retry_after = time();
  if (maybe()) facts.reconcile = {text(), tc::json_text(random_object(random, "argument"))};
  if (maybe()) facts.example = tc::json_text(random_object(random, "argument"));
  if (maybe()) facts.confirmation = {text(), text(), text()};
  if (maybe()) facts.partial = tc::json_text(random_json(random, 3));
  if (const json extra = random_object(random, "x"); !extra.empty()) facts.extra = tc::json_text(extra);
  return tc::ToolError::restore(std::move(facts));
}

}  // namespace

// ---- writing: nine keys

TEST_CASE("envelope: nine keys in this order, whatever the category, and no other unless it is set") {
  CHECK(
      tc::envelope_text(tc::transient("UPSTREAM_UNAVAILABLE", "The shop is down.")) ==
      R"({"error_code":"UPSTREAM_UNAVAILABLE","category":"transient","retryable":true,"resolution":"retry",)"
      R"("message":"The shop is down.","field_errors":[],"correlation_id":"","attempt":1,"deadline_ms_remaining":null})");
  CHECK(
      tc::envelope_text(tc::validation("INVALID_ARGUMENTS", "limit must be 1 to 50.")) ==
      R"({"error_code":"INVALID_ARGUMENTS","category":"validation","retryable":false,"resolution":"fix_input",)"
      R"("message":"limit must be 1 to 50.","field_errors":[],"correlation_id":"","attempt":1,"deadline_ms_remaining":null})");
  CHECK(
      tc::envelope_text(tc::business("REFUND_WINDOW_EXPIRED", "Order A17 is outside the 30-day return window.")) ==
      R"({"error_code":"REFUND_WINDOW_EXPIRED","category":"business","retryable":false,"resolution":"abort",)"
      R"("message":"Order A17 is outside the 30-day return window.","field_errors":[],"correlation_id":"","attempt":1,)"
      R"("deadline_ms_remaining":null})");
  CHECK(
      tc::envelope_text(tc::permission("FORBIDDEN", "Role clerk may not refund.")) ==
      R"({"error_code":"FORBIDDEN","category":"permission","retryable":false,"resolution":"escalate",)"
      R"("message":"Role clerk may not refund.","field_errors":[],"correlation_id":"","attempt":1,"deadline_ms_remaining":null})");
  CHECK(
      tc::envelope_text(tc::unknown("OUTCOME_UNKNOWN", "Refund op_7 has no answer.")) ==
      R"({"error_code":"OUTCOME_UNKNOWN","category":"unknown","retryable":false,"resolution":"reconcile",)"
      R"("message":"Refund op_7 has no answer.","field_errors":[],"correlation_id":"","attempt":1,"deadline_ms_remaining":null})");
}

TEST_CASE("envelope: the example of the design comes out letter by letter") {
  CHECK(tc::envelope_text(tc::business("REFUND_WINDOW_EXPIRED",
                                       "Order A17 is outside the 30-day return window (delivered 45 days ago).")
                              .settled({"req_01HZX9K4", 1, std::nullopt, 8400ms})) ==
        R"({"error_code":"REFUND_WINDOW_EXPIRED","category":"business","retryable":false,"resolution":"abort",)"
        R"("message":"Order A17 is outside the 30-day return window (delivered 45 days ago).","field_errors":[],)"
        R"("correlation_id":"req_01HZX9K4","attempt":1,"deadline_ms_remaining":8400})");
}

TEST_CASE("envelope: a field error shows what arrived as JSON, or has no got") {
  CHECK(tc::envelope_text(tc::validation("INVALID_ARGUMENTS", "Four faults.")
                              .field("limit", "range", "must be 1 to 50", 200)
                              .field("labels[\"a.b\"]", "enum", "must be one of x, y", "z\"")
                              .field("user", "type", "must be a string", tc::Shown::json("null"))
                              .field("colour", "unknown_field", "must be one of limit, labels")) ==
        R"({"error_code":"INVALID_ARGUMENTS","category":"validation","retryable":false,"resolution":"fix_input",)"
        R"("message":"Four faults.","field_errors":[)"
        R"({"field":"limit","code":"range","problem":"must be 1 to 50","got":200},)"
        R"({"field":"labels[\"a.b\"]","code":"enum","problem":"must be one of x, y","got":"z\""},)"
        R"({"field":"user","code":"type","problem":"must be a string","got":null},)"
        R"({"field":"colour","code":"unknown_field","problem":"must be one of limit, labels"}],)"
        R"("correlation_id":"","attempt":1,"deadline_ms_remaining":null})");
}

TEST_CASE("envelope: an error whose attempts are used up says not again, and how many there were") {
  CHECK(
      tc::envelope_text(tc::unavailable("The shop is down.").settled({"req_1", 3, 3, std::nullopt})) ==
      R"({"error_code":"UPSTREAM_UNAVAILABLE","category":"transient","retryable":false,"resolution":"escalate",)"
      R"("message":"The shop is down.","field_errors":[],"correlation_id":"req_1","attempt":3,"deadline_ms_remaining":null,)"
      R"("max_attempts":3})");
}

TEST_CASE("envelope: a deadline that has passed is 0") {
  CHECK(tc::envelope_text(tc::not_found("Order A17 does not exist.").settled({"req_1", 1, std::nullopt, -70ms})) ==
        R"({"error_code":"NOT_FOUND","category":"business","retryable":false,"resolution":"abort",)"
        R"("message":"Order A17 does not exist.","field_errors":[],"correlation_id":"req_1","attempt":1,)"
        R"("deadline_ms_remaining":0})");
}

TEST_CASE("envelope: any text is escaped, and what is no UTF-8 becomes U+FFFD") {
  CHECK(tc::envelope_text(tc::not_found("Order \"A\n17\" \\ \xFF caf\u00e9.")) ==
        R"({"error_code":"NOT_FOUND","category":"business","retryable":false,"resolution":"abort",)"
        "\"message\":\"Order \\\"A\\n17\\\" \\\\ \uFFFD caf\u00e9.\",\"field_errors\":[],\"correlation_id\":\"\","
        R"("attempt":1,"deadline_ms_remaining":null})");
}

// ---- writing: optional keys

TEST_CASE("envelope: optional keys of a transient error: max_attempts, retry_after_ms, partial, unknown ones") {
  auto given = tc::rate_limited(1500ms).partial(R"({"rows":[1,2]})").settled({"req_1", 1, 3, 9s}).facts();
  given.extra = R"({"zone":"eu","trace":{"b":1,"a":2}})";
  CHECK(
      tc::envelope_text(tc::ToolError::restore(given)) ==
      R"({"error_code":"RATE_LIMITED","category":"transient","retryable":true,"resolution":"retry",)"
      R"("message":"Too many calls; wait before the next one.","field_errors":[],"correlation_id":"req_1","attempt":1,)"
      R"("deadline_ms_remaining":9000,"max_attempts":3,"retry_after_ms":1500,"partial":{"rows":[1,2]},)"
      R"("zone":"eu","trace":{"b":1,"a":2}})");
}

TEST_CASE("envelope: optional keys of an unknown outcome: max_attempts, reconcile, partial") {
  CHECK(tc::envelope_text(tc::unknown("OUTCOME_UNKNOWN", "Refund op_7 has no answer.")
                              .reconcile_with("refunds_get", R"({"operation_id":"op_7"})")
                              .partial("[]")
                              .settled({"req_1", 1, 3, std::nullopt})) ==
        R"({"error_code":"OUTCOME_UNKNOWN","category":"unknown","retryable":false,"resolution":"reconcile",)"
        R"("message":"Refund op_7 has no answer.","field_errors":[],"correlation_id":"req_1","attempt":1,)"
        R"("deadline_ms_remaining":null,"max_attempts":3,)"
        R"("reconcile":{"tool":"refunds_get","arguments":{"operation_id":"op_7"}},"partial":[]})");
}

TEST_CASE("envelope: optional keys of a validation error: max_attempts, example, partial") {
  CHECK(tc::envelope_text(tc::validation("INVALID_ARGUMENTS", "limit must be 1 to 50.")
                              .example(R"({"limit":50})")
                              .partial("0")
                              .settled({"req_1", 1, 3, std::nullopt})) ==
        R"({"error_code":"INVALID_ARGUMENTS","category":"validation","retryable":false,"resolution":"fix_input",)"
        R"("message":"limit must be 1 to 50.","field_errors":[],"correlation_id":"req_1","attempt":1,)"
        R"("deadline_ms_remaining":null,"max_attempts":3,"example":{"limit":50},"partial":0})");
}

TEST_CASE(
    "envelope: optional keys of a permission error: needs_confirmation, preview, how_to_proceed, ticket, partial") {
  CHECK(tc::envelope_text(tc::permission("CONFIRMATION_REQUIRED", "Refunds need a human.")
                              .confirmation({"Refund 12.50 EUR", "Wait for the answer.", "ticket_1"})
                              .partial("0")
                              .settled({"req_1", 1, 3, std::nullopt})) ==
        R"({"error_code":"CONFIRMATION_REQUIRED","category":"permission","retryable":false,"resolution":"escalate",)"
        R"("message":"Refunds need a human.","field_errors":[],"correlation_id":"req_1","attempt":1,)"
        R"("deadline_ms_remaining":null,"max_attempts":3,"needs_confirmation":true,"preview":"Refund 12.50 EUR",)"
        R"("how_to_proceed":"Wait for the answer.","ticket":"ticket_1","partial":0})");
}

TEST_CASE("envelope: JSON parts that are empty are left out, a reconcile call without arguments has none") {
  const std::string plain = tc::envelope_text(tc::validation("A_CODE", "Order A17."));
  CHECK(tc::envelope_text(tc::validation("A_CODE", "Order A17.").example("").partial("")) == plain);
  CHECK(
      tc::envelope_text(tc::unknown("A_CODE", "Order A17.").reconcile_with("orders_get", "")) ==
      R"({"error_code":"A_CODE","category":"unknown","retryable":false,"resolution":"reconcile","message":"Order A17.",)"
      R"("field_errors":[],"correlation_id":"","attempt":1,"deadline_ms_remaining":null,)"
      R"("reconcile":{"tool":"orders_get","arguments":{}}})");
}

TEST_CASE("envelope: an empty object of unknown members adds nothing") {
  for (const auto* extra : {"", "{}", "{ }", "{\n}"}) {
    auto given = tc::not_found("Order A17 does not exist.").facts();
    given.extra = extra;
    CHECK(tc::envelope_text(tc::ToolError::restore(given)) ==
          tc::envelope_text(tc::not_found("Order A17 does not exist.")));
  }
}

TEST_CASE("envelope: internal detail never appears") {
  const auto check = [](auto made) {
    const std::string without = tc::envelope_text(made);
    CHECK(tc::envelope_text(made.internal("pg://user:pw@host")) == without);
  };
  check(tc::transient("A_CODE", "Order A17."));
  check(tc::validation("A_CODE", "Order A17."));
  check(tc::business("A_CODE", "Order A17."));
  check(tc::permission("A_CODE", "Order A17."));
  check(tc::unknown("A_CODE", "Order A17."));
}

TEST_CASE("envelope: as a JSON value it keeps the order of its keys") {
  const auto error =
      tc::validation("INVALID_ARGUMENTS", "limit must be 1 to 50.").field("limit", "range", "must be 1 to 50", 200);
  CHECK(tc::envelope(error).dump() == tc::envelope_text(error));
  CHECK(tc::envelope<json>(error) == json::parse(tc::envelope_text(error)));
}

// ---- reading

TEST_CASE("envelope: any error that is written reads back the same, through text and through either JSON type") {
  std::mt19937 random(20261130);  // NOLINT: the same errors every time
  for (int round = 0; round < 3000; ++round) {
    const tc::ToolError error = random_error(random);
    const std::string text = tc::envelope_text(error);
    INFO(text);
    REQUIRE(read(text) == error.facts());
    REQUIRE(read(json::parse(text)) == error.facts());
    REQUIRE(read(ordered_json::parse(text)) == error.facts());
  }
}

TEST_CASE("envelope: an error reads back without its internal detail") {
  CHECK(read(tc::envelope_text(tc::not_found("Order A17 does not exist.").internal("no row"))) ==
        tc::not_found("Order A17 does not exist.").facts());
}

TEST_CASE("envelope: a wait of many days reads back whole") {
  const auto error = tc::rate_limited(24h * 40).settled({"req_1", 1, 3, 24h * 50});
  CHECK(read(tc::envelope_text(error)) == error.facts());
}

TEST_CASE("envelope: members this version does not know are kept, in their order where the JSON type keeps one") {
  constexpr std::string_view later =
      R"({"version":2,"error_code":"NOT_FOUND","category":"business","retryable":false,"resolution":"abort",)"
      R"("message":"Order A17 does not exist.","field_errors":[],"correlation_id":"","attempt":1,)"
      R"("deadline_ms_remaining":null,"links":[{"b":"x","a":null}]})";
  auto expected = tc::not_found("Order A17 does not exist.").facts();
  expected.extra = R"({"version":2,"links":[{"b":"x","a":null}]})";
  CHECK(read(ordered_json::parse(later)) == expected);
  expected.extra = R"({"links":[{"a":null,"b":"x"}],"version":2})";
  CHECK(read(later) == expected);
}

TEST_CASE("envelope: the older shape reads as the category and flag it has, and keeps the rest") {
  auto expected = facts(Category::business);
  expected.message = "Order A17 is outside the 30-day return window.";
  CHECK(
      read(
          R"({"errorCategory":"business","isRetryable":false,"message":"Order A17 is outside the 30-day return window."})"s) ==
      expected);

  expected = facts(Category::validation);
  expected.message = "Invalid order ID format: \"order-abc\".";
  expected.extra = R"({"context":{"input":{"orderId":"order-abc"}},"description":"Use #NNNNN.","isError":true})";
  CHECK(read(R"({"isError":true,"errorCategory":"validation","isRetryable":false,)"
             R"("message":"Invalid order ID format: \"order-abc\".","description":"Use #NNNNN.",)"
             R"("context":{"input":{"orderId":"order-abc"}}})"s) == expected);
}

TEST_CASE("envelope: the wider categories of older envelopes are read as one of the five") {
  const std::pair<std::string_view, Category> words[] = {{"transient", Category::transient},
                                                         {"validation", Category::validation},
                                                         {"business", Category::business},
                                                         {"permission", Category::permission},
                                                         {"unknown", Category::unknown},
                                                         {"rate-limit", Category::transient},
                                                         {"rate_limit", Category::transient},
                                                         {"rate_limited", Category::transient},
                                                         {"unavailable", Category::transient},
                                                         {"invalid_input", Category::validation},
                                                         {"malformed_upstream", Category::validation},
                                                         {"not-found", Category::business},
                                                         {"not_found", Category::business},
                                                         {"conflict", Category::business},
                                                         {"permanent", Category::business},
                                                         {"auth", Category::permission},
                                                         {"authentication", Category::permission},
                                                         {"authorization", Category::permission},
                                                         {"unauthenticated", Category::permission},
                                                         {"forbidden", Category::permission},
                                                         {"timeout", Category::unknown},
                                                         {"timed-out", Category::unknown},
                                                         {"internal", Category::unknown},
                                                         {"something else", Category::unknown},
                                                         {"Business", Category::unknown}};
  for (const auto& [word, category] : words) {
    INFO(word);
    CHECK(read(json{{"errorCategory", word}}) == facts(category));
    CHECK(read(json{{"category", word}}) == facts(category));
  }
}

TEST_CASE("envelope: category counts before errorCategory, unless it is no text") {
  CHECK(read(json{{"category", "business"}, {"errorCategory", "transient"}}) == facts(Category::business));
  CHECK(read(json{{"category", 7}, {"errorCategory", "transient"}}) == facts(Category::transient));
}

TEST_CASE("envelope: a transient error that must not be retried is one to escalate, in either shape") {
  CHECK(read(json{{"category", "transient"}, {"retryable", false}}) ==
        facts(Category::transient, Resolution::escalate));
  CHECK(read(json{{"errorCategory", "rate-limit"}, {"isRetryable", false}}) ==
        facts(Category::transient, Resolution::escalate));
  CHECK(read(json{{"errorCategory", "transient"}, {"isRetryable", true}}) == facts(Category::transient));
}

TEST_CASE("envelope: no flag makes an error of another category retryable") {
  for (const Category category : categories) {
    if (category == Category::transient) continue;
    CHECK(read(json{{"category", tc::name(category)}, {"retryable", true}, {"isRetryable", true}}) == facts(category));
  }
}

TEST_CASE(
    "envelope: a resolution is taken where the category table allows it, and replaced by the category's own "
    "elsewhere") {
  for (const Category category : categories)
    for (const auto resolution :
         {Resolution::retry, Resolution::fix_input, Resolution::abort, Resolution::escalate, Resolution::reconcile}) {
      INFO(tc::name(category) << " / " << tc::name(resolution));
      const bool allowed = tc::allows(category, resolution);
      CHECK(read(json{{"category", tc::name(category)}, {"resolution", tc::name(resolution)}}) ==
            facts(category, allowed ? std::optional(resolution) : std::nullopt));
    }
}

TEST_CASE("envelope: a code or message that could not be built here is replaced") {
  for (const auto* code : {"", "not_found", "HTTP 404"})
    CHECK(read(json{{"category", "business"}, {"error_code", code}, {"message", " \n"}}) == facts(Category::business));
}

TEST_CASE("envelope: field errors without a code, as older envelopes have them, are read") {
  auto expected = facts(Category::validation);
  expected.field_errors = {{"currency", "", "must be one of USD, EUR, GBP", tc::Shown("dollars")}};
  CHECK(read(R"({"category":"validation","field_errors":)"
             R"([{"field":"currency","problem":"must be one of USD, EUR, GBP","got":"dollars"}]})"s) == expected);
}

TEST_CASE(
    "envelope: a field error keeps what it can of members of the wrong type, and what is no object is passed over") {
  auto expected = facts(Category::validation);
  expected.field_errors = {{"", "", "", std::nullopt}, {"", "", "", tc::Shown::json(R"({"a":[1]})")}};
  CHECK(read(R"({"category":"validation","field_errors":[1,null,"x",[],{},)"
             R"({"field":1,"code":null,"problem":[],"got":{"a":[1]}}]})"s) == expected);
}

TEST_CASE("envelope: a member of the wrong type reads as if it were not there") {
  const json wrong[] = {nullptr,        true,          -1, 1.5, 1e300, "", "text", json::array(), json::array({1}),
                        json::object(), json{{"a", 1}}};
  const json full = {{"error_code", "A_CODE"},
                     {"message", "Order A17."},
                     {"resolution", "escalate"},
                     {"field_errors", json::array({{{"field", "a"}, {"code", "b"}, {"problem", "c"}}})},
                     {"correlation_id", "req_1"},
                     {"attempt", 2},
                     {"max_attempts", 3},
                     {"deadline_ms_remaining", 8400},
                     {"retry_after_ms", 1500},
                     {"reconcile", {{"tool", "orders_get"}, {"arguments", json::object()}}},
                     {"example", {{"a", 1}}},
                     {"needs_confirmation", true},
                     {"preview", "p"},
                     {"how_to_proceed", "h"},
                     {"ticket", "t"}};
  const auto fits = [&](const std::string& key, const json& value) {
    if (key == "example") return value.is_object();
    if (key == "field_errors") return value.is_array();
    if (key == "needs_confirmation") return value.is_boolean();
    return full[key].is_string() && value.is_string();
  };
  for (const Category category : categories)
    for (const auto& [key, value] : full.items())
      for (const json& other : wrong) {
        if (fits(key, other)) continue;
        json with = full;
        with["category"] = tc::name(category);
        json without = with;
        without.erase(key);
        with[key] = other;
        INFO(with.dump());
        CHECK(read(with) == read(without));
      }
}

TEST_CASE("envelope: a number is read where it is a natural one that fits, 5.0 too") {
  auto expected = facts(Category::transient);
  expected.budget = {"", 5, 5, 5ms};
  expected.retry_after = 5ms;
  CHECK(
      read(
          R"({"category":"transient","attempt":5.0,"max_attempts":5.0,"deadline_ms_remaining":5.0,"retry_after_ms":5.0})"s) ==
      expected);
  for (const auto* number : {"-1", "0.5", "1e300", "18446744073709551615"}) {
    const std::string text =
        R"({"category":"transient","attempt":@,"max_attempts":@,"deadline_ms_remaining":@,"retry_after_ms":@})";
    std::string filled;
    for (const char c : text) c == '@' ? filled += number : filled += c;
    CHECK(read(filled) == facts(Category::transient));
  }
  CHECK(read(R"({"category":"transient","attempt":2147483648,"max_attempts":2147483648})"s) ==
        facts(Category::transient));
}

TEST_CASE("envelope: a reconcile call without a tool, or with arguments that cannot be said, is dropped") {
  for (const auto* call : {R"({})", R"({"arguments":{"a":1}})", R"({"tool":"","arguments":{}})", R"({"tool":5})"})
    CHECK(read(R"({"category":"unknown","reconcile":)" + std::string(call) + "}") == facts(Category::unknown));
  auto expected = facts(Category::unknown);
  expected.reconcile = {"orders_get", "{}"};
  CHECK(read(R"({"category":"unknown","reconcile":{"tool":"orders_get","arguments":[1]}})"s) == expected);
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  CHECK(read(R"({"category":"unknown","reconcile":{"tool":"orders_get","arguments":{"a":)" + deep + "}}}") ==
        facts(Category::unknown));
}

TEST_CASE("envelope: a confirmation is read only where needs_confirmation is true, and only of a permission error") {
  auto expected = facts(Category::permission);
  expected.confirmation = {"p", "h", "t"};
  json asked = {{"category", "permission"},
                {"needs_confirmation", true},
                {"preview", "p"},
                {"how_to_proceed", "h"},
                {"ticket", "t"}};
  CHECK(read(asked) == expected);
  asked["needs_confirmation"] = false;
  CHECK(read(asked) == facts(Category::permission));
  asked["needs_confirmation"] = true;
  asked["category"] = "business";
  CHECK(read(asked) == facts(Category::business));
}

TEST_CASE("envelope: what has no category, or is no object, is none") {
  for (const auto* text :
       {"{}", R"({"error":"boom"})", R"({"category":""})", R"({"category":null})", R"({"category":["business"]})", "[]",
        R"(["category"])", "null", "true", "7", R"("category")"})
    CHECK(read(std::string(text)) == no_envelope());
}

TEST_CASE("envelope: text that is no JSON is none") {
  for (const auto& text : {""s, " "s, "Error: boom"s, R"({"category":"business")"s, R"({'category':'business'})"s,
                           R"({"category":"business"} trailing)"s, R"({"category":"business","attempt":1e400})"s,
                           "{\"category\":\"business\",\"message\":\"\xFF\"}"s, std::string(1'000'000, '['), "\0"s})
    CHECK(read(text) == no_envelope());
}

TEST_CASE("envelope: a part nested a hundred thousand deep is left out, the rest is read") {
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  for (const auto* key : {"partial", "example", "field_errors", "trace", "message"})
    CHECK(read(R"({"category":"business",")" + std::string(key) + "\":" + deep + "}") == facts(Category::business));
}

TEST_CASE("envelope: a part that has no JSON text is left out") {
  const json values[] = {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(),
                         json::binary({1, 2}), json(json::value_t::discarded), json::array({json::binary({})})};
  for (const json& value : values)
    for (const auto* key : {"partial", "example", "trace", "reconcile", "attempt", "message", "retryable"}) {
      json with = {{"category", "business"}};
      with[key] = value;
      INFO(key);
      CHECK(read(with) == facts(Category::business));
    }
  auto expected = facts(Category::validation);
  expected.field_errors = {{"a", "", "", std::nullopt}};
  CHECK(read(json{{"category", "validation"},
                  {"field_errors",
                   json::array({{{"field", "a"}, {"got", std::numeric_limits<double>::quiet_NaN()}}})}}) == expected);
}

TEST_CASE("envelope: whatever is read obeys the category table, and writing and reading it again changes nothing") {
  std::mt19937 random(20261130);  // NOLINT: the same values every time
  constexpr std::string_view words[] = {"transient",  "validation", "business",  "permission", "unknown",
                                        "rate-limit", "retry",      "fix_input", "abort",      "reconcile",
                                        "escalate",   "A_CODE",     "",          "x"};
  const auto value = [&](auto&& self, int depth) -> json {
    switch (random() % 6) {
      case 0:
        return words[random() % std::size(words)];
      case 1:
        return random() % 2 == 0;
      case 2:
        return random() % 5;
      case 3: {
        auto object = json::object();
        for (auto count = random() % 4; count > 0 && depth > 0; --count) {
          constexpr std::string_view inner[] = {"tool", "arguments", "field", "code", "problem", "got", "category"};
          object[std::string(inner[random() % std::size(inner)])] = self(self, depth - 1);
        }
        return object;
      }
      case 4: {
        auto array = json::array();
        for (auto count = random() % 4; count > 0 && depth > 0; --count) array.push_back(self(self, depth - 1));
        return array;
      }
      default:
        return random_json(random, 2);
    }
  };
  int envelopes = 0;
  for (int round = 0; round < 8000; ++round) {
    auto foreign = json::object();
    if (random() % 4 != 0) foreign["category"] = words[random() % 6];
    for (auto count = random() % 12; count > 0; --count) {
      const auto pick = random() % (std::size(known_keys) + 2);
      foreign[pick < std::size(known_keys) ? std::string(known_keys[pick]) : "x" + std::to_string(pick)] =
          value(value, 3);
    }
    INFO(foreign.dump());
    const auto first = tc::read_envelope(foreign);
    if (!first) continue;
    ++envelopes;
    const bool legal = tc::allows(first->category(), first->resolution());
    REQUIRE(legal);
    const std::string text = tc::envelope_text(*first);
    REQUIRE(json::accept(text));
    REQUIRE(read(text) == first->facts());
  }
  CHECK(envelopes > 4000);
}

TEST_CASE("envelope: damaged text never throws, and what is read of it can be written") {
  std::mt19937 random(20261130);  // NOLINT: the same damage every time
  int envelopes = 0;
  for (int round = 0; round < 8000; ++round) {
    std::string text = tc::envelope_text(random_error(random));
    for (auto count = random() % 4; count > 0; --count) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          text.erase(at, random() % 10);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 10));
      }
      if (text.empty()) break;
    }
    if (const auto error = tc::read_envelope(text)) {
      ++envelopes;
      REQUIRE(json::accept(tc::envelope_text(*error)));
    }
  }
  CHECK(envelopes > 500);
}

TEST_CASE("envelope: parts that were promised to be JSON and are not cannot break it") {
  const auto told = [](const tc::ToolError& error) { return nlohmann::json::parse(tc::envelope_text(error)); };
  CHECK(told(tc::unavailable("Shop A is down.").partial("<html>"))["partial"] == "<html>");
  CHECK(told(tc::unavailable("Shop A is down.").partial(R"({"a":1)"))["partial"] == R"({"a":1)");
  CHECK_FALSE(told(tc::validation("BAD", "x is bad.").example("{,}")).contains("example"));
  CHECK_FALSE(told(tc::validation("BAD", "x is bad.").example("[1]")).contains("example"));
  CHECK_FALSE(
      told(tc::unknown("LOST", "Order A17 may have changed.").reconcile_with("get", "id=1")).contains("reconcile"));
  CHECK(told(tc::validation("BAD", "x is bad.")
                 .field("x", "rule", "must be 1", tc::Shown::json("NaN")))["field_errors"][0]["got"] == "NaN");
  tc::ErrorFacts facts = tc::unavailable("Shop A is down.").facts();
  facts.extra = R"({"a":1}})";
  CHECK_FALSE(told(tc::ToolError::restore(facts)).contains("a"));
}
