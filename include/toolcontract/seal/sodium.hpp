// SPDX-License-Identifier: MIT
/// \file
/// What libsodium does here: sealed texts that nobody reads or changes on the way, and digests.
///
///     const tc::SodiumSeal seal({key_of_today, key_of_yesterday});    // 32 bytes each; make one with SodiumSeal::random_key
///     seal.open(seal.seal("T-1009", "tickets_search"), "tickets_search");    // "T-1009"
///     tc::sodium_digest("").size();                                          // 32
///
/// Target toolcontract::sodium, of find_package(toolcontract COMPONENTS sodium).
///
/// Cost: std and libsodium, no JSON. A seal adds 40 bytes.
#pragma once

#include <sodium.h>
#include <toolcontract/seal.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// XChaCha20-Poly1305 with a random nonce; the context is authenticated and not stored. The first key seals, each of them
/// opens: put a new key in front, and drop the old one once what it sealed may end. The keys are wiped from memory with the
/// seal; wiping the ones it was made from is yours.
class SodiumSeal final : public Seal {
 public:
  static constexpr std::size_t key_bytes = crypto_aead_xchacha20poly1305_ietf_KEYBYTES;

  /// \throws std::invalid_argument without a key, or for one that has not key_bytes bytes; std::runtime_error where
  /// libsodium cannot start.
  explicit SodiumSeal(std::initializer_list<std::string_view> keys) { keep(keys); }
  explicit SodiumSeal(std::span<const std::string> keys) { keep(keys); }
  SodiumSeal(const SodiumSeal&) = delete;
  SodiumSeal& operator=(const SodiumSeal&) = delete;
  ~SodiumSeal() override { wipe(); }

  /// A new key, for a host to keep where it keeps its secrets.
  [[nodiscard]] static std::string random_key() {
    start();
    std::string key(key_bytes, '\0');
    randombytes_buf(key.data(), key.size());
    return key;
  }

  [[nodiscard]] std::string seal(std::string_view plain, std::string_view context) const override {
    std::string sealed(nonce_bytes + plain.size() + tag_bytes, '\0');
    randombytes_buf(sealed.data(), nonce_bytes);
    crypto_aead_xchacha20poly1305_ietf_encrypt(bytes(sealed) + nonce_bytes, nullptr, bytes(plain), plain.size(),
                                               bytes(context), context.size(), nullptr, bytes(sealed),
                                               keys_.front().data());
    return sealed;
  }

  [[nodiscard]] std::optional<std::string> open(std::string_view sealed, std::string_view context) const override {
    if (sealed.size() < nonce_bytes + tag_bytes) return std::nullopt;
    const std::string_view nonce = sealed.substr(0, nonce_bytes), rest = sealed.substr(nonce_bytes);
    std::string plain(rest.size() - tag_bytes, '\0');
    for (const Key& key : keys_)
      if (crypto_aead_xchacha20poly1305_ietf_decrypt(bytes(plain), nullptr, nullptr, bytes(rest), rest.size(),
                                                     bytes(context), context.size(), bytes(nonce), key.data()) == 0)
        return plain;
    return std::nullopt;
  }

 private:
  using Key = std::array<unsigned char, key_bytes>;
  static constexpr std::size_t nonce_bytes = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
  static constexpr std::size_t tag_bytes = crypto_aead_xchacha20poly1305_ietf_ABYTES;

  static unsigned char* bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }
  static const unsigned char* bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
  }
  static void start() {
    if (sodium_init() < 0) throw std::runtime_error("toolcontract: libsodium does not start; check its installation");
  }

  template <class Keys>
  void keep(const Keys& keys) {
    start();
    if (keys.size() == 0) throw std::invalid_argument("toolcontract: a SodiumSeal needs at least one key");
    keys_.reserve(keys.size());  // a vector that grew would leave copies behind
    for (const std::string_view key : keys) {
      if (key.size() != key_bytes) {
        wipe();
        throw std::invalid_argument("toolcontract: a key of a SodiumSeal must have " + std::to_string(key_bytes) +
                                    " bytes; key " + std::to_string(keys_.size() + 1) + " has " +
                                    std::to_string(key.size()));
      }
      std::copy(key.begin(), key.end(), reinterpret_cast<char*>(keys_.emplace_back().data()));
    }
  }
  void wipe() noexcept {
    for (Key& key : keys_) sodium_memzero(key.data(), key.size());
  }

  std::vector<Key> keys_;
};

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
