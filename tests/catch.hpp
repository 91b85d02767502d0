// SPDX-License-Identifier: MIT
/// \file
/// Catch2 for our tests, v3 or v2, whichever is installed.
///
/// What both have: TEST_CASE, SECTION, REQUIRE…, CHECK…, INFO, GENERATE, Catch::Approx. Matchers differ in name (Contains is
/// ContainsSubstring in v3): tests compare whole values instead.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#else
#include <catch2/catch.hpp>
#endif
