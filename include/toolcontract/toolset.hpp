// SPDX-License-Identifier: MIT
/// \file
/// Finds a tool, checks the call, runs it, catches what it throws, and reports: the one place where a call ends.
///
///     tc::Toolset tools{orders_get(shop), refunds_create(bank)};
///     tc::Outcome outcome = tools.call("orders_get", arguments);              // JSON, text, or a parsed document
///     // unknown tool: UNKNOWN_TOOL; bad arguments: INVALID_ARGUMENTS with every field error; exception: INTERNAL_ERROR
///
/// Immutable after construction and safe to call from many threads. Nothing a caller sends throws through it. A host
/// with its own event loop uses the two halves: `prepare` (find, decode, admit), then `finish` with the result.
///
/// Cost: nlohmann/json; the interpreter is instantiated once for each JSON type that calls.
#pragma once

#include <toolcontract/admission.hpp>
#include <toolcontract/correlation.hpp>
#include <toolcontract/decode.hpp>
#include <toolcontract/encode.hpp>
#include <toolcontract/error_limits.hpp>
#include <toolcontract/outcome.hpp>
#include <toolcontract/tool.hpp>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Receives one Report for every finished call, possibly from many threads at once. Must be noexcept: a log that fails
/// must not fail the call.
class ReportSink {
 public:
  ReportSink() = default;  ///< reports go nowhere
  template <class F>
  requires(!std::same_as<std::remove_cvref_t<F>, ReportSink>) ReportSink(F sink)
      : sink_(std::move(sink)) {  // NOLINT: implicit, a lambda is a sink
    static_assert(std::is_nothrow_invocable_v<F&, const Report&>,
                  "toolcontract: a report sink is a callable void(const Report&) noexcept");
  }
  void operator()(const Report& report) const {
    if (sink_) sink_(report);
  }

 private:
  std::function<void(const Report&)> sink_;
};

/// What a set of tools runs with. Every member has a default.
struct ToolsetOptions {
  Clock clock{};
  IdSource ids = random_correlation_id;
  ReportSink report{};
  InputLimits limits{};
  Mode mode = Mode::strict;  ///< or tc::lenient()
  /// Asked before every call, after its arguments were found sound; an error refuses it.
  std::function<std::optional<ToolError>(const Definition&, Call&)> before{};
};

namespace detail {
class Ending;
struct ToolsetState {
  ToolsetOptions options;
  std::vector<Tool> tools;
};
}  // namespace detail

/// A call that has been found, decoded and admitted, and not yet run. Keeps its Toolset alive. Finish it once.
class Invocation {
 public:
  [[nodiscard]] const Definition& definition() const noexcept { return core_->definition; }
  [[nodiscard]] Call& call() noexcept { return call_; }

  /// The decoded arguments. \throws std::invalid_argument when the tool's input is another type than In.
  template <class In>
  [[nodiscard]] const In& input() const {
    if (core_->input == nullptr || core_->input != &table_of<In>())
      throw std::invalid_argument("toolcontract: tool " + core_->definition.name + " takes another input type");
    return *static_cast<const In*>(input_.get());
  }

  /// Ends the call with the host's own result: runs the after hook, encodes, reports.
  template <class Out>
  [[nodiscard]] Outcome finish(Result<Out> result) &&;

  /// Runs the tool's own handler and ends the call.
  [[nodiscard]] Outcome run() &&;

 private:
  friend class Toolset;
  friend class detail::Ending;
  Invocation(std::shared_ptr<const detail::ToolsetState> state, const detail::ToolCore* core, Call call)
      : state_(std::move(state)),
        core_(core),
        input_(
            nullptr, core != nullptr ? core->destroy_input : [](void*) {}),
        call_(std::move(call)),
        started_(call_.clock.steady()) {}

  std::shared_ptr<const detail::ToolsetState> state_;
  const detail::ToolCore* core_;
  std::unique_ptr<void, void (*)(void*)> input_;
  Call call_;
  std::vector<Repair> repairs_;
  std::chrono::steady_clock::time_point started_;
};

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

/// How one call ends: the error gets the call's id and budget, the log its report.
class Ending final : public Answer {
 public:
  /// `asked`: the name the call came with.
  explicit Ending(Invocation& invocation, std::string_view asked = {}) : invocation_(invocation), asked_(asked) {}

  void succeed(const void* result) override {
    TextWriter out;
    Unencodable fault;
    const ToolCore& core = *invocation_.core_;
    if (core.write(core, result, out, fault)) {
      if (auto error = settle(core, invocation_.call_, out.text(), note_)) return fail(std::move(*error));
      return succeed(out.take(), false);
    }
    if (fault.too_large) return fail(too_large());
    const std::string place =
        "the result cannot be written: " + (fault.path.empty() ? std::string("it") : fault.path) + " " + fault.why;
    if (may_change_state(core.definition.effect))
      fail(unknown("RESULT_UNAVAILABLE",
                   core.definition.name +
                       " took effect, but its result cannot be given. Do not call it again; find out "
                       "what it did.")
               .internal(place));
    else
      fail(unknown("INTERNAL_ERROR", core.definition.name + " failed unexpectedly; nothing was changed.")
               .escalate()
               .internal(place));
  }

  /// The call was made before: its stored result.
  void replay(std::string text) {
    const SizeCap& cap = invocation_.core_->cap;
    if (cap.bytes > 0 && text.size() > cap.bytes) return fail(too_large());  // stored by complete_in, or before the cap
    succeed(std::move(text), true);
  }
  /// What the report says besides.
  [[nodiscard]] std::string& note() noexcept { return note_; }

  void fail(ToolError error) override { outcome_ = Outcome::failure(name(), conclude(std::move(error), {})); }

  /// Something was thrown that is no ToolError: its text goes to the log alone. `began`: the handler was running.
  void mask(std::string exception, bool began) {
    std::string message = name() + " failed unexpectedly";
    const bool may_have_acted = began && may_change_state(effect());
    message +=
        may_have_acted ? " and may have taken effect. Find out before calling it again." : "; nothing was changed.";
    auto error = unknown("INTERNAL_ERROR", std::move(message));
    if (!may_have_acted) error.escalate();
    outcome_ = Outcome::failure(name(), conclude(std::move(error), std::move(exception)));
  }

  /// No tool of that name.
  void unknown_tool(std::string_view asked, const std::vector<Tool>& tools) {
    std::vector<std::string_view> names;
    for (const Tool& tool : tools) names.push_back(tool.definition().name);
    std::string message = "There is no tool named \"" + std::string(utf8::prefix(asked, 120)) + "\"" +
                          problem::did_you_mean(asked, names);
    if (!message.ends_with('?'))
      message.append(names.empty() ? "." : "; the tools are " + problem::listed(names) + ".");
    outcome_ = Outcome::unknown_tool(std::string(asked), conclude(validation("UNKNOWN_TOOL", std::move(message)), {}));
  }

  [[nodiscard]] bool ended() const noexcept { return outcome_.has_value(); }
  [[nodiscard]] Outcome take() {
    outcome_->set_repairs(std::move(invocation_.repairs_));
    return std::move(*outcome_);
  }

 private:
  void succeed(std::string text, bool replayed) {
    const Definition& definition = invocation_.core_->definition;
    report({}, {}, replayed);
    outcome_ = Outcome::success(definition.name, invocation_.call_.correlation_id, std::move(text),
                                !definition.wrapped_output_schema.empty());
    if (!replayed) outcome_->set_content(std::move(invocation_.call_.attached));
  }

  // There is a result, and it can neither be given nor cut.
  [[nodiscard]] ToolError too_large() const {
    const SizeCap& cap = invocation_.core_->cap;
    const std::string bytes = std::to_string(cap.bytes);
    if (may_change_state(effect()))
      return unknown("RESULT_UNAVAILABLE", name() + " took effect, but its result takes more than the " + bytes +
                                               " bytes it may have. Do not call it again; find out what it did.");
    return business("RESULT_TOO_LARGE", "The result of " + name() + " takes more than the " + bytes +
                                            " bytes it may have, and cannot be cut further; " + cap.narrow + ".");
  }

  [[nodiscard]] std::string name() const {
    return invocation_.core_ != nullptr ? invocation_.core_->definition.name : std::string(utf8::prefix(asked_, 120));
  }
  [[nodiscard]] Effect effect() const {
    return invocation_.core_ != nullptr ? invocation_.core_->definition.effect : Effect::reads;
  }

  // Adds what only the tool knows: the call that reconciles, a call that would be valid.
  ToolError completed(const ToolError& error) const {
    ErrorFacts facts = error.facts();
    if (invocation_.core_ == nullptr) return cut_to_limits(facts), ToolError::restore(std::move(facts));
    const Definition& definition = invocation_.core_->definition;
    const void* input = invocation_.input_.get();  // null until the arguments were looked at
    if (facts.resolution == Resolution::reconcile && !facts.reconcile && !definition.reconcile_tool.empty() &&
        input != nullptr) {
      TextWriter arguments;
      Unencodable fault;
      arguments.begin_object();
      const Field& key = *definition.reconcile_field;
      const void* value = key.value(input);
      const bool written = value != nullptr && write_object(arguments.key(key.name), key.schema, value, fault);
      if (written) facts.reconcile = ReconcileCall{definition.reconcile_tool, arguments.end_object().take()};
    }
    if (facts.resolution == Resolution::fix_input && facts.example.empty() && !definition.input_examples.empty())
      facts.example = definition.input_examples.front();
    cut_to_limits(facts);
    return ToolError::restore(std::move(facts));
  }

  ToolError conclude(ToolError error, std::string exception) {
    Call& call = invocation_.call_;
    if (invocation_.core_ != nullptr) settle(*invocation_.core_, call, error, note_);
    CallBudget budget{call.correlation_id, call.attempt, call.max_attempts, call.remaining()};
    const CallBudget& told = error.facts().budget;
    if (told.correlation_id == budget.correlation_id && told.attempt > budget.attempt) {
      budget.attempt = told.attempt;  // a retry loop in the handler has counted on
      budget.max_attempts = told.max_attempts;
    }
    shorten(budget.correlation_id, ErrorLimits::name);
    ToolError settled = completed(error).settled(std::move(budget));
    report(settled, std::move(exception));
    return settled;
  }

  void report(const std::optional<ToolError>& error, std::string exception, bool replayed = false) const {
    const Call& call = invocation_.call_;
    Report report{call.correlation_id,
                  name(),
                  call.principal,
                  {},
                  {},
                  note_,
                  std::move(exception),
                  call.attempt,
                  call.clock.steady() - invocation_.started_,
                  replayed};
    if (error) {
      report.attempt = error->facts().budget.attempt;
      report.error_code = error->code();
      report.message = error->message();
      if (error->facts().internal)
        report.internal = error->facts().internal->for_report() + (note_.empty() ? "" : "; " + note_);
    }
    invocation_.state_->options.report(report);
  }

  Invocation& invocation_;
  std::string_view asked_;
  std::string note_;
  std::optional<Outcome> outcome_;
};

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

/// Runs `step`, turning whatever it throws into the call's end.
template <class Step>
void guarded(Ending& ending, bool began, const Step& step) {
  try {
    step();
  } catch (const ToolError& error) {
    ending.fail(error);
  } catch (const std::exception& error) {
    ending.mask(error.what(), began);
  } catch (...) {
    ending.mask("something that is no std::exception was thrown", began);
  }
}

}  // namespace detail

template <class Out>
Outcome Invocation::finish(Result<Out> result) && {
  detail::Ending ending(*this);
  detail::guarded(ending, true, [&] {
    if (core_->output != &table_of<Out>())
      return ending.mask("finish was given another result type than the tool declares", true);
    if (!result) return ending.fail(std::move(result).error());
    for (const auto& amend : core_->after) amend(&*result, call_);
    ending.succeed(&*result);
  });
  return ending.take();
}

inline Outcome Invocation::run() && {
  detail::Ending ending(*this);
  if (!core_->handler) {
    ending.mask("the tool has no handler; its host calls prepare and finish", false);
    return ending.take();
  }
  detail::guarded(ending, true, [&] { core_->handler(*core_, input_.get(), call_, ending); });
  return ending.take();
}

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
