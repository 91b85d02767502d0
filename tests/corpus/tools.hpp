// SPDX-License-Identifier: MIT
/// \file
/// What real MCP servers answered to tools/list, tool by tool.
///
///     for (const auto& tool : corpus::tools<nlohmann::json>(folder)) tool.definition["inputSchema"];
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace corpus {

template <class J>
struct Tool {
  std::string server;
  std::string name;
  J definition;
};

/// The folder that TOOLCONTRACT_CORPUS names.
inline std::optional<std::filesystem::path> folder() {
  const char* named = std::getenv("TOOLCONTRACT_CORPUS");
  return named != nullptr && *named != '\0' ? std::optional<std::filesystem::path>(named) : std::nullopt;
}

template <class J>
J read(const std::filesystem::path& name) {
  std::ifstream file(name, std::ios::binary);
  return J::parse(file);
}

/// Every tool of every dump, always in the same order. \throws what parsing throws.
template <class J>
std::vector<Tool<J>> tools(const std::filesystem::path& corpus) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(corpus / "tools-list")) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Tool<J>> tools;
  for (const auto& file : files) {
    const J dump = read<J>(file);
    const J& list = dump.is_array() ? dump : dump.contains("result") ? dump["result"]["tools"] : dump["tools"];
    for (const J& tool : list) tools.push_back({file.stem().string(), tool["name"].template get<std::string>(), tool});
  }
  return tools;
}

}  // namespace corpus
