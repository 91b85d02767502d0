// SPDX-License-Identifier: MIT
/// \file
/// Is this a host name? RFC 1123; for xn-- labels also RFC 3492 (Punycode) and RFC 5890 to 5892 (IDNA).
///
///     detail::formats::is_hostname("xn--bcher-kva.example")   // true: it decodes to bücher
///
/// Nothing here is for users: format.hpp is.
///
/// Cost: std only; constexpr, noexcept, allocates nothing.
#pragma once

#include <toolcontract/scanner.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace toolcontract {
inline namespace v0 {
namespace detail::formats {

// Ranges: pairs of a first and a last character.
constexpr bool is_in(std::u32string_view ranges, char32_t c) noexcept {
  for (std::size_t i = 0; i < ranges.size(); i += 2)
    if (c >= ranges[i] && c <= ranges[i + 1]) return true;
  return false;
}
inline constexpr std::u32string_view greek = U"\u0370\u03FF\u1F00\u1FFF";
inline constexpr std::u32string_view hebrew = U"\u0591\u05F4\uFB1D\uFB4F";
inline constexpr std::u32string_view kana_or_han =
    U"\u2E80\u2FD5\u3005\u3007\u3021\u3029\u3041\u309F\u30A1\u30FA\u30FC\u30FF\u31F0\u31FF\u3400\u4DBF\u4E00\u9FFF"
    U"\uF900\uFAFF\U0001AFF0\U0001B16F\U00020000\U0003FFFF";
/// The blocks of nothing but combining marks, and the marks of Hebrew, Arabic, Devanagari, Thai and Japanese.
inline constexpr std::u32string_view marks =
    U"\u0300\u036F\u0483\u0489\u0591\u05BD\u05BF\u05BF\u05C1\u05C2\u0610\u061A\u064B\u065F\u0670\u0670\u0900\u0903"
    U"\u093A\u093C\u093E\u094F\u0E31\u0E31\u0E34\u0E3A\u0E47\u0E4E\u1AB0\u1AFF\u1DC0\u1DFF\u20D0\u20FF\u302A\u302F"
    U"\u3099\u309A\uFE20\uFE2F";
/// Disallowed: controls, spaces, invisible and private characters, wide forms, the rest of Latin-1 that is no lower case
/// letter, and the exceptions of RFC 5892 section 2.6.
inline constexpr std::u32string_view disallowed =
    U"\x80\u00B6\u00B8\u00DE\u00F7\u00F7\u0640\u0640\u07FA\u07FA\u2000\u200B\u200E\u206F\u302E\u302F\u3031\u3035"
    U"\u303B\u303B\uE000\uF8FF\uFE00\uFE1F\uFF00\uFFFF";
/// Scripts whose letters join: Arabic, Syriac, N'Ko, Mandaic, Mongolian, Phags-pa, Adlam.
inline constexpr std::u32string_view joining =
    U"\u0610\u077F\u07CA\u07FA\u0840\u08FF\u1807\u18AA\uA840\uA872\U0001E900\U0001E94B";

// Single characters: a string as a set.
constexpr bool is_any_of(char32_t c, std::u32string_view set) noexcept { return set.find(c) != set.npos; }
/// Combining class Virama in the basic plane; beyond it every character is taken for one.
inline constexpr std::u32string_view viramas =
    U"\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u0E3A\u0EBA\u0F84\u1039\u103A\u1714"
    U"\u1715\u1734\u17D2\u1A60\u1B44\u1BAA\u1BAB\u1BF2\u1BF3\u2D7F\uA806\uA82C\uA8C4\uA953\uA9C0\uAAF6\uABED";

/// The 59 bytes that may follow "xn--" decode to no more code points than that.
struct CodePoints {
  char32_t at[60] = {};
  std::size_t size = 0;
};

/// RFC 3492 section 6.2. Text that does not end in a hyphen gives at least one non-ASCII code point. Quadratic, in at
/// most 59 characters.
constexpr bool decode_punycode(std::string_view text, CodePoints& out) noexcept {
  const std::size_t hyphen = text.rfind('-');
  Scanner in{text};
  if (hyphen != std::string_view::npos && hyphen > 0) {
    for (const char c : in.take_first(hyphen)) out.at[out.size++] = static_cast<char32_t>(lower(c));
    in.eat('-');
  }
  std::uint64_t code_point = 0x80, position = 0, bias = 72, damp = 700;
  for (; !in.done(); damp = 2) {
    const std::uint64_t before = position;
    for (std::uint64_t weight = 1, k = 36;; k += 36) {
      if (in.done() || !is_alnum(in.rest.front())) return false;
      const char c = in.take_first(1).front();
      const int digit = is_digit(c) ? c - '0' + 26 : lower(c) - 'a';
      const std::uint64_t threshold = k <= bias ? 1 : k - bias < 26 ? k - bias : 26;
      position += static_cast<std::uint64_t>(digit) * weight;
      if (position > 0x110000 * 64) return false;
      if (static_cast<std::uint64_t>(digit) < threshold) break;
      weight *= 36 - threshold;
    }
    const std::uint64_t count = out.size + 1;
    std::uint64_t delta = (position - before) / damp;
    delta += delta / count;
    for (bias = 0; delta > 455; bias += 36) delta /= 35;
    bias += 36 * delta / (delta + 38);
    code_point += position / count;
    position %= count;
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) return false;
    for (std::size_t i = out.size++; i > position; --i) out.at[i] = out.at[i - 1];
    out.at[position++] = static_cast<char32_t>(code_point);
  }
  return true;
}

/// The rules of RFC 5891 section 4.2.3 and RFC 5892 appendix A. What only a Unicode database can tell passes: whether
/// each character is allowed at all, normal form, direction, the rarer marks and joining types.
constexpr bool is_u_label(std::u32string_view label) noexcept {
  if (label.empty() || label.front() == U'-' || label.back() == U'-' || is_in(marks, label.front())) return false;
  if (label.size() > 3 && label[2] == U'-' && label[3] == U'-') return false;
  bool katakana_dot = false, kana_han = false, arabic_digit = false, extended_digit = false;
  for (std::size_t i = 0; i < label.size(); ++i) {
    const char32_t c = label[i];
    const char32_t before = i > 0 ? label[i - 1] : U'\0';
    const char32_t after = i + 1 < label.size() ? label[i + 1] : U'\0';
    const bool virama = before > 0xFFFF || is_any_of(before, viramas);
    if (is_in(disallowed, c)) return false;
    if (c == 0x00B7 && (before != U'l' || after != U'l')) return false;        // middle dot, Catalan l·l
    if (c == 0x0375 && !is_in(greek, after)) return false;                     // Greek keraia
    if ((c == 0x05F3 || c == 0x05F4) && !is_in(hebrew, before)) return false;  // Hebrew geresh, gershayim
    if (c == 0x200D && !virama) return false;                                  // zero width joiner, non-joiner
    if (c == 0x200C && !virama && !(is_in(joining, before) && is_in(joining, after))) return false;
    katakana_dot = katakana_dot || c == 0x30FB;
    kana_han = kana_han || is_in(kana_or_han, c);
    arabic_digit = arabic_digit || (c >= 0x0660 && c <= 0x0669);
    extended_digit = extended_digit || (c >= 0x06F0 && c <= 0x06F9);
  }
  return (!katakana_dot || kana_han) && !(arabic_digit && extended_digit);
}

constexpr bool is_label(std::string_view label) noexcept {
  if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-') return false;
  if (!all_of(label, [](char c) { return is_alnum(c) || c == '-'; })) return false;
  Scanner in{label};
  if (!in.eat_in_any_case("xn--")) return true;
  CodePoints decoded;
  return decode_punycode(in.rest, decoded) && is_u_label({decoded.at, decoded.size});
}

constexpr bool is_hostname(std::string_view text) noexcept {
  if (text.size() > 253) return false;
  Scanner in{text};
  do
    if (!is_label(in.until("."))) return false;
  while (in.eat('.'));
  return true;
}

}  // namespace detail::formats

}  // namespace v0
}  // namespace toolcontract
