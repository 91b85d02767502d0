// SPDX-License-Identifier: MIT
/// \file
/// What one call is called in every log: `req_` and 26 characters, sortable by time.
///
///     tc::random_correlation_id(std::chrono::system_clock::now());    // req_01KB9W3N5Q8Z6Y2X4V7T1R0PMJ
///
/// 48 bits of milliseconds and 80 random bits in Crockford's base32, most significant first (the layout of a ULID), so
/// that ids sort as their times do and a person can read one out. An id is a name, not a secret.
///
/// Cost: std only.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>

namespace toolcontract {
inline namespace v0 {

/// Makes an id for a call that starts at a given time. Called from many threads.
using IdSource = std::function<std::string(std::chrono::system_clock::time_point)>;

/// The id for a time and 80 bits (the low 16 of `high`, all of `low`). A time before 1970 counts as 1970.
[[nodiscard]] inline std::string correlation_id(std::chrono::system_clock::time_point time, std::uint16_t high,
                                                std::uint64_t low) {
  constexpr std::string_view digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  const auto since = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
  const std::uint64_t milliseconds = since < 0 ? 0 : static_cast<std::uint64_t>(since) & 0xFFFFFFFFFFFFULL;
  std::string id = "req_";
  for (int shift = 45; shift >= 0; shift -= 5) id += digits[(milliseconds >> shift) & 31];
  // 16 digits of 5 bits: 3 lie wholly in high, the fourth takes its last bit and four of low, 12 lie wholly in low.
  for (int shift = 11; shift >= 1; shift -= 5) id += digits[(high >> shift) & 31];
  id += digits[((high & 1U) << 4) | (low >> 60)];
  for (int shift = 55; shift >= 0; shift -= 5) id += digits[(low >> shift) & 31];
  return id;
}

/// The default source: a generator a thread, seeded from the system.
[[nodiscard]] inline std::string random_correlation_id(std::chrono::system_clock::time_point time) {
  thread_local std::mt19937_64 random = [] {
    std::random_device device("/dev/urandom");
    std::seed_seq seed{device(), device(), device(), device(), device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  const auto high = static_cast<std::uint16_t>(random());
  return correlation_id(time, high, random());
}

}  // namespace v0
}  // namespace toolcontract
