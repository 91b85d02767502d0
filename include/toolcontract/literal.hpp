// SPDX-License-Identifier: MIT
/// \file
/// A constant in a schema: a default, an example, a legal value.
///
///     tc::Literal(12.5), tc::Literal("open"), tc::Literal::json(R"({"limit":10})")
///
/// Views what it is made of: literals of the program, or texts that a Table keeps.
///
/// Cost: std only.
#pragma once

#include <toolcontract/number.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace toolcontract {
inline namespace v0 {

/// A constant in a schema: a default, an example, a legal value.
class Literal {
 public:
  enum class Form : std::uint8_t { absent, null, boolean, number, string, json, enumerator };

  constexpr Literal() = default;
  constexpr Literal(std::nullptr_t) : form_(Form::null) {}  // NOLINT: implicit
  constexpr Literal(std::same_as<bool> auto value) : form_(Form::boolean), number_(value ? 1 : 0) {}  // NOLINT
  constexpr Literal(Number value) : form_(Form::number), number_(value) {}                            // NOLINT
  constexpr Literal(std::string_view value) : form_(Form::string), text_(value) {}                    // NOLINT
  /// JSON text of any value; checked when the tool is built.
  static constexpr Literal json(std::string_view text) {
    Literal literal(text);
    literal.form_ = Form::json;
    return literal;
  }
  /// A C++ enumerator by value; linking replaces it by its name.
  static constexpr Literal enumerator(std::int64_t value) {
    Literal literal{Number(value)};
    literal.form_ = Form::enumerator;
    return literal;
  }

  [[nodiscard]] constexpr Form form() const { return form_; }
  [[nodiscard]] constexpr bool present() const { return form_ != Form::absent; }
  [[nodiscard]] constexpr bool boolean() const { return number_ != Number(0); }
  [[nodiscard]] constexpr const Number& number() const { return number_; }
  [[nodiscard]] constexpr std::string_view text() const { return text_; }

 private:
  Form form_ = Form::absent;
  Number number_{};
  std::string_view text_{};
};

}  // namespace v0
}  // namespace toolcontract
