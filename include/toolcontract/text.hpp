// SPDX-License-Identifier: MIT
/// \file
/// JSON text out, in the order it is written, always well-formed.
///
///     tc::TextWriter out;
///     out.begin_object().key("order").string("A17\xff").key("total").number(12.5).end_object();
///     out.take();  // {"order":"A17�","total":12.5}
///
/// Invalid UTF-8 becomes U+FFFD, control characters are escaped, numbers are the shortest text that reads back equal.
/// The caller pairs begin and end and writes a key before each member; nothing else can go wrong.
///
/// Cost: std only; appends to one string.
#pragma once

#include <toolcontract/utf8.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// Appends `text` as a JSON string, quotes included.
void append_quoted(std::string& out, std::string_view text);

class TextWriter {
 public:
  TextWriter& begin_object() { return open('{'); }
  TextWriter& end_object() { return close('}'); }
  TextWriter& begin_array() { return open('['); }
  TextWriter& end_array() { return close(']'); }
  TextWriter& key(std::string_view name) {
    separate();
    append_quoted(text_, name);
    text_ += ':';
    need_comma_ = false;
    return *this;
  }
  TextWriter& string(std::string_view value) {
    separate();
    append_quoted(text_, value);
    return done();
  }
  TextWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  TextWriter& null() { return raw("null"); }
  template <std::integral I>
  requires(!std::same_as<I, bool>) TextWriter& number(I value) {
    char digits[24];
    return raw({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits)});
  }
  /// NaN and infinity have no JSON form and are written as null: who must not lose them checks first.
  template <std::floating_point F>
  TextWriter& number(F value) {
    if (!std::isfinite(value)) return null();
    char digits[40];
    return raw({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, value).ptr - digits)});
  }
  /// A value that is JSON text already. Precondition: well-formed.
  TextWriter& raw(std::string_view json) {
    separate();
    text_ += json;
    return done();
  }

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// The text written so far; the writer is then as new.
  [[nodiscard]] std::string take() noexcept {
    need_comma_ = false;
    return std::exchange(text_, {});
  }

 private:
  TextWriter& open(char bracket) {
    separate();
    text_ += bracket;
    need_comma_ = false;
    return *this;
  }
  TextWriter& close(char bracket) {
    text_ += bracket;
    return done();
  }
  void separate() {
    if (need_comma_) text_ += ',';
  }
  TextWriter& done() {
    need_comma_ = true;
    return *this;
  }

  std::string text_;
  bool need_comma_ = false;
};

inline void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  std::size_t clean = 0;  // start of the run not yet copied
  const auto replace = [&](std::size_t at, std::size_t length, std::string_view by) {
    out += text.substr(clean, at - clean);
    out += by;
    clean = at + length;
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    std::size_t length = 1;
    if (byte >= 0x80) {
      length = utf8::sequence(text, at);
      if (length == 0) replace(at, length = 1, "\xEF\xBF\xBD");
    } else if (byte == '"') {
      replace(at, 1, "\\\"");
    } else if (byte == '\\') {
      replace(at, 1, "\\\\");
    } else if (byte < 0x20) {
      constexpr std::string_view hex = "0123456789abcdef";
      switch (byte) {
        case '\n':
          replace(at, 1, "\\n");
          break;
        case '\r':
          replace(at, 1, "\\r");
          break;
        case '\t':
          replace(at, 1, "\\t");
          break;
        case '\b':
          replace(at, 1, "\\b");
          break;
        case '\f':
          replace(at, 1, "\\f");
          break;
        default: {
          const char escape[] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
          replace(at, 1, {escape, sizeof escape});
        }
      }
    }
    at += length;
  }
  out += text.substr(clean);
  out += '"';
}

}  // namespace v0
}  // namespace toolcontract
