// SPDX-License-Identifier: MIT
/// \file
/// What an upstream's failure means for the call that met it: HTTP statuses, socket errors, exceptions as ToolErrors.
///
///     const tc::UpstreamRequest refund{.subject = "The refund of order A17", .effect = call.effect};
///     const tc::HttpReply reply{status, header("Retry-After"), body};
///     if (status >= 300) return tc::upstream_error(refund, reply, call.clock.wall());
///     // 429: {"error_code":"RATE_LIMITED","category":"transient","retryable":true,…"retry_after_ms":2000}
///     // 502: {"error_code":"OUTCOME_UNKNOWN","category":"unknown","retryable":false,"resolution":"reconcile",…
///     catch (...) { return tc::upstream_error(refund, std::current_exception()); }
///
/// A body, a header or an exception's text goes into the report alone (internal detail), never into the message.
///
/// **HTTP.** Not accepted, so nothing was done, whatever the effect:
///
///     429                           RATE_LIMITED          RFC 6585 §4: too many requests
///     503, 413 with Retry-After     UPSTREAM_UNAVAILABLE  RFC 9110 §15.6.4, §15.5.14: refused for now, come back later
///     425                           UPSTREAM_UNAVAILABLE  RFC 8470 §5.2: refused lest it be replayed
///     400 422                       INVALID_ARGUMENTS     refused for what it says: change it
///     413 414                       INVALID_ARGUMENTS     too much at once: send less
///     401 407 511                   NOT_AUTHENTICATED     no credentials, or not these
///     402 403 451                   FORBIDDEN             another caller may, or somebody has to pay
///     404 410                       NOT_FOUND
///     409 412 423                   CONFLICT              the state is another than was thought
///     405 411 415-418 421 424 426 428 431 501 505 510
///                                   INTERNAL_ERROR        refused for how we ask: neither arguments nor time mend that
///
/// The others depend on what may have happened. Read: nothing, since the effect is reads, or the reply came before the
/// request was sent (a proxy that cannot connect, a refusal in place of 100). Write: all of it. Once: all of it, but
/// the upstream runs one operation key once, so that the same may be sent again.
///
///     status                        read                  write               once
///     500 502 503, other 5xx        UPSTREAM_UNAVAILABLE  OUTCOME_UNKNOWN     UPSTREAM_UNAVAILABLE
///     408 499 504                   TIMED_OUT             OUTCOME_UNKNOWN     TIMED_OUT
///     1xx 3xx 406 506 508,          MALFORMED_UPSTREAM    OUTCOME_UNKNOWN     OUTCOME_UNKNOWN
///       other 4xx, no status
///     2xx                           MALFORMED_UPSTREAM    RESULT_UNAVAILABLE  RESULT_UNAVAILABLE
///
/// Why: a gateway cannot know what the server behind it did, nor a server what it did before it broke; some say 408 of
/// work that had begun; 303 follows a write that was done, 406 may; all of that third row would be the same again; 2xx
/// says done, and you found the answer of no use. A valid Retry-After is carried by whatever is transient.
///
/// **Sockets** (std::errc, std::error_code). The phase decides, not the kind: an established connection may report
/// host_unreachable too.
///
///     address_not_available broken_pipe connection_aborted connection_refused connection_reset host_unreachable
///     interrupted network_down network_reset network_unreachable not_connected, no such name (asio.netdb, asio.addrinfo)
///                                   UPSTREAM_UNAVAILABLE  OUTCOME_UNKNOWN     UPSTREAM_UNAVAILABLE
///     timed_out stream_timeout resource_unavailable_try_again (a receive timeout)
///                                   TIMED_OUT             OUTCOME_UNKNOWN     TIMED_OUT
///     operation_canceled            CANCELLED             OUTCOME_UNKNOWN     CANCELLED
///     any other, none at all        INTERNAL_ERROR        INTERNAL_ERROR      INTERNAL_ERROR
///
/// **Exceptions.** A ToolError is itself, a std::system_error its code; any other is "any other".
///
/// RATE_LIMITED, UPSTREAM_UNAVAILABLE, TIMED_OUT and CANCELLED are transient; OUTCOME_UNKNOWN and RESULT_UNAVAILABLE
/// unknown/reconcile; INTERNAL_ERROR unknown, reconcile where it may have happened and escalate where not;
/// INVALID_ARGUMENTS validation/fix_input; MALFORMED_UPSTREAM validation/escalate.
///
/// Cost: std only.
#pragma once

#include <toolcontract/call.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/retry_after.hpp>
#include <toolcontract/utf8.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// How far a request had come when it failed.
enum class Phase : unsigned char {
  before_sending,  ///< Not a byte of it can have reached the upstream: no name, no connection, no handshake.
  after_sending,   ///< Some may have. Also when you cannot tell.
};

/// What was asked of the upstream.
struct UpstreamRequest {
  std::string subject{};               ///< Names the work and starts the sentence: "The refund of order A17".
  Effect effect = Effect::undeclared;  ///< `call.effect`, or the request's own: a write tool's look-up reads.
  Phase phase = Phase::after_sending;  ///< How far it had come.
  bool upstream_deduplicates = false;  ///< It carried an operation key, and the upstream runs one key once.
};

/// An HTTP response that is no success.
struct HttpReply {
  int status = 0;
  std::string retry_after{};  ///< The header's value, "" without one.
  std::string body{};         ///< For the report: its first 2,000 bytes.
};

/// A success whose body cannot be used.
struct MalformedReply {
  std::string expected{};  ///< A short description the model may see: "a receipt as JSON".
  std::string arrived{};   ///< Likewise: "an HTML page".
  std::string body{};      ///< For the report: its first 2,000 bytes.
};

/// \param now what an HTTP-date is counted from: `call.clock.wall()`.
[[nodiscard]] ToolError upstream_error(const UpstreamRequest& request, const HttpReply& reply,
                                       std::chrono::system_clock::time_point now);
/// On a read MALFORMED_UPSTREAM; on a write, which then was done, RESULT_UNAVAILABLE.
[[nodiscard]] ToolError upstream_error(const UpstreamRequest& request, const MalformedReply& reply);
/// \param detail for the report: the host, the operation.
[[nodiscard]] ToolError upstream_error(const UpstreamRequest& request, std::error_code code,
                                       std::string_view detail = {});
[[nodiscard]] inline ToolError upstream_error(const UpstreamRequest& request, std::errc code,
                                              std::string_view detail = {}) {
  return upstream_error(request, std::make_error_code(code), detail);
}
[[nodiscard]] ToolError upstream_error(const UpstreamRequest& request, std::exception_ptr thrown);

namespace detail {

/// What a failure is, whatever met it.
enum class Fault : unsigned char {
  // It could go away: what it means depends on what may have happened.
  unavailable,
  timed_out,
  cancelled,
  // Nothing was done.
  rate_limited,
  not_accepted,
  bad_arguments,
  too_large,
  unauthenticated,
  payment,
  forbidden,
  not_found,
  conflict,
  our_request,
  // It would be the same again.
  no_answer,
  unusable_success,
  unclassified,
};

struct StatusFault {
  int status;
  Fault fault;
};
inline constexpr StatusFault status_faults[] = {
    {400, Fault::bad_arguments},   {401, Fault::unauthenticated}, {402, Fault::payment},
    {403, Fault::forbidden},       {404, Fault::not_found},       {405, Fault::our_request},
    {407, Fault::unauthenticated}, {408, Fault::timed_out},       {409, Fault::conflict},
    {410, Fault::not_found},       {411, Fault::our_request},     {412, Fault::conflict},
    {413, Fault::too_large},       {414, Fault::too_large},       {415, Fault::our_request},
    {416, Fault::our_request},     {417, Fault::our_request},     {418, Fault::our_request},
    {421, Fault::our_request},     {422, Fault::bad_arguments},   {423, Fault::conflict},
    {424, Fault::our_request},     {425, Fault::not_accepted},    {426, Fault::our_request},
    {428, Fault::our_request},     {429, Fault::rate_limited},    {431, Fault::our_request},
    {451, Fault::forbidden},       {499, Fault::timed_out},       {501, Fault::our_request},
    {504, Fault::timed_out},       {505, Fault::our_request},     {506, Fault::no_answer},
    {508, Fault::no_answer},       {510, Fault::our_request},     {511, Fault::unauthenticated},
};

constexpr Fault fault_of_status(int status, bool says_when) noexcept {
  if (says_when && (status == 413 || status == 503)) return Fault::not_accepted;
  for (const StatusFault& row : status_faults)
    if (row.status == status) return row.fault;
  if (status >= 500 && status < 600) return Fault::unavailable;
  return status >= 200 && status < 300 ? Fault::unusable_success : Fault::no_answer;
}

inline Fault fault_of_code(std::error_code code) {
  using std::errc;
  for (const errc lost : {errc::address_not_available, errc::broken_pipe, errc::connection_aborted,
                          errc::connection_refused, errc::connection_reset, errc::host_unreachable, errc::interrupted,
                          errc::network_down, errc::network_reset, errc::network_unreachable, errc::not_connected})
    if (code == lost) return Fault::unavailable;
  for (const errc late : {errc::timed_out, errc::stream_timeout, errc::resource_unavailable_try_again})
    if (code == late) return Fault::timed_out;
  if (code == errc::operation_canceled) return Fault::cancelled;
  const std::string_view category = code.category().name();
  if (code && (category == "asio.netdb" || category == "asio.addrinfo")) return Fault::unavailable;
  return Fault::unclassified;
}

/// One failure of one request, told.
struct UpstreamFailure {
  const UpstreamRequest& request;
  std::string internal;
  std::optional<std::chrono::milliseconds> wait{};
  std::string_view expected = "a final answer";
  std::string arrived{};

  [[nodiscard]] bool may_have_happened() const {
    return may_change_state(request.effect) && request.phase == Phase::after_sending;
  }
  [[nodiscard]] std::string sentence(std::string_view end) const {
    return std::string(is_blank(request.subject) ? std::string_view("The call") : request.subject).append(end);
  }

  [[nodiscard]] ToolError later(ErrorCode code, std::string_view end, bool uncertain = false) const {
    auto error = transient(code, sentence(end)).internal(internal);
    if (wait) error.retry_after(*wait);
    if (uncertain) error.may_have_happened();
    return error;
  }
  /// An event after which the same may be sent again, or nobody knows what happened.
  [[nodiscard]] ToolError lost(ErrorCode code, std::string_view event, const char* read_end) const {
    std::string text(event);
    if (!may_have_happened()) return later(code, text + "; nothing was changed" + read_end);
    text += "; it may or may not have happened";
    if (request.upstream_deduplicates) return later(code, text + ", but happens once for its key.", true);
    return unknown("OUTCOME_UNKNOWN", sentence(text) + ". Find out before doing it again.").internal(internal);
  }

  [[nodiscard]] ToolError error(Fault fault) const {
    constexpr const char* as_the_call_says = ", so the same call may be repeated.";  // Call::timed_out, ::cancelled
    switch (fault) {
      case Fault::unavailable:
        return lost("UPSTREAM_UNAVAILABLE", " failed on the way or at the upstream", ".");
      case Fault::timed_out:
        return lost("TIMED_OUT", " timed out", as_the_call_says);
      case Fault::cancelled:
        return lost("CANCELLED", " was cancelled", as_the_call_says);
      case Fault::rate_limited:
        return later("RATE_LIMITED", " was not accepted: too many calls; wait before the next one.");
      case Fault::not_accepted:
        return later("UPSTREAM_UNAVAILABLE", " was not accepted: the upstream cannot take it now.");
      case Fault::bad_arguments:
        return validation(
                   "INVALID_ARGUMENTS",
                   sentence(
                       " was refused: the upstream finds the arguments invalid; change them before calling again."))
            .internal(internal);
      case Fault::too_large:
        return validation("INVALID_ARGUMENTS",
                          sentence(" was refused: the arguments are too large for the upstream; send less."))
            .field("", "too_large", "must be smaller than the upstream's limit; send less at once")
            .internal(internal);
      case Fault::unauthenticated:
        return toolcontract::unauthenticated(
                   sentence(" was refused: the upstream does not know this caller; its credentials need a human."))
            .internal(internal);
      case Fault::payment:
        return toolcontract::forbidden(
                   sentence(" was refused: the upstream wants to be paid first; that needs a human."))
            .internal(internal);
      case Fault::forbidden:
        return toolcontract::forbidden(
                   sentence(" was refused: this caller may not do that upstream; a human may know who may."))
            .internal(internal);
      case Fault::not_found:
        return toolcontract::not_found(sentence(" failed: there is no such thing upstream.")).internal(internal);
      case Fault::conflict:
        return toolcontract::conflict(
                   sentence(
                       " was refused: the state is another than was expected; look at it before deciding what to do."))
            .internal(internal);
      case Fault::our_request:
        return unknown("INTERNAL_ERROR",
                       sentence(" was refused for how it was asked, which no arguments can mend; nothing was changed."))
            .escalate()
            .internal(internal);
      case Fault::no_answer:
      case Fault::unusable_success:
        return unusable(fault);
      case Fault::unclassified:
        break;
    }
    if (may_have_happened())
      return unknown("INTERNAL_ERROR",
                     sentence(" failed unexpectedly and may have taken effect. Find out before calling it again."))
          .internal(internal);
    return unknown("INTERNAL_ERROR", sentence(" failed unexpectedly; nothing was changed."))
        .escalate()
        .internal(internal);
  }

  [[nodiscard]] ToolError unusable(Fault fault) const {
    if (may_have_happened() && fault == Fault::unusable_success)
      return unknown(
                 "RESULT_UNAVAILABLE",
                 sentence(" took effect, but its result cannot be given. Do not call it again; find out what it did."))
          .internal(internal);
    if (may_have_happened())
      return unknown("OUTCOME_UNKNOWN",
                     sentence(" got a reply that does not say whether it happened. Find out before doing it again."))
          .internal(internal);
    ErrorFacts facts = malformed_upstream(expected, arrived).internal(internal).facts();
    facts.message =
        sentence(": the upstream reply was malformed: expected ").append(expected).append(", got ").append(arrived) +
        ".";
    return ToolError::restore(std::move(facts));
  }
};

inline std::string for_report(std::string what, std::string_view text) {
  if (text.empty()) return what;
  const std::string_view kept = utf8::prefix(text, 2'000);
  what.append(": ").append(kept);
  if (kept.size() < text.size()) what.append("… (").append(std::to_string(text.size())).append(" bytes)");
  return what;
}

}  // namespace detail

inline ToolError upstream_error(const UpstreamRequest& request, const HttpReply& reply,
                                std::chrono::system_clock::time_point now) {
  detail::UpstreamFailure failure{request, {}};
  failure.wait = retry_after(reply.retry_after, now);
  failure.internal = "HTTP " + std::to_string(reply.status);
  if (!reply.retry_after.empty())
    failure.internal.append(", Retry-After ").append(utf8::prefix(reply.retry_after, 120));
  failure.internal = detail::for_report(std::move(failure.internal), reply.body);
  const detail::Fault fault = detail::fault_of_status(reply.status, failure.wait.has_value());
  if (fault == detail::Fault::unusable_success) failure.expected = "a usable answer";
  failure.arrived = "HTTP status " + std::to_string(reply.status);
  return failure.error(fault);
}

inline ToolError upstream_error(const UpstreamRequest& request, const MalformedReply& reply) {
  detail::UpstreamFailure failure{request, detail::for_report("a reply that cannot be used", reply.body)};
  if (!detail::is_blank(reply.expected)) failure.expected = reply.expected;
  failure.arrived = detail::is_blank(reply.arrived) ? "something else" : reply.arrived;
  return failure.error(detail::Fault::unusable_success);
}

inline ToolError upstream_error(const UpstreamRequest& request, std::error_code code, std::string_view detail) {
  std::string what = std::string(code.category().name()) + " " + std::to_string(code.value()) + ", " + code.message();
  return detail::UpstreamFailure{request, detail::for_report(std::move(what), detail)}.error(
      detail::fault_of_code(code));
}

inline ToolError upstream_error(const UpstreamRequest& request, std::exception_ptr thrown) {
  std::string what = "no exception was thrown";
  detail::Fault fault = detail::Fault::unclassified;
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const ToolError& error) {
    return error;
  } catch (const std::system_error& error) {
    what = error.what();
    fault = detail::fault_of_code(error.code());
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
    what = "something that is no std::exception was thrown";
  }
  return detail::UpstreamFailure{request, detail::for_report("exception", what)}.error(fault);
}

}  // namespace v0
}  // namespace toolcontract
