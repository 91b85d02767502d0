// SPDX-License-Identifier: MIT
#include <toolcontract/token.hpp>

#include <set>
#include <string>

#include "catch.hpp"

namespace tc = toolcontract;

TEST_CASE("token: 32 hexadecimal digits, and never the same twice") {
  std::set<std::string> seen;
  std::set<char> digits;
  for (int i = 0; i < 1000; ++i) {
    const std::string token = tc::random_token();
    REQUIRE(token.size() == 32);
    REQUIRE(token.find_first_not_of("0123456789abcdef") == std::string::npos);
    digits.insert(token.begin(), token.end());
    seen.insert(token);
  }
  CHECK(seen.size() == 1000);
  CHECK(digits.size() == 16);
}
