// SPDX-License-Identifier: MIT
/// \file
/// Finds a tool, checks the call, runs it and gives its outcome: the one way in.
///
///     tc::Toolset tools{orders_get(shop), refunds_create(bank)};
///     tc::Outcome outcome = tools.call("orders_get", arguments);              // JSON, text, or a parsed document
///     // unknown tool: UNKNOWN_TOOL; bad arguments: INVALID_ARGUMENTS with every field error; exception: INTERNAL_ERROR
///
/// Immutable after construction and safe to call from many threads. Nothing a caller sends throws through it. A host
/// with its own event loop uses the two halves: `prepare` (find, decode, admit), then `finish` (invocation.hpp).
///
/// Cost: nlohmann/json; the interpreter is instantiated once for each JSON type that calls.
#pragma once

#include <toolcontract/admission.hpp>
#include <toolcontract/decode.hpp>
#include <toolcontract/invocation.hpp>
#include <toolcontract/outcome.hpp>
#include <toolcontract/repair.hpp>
#include <toolcontract/tool.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// A fixed set of tools with different names.
class Toolset {
 public:
  using Prepared = std::variant<Invocation, Outcome>;

  /// \throws DefinitionError when two tools have the same name.
  template <std::same_as<Tool>... Tools>
  explicit Toolset(Tools... tools) : Toolset(ToolsetOptions{}, std::vector<Tool>{std::move(tools)...}) {}
  template <std::same_as<Tool>... Tools>
  explicit Toolset(ToolsetOptions options, Tools... tools)
      : Toolset(std::move(options), std::vector<Tool>{std::move(tools)...}) {}
  explicit Toolset(ToolsetOptions options, std::vector<Tool> tools);

  /// In the order they were given.
  [[nodiscard]] const std::vector<Tool>& tools() const noexcept { return state_->tools; }
  /// The tool of that name, or null.
  [[nodiscard]] const Tool* find(std::string_view name) const noexcept;
  [[nodiscard]] const ToolsetOptions& options() const noexcept { return state_->options; }

  /// Validates, runs, catches and reports one call.
  template <BasicJson J>
  [[nodiscard]] Outcome call(std::string_view name, const J& arguments, Call call = {}) const {
    return run(prepare(name, arguments, std::move(call)));
  }
  template <class J>
  [[nodiscard]] Outcome call(std::string_view name, const BasicDocument<J>& arguments, Call call = {}) const {
    return run(prepare(name, arguments, std::move(call)));
  }
  /// Arguments as raw text; "" means none.
  template <class = void>
  [[nodiscard]] Outcome call(std::string_view name, std::string_view arguments, Call call = {}) const {
    return run(prepare(name, arguments, std::move(call)));
  }

  /// The first half, for hosts that run handlers themselves: an Invocation to finish, or the Outcome of a refused call
  /// (already reported).
  template <BasicJson J>
  [[nodiscard]] Prepared prepare(std::string_view name, const J& arguments, Call call = {}) const;
  template <class J>
  [[nodiscard]] Prepared prepare(std::string_view name, const BasicDocument<J>& arguments, Call call = {}) const;
  template <class = void>
  [[nodiscard]] Prepared prepare(std::string_view name, std::string_view arguments, Call call = {}) const {
    return prepare(name, parse(arguments.empty() ? "{}" : arguments, state_->options.limits), std::move(call));
  }

 private:
  Invocation begin(std::string_view name, Call call) const;
  template <class Decode>
  Prepared admit(std::string_view name, Call call, Decode decode) const;
  static Outcome run(Prepared prepared);

  std::shared_ptr<const detail::ToolsetState> state_;
};

namespace detail {

/// Fills the input of a tool, typed or JSON; what is wrong comes back.
template <BasicJson J>
std::vector<FieldError> fill_input(const ToolCore& core, const J& arguments, void* input, const ToolsetOptions& options,
                                   std::vector<Repair>& repairs) {
  const std::size_t depth = options.limits.depth;
  const bool strict = options.mode == Mode::strict;
  if (core.input != nullptr && strict) return fill(*core.input, arguments, input, depth);
  if (soundness(arguments, depth) == Unsound::too_deep)
    return {{"", "too_deep", problem::too_deep(depth), {}}};  // before it is copied
  if (core.input != nullptr) {
    J repaired = arguments;
    repairs = repair(core.input->root(), repaired, depth);
    return fill(*core.input, repaired, input, depth);
  }
  auto& json = *static_cast<nlohmann::json*>(input);
  if constexpr (std::same_as<J, nlohmann::json>)
    json = arguments;
  else
    json = parse(json_text(arguments, depth), {options.limits.bytes, depth, options.limits.values}).value();
  if (!strict) repairs = core.input_document->repair(json);
  auto faults = core.input_document->explain(json);
  if (faults.empty()) core.input_document->fill_defaults(json);
  return faults;
}

}  // namespace detail

inline Toolset::Toolset(ToolsetOptions options, std::vector<Tool> tools) {
  for (std::size_t i = 0; i < tools.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (tools[i].definition().name == tools[j].definition().name)
        throw DefinitionError("toolcontract: two tools are named " + tools[i].definition().name + "; rename one");
  state_ = std::make_shared<const detail::ToolsetState>(detail::ToolsetState{std::move(options), std::move(tools)});
}

inline const Tool* Toolset::find(std::string_view name) const noexcept {
  const auto& tools = state_->tools;
  const auto found =
      std::find_if(tools.begin(), tools.end(), [&](const Tool& tool) { return tool.definition().name == name; });
  return found == tools.end() ? nullptr : &*found;
}

inline Invocation Toolset::begin(std::string_view name, Call call) const {
  const Tool* tool = find(name);
  call.clock = state_->options.clock;
  call.attempt = (std::max)(call.attempt, 1);
  call.effect = tool != nullptr ? tool->definition().effect : Effect::reads;
  call.deduplicated = tool != nullptr && tool->core().deduplicated;
  call.held.reset();
  call.attached.clear();
  return Invocation(state_, tool != nullptr ? &tool->core() : nullptr, std::move(call));
}

// `decode` fills the input and gives the faults back.
template <class Decode>
Toolset::Prepared Toolset::admit(std::string_view name, Call host_call, Decode decode) const {
  Invocation invocation = begin(name, std::move(host_call));
  detail::Ending ending(invocation, name);
  Call& call = invocation.call_;
  detail::guarded(ending, false, [&] {
    if (call.correlation_id.empty()) call.correlation_id = state_->options.ids(call.clock.wall());
    if (invocation.core_ == nullptr) return ending.unknown_tool(name, state_->tools);
    const Definition& definition = invocation.core_->definition;
    if (call.stop_requested())
      return ending.fail(transient(
          "CANCELLED", "The call of " + definition.name + " was cancelled before it began; nothing was done."));
    if (call.deadline && call.remaining()->count() == 0)
      return ending.fail(transient("TIMED_OUT", "The deadline of the call of " + definition.name +
                                                    " passed before it began; nothing was done."));
    invocation.input_.reset(invocation.core_->make_input());
    if (auto faults = decode(*invocation.core_, invocation.input_.get(), invocation.repairs_); !faults.empty())
      return ending.fail(invalid_arguments("The arguments of " + definition.name, std::move(faults)));
    if (state_->options.before)
      if (auto refused = state_->options.before(definition, call)) return ending.fail(std::move(*refused));
    for (const auto& refuse : invocation.core_->before)
      if (auto refused = refuse(invocation.input_.get(), call)) return ending.fail(std::move(*refused));
    if (auto barred = detail::admit(*invocation.core_, invocation.input_.get(), call, ending.note())) {
      if (auto* replay = std::get_if<detail::Replay>(&*barred)) return ending.replay(std::move(replay->text));
      return ending.fail(std::get<ToolError>(std::move(*barred)));
    }
  });
  if (ending.ended()) return ending.take();
  return invocation;
}

template <BasicJson J>
Toolset::Prepared Toolset::prepare(std::string_view name, const J& arguments, Call call) const {
  return admit(name, std::move(call), [&](const detail::ToolCore& core, void* input, std::vector<Repair>& repairs) {
    return detail::fill_input(core, arguments, input, state_->options, repairs);
  });
}

template <class J>
Toolset::Prepared Toolset::prepare(std::string_view name, const BasicDocument<J>& arguments, Call call) const {
  return admit(name, std::move(call), [&](const detail::ToolCore& core, void* input, std::vector<Repair>& repairs) {
    return arguments.ok() ? detail::fill_input(core, arguments.value(), input, state_->options, repairs)
                          : arguments.faults();
  });
}

inline Outcome Toolset::run(Prepared prepared) {
  if (auto* outcome = std::get_if<Outcome>(&prepared)) return std::move(*outcome);
  return std::get<Invocation>(std::move(prepared)).run();
}

}  // namespace v0
}  // namespace toolcontract
