// SPDX-License-Identifier: MIT
#include <toolcontract/document_tool.hpp>

#include "catch.hpp"
#include "show.hpp"

#include <toolcontract/envelope.hpp>
#include <toolcontract/toolset.hpp>
#include <toolcontract/wire/mcp.hpp>

#include <string>

namespace tc = toolcontract;
using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

namespace {

Ordered definition() {
  return Ordered::parse(R"({"name":"Notes.add","description":"Adds a note.","annotations":{"readOnlyHint":true},
      "inputSchema":{"type":"object","properties":{"text":{"type":"string"},"limit":{"type":"integer","default":3}},"required":["text"],
                     "additionalProperties":false},
      "outputSchema":{"type":"object","properties":{"text":{"type":"string","maxLength":5}},"required":["text"]}})");
}
tc::Tool notes(tc::Annotations annotations = tc::Annotations::untrusted) {
  return tc::tool(
      definition(),
      [](const Json& in) {
        return Ordered{{"text", in["text"]}, {"limit", in["limit"]}};
      },
      annotations);
}
std::string thrown(const Ordered& document) {
  try {
    (void)tc::tool(document, [](const Json& in) { return in; });
  } catch (const tc::DefinitionError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("document_tool: a call is checked, gets its defaults, and answers with what the handler returns") {
  const tc::Toolset tools{notes()};
  CHECK(tools.call("Notes.add", R"({"text":"hi"})").text() == R"({"text":"hi","limit":3})");
  const tc::Outcome bad = tools.call("Notes.add", Json{{"text", 1}, {"x", 2}});
  CHECK(bad.error().field_errors() ==
        std::vector<tc::FieldError>{{"text", "type", "must be a string", 1},
                                    {"x", "unknown_field", "must be left out; the known fields are text, limit", {}}});
}

TEST_CASE("document_tool: a result its own output schema rejects does not leave") {
  const tc::Toolset writes{notes()};
  CHECK(writes.call("Notes.add", R"({"text":"too long"})").error().code() == "RESULT_UNAVAILABLE");
  const tc::Toolset reads{notes(tc::Annotations::trusted)};
  CHECK(reads.call("Notes.add", R"({"text":"too long"})").error().code() == "INTERNAL_ERROR");
}

TEST_CASE("document_tool: annotations count only when the host vouches for them") {
  CHECK(notes().definition().effect == tc::Effect::undeclared);
  CHECK(notes(tc::Annotations::trusted).definition().effect == tc::Effect::reads);
}

TEST_CASE("document_tool: the definition goes out as it came in") {
  CHECK(tc::mcp::tool<Json>(tc::mcp::Revision::v2025_11_25, notes(tc::Annotations::trusted).definition()) ==
        Json(definition()));
}

TEST_CASE("document_tool: lenient reading repairs typed and document tools alike and tells the outcome") {
  const tc::Toolset tools(tc::ToolsetOptions{.mode = tc::lenient()}, notes());
  const tc::Outcome outcome = tools.call("Notes.add", R"({"text":"hi","limit":"7"})");
  CHECK(outcome.text() == R"({"text":"hi","limit":7})");
  CHECK(outcome.repairs() == std::vector<tc::Repair>{{"limit", "7", tc::Shown(7)}});
  CHECK_FALSE(tools.call("Notes.add", R"({"text":"hi","text":"ho"})").ok());
}

TEST_CASE("document_tool: a definition that cannot stand names the tool, the place and the keyword") {
  Ordered broken = definition();
  broken["inputSchema"]["properties"]["text"]["not"] = true;
  CHECK(thrown(broken) ==
        "toolcontract: tool Notes.add: inputSchema/properties/text, not: is not enforced by Checker; compile_any in "
        "schema_validator.hpp takes documents with it");
  CHECK(thrown(Ordered::parse(R"({"name":"a","inputSchema":{}})")) ==
        "toolcontract: tool a: inputSchema must be a schema with \"type\":\"object\"");
  CHECK(thrown(Ordered::parse("[]")) == "toolcontract: a tool definition needs a name, a non-empty string");
}
