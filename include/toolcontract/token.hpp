// SPDX-License-Identifier: MIT
/// \file
/// A name nobody can guess: 128 random bits as 32 hexadecimal digits.
///
///     tc::random_token();    // 9f2c51d07be84a6f13c0d2e98a74b516
///
/// The bits come from std::random_device, which reads the operating system's generator with the compilers this library
/// supports.
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
  std::random_device device;
  std::string token;
  for (int word = 0; word < 4; ++word) {
    const auto bits = static_cast<unsigned long>(device());
    for (int shift = 28; shift >= 0; shift -= 4) token += digits[(bits >> shift) & 15];
  }
  return token;
}

}  // namespace v0
}  // namespace toolcontract
