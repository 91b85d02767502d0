// SPDX-License-Identifier: MIT
#include <toolcontract/wire/mcp.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catch.hpp"
#include "show.hpp"

namespace tc = toolcontract;
namespace mcp = toolcontract::mcp;
using mcp::Revision;

namespace {

struct Query {
  std::string id;
};
constexpr auto tool_schema(tc::type<Query>) { return tc::object(tc::field<&Query::id>("id", "ID, e.g. 'A17'.")); }

struct Row {
  std::string name;
  std::int64_t count = 0;
};
constexpr auto tool_schema(tc::type<Row>) {
  return tc::object(tc::field<&Row::name>("name", "Name."), tc::field<&Row::count>("count", "Count."));
}

struct Node {
  std::string name;
  std::vector<Node> children;
};
constexpr auto tool_schema(tc::type<Node>) {
  return tc::object(tc::field<&Node::name>("name", "Name."), tc::field<&Node::children>("children", "Below it."));
}

struct Found {
  std::int64_t row = 0;
};
constexpr auto tool_schema(tc::type<Found>) { return tc::object(tc::field<&Found::row>("row", "Row.")); }
struct Missing {};
constexpr auto tool_schema(tc::type<Missing>) { return tc::object(); }
using Answer = std::variant<Found, Missing>;
constexpr auto tool_schema(tc::type<Answer>) {
  return tc::tagged("kind", tc::alternative<Found>("found"), tc::alternative<Missing>("missing"));
}

constexpr std::string_view input_schema =
    R"({"type":"object","properties":{"id":{"type":"string","description":"ID, e.g. 'A17'."}},"required":["id"],)"
    R"("additionalProperties":false})";
constexpr std::string_view row_schema =
    R"({"type":"object","properties":{"name":{"type":"string","description":"Name."},)"
    R"("count":{"type":"integer","description":"Count."}},"required":["name","count"],"additionalProperties":false})";

template <class Out>
auto tool_of() {
  return tc::tool<Query, Out>("rows_get").does("Gets rows.");
}

/// A tool that answers with `result`, whatever it is asked.
template <class Out>
tc::Toolset answering(Out result) {
  return tc::Toolset{tool_of<Out>().reads().handle([result](const Query&) { return result; })};
}
template <class Out>
tc::Outcome outcome_of(Out result) {
  return answering(std::move(result)).call("rows_get", R"({"id":"A17"})", {.correlation_id = "req_1"});
}

tc::Outcome failed() {
  const tc::Toolset tools{tool_of<Row>().reads().handle(
      [](const Query&) -> tc::Result<Row> { return tc::not_found("There is no row \"A17\"."); })};
  return tools.call("rows_get", R"({"id":"A17"})", {.correlation_id = "req_1"});
}

constexpr std::string_view not_found_envelope =
    R"({"error_code":"NOT_FOUND","category":"business","retryable":false,"resolution":"abort",)"
    R"("message":"There is no row \"A17\".","field_errors":[],"correlation_id":"req_1","attempt":1,)"
    R"("deadline_ms_remaining":null})";

std::string json_string(std::string_view text) {
  std::string out;
  tc::append_quoted(out, text);
  return out;
}

/// The revisions whose results are structured and must be objects.
constexpr Revision wrapping[] = {Revision::v2025_06_18, Revision::v2025_11_25};

std::string with(std::string_view before, std::string_view inside, std::string_view after) {
  return std::string(before).append(inside).append(after);
}
std::string wrapped(std::string_view schema) {
  return with(R"({"type":"object","properties":{"result":)", schema,
              R"(},"required":["result"],"additionalProperties":false})");
}
std::string output_schema(Revision revision, const tc::Toolset& tools) {
  return mcp::tool(revision, tools.tools()[0].definition())["outputSchema"].dump();
}

}  // namespace

// ---- revisions

TEST_CASE("mcp: every revision has its name and is found by it") {
  std::vector<std::string> names;
  for (const Revision revision : mcp::revisions) {
    names.emplace_back(mcp::name(revision));
    CHECK(mcp::revision_from_name(names.back()) == revision);
  }
  CHECK(names == std::vector<std::string>{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"});
}

TEST_CASE("mcp: a revision nobody knows has no value") {
  for (const char* name : {"", "2024-10-07", "2025-06-18 ", "2099-01-01", "DRAFT-2026-v1"})
    CHECK(mcp::revision_from_name(name) == std::nullopt);
}

// ---- tools

TEST_CASE("mcp: a tool says in each revision what that revision knows, and leaves the rest out") {
  const tc::Tool tool = tool_of<Row>().title("Get rows").writes().closed_world().handled_by_host();
  const auto text = [&](Revision revision) { return mcp::tool_text(revision, tool.definition()); };
  const std::string title = R"({"name":"rows_get","title":"Get rows","description":"Gets rows.","inputSchema":)";
  const std::string no_title = R"({"name":"rows_get","description":"Gets rows.","inputSchema":)";
  const std::string hints = R"("readOnlyHint":false,"destructiveHint":false,"openWorldHint":false}})";
  const std::string input(input_schema), output(row_schema);
  CHECK(text(Revision::v2024_11_05) == no_title + input + "}");
  CHECK(text(Revision::v2025_03_26) == no_title + input + R"(,"annotations":{"title":"Get rows",)" + hints);
  const std::string modern = title + input + R"(,"outputSchema":)" + output + R"(,"annotations":{)" + hints;
  CHECK(text(Revision::v2025_06_18) == modern);
  CHECK(text(Revision::v2025_11_25) == modern);
  CHECK(text(Revision::v2026_07_28) == modern);
}

TEST_CASE("mcp: what a tool does not have is left out, never null") {
  const tc::Tool tool = tool_of<Row>().handled_by_host();
  const std::string plain = with(R"({"name":"rows_get","description":"Gets rows.","inputSchema":)", input_schema, "");
  CHECK(mcp::tool_text(Revision::v2025_03_26, tool.definition()) == plain + "}");
  CHECK(mcp::tool_text(Revision::v2025_11_25, tool.definition()) ==
        plain + with(R"(,"outputSchema":)", row_schema, "}"));
}

TEST_CASE("mcp: the hints follow from the effect, and an undeclared one gives none") {
  const auto hints = [](tc::ToolBuilder<Query, Row> builder) {
    const auto json = mcp::tool(Revision::v2025_11_25, std::move(builder).handled_by_host().definition());
    return json.contains("annotations") ? json["annotations"].dump() : "none";
  };
  CHECK(hints(tool_of<Row>()) == "none");
  CHECK(hints(tool_of<Row>().reads()) == R"({"readOnlyHint":true})");
  CHECK(hints(tool_of<Row>().writes()) == R"({"readOnlyHint":false,"destructiveHint":false})");
  CHECK(hints(tool_of<Row>().destroys()) == R"({"readOnlyHint":false,"destructiveHint":true})");
  CHECK(hints(tool_of<Row>().open_world()) == R"({"openWorldHint":true})");
  CHECK(hints(tool_of<Row>().reads().closed_world()) == R"({"readOnlyHint":true,"openWorldHint":false})");
}

TEST_CASE("mcp: a definition that is idempotent says so") {
  tc::Definition definition = tool_of<Row>().writes().handled_by_host().definition();
  definition.idempotent = true;
  CHECK(mcp::tool(Revision::v2025_11_25, definition)["annotations"].dump() ==
        R"({"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true})");
}

TEST_CASE("mcp: a definition without an output schema emits none") {
  tc::Definition definition;
  definition.name = "remote_tool";
  definition.description = "Does something elsewhere.";
  definition.input_schema = R"({"type":"object"})";
  for (const Revision revision : mcp::revisions)
    CHECK(mcp::tool_text(revision, definition) ==
          R"({"name":"remote_tool","description":"Does something elsewhere.","inputSchema":{"type":"object"}})");
}

TEST_CASE("mcp: a list holds every tool, in the set's order") {
  const tc::Toolset tools{tc::tool<Query, Row>("zebra_get").does("Gets a zebra.").handled_by_host(),
                          tc::tool<Query, Row>("apple_get").does("Gets an apple.").handled_by_host()};
  const std::string entries =
      R"([{"name":"zebra_get","description":"Gets a zebra.","inputSchema":)" + std::string(input_schema) +
      R"(},{"name":"apple_get","description":"Gets an apple.","inputSchema":)" + std::string(input_schema) + "}]";
  CHECK(mcp::tools_list_text(Revision::v2025_03_26, tools) == R"({"tools":)" + entries + "}");
  CHECK(mcp::tools_list_text(Revision::v2025_11_25, tc::Toolset{}) == R"({"tools":[]})");
}

TEST_CASE("mcp: a list says from 2026-07-28 on how long and by whom it may be cached") {
  CHECK(mcp::tools_list_text(Revision::v2026_07_28, tc::Toolset{}) ==
        R"({"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[]})");
  CHECK(mcp::tools_list_text(Revision::v2026_07_28, tc::Toolset{}, {std::chrono::minutes(5), true}) ==
        R"({"resultType":"complete","ttlMs":300000,"cacheScope":"public","tools":[]})");
}

// ---- results

TEST_CASE("mcp: a result is text in every revision, and structured from 2025-06-18 on") {
  const tc::Outcome outcome = outcome_of(Row{"a\"b", 725653563933458432});
  const std::string json = R"({"name":"a\"b","count":725653563933458432})";
  const std::string text = R"("content":[{"type":"text","text":)" + json_string(json) + "}]";
  CHECK(mcp::call_result_text(Revision::v2024_11_05, outcome) == "{" + text + "}");
  CHECK(mcp::call_result_text(Revision::v2025_03_26, outcome) == "{" + text + "}");
  CHECK(mcp::call_result_text(Revision::v2025_06_18, outcome) == "{" + text + R"(,"structuredContent":)" + json + "}");
  CHECK(mcp::call_result_text(Revision::v2025_11_25, outcome) == "{" + text + R"(,"structuredContent":)" + json + "}");
  CHECK(mcp::call_result_text(Revision::v2026_07_28, outcome) ==
        R"({"resultType":"complete",)" + text + R"(,"structuredContent":)" + json + "}");
}

TEST_CASE("mcp: a list is wrapped before 2026-07-28 and bare from then on, and its schema with it") {
  const std::string schema = with(R"({"type":"array","items":)", row_schema, "}");
  const std::string list = R"([{"name":"a","count":1}])";
  const tc::Toolset tools = answering(std::vector<Row>{{"a", 1}});
  const tc::Outcome outcome = tools.call("rows_get", R"({"id":"A17"})");
  const auto result = [](const std::string& json) {
    return R"("content":[{"type":"text","text":)" + json_string(json) + R"(}],"structuredContent":)" + json + "}";
  };
  for (const Revision revision : wrapping) {
    CHECK(output_schema(revision, tools) == wrapped(schema));
    CHECK(mcp::call_result_text(revision, outcome) == "{" + result(R"({"result":)" + list + "}"));
  }
  CHECK(output_schema(Revision::v2026_07_28, tools) == schema);
  CHECK(mcp::call_result_text(Revision::v2026_07_28, outcome) == R"({"resultType":"complete",)" + result(list));
}

TEST_CASE("mcp: a list as mere text is not wrapped") {
  const tc::Outcome outcome = outcome_of(std::vector<Row>{});
  CHECK(mcp::call_result_text(Revision::v2024_11_05, outcome) == R"({"content":[{"type":"text","text":"[]"}]})");
  CHECK(mcp::call_result_text(Revision::v2025_03_26, outcome) == R"({"content":[{"type":"text","text":"[]"}]})");
}

TEST_CASE("mcp: a single value is wrapped like a list") {
  const tc::Toolset tools = answering(std::string("hi"));
  const tc::Outcome outcome = tools.call("rows_get", R"({"id":"A17"})");
  CHECK(output_schema(Revision::v2025_11_25, tools) == wrapped(R"({"type":"string"})"));
  CHECK(mcp::call_result_text(Revision::v2025_11_25, outcome) ==
        R"({"content":[{"type":"text","text":"{\"result\":\"hi\"}"}],"structuredContent":{"result":"hi"}})");
  CHECK(output_schema(Revision::v2026_07_28, tools) == R"({"type":"string"})");
  CHECK(mcp::call_result_text(Revision::v2026_07_28, outcome) ==
        R"({"resultType":"complete","content":[{"type":"text","text":"\"hi\""}],"structuredContent":"hi"})");
  CHECK(mcp::call_result_text(Revision::v2025_06_18, outcome_of(false)) ==
        R"({"content":[{"type":"text","text":"{\"result\":false}"}],"structuredContent":{"result":false}})");
}

TEST_CASE("mcp: a union is wrapped wherever its schema is, although its values are objects") {
  const tc::Toolset tools = answering(Answer(Found{7}));
  const tc::Outcome outcome = tools.call("rows_get", R"({"id":"A17"})");
  const std::string schema =
      R"({"anyOf":[{"type":"object","properties":{"kind":{"type":"string","const":"found"},)"
      R"("row":{"type":"integer","description":"Row."}},"required":["kind","row"],"additionalProperties":false},)"
      R"({"type":"object","properties":{"kind":{"type":"string","const":"missing"}},"required":["kind"],)"
      R"("additionalProperties":false}]})";
  CHECK(output_schema(Revision::v2025_11_25, tools) == wrapped(schema));
  CHECK(mcp::call_result(Revision::v2025_11_25, outcome)["structuredContent"].dump() ==
        R"({"result":{"kind":"found","row":7}})");
  CHECK(output_schema(Revision::v2026_07_28, tools) == schema);
  CHECK(mcp::call_result(Revision::v2026_07_28, outcome)["structuredContent"].dump() == R"({"kind":"found","row":7})");
}

TEST_CASE("mcp: a result of any JSON is wrapped whatever it turns out to be") {
  for (const char* json : {R"({"a":1})", "[1]", "null"}) {
    const tc::Toolset tools = answering(nlohmann::json::parse(json));
    const tc::Outcome outcome = tools.call("rows_get", R"({"id":"A17"})");
    CHECK(output_schema(Revision::v2025_11_25, tools) == wrapped("{}"));
    CHECK(mcp::call_result(Revision::v2025_11_25, outcome)["structuredContent"].dump() ==
          with(R"({"result":)", json, "}"));
    CHECK(mcp::call_result(Revision::v2026_07_28, outcome)["structuredContent"].dump() == json);
  }
}

TEST_CASE("mcp: a map is an object and is never wrapped") {
  const tc::Toolset tools = answering(std::map<std::string, std::int64_t>{{"a", 1}});
  CHECK(output_schema(Revision::v2025_11_25, tools) ==
        R"({"type":"object","additionalProperties":{"type":"integer"}})");
  CHECK(
      mcp::call_result(Revision::v2025_11_25, tools.call("rows_get", R"({"id":"A17"})"))["structuredContent"].dump() ==
      R"({"a":1})");
}

TEST_CASE("mcp: references of a wrapped recursive schema point to where it stands") {
  const tc::Toolset tools = answering(std::vector<Node>{{"a", {{"b", {}}}}});
  const auto schema = [](std::string_view at) {
    const std::string reference = with(R"({"$ref":")", at, R"(/$defs/children"})");
    return R"({"type":"array","items":)" + reference +
           R"(,"$defs":{"children":{"type":"object","properties":{"name":{"type":"string","description":"Name."},)"
           R"("children":{"type":"array","description":"Below it.","items":)" +
           reference + R"(}},"required":["name","children"],"additionalProperties":false}}})";
  };
  CHECK(output_schema(Revision::v2025_11_25, tools) == wrapped(schema("#/properties/result")));
  CHECK(output_schema(Revision::v2026_07_28, tools) == schema("#"));
  // Every reference leads to a definition.
  for (const Revision revision : {Revision::v2025_11_25, Revision::v2026_07_28}) {
    const auto json = mcp::tool<nlohmann::json>(revision, tools.tools()[0].definition())["outputSchema"];
    const auto flat = json.flatten();
    for (const auto& [place, value] : flat.items())
      if (place.ends_with("/$ref")) {
        const std::string pointer = value.get<std::string>().substr(1);
        INFO(pointer);
        CHECK(json.contains(nlohmann::json::json_pointer(pointer)));
      }
  }
}

TEST_CASE("mcp: a recursive object is not wrapped and refers to itself as #") {
  const tc::Toolset tools = answering(Node{"a", {}});
  CHECK(output_schema(Revision::v2025_11_25, tools) ==
        R"({"type":"object","properties":{"name":{"type":"string","description":"Name."},)"
        R"("children":{"type":"array","description":"Below it.","items":{"$ref":"#"}}},)"
        R"("required":["name","children"],"additionalProperties":false})");
}

TEST_CASE("mcp: text and structured content of a success say the same") {
  const tc::Outcome outcomes[] = {outcome_of(Row{"a", 1}), outcome_of(std::vector<Row>{{"a", 1}}),
                                  outcome_of(std::string("x")), outcome_of(Answer(Missing{})),
                                  outcome_of(nlohmann::json(nullptr))};
  for (const tc::Outcome& outcome : outcomes)
    for (const Revision revision : {Revision::v2025_06_18, Revision::v2025_11_25, Revision::v2026_07_28}) {
      const auto result = mcp::call_result(revision, outcome);
      REQUIRE(result["content"].size() == 1);
      CHECK(result["content"][0]["text"] == result["structuredContent"].dump());
    }
}

// ---- errors

TEST_CASE("mcp: a failure is a result whose only block is the envelope as text, in every revision") {
  const std::string error =
      R"("content":[{"type":"text","text":)" + json_string(not_found_envelope) + R"(}],"isError":true})";
  for (const Revision revision : mcp::revisions)
    CHECK(mcp::call_result_text(revision, failed()) ==
          (revision == Revision::v2026_07_28 ? R"({"resultType":"complete",)" : "{") + error);
}

TEST_CASE("mcp: an answer to a call is one message with the result") {
  CHECK(mcp::respond_text(Revision::v2025_11_25, 7, failed()) ==
        R"({"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":)" + json_string(not_found_envelope) +
            R"(}],"isError":true}})");
  CHECK(mcp::respond_text(Revision::v2025_11_25, "a", outcome_of(std::map<std::string, bool>{})) ==
        R"({"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}})");
}

TEST_CASE("mcp: a call of an unknown tool is answered with the protocol error -32602 and the envelope as its data") {
  const tc::Outcome outcome = answering(Row{}).call("row_get", R"({"id":"A17"})", {.correlation_id = "req_1"});
  for (const Revision revision : mcp::revisions)
    CHECK(mcp::respond_text(revision, 7, outcome) ==
          R"({"jsonrpc":"2.0","id":7,"error":{"code":-32602,)"
          R"("message":"There is no tool named \"row_get\"; did you mean rows_get?","data":)"
          R"({"error_code":"UNKNOWN_TOOL","category":"validation","retryable":false,"resolution":"fix_input",)"
          R"("message":"There is no tool named \"row_get\"; did you mean rows_get?","field_errors":[],)"
          R"("correlation_id":"req_1","attempt":1,"deadline_ms_remaining":null}}})");
}

// ---- messages

TEST_CASE("mcp: an id comes back as what it was: a string, or a number of any kind") {
  CHECK(mcp::id_text(7) == "7");
  CHECK(mcp::id_text(std::int64_t{-9223372036854775807}) == "-9223372036854775807");
  CHECK(mcp::id_text(std::uint64_t{18446744073709551615U}) == "18446744073709551615");
  CHECK(mcp::id_text("a\"b") == R"("a\"b")");
  CHECK(mcp::id_text(std::string("req-1")) == R"("req-1")");
  CHECK(mcp::id_text(std::string_view("")) == R"("")");
  CHECK(mcp::id_text(nlohmann::json(18446744073709551615U)) == "18446744073709551615");
  CHECK(mcp::id_text(nlohmann::json(-5)) == "-5");
  CHECK(mcp::id_text(nlohmann::json(1.5)) == "1.5");
  CHECK(mcp::id_text(nlohmann::ordered_json("a")) == R"("a")");
}

TEST_CASE("mcp: what cannot be an id becomes null") {
  for (const char* json : {"null", "true", "[1]", R"({"a":1})"})
    CHECK(mcp::id_text(nlohmann::json::parse(json)) == "null");
}

TEST_CASE("mcp: messages are built from text that is JSON already") {
  CHECK(mcp::result_message("7", "{}") == R"({"jsonrpc":"2.0","id":7,"result":{}})");
  CHECK(mcp::error_message("null", -32700, "Parse error: \"x\"") ==
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error: \"x\""}})");
  CHECK(mcp::error_message(R"("a")", -32022, "No", R"({"supported":[]})") ==
        R"({"jsonrpc":"2.0","id":"a","error":{"code":-32022,"message":"No","data":{"supported":[]}}})");
}

TEST_CASE("mcp: the JSON forms are the texts, read, in the same order") {
  const tc::Toolset tools = answering(Row{"a", 1});
  const tc::Outcome outcome = outcome_of(Row{"a", 1});
  for (const Revision revision : mcp::revisions) {
    const tc::Definition& definition = tools.tools()[0].definition();
    CHECK(mcp::tool(revision, definition).dump() == mcp::tool_text(revision, definition));
    CHECK(mcp::tools_list(revision, tools).dump() == mcp::tools_list_text(revision, tools));
    CHECK(mcp::call_result(revision, outcome).dump() == mcp::call_result_text(revision, outcome));
    CHECK(mcp::respond(revision, 7, outcome).dump() == mcp::respond_text(revision, 7, outcome));
    CHECK(mcp::respond<nlohmann::json>(revision, 7, outcome) ==
          nlohmann::json::parse(mcp::respond_text(revision, 7, outcome)));
  }
}

TEST_CASE("mcp: nothing that is emitted holds a null or a line break") {
  const tc::Toolset tools{tc::tool<Query, Row>("rows_get").does("Gets\nrows.").handle([](const Query& in) {
    return Row{in.id, 1};
  })};
  for (const Revision revision : mcp::revisions) {
    const std::string all = mcp::tools_list_text(revision, tools) +
                            mcp::respond_text(revision, 7, tools.call("rows_get", R"({"id":"a\nb"})"));
    INFO(all);
    CHECK(all.find("null") == std::string::npos);
    CHECK(all.find('\n') == std::string::npos);
  }
}

TEST_CASE("mcp: a message may be as large as the arguments in it, and the frame around them") {
  const tc::InputLimits limits = mcp::message_limits({1000, 10, 100});
  CHECK(limits.bytes == 1000 + 64 * 1024);
  CHECK(limits.depth == 12);
  CHECK(limits.values == 1100);
  const auto sound = [&](std::size_t levels) {
    const std::string arguments = R"({"id":)" + std::string(levels - 1, '[') + std::string(levels - 1, ']') + "}";
    return tc::parse(R"({"params":{"arguments":)" + arguments + "}}", limits).ok();
  };
  CHECK(sound(10));
  CHECK_FALSE(sound(11));
}
