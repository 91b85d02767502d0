// SPDX-License-Identifier: MIT
#include <toolcontract/wire/claude.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "show.hpp"

namespace tc = toolcontract;
namespace claude = toolcontract::claude;

namespace {

struct Query {
  std::string id;
  std::int64_t limit = 0;
};
constexpr auto tool_schema(tc::type<Query>) {
  return tc::object(tc::field<&Query::id>("id", "ID, e.g. 'A17'."),
                    tc::field<&Query::limit>("limit", "How many.", tc::default_value(10)));
}

struct Row {
  std::string name;
};
constexpr auto tool_schema(tc::type<Row>) { return tc::object(tc::field<&Row::name>("name", "Name.")); }

constexpr std::string_view input_schema =
    R"({"type":"object","properties":{"id":{"type":"string","description":"ID, e.g. 'A17'."},)"
    R"("limit":{"type":"integer","description":"How many.","default":10}},"required":["id"],)"
    R"("additionalProperties":false)";

auto rows_get() { return tc::tool<Query, Row>("rows_get").does("Gets a row."); }

tc::Toolset naming_it() {
  return tc::Toolset{rows_get().reads().handle([](const Query& in) -> tc::Result<Row> {
    if (in.id == "A99") return tc::not_found("There is no row \"A99\".");
    return Row{in.id};
  })};
}
tc::Outcome call(std::string_view arguments, std::string_view name = "rows_get") {
  return naming_it().call(name, arguments, {.correlation_id = "req_1"});
}

}  // namespace

TEST_CASE("claude: a tool is its name, its description and its input schema") {
  const tc::Tool tool = rows_get().title("Get a row").destroys().open_world().handled_by_host();
  CHECK(claude::tool_text(tool.definition()) ==
        R"({"name":"rows_get","description":"Gets a row.","input_schema":)" + std::string(input_schema) + "}}");
}

TEST_CASE("claude: a tool's input examples stand beside its schema too") {
  const tc::Tool tool = rows_get().input_example({"A17", 10}).input_example({"A18", 2}).handled_by_host();
  const std::string examples = R"([{"id":"A17","limit":10},{"id":"A18","limit":2}])";
  CHECK(claude::tool_text(tool.definition()) == R"({"name":"rows_get","description":"Gets a row.","input_schema":)" +
                                                    std::string(input_schema) + R"(,"examples":)" + examples +
                                                    R"(},"input_examples":)" + examples + "}");
}

TEST_CASE("claude: a request's tools are all of the set, in its order") {
  const tc::Toolset tools{tc::tool<Row, Row>("zebra_get").does("Gets a zebra.").handled_by_host(),
                          tc::tool<Row, Row>("apple_get").does("Gets an apple.").handled_by_host()};
  const std::string schema =
      R"("input_schema":{"type":"object","properties":{"name":{"type":"string","description":"Name."}},)"
      R"("required":["name"],"additionalProperties":false}})";
  CHECK(claude::tools_text(tools) == R"([{"name":"zebra_get","description":"Gets a zebra.",)" + schema +
                                         R"(,{"name":"apple_get","description":"Gets an apple.",)" + schema + "]");
  CHECK(claude::tools_text(tc::Toolset{}) == "[]");
}

TEST_CASE("claude: a success is a tool_result with the result as its text") {
  CHECK(claude::tool_result_text("toolu_01", call(R"({"id":"A17"})")) ==
        R"({"type":"tool_result","tool_use_id":"toolu_01",)"
        R"("content":[{"type":"text","text":"{\"name\":\"A17\"}"}],"is_error":false})");
}

TEST_CASE("claude: a failure is a tool_result with is_error and the envelope as its only block") {
  CHECK(claude::tool_result_text("toolu_01", call(R"({"id":"A99"})")) ==
        R"({"type":"tool_result","tool_use_id":"toolu_01","content":[{"type":"text","text":")"
        R"({\"error_code\":\"NOT_FOUND\",\"category\":\"business\",\"retryable\":false,\"resolution\":\"abort\",)"
        R"(\"message\":\"There is no row \\\"A99\\\".\",\"field_errors\":[],\"correlation_id\":\"req_1\",)"
        R"(\"attempt\":1,\"deadline_ms_remaining\":null}"}],"is_error":true})");
}

TEST_CASE("claude: an unknown tool is answered like any failure") {
  CHECK(claude::tool_result_text("toolu_01", call("{}", "row_get")) ==
        R"({"type":"tool_result","tool_use_id":"toolu_01","content":[{"type":"text","text":")"
        R"({\"error_code\":\"UNKNOWN_TOOL\",\"category\":\"validation\",\"retryable\":false,)"
        R"(\"resolution\":\"fix_input\",)"
        R"(\"message\":\"There is no tool named \\\"row_get\\\"; did you mean rows_get?\",\"field_errors\":[],)"
        R"(\"correlation_id\":\"req_1\",\"attempt\":1,\"deadline_ms_remaining\":null}"}],"is_error":true})");
}

TEST_CASE("claude: a result that is no object is sent bare") {
  const tc::Toolset tools{tc::tool<Row, std::vector<Row>>("rows_list").does("Lists rows.").handle([](const Row& in) {
    return std::vector<Row>{in};
  })};
  CHECK(claude::tool_result_text("t", tools.call("rows_list", R"({"name":"a"})")) ==
        R"({"type":"tool_result","tool_use_id":"t","content":[{"type":"text","text":"[{\"name\":\"a\"}]"}],)"
        R"("is_error":false})");
}

TEST_CASE("claude: the text of a result is never empty") {
  const tc::Toolset tools{
      tc::tool<Row, std::string>("name_get").does("Gets a name.").handle([](const Row&) { return std::string(); })};
  CHECK(claude::tool_result(std::string("t"), tools.call("name_get", R"({"name":"a"})"))["content"][0]["text"] ==
        R"("")");
}

TEST_CASE("claude: the JSON forms are the texts, read, in the same order") {
  const tc::Toolset tools = naming_it();
  const tc::Outcome outcome = call(R"({"id":"A17"})");
  CHECK(claude::tool(tools.tools()[0].definition()).dump() == claude::tool_text(tools.tools()[0].definition()));
  CHECK(claude::tools(tools).dump() == claude::tools_text(tools));
  CHECK(claude::tool_result("toolu_01", outcome).dump() == claude::tool_result_text("toolu_01", outcome));
  CHECK(claude::tool_result<nlohmann::json>("toolu_01", outcome) ==
        nlohmann::json::parse(claude::tool_result_text("toolu_01", outcome)));
}

TEST_CASE("claude: tools go into a request, and the answer to a tool_use block into a message") {
  const tc::Toolset toolset = naming_it();
  nlohmann::ordered_json request, content;
  request["tools"] = claude::tools(toolset);
  const auto use = nlohmann::ordered_json::parse(R"({"type":"tool_use","id":"toolu_01","name":"rows_get",)"
                                                 R"("input":{"id":"A17"}})");
  const std::string id = use["id"], name = use["name"];
  content.push_back(claude::tool_result(id, toolset.call(name, use["input"])));
  CHECK(request.dump() == R"({"tools":)" + claude::tools_text(toolset) + "}");
  CHECK(content.dump() == "[" + claude::tool_result_text("toolu_01", call(R"({"id":"A17"})")) + "]");
}
