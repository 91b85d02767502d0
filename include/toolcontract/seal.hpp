// SPDX-License-Identifier: MIT
/// \file
/// How does a text travel through a model unread and come back unchanged? Sealed: encrypted, and refused once tampered with.
///
///     const tc::SodiumSeal seal({key});                                    // seal/sodium.hpp, target toolcontract::sodium
///     const std::string sealed = seal.seal("T-1009", "tickets_search");
///     seal.open(sealed, "tickets_search");    // "T-1009"
///     seal.open(sealed, "orders_search");     // nothing: sealed for another context
///
/// The library brings one on libsodium; a host with a key service of its own implements this.
///
/// Cost: std only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolcontract {
inline namespace v0 {

/// Called from many threads at once.
class Seal {
 public:
  virtual ~Seal() = default;

  /// `plain` as bytes nobody can read, and that open only in the same context. The context itself is not in them.
  [[nodiscard]] virtual std::string seal(std::string_view plain, std::string_view context) const = 0;
  /// What was sealed; nothing for bytes that this seal did not make, or made for another context. Takes any bytes and
  /// does not throw over them.
  [[nodiscard]] virtual std::optional<std::string> open(std::string_view sealed, std::string_view context) const = 0;

 protected:
  Seal() = default;
  Seal(const Seal&) = default;
  Seal& operator=(const Seal&) = default;
};

}  // namespace v0
}  // namespace toolcontract
