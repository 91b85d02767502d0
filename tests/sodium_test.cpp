// SPDX-License-Identifier: MIT
#include <toolcontract/seal/sodium.hpp>

#include "catch.hpp"

#include <string>

namespace tc = toolcontract;

namespace {

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes)
    for (const int shift : {4, 0}) text += "0123456789abcdef"[(static_cast<unsigned char>(byte) >> shift) & 15];
  return text;
}

}  // namespace

// The expected values are python3's hashlib.blake2b(…, digest_size=32).
TEST_CASE("sodium_digest: is BLAKE2b of 32 bytes, of all bytes there are") {
  CHECK(hex(tc::sodium_digest("")) == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  CHECK(hex(tc::sodium_digest("abc")) == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  CHECK(hex(tc::sodium_digest(std::string(1, '\0'))) ==
        "03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314");
}
