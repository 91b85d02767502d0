// SPDX-License-Identifier: MIT
/// \file
/// Putting a number into a C++ object, exactly or not at all.
///
///     detail::store_number(storage, &order.total, Number(5.0))     // 5 in an std::int32_t
///     detail::store_number(storage, &order.id, Number(1e300))      // false: no 64-bit integer
///
/// Nothing here is for users: decode.hpp is.
///
/// Cost: std only.
#pragma once

#include <toolcontract/number.hpp>
#include <toolcontract/table.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

namespace toolcontract {
inline namespace v0 {
namespace detail {

inline void store_integer(const Storage& storage, void* into, std::uint64_t bits) {
  const auto store = [&](auto narrow) { std::memcpy(into, &narrow, sizeof narrow); };
  switch (storage.size) {
    case 1:
      return store(static_cast<std::uint8_t>(bits));
    case 2:
      return store(static_cast<std::uint16_t>(bits));
    case 4:
      return store(static_cast<std::uint32_t>(bits));
    default:
      return store(bits);
  }
}

/// Stores a number that has passed its limits; false when a 64-bit member cannot hold it exactly.
inline bool store_number(const Storage& storage, void* into, const Number& number) {
  if (storage.form == Storage::Form::real) {
    constexpr double largest = (std::numeric_limits<float>::max)();
    const double value = number.as_double();
    const auto narrow = static_cast<float>(std::clamp(value, -largest, largest));
    storage.size == sizeof narrow ? std::memcpy(into, &narrow, sizeof narrow) : std::memcpy(into, &value, sizeof value);
    return true;
  }
  const std::optional<Number> integer = integer_of(number);
  if (!integer || (integer->is_signed() != storage.is_signed && integer->as_int64() < 0))
    return false;  // top bit: negative, or beyond int64
  store_integer(storage, into, integer->as_uint64());
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
