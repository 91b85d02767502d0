// SPDX-License-Identifier: MIT
/// \file
/// The other of two translation units that include the umbrella, and the test that calls both.
#include <toolcontract/toolcontract.hpp>

#include "catch.hpp"

std::string_view word_from_unit_a();

TEST_CASE("toolcontract: two translation units that include the umbrella link, and agree") {
  REQUIRE(word_from_unit_a() == toolcontract::name(toolcontract::Category::business));
}
