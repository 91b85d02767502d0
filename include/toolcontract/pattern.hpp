// SPDX-License-Identifier: MIT
/// \file
/// One compiled regular expression, as JSON Schema's `pattern` means it, in time linear in the text.
///
///     const tc::Pattern order("^A[0-9]+$");
///     order.matches("A17");            // true; like JSON Schema, unanchored patterns match anywhere
///     tc::Pattern("(?=a)b");           // throws PatternError: lookaround has no linear-time meaning
///
/// Patterns are written in ECMA-262 (JSON Schema 2020-12, core 6.4) and run on RE2. What the two spell differently is
/// translated (\s, ., \uXXXX, \cX, (?<name>…)); what RE2 cannot mean (lookaround, backreferences) or ECMA does not
/// know (\A, (?i), [[:alpha:]]) is refused, never reinterpreted.
///
/// Cost: RE2 and std. The only header that knows the engine; without RE2 no Pattern can be built and the error says so.
#pragma once

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#if TOOLCONTRACT_HAS_RE2
#include <re2/re2.h>
#endif

namespace toolcontract {
inline namespace v0 {

/// A pattern that cannot be used; what() says which, why, and the remedy.
struct PatternError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// Immutable; safe to use from many threads at once.
class Pattern {
 public:
  /// \throws PatternError when the pattern is malformed, cannot run in linear time, or RE2 is not built in.
  explicit Pattern(std::string_view ecma);

  [[nodiscard]] bool matches(std::string_view text) const noexcept;
  [[nodiscard]] const std::string& source() const noexcept { return source_; }

 private:
  std::string source_;
#if TOOLCONTRACT_HAS_RE2
  std::unique_ptr<const RE2> engine_;
#endif
};

namespace detail {

/// Rewrites one ECMA-262 pattern (u-mode, with the leniency of Annex B for stray braces) into RE2's syntax.
class EcmaToRe2 {
 public:
  explicit EcmaToRe2(std::string_view ecma) : ecma_(ecma) {}

  std::string translate() {
    while (!at_end()) {
      const char c = ecma_[at_++];
      if (c == '\\') {
        escape();
      } else if (in_class_) {
        in_class_ = c != ']';
        if (c == '[') out_ += '\\';  // a literal in ECMA, the start of [:alpha:] in RE2
        out_ += c;
      } else if (c == '[') {
        open_class();
      } else if (c == '(') {
        open_group();
      } else if (c == '.') {
        out_ += R"([^\n\r\x{2028}\x{2029}])";
      } else {
        if (c == ']' || (c == '{' && !quantifier_follows())) out_ += '\\';
        out_ += c;
      }
    }
    return std::move(out_);
  }

 private:
  static constexpr std::string_view space = R"(\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
  static constexpr std::string_view not_space =
      R"(\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e})"
      R"(\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";

  [[nodiscard]] bool at_end() const { return at_ == ecma_.size(); }
  [[nodiscard]] bool next_is(std::string_view text) const { return ecma_.substr(at_).starts_with(text); }
  [[noreturn]] static void refuse(const std::string& why) { throw PatternError(why); }

  void open_class() {
    if (next_is("]")) refuse("has an empty class []; it can never match");
    if (next_is("^]")) {  // ECMA: any character at all
      at_ += 2;
      out_ += R"([\x{0}-\x{10ffff}])";
      return;
    }
    in_class_ = true;
    out_ += '[';
    if (next_is("^")) {
      ++at_;
      out_ += '^';
    }
  }

  void open_group() {
    out_ += '(';
    if (!next_is("?")) return;
    if (next_is("?=") || next_is("?!") || next_is("?<=") || next_is("?<!"))
      refuse("uses lookaround, which cannot run in linear time; write the condition as a rule or as two patterns");
    if (next_is("?:")) return;
    if (!next_is("?<")) refuse("uses an inline flag group, which JSON Schema patterns do not have; spell the cases out");
    at_ += 2;
    out_ += "?P<";
  }

  // {n}, {n,} or {n,m}: a quantifier; any other brace is a literal.
  [[nodiscard]] bool quantifier_follows() const {
    const std::size_t close = ecma_.find('}', at_);
    if (close == ecma_.npos) return false;
    const std::string_view inside = ecma_.substr(at_, close - at_);
    const std::size_t digits = inside.find_first_not_of("0123456789");
    if (digits == 0 || inside.empty()) return false;
    if (digits == inside.npos) return true;
    return inside[digits] == ',' && inside.find_first_not_of("0123456789", digits + 1) == inside.npos;
  }

  void escape() {
    if (at_end()) refuse("ends in a lone backslash");
    const char c = ecma_[at_++];
    switch (c) {
      case 's': bracket(space, false); return;
      case 'S': in_class_ ? bracket(not_space, false) : bracket(space, true); return;
      case 'd': case 'D': case 'w': case 'W': case 't': case 'n': case 'r': case 'f': case 'v':
        out_.append("\\").append(1, c);
        return;
      case 'b':
        out_ += in_class_ ? "\\x08" : "\\b";
        return;
      case 'B':
        if (in_class_) refuse("has \\B inside a class");
        out_ += "\\B";
        return;
      case 'p': case 'P': property(c); return;
      case 'x': code_point(hex(2)); return;
      case 'u': code_point(unicode()); return;
      case 'c': {
        if (at_end() || !is_letter(ecma_[at_])) refuse("has \\c without a letter");
        code_point(static_cast<unsigned>(ecma_[at_++]) % 32);
        return;
      }
      case '0':
        if (!at_end() && ecma_[at_] >= '0' && ecma_[at_] <= '9') refuse("has an octal escape; write \\xHH");
        code_point(0);
        return;
      default:
        if (c >= '1' && c <= '9') refuse("uses a backreference, which cannot run in linear time");
        if (c == 'k') refuse("uses a named backreference, which cannot run in linear time");
        if (is_letter(c)) refuse(std::string("has the unknown escape \\") + c);
        if (static_cast<unsigned char>(c) < 0x80 && c != '_') out_ += '\\';
        out_ += c;
    }
  }

  void bracket(std::string_view ranges, bool negate) {
    if (!in_class_) out_ += negate ? "[^" : "[";
    out_ += ranges;
    if (!in_class_) out_ += ']';
  }

  // \p{L}, \p{Lu}, \p{Script=Greek}: RE2 knows general categories and scripts by their short names.
  void property(char p) {
    const std::size_t close = ecma_.find('}', at_);
    if (!next_is("{") || close == ecma_.npos) refuse("has \\p without {…}");
    std::string_view inside = ecma_.substr(at_ + 1, close - at_ - 1);
    for (const std::string_view prefix : {"Script=", "sc=", "General_Category=", "gc="})
      if (inside.starts_with(prefix)) inside.remove_prefix(prefix.size());
    constexpr std::pair<std::string_view, std::string_view> long_names[] = {
        {"Letter", "L"}, {"Lowercase_Letter", "Ll"}, {"Uppercase_Letter", "Lu"}, {"Number", "N"}, {"Decimal_Number", "Nd"},
        {"digit", "Nd"}, {"Punctuation", "P"}, {"punct", "P"}, {"Symbol", "S"}, {"Separator", "Z"}, {"Mark", "M"}};
    for (const auto& [long_name, short_name] : long_names)
      if (inside == long_name) inside = short_name;
    out_.append("\\").append(1, p).append("{").append(inside).append("}");
    at_ = close + 1;
  }

  unsigned unicode() {
    if (!next_is("{")) {
      const unsigned high = hex(4);
      if (high < 0xD800 || high > 0xDFFF) return high;
      if (high > 0xDBFF || !next_is("\\u")) refuse("has half of a surrogate pair");
      at_ += 2;
      const unsigned low = hex(4);
      if (low < 0xDC00 || low > 0xDFFF) refuse("has half of a surrogate pair");
      return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    }
    const std::size_t close = ecma_.find('}', at_);
    if (close == ecma_.npos || close == at_ + 1 || close > at_ + 7) refuse("has a malformed \\u{…}");
    ++at_;
    const unsigned value = hex(close - at_);
    ++at_;
    if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) refuse("names a code point that does not exist");
    return value;
  }

  unsigned hex(std::size_t digits) {
    unsigned value = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
      const std::size_t digit = at_end() ? std::string_view::npos : std::string_view("0123456789abcdefABCDEF").find(ecma_[at_]);
      if (digit == std::string_view::npos) refuse("has an escape with too few hex digits");
      value = value * 16 + static_cast<unsigned>(digit > 15 ? digit - 6 : digit);
    }
    return value;
  }

  void code_point(unsigned value) {
    constexpr std::string_view digits = "0123456789abcdef";
    out_ += "\\x{";
    for (int shift = 20; shift >= 0; shift -= 4) out_ += digits[(value >> shift) & 15];
    out_ += '}';
  }

  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  std::string_view ecma_;
  std::size_t at_ = 0;
  bool in_class_ = false;
  std::string out_;
};

}  // namespace detail

#if TOOLCONTRACT_HAS_RE2
inline Pattern::Pattern(std::string_view ecma) : source_(ecma) {
  const auto refuse = [&](std::string_view why) {
    throw PatternError("toolcontract: the pattern " + source_ + " " + std::string(why));
  };
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  try {
    engine_ = std::make_unique<const RE2>(detail::EcmaToRe2(ecma).translate(), options);
  } catch (const PatternError& refused) {
    refuse(refused.what());
  }
  if (!engine_->ok()) refuse("does not parse: " + engine_->error());
}

inline bool Pattern::matches(std::string_view text) const noexcept {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *engine_);
}
#else
inline Pattern::Pattern(std::string_view ecma) : source_(ecma) {
  throw PatternError("toolcontract: the pattern " + source_ +
                     " needs RE2; install RE2 (Debian: libre2-dev) and configure with TOOLCONTRACT_RE2=ON");
}
inline bool Pattern::matches(std::string_view) const noexcept { return false; }
#endif

}  // namespace v0
}  // namespace toolcontract
