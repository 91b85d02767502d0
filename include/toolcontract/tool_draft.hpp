// SPDX-License-Identifier: MIT
/// \file
/// What a tool's parts must be for its definition to stand. Nothing here is for users: tool.hpp is.
///
///     detail::Draft draft;                       // filled by a ToolBuilder, part by part
///     detail::verify<>(draft);                   // throws DefinitionError, or completes draft.definition
///     // toolcontract: tool orders_get: does(…) is missing; say in a sentence what the tool does
///
/// Cost: nlohmann/json; the arguments of the tool's own examples and defaults are checked like a call's.
#pragma once

#include <toolcontract/check.hpp>
#include <toolcontract/decode.hpp>
#include <toolcontract/definition.hpp>
#include <toolcontract/json_schema.hpp>
#include <toolcontract/literal_check.hpp>
#include <toolcontract/tool_core.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

/// The parts of a description, as the author gave them.
struct Draft : ToolCore {
  std::string does, returns, use_instead, when_empty, example;
  bool key_is_field = false;  ///< of once_per
  bool capped = false;
  const Field* deduplicated_by = nullptr;
};

/// A tool's table at its first use, a pattern that cannot be used told as the tool's fault.
inline const Table* linked(const Table& (*table)(), std::string_view tool) {
  try {
    return &table();
  } catch (const PatternError& error) {
    constexpr std::string_view library = "toolcontract: ";
    std::string_view why = error.what();
    if (why.starts_with(library)) why.remove_prefix(library.size());
    throw DefinitionError("toolcontract: tool " + std::string(tool) + ": " + std::string(why));
  }
}

inline void assemble_description(Draft& draft) {
  const auto add = [&](std::string_view lead, const std::string& text) {
    if (is_blank(text)) return;
    std::string& whole = draft.definition.description;
    whole.append(whole.empty() ? "" : " ").append(lead).append(text);
    if (std::string_view(".!?").find(whole.back()) == std::string_view::npos) whole += '.';
  };
  add("", draft.does);
  add("Returns: ", draft.returns);
  for (const std::string_view caution : draft.output->cautions()) add("", std::string(caution));
  add("", draft.use_instead);
  add("When nothing is found: ", draft.when_empty);
  add("Example: ", draft.example);
}

/// What a wrapper adds to a result needs a struct to stand in, and a name nobody else has.
inline void verify_added(const Draft& draft, std::string_view what, std::string_view member) {
  const auto refuse = [&](std::string_view why) {
    throw DefinitionError("toolcontract: tool " + draft.definition.name + ": " + std::string(what) +
                          " adds a member \"" + std::string(member) + "\" to the result" + std::string(why));
  };
  const Schema& result = draft.output->root();
  if (result.types != Types(Type::object) || !result.alternatives.empty() || result.is_map())
    refuse("; put the result into a field of a struct");
  for (const Field& field : result.fields)
    if (field.name == member) refuse(", which has a field of that name");
}

inline void verify_cap(const Draft& draft) {
  verify_added(draft, "max_result_bytes", "truncated");
  if (draft.cap.bytes < SizeCap::least)
    throw DefinitionError("toolcontract: tool " + draft.definition.name + ": max_result_bytes must be at least " +
                          std::to_string(SizeCap::least));
  if (is_blank(draft.cap.narrow))
    throw DefinitionError("toolcontract: tool " + draft.definition.name +
                          ": max_result_bytes needs words for what a caller can do, such as \"refine status\"");
}

inline void verify_once(const Draft& draft) {
  const auto refuse = [&](const std::string& why) {
    throw DefinitionError("toolcontract: tool " + draft.definition.name + ": " + why);
  };
  const OncePlan& once = *draft.once;
  if (draft.definition.effect == Effect::reads) refuse("once_per is for writes; a read may simply be repeated");
  if (draft.key_is_field && once.key == nullptr) refuse("once_per names a member that is no described field");
  if (once.key != nullptr && once.key->schema.secret) refuse("once_per names a secret field, and ledgers store keys");
  verify_added(draft, "once_per", "replayed");
  if (once.options.lease.count() <= 0 || once.options.ttl <= once.options.lease)
    refuse("once_per needs a lease above zero and a ttl longer than it");
  if (once.options.ttl > std::chrono::hours(24 * 3650)) refuse("once_per remembers keys for ten years at most");
  if (once.options.joined && draft.reconcile) refuse("a joined ledger knows what landed; leave reconcile(…) out");
}

template <class J = nlohmann::json>
void verify(Draft& draft) {
  Definition& definition = draft.definition;
  const auto refuse = [&](const std::string& why) {
    throw DefinitionError("toolcontract: tool " + definition.name + ": " + why);
  };
  if (is_blank(draft.does)) refuse("does(…) is missing; say in a sentence what the tool does");
  if (draft.output->has_secret())
    refuse("its result has a secret field, and results reach the model; leave the field out");
  LiteralChecker<J>(definition.name).walk(draft.input->root(), Path());
  LiteralChecker<J>(definition.name).walk(draft.output->root(), Path());
  for (const std::string& example : definition.input_examples) {
    const std::unique_ptr<void, void (*)(void*)> input(draft.make_input(), draft.destroy_input);
    const auto errors = fill(*draft.input, parse<J>(example).value(), input.get(), default_depth);
    if (!errors.empty()) refuse("an input example is not a valid call: " + sentences(errors, "it") + " Got " + example);
  }
  if (!definition.reconcile_tool.empty()) {
    if (definition.reconcile_field == nullptr) refuse("reconcile_by names a member that is no described field");
    if (definition.reconcile_field->schema.secret) refuse("reconcile_by names a secret field, which no error may show");
  }
  if (draft.once)
    verify_once(draft);
  else if (draft.reconcile)
    refuse("reconcile(…) needs once_per(…), whose key it looks up");
  if (draft.deduplicated && draft.deduplicated_by == nullptr)
    refuse("upstream_deduplicates names a member that is no described field");
  if (draft.capped) verify_cap(draft);
  if (draft.once) draft.cap.room = std::string_view(R"(,"replayed":true)").size();
  if (draft.approval && (draft.approval->ttl.count() <= 0 || draft.approval->ttl > std::chrono::hours(24 * 3650)))
    refuse("needs_approval needs a time to live above zero and of ten years at most");
  assemble_description(draft);
  definition.input_schema = json_schema_text(*draft.input, Direction::input, "#", definition.input_examples);
  constexpr AddedProperty replayed{
      "replayed",
      R"({"type":"boolean","description":"True: this call was made before; its stored result, nothing done."})"};
  std::vector<AddedProperty> added;
  if (draft.capped) added.push_back({"truncated", truncated_schema});
  if (draft.once) added.push_back(replayed);
  definition.output_schema = json_schema_text(*draft.output, Direction::output, "#", {}, added);
  const Schema& result = draft.output->root();
  if (result.types != Types(Type::object) || !result.alternatives.empty()) {
    definition.wrapped_output_schema = R"({"type":"object","properties":{"result":)" +
                                       json_schema_text(*draft.output, Direction::output, "#/properties/result") +
                                       R"(},"required":["result"],"additionalProperties":false})";
  }
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
