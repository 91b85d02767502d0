// SPDX-License-Identifier: MIT
/// \file
/// How large may an error get? Whatever its author, a peer or an upstream put in, a model reads a short one.
///
///     cut_to_limits(facts);    // message: "Upstream said: <html>… (81920 bytes)" -> its first 4096 bytes and "…"
///
/// A context window is as much hurt by a page of somebody's HTML in an error as by a result that is too long. Texts are cut
/// on a character boundary; JSON that cannot be cut is left out, and the message says so where it was data. Sizes are
/// bytes of JSON text, escapes included. The Toolset applies this to every error that leaves it.
///
/// Cost: std only; an error within its limits is only measured.
#pragma once

#include <toolcontract/error.hpp>
#include <toolcontract/text.hpp>
#include <toolcontract/utf8.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// The limits, all of them.
struct ErrorLimits {
  static constexpr std::size_t message = 4096;
  static constexpr std::size_t field_errors = 17;  ///< entries: 16, and one of code `more` that counts the rest
  static constexpr std::size_t field = 256;
  static constexpr std::size_t code = 64;
  static constexpr std::size_t problem = 1024;
  static constexpr std::size_t got = 512;
  static constexpr std::size_t example = 8192;    ///< longer: left out
  static constexpr std::size_t reconcile = 4096;  ///< tool and arguments; longer: left out
  static constexpr std::size_t preview = 4096;    ///< what a person agrees to
  static constexpr std::size_t how_to_proceed = 2048;
  static constexpr std::size_t name = 256;           ///< a correlation id, a ticket
  static constexpr std::size_t partial = 32 * 1024;  ///< longer: left out, and the message says so
  static constexpr std::size_t extra = 4096;         ///< longer: left out
  /// No envelope that a Toolset gives is longer.
  static constexpr std::size_t envelope = 96 * 1024;
};

namespace detail {

/// Bytes that the character at `at` takes inside a JSON string; its own length goes to `length`.
inline std::size_t quoted_size(std::string_view text, std::size_t at, std::size_t& length) {
  const auto byte = static_cast<unsigned char>(text[at]);
  length = 1;
  if (byte >= 0x80) {
    length = utf8::sequence(text, at);
    return length == 0 ? (length = 1, 3) : length;
  }
  if (byte == '"' || byte == '\\') return 2;
  if (byte >= 0x20) return 1;
  return byte == '\n' || byte == '\r' || byte == '\t' || byte == '\b' || byte == '\f' ? 2 : 6;
}

/// `text` as it is when it takes at most `bytes` inside a JSON string; else what fits of it, with "…".
inline void shorten(std::string& text, std::size_t bytes) {
  constexpr std::string_view mark = "…";
  if (text.size() * 6 <= bytes) return;
  std::size_t size = 0, kept = 0, length = 0;
  for (std::size_t at = 0; at < text.size(); at += length) {
    size += quoted_size(text, at, length);
    if (size + mark.size() <= bytes) kept = at + length;
    if (size > bytes) {
      text.resize(kept);
      text += mark;
      return;
    }
  }
}

inline void shorten(Shown& shown, std::size_t bytes) {
  if (!shown.is_json()) {
    std::string text = shown.text();
    shorten(text, bytes);
    if (text != shown.text()) shown = Shown(std::move(text));
  } else if (shown.text().size() > bytes) {
    shown = Shown("[" + std::to_string(shown.text().size()) + " bytes of JSON]");
  }
}

/// Cuts what is too long, in place.
inline void cut_to_limits(ErrorFacts& facts) {
  using Limits = ErrorLimits;
  if (facts.partial.size() > Limits::partial) {
    shorten(facts.message, Limits::message - 128);
    facts.message.append(" What was obtained before is left out: ")
        .append(std::to_string(facts.partial.size()))
        .append(" bytes.");
    facts.partial.clear();
  }
  shorten(facts.message, Limits::message);
  auto& errors = facts.field_errors;
  if (errors.size() > Limits::field_errors) {
    const std::string rest = std::to_string(errors.size() - (Limits::field_errors - 1));
    errors.resize(Limits::field_errors - 1);
    errors.push_back({"", "more", "must be free of " + rest + " more faults that are not listed here", {}});
  }
  for (FieldError& error : errors) {
    shorten(error.field, Limits::field);
    shorten(error.code, Limits::code);
    shorten(error.problem, Limits::problem);
    if (error.got) shorten(*error.got, Limits::got);
  }
  shorten(facts.budget.correlation_id, Limits::name);
  if (facts.example.size() > Limits::example) facts.example.clear();
  if (facts.reconcile && facts.reconcile->tool.size() * 6 + facts.reconcile->arguments.size() > Limits::reconcile)
    facts.reconcile.reset();
  if (facts.confirmation) {
    shorten(facts.confirmation->preview, Limits::preview);
    shorten(facts.confirmation->how_to_proceed, Limits::how_to_proceed);
    shorten(facts.confirmation->ticket, Limits::name);
  }
  if (facts.extra.size() > Limits::extra) facts.extra.clear();
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
