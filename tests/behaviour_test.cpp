// SPDX-License-Identifier: MIT
// What was seen to go wrong elsewhere, one test a case: each begins with its number in the list of behaviours.
#include <toolcontract/toolcontract.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "show.hpp"
#include "support_world.hpp"

namespace tc = toolcontract;
namespace mcp = toolcontract::mcp;
namespace claude = toolcontract::claude;
using Json = nlohmann::json;
using mcp::Revision;

namespace {

struct Key {
  std::string id;
  std::optional<std::string> password;
};
constexpr auto tool_schema(tc::type<Key>) {
  return tc::object(tc::field<&Key::id>("id", "ID, e.g. 'A17'."),
                    tc::field<&Key::password>("password", "Password.", tc::secret(), tc::max_length(8)));
}

struct Text {
  std::string text;
};
constexpr auto tool_schema(tc::type<Text>) { return tc::object(tc::field<&Text::text>("text", "A text.")); }

/// The desk's tools over one shop, and what they reported.
struct Desk {
  support::MemoryBook book;
  support::Shop shop;
  std::vector<tc::Report> reports;
  tc::Toolset tools;

  explicit Desk(support::ShopOptions of = {}) : shop(book, std::move(of)), tools(options(), all()) {}
  Desk(const Desk&) = delete;

 private:
  tc::ToolsetOptions options() {
    tc::ToolsetOptions options;
    options.ids = [](std::chrono::system_clock::time_point) { return "req_1"; };
    options.report = [this](const tc::Report& report) noexcept { reports.push_back(report); };
    return options;
  }
  std::vector<tc::Tool> all() {
    return {support::orders_get(shop),  support::orders_search(shop), support::tickets_search(shop),
            support::desk_search(shop), support::refunds_get(shop),   support::refunds_create(shop)};
  }
};

/// One tool "t" that answers with what `handler` makes of a Key.
template <class Out, class Handler>
tc::Toolset single(Handler handler, tc::ToolsetOptions options = {}) {
  return tc::Toolset{std::move(options), tc::tool<Key, Out>("t").does("Does something.").handle(std::move(handler))};
}
constexpr std::string_view a17 = R"({"id":"A17"})";

/// Errors of every category, each with all that its category can carry.
std::vector<tc::ToolError> every_error() {
  using namespace std::chrono_literals;
  return {
      tc::transient("BUSY", "Shop A is busy.").retry_after(2s).partial("[1]").internal("bucket 7"),
      tc::validation("BAD", "Field x is bad.").field("x", "range", "must be 1", 2).example("{}").internal("i"),
      tc::business("RULE", "Order A17 is too old.").internal("rule 9"),
      tc::permission("CONFIRMATION_REQUIRED", "A human must agree.").confirmation({"Refund 5", "Wait.", "t_1"}),
      tc::unknown("OUTCOME_UNKNOWN", "Order A17 may have changed.").reconcile_with("orders_get", R"({"id":"A17"})")};
}

}  // namespace

TEST_CASE("B1: a call with bad arguments over MCP is a tool result with isError, never a JSON-RPC error") {
  Desk desk;
  for (const Revision revision : mcp::revisions)
    for (const char* arguments :
         {"{}", "[]", "null", "{", R"({"order_id":7})", R"({"order_id":"A1","order_id":"A2"})"}) {
      const Json message = mcp::respond<Json>(revision, 7, desk.tools.call("orders_get", arguments));
      INFO(message.dump());
      CHECK_FALSE(message.contains("error"));
      CHECK(message["result"]["isError"] == true);
    }
}

TEST_CASE("B2: an unknown tool is -32602 on MCP, naming the nearest tool, and an is_error block on Claude") {
  Desk desk;
  const tc::Outcome outcome = desk.tools.call("order_get", "{}");
  const Json error = mcp::respond<Json>(Revision::v2025_11_25, 7, outcome)["error"];
  CHECK(error["code"] == -32602);
  CHECK(error["message"] == R"(There is no tool named "order_get"; did you mean orders_get?)");
  const Json block = claude::tool_result<Json>("toolu_01", outcome);
  CHECK(block["is_error"] == true);
  CHECK(Json::parse(block["content"][0]["text"].get<std::string>())["error_code"] == "UNKNOWN_TOOL");
}

TEST_CASE("B3: any error is the whole envelope in the first and only text block, without structuredContent") {
  for (const tc::ToolError& error : every_error()) {
    const tc::Outcome outcome = tc::Outcome::failure("t", error);
    const Json block = {{"type", "text"}, {"text", tc::envelope_text(error)}};
    for (const Revision revision : mcp::revisions) {
      const Json result = mcp::call_result<Json>(revision, outcome);
      CHECK(result["content"] == Json::array({block}));
      CHECK_FALSE(result.contains("structuredContent"));
    }
    CHECK(claude::tool_result<Json>("toolu_01", outcome)["content"] == Json::array({block}));
  }
}

TEST_CASE("B4: on success of a typed tool structuredContent and the text hold the same JSON") {
  Desk desk;
  const tc::Outcome outcomes[] = {desk.tools.call("orders_get", R"({"order_id":"A18"})"),
                                  desk.tools.call("orders_get", R"({"order_id":"A99"})"),
                                  desk.tools.call("orders_search", R"({"customer_email":"ada@example.com"})"),
                                  single<std::vector<Text>>([](const Key&) {
                                    return std::vector<Text>{{"a"}, {"b"}};
                                  }).call("t", a17)};
  for (const tc::Outcome& outcome : outcomes)
    for (const Revision revision : {Revision::v2025_06_18, Revision::v2025_11_25, Revision::v2026_07_28}) {
      const Json result = mcp::call_result<Json>(revision, outcome);
      CHECK(Json::parse(result["content"][0]["text"].get<std::string>()) == result["structuredContent"]);
    }
}

TEST_CASE("B5: an error with an empty message cannot be built, and the text of an error is never empty") {
  CHECK_THROWS_AS(tc::business("RULE", ""), std::invalid_argument);
  CHECK_THROWS_AS(tc::not_found(" \n"), std::invalid_argument);
  const auto tools = single<Text>([](const Key& key) -> tc::Result<Text> { return tc::not_found(key.id); });
  const tc::Outcome outcome = tools.call("t", R"({"id":""})");
  CHECK(outcome.error().message() ==
        "t failed unexpectedly and may have taken effect. Find out before calling it again.");
  CHECK(claude::tool_result<Json>("toolu_01", outcome)["content"][0]["text"] == tc::envelope_text(outcome.error()));
}

TEST_CASE("B6: whatever an error carries, Claude gets text only") {
  for (const tc::ToolError& error : every_error()) {
    const Json block = claude::tool_result<Json>("toolu_01", tc::Outcome::failure("t", error));
    CHECK(block["is_error"] == true);
    REQUIRE(block["content"].size() == 1);
    CHECK(block["content"][0]["type"] == "text");
    CHECK(block["content"][0]["text"] != "");
  }
}

TEST_CASE("B7: a name of 65 characters is no tool name, one of 64 is") {
  // Written out in a typed tool it does not compile: tests/compile_fail/tool_name_too_long.cpp.
  CHECK(tc::ToolName::checked(std::string(64, 'a')).text().size() == 64);
  CHECK_THROWS_AS(tc::ToolName::checked(std::string(65, 'a')), tc::DefinitionError);
}

TEST_CASE("B13: two tools of one name are an error when the toolset is built") {
  support::MemoryBook book;
  support::Shop shop(book);
  CHECK_THROWS_AS((tc::Toolset{support::orders_get(shop), support::orders_get(shop)}), tc::DefinitionError);
}

TEST_CASE("B14: the last page has no next_cursor key, and an invalid cursor is a validation error") {
  Desk desk;
  std::string arguments = R"({"query":"login","limit":20})";
  const Json first = desk.tools.call("tickets_search", arguments).result<Json>();
  CHECK(first["complete"] == false);
  arguments = R"({"query":"login","limit":20,"cursor":)" + first["next_cursor"].dump() + "}";
  const Json last = desk.tools.call("tickets_search", arguments).result<Json>();
  CHECK(last["returned"] == 3);
  CHECK(last["complete"] == true);
  CHECK_FALSE(last.contains("next_cursor"));

  const tc::Outcome stale = desk.tools.call("tickets_search", R"({"query":"login","cursor":"eyJvIjo1MH0"})");
  CHECK(stale.error().code() == "INVALID_CURSOR");
  CHECK(stale.error().category() == tc::Category::validation);
  CHECK(stale.error().field_errors() ==
        std::vector<tc::FieldError>{{"cursor", "rule",
                                     "must be a next_cursor from tickets_search; start again without it",
                                     tc::Shown("eyJvIjo1MH0")}});
}

TEST_CASE("B15: a result that is an array is wrapped up to 2025-11-25 and bare on 2026-07-28, schema to match") {
  const auto tools = single<std::vector<Text>>([](const Key&) { return std::vector<Text>{{"a"}}; });
  const tc::Outcome outcome = tools.call("t", a17);
  const auto both = [&](Revision revision) {
    const Json tool = mcp::tool<Json>(revision, tools.tools()[0].definition());
    return std::pair(tool["outputSchema"]["type"].get<std::string>(),
                     mcp::call_result<Json>(revision, outcome)["structuredContent"].dump());
  };
  const std::pair<std::string, std::string> wrapped{"object", R"({"result":[{"text":"a"}]})"};
  CHECK(both(Revision::v2025_06_18) == wrapped);
  CHECK(both(Revision::v2025_11_25) == wrapped);
  CHECK(both(Revision::v2026_07_28) == std::pair<std::string, std::string>{"array", R"([{"text":"a"}])"});
}

TEST_CASE("B16: an error from a tool with an output schema carries nothing that a client would validate") {
  Desk desk;
  const tc::Outcome outcome =
      desk.tools.call("refunds_create", R"({"order_id":"A17","operation_id":"1","amount_cents":1})");
  REQUIRE_FALSE(outcome.ok());
  for (const Revision revision : mcp::revisions) {
    const Json result = mcp::call_result<Json>(revision, outcome);
    CHECK(result["isError"] == true);
    CHECK_FALSE(result.contains("structuredContent"));
  }
}

TEST_CASE("B18: a byte 0xff in a result string is replied to, as U+FFFD") {
  const auto tools = single<Text>([](const Key&) { return Text{"a\xFFz"}; });
  const tc::Outcome outcome = tools.call("t", a17);
  CHECK(outcome.text() == "{\"text\":\"a\xEF\xBF\xBDz\"}");
  CHECK(mcp::call_result<Json>(Revision::v2025_11_25, outcome)["structuredContent"]["text"] == "a\xEF\xBF\xBDz");
}

TEST_CASE("B20: a handler that throws ends as INTERNAL_ERROR with a correlation id, the text only in the report") {
  std::vector<tc::Report> reports;
  tc::ToolsetOptions options;
  options.ids = [](std::chrono::system_clock::time_point) { return "req_1"; };
  options.report = [&reports](const tc::Report& report) noexcept { reports.push_back(report); };
  const auto tools =
      single<Text>([](const Key&) -> Text { throw std::runtime_error("pg://user:pw@host"); }, std::move(options));
  const tc::Outcome outcome = tools.call("t", a17);
  const Json envelope = tc::envelope<Json>(outcome.error());
  CHECK(envelope["error_code"] == "INTERNAL_ERROR");
  CHECK(envelope["correlation_id"] == "req_1");
  for (const Revision revision : mcp::revisions)
    CHECK(mcp::respond_text(revision, 7, outcome).find("pg://") == std::string::npos);
  CHECK(claude::tool_result_text("toolu_01", outcome).find("pg://") == std::string::npos);
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].correlation_id == "req_1");
  CHECK(reports[0].exception == "pg://user:pw@host");
}

TEST_CASE("B21: the value of a secret field of the wrong type is in neither envelope nor report") {
  for (const char* password : {"47114711", R"("hunter2-47114711")", R"(["47114711"])", R"({"k":"47114711"})"}) {
    std::vector<tc::Report> reports;
    tc::ToolsetOptions options;
    options.report = [&reports](const tc::Report& report) noexcept { reports.push_back(report); };
    const auto tools = single<Text>([](const Key& key) { return Text{key.id}; }, std::move(options));
    const tc::Outcome outcome = tools.call("t", R"({"id":"A17","password":)" + std::string(password) + "}");
    REQUIRE_FALSE(outcome.ok());
    REQUIRE(reports.size() == 1);
    const std::string all = tc::envelope_text(outcome.error()) + reports[0].message + reports[0].internal +
                            reports[0].exception + reports[0].error_code;
    INFO(all);
    CHECK(all.find("4711") == std::string::npos);
    CHECK(all.find("[redacted]") != std::string::npos);
  }
}

TEST_CASE("B22: a result of 171k tokens is cut at the cap, counted, with a next move, and nothing is lost") {
  const tc::Cursors<support::TicketSearch> cursors("models_list", "id asc", &support::TicketSearch::cursor,
                                                   &support::TicketSearch::limit);
  std::vector<support::Ticket> all;
  for (int i = 0; i < 50; ++i)
    all.push_back({"M-" + std::to_string(100 + i), std::string(13'680, 'x'), support::TicketStatus::open});
  const tc::Toolset tools(tc::tool<support::TicketSearch, tc::Page<support::Ticket>>("models_list")
                              .does("Lists models.")
                              .reads()
                              .max_result_bytes(100'000, "name a schema")
                              .handle([&](const support::TicketSearch& in) -> tc::Result<tc::Page<support::Ticket>> {
                                const auto start = cursors.at(in);
                                if (!start) return start.error();
                                std::vector<support::Ticket> found;
                                for (const auto& model : all)
                                  if (model.id > start->position().value_or("")) found.push_back(model);
                                return tc::page(std::move(found), in.limit, start->after(&support::Ticket::id));
                              }));
  Json arguments{{"query", "all"}, {"limit", 50}};
  std::size_t seen = 0;
  for (bool complete = false; !complete;) {
    const tc::Outcome outcome = tools.call("models_list", arguments);
    REQUIRE(outcome.text().size() <= 100'000);
    const Json page = outcome.result<Json>();
    CHECK(page["returned"] == (seen < 49 ? 7 : 1));
    seen += page["results"].size();
    complete = page["complete"].get<bool>();
    const std::size_t left = 50 - seen;
    CHECK(page.value("truncated", Json()) ==
          (left == 0 ? Json() : Json{{"rows", left}, {"next", "pass next_cursor for the rest, or name a schema"}}));
    if (!complete) arguments["cursor"] = page["next_cursor"];
  }
  CHECK(seen == 50);
}

TEST_CASE("B23: one key twice is a replay, one key with other arguments a validation error") {
  Desk desk;
  const std::string arguments = R"({"order_id":"A18","operation_id":"op_1","amount_cents":1250,"currency":"EUR"})";
  const std::string refund = R"({"refund_id":"rf_1","operation_id":"op_1","order_id":"A18","amount_cents":1250)";
  CHECK(desk.tools.call("refunds_create", arguments).text() == refund + "}");
  CHECK(desk.tools.call("refunds_create", arguments).text() == refund + R"(,"replayed":true})");
  const auto reused = desk.tools.call("refunds_create", R"({"order_id":"A19","operation_id":"op_1","amount_cents":1})");
  CHECK(reused.error().code() == "IDEMPOTENCY_KEY_REUSED");
  CHECK(reused.error().category() == tc::Category::validation);
}

TEST_CASE("B24: a timeout after a write was sent is unknown and to be reconciled, and is not retryable") {
  Desk desk({.lose_replies = 1});  // every refund is made, and every reply is lost
  const tc::Outcome outcome =
      desk.tools.call("refunds_create", R"({"order_id":"A19","operation_id":"op_3","amount_cents":1200})");
  const Json envelope = tc::envelope<Json>(outcome.error());
  CHECK(envelope["error_code"] == "OUTCOME_UNKNOWN");
  CHECK(envelope["category"] == "unknown");
  CHECK(envelope["resolution"] == "reconcile");
  CHECK(envelope["retryable"] == false);
  // Following the envelope's advice tells what happened.
  const Json reconcile = envelope["reconcile"];
  const tc::Outcome found = desk.tools.call(reconcile["tool"].get<std::string>(), reconcile["arguments"]);
  CHECK(found.result<Json>()["found"] == true);
}

TEST_CASE("B25: arguments nested 10,000 deep are a validation error, as text and as a value") {
  Desk desk;
  const std::string deep = R"({"order_id":)" + std::string(10'000, '[') + std::string(10'000, ']') + "}";
  Json value = Json::parse(deep);
  for (const tc::Outcome& outcome : {desk.tools.call("orders_get", deep), desk.tools.call("orders_get", value)}) {
    CHECK(outcome.error().category() == tc::Category::validation);
    CHECK(outcome.error().field_errors() ==
          std::vector<tc::FieldError>{{"", "too_deep", "must be nested at most 64 levels deep", {}}});
  }
}

TEST_CASE("B26: the same bad call three times is counted, and the last says abort") {
  Desk desk;
  std::vector<Json> said;
  for (int attempt = 1; attempt <= 3; ++attempt) {
    const tc::Outcome outcome = desk.tools.call("orders_get", "{}", {.attempt = attempt, .max_attempts = 3});
    const Json envelope = tc::envelope<Json>(outcome.error());
    said.push_back({envelope["attempt"], envelope["max_attempts"], envelope["resolution"]});
  }
  CHECK(said == std::vector<Json>{{1, 3, "fix_input"}, {2, 3, "fix_input"}, {3, 3, "abort"}});
}

TEST_CASE("desk_search: what a copy answers instead is labelled with its age, and what nobody answers is said") {
  const auto search = [](std::set<std::string, std::less<>> down, std::chrono::seconds later) {
    auto now = std::make_shared<std::chrono::steady_clock::time_point>();
    support::ShopOptions options{.down = std::move(down)};
    options.clock.steady = [now] { return *now; };
    Desk desk(std::move(options));
    *now += later;
    return desk.tools.call("desk_search", R"({"words":"login","limit":1})").result<Json>();
  };
  const auto failed = [](const char* source) {
    return Json::array({{{"source", source},
                         {"error_code", "UPSTREAM_UNAVAILABLE"},
                         {"category", "transient"},
                         {"retryable", true},
                         {"resolution", "retry"},
                         {"message", "The search for " + std::string(source) +
                                         " failed on the way or at the upstream; nothing was changed."}}});
  };
  const Json tickets = {{"results", {{{"id", "T-1000"}, {"title", "login loop case 0"}, {"status", "closed"}}}},
                        {"returned", 1},
                        {"complete", false},
                        {"paging", "unsupported"}};
  const Json degraded = search({"tickets"}, std::chrono::seconds(540));
  CHECK(degraded["status"] == "degraded");
  CHECK(degraded["tickets"] == Json{{"status", "degraded"},
                                    {"source", "cache"},
                                    {"source_name", "tickets_copy"},
                                    {"age_seconds", 540},
                                    {"failed", failed("tickets")},
                                    {"value", tickets}});
  const Json partial = search({"orders", "tickets_copy"}, std::chrono::seconds(540));
  CHECK(partial == Json{{"status", "partial"},
                        {"orders", {{"status", "unavailable"}, {"failed", failed("orders")}}},
                        {"tickets",
                         {{"status", "ok"},
                          {"source", "primary"},
                          {"source_name", "tickets"},
                          {"failed", Json::array()},
                          {"value", tickets}}}});
}
