// SPDX-License-Identifier: MIT
/// \file
/// Does every default and example of a type fit its own schema?
///
///     detail::LiteralChecker<nlohmann::json>("orders_search").walk(table.root(), detail::Path());
///     // throws DefinitionError: toolcontract: tool orders_search: the default of limit must be 1 to 50; got 99
///
/// Nothing here is for users: a tool asks when it is built.
///
/// Cost: nlohmann/json; templates only.
#pragma once

#include <toolcontract/check.hpp>
#include <toolcontract/definition.hpp>
#include <toolcontract/document.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/text.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

/// Finds a default or example that its own schema rejects, anywhere in a table.
template <class J>
class LiteralChecker {
 public:
  explicit LiteralChecker(const std::string& tool) : tool_(tool) {}

  void walk(const Schema& schema, const Path& path) {
    if (schema.default_value.present()) check(schema, schema.default_value, "default", path);
    for (const Literal& example : schema.examples)
      if (example.present()) check(schema, example, "example", path);
    for (const void* parts :
         {static_cast<const void*>(schema.fields.data()), static_cast<const void*>(schema.alternatives.data())}) {
      if (parts == nullptr) continue;
      for (const void* seen : seen_)
        if (seen == parts) return;
      seen_.push_back(parts);
    }
    for (const Field& field : schema.fields) walk(field.schema, Path(&path, field.name));
    for (const Alternative& alternative : schema.alternatives) walk(*alternative.schema, path);
    if (schema.items.present()) walk(*schema.items, Path(&path, std::size_t{0}));
    if (schema.additional.present()) walk(*schema.additional, Path(&path, std::string_view("*")));
  }

 private:
  void check(const Schema& schema, const Literal& literal, std::string_view what, const Path& path) {
    TextWriter out;
    write_literal(out, literal);
    const BasicDocument<J> document = parse<J>(out.text());
    auto errors = document.ok() ? explain(schema, document.value()) : document.faults();
    if (errors.empty()) return;
    if (!document.ok() && !schema.choices.empty())
      errors[0].problem = problem::one_of(problem::names(schema.choices), {});
    const std::string place = errors[0].field.empty() ? "" : " at " + errors[0].field;
    throw DefinitionError("toolcontract: tool " + tool_ + ": the " + std::string(what) + " of " + path.text() + place +
                          " " + errors[0].problem + "; got " + out.text());
  }

  const std::string& tool_;
  std::vector<const void*> seen_;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
