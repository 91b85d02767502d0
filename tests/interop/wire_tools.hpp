// SPDX-License-Identifier: MIT
/// \file
/// Tools for tests of the wires: calls that end in every way a call can end, and give every shape of result.
///
///     endings_read, endings_write   end as they are told to: success, or an error of the given kind
///     points_list … text_broken     give a result that is no plain object: a list, a union, anything, a number, a text
///     blocks_get                    gives every kind of content block
///     echo_widths … echo_nothing    take one of the shared described types and give it back
#pragma once

#include <string_view>
#include <toolcontract/toolcontract.hpp>
#include <vector>

namespace wire {

namespace tc = toolcontract;

std::vector<tc::Tool> tools();

/// What endings_read and endings_write take as `ending`.
std::vector<std::string_view> endings();

}  // namespace wire
