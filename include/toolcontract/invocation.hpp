// SPDX-License-Identifier: MIT
/// \file
/// One call between its beginning and its end: admitted and not yet run, then ended once, by an Outcome and a report.
///
///     auto prepared = tools.prepare("orders_get", arguments);             // see toolset.hpp
///     if (auto* call = std::get_if<tc::Invocation>(&prepared)) {
///       const auto& in = call->input<OrderQuery>();                      // decoded and checked
///       return std::move(*call).finish(co_await shop.order(in));         // a Result<OrderFound>
///     }
///
/// Whatever ends a call ends it here: a result, an error, an exception. The error gets the call's id and budget, the log
/// one Report, and nothing that was thrown reaches a model.
///
/// Cost: nlohmann/json.
#pragma once

#include <toolcontract/admission.hpp>
#include <toolcontract/correlation.hpp>
#include <toolcontract/decode.hpp>
#include <toolcontract/encode.hpp>
#include <toolcontract/error_limits.hpp>
#include <toolcontract/outcome.hpp>
#include <toolcontract/tool_core.hpp>

#include <chrono>
#include <concepts>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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

namespace detail {

/// How one call ends: the error gets the call's id and budget, the log its report.
class Ending final : public Answer {
 public:
  /// `asked`: the name the call came with.
  explicit Ending(Invocation& invocation, std::string_view asked = {}) : invocation_(invocation), asked_(asked) {}

  void succeed(void* result) override {
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

}  // namespace v0
}  // namespace toolcontract
