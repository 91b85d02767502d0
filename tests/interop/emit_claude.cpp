// SPDX-License-Identifier: MIT
// Prints a TypeScript file: every tool of wire_tools.hpp as an Anthropic.Tool, and as ToolResultBlockParam one result of
// each kind: a success of every shape, each ending, bad arguments, an unknown tool. claude_types.mjs has tsc check it.
#include <cstdio>
#include <string>
#include <string_view>
#include <toolcontract/toolcontract.hpp>

#include "wire_tools.hpp"

namespace tc = toolcontract;

int main() {
  const tc::Toolset tools(tc::ToolsetOptions{}, wire::tools());
  std::string results;
  int calls = 0;
  const auto call = [&](std::string_view tool, std::string_view arguments) {
    const std::string id = "toolu_" + std::to_string(++calls);
    results += tc::claude::tool_result_text(id, tools.call(tool, arguments)) + ",\n";
  };
  for (const tc::Tool& tool : tools.tools())
    if (tool.definition().input_schema.find("\"required\"") == std::string::npos) call(tool.definition().name, "{}");
  for (const std::string_view ending : wire::endings())
    for (const std::string_view tool : {"endings_read", "endings_write"})
      call(tool, R"({"key":"k","ending":")" + std::string(ending) + "\"}");
  call("endings_read", R"({"ending":"succes","colour":"red"})");
  call("endings_read", "{");
  call("endings_reed", "{}");
  std::printf(
      "import type Anthropic from '@anthropic-ai/sdk';\n"
      "import type { ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';\n"
      "export const tools: Anthropic.Tool[] = %s;\n"
      "export const results: ToolResultBlockParam[] = [\n%s];\n",
      tc::claude::tools_text(tools).c_str(), results.c_str());
}
