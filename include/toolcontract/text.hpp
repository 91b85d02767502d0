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

#include <algorithm>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// Appends `text` as a JSON string, quotes included.
void append_quoted(std::string& out, std::string_view text);

/// Is `text` one JSON value that every strict reader takes: RFC 8259, valid UTF-8, no lone surrogate in an escape, no
/// number beyond a double? In one pass, of any depth.
[[nodiscard]] bool is_json(std::string_view text);

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

namespace detail {

/// Steps through JSON text; false at what no strict reader takes.
class JsonSyntax {
 public:
  explicit JsonSyntax(std::string_view text) : text_(text) {}

  bool whole() {
    std::string open;  // the brackets that are not closed yet
    do {
      if (take('{')) {
        if (!take('}')) {
          open += '{';
          if (!name()) return false;
          continue;
        }
      } else if (take('[')) {
        if (!take(']')) {
          open += '[';
          continue;
        }
      } else if (!scalar()) {
        return false;
      }
      while (!open.empty() && take(open.back() == '{' ? '}' : ']')) open.pop_back();
      if (open.empty()) break;
      if (!take(',') || (open.back() == '{' && !name())) return false;
    } while (true);
    blank();
    return at_ == text_.size();
  }

 private:
  void blank() { at_ = (std::min)(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  bool next(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take(char c) { return blank(), next(c); }
  bool name() { return take('"') && string() && take(':'); }

  bool scalar() {
    if (next('"')) return string();
    for (const std::string_view word : {"true", "false", "null"})
      if (text_.substr(at_).starts_with(word)) return at_ += word.size(), true;
    return number();
  }

  std::size_t digits() {
    const std::size_t from = at_;
    at_ = (std::min)(text_.find_first_not_of("0123456789", at_), text_.size());
    return at_ - from;
  }

  // A number within a hair of the largest double, or brought down to it by a negative exponent, counts as beyond it.
  bool number() {
    next('-');
    const std::size_t from = at_;
    const std::size_t whole = digits();
    if (whole == 0 || (whole > 1 && text_[from] == '0')) return false;
    if (next('.') && digits() == 0) return false;
    std::string leading;  // digits, as many as the largest double has
    for (const char c : text_.substr(from, (std::min)(at_ - from, std::size_t{18})))
      if (c != '.' && leading.size() < 17) leading += c;
    std::size_t power = 0;
    if (next('e') || next('E')) {
      const bool negative = next('-');
      if (!negative) next('+');
      const std::size_t start = at_;
      const std::size_t length = digits();
      if (length == 0) return false;
      for (const char c : text_.substr(start, length))
        if (!negative && power < 10000) power = power * 10 + static_cast<std::size_t>(c - '0');
    }
    const std::size_t magnitude = whole - 1 + power;
    return magnitude < 308 || (magnitude == 308 && leading <= "17976931348623157");
  }

  bool string() {  // after the opening quote
    while (at_ < text_.size()) {
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte == '"') return ++at_, true;
      if (byte < 0x20) return false;
      if (byte == '\\') {
        if (!escape()) return false;
      } else if (const std::size_t length = utf8::sequence(text_, at_); length > 0) {
        at_ += length;
      } else {
        return false;
      }
    }
    return false;
  }

  bool escape() {
    if (++at_ == text_.size()) return false;
    const char kind = text_[at_++];
    if (kind != 'u') return std::string_view("\"\\/bfnrt").find(kind) != std::string_view::npos;
    const unsigned first = unit();
    if (first < 0xD800 || first > 0xDFFF) return first <= 0xFFFF;
    if (first > 0xDBFF || !next('\\') || !next('u')) return false;
    const unsigned second = unit();
    return second >= 0xDC00 && second <= 0xDFFF;
  }
  unsigned unit() {  // four hexadecimal digits; above 0xFFFF when they are none
    unsigned value = 0x10000;
    const std::string_view hex = text_.substr(at_, 4);
    const char* end = hex.data() + hex.size();
    if (hex.size() < 4 || hex[0] == '-' || std::from_chars(hex.data(), end, value, 16).ptr != end) return 0x10000;
    at_ += 4;
    return value;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace detail

inline bool is_json(std::string_view text) { return detail::JsonSyntax(text).whole(); }

namespace detail {
/// Does a text stand in JSON as it is: ASCII without quote, backslash or control character? Eight bytes at a time; the last
/// block overlaps the one before.
[[nodiscard]] inline bool is_unescaped(std::string_view text) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101, tops = ones * 0x80;
  const auto below = [](std::uint64_t bytes, std::uint64_t limit) { return (bytes - ones * limit) & ~bytes; };
  const auto special = [&](std::uint64_t block) {  // the top bit of a byte, where there is one to look at
    return block | below(block, 0x20) | below(block ^ (ones * '"'), 1) | below(block ^ (ones * '\\'), 1);
  };
  std::uint64_t block = ones * 'a', all = 0;
  if (text.size() < sizeof block) {
    for (std::size_t at = 0; at < text.size(); ++at) block = (block << 8) | static_cast<unsigned char>(text[at]);
    return (special(block) & tops) == 0;
  }
  const auto read = [&](std::size_t at) {
    std::memcpy(&block, text.data() + at, sizeof block);
    return special(block);
  };
  for (std::size_t at = 0; at + sizeof block < text.size() && (all & tops) == 0; at += sizeof block) all |= read(at);
  return ((all | read(text.size() - sizeof block)) & tops) == 0;
}
}  // namespace detail

inline void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  if (detail::is_unescaped(text)) {
    out += text;
    out += '"';
    return;
  }
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
