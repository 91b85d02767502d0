// SPDX-License-Identifier: MIT
/// \file
/// How one call ended: a result as JSON text, or a ToolError; and what the log is told about it.
///
///     tc::Outcome outcome = tools.call("orders_get", arguments);
///     outcome.ok() ? outcome.text()                       // {"order_id":"A17","status":"delivered"}
///                  : tc::envelope_text(outcome.error());  // for the model; the wires do this
///
/// Cost: nlohmann/json only for the JSON form.
#pragma once

#include <toolcontract/content.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/repair.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Immutable once made.
class [[nodiscard]] Outcome {
 public:
  /// `text` is the result as JSON; `correlation_id` the call's. `wrapped`: the tool's output schema is not that of an
  /// object (a union, say), so that even a result that is one must be wrapped where the schema was.
  static Outcome success(std::string tool, std::string correlation_id, std::string text, bool wrapped = false) {
    Outcome outcome(std::move(tool), std::move(correlation_id), std::move(text), std::nullopt);
    outcome.wrapped_ = wrapped;
    return outcome;
  }
  static Outcome failure(std::string tool, ToolError error) {
    std::string id = error.facts().budget.correlation_id;
    return {std::move(tool), std::move(id), {}, std::move(error)};
  }
  /// The name belongs to no tool: MCP answers that as a protocol error, not as a tool's result.
  static Outcome unknown_tool(std::string tool, ToolError error) {
    Outcome outcome = failure(std::move(tool), std::move(error));
    outcome.unknown_tool_ = true;
    return outcome;
  }

  [[nodiscard]] bool ok() const noexcept { return !error_.has_value(); }
  explicit operator bool() const noexcept { return ok(); }
  [[nodiscard]] bool is_unknown_tool() const noexcept { return unknown_tool_; }
  [[nodiscard]] const std::string& tool() const noexcept { return tool_; }  ///< as it was called
  [[nodiscard]] const std::string& correlation_id() const noexcept { return correlation_id_; }
  /// The result as JSON text, in declared order; "" when the call failed.
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The result is a JSON object and declared as one: every MCP revision can carry it as it is.
  [[nodiscard]] bool is_object() const noexcept { return !wrapped_ && text_.starts_with('{'); }
  /// Precondition: !ok().
  [[nodiscard]] const ToolError& error() const noexcept { return *error_; }
  /// What came with the result besides its JSON; empty when the call failed or was replayed.
  [[nodiscard]] const std::vector<Content>& content() const noexcept { return content_; }
  /// Does nothing when the call failed: an error is its envelope alone.
  void set_content(std::vector<Content> content) {
    if (ok()) content_ = std::move(content);
  }
  /// What a lenient reading changed before the arguments were checked; empty when it is strict.
  [[nodiscard]] const std::vector<Repair>& repairs() const noexcept { return repairs_; }
  void set_repairs(std::vector<Repair> repairs) { repairs_ = std::move(repairs); }

  /// The result as a JSON value. Precondition: ok().
  template <BasicJson J = nlohmann::ordered_json>
  [[nodiscard]] J result() const {
    return J::parse(text_);
  }

 private:
  Outcome(std::string tool, std::string id, std::string text, std::optional<ToolError> error)
      : tool_(std::move(tool)), correlation_id_(std::move(id)), text_(std::move(text)), error_(std::move(error)) {}

  std::string tool_;
  std::string correlation_id_;
  std::string text_;
  std::optional<ToolError> error_;
  std::vector<Repair> repairs_;
  std::vector<Content> content_;
  bool unknown_tool_ = false;
  bool wrapped_ = false;
};

/// One finished call, for the log and never for a model: joined to what the model saw by the correlation id.
/// Of arguments it holds only what the message shows, a secret never, and nothing of a result.
struct Report {
  std::string correlation_id;
  std::string tool;
  std::string principal;
  std::string error_code;  ///< "" for a success
  std::string message;     ///< what the model was told; "" for a success
  std::string internal;    ///< the author's internal detail
  std::string exception;   ///< the text of an exception that is no ToolError
  int attempt = 1;
  std::chrono::nanoseconds duration{};
  bool replayed = false;  ///< a stored result was given, and nothing done
};

}  // namespace v0
}  // namespace toolcontract
