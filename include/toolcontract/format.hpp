// SPDX-License-Identifier: MIT
/// \file
/// Is this text a date, an email address, a URI, …: JSON Schema's `format`, and what to say when it is not.
///
///     matches_format(Format::date, "2024-02-29");               // true
///     matches_format(Format::date, "2026-02-29");               // false: the calendar counts
///     matches_format(Format::date_time, "2026-11-30T09:30:00"); // false: no Z and no offset
///     matches_format(format_from_name("ipv4"), "10.0.0.01");    // false: leading zero
///     format_problem(Format::date);                             // "must be a date, e.g. 2026-11-30"
///
/// The oracle is the official JSON Schema test suite, 2020-12 and draft-07. Nothing is trimmed; digits are ASCII.
///
/// Cost: std only. Every function is constexpr and noexcept, allocates nothing, takes time linear in the text, and is
/// safe for any bytes, NUL and broken UTF-8 included.
#pragma once

#include <toolcontract/hostname.hpp>
#include <toolcontract/scanner.hpp>

#include <cstddef>
#include <string_view>

namespace toolcontract {
inline namespace v0 {

/// Pick the narrowest one that every legal value has; for anything else use a pattern.
enum class Format : unsigned char {
  none,       ///< No format: matches every text.
  date,       ///< A calendar day, RFC 3339 full-date. With a time of day: `date_time`.
  date_time,  ///< An instant, RFC 3339 date-time: Z or an offset is required, t and z will do, :60 only at 23:59 UTC.
  time,       ///< A time of day, RFC 3339 full-time, with Z or an offset. A length of time: `duration`.
  duration,   ///< RFC 3339 Appendix A, upper case: whole numbers, units without gaps (not P1Y2D), weeks alone.
  uuid,       ///< RFC 4122 text form in either case, any version and variant, no urn:uuid: in front.
  email,      ///< One RFC 5321 mailbox, also "quoted"@ and @[address]; up to 64 bytes before @ and 254 in all.
  uri,        ///< RFC 3986 with a scheme, so no relative reference; the grammar all schemes share, not one's own rules.
  ipv4,       ///< Four decimal numbers, no leading zeros, no netmask or port.
  ipv6,       ///< RFC 4291 text form, may end in an IPv4 address; no zone, brackets or netmask.
  hostname,   ///< RFC 1123 without a final dot, up to 253 bytes. An xn-- label must decode and break no IDNA rule that
              ///< needs no Unicode database; one whose fault only such a database would show passes.
};

/// The JSON Schema spelling, e.g. "date-time"; "" for none.
[[nodiscard]] constexpr std::string_view format_name(Format format) noexcept;

/// The format spelled exactly `name`; none for one we do not check, which the caller must then report as unchecked.
[[nodiscard]] constexpr Format format_from_name(std::string_view name) noexcept;

/// What to tell the model about a text that does not match: the rule and an example that does; "" for none.
[[nodiscard]] constexpr std::string_view format_problem(Format format) noexcept;

/// Whether the whole of `text` has that format. Formats speak of strings only: do not ask about any other JSON value.
[[nodiscard]] constexpr bool matches_format(Format format, std::string_view text) noexcept;

namespace detail::formats {

// ---- date, date-time, time, duration: RFC 3339 section 5.6 and Appendix A

constexpr int days_in_month(int year, int month) noexcept {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

constexpr bool eat_date(Scanner& in) noexcept {
  int year = 0, month = 0, day = 0;
  return in.number(4, 0, 9999, year) && in.eat('-') && in.number(2, 1, 12, month) && in.eat('-') &&
         in.number(2, 1, days_in_month(year, month), day);
}

/// A leap second may end any UTC day: which days had one is a table that grows, so only the minute is checked.
constexpr bool eat_time(Scanner& in) noexcept {
  constexpr int day_minutes = 24 * 60;
  int hour = 0, minute = 0, second = 0, offset_hour = 0, offset_minute = 0, sign = 0;
  if (!in.number(2, 0, 23, hour) || !in.eat(':') || !in.number(2, 0, 59, minute) || !in.eat(':')) return false;
  if (!in.number(2, 0, 60, second) || (in.eat('.') && in.take(is_digit).empty())) return false;
  if (!in.eat_in_any_case("z")) {
    sign = in.eat('+') ? 1 : in.eat('-') ? -1 : 0;
    if (sign == 0 || !in.number(2, 0, 23, offset_hour)) return false;
    if (!in.eat(':') || !in.number(2, 0, 59, offset_minute)) return false;
  }
  const int utc = (hour * 60 + minute - sign * (offset_hour * 60 + offset_minute) + day_minutes) % day_minutes;
  return second < 60 || utc == day_minutes - 1;
}

/// One or more numbers, each with its unit: any unit may come first, each later one must be the next of `units`.
constexpr bool eat_amounts(Scanner& in, std::string_view units) noexcept {
  bool any = false;
  for (; !in.take(is_digit).empty(); any = true) {
    const std::size_t unit = in.done() ? std::string_view::npos : units.find(in.rest.front());
    if (unit == std::string_view::npos || (any && unit != 0)) return false;
    in.rest.remove_prefix(1);
    units.remove_prefix(unit + 1);
  }
  return any;
}

constexpr bool is_text(std::string_view) noexcept { return true; }

constexpr bool is_date(std::string_view text) noexcept {
  Scanner in{text};
  return eat_date(in) && in.done();
}

constexpr bool is_time(std::string_view text) noexcept {
  Scanner in{text};
  return eat_time(in) && in.done();
}

constexpr bool is_date_time(std::string_view text) noexcept {
  Scanner in{text};
  return eat_date(in) && in.eat_in_any_case("t") && eat_time(in) && in.done();
}

constexpr bool is_duration(std::string_view text) noexcept {
  Scanner in{text};
  if (!in.eat('P')) return false;
  if (Scanner weeks = in; eat_amounts(weeks, "W")) return weeks.done();
  const bool only_time = in.rest.starts_with('T');
  return (only_time || eat_amounts(in, "YMD")) && (!in.eat('T') || eat_amounts(in, "HMS")) && in.done();
}

// ---- uuid, ipv4, ipv6

constexpr bool is_uuid(std::string_view text) noexcept {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (hyphen ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

constexpr bool is_ipv4(std::string_view text) noexcept {
  Scanner in{text};
  for (int octet = 0; octet < 4; ++octet) {
    if (octet > 0 && !in.eat('.')) return false;
    Scanner digits{in.take(is_digit)};
    const std::size_t width = digits.rest.size();
    int value = 0;
    if (width == 0 || width > 3 || (width > 1 && digits.rest.front() == '0')) return false;
    if (!digits.number(width, 0, 255, value)) return false;
  }
  return in.done();
}

constexpr bool is_ipv6(std::string_view text) noexcept {
  Scanner in{text};
  bool gap = in.eat("::");
  int groups = 0;
  while (!in.done() && groups <= 8) {
    const std::string_view group = in.until(":");
    if (in.done() && is_ipv4(group)) {
      groups += 2;
      break;
    }
    if (group.empty() || group.size() > 4 || !all_of(group, is_hex)) return false;
    ++groups;
    if (in.done()) break;
    if (in.eat("::")) {
      if (gap) return false;
      gap = true;
    } else {
      in.eat(':');
      if (in.done()) return false;
    }
  }
  return gap ? groups < 8 : groups == 8;
}

// ---- email: RFC 5321 section 4.1.2, with the lengths of section 4.5.3.1

constexpr bool eat_local_part(Scanner& in) noexcept {
  if (in.eat('"')) {
    while (!in.eat('"')) {
      in.eat('\\');  // makes a quote or backslash after it an ordinary character
      if (in.done() || !is_printable(in.rest.front())) return false;
      in.rest.remove_prefix(1);
    }
    return true;
  }
  do
    if (in.take([](char c) { return is_alnum(c) || is_any_of(c, "!#$%&'*+-/=?^_`{|}~"); }).empty()) return false;
  while (in.eat('.'));
  return true;
}

constexpr bool is_email(std::string_view text) noexcept {
  Scanner in{text};
  if (text.size() > 254 || !eat_local_part(in) || text.size() - in.rest.size() > 64 || !in.eat('@')) return false;
  if (!in.eat('[')) return is_hostname(in.rest);
  const bool version_6 = in.eat_in_any_case("ipv6:");
  const std::string_view address = in.until("]");
  return in.rest == "]" && (version_6 ? is_ipv6(address) : is_ipv4(address));
}

// ---- uri: RFC 3986

/// Only unreserved characters, sub-delims, whole percent-encodings and the characters of `also`.
constexpr bool is_encoded(std::string_view text, std::string_view also) noexcept {
  for (Scanner in{text}; !in.done();) {
    const char c = in.take_first(1).front();
    if (c == '%') {
      if (in.rest.size() < 2 || !all_of(in.take_first(2), is_hex)) return false;
    } else if (!is_alnum(c) && !is_any_of(c, "-._~!$&'()*+,;=") && !is_any_of(c, also)) {
      return false;
    }
  }
  return true;
}

/// What may stand in brackets: an IPv6 address, or "v", a hex version, "." and an address of the future.
constexpr bool is_ip_literal(std::string_view text) noexcept {
  Scanner in{text};
  if (!in.eat_in_any_case("v")) return is_ipv6(text);
  return !in.take(is_hex).empty() && in.eat('.') && !in.done() && !is_any_of('%', in.rest) && is_encoded(in.rest, ":");
}

constexpr bool is_authority(std::string_view text) noexcept {
  Scanner in{text};
  if (is_any_of('@', text) && (!is_encoded(in.until("@"), ":") || !in.eat('@'))) return false;
  if (in.eat('[')) {
    if (!is_ip_literal(in.until("]")) || !in.eat(']')) return false;
  } else if (!is_encoded(in.until(":"), "")) {
    return false;
  }
  return in.done() || (in.eat(':') && all_of(in.rest, is_digit));
}

constexpr bool is_uri(std::string_view text) noexcept {
  Scanner in{text};
  if (in.take(is_alpha).empty()) return false;
  in.take([](char c) { return is_alnum(c) || is_any_of(c, "+-."); });
  if (!in.eat(':')) return false;
  if (in.eat("//") && !is_authority(in.until("/?#"))) return false;
  if (!is_encoded(in.until("?#"), ":@/")) return false;
  if (in.eat('?') && !is_encoded(in.until("#"), ":@/?")) return false;
  return !in.eat('#') || is_encoded(in.rest, ":@/?");
}

// ---- the table, in the order of the enumerators

struct Entry {
  std::string_view name, problem;
  bool (*matches)(std::string_view text) noexcept;
};

inline constexpr Entry entries[] = {
    {"", "", is_text},
    {"date", "must be a date, e.g. 2026-11-30", is_date},
    {"date-time", "must be a date and time with Z or an offset, e.g. 2026-11-30T09:30:00Z or 2026-11-30T09:30:00+01:00",
     is_date_time},
    {"time", "must be a time with seconds and Z or an offset, e.g. 09:30:00Z or 09:30:00+01:00", is_time},
    {"duration", "must be an ISO 8601 duration in whole units, e.g. P3DT12H or PT30M or P2W", is_duration},
    {"uuid", "must be a UUID, e.g. 2eb8aa08-aa98-11ea-b4aa-73b441d16380", is_uuid},
    {"email", "must be one email address, e.g. ada@example.com", is_email},
    {"uri", "must be an absolute URI, special characters percent-encoded, e.g. https://example.com/a%20b?page=2",
     is_uri},
    {"ipv4", "must be an IPv4 address, four numbers from 0 to 255 without leading zeros, e.g. 192.168.0.1", is_ipv4},
    {"ipv6", "must be an IPv6 address without zone or brackets, e.g. 2001:db8::1", is_ipv6},
    {"hostname", "must be a host name of letters, digits, hyphens and dots, e.g. api.example.com", is_hostname},
};
inline constexpr std::size_t entry_count = sizeof(entries) / sizeof(entries[0]);
static_assert(entry_count == static_cast<std::size_t>(Format::hostname) + 1, "every Format has its line in entries");

/// A value outside the enumeration is read as none.
constexpr const Entry& entry(Format format) noexcept {
  const std::size_t index = static_cast<std::size_t>(format);
  return entries[index < entry_count ? index : 0];
}

}  // namespace detail::formats

constexpr std::string_view format_name(Format format) noexcept { return detail::formats::entry(format).name; }

constexpr std::string_view format_problem(Format format) noexcept { return detail::formats::entry(format).problem; }

constexpr bool matches_format(Format format, std::string_view text) noexcept {
  return detail::formats::entry(format).matches(text);
}

constexpr Format format_from_name(std::string_view name) noexcept {
  for (std::size_t i = 1; i < detail::formats::entry_count; ++i)
    if (detail::formats::entries[i].name == name) return static_cast<Format>(i);
  return Format::none;
}

}  // namespace v0
}  // namespace toolcontract
