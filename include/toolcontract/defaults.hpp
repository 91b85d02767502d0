// SPDX-License-Identifier: MIT
/// \file
/// What an absent argument becomes: a document's defaults, put into the value.
///
///     // {"type":"object","properties":{"limit":{"type":"integer","default":10}}}
///     detail::fill_defaults(table.root(), json, depth);      // {} becomes {"limit":10}
///
/// Where properties are reached unconditionally (properties, items, allOf, $ref), never inside anyOf or oneOf, where it
/// would depend on the branch. Described types get theirs while they are filled. Nothing here is for users.
///
/// Cost: nlohmann/json; templates only.
#pragma once

#include <toolcontract/accept.hpp>
#include <toolcontract/document.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/table.hpp>

#include <cstddef>
#include <string>

namespace toolcontract {
inline namespace v0 {
namespace detail {

template <BasicJson J>
J literal_value(const Literal& literal) {
  switch (literal.form()) {
    case Literal::Form::boolean:
      return literal.boolean();
    case Literal::Form::string:
      return std::string(literal.text());
    case Literal::Form::json:
      return parse<J>(literal.text()).value();
    case Literal::Form::number:
      if (!literal.number().is_integer()) return literal.number().as_double();
      if (literal.number().is_signed()) return literal.number().as_int64();
      return literal.number().as_uint64();
    default:
      return nullptr;
  }
}

/// The defaults that were put in on the way to a value, innermost first.
struct PutIn {
  const char* text = nullptr;
  const PutIn* outer = nullptr;
  [[nodiscard]] bool has(const Literal& literal) const {
    return text == literal.text().data() || (outer != nullptr && outer->has(literal));
  }
};

/// What is put in is filled in turn, but no default inside itself: a recursive schema would never end.
template <BasicJson J>
void fill_defaults(const Schema& schema, J& value, std::size_t depth, const PutIn& within = {}) {
  if (depth == 0) return;
  if (value.is_object()) {
    for (const Field& field : schema.fields) {
      const Literal& literal = field.schema.default_value;
      const auto member = value.find(std::string(field.name));
      if (member != value.end()) {
        fill_defaults(field.schema, *member, depth - 1, within);
      } else if (literal.form() == Literal::Form::json && !within.has(literal)) {
        J& put = value[std::string(field.name)] = literal_value<J>(literal);
        fill_defaults(field.schema, put, depth - 1, PutIn{literal.text().data(), &within});
      } else if (literal.present() && literal.form() != Literal::Form::json) {
        value[std::string(field.name)] = literal_value<J>(literal);
      }
    }
    if (schema.additional.present())
      for (auto& [key, member] : value.template get_ref<typename J::object_t&>())
        if (find_field(schema, key) == nullptr) fill_defaults(*schema.additional, member, depth - 1, within);
    if (schema.beyond != nullptr)
      for (auto& [key, member] : value.template get_ref<typename J::object_t&>())
        for (const Schema* part : schema.beyond->member_schemas(key)) fill_defaults(*part, member, depth - 1, within);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (const Schema* item = element_schema(schema, i)) fill_defaults(*item, value[i], depth - 1, within);
  }
  for (const Link& part : schema.all_of) fill_defaults(*part, value, depth, within);
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
