// SPDX-License-Identifier: MIT
#include <toolcontract/retry_after.hpp>

#include "catch.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace tc = toolcontract;
using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::system_clock;

namespace {

constexpr sys_days day(int year, unsigned month, unsigned day) {
  return sys_days(std::chrono::year(year) / static_cast<int>(month) / static_cast<int>(day));
}

/// The example of RFC 9110 §5.6.7, a minute before it.
const system_clock::time_point a_minute_before = day(1994, 11, 6) + 8h + 48min + 37s;

std::optional<milliseconds> wait(std::string_view header, system_clock::time_point now = a_minute_before) {
  return tc::retry_after(header, now);
}

constexpr milliseconds longest = std::chrono::seconds(2'147'483'648);

}  // namespace

TEST_CASE("retry_after: seconds are seconds") {
  CHECK(wait("120") == 120s);
  CHECK(wait("0") == 0s);
  CHECK(wait("007") == 7s);
  CHECK(wait(" \t5 ") == 5s);
}

TEST_CASE("retry_after: more seconds than anyone can wait are 2^31 of them") {
  CHECK(wait("2147483647") == 2'147'483'647s);
  CHECK(wait("2147483648") == longest);
  CHECK(wait("2147483649") == longest);
  CHECK(wait("18446744073709551617") == longest);
  CHECK(wait(std::string(100'000, '9')) == longest);
}

TEST_CASE("retry_after: the three forms of a date mean the same time") {
  CHECK(wait("Sun, 06 Nov 1994 08:49:37 GMT") == 60s);
  CHECK(wait("Sunday, 06-Nov-94 08:49:37 GMT") == 60s);
  CHECK(wait("Sun Nov  6 08:49:37 1994") == 60s);
}

TEST_CASE("retry_after: an asctime day of two digits has no space before it") {
  CHECK(wait("Wed Nov 16 08:48:37 1994") == 240h);
  CHECK(wait("Wed Nov  16 08:48:37 1994") == std::nullopt);
}

TEST_CASE("retry_after: a date that is past means now, however long it is past") {
  CHECK(wait("Sun, 06 Nov 1994 08:48:37 GMT") == 0s);
  CHECK(wait("Sun, 06 Nov 1994 08:48:36 GMT") == 0s);
  CHECK(wait("Mon, 01 Jan 0001 00:00:00 GMT") == 0s);
}

TEST_CASE("retry_after: a date beyond the clock's range is far away, not an overflow") {
  CHECK(wait("Fri, 31 Dec 9999 23:59:59 GMT") == longest);
  CHECK(wait("Fri, 31 Dec 9999 23:59:59 GMT", (system_clock::time_point::max)()) == longest);
  CHECK(wait("Mon, 01 Jan 0000 00:00:00 GMT", (system_clock::time_point::min)()) == 0s);
  CHECK(wait("Sunday, 06-Nov-94 08:49:37 GMT", (system_clock::time_point::max)()).has_value());
  CHECK(wait("Sunday, 06-Nov-94 08:49:37 GMT", (system_clock::time_point::min)()).has_value());
}

TEST_CASE("retry_after: the wait for a date is not cut short by the part of a second that has passed") {
  CHECK(wait("Sun, 06 Nov 1994 08:48:39 GMT", a_minute_before + 400ms) == 1600ms);
  CHECK(wait("Sun, 06 Nov 1994 08:48:39 GMT", a_minute_before + 400ms + 999us) == 1600ms);
}

TEST_CASE("retry_after: a year of two digits is the latest that is not more than 50 years ahead") {
  const system_clock::time_point in_2026 = day(2026, 6, 1);
  CHECK(wait("Monday, 01-Jun-26 00:00:10 GMT", in_2026) == 10s);
  CHECK(wait("Monday, 01-Jun-76 00:00:00 GMT", in_2026) == milliseconds(day(2076, 6, 1) - day(2026, 6, 1)));
  CHECK(wait("Monday, 01-Jan-77 00:00:00 GMT", in_2026) == 0s);  // 1977
  const system_clock::time_point in_2099 = day(2099, 12, 31);
  CHECK(wait("Friday, 01-Jan-00 00:00:00 GMT", in_2099) == 24h);  // 2100
  CHECK(wait("Sunday, 29-Feb-00 00:00:00 GMT", in_2099) == 0s);   // 2100 has no such day, 2000 has
}

TEST_CASE("retry_after: days are those of the calendar, seconds may leap") {
  const system_clock::time_point now = day(2023, 1, 1);
  CHECK(wait("Wed, 29 Feb 2023 00:00:00 GMT", now) == std::nullopt);
  CHECK(wait("Thu, 29 Feb 2024 00:00:00 GMT", now) == milliseconds(day(2024, 2, 29) - day(2023, 1, 1)));
  CHECK(wait("Sun, 31 Apr 2023 00:00:00 GMT", now) == std::nullopt);
  CHECK(wait("Sun, 00 Jan 2023 00:00:00 GMT", now) == std::nullopt);
  CHECK(wait("Sun, 01 Jan 2023 24:00:00 GMT", now) == std::nullopt);
  CHECK(wait("Sun, 01 Jan 2023 00:60:00 GMT", now) == std::nullopt);
  CHECK(wait("Sun, 01 Jan 2023 00:00:60 GMT", now) == 60s);
  CHECK(wait("Sun, 01 Jan 2023 00:00:61 GMT", now) == std::nullopt);
}

TEST_CASE("retry_after: anything else says nothing") {
  for (const auto* header : {"",
                             " ",
                             "-1",
                             "+1",
                             "1.5",
                             "1e3",
                             "12 s",
                             "120, 120",
                             "soon",
                             "\xff",
                             "1\n2",
                             "Sun, 06 Nov 1994 08:49:37",
                             "Sun, 06 Nov 1994 08:49:37 UTC",
                             "Sun, 06 Nov 1994 08:49:37 GMT ?",
                             "sun, 06 nov 1994 08:49:37 gmt",
                             "Son, 06 Nov 1994 08:49:37 GMT",
                             "Sun, 6 Nov 1994 08:49:37 GMT",
                             "Sun, 06 Nov 94 08:49:37 GMT",
                             "Sunday, 06-Nov-1994 08:49:37 GMT",
                             "Sun, 06-Nov-94 08:49:37 GMT",
                             "Sun Nov 6 08:49:37 1994",
                             "2026-06-01T00:00:00Z"})
    CHECK(wait(header) == std::nullopt);
}

TEST_CASE("retry_after: whatever a header holds, the answer is nothing or a time from 0 to 2^31 seconds") {
  std::mt19937_64 random(7);
  const std::string_view good[] = {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                                   "Sun Nov  6 08:49:37 1994", "1200000000"};
  int answers = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string header(good[random() % 4]);
    for (std::uint64_t edits = random() % 3; edits > 0; --edits)
      header[random() % header.size()] = "0123456789 :,-GMTNov"[random() % 20];
    if (random() % 8 == 0) header.resize(random() % (header.size() + 1));
    const system_clock::time_point now(system_clock::duration(static_cast<std::int64_t>(random())));
    const auto answer = wait(header, now);
    answers += answer.has_value();
    if (answer && !(*answer >= 0s && *answer <= longest)) FAIL(header);
  }
  CHECK(answers > 5'000);
}
