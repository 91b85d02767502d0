// SPDX-License-Identifier: MIT
/// \file
/// Reading a text from the left, for the grammars of formats: character classes and what may be eaten next.
///
///     Scanner in{"2026-11"};
///     in.eat('-');     // false: nothing is consumed
///
/// Nothing here is for users: format.hpp is.
///
/// Cost: std only; constexpr, noexcept, allocates nothing.
#pragma once

#include <cstddef>
#include <string_view>

namespace toolcontract {
inline namespace v0 {
namespace detail::formats {

// Character classes: ASCII, whatever the locale.
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alnum(char c) noexcept { return is_alpha(c) || is_digit(c); }
constexpr bool is_hex(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool is_printable(char c) noexcept { return c >= ' ' && c <= '~'; }
constexpr bool is_any_of(char c, std::string_view set) noexcept { return set.find(c) != set.npos; }

template <class Accepts>
constexpr bool all_of(std::string_view text, Accepts accepts) noexcept {
  for (const char c : text)
    if (!accepts(c)) return false;
  return true;
}

/// Reads a text from the left. What returns bool consumes only what it accepted.
struct Scanner {
  std::string_view rest;

  constexpr bool done() const noexcept { return rest.empty(); }
  constexpr bool eat(char c) noexcept { return eat(std::string_view(&c, 1)); }
  constexpr bool eat(std::string_view word) noexcept {
    if (!rest.starts_with(word)) return false;
    rest.remove_prefix(word.size());
    return true;
  }
  constexpr bool eat_in_any_case(std::string_view lower_word) noexcept {
    if (rest.size() < lower_word.size()) return false;
    for (std::size_t i = 0; i < lower_word.size(); ++i)
      if (lower(rest[i]) != lower_word[i]) return false;
    rest.remove_prefix(lower_word.size());
    return true;
  }
  constexpr std::string_view take_first(std::size_t count) noexcept {
    const std::string_view taken(rest.data(), count);
    rest.remove_prefix(count);
    return taken;
  }
  /// The longest run of accepted characters, maybe empty.
  template <class Accepts>
  constexpr std::string_view take(Accepts accepts) noexcept {
    std::size_t count = 0;
    while (count < rest.size() && accepts(rest[count])) ++count;
    return take_first(count);
  }
  /// Everything before the first character of `stops`, or all of it.
  constexpr std::string_view until(std::string_view stops) noexcept {
    const std::size_t stop = rest.find_first_of(stops);
    return take_first(stop == std::string_view::npos ? rest.size() : stop);
  }
  /// Exactly `width` digits that make a number from `low` to `high`.
  constexpr bool number(std::size_t width, int low, int high, int& value) noexcept {
    if (rest.size() < width) return false;
    value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      if (!is_digit(rest[i])) return false;
      value = value * 10 + (rest[i] - '0');
    }
    rest.remove_prefix(width);
    return value >= low && value <= high;
  }
};

}  // namespace detail::formats

}  // namespace v0
}  // namespace toolcontract
