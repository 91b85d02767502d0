// SPDX-License-Identifier: MIT
/// \file
/// One of two translation units that include the umbrella: what is not inline there fails to link here.
#include <toolcontract/toolcontract.hpp>

std::string_view word_from_unit_a() { return toolcontract::name(toolcontract::Category::business); }
