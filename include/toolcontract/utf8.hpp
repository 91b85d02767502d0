// SPDX-License-Identifier: MIT
/// \file
/// Which bytes are text: UTF-8 validity, code points, and cutting without splitting a character.
///
///     tc::utf8::valid("caf\xc3\xa9");                 // true
///     tc::utf8::count("caf\xc3\xa9");                 // 4 code points, what JSON Schema's minLength counts
///     tc::utf8::prefix("caf\xc3\xa9", 4);             // "caf": the last character would not fit
///
/// Cost: std only; one pass, no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace toolcontract {
inline namespace v0 {
namespace utf8 {

/// Length in bytes (1 to 4) of the well-formed sequence at `at`, 0 where there is none (RFC 3629: no overlong forms, no
/// surrogates, nothing above U+10FFFF). Precondition: at < text.size().
[[nodiscard]] constexpr std::size_t sequence(std::string_view text, std::size_t at) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const auto continues = [&](std::size_t i, unsigned low, unsigned high) {
    return at + i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  if (lead < 0xE0) return continues(1, 0x80, 0xBF) ? 2 : 0;
  if (lead < 0xF0) {
    const unsigned low = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = lead == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2, 0x80, 0xBF) ? 3 : 0;
  }
  const unsigned low = lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xF4 ? 0x8F : 0xBF;
  return continues(1, low, high) && continues(2, 0x80, 0xBF) && continues(3, 0x80, 0xBF) ? 4 : 0;
}

/// How many bytes from `from` on are ASCII, counted eight at a time.
[[nodiscard]] inline std::size_t ascii_run(std::string_view text, std::size_t from) noexcept {
  std::size_t at = from;
  for (unsigned long long block; at + sizeof block <= text.size(); at += sizeof block) {
    std::memcpy(&block, text.data() + at, sizeof block);
    if ((block & 0x8080808080808080ULL) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at - from;
}

/// The first byte that is not part of a well-formed sequence; text.size() when all of it is UTF-8.
[[nodiscard, gnu::noinline]] inline std::size_t first_invalid(std::string_view text) noexcept {
  std::size_t at = ascii_run(text, 0);
  while (at < text.size()) {
    const std::size_t length = sequence(text, at);
    if (length == 0) return at;
    at += length;
    if (length == 1) at += ascii_run(text, at);
  }
  return at;
}

/// Is all of it ASCII? For texts as short as arguments are: no byte by itself, the last block overlaps the one before.
[[nodiscard, gnu::always_inline]] inline bool is_ascii(std::string_view text) noexcept {
  const auto block = [&]<class Block>(Block, std::size_t at) {
    Block read;
    std::memcpy(&read, text.data() + at, sizeof read);
    return read;
  };
  const std::size_t size = text.size();
  if (size >= 8) {
    std::uint64_t all = block(std::uint64_t{}, size - 8);
    for (std::size_t at = 0; at + 8 < size; at += 8) all |= block(std::uint64_t{}, at);
    return (all & 0x8080808080808080ULL) == 0;
  }
  if (size >= 4) return ((block(std::uint32_t{}, 0) | block(std::uint32_t{}, size - 4)) & 0x80808080U) == 0;
  if (size == 0) return true;
  return ((text[0] | text[size / 2] | text[size - 1]) & 0x80) == 0;
}

[[nodiscard, gnu::always_inline]] inline bool valid(std::string_view text) noexcept {
  return is_ascii(text) || first_invalid(text) == text.size();
}

/// Equality of two texts, quicker than a call of memcmp for the lengths that names have.
[[nodiscard, gnu::always_inline]] inline bool same(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  const auto differ = [&]<class Block>(Block, std::size_t at) {
    Block x, y;
    std::memcpy(&x, a.data() + at, sizeof x);
    std::memcpy(&y, b.data() + at, sizeof y);
    return x != y;
  };
  const std::size_t size = a.size();
  if (size >= 8) {
    for (std::size_t at = 0; at + 8 < size; at += 8)
      if (differ(std::uint64_t{}, at)) return false;
    return !differ(std::uint64_t{}, size - 8);
  }
  if (size >= 4) return !differ(std::uint32_t{}, 0) && !differ(std::uint32_t{}, size - 4);
  return size == 0 || (a[0] == b[0] && a[size / 2] == b[size / 2] && a[size - 1] == b[size - 1]);
}

/// Code points in a valid text: every byte that does not continue a character.
[[nodiscard]] constexpr std::size_t count(std::string_view text) noexcept {
  std::size_t points = 0;
  for (const char c : text) points += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return points;
}

/// The longest prefix of at most `bytes` bytes that does not end inside a character; a stray byte is one by itself.
[[nodiscard]] constexpr std::string_view prefix(std::string_view text, std::size_t bytes) noexcept {
  if (text.size() <= bytes) return text;
  for (std::size_t back = 1; back <= 3 && back <= bytes; ++back)
    if (sequence(text, bytes - back) > back) return text.substr(0, bytes - back);
  return text.substr(0, bytes);
}

}  // namespace utf8
}  // namespace v0
}  // namespace toolcontract
