// SPDX-License-Identifier: MIT
/// \file
/// A tool made from a definition document: for gateways and config files that have JSON instead of C++ types.
///
///     const auto definition = nlohmann::ordered_json::parse(R"({"name":"echo","description":"Says it back.",
///         "inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}})");
///     tc::Toolset tools{tc::tool(definition, [](const nlohmann::json& in) { return nlohmann::json{{"text", in["text"]}}; })};
///
/// It stands in a Toolset beside typed tools: the same checks, field errors, defaults, repairs and reports. A handler
/// takes (const nlohmann::json&) or (const nlohmann::json&, Call&) and returns JSON or a Result of it; where the definition
/// has an output schema, what it returns is checked against it before it leaves.
///
/// Cost: nlohmann/json; templates only.
#pragma once

#include <toolcontract/checker.hpp>
#include <toolcontract/defaults.hpp>
#include <toolcontract/document.hpp>
#include <toolcontract/repair.hpp>
#include <toolcontract/tool_core.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Whether a definition's annotations are believed. They are hints of whoever wrote them, and MCP says never to act on
/// those of a server you do not trust.
enum class Annotations : unsigned char {
  untrusted,  ///< the tool counts as a destructive write
  trusted,    ///< the host vouches for where the definition came from
};

/// A tool from a definition as tools/list and the Claude API write it: name, title, description, inputSchema (or
/// input_schema), outputSchema, annotations. `Contract` compiles its schemas: Checker, or AnyChecker of
/// schema_validator.hpp for documents with further keywords.
/// \throws DefinitionError when the definition is malformed or a schema is refused; it names the place and the keyword.
template <class Contract = Checker, BasicJson J, class F>
[[nodiscard]] Tool tool(const J& definition, F handler, Annotations annotations = Annotations::untrusted);

namespace detail {

template <class Contract>
class JsonContractOf final : public JsonContract {
 public:
  explicit JsonContractOf(Contract contract) : contract_(std::move(contract)) {}
  std::vector<FieldError> explain(const nlohmann::json& value) const override {
    return contract_.accepts(value) ? std::vector<FieldError>() : contract_.explain(value);
  }
  std::vector<Repair> repair(nlohmann::json& value) const override { return contract_.repair(value); }
  void fill_defaults(nlohmann::json& value) const override { contract_.fill_defaults(value); }

 private:
  Contract contract_;
};

/// Reads one definition document, member by member.
template <BasicJson J>
class DefinitionReader {
 public:
  explicit DefinitionReader(const J& document) : document_(document) {
    name_ = text("name");
    if (name_.empty()) throw DefinitionError("toolcontract: a tool definition needs a name, a non-empty string");
  }

  [[nodiscard]] std::string text(const char* key) const {
    const J* member = find(key);
    if (member == nullptr) return {};
    if (!member->is_string()) refuse(std::string(key) + " must be a string");
    return text_of(*member);
  }
  [[nodiscard]] const J* find(const char* key, const char* other = "") const {
    if (!document_.is_object()) return nullptr;
    for (const char* name : {key, other})
      if (const auto member = document_.find(name); member != document_.end()) return &*member;
    return nullptr;
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw DefinitionError("toolcontract: tool " + name_ + ": " + why);
  }

  template <class Contract>
  [[nodiscard]] std::shared_ptr<const JsonContract> compile(const J& schema, std::string_view which) const {
    auto compiled = Contract::compile(schema);
    if (!compiled)
      refuse(std::string(which) + compiled.error().at + ", " + compiled.error().keyword + ": " +
             compiled.error().problem);
    return std::make_shared<const JsonContractOf<Contract>>(*std::move(compiled));
  }
  [[nodiscard]] static bool is_object_schema(const J& schema) {
    if (!schema.is_object()) return false;
    const auto type = schema.find("type");
    return type != schema.end() && type->is_string() && text_of(*type) == "object";
  }

  void read_annotations(Definition& into) const {
    const J* hints = find("annotations");
    if (hints == nullptr || !hints->is_object()) return;
    const auto flag = [&](const char* key, bool otherwise) {
      const auto hint = hints->find(key);
      return hint != hints->end() && hint->is_boolean() ? hint->template get<bool>() : otherwise;
    };
    if (flag("readOnlyHint", false))
      into.effect = Effect::reads;
    else if (!flag("destructiveHint", true))
      into.effect = Effect::writes;
    else if (hints->contains("destructiveHint"))
      into.effect = Effect::destroys;
    if (hints->contains("openWorldHint")) into.open_world = flag("openWorldHint", true);
    into.idempotent = flag("idempotentHint", false);
  }

 private:
  const J& document_;
  std::string name_;
};

template <class T>
struct Unresult {
  using Type = T;
};
template <class T>
struct Unresult<Result<T>> {
  using Type = T;
};

}  // namespace detail

template <class Contract, BasicJson J, class F>
Tool tool(const J& document, F handler, Annotations annotations) {
  using Input = nlohmann::json;
  constexpr bool with_call = std::is_invocable_v<const F&, const Input&, Call&>;
  static_assert(with_call || std::is_invocable_v<const F&, const Input&>,
                "toolcontract: a handler of a definition document takes (const nlohmann::json&) or (const "
                "nlohmann::json&, Call&) "
                "and is callable as const, since many threads call it at once");
  constexpr auto invoke = [](const F& f, const Input& input, Call& call) -> decltype(auto) {
    if constexpr (with_call)
      return f(input, call);
    else
      return (void)call, f(input);
  };
  using Output =
      typename detail::Unresult<decltype(invoke(handler, std::declval<const Input&>(), std::declval<Call&>()))>::Type;
  static_assert(BasicJson<Output>, "toolcontract: a handler of a definition document returns JSON or a Result of it");

  const detail::DefinitionReader<J> reader(document);
  auto core = std::make_unique<detail::ToolCore>();
  Definition& definition = core->definition;
  definition.name = reader.text("name");
  definition.title = reader.text("title");
  definition.description = reader.text("description");
  if (annotations == Annotations::trusted) reader.read_annotations(definition);

  const J* input = reader.find("inputSchema", "input_schema");
  if (input == nullptr || !reader.is_object_schema(*input))
    reader.refuse("inputSchema must be a schema with \"type\":\"object\"");
  core->input_document = reader.template compile<Contract>(*input, "inputSchema");
  definition.input_schema = json_text(*input);
  if (const J* output = reader.find("outputSchema", "output_schema")) {
    core->output_document = reader.template compile<Contract>(*output, "outputSchema");
    definition.output_schema = json_text(*output);
    if (!reader.is_object_schema(*output))
      definition.wrapped_output_schema =
          R"({"type":"object","properties":{"result":)" + definition.output_schema + R"(},"required":["result"]})";
  }

  core->make_input = []() -> void* { return new Input(); };
  core->destroy_input = [](void* kept) { delete static_cast<Input*>(kept); };
  core->write = [](const detail::ToolCore& self, void* result, TextWriter& out, Unencodable& fault) {
    if (!write_json(out, *static_cast<const Output*>(result), fault)) return false;
    if (self.output_document == nullptr) return true;
    const auto errors = self.output_document->explain(parse(out.text()).value());
    if (errors.empty()) return true;
    fault = {errors.front().field, errors.front().problem};
    return false;
  };
  core->handler = {
      core->handler.keep(std::move(handler)),
      [](const void* f, const detail::ToolCore&, const void* arguments, Call& call, detail::Answer& answer) {
        Result<Output> result =
            decltype(invoke){}(*static_cast<const F*>(f), *static_cast<const Input*>(arguments), call);
        if (!result) return answer.fail(std::move(result).error());
        answer.succeed(&*result);
      }};
  return Tool(std::shared_ptr<const detail::ToolCore>(std::move(core)));
}

}  // namespace v0
}  // namespace toolcontract
