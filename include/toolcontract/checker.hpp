// SPDX-License-Identifier: MIT
/// \file
/// A JSON Schema document, compiled once and checked fast: for gateways, config files and remote servers.
///
///     auto checker = tc::Checker::compile(nlohmann::json::parse(R"({"type":"object","properties":{"n":{"type":"integer"}}})"));
///     if (!checker) log(checker.error().at, checker.error().problem);       // refused: where, which keyword, the remedy
///     checker->explain(nlohmann::json{{"n", "7"}});                          // [{"n", "type", "must be an integer", "7"}]
///
/// Right or refused: 2020-12 and draft-07 documents with the keywords tools use compile into the table that described
/// types have, walked by the same interpreter; a keyword that is not enforced here is a refusal, never ignored. Unknown
/// keywords and formats are annotations, listed by not_checked(). For not, if/then/else, patternProperties, dependent*
/// and contains see schema_validator.hpp.
///
/// Cost: nlohmann/json; templates only. A check of a valid value allocates nothing.
#pragma once

#include <toolcontract/check.hpp>
#include <toolcontract/defaults.hpp>
#include <toolcontract/document_compiler.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/repair.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// One compiled document. Immutable, cheap to copy, safe to use from many threads.
class Checker {
 public:
  /// Compiles a document in draft-07 or 2020-12 (by its `$schema`; 2020-12 without one). Keep the order of an
  /// ordered_json and errors come in the document's own order.
  template <BasicJson J>
  [[nodiscard]] static Result<Checker, SchemaRefusal> compile(const J& document);

  template <BasicJson J>
  [[nodiscard]] bool accepts(const J& value, std::size_t depth = default_depth) const {
    return toolcontract::accepts(table_->root(), value, depth);
  }
  /// Everything that is wrong with the value; empty when it is accepted.
  template <BasicJson J>
  [[nodiscard]] std::vector<FieldError> explain(const J& value, std::size_t depth = default_depth) const {
    return toolcontract::explain(table_->root(), value, depth);
  }
  /// Puts defaults in where the document has them and the value has nothing: in properties, items and allOf, never
  /// inside anyOf or oneOf. What was put in is filled in turn, but no default inside itself. For accepted values.
  template <BasicJson J>
  void fill_defaults(J& value) const;

  /// The repairs of lenient reading, made in place and reported (repair.hpp). Check the value afterwards.
  template <BasicJson J>
  [[nodiscard]] std::vector<Repair> repair(J& value, std::size_t depth = default_depth) const {
    return toolcontract::repair(table_->root(), value, depth);
  }

  /// Keywords and formats that are annotations here, each with its place: "/properties/id: format x-ticket".
  [[nodiscard]] const std::vector<std::string>& not_checked() const noexcept { return *not_checked_; }
  [[nodiscard]] const std::shared_ptr<const Table>& table() const noexcept { return table_; }

 private:
  Checker(std::shared_ptr<const Table> table, std::vector<std::string> not_checked)
      : table_(std::move(table)),
        not_checked_(std::make_shared<const std::vector<std::string>>(std::move(not_checked))) {}

  std::shared_ptr<const Table> table_;
  std::shared_ptr<const std::vector<std::string>> not_checked_;
};

template <BasicJson J>
Result<Checker, SchemaRefusal> Checker::compile(const J& document) {
  try {
    detail::DocumentCompiler<J> compiler(document);
    auto table = compiler.compile();
    return Checker(std::move(table), compiler.take_not_checked());
  } catch (const SchemaRefusal& refusal) {
    return refusal;
  }
}

template <BasicJson J>
void Checker::fill_defaults(J& value) const {
  detail::fill_defaults(table_->root(), value, default_depth);
}

}  // namespace v0
}  // namespace toolcontract
