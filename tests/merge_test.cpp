// SPDX-License-Identifier: MIT
#include <toolcontract/merge.hpp>

#include <toolcontract/decode.hpp>
#include <toolcontract/envelope.hpp>
#include <toolcontract/json_schema.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch.hpp"
#include "show.hpp"

namespace tc = toolcontract;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

tc::ToolError transient() { return tc::unavailable("The CRM is down.").retry_after(2s); }
tc::ToolError validation() {
  return tc::validation("BAD_QUERY", "The query is bad.").field("query", "rule", "must not be a verb");
}
tc::ToolError business() { return tc::conflict("Order A17 was refunded already."); }
tc::ToolError permission() { return tc::forbidden("The mail of Ada is private."); }
tc::ToolError unknown() {
  return tc::unknown("OUTCOME_UNKNOWN", "The refund of order A19 timed out; it may have happened.")
      .reconcile_with("refunds_get", R"({"operation_id":"op_3"})");
}

json partial_of(const tc::ToolError& error) { return json::parse(error.facts().partial); }

}  // namespace

TEST_CASE("merge: an error alone comes back as it is, and none cannot be merged") {
  CHECK(tc::merge({{"crm", transient()}}).facts() == transient().facts());
  CHECK_THROWS_AS(tc::merge(std::vector<tc::SourcedError>{}), std::invalid_argument);
}

TEST_CASE("merge: two errors are one envelope in which both are told apart") {
  const tc::ToolError error = tc::merge({{"crm", transient()}, {"mail", permission()}});
  CHECK(tc::envelope_text(error) ==
        R"({"error_code":"FORBIDDEN","category":"permission","retryable":false,"resolution":"escalate",)"
        R"("message":"2 failures. crm: The CRM is down. mail: The mail of Ada is private.","field_errors":[],)"
        R"("correlation_id":"","attempt":1,"deadline_ms_remaining":null,"partial":{"failed":[)"
        R"({"source":"crm","error_code":"UPSTREAM_UNAVAILABLE","category":"transient","retryable":true,)"
        R"("resolution":"retry","message":"The CRM is down.","retry_after_ms":2000},)"
        R"({"source":"mail","error_code":"FORBIDDEN","category":"permission","retryable":false,)"
        R"("resolution":"escalate","message":"The mail of Ada is private."}]}})");
}

TEST_CASE("merge: the category is unknown before permission, validation, business and transient, in any order") {
  const std::vector<tc::ToolError> order = {unknown(), permission(), validation(), business(), transient()};
  for (std::size_t a = 0; a < order.size(); ++a)
    for (std::size_t b = 0; b < order.size(); ++b) {
      INFO(a << " " << b);
      const tc::ToolError error = tc::merge({{"a", order[a]}, {"b", order[b]}});
      CHECK(error.category() == order[(std::min)(a, b)].category());
      CHECK(error.resolution() == order[(std::min)(a, b)].resolution());
      CHECK(error.code() == order[(std::min)(a, b)].code());
    }
}

TEST_CASE("merge: only where every one may be retried may the whole be, after the longest wait") {
  const auto brief = tc::rate_limited(500ms, "Mail was asked too often.");
  const tc::ToolError again = tc::merge({{"mail", brief}, {"crm", transient()}, {"wiki", tc::unavailable("No wiki.")}});
  CHECK(again.retryable());
  CHECK(again.facts().retry_after == 2000ms);
  const tc::ToolError used_up = transient().settled({"", 3, 3, {}});
  const tc::ToolError not_again = tc::merge({{"mail", brief}, {"crm", used_up}});
  CHECK_FALSE(not_again.retryable());
  CHECK(not_again.resolution() == tc::Resolution::escalate);
  CHECK(not_again.facts().budget == used_up.facts().budget);
  CHECK_FALSE(tc::merge({{"mail", brief}, {"crm", business()}}).facts().retry_after);
}

TEST_CASE("merge: what may have happened comes first, each with the call that finds out") {
  const auto other = tc::unknown("OUTCOME_UNKNOWN", "The refund of order A20 was cut off.")
                         .reconcile_with("refunds_get", R"({"operation_id":"op_4"})");
  const auto harmless = tc::unknown("INTERNAL_ERROR", "Reading order A21 failed.").escalate();
  const tc::ToolError error =
      tc::merge({{"op_1", business()}, {"op_2", harmless}, {"op_3", unknown()}, {"op_4", other}});
  CHECK(error.code() == "OUTCOME_UNKNOWN");
  CHECK(error.resolution() == tc::Resolution::reconcile);
  CHECK(error.facts().reconcile == tc::ReconcileCall{"refunds_get", R"({"operation_id":"op_3"})"});
  CHECK(error.message() ==
        "4 failures. op_3: The refund of order A19 timed out; it may have happened. op_4: The refund of order A20 was "
        "cut "
        "off. op_2: Reading order A21 failed. op_1: Order A17 was refunded already.");
  const json failed = partial_of(error)["failed"];
  CHECK(failed[0]["reconcile"] == json{{"tool", "refunds_get"}, {"arguments", {{"operation_id", "op_3"}}}});
  CHECK(failed[1]["reconcile"] == json{{"tool", "refunds_get"}, {"arguments", {{"operation_id", "op_4"}}}});
  CHECK(failed[2]["source"] == "op_2");
  CHECK(failed[3]["source"] == "op_1");
  const tc::ToolError nothing_changed = tc::merge({{"a", harmless}, {"b", business()}});
  CHECK(nothing_changed.category() == tc::Category::unknown);
  CHECK(nothing_changed.resolution() == tc::Resolution::escalate);
}

TEST_CASE("merge: a write that could only be repeated safely is unknown once the whole may not be repeated") {
  const auto perhaps = tc::unavailable("The refund of order A17 was cut off.").may_have_happened();
  const tc::ToolError repeatable = tc::merge({{"a", perhaps}, {"b", transient()}});
  CHECK(repeatable.retryable());
  CHECK(repeatable.facts().may_have_happened);
  const tc::ToolError error = tc::merge({{"b", business()}, {"a", perhaps}});
  CHECK(error.code() == "OUTCOME_UNKNOWN");
  CHECK(error.category() == tc::Category::unknown);
  CHECK(error.resolution() == tc::Resolution::reconcile);
  CHECK(partial_of(error)["failed"][0]["source"] == "a");
  const tc::ToolError used_up = tc::merge({{"a", perhaps}, {"b", transient().settled({"", 3, 3, {}})}});
  CHECK(used_up.code() == "OUTCOME_UNKNOWN");
  CHECK(used_up.resolution() == tc::Resolution::reconcile);
}

TEST_CASE("merge: field errors, example and confirmation are those of the category the whole has") {
  const auto fixable =
      tc::validation("BAD_LIMIT", "The limit is bad.").field("limit", "range", "must be 1 to 5", 9).example("{}");
  const tc::ToolError error =
      tc::merge({{"crm", validation()}, {"mail", fixable}, {"api", tc::malformed_upstream("a list", "HTML")}});
  CHECK(error.resolution() == tc::Resolution::fix_input);
  CHECK(error.field_errors() == std::vector<tc::FieldError>{{"query", "rule", "must not be a verb", {}},
                                                            {"limit", "range", "must be 1 to 5", 9}});
  CHECK(error.facts().example == "{}");
  const tc::Confirmation asked{"Refund 5", "Ask.", "tk_1"};
  const tc::ToolError consent =
      tc::merge({{"a", validation()},
                 {"b", tc::permission("CONFIRMATION_REQUIRED", "A person must agree.").confirmation(asked)}});
  CHECK(consent.facts().confirmation == asked);
  CHECK(consent.field_errors().empty());

  auto many = tc::validation("BAD", "Much is bad.");
  for (int i = 0; i < 12; ++i) many.field("f" + std::to_string(i), "rule", "must be good");
  const auto all = tc::merge({{"a", many}, {"b", many}}).field_errors();
  REQUIRE(all.size() == 17);
  CHECK(all.back() == tc::FieldError{"", "more", "must be free of 8 more faults that are not listed here", {}});
}

TEST_CASE("merge: internal details are joined for the report, and reach no envelope") {
  const tc::ToolError error = tc::merge({{"crm", tc::unavailable("The CRM is down.").internal("crm-1:443")},
                                         {"mail", tc::unavailable("Mail is down.").internal("pg://user:pw@host")}});
  CHECK(error.facts().internal->for_report() == "crm: crm-1:443 mail: pg://user:pw@host");
  CHECK(tc::envelope_text(error).find("pg://") == std::string::npos);
}

TEST_CASE("merge: ten thousand failures make one short error that counts what it does not list, the unknown first") {
  std::vector<tc::SourcedError> errors;
  for (int i = 0; i < 10000; ++i)
    errors.push_back({"source_" + std::to_string(i), tc::unavailable(std::string(2000, 'x') + std::to_string(i))});
  errors.push_back({"last", unknown()});
  const tc::ToolError error = tc::merge(errors, "Nothing could be read.");
  CHECK(error.category() == tc::Category::unknown);
  CHECK(error.message().starts_with("Nothing could be read. last: The refund of order A19 timed out;"));
  const std::size_t in_words =
      static_cast<std::size_t>(std::count(error.message().begin(), error.message().end(), ':')) - 1;
  CHECK(in_words > 15);
  CHECK(error.message().ends_with(" And " + std::to_string(10001 - in_words) +
                                  " more: " + std::to_string(10001 - in_words) + " transient."));
  const json partial = partial_of(error);
  CHECK(partial["failed"].size() > 20);
  CHECK(partial["failed"][0]["source"] == "last");
  CHECK(partial["not_listed"] == std::to_string(10001 - partial["failed"].size()) + " transient");
  tc::ErrorFacts facts = error.facts();
  tc::detail::cut_to_limits(facts);
  CHECK(facts == error.facts());
}

TEST_CASE("merge: a message of any bytes is within what an error may hold, since it counts as it is written") {
  const std::string bytes(5000, '\x01');
  tc::ErrorFacts facts =
      tc::merge({{bytes, tc::unavailable(bytes).partial("\"" + std::string(4000, 'x') + "\"")},
                 {"b", tc::unknown("LOST", bytes).reconcile_with("get", "{\"a\":\"" + std::string(9000, 'x') + "\"}")}})
          .facts();
  CHECK(json::parse(facts.partial)["failed"].size() == 2);
  CHECK(json::parse(facts.partial)["failed"][0]["message"].get<std::string>().ends_with(
      "(The call that finds out is too long to repeat here.)"));
  CHECK(facts.partial.size() < tc::ErrorLimits::partial);
}

TEST_CASE("merge: merged errors may be merged again, and what the first merge listed is still there") {
  const tc::ToolError inner = tc::merge({{"crm", transient()}, {"mail", unknown()}});
  const json failed = partial_of(tc::merge({{"wiki", business()}, {"search", inner}}))["failed"];
  CHECK(failed[0]["source"] == "search");
  CHECK(failed[0]["partial"]["failed"][0]["source"] == "mail");
  CHECK(failed[0]["partial"]["failed"][1]["source"] == "crm");
  const auto long_winded = tc::unavailable("The CRM is down.").partial("\"" + std::string(5000, 'x') + "\"");
  const json entry = partial_of(tc::merge({{"a", long_winded}, {"b", business()}}))["failed"][0];
  CHECK_FALSE(entry.contains("partial"));
  CHECK(entry["message"] == "The CRM is down. (What it had obtained is too long to repeat here.)");
}

TEST_CASE("merge: texts that are no UTF-8 or too long end on a character boundary, in one well-formed envelope") {
  const std::string wide = std::string(999, 'x') + "\xC3\xA9\xC3\xA9";
  const tc::ToolError error =
      tc::merge({{"crm\xff" + std::string(200, 'y'), tc::unavailable(wide)}, {"\0", business()}});
  const json envelope = json::parse(tc::envelope_text(error));
  CHECK(envelope["partial"]["failed"][0]["message"] == std::string(999, 'x') + "…");
  CHECK(envelope["partial"]["failed"][0]["source"] == "crm\xEF\xBF\xBD" + std::string(116, 'y') + "…");
}

TEST_CASE("merge: a failure is written and read by its description") {
  const tc::Failure failure("crm", unknown());
  const std::string text = tc::encode_text(failure).value();
  CHECK(text == R"({"source":"crm","error_code":"OUTCOME_UNKNOWN","category":"unknown","retryable":false,)"
                R"("resolution":"reconcile","message":"The refund of order A19 timed out; it may have happened.",)"
                R"("reconcile":{"tool":"refunds_get","arguments":{"operation_id":"op_3"}}})");
  CHECK(tc::decode<tc::Failure>(text).value() == failure);
  const json schema = tc::json_schema<tc::Failure, json>(tc::Direction::output);
  CHECK(schema["required"] == json{"source", "error_code", "category", "retryable", "resolution", "message"});
  CHECK(schema["properties"]["category"]["enum"] ==
        json{"transient", "validation", "business", "permission", "unknown"});
}
