// SPDX-License-Identifier: MIT
/// \file
/// How long a Retry-After header asks to wait.
///
///     tc::retry_after("120", now);                              // 120,000 ms
///     tc::retry_after("Sun, 06 Nov 1994 08:49:37 GMT", now);    // until then; 0 when that is past
///     tc::retry_after("soon", now);                             // nothing
///
/// Cost: std only, no allocation.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace toolcontract {
inline namespace v0 {

/// A Retry-After header as the time to wait from `now`: seconds, or a date in any of the three forms of RFC 9110 §5.6.7
/// (IMF-fixdate, RFC 850, asctime). 0 for a date in the past, at most 2^31 seconds; nothing when it is neither.
[[nodiscard]] std::optional<std::chrono::milliseconds> retry_after(std::string_view header,
                                                                   std::chrono::system_clock::time_point now);

namespace detail {

/// Reads a text piece by piece; the first piece that does not fit spoils the rest.
class PieceReader {
 public:
  explicit PieceReader(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool done() const noexcept { return good_ && rest_.empty(); }

  void literal(std::string_view piece) {
    if (!(good_ = good_ && rest_.starts_with(piece))) return;
    rest_.remove_prefix(piece.size());
  }
  /// Exactly so many digits.
  int number(std::size_t digits) {
    int value = 0;
    for (; good_ && digits > 0; --digits) {
      if (!(good_ = !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9')) return 0;
      value = value * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  /// One of the names, or its first `length` characters; from 1.
  template <std::size_t N>
  int name(const std::string_view (&names)[N], std::size_t length = std::string_view::npos) {
    for (std::size_t i = 0; good_ && i < N; ++i)
      if (const auto piece = names[i].substr(0, length); rest_.starts_with(piece)) {
        rest_.remove_prefix(piece.size());
        return static_cast<int>(i) + 1;
      }
    good_ = false;
    return 0;
  }
  bool skip(char c) {
    if (!good_ || !rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

/// The day's name is read, not compared: the rest says the day.
inline std::optional<std::chrono::sys_seconds> http_date(std::string_view text, std::chrono::sys_seconds now) {
  using namespace std::chrono;
  constexpr std::string_view days[] = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
  constexpr std::string_view months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  int year_read = 0, month_read = 0, day_read = 0;
  seconds time{};
  bool time_legal = false;
  const auto read_time = [&](PieceReader& in) {
    const int h = in.number(2);
    in.literal(":");
    const int m = in.number(2);
    in.literal(":");
    const int s = in.number(2);  // 60: a leap second
    time = hours(h) + minutes(m) + seconds(s);
    time_legal = h < 24 && m < 60 && s <= 60;
  };
  const auto at = [&](int y) -> std::optional<sys_seconds> {
    const year_month_day date{year(y), month(static_cast<unsigned>(month_read)), day(static_cast<unsigned>(day_read))};
    if (!time_legal || !date.ok()) return std::nullopt;
    return sys_days(date) + time;
  };

  PieceReader imf(text);  // Sun, 06 Nov 1994 08:49:37 GMT
  imf.name(days, 3);
  imf.literal(", ");
  day_read = imf.number(2);
  imf.literal(" ");
  month_read = imf.name(months);
  imf.literal(" ");
  year_read = imf.number(4);
  imf.literal(" ");
  read_time(imf);
  imf.literal(" GMT");
  if (imf.done()) return at(year_read);

  PieceReader asctime(text);  // Sun Nov  6 08:49:37 1994
  asctime.name(days, 3);
  asctime.literal(" ");
  month_read = asctime.name(months);
  asctime.literal(" ");
  day_read = asctime.number(asctime.skip(' ') ? 1 : 2);
  asctime.literal(" ");
  read_time(asctime);
  asctime.literal(" ");
  year_read = asctime.number(4);
  if (asctime.done()) return at(year_read);

  PieceReader rfc850(text);  // Sunday, 06-Nov-94 08:49:37 GMT
  rfc850.name(days);
  rfc850.literal(", ");
  day_read = rfc850.number(2);
  rfc850.literal("-");
  month_read = rfc850.name(months);
  rfc850.literal("-");
  year_read = rfc850.number(2);
  rfc850.literal(" ");
  read_time(rfc850);
  rfc850.literal(" GMT");
  if (!rfc850.done()) return std::nullopt;
  // Two digits mean the latest such year that is not more than 50 years ahead.
  const auto today = floor<std::chrono::days>(now);
  const year_month_day date_now(today);
  const int this_year = static_cast<int>(date_now.year());
  const auto limit = sys_days((date_now.year() + years(50)) / date_now.month() / std::chrono::day(1)) +
                     (today - sys_days(date_now.year() / date_now.month() / std::chrono::day(1))) + (now - today);
  for (const int century : {100, 0, -100})
    if (const auto date = at(this_year - this_year % 100 + century + year_read); date && *date <= limit) return date;
  return std::nullopt;
}

}  // namespace detail

inline std::optional<std::chrono::milliseconds> retry_after(std::string_view header,
                                                            std::chrono::system_clock::time_point now) {
  using namespace std::chrono;
  constexpr seconds longest{std::int64_t{1} << 31};  // as RFC 9111 §1.2.2 reads what is too large
  constexpr std::string_view blank = " \t";
  const auto first = header.find_first_not_of(blank);
  if (first == header.npos) return std::nullopt;
  header = header.substr(first, header.find_last_not_of(blank) + 1 - first);
  if (header.find_first_not_of("0123456789") == header.npos) {
    seconds wait{0};
    for (const char digit : header) wait = (std::min)(longest, wait * 10 + seconds(digit - '0'));
    return wait;
  }
  const auto date = detail::http_date(header, floor<seconds>(now));
  if (!date) return std::nullopt;
  const milliseconds wait = *date - floor<milliseconds>(now);
  return std::clamp(wait, milliseconds(0), milliseconds(longest));
}

}  // namespace v0
}  // namespace toolcontract
