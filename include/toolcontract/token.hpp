// SPDX-License-Identifier: MIT
/// \file
/// A name nobody can guess: 128 random bits as 32 hexadecimal digits.
///
///     tc::random_token();    // 9f2c51d07be84a6f13c0d2e98a74b516
///
/// The bits come from the operating system's generator, each time anew: a fork repeats none. (The default of libstdc++ is the
/// processor's RDSEED, which takes 0.2 ms a word on some virtual machines.)
///
/// Cost: std only.
#pragma once

#include <functional>
#include <random>
#include <string>
#include <string_view>

namespace toolcontract {
inline namespace v0 {

/// Makes a new token each time. Called from many threads.
using TokenSource = std::function<std::string()>;

/// \throws std::exception where the system has no randomness to give.
[[nodiscard]] inline std::string random_token() {
  constexpr std::string_view digits = "0123456789abcdef";
  thread_local std::random_device device("/dev/urandom");
  std::string token;
  for (int word = 0; word < 4; ++word) {
    const auto bits = static_cast<unsigned long>(device());
    for (int shift = 28; shift >= 0; shift -= 4) token += digits[(bits >> shift) & 15];
  }
  return token;
}

}  // namespace v0
}  // namespace toolcontract
