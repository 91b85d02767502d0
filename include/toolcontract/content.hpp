// SPDX-License-Identifier: MIT
/// \file
/// What a result may carry besides its JSON: text, images, audio, links and documents.
///
///     .handle([&](const ChartQuery& in, tc::Call& call) -> tc::Result<Chart> {
///       call.attach(tc::image(render(in), "image/png"));
///       call.attach(tc::document(report_pdf, "application/pdf", "Sales in May"));
///       return Chart{…};     // the JSON is still the first block, and on MCP the structured content
///
/// Bytes are handed over as they are; base64 is made on the wire. What a wire or revision has no block for is said in a text
/// block (what it was, its size), never dropped without a word. Blocks belong to a success: an error is its envelope alone,
/// and a replayed result has none, since ledgers store the JSON only. Clients differ: Claude Code, for one, shows the structured
/// content in place of text blocks, so nothing the JSON should say belongs only here.
///
/// Cost: std only.
#pragma once

#include <toolcontract/format.hpp>
#include <toolcontract/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// One block. Made by the functions below; a wire says in text what it cannot show, a MIME type that is none included.
struct Content {
  enum class Kind : unsigned char {
    text,      ///< Words beside the JSON.
    image,     ///< Bytes a model can look at.
    audio,     ///< Bytes a model can listen to.
    link,      ///< Something to fetch elsewhere: only its address comes with the result.
    document,  ///< A PDF or a text, whole.
  };
  Kind kind = Kind::text;
  std::string data{};       ///< the text or the bytes, not encoded; "" for a link
  std::string mime_type{};  ///< "" for text; may be "" for a link
  std::string uri{};        ///< of a link; a document may have one
  std::string name{};       ///< of a link, its short name; of a document, its title
  std::string description{};
  friend bool operator==(const Content&, const Content&) = default;
};

[[nodiscard]] inline Content text(std::string words) { return {Content::Kind::text, std::move(words), {}, {}, {}, {}}; }
/// `mime_type`: image/png and the like. Claude takes image/jpeg, image/png, image/gif and image/webp.
[[nodiscard]] inline Content image(std::string bytes, std::string mime_type) {
  return {Content::Kind::image, std::move(bytes), std::move(mime_type), {}, {}, {}};
}
/// `mime_type`: audio/wav and the like. MCP only, from 2025-03-26 on.
[[nodiscard]] inline Content audio(std::string bytes, std::string mime_type) {
  return {Content::Kind::audio, std::move(bytes), std::move(mime_type), {}, {}, {}};
}
/// MCP from 2025-06-18 on; a line of text elsewhere.
[[nodiscard]] inline Content resource_link(std::string uri, std::string name, std::string description = {},
                                           std::string mime_type = {}) {
  return {Content::Kind::link, {}, std::move(mime_type), std::move(uri), std::move(name), std::move(description)};
}
/// On MCP an embedded resource; Claude takes PDF and text of any kind. `uri`: where it is kept, if it is.
[[nodiscard]] inline Content document(std::string bytes, std::string mime_type, std::string title = {},
                                      std::string uri = {}) {
  return {Content::Kind::document, std::move(bytes), std::move(mime_type), std::move(uri), std::move(title), {}};
}

namespace detail {

/// "Text/CSV; charset=utf-8" -> "text/csv"; "" for what is no MIME type.
inline std::string media_type(std::string_view mime_type) {
  mime_type = mime_type.substr(0, mime_type.find(';'));
  while (mime_type.ends_with(' ')) mime_type.remove_suffix(1);
  std::string plain;
  std::size_t slashes = 0;
  for (const char c : mime_type) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (c == '/') ++slashes;
    if (!letter && std::string_view("/!#$&-^_.+").find(c) == std::string_view::npos) return {};
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return slashes == 1 && !plain.starts_with('/') && !plain.ends_with('/') ? plain : std::string();
}

/// Of a text that models read as it is.
inline bool is_textual(std::string_view media) {
  return media.starts_with("text/") || media == "application/json" || media == "application/xml" ||
         media.ends_with("+json") || media.ends_with("+xml");
}

/// Bytes of the kind their MIME type says.
inline bool is_sound(const Content& content) {
  const std::string media = media_type(content.mime_type);
  switch (content.kind) {
    case Content::Kind::image:
      return media.starts_with("image/") && !content.data.empty();
    case Content::Kind::audio:
      return media.starts_with("audio/") && !content.data.empty();
    case Content::Kind::document:
      return !media.empty() && !content.data.empty();
    case Content::Kind::link:
      return matches_format(Format::uri, content.uri);
    default:
      return content.data.find_first_not_of(" \t\r\n") != std::string::npos;
  }
}

/// Bytes as base64 (RFC 4648, with padding), in quotes: a JSON string.
inline std::string quoted_base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out = "\"";
  out.reserve((bytes.size() + 2) / 3 * 4 + 2);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t left = (std::min)(bytes.size() - at, std::size_t{3});
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (i < left ? static_cast<unsigned char>(bytes[at + i]) : std::uint32_t{0});
    for (std::size_t i = 0; i < 4; ++i) out += i <= left ? digits[three >> (18 - 6 * i) & 63] : '=';
  }
  return out += '"';
}

/// "application/pdf, 12345 bytes"
inline std::string kind_and_size(const Content& content) {
  const std::string media = media_type(content.mime_type);
  return (media.empty() ? "of no known type" : media) + ", " + std::to_string(content.data.size()) +
         (content.data.size() == 1 ? " byte" : " bytes");
}

/// What a wire without such a block says instead; "" for a text without words.
inline std::string in_words(const Content& content) {
  const std::string named = content.name.empty() ? "" : " \"" + content.name + "\"";
  switch (content.kind) {
    case Content::Kind::text:
      return is_sound(content) ? content.data : std::string();
    case Content::Kind::link: {
      const std::string kind = content.mime_type.empty() ? "" : " (" + content.mime_type + ")";
      const std::string more = content.description.empty() ? "" : ": " + content.description;
      return "Link" + named + kind + " to " + content.uri + more;
    }
    default: {
      const std::string_view what = content.kind == Content::Kind::image   ? "an image"
                                    : content.kind == Content::Kind::audio ? "a sound recording"
                                                                           : "a document";
      const std::string at = content.uri.empty() ? "" : " It is kept at " + content.uri + ".";
      return "Not shown here: " + std::string(what) + named + " (" + kind_and_size(content) + ")." + at;
    }
  }
}

}  // namespace detail

}  // namespace v0
}  // namespace toolcontract
