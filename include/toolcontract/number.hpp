// SPDX-License-Identifier: MIT
/// \file
/// A number of JSON without its spelling: exact, whether it came as an integer or not.
///
///     tc::Number(5) == tc::Number(5.0)                                       // true: one number
///     tc::Number(9007199254740993) > tc::Number(9007199254740992.0)          // true: neither is rounded
///
/// Cost: std only.
#pragma once

#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// A JSON number, exact for every 64-bit integer; 5.0 and 5 are the same number.
class Number {
 public:
  constexpr Number() = default;
  template <std::integral I>
  constexpr Number(I value)  // NOLINT: implicit, bounds are written as plain numbers
      : kind_(std::cmp_greater(value, (std::numeric_limits<std::int64_t>::max)()) ? Kind::natural : Kind::integer),
        bits_(static_cast<std::uint64_t>(value)) {}
  constexpr Number(double value) : kind_(Kind::real), real_(value) {}                      // NOLINT
  constexpr Number(float value) : kind_(Kind::real), real_(static_cast<double>(value)) {}  // NOLINT

  [[nodiscard]] constexpr bool is_integer() const { return kind_ != Kind::real; }  ///< held as a 64-bit integer
  [[nodiscard]] constexpr bool is_signed() const { return kind_ == Kind::integer; }
  [[nodiscard]] constexpr std::int64_t as_int64() const { return static_cast<std::int64_t>(bits_); }
  [[nodiscard]] constexpr std::uint64_t as_uint64() const { return bits_; }
  /// The nearest double.
  [[nodiscard]] constexpr double as_double() const {
    return kind_ == Kind::real      ? real_
           : kind_ == Kind::integer ? static_cast<double>(as_int64())
                                    : static_cast<double>(bits_);
  }

  /// Exact: 9007199254740993 and 9007199254740992.0 differ. NaN compares unordered.
  friend constexpr std::partial_ordering operator<=>(const Number& a, const Number& b) {
    if (a.kind_ == Kind::real && b.kind_ == Kind::real) return a.real_ <=> b.real_;
    if (a.kind_ == Kind::real) return 0 <=> (b <=> a);
    if (b.kind_ == Kind::real) return a.against(b.real_);
    if (a.kind_ != b.kind_)
      return a.kind_ == Kind::natural ? std::partial_ordering::greater : std::partial_ordering::less;
    return a.kind_ == Kind::natural ? a.bits_ <=> b.bits_ : a.as_int64() <=> b.as_int64();
  }
  friend constexpr bool operator==(const Number& a, const Number& b) { return (a <=> b) == 0; }

 private:
  enum class Kind : std::uint8_t { integer, natural, real };  // natural: above INT64_MAX

  // Integer against double without rounding either: compare the whole parts, then the fraction.
  [[nodiscard]] constexpr std::partial_ordering against(double other) const {
    if (other != other) return std::partial_ordering::unordered;
    if (other >= 18446744073709551616.0) return std::partial_ordering::less;
    if (other < -9223372036854775808.0) return std::partial_ordering::greater;
    const Number whole =
        other < 0 ? Number(static_cast<std::int64_t>(other)) : Number(static_cast<std::uint64_t>(other));
    const auto order = *this <=> whole;
    return order != 0 ? order : 0.0 <=> (other - whole.as_double());
  }

  Kind kind_ = Kind::integer;
  std::uint64_t bits_ = 0;
  double real_ = 0;
};

namespace detail {

/// The integer a number stands for (5.0 is 5), when it is one that 64 bits hold.
inline std::optional<Number> integer_of(const Number& number) {
  if (number.is_integer()) return number;
  const double value = number.as_double();
  if (std::trunc(value) != value) return std::nullopt;  // also NaN
  if (value >= -9223372036854775808.0 && value < 9223372036854775808.0) return Number(static_cast<std::int64_t>(value));
  if (value >= 0 && value < 18446744073709551616.0) return Number(static_cast<std::uint64_t>(value));
  return std::nullopt;
}

/// Is a number of any size integral? (Not the same as fitting 64 bits.)
inline bool is_integral(const Number& number) {
  return number.is_integer() ||
         (std::isfinite(number.as_double()) && std::trunc(number.as_double()) == number.as_double());
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
