// SPDX-License-Identifier: MIT
/// \file
/// The Model Context Protocol's JSON: tool definitions and call results, for each revision a client may speak.
///
///     tc::mcp::tools_list_text(tc::mcp::Revision::v2025_06_18, tools);           // {"tools":[{"name":"orders_get",…}]}
///     tc::mcp::respond_text(revision, request_id, tools.call(name, arguments));  // {"jsonrpc":"2.0","id":7,"result":{…}}
///
/// Pure functions; the transport is the host's. What a revision does not know is left out, never null: clients reject a
/// whole list over one null. A failed call is a result with isError whose only text block is the envelope (clients drop
/// everything else); only an unknown tool is a protocol error, -32602 (MCP 2025-11-25, SEP-1303). A success says the
/// same in its first text block and in structuredContent; what was attached follows in blocks the revision has, the rest in
/// words.
///
/// Cost: nlohmann/json only for the JSON forms.
#pragma once

#include <toolcontract/content.hpp>
#include <toolcontract/envelope.hpp>
#include <toolcontract/outcome.hpp>
#include <toolcontract/text.hpp>
#include <toolcontract/tool_core.hpp>
#include <toolcontract/toolset.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {
namespace mcp {

/// The protocol revisions, oldest first.
enum class Revision : unsigned char {
  v2024_11_05,  ///< name, description, inputSchema
  v2025_03_26,  ///< + annotations
  v2025_06_18,  ///< + title, outputSchema, structuredContent (objects only)
  v2025_11_25,  ///< 2020-12 as the default dialect
  v2026_07_28,  ///< stateless; resultType, ttlMs, cacheScope; results of any JSON type
};
inline constexpr std::array revisions = {Revision::v2024_11_05, Revision::v2025_03_26, Revision::v2025_06_18,
                                         Revision::v2025_11_25, Revision::v2026_07_28};

/// "2025-06-18"
[[nodiscard]] constexpr std::string_view name(Revision revision) noexcept {
  constexpr std::string_view names[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
  return names[static_cast<unsigned char>(revision)];
}
/// The revision of that name; nothing for one this library does not speak.
[[nodiscard]] constexpr std::optional<Revision> revision_from_name(std::string_view text) noexcept {
  for (const Revision revision : revisions)
    if (name(revision) == text) return revision;
  return std::nullopt;
}

/// How long, and by whom, a list may be cached (2026-07-28).
struct ListCaching {
  std::chrono::milliseconds ttl{0};
  bool shared = false;  ///< true: the list is the same for every caller ("public")
};

/// One entry of tools/list.
[[nodiscard]] std::string tool_text(Revision revision, const Definition& definition);
/// The result of tools/list: every tool, in the set's order.
[[nodiscard]] std::string tools_list_text(Revision revision, const Toolset& tools, ListCaching caching = {});
/// The result of tools/call. Precondition: not an unknown tool, which is no result (respond_text knows).
[[nodiscard]] std::string call_result_text(Revision revision, const Outcome& outcome);

/// A JSON-RPC id as text, from an integer, a string, or any JSON value (what cannot be an id becomes null).
template <class Id>
[[nodiscard]] std::string id_text(const Id& id);

/// One JSON-RPC message with a result that is JSON text already.
[[nodiscard]] std::string result_message(std::string_view id_json, std::string_view result_json);
/// One JSON-RPC message with an error. `data_json` may be "".
[[nodiscard]] std::string error_message(std::string_view id_json, int code, std::string_view message,
                                        std::string_view data_json = {});

/// The answer to one tools/call request: a result, or -32602 for an unknown tool with the envelope as data.
template <class Id>
[[nodiscard]] std::string respond_text(Revision revision, const Id& request_id, const Outcome& outcome) {
  const std::string id = id_text(request_id);
  if (outcome.is_unknown_tool())
    return error_message(id, -32602, outcome.error().message(), envelope_text(outcome.error()));
  return result_message(id, call_result_text(revision, outcome));
}

// The same as JSON values that keep the declared order.
template <BasicJson J = nlohmann::ordered_json>
[[nodiscard]] J tool(Revision revision, const Definition& definition) {
  return J::parse(tool_text(revision, definition));
}
template <BasicJson J = nlohmann::ordered_json>
[[nodiscard]] J tools_list(Revision revision, const Toolset& tools, ListCaching caching = {}) {
  return J::parse(tools_list_text(revision, tools, caching));
}
template <BasicJson J = nlohmann::ordered_json>
[[nodiscard]] J call_result(Revision revision, const Outcome& outcome) {
  return J::parse(call_result_text(revision, outcome));
}
template <BasicJson J = nlohmann::ordered_json, class Id>
[[nodiscard]] J respond(Revision revision, const Id& request_id, const Outcome& outcome) {
  return J::parse(respond_text(revision, request_id, outcome));
}

/// Limits for a whole JSON-RPC message whose `params.arguments` may use the given limits in full.
[[nodiscard]] constexpr InputLimits message_limits(InputLimits arguments = {}) {
  return {arguments.bytes + 64 * 1024, arguments.depth + 2, arguments.values + 1000};
}

namespace detail {

/// MCP's hints, from the effect. An undeclared effect gives none: the protocol's defaults assume the worst.
inline void write_annotations(TextWriter& out, Revision revision, const Definition& definition) {
  const bool title = revision == Revision::v2025_03_26 && !definition.title.empty();  // later revisions have Tool.title
  const bool declared = definition.effect != Effect::undeclared;
  if (!title && !declared && !definition.open_world && !definition.idempotent) return;
  out.key("annotations").begin_object();
  if (title) out.key("title").string(definition.title);
  if (declared) out.key("readOnlyHint").boolean(definition.effect == Effect::reads);
  if (definition.effect == Effect::writes) out.key("destructiveHint").boolean(false);
  if (definition.effect == Effect::destroys) out.key("destructiveHint").boolean(true);
  if (definition.idempotent) out.key("idempotentHint").boolean(true);
  if (definition.open_world) out.key("openWorldHint").boolean(*definition.open_world);
  out.end_object();
}

inline void write_text_block(TextWriter& out, std::string_view text) {
  out.begin_object().key("type").string("text").key("text").string(text).end_object();
}

/// One attached block, the `number`th, in the form the revision has for it; a text without words is none.
inline void write_block(TextWriter& out, Revision revision, const Content& content, std::size_t number) {
  using Kind = Content::Kind;
  namespace common = toolcontract::detail;
  const auto bytes = [&](std::string_view key) { out.key(key).raw(common::quoted_base64(content.data)); };
  const bool sound = common::is_sound(content);
  if (sound && (content.kind == Kind::image || (content.kind == Kind::audio && revision >= Revision::v2025_03_26))) {
    out.begin_object().key("type").string(content.kind == Kind::image ? "image" : "audio");
    bytes("data");
    out.key("mimeType").string(content.mime_type).end_object();
  } else if (sound && content.kind == Kind::link && revision >= Revision::v2025_06_18) {
    out.begin_object().key("type").string("resource_link").key("uri").string(content.uri);
    out.key("name").string(content.name.empty() ? content.uri : content.name);
    if (!content.description.empty()) out.key("description").string(content.description);
    if (!content.mime_type.empty()) out.key("mimeType").string(content.mime_type);
    out.end_object();
  } else if (sound && content.kind == Kind::document) {
    const bool has_uri = matches_format(Format::uri, content.uri);
    const std::string at = has_uri || content.uri.empty() ? "" : ", kept at " + content.uri;
    if (!content.name.empty() || !at.empty())  // what a resource has no member for
      write_text_block(out, "Next: \"" + content.name + "\" (" + common::kind_and_size(content) + ")" + at + ".");
    const bool readable = common::is_textual(common::media_type(content.mime_type)) && utf8::valid(content.data);
    out.begin_object().key("type").string("resource").key("resource").begin_object();
    out.key("uri").string(has_uri ? content.uri : "document:" + std::to_string(number));
    out.key("mimeType").string(content.mime_type);
    if (readable)
      out.key("text").string(content.data);
    else
      bytes("blob");
    out.end_object().end_object();
  } else if (const std::string words = common::in_words(content); !words.empty()) {
    write_text_block(out, words);
  }
}

}  // namespace detail

inline std::string tool_text(Revision revision, const Definition& definition) {
  TextWriter out;
  out.begin_object().key("name").string(definition.name);
  if (revision >= Revision::v2025_06_18 && !definition.title.empty()) out.key("title").string(definition.title);
  out.key("description").string(definition.description);
  out.key("inputSchema").raw(definition.input_schema);
  if (revision >= Revision::v2025_06_18 && !definition.output_schema.empty()) {
    const bool wrapped = revision < Revision::v2026_07_28 && !definition.wrapped_output_schema.empty();
    out.key("outputSchema").raw(wrapped ? definition.wrapped_output_schema : definition.output_schema);
  }
  if (revision >= Revision::v2025_03_26) detail::write_annotations(out, revision, definition);
  return out.end_object().take();
}

inline std::string tools_list_text(Revision revision, const Toolset& tools, ListCaching caching) {
  TextWriter out;
  out.begin_object();
  if (revision >= Revision::v2026_07_28) {
    out.key("resultType").string("complete");
    out.key("ttlMs").number(static_cast<long long>(caching.ttl.count()));
    out.key("cacheScope").string(caching.shared ? "public" : "private");
  }
  out.key("tools").begin_array();
  for (const Tool& tool : tools.tools()) out.raw(tool_text(revision, tool.definition()));
  return out.end_array().end_object().take();
}

inline std::string call_result_text(Revision revision, const Outcome& outcome) {
  TextWriter out;
  out.begin_object();
  if (revision >= Revision::v2026_07_28) out.key("resultType").string("complete");
  const bool structured = outcome.ok() && revision >= Revision::v2025_06_18;
  const bool wrap = structured && revision < Revision::v2026_07_28 && !outcome.is_object();
  std::string made;
  if (!outcome.ok()) made = envelope_text(outcome.error());
  if (wrap) made = "{\"result\":" + outcome.text() + "}";
  const std::string& text = made.empty() ? outcome.text() : made;
  detail::write_text_block(out.key("content").begin_array(), text);
  std::size_t number = 0;
  for (const Content& content : outcome.content()) detail::write_block(out, revision, content, ++number);
  out.end_array();
  if (structured) out.key("structuredContent").raw(text);
  if (!outcome.ok()) out.key("isError").boolean(true);
  return out.end_object().take();
}

template <class Id>
std::string id_text(const Id& id) {
  TextWriter out;
  if constexpr (BasicJson<Id>) {
    if (id.is_string())
      out.string(id.template get_ref<const typename Id::string_t&>());
    else if (id.is_number_unsigned())
      out.number(id.template get<typename Id::number_unsigned_t>());
    else if (id.is_number_integer())
      out.number(id.template get<typename Id::number_integer_t>());
    else if (id.is_number())
      out.number(id.template get<typename Id::number_float_t>());
    else
      out.null();
  } else if constexpr (std::integral<Id>) {
    out.number(id);
  } else {
    out.string(id);
  }
  return out.take();
}

inline std::string result_message(std::string_view id_json, std::string_view result_json) {
  TextWriter out;
  return out.begin_object()
      .key("jsonrpc")
      .string("2.0")
      .key("id")
      .raw(id_json)
      .key("result")
      .raw(result_json)
      .end_object()
      .take();
}

inline std::string error_message(std::string_view id_json, int code, std::string_view message,
                                 std::string_view data_json) {
  TextWriter out;
  out.begin_object().key("jsonrpc").string("2.0").key("id").raw(id_json);
  out.key("error").begin_object().key("code").number(code).key("message").string(message);
  if (!data_json.empty()) out.key("data").raw(data_json);
  return out.end_object().end_object().take();
}

}  // namespace mcp
}  // namespace v0
}  // namespace toolcontract
