// SPDX-License-Identifier: MIT
/// \file
/// What a model and its host are told of a tool: its name, its words, its schemas, its effect.
///
///     const tc::Definition& definition = tool.definition();
///     definition.name             // "orders_get"
///     definition.input_schema     // {"type":"object","properties":{"order_id":{"type":"string",…
///
/// Cost: std only.
#pragma once

#include <toolcontract/call.hpp>
#include <toolcontract/table.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// A tool or a set of tools that cannot be built; what() names the tool, the place and the remedy.
struct DefinitionError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

namespace detail {

constexpr bool is_tool_name(std::string_view name) noexcept {
  if (name.empty() || name.size() > 64 || name.front() < 'a' || name.front() > 'z' || name.back() == '_') return false;
  char before = 'a';
  for (const char c : name) {
    const bool legal = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    if (!legal || (c == '_' && before == '_')) return false;
    before = c;
  }
  return true;
}

// Not constexpr: reaching it in a constant expression stops the compiler, and the name is the message it prints.
inline void a_tool_name_must_be_snake_case_such_as_orders_get_of_1_to_64_characters() {}

}  // namespace detail

/// A tool's name: snake_case, 1 to 64 characters, service before verb (orders_get). The length every consumer accepts.
class ToolName {
 public:
  template <std::size_t N>
  consteval ToolName(const char (&literal)[N]) : text_(literal, N - 1) {  // NOLINT: implicit, tool() takes a literal
    if (!detail::is_tool_name(text_)) detail::a_tool_name_must_be_snake_case_such_as_orders_get_of_1_to_64_characters();
  }
  /// \throws DefinitionError when the text is no tool name. The text must outlive the ToolName.
  [[nodiscard]] static ToolName checked(std::string_view text) {
    if (!detail::is_tool_name(text))
      throw DefinitionError(
          "toolcontract: a tool name must be snake_case of 1 to 64 characters, such as orders_get; got \"" +
          std::string(text.substr(0, 80)) + "\"");
    return {Unchecked{}, text};
  }
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

 private:
  struct Unchecked {};
  constexpr ToolName(Unchecked, std::string_view text) noexcept : text_(text) {}
  std::string_view text_;
};

/// A tool without its handler: what goes to a model and its host.
struct Definition {
  std::string name;
  std::string title;
  std::string description;  ///< assembled from the builder's parts
  Effect effect = Effect::undeclared;
  std::optional<bool> open_world;
  bool idempotent = false;
  std::string input_schema;   ///< JSON text
  std::string output_schema;  ///< JSON text
  std::string
      wrapped_output_schema;  ///< of {"result": …}, for wires that carry objects only; "" when the result is one
  std::vector<std::string> input_examples;  ///< JSON texts of objects
  std::string reconcile_tool;               ///< finds out what happened to an earlier call; "" when there is none
  const Field* reconcile_field = nullptr;   ///< the argument that names the earlier call
};

}  // namespace v0
}  // namespace toolcontract
