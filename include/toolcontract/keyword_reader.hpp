// SPDX-License-Identifier: MIT
/// \file
/// What a keyword of a JSON Schema document must look like, and the refusal of one that does not.
///
///     KeywordReader<nlohmann::json> read("/properties/n", builder);
///     read.size("minLength", json);       // SchemaRefusal: at /properties/n, minLength: must be a whole number, 0 or more
///
/// Nothing here is for users but SchemaRefusal: checker.hpp is.
///
/// Cost: nlohmann/json; templates only; runs once a document.
#pragma once

#include <toolcontract/equality.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/pattern.hpp>
#include <toolcontract/table_builder.hpp>

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Why a JSON Schema document is not used.
struct SchemaRefusal : std::invalid_argument {
  SchemaRefusal(std::string where, std::string key, std::string why)
      : std::invalid_argument("toolcontract: the schema is refused at " + (where.empty() ? "its root" : where) + ", " +
                              key + ": " + why),
        at(std::move(where)),
        keyword(std::move(key)),
        problem(std::move(why)) {}
  std::string at;       ///< JSON Pointer of the schema that has the keyword
  std::string keyword;  ///< "" when it is the schema itself
  std::string problem;  ///< what is wrong and the remedy
};

namespace detail {

/// Reads the values of one schema's keywords; what is malformed is refused.
template <BasicJson J>
class KeywordReader {
 public:
  KeywordReader(const std::string& at, TableBuilder& builder) : at_(at), builder_(builder) {}

  [[noreturn]] void refuse(std::string_view key, std::string problem) const {
    throw SchemaRefusal(at_, std::string(key), std::move(problem));
  }

  Number number(std::string_view key, const J& value) const {
    if (!value.is_number() || !std::isfinite(number_of(value).as_double())) refuse(key, "must be a number");
    return number_of(value);
  }
  std::size_t size(std::string_view key, const J& value) const {
    const auto whole = value.is_number() ? integer_of(number_of(value)) : std::nullopt;
    if (!whole || *whole < Number(0)) refuse(key, "must be a whole number, 0 or more");
    return static_cast<std::size_t>(whole->as_uint64());
  }
  bool boolean(std::string_view key, const J& value) const {
    if (!value.is_boolean()) refuse(key, "must be true or false");
    return value.template get<bool>();
  }
  const J& object(std::string_view key, const J& value) const {
    if (!value.is_object()) refuse(key, "must be an object of schemas");
    return value;
  }
  const J& strings(std::string_view key, const J& value) const {
    if (!value.is_array()) refuse(key, "must be an array of strings");
    for (const J& entry : value)
      if (!entry.is_string()) refuse(key, "must be an array of strings");
    return value;
  }
  std::string_view note(std::string_view key, const J& value) const {
    if (!value.is_string()) refuse(key, "must be a string");
    return builder_.keep(std::string(text_of(value)));
  }
  Literal literal(const J& value) const {
    if (value.is_null()) return Literal(nullptr);
    if (value.is_boolean()) return Literal(value.template get<bool>());
    if (value.is_number()) return Literal(number_of(value));
    if (value.is_string()) return Literal(builder_.keep(std::string(text_of(value))));
    return Literal::json(builder_.keep(canonical_text(value)));
  }
  Types types(const J& value) const {
    constexpr std::pair<std::string_view, Type> names[] = {
        {"null", Type::null},     {"boolean", Type::boolean}, {"integer", Type::integer}, {"number", Type::number},
        {"string", Type::string}, {"array", Type::array},     {"object", Type::object}};
    Types types;
    const auto add = [&](const J& name) {
      for (const auto& [known, type] : names)
        if (name.is_string() && text_of(name) == known) {
          types = types | type;
          return;
        }
      refuse("type", "must be one of null, boolean, integer, number, string, array, object, or an array of these");
    };
    if (value.is_array() && !value.empty()) {
      for (const J& name : value) add(name);
    } else {
      add(value);
    }
    return types;
  }
  [[nodiscard]] std::shared_ptr<const Pattern> compile_pattern(std::string_view key, std::string_view source) const {
    try {
      return std::make_shared<const Pattern>(source);
    } catch (const PatternError& error) {
      refuse(key, std::string(error.what()).substr(std::string_view("toolcontract: ").size()));
    }
  }

  /// Of two bounds on one side, both must hold: keeps the tighter. direction: 1 below, -1 above.
  static void tighten(std::optional<Bound>& bound, Bound other, int direction) {
    const auto tighter = [&] {
      const auto order = other.value <=> bound->value;
      if (order == 0) return other.exclusive && !bound->exclusive;
      return direction > 0 ? order > 0 : order < 0;
    };
    if (!bound || tighter()) bound = other;
  }

 protected:
  const std::string& at_;  // JSON Pointer of the schema

 private:
  TableBuilder& builder_;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
