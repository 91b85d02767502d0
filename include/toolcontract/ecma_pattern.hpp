// SPDX-License-Identifier: MIT
/// \file
/// What JSON Schema's regular expressions look like in RE2's syntax, or why RE2 cannot mean them.
///
///     detail::EcmaToRe2("^\\d+\\cJ$").translate();    // "^[0-9]+\\x{A}$"; throws PatternError where there is no such pattern
///
/// Nothing here is for users: pattern.hpp is, and says which patterns are taken.
///
/// Cost: std only.
#pragma once

#include <toolcontract/utf8.hpp>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// A pattern that cannot be used; what() says which, why, and the remedy.
struct PatternError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

namespace detail {

/// Rewrites one ECMA-262 pattern into RE2's syntax, in one pass. What is lenient here is Annex B of ECMA-262.
class EcmaToRe2 {
 public:
  explicit EcmaToRe2(std::string_view ecma) : ecma_(ecma) {}

  std::string translate() {
    if (!utf8::valid(ecma_)) refuse("is not valid UTF-8");
    bool repeatable = false;  // is there something before this place that a quantifier may repeat?
    while (!at_end()) {
      const char c = ecma_[at_++];
      if (c == '*' || c == '+' || c == '?' || (c == '{' && counts())) {
        if (!repeatable) refuse("repeats nothing; write \\ before a *, + or ? that is meant as itself");
        quantifier();
        repeatable = false;
        continue;
      }
      repeatable = true;
      switch (c) {
        case '\\':
          repeatable = escape();
          break;
        case '[':
          open_class();
          break;
        case '(':
          open_group();
          repeatable = false;
          break;
        case ')':
          if (depth_ == 0) refuse("has a ) without its (");
          --depth_;
          out_ += c;
          break;
        case '|':
        case '^':
        case '$':
          out_ += c;
          repeatable = false;
          break;
        case '.':
          out_ += R"([^\n\r\x{2028}\x{2029}])";
          break;
        case ']':
        case '{':
          out_.append("\\").append(1, c);
          break;
        default:
          out_ += c;
      }
    }
    // RE2 tries every byte as a start, and \B holds inside a character; this lets it start at whole characters only.
    return inside_word_ ? "^(?s:.*?)(?:" + out_ + ")" : std::move(out_);
  }

 private:
  static constexpr std::string_view space =
      R"(\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
  static constexpr std::string_view not_space =
      R"(\x00-\x08\x0e-\x1f!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e})"
      R"(\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff})";
  static constexpr std::string_view assigned = R"(\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z})";  // RE2's \p{C} leaves out Cn

  [[nodiscard]] bool at_end() const { return at_ == ecma_.size(); }
  [[nodiscard]] bool next_is(std::string_view text) const { return ecma_.substr(at_).starts_with(text); }
  [[noreturn]] static void refuse(const std::string& why) { throw PatternError(why); }

  // ---- quantifiers and groups

  // After a {: does it start {n}, {n,} or {n,m}? Any other brace is a literal.
  [[nodiscard]] bool counts() const {
    const std::size_t close = ecma_.find_first_not_of("0123456789,", at_);
    if (close == ecma_.npos || ecma_[close] != '}') return false;
    const std::string_view inside = ecma_.substr(at_, close - at_);
    const std::size_t comma = inside.find(',');
    return !inside.empty() && comma != 0 && (comma == inside.npos || inside.find(',', comma + 1) == inside.npos);
  }

  void quantifier() {
    const std::size_t from = at_ - 1;
    if (ecma_[from] == '{') at_ = ecma_.find('}', at_) + 1;
    if (next_is("?")) ++at_;
    out_ += ecma_.substr(from, at_ - from);
  }

  void open_group() {
    ++depth_;
    out_ += '(';
    if (!next_is("?")) return;
    if (next_is("?=") || next_is("?!") || next_is("?<=") || next_is("?<!"))
      refuse("uses lookaround, which cannot run in linear time; write the condition as a rule or as two patterns");
    if (next_is("?:")) {
      at_ += 2;
      out_ += "?:";
      return;
    }
    if (!next_is("?<")) refuse("uses a group such as (?i) or (?P<name>…), which JSON Schema patterns do not have");
    at_ += 2;
    if (!at_end() && is_digit(ecma_[at_])) refuse("has a group whose name starts with a digit");
    out_ += "?P<";
    while (!at_end() && ecma_[at_] != '>') out_ += ecma_[at_++];
  }

  // ---- escapes

  /// After a backslash outside a class. True for what a quantifier may repeat.
  bool escape() {
    if (at_end()) refuse("ends in a lone backslash");
    switch (ecma_[at_]) {
      case 'b':
        ++at_;
        out_ += "\\b";
        return false;
      case 'B':
        ++at_;
        out_ += "\\B";
        inside_word_ = true;
        return false;
      case 'k':
        refuse("uses a named backreference, which cannot run in linear time");
      default:
        if (ecma_[at_] >= '1' && ecma_[at_] <= '9') refuse("uses a backreference, which cannot run in linear time");
    }
    const Atom atom = escaped(false);
    if (atom.point || !atom.is_ranges)
      out_ += atom.text;
    else
      out_.append("[").append(atom.text).append("]");
    return true;
  }

  /// One character, or a set of them.
  struct Atom {
    std::string text{};               ///< As RE2 writes it, inside a class too.
    std::optional<unsigned> point{};  ///< Of one character.
    bool is_ranges = false;           ///< A set that must be put in brackets outside a class.
  };

  static Atom character(unsigned point) {
    if (point >= 0x80 || point < 0x20 || point == 0x7F) {
      constexpr std::string_view digits = "0123456789abcdef";
      std::string text = "\\x{";
      for (int shift = 20; shift >= 0; shift -= 4) text += digits[(point >> shift) & 15];
      return {text + "}", point};
    }
    const char c = static_cast<char>(point);
    return {is_letter(c) || is_digit(c) || c == '_' || c == ' ' ? std::string(1, c) : std::string{'\\', c}, point};
  }

  /// What both sides of a class know, after the backslash.
  Atom escaped(bool in_class) {
    if (at_end()) refuse("ends in a lone backslash");
    const std::size_t length = utf8::sequence(ecma_, at_);
    const char c = ecma_[at_];
    at_ += length;
    switch (c) {
      case 's':
        return {std::string(space), {}, true};
      case 'S':
        return {std::string(not_space), {}, true};
      case 'd':
      case 'D':
      case 'w':
      case 'W':
        return {{'\\', c}, {}};
      case 't':
        return character('\t');
      case 'n':
        return character('\n');
      case 'r':
        return character('\r');
      case 'f':
        return character('\f');
      case 'v':
        return character('\v');
      case 'p':
      case 'P':
        return property(c, in_class);
      case 'x':
        return character(hex(2));
      case 'u':
        return character(unicode());
      case 'c':
        if (at_end() || !is_letter(ecma_[at_])) refuse("has \\c without a letter");
        return character(static_cast<unsigned>(ecma_[at_++]) % 32);
      case '0':
        if (!at_end() && is_digit(ecma_[at_])) refuse("has an octal escape; write \\xHH");
        return character(0);
      default:
        if (is_digit(c)) refuse("has an octal escape; write \\xHH");
        if (is_letter(c)) refuse(std::string("has the unknown escape \\") + c);
        return literal(at_ - length, length);
    }
  }

  /// The character that stands at `from` as itself.
  [[nodiscard]] Atom literal(std::size_t from, std::size_t length) const {
    if (length == 1) return character(static_cast<unsigned char>(ecma_[from]));
    unsigned point = static_cast<unsigned char>(ecma_[from]) & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) point = point << 6 | (static_cast<unsigned char>(ecma_[from + i]) & 0x3FU);
    return {std::string(ecma_.substr(from, length)), point};
  }

  // ---- classes

  void open_class() {
    if (next_is("]")) refuse("has an empty class []; it can never match");
    if (next_is("^]")) {  // ECMA: any character at all
      at_ += 2;
      out_ += R"([\x{0}-\x{10ffff}])";
      return;
    }
    out_ += '[';
    if (next_is("^")) {
      ++at_;
      out_ += '^';
    }
    while (!next_is("]")) {
      const Atom low = class_atom();
      out_ += low.text;
      if (!next_is("-") || next_is("-]")) continue;
      ++at_;
      const Atom high = class_atom();
      if (!low.point || !high.point)
        out_ += '\\';  // no range beside a set: the - is itself
      else if (*low.point > *high.point)
        refuse("has a range in a class that is out of order");
      out_.append("-").append(high.text);
    }
    ++at_;
    out_ += ']';
  }

  Atom class_atom() {
    if (at_end()) refuse("has a class without its ]");
    if (next_is("[:")) {
      const std::size_t end = ecma_.find_first_not_of(letters, at_ + 2);
      if (end != ecma_.npos && ecma_.substr(end).starts_with(":]"))
        refuse("uses a class such as [:alpha:], which JSON Schema patterns do not have; write the characters out");
    }
    const std::size_t from = at_;
    if (ecma_[from] != '\\') {
      at_ += utf8::sequence(ecma_, from);
      return literal(from, at_ - from);
    }
    ++at_;
    if (next_is("B")) refuse("has \\B inside a class");
    if (!next_is("b")) return escaped(true);
    ++at_;
    return character('\b');
  }

  // \p{L}, \p{Letter}, \p{gc=L}, \p{Script=Greek}: RE2 knows both kinds, by their short names, without their prefix.
  Atom property(char p, bool in_class) {
    const std::size_t close = ecma_.find('}', at_);
    if (!next_is("{") || close == ecma_.npos) refuse("has \\p without {…}");
    const std::string_view written = ecma_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
    std::string_view value = written;
    bool is_script = false;
    for (const std::string_view prefix : {"General_Category=", "gc=", "Script=", "sc="})
      if (written.starts_with(prefix)) {
        value.remove_prefix(prefix.size());
        is_script = prefix.front() != 'G' && prefix.front() != 'g';
      }
    const bool is_any = written == "Any";
    const std::string_view category = is_script ? std::string_view() : general_category(value);
    is_script = is_script && !value.empty() && value != "Any" && value.find_first_not_of(letters) == value.npos &&
                general_category(value).empty();
    if (!is_any && !is_script && category.empty())
      refuse("has \\p{" + std::string(written) +
             "}, which is no general category such as \\p{L} and no script such as \\p{Script=Greek}");
    if (category == "C") {
      if (p == 'P') return {std::string(assigned), {}, true};
      if (in_class) refuse("has \\p{C} inside a class; write \\P{C} for what is assigned, or the parts \\p{Cc}\\p{Cf}");
      return {"[^" + std::string(assigned) + "]", {}};
    }
    return {std::string{'\\', p, '{'}.append(category.empty() ? value : category).append("}"), {}};
  }

  /// The short name of a general category, from either name (Unicode's PropertyValueAliases); "" for anything else.
  static std::string_view general_category(std::string_view name) {
    constexpr std::string_view names =
        "L=Letter Lu=Uppercase_Letter Ll=Lowercase_Letter Lt=Titlecase_Letter Lm=Modifier_Letter "
        "Lo=Other_Letter M=Mark M=Combining_Mark Mn=Nonspacing_Mark Mc=Spacing_Mark Me=Enclosing_Mark "
        "N=Number Nd=Decimal_Number Nd=digit Nl=Letter_Number No=Other_Number P=Punctuation P=punct "
        "Pc=Connector_Punctuation Pd=Dash_Punctuation Ps=Open_Punctuation Pe=Close_Punctuation "
        "Pi=Initial_Punctuation Pf=Final_Punctuation Po=Other_Punctuation S=Symbol Sm=Math_Symbol "
        "Sc=Currency_Symbol Sk=Modifier_Symbol So=Other_Symbol Z=Separator Zs=Space_Separator "
        "Zl=Line_Separator Zp=Paragraph_Separator C=Other Cc=Control Cc=cntrl Cf=Format Co=Private_Use ";
    for (std::size_t from = 0, end = 0; from < names.size(); from = end + 1) {
      end = names.find(' ', from);
      const std::string_view both = names.substr(from, end - from), short_name = both.substr(0, both.find('='));
      if (name == short_name || name == both.substr(short_name.size() + 1)) return short_name;
    }
    return {};
  }

  // ---- numbers

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
      const std::size_t digit =
          at_end() ? std::string_view::npos : std::string_view("0123456789abcdefABCDEF").find(ecma_[at_]);
      if (digit == std::string_view::npos) refuse("has an escape with too few hex digits");
      value = value * 16 + static_cast<unsigned>(digit > 15 ? digit - 6 : digit);
    }
    return value;
  }

  static constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  std::string_view ecma_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;     ///< of open groups
  bool inside_word_ = false;  ///< \B was used
  std::string out_;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
