// SPDX-License-Identifier: MIT
/// \file
/// From a JSON Schema document to a table, keyword by keyword; what cannot be enforced is refused.
///
///     {"type":"object","properties":{"n":{"type":"integer","minLenght":3}}}      // minLenght: an annotation, listed
///     {"properties":{"n":{"not":{}}}}     // SchemaRefusal: at /properties/n, not: is not enforced by Checker; compile_any …
///
/// Follows JSON Schema 2020-12 and draft-07 (json-schema.org). One Schema a place in the document; references become
/// links, so recursion is a cycle of links; a cycle that consumes no input is refused. Nothing here is for users:
/// checker.hpp is.
///
/// Cost: nlohmann/json; templates only; runs once a document.
#pragma once

#include <toolcontract/beyond.hpp>
#include <toolcontract/check.hpp>
#include <toolcontract/equality.hpp>
#include <toolcontract/keyword_reader.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/reference.hpp>
#include <toolcontract/schema_keywords.hpp>
#include <toolcontract/table.hpp>
#include <toolcontract/table_builder.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

/// Turns one document into a table. Throws SchemaRefusal; Checker::compile catches it. `Further` is a Beyond made from the
/// keywords the table has no form for; without one they are refused.
template <BasicJson J, class Further = void>
class DocumentCompiler {
 public:
  explicit DocumentCompiler(const J& document)
      : document_(document), dialect_(dialect_of(document, "")), references_(document, dialect_) {
    if (!references_.duplicate().empty())
      refuse(references_.duplicate(), "$id", "stands twice; each $id and anchor must be given once");
  }

  std::shared_ptr<const Table> compile() {
    const Schema& root = *compile(document_, "", "", 0);
    for (const auto& [node, schema] : compiled_) find_loop(*schema);
    check_defaults();
    return std::move(builder_).finish(root);
  }

  [[nodiscard]] std::vector<std::string> take_not_checked() { return std::move(not_checked_); }

 private:
  friend class Keywords<J, Further>;

  [[noreturn]] static void refuse(const std::string& at, std::string_view keyword, std::string problem) {
    throw SchemaRefusal(at, std::string(keyword), std::move(problem));
  }

  static Dialect dialect_of(const J& schema, const std::string& at) {
    if (!schema.is_object() || !schema.contains("$schema")) return Dialect::draft_2020_12;
    const J& named = schema["$schema"];
    if (!named.is_string()) refuse(at, "$schema", "must be a string that names the dialect");
    std::string_view name = text_of(named);
    if (name.ends_with('#')) name.remove_suffix(1);
    if (name == "https://json-schema.org/draft/2020-12/schema") return Dialect::draft_2020_12;
    if (name == "http://json-schema.org/draft-07/schema") return Dialect::draft_07;
    refuse(at, "$schema",
           "names the dialect " + std::string(name.substr(0, 100)) +
               "; 2020-12 and draft-07 are understood, translate the document to one of them");
  }

  // ---- one schema ----

  Schema* compile(const J& node, const std::string& outer_base, const std::string& at, std::size_t depth) {
    constexpr std::size_t most_depth = 256;
    if (depth > most_depth) refuse(at, "", "is nested too deeply; at most 256 schemas may stand inside each other");
    if (const auto known = compiled_.find(&node); known != compiled_.end()) return known->second;
    Schema& schema = builder_.add();
    compiled_.emplace(&node, &schema);
    places_.emplace(&schema, at);
    schema.allow_unknown = true;
    if (node.is_boolean()) {
      if (!node.template get<bool>()) schema.types = Types();
    } else if (!node.is_object()) {
      refuse(at, "", "must be a schema: an object, true or false");
    } else {
      Keywords<J, Further>(*this, schema, node, references_.base_of(node, outer_base), at, depth).compile();
    }
    done_.insert(&schema);
    return &schema;
  }

  // ---- the whole ----

  // A schema that reaches itself without consuming input would never end.
  void find_loop(const Schema& schema) {
    if (!clear_.insert(&schema).second) return;
    open_.insert(&schema);
    const std::span<const Link> beyond = schema.beyond != nullptr ? schema.beyond->parts() : std::span<const Link>();
    for (const std::span<const Link> parts : {schema.all_of, schema.any_of, schema.one_of, beyond})
      for (const Link& part : parts) {
        if (open_.contains(part.now))
          refuse(places_[&schema], "$ref",
                 "leads back to where it stands without looking at a member or an item; it would never end");
        find_loop(*part.now);
      }
    open_.erase(&schema);
  }

  struct Default {
    const J* value;
    std::string at;
  };

  void check_defaults() {
    for (const auto& [schema, standing] : defaults_) {
      const auto errors = explain(*schema, *standing.value);
      if (errors.empty()) continue;
      refuse(standing.at, "default", "is rejected by its own schema: " + sentences(errors, "it"));
    }
  }

  const J& document_;
  Dialect dialect_;
  References<J> references_;
  TableBuilder builder_;
  std::map<const J*, Schema*> compiled_;
  std::map<const Schema*, std::string> places_;
  std::set<const Schema*> done_, clear_, open_;
  std::vector<std::pair<const Schema*, Default>> defaults_;
  std::vector<std::string> not_checked_;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
