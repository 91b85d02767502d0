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
#include <toolcontract/definition.hpp>
#include <toolcontract/encode.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/ledger.hpp>
#include <toolcontract/tool_core.hpp>
#include <toolcontract/tool_draft.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// In place of a field: the key comes from the host, in Call::operation_key.
struct CallKey {};
inline constexpr CallKey call_key{};

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

}  // namespace v0
}  // namespace toolcontract
