// SPDX-License-Identifier: MIT
/// \file
/// A tool: what a model is told before a call, and the function that runs one.
///
///     auto orders_get(Shop& shop) {
///       return tc::tool<OrderQuery, Order>("orders_get")
///           .does("Looks up one order by its exact ID.")
///           .use_instead("orders_search", "to find orders by customer email")
///           .reads().closed_world()
///           .handle([&](const OrderQuery& in) -> tc::Result<Order> { return shop.find(in.order_id); });
///     }
///
/// A handler takes (const In&) or (const In&, Call&), returns Out or Result<Out>, and may throw a ToolError; anything
/// else it throws is masked. It is called from many threads at once. What a description alone cannot show (a pattern
/// that does not parse, a default its own schema rejects) throws DefinitionError here, when the tool is built.
///
/// Cost: nlohmann/json. Each tool instantiates only its two types' tables and one call.
#pragma once

#include <toolcontract/approval.hpp>
#include <toolcontract/call.hpp>
#include <toolcontract/check.hpp>
#include <toolcontract/decode.hpp>
#include <toolcontract/definition.hpp>
#include <toolcontract/encode.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/fit.hpp>
#include <toolcontract/json_schema.hpp>
#include <toolcontract/ledger.hpp>
#include <toolcontract/literal_check.hpp>
#include <toolcontract/repair.hpp>

#include <chrono>
#include <concepts>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// In place of a field: the key comes from the host, in Call::operation_key.
struct CallKey {};
inline constexpr CallKey call_key{};

namespace detail {

/// A callable of unknown type: shared, immutable, called through a plain function.
template <class Signature>
struct Erased;
template <class R, class... Args>
struct Erased<R(Args...)> {
  std::shared_ptr<const void> object;
  R (*invoke)(const void* object, Args...) = nullptr;

  template <class F>
  static std::shared_ptr<const void> keep(F&& f) {
    using Kept = std::remove_cvref_t<F>;
    return {static_cast<void*>(new Kept(std::forward<F>(f))),
            [](const void* kept) { delete static_cast<const Kept*>(kept); }};
  }
  explicit operator bool() const noexcept { return invoke != nullptr; }
  R operator()(Args... args) const { return invoke(object.get(), static_cast<Args>(args)...); }
};

/// Where a handler's answer goes.
class Answer {
 public:
  virtual void succeed(void* result) = 0;  ///< may be cut to fit
  virtual void fail(ToolError error) = 0;

 protected:
  ~Answer() = default;
};

/// What a definition document asks of arguments or results: a compiled checker, behind nlohmann::json.
class JsonContract {
 public:
  virtual ~JsonContract() = default;
  [[nodiscard]] virtual std::vector<FieldError> explain(const nlohmann::json& value) const = 0;
  [[nodiscard]] virtual std::vector<Repair> repair(nlohmann::json& value) const = 0;
  virtual void fill_defaults(nlohmann::json& value) const = 0;
};

/// What the tool's own reconcile(…) found out.
struct Reconciliation {
  std::optional<std::string> landed{};  ///< the result as JSON text
  bool never_landed = false;
};

struct ToolCore;

struct OncePlan {
  Ledger* ledger = nullptr;
  const Field* key = nullptr;  ///< null: the host's key
  OnceOptions options{};
};

struct ApprovalPlan {
  Approvals* approvals = nullptr;
  Erased<std::optional<std::string>(const void* input)> preview{};
  std::chrono::milliseconds ttl{};
};

struct ToolCore {
  Definition definition;
  const Table* input = nullptr;   ///< null for a tool made from a definition document
  const Table* output = nullptr;  ///< likewise
  std::shared_ptr<const JsonContract> input_document;
  std::shared_ptr<const JsonContract> output_document;
  bool (*write)(const ToolCore& core, void* result, TextWriter& out, Unencodable& fault) = nullptr;
  void* (*make_input)() = nullptr;
  void (*destroy_input)(void*) = nullptr;
  std::vector<Erased<std::optional<ToolError>(const void* input, Call&)>> before;  ///< in the order they were given
  std::vector<Erased<void(void* result, Call&)>> after;
  Erased<void(const ToolCore&, const void* input, Call&, Answer&)> handler;
  std::optional<OncePlan> once;
  Erased<Reconciliation(const ToolCore&, const std::string& key, Call&)> reconcile;
  std::optional<ApprovalPlan> approval;
  SizeCap cap;
  bool deduplicated = false;  ///< its upstream drops a second request with the same key
};

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

void assemble_description(Draft& draft);
template <class J = nlohmann::json>
void verify(Draft& draft);

}  // namespace detail

/// A definition and its handler. Cheap to copy; immutable.
class Tool {
 public:
  explicit Tool(std::shared_ptr<const detail::ToolCore> core) : core_(std::move(core)) {}
  [[nodiscard]] const Definition& definition() const noexcept { return core_->definition; }
  [[nodiscard]] const detail::ToolCore& core() const noexcept { return *core_; }

 private:
  std::shared_ptr<const detail::ToolCore> core_;
};

/// Builds one tool, part by part. Made by tc::tool.
template <class In, class Out>
class [[nodiscard]] ToolBuilder {
  static_assert(detail::DescribedRecord<In>,
                "toolcontract: a tool's input is a struct described by tc::object; put a single value or a union into "
                "a field of one");

 public:
  explicit ToolBuilder(ToolName name) : draft_(new detail::Draft) {
    draft_->definition.name = name.text();
    draft_->make_input = []() -> void* { return new In(); };
    draft_->destroy_input = [](void* input) { delete static_cast<In*>(input); };
    draft_->input = detail::linked(&table_of<In>, name.text());
    draft_->output = detail::linked(&table_of<Out>, name.text());
    draft_->write = [](const detail::ToolCore& core, void* result, TextWriter& out, Unencodable& fault) {
      return detail::write_fitting(out, core.output->root(), result, core.cap, fault);
    };
  }

  /// A display name for people.
  ToolBuilder title(std::string text) && { return set(draft_->definition.title, std::move(text)); }
  /// What the tool does, in a sentence. Required.
  ToolBuilder does(std::string text) && { return set(draft_->does, std::move(text)); }
  /// What comes back.
  ToolBuilder returns(std::string text) && { return set(draft_->returns, std::move(text)); }
  /// Which other tool fits a neighbouring request: `.use_instead("orders_search", "to find orders by email")`. Repeatable.
  ToolBuilder use_instead(ToolName tool, std::string_view when) && {
    draft_->use_instead.append(draft_->use_instead.empty() ? "" : " ")
        .append("Use ")
        .append(tool.text())
        .append(" instead ")
        .append(when);
    if (!when.ends_with('.')) draft_->use_instead += '.';
    return std::move(*this);
  }
  /// What an empty result looks like and means, so that it is not taken for a failure.
  ToolBuilder when_empty(std::string text) && { return set(draft_->when_empty, std::move(text)); }
  /// A request the tool is for, in words.
  ToolBuilder example(std::string text) && { return set(draft_->example, std::move(text)); }
  /// A valid call, shown to the model and in the errors of invalid ones. Checked when the tool is built. Repeatable.
  ToolBuilder input_example(const In& input) && {
    Result<std::string> text = encode_text(input);
    if (!text)
      throw DefinitionError("toolcontract: tool " + draft_->definition.name +
                            ": an input example is not a valid call: " + text.error().facts().internal->for_report());
    draft_->definition.input_examples.push_back(std::move(*text));
    return std::move(*this);
  }

  /// What a result may take as JSON text, in bytes: at least 512. A page that is larger loses rows at its end and goes on
  /// from there, then long texts are cut; both are said in a member "truncated" with the next move. What cannot be cut is
  /// RESULT_TOO_LARGE, or RESULT_UNAVAILABLE where something was changed. `narrow` says what a caller can do about it, as
  /// the end of a sentence. See fit.hpp.
  ToolBuilder max_result_bytes(std::size_t bytes, std::string narrow = "narrow the request") && {
    draft_->cap.narrow = std::move(narrow);
    draft_->capped = true;
    return set(draft_->cap.bytes, bytes);
  }

  // The effect. Undeclared, a tool counts as a destructive write.
  ToolBuilder reads() && { return set(draft_->definition.effect, Effect::reads); }
  ToolBuilder writes() && { return set(draft_->definition.effect, Effect::writes); }
  ToolBuilder destroys() && { return set(draft_->definition.effect, Effect::destroys); }
  /// It reaches entities outside the system: the web, other people's mail.
  ToolBuilder open_world() && { return set(draft_->definition.open_world, std::optional(true)); }
  /// It touches nothing outside the system.
  ToolBuilder closed_world() && { return set(draft_->definition.open_world, std::optional(false)); }

  /// Which tool finds out what became of a call whose outcome is unknown, and the argument that names that call: the
  /// same name there as here.
  template <class C, class M>
  ToolBuilder reconcile_by(ToolName tool, M C::*key) && {
    static_assert(std::is_base_of_v<C, In>, "toolcontract: reconcile_by takes a member of the tool's own input");
    draft_->definition.reconcile_tool = tool.text();
    draft_->definition.reconcile_field = field_of(key);
    return std::move(*this);
  }

  /// Once for each key: the same call again gets the stored result, with `"replayed":true`, and nothing is done. `key` is a
  /// string member of the input, or tc::call_key. The ledger outlives the tool. See ledger.hpp.
  template <class C, class M>
  ToolBuilder once_per(M C::*key, Ledger& ledger, OnceOptions options = {}) && {
    static_assert(std::is_base_of_v<C, In> && std::is_same_v<M, std::string>,
                  "toolcontract: once_per takes a std::string member of the tool's own input, or tc::call_key");
    draft_->once = detail::OncePlan{&ledger, field_of(key), options};
    draft_->key_is_field = true;
    return idempotent();
  }
  ToolBuilder once_per(CallKey, Ledger& ledger, OnceOptions options = {}) && {
    draft_->once = detail::OncePlan{&ledger, nullptr, options};
    return idempotent();
  }
  /// The upstream takes the key and drops a second request with it: an unanswered write may then be sent again.
  template <class C, class M>
  ToolBuilder upstream_deduplicates(M C::*key) && {
    static_assert(std::is_base_of_v<C, In>,
                  "toolcontract: upstream_deduplicates takes a member of the tool's own input");
    draft_->deduplicated = true;
    draft_->deduplicated_by = field_of(key);
    return idempotent();
  }
  /// Finds out what became of a call that died half-way: `Reconciled<Out>(const std::string& key, Call&)`, asked when a
  /// repeat arrives. Returns the result, tc::never_landed (the repeat then acts) or tc::cannot_tell.
  template <class F>
  ToolBuilder reconcile(F look) && {
    static_assert(std::is_invocable_r_v<Reconciled<Out>, const F&, const std::string&, Call&>,
                  "toolcontract: reconcile takes a callable Reconciled<Output>(const std::string& key, Call&)");
    draft_->reconcile = {
        draft_->reconcile.keep(std::move(look)),
        [](const void* f, const detail::ToolCore& core, const std::string& key, Call& call) -> detail::Reconciliation {
          Reconciled<Out> found = (*static_cast<const F*>(f))(key, call);
          if (!found.landed()) return {std::nullopt, found.never_landed()};
          TextWriter out;
          Unencodable fault;
          if (!core.write(core, &*found.landed(), out, fault)) return {};
          return {out.take(), false};
        }};
    return std::move(*this);
  }

  /// Asks a person first, through the host. `preview` says in words what would happen: std::string(const In&); when it
  /// returns std::optional<std::string>, an empty one means that this call needs nobody's consent. The tickets live for
  /// `ttl`; the store outlives the tool. See approval.hpp.
  template <class F>
  ToolBuilder needs_approval(Approvals& approvals, F preview,
                             std::chrono::milliseconds ttl = std::chrono::minutes(15)) && {
    static_assert(std::is_invocable_r_v<std::optional<std::string>, const F&, const In&>,
                  "toolcontract: needs_approval takes a callable std::string(const Input&) or "
                  "std::optional<std::string>(const Input&)");
    using Preview = detail::Erased<std::optional<std::string>(const void*)>;
    const auto invoke = [](const void* f, const void* input) -> std::optional<std::string> {
      return (*static_cast<const F*>(f))(*static_cast<const In*>(input));
    };
    draft_->approval = detail::ApprovalPlan{&approvals, {Preview::keep(std::move(preview)), invoke}, ttl};
    return std::move(*this);
  }

  /// Runs before the handler, on sound arguments: `std::optional<ToolError>(const In&, Call&)`; an error refuses the call.
  /// Repeatable: each runs in turn until one refuses.
  template <class F>
  ToolBuilder before(F refuse) && {
    static_assert(std::is_invocable_r_v<std::optional<ToolError>, const F&, const In&, Call&>,
                  "toolcontract: before takes a callable std::optional<ToolError>(const Input&, Call&)");
    using Hook = detail::Erased<std::optional<ToolError>(const void*, Call&)>;
    const auto invoke = [](const void* f, const void* input, Call& call) -> std::optional<ToolError> {
      return (*static_cast<const F*>(f))(*static_cast<const In*>(input), call);
    };
    draft_->before.push_back({Hook::keep(std::move(refuse)), invoke});
    return std::move(*this);
  }
  /// Runs after a success, before it is encoded: `void(Out&, Call&)`. It cannot make a success of a failure.
  /// Repeatable: each runs in turn.
  template <class F>
  ToolBuilder after(F amend) && {
    static_assert(std::is_invocable_v<const F&, Out&, Call&>,
                  "toolcontract: after takes a callable void(Output&, Call&)");
    using Hook = detail::Erased<void(void*, Call&)>;
    draft_->after.push_back({Hook::keep(std::move(amend)), [](const void* f, void* result, Call& call) {
                               (*static_cast<const F*>(f))(*static_cast<Out*>(result), call);
                             }});
    return std::move(*this);
  }

  /// The function that runs a call. \throws DefinitionError when the definition cannot stand.
  template <class F>
  [[nodiscard]] Tool handle(F handler) && {
    constexpr bool with_call = std::is_invocable_v<const F&, const In&, Call&>;
    constexpr bool without_call = std::is_invocable_v<const F&, const In&>;
    static_assert(
        with_call || without_call,
        "toolcontract: a handler takes (const Input&) or (const Input&, Call&) and is callable as const, since many "
        "threads call it at once");
    if constexpr (with_call || without_call) {
      const auto invoke = [](const F& f, const In& input, Call& call) -> decltype(auto) {
        if constexpr (with_call)
          return f(input, call);
        else
          return (void)call, f(input);
      };
      using Returned = decltype(invoke(handler, std::declval<const In&>(), std::declval<Call&>()));
      static_assert(std::is_convertible_v<Returned, Result<Out>>,
                    "toolcontract: a handler returns Output or Result<Output>, or throws a ToolError");
      draft_->handler = {
          draft_->handler.keep(std::move(handler)),
          [](const void* f, const detail::ToolCore& core, const void* input, Call& call, detail::Answer& answer) {
            constexpr decltype(invoke) run{};
            Result<Out> result = run(*static_cast<const F*>(f), *static_cast<const In*>(input), call);
            if (!result) return answer.fail(std::move(result).error());
            for (const auto& amend : core.after) amend(&*result, call);
            answer.succeed(&*result);
          }};
    }
    return build();
  }

  /// No handler: the host runs the call itself between Toolset::prepare and Invocation::finish.
  [[nodiscard]] Tool handled_by_host() && { return build(); }

 private:
  template <class Member, class Value>
  ToolBuilder set(Member& member, Value&& value) {
    member = std::forward<Value>(value);
    return std::move(*this);
  }

  ToolBuilder idempotent() { return set(draft_->definition.idempotent, true); }

  // The described field of a member; null when it is none.
  template <class C, class M>
  const Field* field_of(M C::*member) const {
    In input{};
    for (const Field& field : draft_->input->root().fields)
      if (field.address(&input) == static_cast<const void*>(&(input.*member))) return &field;
    return nullptr;
  }

  Tool build() {
    detail::verify<>(*draft_);
    return Tool(std::shared_ptr<const detail::ToolCore>(std::move(draft_)));
  }

  std::unique_ptr<detail::Draft> draft_;
};

/// Starts a tool that takes an In and answers with an Out, both described types.
template <class In, class Out>
[[nodiscard]] ToolBuilder<In, Out> tool(ToolName name) {
  return ToolBuilder<In, Out>(name);
}

namespace detail {

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

template <class J>
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
