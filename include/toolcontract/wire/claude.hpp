// SPDX-License-Identifier: MIT
/// \file
/// The Claude Messages API's JSON: tool definitions for a request, tool_result blocks for the answer.
///
///     request["tools"] = tc::claude::tools(toolset);                          // nlohmann::ordered_json, all of it
///     const std::string id = use["id"], name = use["name"];
///     content.push_back(tc::claude::tool_result(id, toolset.call(name, use["input"])));
///     // {"type":"tool_result","tool_use_id":"toolu_01","content":[{"type":"text","text":"…"}],"is_error":false}
///
/// An error's only block is its envelope as text: the API rejects an empty error and any other kind of block in one.
/// A success begins with its JSON as text; what was attached follows: images and documents of the types the API takes,
/// the rest in words.
///
/// Cost: nlohmann/json only for the JSON forms.
#pragma once

#include <toolcontract/content.hpp>
#include <toolcontract/envelope.hpp>
#include <toolcontract/outcome.hpp>
#include <toolcontract/text.hpp>
#include <toolcontract/tool_core.hpp>
#include <toolcontract/toolset.hpp>

#include <string>
#include <string_view>

namespace toolcontract {
inline namespace v0 {
namespace claude {

/// One entry of a request's `tools`: name, description, input_schema, input_examples where the tool has any.
[[nodiscard]] inline std::string tool_text(const Definition& definition) {
  TextWriter out;
  out.begin_object().key("name").string(definition.name).key("description").string(definition.description);
  out.key("input_schema").raw(definition.input_schema);
  if (!definition.input_examples.empty()) {
    out.key("input_examples").begin_array();
    for (const std::string& example : definition.input_examples) out.raw(example);
    out.end_array();
  }
  return out.end_object().take();
}

/// A request's `tools`: every tool, in the set's order.
[[nodiscard]] inline std::string tools_text(const Toolset& tools) {
  TextWriter out;
  out.begin_array();
  for (const Tool& tool : tools.tools()) out.raw(tool_text(tool.definition()));
  return out.end_array().take();
}

namespace detail {

/// One attached block, as one of those that a tool_result takes; a text without words is none.
inline void write_block(TextWriter& out, const Content& content) {
  using Kind = Content::Kind;
  namespace common = toolcontract::detail;
  const std::string media = common::media_type(content.mime_type);
  const auto base64 = [&] {
    out.key("source").begin_object().key("type").string("base64").key("media_type").string(media);
    out.key("data").raw(common::quoted_base64(content.data)).end_object();
  };
  const bool sound = common::is_sound(content);
  const bool shown = media == "image/jpeg" || media == "image/png" || media == "image/gif" || media == "image/webp";
  if (sound && content.kind == Kind::image && shown) {
    out.begin_object().key("type").string("image");
    base64();
    out.end_object();
  } else if (sound && content.kind == Kind::document && (media == "application/pdf" || common::is_textual(media))) {
    out.begin_object().key("type").string("document");
    if (media == "application/pdf") {
      base64();
    } else {
      out.key("source").begin_object().key("type").string("text").key("media_type").string("text/plain");
      out.key("data").string(content.data).end_object();
    }
    if (!content.name.empty()) out.key("title").string(utf8::prefix(content.name, 500));
    if (!content.uri.empty()) out.key("context").string(content.uri);
    out.end_object();
  } else if (const std::string words = common::in_words(content); !words.empty()) {
    out.begin_object().key("type").string("text").key("text").string(words).end_object();
  }
}

}  // namespace detail

/// The block that answers the tool_use block `tool_use_id`. Unlike on MCP, an unknown tool is answered the same way.
[[nodiscard]] inline std::string tool_result_text(std::string_view tool_use_id, const Outcome& outcome) {
  TextWriter out;
  out.begin_object().key("type").string("tool_result").key("tool_use_id").string(tool_use_id);
  out.key("content").begin_array().begin_object().key("type").string("text");
  out.key("text").string(outcome.ok() ? outcome.text() : envelope_text(outcome.error())).end_object();
  for (const Content& content : outcome.content()) detail::write_block(out, content);
  out.end_array();
  return out.key("is_error").boolean(!outcome.ok()).end_object().take();
}

// The same as JSON values that keep the declared order.
template <BasicJson J = nlohmann::ordered_json>
[[nodiscard]] J tool(const Definition& definition) {
  return J::parse(tool_text(definition));
}
template <BasicJson J = nlohmann::ordered_json>
[[nodiscard]] J tools(const Toolset& tools) {
  return J::parse(tools_text(tools));
}
template <BasicJson J = nlohmann::ordered_json>
[[nodiscard]] J tool_result(std::string_view tool_use_id, const Outcome& outcome) {
  return J::parse(tool_result_text(tool_use_id, outcome));
}

}  // namespace claude
}  // namespace v0
}  // namespace toolcontract
