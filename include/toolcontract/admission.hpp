// SPDX-License-Identifier: MIT
/// \file
/// What a call with sound arguments must pass before its handler runs, and what is left behind when it ends: its key in
/// the ledger, a person's consent.
///
///     if (auto barred = detail::admit(core, input, call, note)) …    // a stored result, or the error the call ends with
///     detail::settle(core, call, result_text, note)                  // after a success
///     detail::settle(core, call, error, note)                        // after a failure
///
/// A failure with a known outcome frees the key; an unknown one keeps it. A ledger that cannot be asked before the handler
/// stops the call; one that fails afterwards leaves the key taken, so that nothing is done twice. Nothing here is for
/// users.
///
/// Cost: nlohmann/json, through fingerprint.hpp.
#pragma once

#include <toolcontract/call.hpp>
#include <toolcontract/decode.hpp>
#include <toolcontract/envelope.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/fingerprint.hpp>
#include <toolcontract/ledger.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/tool_core.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace toolcontract {
inline namespace v0 {
namespace detail {

/// A result that was stored, marked as such.
struct Replay {
  std::string text;
};
using Barred = std::variant<Replay, ToolError>;

/// `{"a":1}` -> `{"a":1,"replayed":true}`
inline std::string replayed(std::string object) {
  const bool empty = members_of(object).empty();
  object.resize(object.rfind('}'));
  return object.append(empty ? "" : ",").append(R"("replayed":true})");
}

/// `op_7f3a` as it may stand in a message.
inline std::string key_text(const std::string& key) { return "\"" + std::string(utf8::prefix(key, 120)) + "\""; }

/// The claim of one call with a key.
class KeyClaim {
 public:
  KeyClaim(const ToolCore& core, const void* input, Call& call, std::string& note)
      : core_(core), plan_(*core.once), call_(call), note_(note) {
    request_.key = {call.principal, core.definition.name, {}};
    if (plan_.key == nullptr)
      request_.key.key = call.operation_key;
    else
      request_.key.key = *static_cast<const std::string*>(plan_.key->value(input));
    request_.now = call.clock.wall();
    request_.ttl = plan_.options.ttl;
    request_.lease = plan_.options.lease;
    if (const auto remaining = call.remaining()) request_.lease = std::clamp(*remaining, request_.lease, request_.ttl);
  }

  /// Nothing: the key is this call's now.
  std::optional<Barred> claim(const void* input) {
    if (auto refused = unusable_key()) return refused;
    request_.fingerprint = fingerprint(*core_.input, input, plan_.key);
    Result<Claim> found = plan_.ledger->claim(request_);
    if (found && found->state == Claim::State::uncertain && may_take_over(found->token)) {
      if (landed_) return Replay{replayed(std::move(*landed_))};
      request_.take_over = found->token;
      found = plan_.ledger->claim(request_);
    }
    if (!found) return std::move(found).error();
    switch (found->state) {
      case Claim::State::fresh:
        call_.held = held(std::move(found->token));
        return std::nullopt;
      case Claim::State::done:
        return stored(found->answer);
      case Claim::State::running:
        return still_running(found->lease_left);
      case Claim::State::reused:
        return reused();
      default:
        return unknown("OUTCOME_UNKNOWN",
                       "An earlier call of " + core_.definition.name + " with the key " + key_text(request_.key.key) +
                           " began and never ended; it may or may not have happened. Find out before "
                           "doing it again under another key.");
    }
  }

 private:
  std::optional<Barred> unusable_key() const {
    const std::string& key = request_.key.key;
    if (!key.empty() && key.size() <= max_key_bytes) return std::nullopt;
    if (plan_.key == nullptr)
      return unknown("INTERNAL_ERROR", core_.definition.name + " failed unexpectedly; nothing was changed.")
          .escalate()
          .internal("the host gave an operation_key of " + std::to_string(key.size()) +
                    " bytes; once_per(call_key, …) needs 1 to " + std::to_string(max_key_bytes));
    return invalid_arguments("The arguments of " + core_.definition.name,
                             {{std::string(plan_.key->name), "length",
                               "must be 1 to " + std::to_string(max_key_bytes) + " bytes long", key}});
  }

  // True when the repeat may act, or knows from landed_ that it need not.
  bool may_take_over(const std::string& token) {
    if (plan_.options.joined) return true;
    if (!core_.reconcile) return false;
    Reconciliation found;
    try {
      found = core_.reconcile(core_, request_.key.key, call_);
    } catch (const std::exception& error) {
      note_.append("reconcile failed: ").append(error.what());
    } catch (...) {
      note_ += "reconcile failed";
    }
    if (found.never_landed) return true;
    if (!found.landed) return false;
    landed_ = std::move(found.landed);
    const Result<bool> kept = plan_.ledger->complete(held(token), answer(plan_.options, *landed_), request_.now);
    if (!kept) note_.append("the ledger did not keep the result: ").append(kept.error().message());
    return true;
  }

  HeldKey held(std::string token) const {
    const auto& [tenant, tool, key] = request_.key;
    return {tenant, tool, key, std::move(token), request_.ttl, {}, plan_.options.max_stored_bytes};
  }

  Barred stored(const StoredAnswer& answer) const {
    const std::string& name = core_.definition.name;
    if (answer.kind == StoredAnswer::Kind::result) return Replay{replayed(answer.text)};
    if (answer.kind == StoredAnswer::Kind::refusal)
      if (auto error = read_envelope(answer.text)) {
        ErrorFacts facts = error->facts();
        facts.extra = R"({"replayed":true})";
        return ToolError::restore(std::move(facts));
      }
    return unknown("RESULT_UNAVAILABLE", "An earlier call of " + name + " with the key " + key_text(request_.key.key) +
                                             " landed, but its result was too long to keep. Do not do it again; find "
                                             "out what it did.");
  }

  Barred still_running(std::chrono::milliseconds lease_left) const {
    using std::chrono::milliseconds;
    return transient("CALL_IN_PROGRESS", "An earlier call of " + core_.definition.name + " with the key " +
                                             key_text(request_.key.key) + " is still running; this one did nothing.")
        .retry_after((std::clamp)(lease_left, milliseconds(1), milliseconds(1000)));
  }

  Barred reused() const {
    const std::string& key = request_.key.key;
    auto error =
        validation("IDEMPOTENCY_KEY_REUSED",
                   "The key " + key_text(key) + " belongs to an earlier call of " + core_.definition.name +
                       " with other arguments; nothing was done. Send that call's arguments to get its result, "
                       "or a new key for a new call.");
    if (plan_.key != nullptr)
      error.field(
          std::string(plan_.key->name), "rule",
          "must be a new key for a call with other arguments, or come with the arguments it was first used with", key);
    return error;
  }

 public:
  /// As it is kept: a result that is too long is left out.
  static StoredAnswer answer(const OnceOptions& options, const std::string& result) {
    if (result.size() > options.max_stored_bytes) return {StoredAnswer::Kind::omitted, {}};
    return {StoredAnswer::Kind::result, result};
  }

 private:
  const ToolCore& core_;
  const OncePlan& plan_;
  Call& call_;
  std::string& note_;
  ClaimRequest request_;
  std::optional<std::string> landed_;
};

/// Nothing: the call may act. Otherwise what it ends with. `note` gets what the report should say besides.
inline std::optional<Barred> admit(const ToolCore& core, const void* input, Call& call, std::string& note) {
  if (core.once)
    if (auto barred = KeyClaim(core, input, call, note).claim(input)) return barred;
  if (!core.approval) return std::nullopt;
  const ApprovalPlan& plan = *core.approval;
  std::optional<std::string> preview = plan.preview(input);
  if (!preview) return std::nullopt;
  ApprovalRequest request{call.principal,      core.definition.name, fingerprint(*core.input, input),
                          std::move(*preview), call.ticket,          plan.ttl,
                          call.clock.wall()};
  Result<Admission> found = plan.approvals->admit(request);
  if (!found) return std::move(found).error();
  if (found->state == Admission::State::admitted) return std::nullopt;
  return not_admitted(core.definition.name, *found);
}

/// What `step` answers, or a note of why it could not.
template <class Step>
std::optional<bool> tried(std::string& note, const Step& step) {
  try {
    const Result<bool> done = step();
    if (done) return *done;
    note.append("the ledger did not keep how the call ended: ").append(done.error().message());
    if (done.error().facts().internal) note.append(" ").append(done.error().facts().internal->for_report());
  } catch (const std::exception& error) {
    note.append("the ledger did not keep how the call ended: ").append(error.what());
  } catch (...) {
    note += "the ledger did not keep how the call ended";
  }
  return std::nullopt;
}

/// After a success. An error takes its place when the claim had gone to another call meanwhile.
inline std::optional<ToolError> settle(const ToolCore& core, Call& call, const std::string& result, std::string& note) {
  if (!call.held) return std::nullopt;
  const HeldKey held = *std::exchange(call.held, std::nullopt);
  const OnceOptions& options = core.once->options;
  const auto kept = tried(
      note, [&] { return core.once->ledger->complete(held, KeyClaim::answer(options, result), call.clock.wall()); });
  if (options.joined && !held.stored)
    return unknown("RESULT_UNAVAILABLE", core.definition.name +
                                             " took effect, but its result cannot be given. Do not call it again; find "
                                             "out what it did.")
        .internal("once_per(…, {.joined = true}), and the handler did not store its result with complete_in");
  if (kept != false) return std::nullopt;  // not kept: the key stays taken until its lease ends, then is uncertain
  return unknown("OUTCOME_UNKNOWN",
                 "The call of " + core.definition.name + " with the key " + key_text(held.key) +
                     " took longer than its lease and another one took over; it may have happened twice. Find out "
                     "before doing it again.");
}

/// After a failure: frees the key, or keeps it where the outcome is unknown.
inline void settle(const ToolCore& core, Call& call, const ToolError& error, std::string& note) {
  if (!call.held) return;
  const HeldKey held = *std::exchange(call.held, std::nullopt);
  Ledger& ledger = *core.once->ledger;
  (void)tried(note, [&] {
    const bool in_doubt = error.resolution() == Resolution::reconcile || error.facts().may_have_happened;
    if (in_doubt && !(error.category() == Category::transient && core.deduplicated))  // there, a repeat is safe
      return ledger.doubt(held, call.clock.wall());
    if (error.category() == Category::business && core.once->options.keep_refusals)
      return ledger.complete(held, {StoredAnswer::Kind::refusal, envelope_text(error)}, call.clock.wall());
    return ledger.release(held);
  });
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
