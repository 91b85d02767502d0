// SPDX-License-Identifier: MIT
/// \file
/// A JSON Schema document after compiling: what can be asked of it, whichever engine compiled it.
///
///     schema.accepts(value);          // false, at the first thing that is wrong
///     schema.explain(value);          // all of it: [{"n", "type", "must be an integer", "7"}]
///     schema.repair(value);           // lenient reading, in place; what was repaired
///     schema.fill_defaults(value);    // what an accepted value leaves out
///
/// Made by Checker (checker.hpp) and SchemaValidator (schema_validator.hpp).
///
/// Cost: nlohmann/json; templates only. A check of a valid value allocates nothing.
#pragma once

#include <toolcontract/check.hpp>
#include <toolcontract/defaults.hpp>
#include <toolcontract/repair.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Immutable, cheap to copy, safe to use from many threads. `depth` is how many levels of nesting are allowed.
class CompiledSchema {
 public:
  template <BasicJson J>
  [[nodiscard]] bool accepts(const J& value, std::size_t depth = default_depth) const {
    return toolcontract::accepts(table_->root(), value, depth);
  }
  /// Everything that is wrong with the value; empty when it is accepted.
  template <BasicJson J>
  [[nodiscard]] std::vector<FieldError> explain(const J& value, std::size_t depth = default_depth) const {
    return toolcontract::explain(table_->root(), value, depth);
  }
  /// Puts defaults in where the document has them and the value has nothing: in properties, items, patternProperties and
  /// allOf, never inside anyOf or oneOf. What was put in is filled in turn, but no default inside itself. For accepted
  /// values.
  template <BasicJson J>
  void fill_defaults(J& value) const {
    detail::fill_defaults(table_->root(), value, default_depth);
  }
  /// The repairs of lenient reading, made in place and reported (repair.hpp). Check the value afterwards.
  template <BasicJson J>
  [[nodiscard]] std::vector<Repair> repair(J& value, std::size_t depth = default_depth) const {
    return toolcontract::repair(table_->root(), value, depth);
  }

  /// Keywords and formats that are annotations here, each with its place: "/properties/id: format x-ticket".
  [[nodiscard]] const std::vector<std::string>& not_checked() const noexcept { return *not_checked_; }
  [[nodiscard]] const std::shared_ptr<const Table>& table() const noexcept { return table_; }

 protected:
  CompiledSchema(std::shared_ptr<const Table> table, std::vector<std::string> not_checked)
      : table_(std::move(table)),
        not_checked_(std::make_shared<const std::vector<std::string>>(std::move(not_checked))) {}

 private:
  std::shared_ptr<const Table> table_;
  std::shared_ptr<const std::vector<std::string>> not_checked_;
};

}  // namespace v0
}  // namespace toolcontract
