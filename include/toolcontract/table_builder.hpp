// SPDX-License-Identifier: MIT
/// \file
/// Putting a Table together that was not linked from a described type, and that owns what its schemas point at.
///
///     TableBuilder builder;
///     Schema& root = builder.add();
///     root.title = builder.keep(std::string("An order"));
///     std::shared_ptr<const Table> table = std::move(builder).finish(root);
///
/// Nothing here is for users: checker.hpp makes tables from JSON Schema documents.
///
/// Cost: std only.
#pragma once

#include <toolcontract/table.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Builds the Table of a JSON Schema document: owns what its schemas point at.
class TableBuilder {
 public:
  TableBuilder() : table_(new Table()) {}
  [[nodiscard]] Schema& add() { return table_->schemas_.emplace_back(); }
  [[nodiscard]] std::string_view keep(std::string text) { return table_->texts_.emplace_back(std::move(text)); }
  [[nodiscard]] std::span<const Literal> keep(std::vector<Literal> literals) {
    return table_->literals_.emplace_back(std::move(literals));
  }
  [[nodiscard]] std::span<const Link> keep(std::vector<Link> links) {
    return table_->links_.emplace_back(std::move(links));
  }
  [[nodiscard]] const Pattern* keep(std::shared_ptr<const Pattern> pattern) {
    return table_->patterns_.emplace_back(std::move(pattern)).get();
  }
  [[nodiscard]] const detail::Beyond* keep(std::shared_ptr<const detail::Beyond> beyond) {
    return table_->beyonds_.emplace_back(std::move(beyond)).get();
  }
  /// Sets a schema's fields, in this order and by name.
  void set_fields(Schema& schema, std::vector<Field> fields) {
    auto& kept = table_->fields_.emplace_back(std::move(fields));
    auto& by_name = table_->by_name_.emplace_back();
    detail::sort_fields(kept, by_name);
    schema.fields = kept;
    schema.fields_by_name = by_name;
  }
  void mark_secret() { table_->has_secret_ = true; }
  [[nodiscard]] std::shared_ptr<const Table> finish(const Schema& root) && {
    table_->root_ = &root;
    return std::move(table_);
  }

 private:
  std::shared_ptr<Table> table_;
};

}  // namespace v0
}  // namespace toolcontract
