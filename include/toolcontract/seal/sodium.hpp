// SPDX-License-Identifier: MIT
/// \file
/// What bytes are these, in 32 bytes that tell nothing else? Digests from libsodium.
///
///     tc::sodium_digest("").size();    // 32
///     tc::sodium_digest("a") == tc::sodium_digest("b");    // false
///
/// Target toolcontract::sodium, of find_package(toolcontract COMPONENTS sodium).
///
/// Cost: std and libsodium, no JSON.
#pragma once

#include <sodium.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace toolcontract {
inline namespace v0 {

/// BLAKE2b of `bytes`, without a key: 32 raw bytes, the same on every machine and in every version.
/// \throws std::runtime_error where libsodium cannot start.
[[nodiscard]] inline std::string sodium_digest(std::string_view bytes) {
  if (sodium_init() < 0) throw std::runtime_error("toolcontract: libsodium does not start; check its installation");
  unsigned char digest[32];
  crypto_generichash(digest, sizeof digest, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                     0);
  return {reinterpret_cast<const char*>(digest), sizeof digest};
}

}  // namespace v0
}  // namespace toolcontract
