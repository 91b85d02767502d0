// SPDX-License-Identifier: MIT
/// \file
/// How far a value of the right type may go: ranges, lengths, counts, pattern, format.
///
///     Limits{.minimum = Bound{1}, .maximum = Bound{50}}        // "minimum":1,"maximum":50
///
/// What a table holds for each type, and what emission, checks and wordings read. constraint.hpp has the checks.
///
/// Cost: std only.
#pragma once

#include <toolcontract/format.hpp>
#include <toolcontract/number.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace toolcontract {
inline namespace v0 {

class Pattern;

/// One end of a numeric range.
struct Bound {
  Number value;
  bool exclusive = false;
};

/// A range of sizes; lengths are counted in code points.
struct Sizes {
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);
  std::size_t least = 0;
  std::size_t most = unlimited;
  [[nodiscard]] constexpr bool allow(std::size_t size) const { return size >= least && size <= most; }
  [[nodiscard]] constexpr bool any() const { return least == 0 && most == unlimited; }
};

/// What a value of the right type must also satisfy.
struct Limits {
  std::optional<Bound> minimum{};
  std::optional<Bound> maximum{};
  std::optional<Number> multiple_of{};
  Sizes length{};      ///< of a string
  Sizes items{};       ///< of an array
  Sizes properties{};  ///< of an object used as a map
  std::string_view pattern{};
  Format format = Format::none;
  bool unique = false;

  // Set by linking, for the quick walk: the range once more, in the forms values come in.
  const Pattern* compiled_pattern = nullptr;  ///< owned by the Table
  enum class Range : std::uint8_t {
    none,
    quick,
    exact
  } range = Range::none;  ///< exact: compare with minimum and maximum themselves
  std::int64_t lowest = (std::numeric_limits<std::int64_t>::min)();
  std::int64_t highest = (std::numeric_limits<std::int64_t>::max)();
  double real_lowest = -std::numeric_limits<double>::infinity();
  double real_highest = std::numeric_limits<double>::infinity();
  void prepare_range();
};

inline void Limits::prepare_range() {
  if (!minimum && !maximum) return;
  range = Range::quick;
  constexpr double exactly = 9007199254740992.0;  // 2^53: up to here int64 and double say the same
  for (const std::optional<Bound>* bound : {&minimum, &maximum})
    if (*bound && !((*bound)->value >= Number(-exactly) && (*bound)->value <= Number(exactly))) range = Range::exact;
  if (range == Range::exact) return;
  const auto whole = [](double value) { return static_cast<std::int64_t>(value); };
  if (minimum) {
    const double value = minimum->value.as_double();
    const double up = std::ceil(value);
    lowest = whole(up) + (minimum->exclusive && up == value ? 1 : 0);
    real_lowest = minimum->exclusive ? std::nextafter(value, std::numeric_limits<double>::infinity()) : value;
  }
  if (maximum) {
    const double value = maximum->value.as_double();
    const double down = std::floor(value);
    highest = whole(down) - (maximum->exclusive && down == value ? 1 : 0);
    real_highest = maximum->exclusive ? std::nextafter(value, -std::numeric_limits<double>::infinity()) : value;
  }
}

}  // namespace v0
}  // namespace toolcontract
