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

#include <toolcontract/compiled_schema.hpp>
#include <toolcontract/document_compiler.hpp>
#include <toolcontract/error.hpp>

#include <utility>

namespace toolcontract {
inline namespace v0 {

/// One compiled document. Immutable, cheap to copy, safe to use from many threads.
class Checker : public CompiledSchema {
 public:
  /// Compiles a document in draft-07 or 2020-12 (by its `$schema`; 2020-12 without one). Keep the order of an
  /// ordered_json and errors come in the document's own order.
  template <BasicJson J>
  [[nodiscard]] static Result<Checker, SchemaRefusal> compile(const J& document);

 private:
  using CompiledSchema::CompiledSchema;
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

}  // namespace v0
}  // namespace toolcontract
