// SPDX-License-Identifier: MIT
// An MCP server on stdio with the tools of wire_tools.hpp, for well-behaved clients only; examples/support_server.cpp is
// what a real one looks like.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <toolcontract/toolcontract.hpp>

#include "wire_tools.hpp"

namespace {

namespace tc = toolcontract;
using nlohmann::json;

std::string discover() {
  return R"({"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],)"
         R"("capabilities":{"tools":{}}})";
}

std::string initialize(tc::mcp::Revision revision) {
  return R"({"protocolVersion":")" + std::string(name(revision)) +
         R"(","capabilities":{"tools":{}},"serverInfo":{"name":"wire_server","version":"0"}})";
}

}  // namespace

int main() {
  const tc::Toolset tools(tc::ToolsetOptions{}, wire::tools());
  auto revision = tc::mcp::Revision::v2025_11_25;
  for (std::string line; std::getline(std::cin, line);) {
    const json message = json::parse(line);
    if (!message.contains("id")) continue;
    const std::string id = tc::mcp::id_text(message["id"]);
    const std::string method = message["method"];
    const json params = message.value("params", json::object());
    const json meta = params.value("_meta", json::object());
    if (method == "initialize")
      revision = tc::mcp::revision_from_name(params["protocolVersion"].get<std::string>()).value_or(revision);
    const auto spoken =
        meta.contains("io.modelcontextprotocol/protocolVersion") ? tc::mcp::Revision::v2026_07_28 : revision;
    std::string reply = tc::mcp::error_message(id, -32601, "Method not found");
    if (method == "initialize") reply = tc::mcp::result_message(id, initialize(revision));
    if (method == "server/discover") reply = tc::mcp::result_message(id, discover());
    if (method == "tools/list") reply = tc::mcp::result_message(id, tc::mcp::tools_list_text(spoken, tools));
    if (method == "tools/call") {
      const std::string name = params["name"];
      reply = tc::mcp::respond_text(spoken, message["id"], tools.call(name, params.value("arguments", json::object())));
    }
    std::cout << reply << std::endl;
  }
}
