// SPDX-License-Identifier: MIT
/// \file
/// May this call act? A person says so first, through the host: no argument a model writes can.
///
///     tc::MemoryApprovals approvals;
///     … .needs_approval(approvals, [](const Delete& in) { return "Delete ticket " + in.id + " for good"; })
///     // first call:  CONFIRMATION_REQUIRED (permission, escalate) with preview, how_to_proceed and a ticket
///     approvals.grant(ticket);          // the host, once a person has agreed: MCP elicitation, a web page, a terminal
///     // same call:   runs, once
///
/// A ticket is bound to principal, tool and exact arguments, serves one call, and expires. The host may hand it back in
/// Call::ticket; a repeat of the same call without one finds it too. The preview function is also the policy: when it
/// returns std::optional and it is empty, no approval is asked ("only above 50 EUR").
///
/// Cost: nlohmann/json, through fingerprint.hpp.
#pragma once

#include <toolcontract/error.hpp>
#include <toolcontract/fingerprint.hpp>
#include <toolcontract/token.hpp>

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// A question to a person, as the host shows it.
struct Ticket {
  enum class State : unsigned char {
    pending,  ///< nobody has answered
    granted,  ///< the call may run once
    denied,   ///< the call may not run
    used,     ///< granted, and the call has run
  };
  std::string id{};
  std::string principal{}, tool{}, preview{};
  State state = State::pending;
  std::chrono::system_clock::time_point expires{};
  friend bool operator==(const Ticket&, const Ticket&) = default;
};

/// What became of grant(…) or deny(…).
enum class Decision : unsigned char {
  recorded,         ///< it counts
  unknown_ticket,   ///< no such ticket, or one forgotten since
  expired,          ///< it came too late; the call has to ask again
  already_decided,  ///< somebody has granted or denied it before; that stands
};

struct ApprovalRequest {
  std::string principal{}, tool{};
  Fingerprint fingerprint{};
  std::string preview{};
  std::string ticket{};  ///< given back by the host; "" lets the arguments find it
  std::chrono::milliseconds ttl{};
  std::chrono::system_clock::time_point now{};
};

/// Whether a call may run.
struct Admission {
  enum class State : unsigned char {
    admitted,  ///< its ticket was granted, and is used now
    pending,   ///< `ticket` waits for an answer
    denied,
    expired,
    used,      ///< the ticket has served a call before
    mismatch,  ///< the ticket is unknown, or was made for another call
  };
  State state = State::pending;
  std::string ticket{};
  std::string preview{};
};

/// Where tickets are kept. Every function is one atomic step, called from many threads and, for durable ones, processes.
class Approvals {
 public:
  virtual ~Approvals() = default;

  /// Admits a call whose ticket was granted and uses the ticket up; makes a ticket for a call that has none.
  [[nodiscard]] virtual Result<Admission> admit(const ApprovalRequest& request) = 0;

  /// A person has agreed.
  [[nodiscard]] Result<Decision> grant(std::string_view ticket,
                                       std::chrono::system_clock::time_point now = std::chrono::system_clock::now()) {
    return decide(ticket, Ticket::State::granted, now);
  }
  /// A person has refused.
  [[nodiscard]] Result<Decision> deny(std::string_view ticket,
                                      std::chrono::system_clock::time_point now = std::chrono::system_clock::now()) {
    return decide(ticket, Ticket::State::denied, now);
  }
  /// For showing the question; nothing when there is no such ticket.
  [[nodiscard]] virtual Result<std::optional<Ticket>> find(std::string_view ticket) = 0;

 protected:
  [[nodiscard]] virtual Result<Decision> decide(std::string_view ticket, Ticket::State answer,
                                                std::chrono::system_clock::time_point now) = 0;
};

namespace detail {

/// What a ticket that was found means for a call; `same`: it was made for this call.
constexpr Admission::State judge(Ticket::State state, bool same, bool expired) noexcept {
  if (!same) return Admission::State::mismatch;
  if (state == Ticket::State::used) return Admission::State::used;
  if (expired) return Admission::State::expired;
  if (state == Ticket::State::denied) return Admission::State::denied;
  return state == Ticket::State::granted ? Admission::State::admitted : Admission::State::pending;
}

/// Whether an answer to a ticket still counts.
constexpr Decision judge_answer(Ticket::State state, bool expired) noexcept {
  if (state != Ticket::State::pending) return Decision::already_decided;
  return expired ? Decision::expired : Decision::recorded;
}

/// The error a call that is not admitted ends with.
inline ToolError not_admitted(const std::string& tool, const Admission& admission) {
  switch (admission.state) {
    case Admission::State::denied:
      return permission("CONFIRMATION_DENIED", "A person was asked about this call of " + tool + " and said no.")
          .abort();
    case Admission::State::expired:
      return permission("CONFIRMATION_EXPIRED",
                        "The consent to this call of " + tool +
                            " was not given or not used in time; nothing was done. Send the call again to ask anew.");
    case Admission::State::used:
      return permission("CONFIRMATION_USED", "The consent to this call of " + tool +
                                                 " has been used; it counts once. Send the call again to ask anew.");
    case Admission::State::mismatch:
      return permission("CONFIRMATION_MISMATCH", "The consent given is not for this call of " + tool +
                                                     ": tool and arguments must be exactly those a person has seen.");
    default:
      return permission("CONFIRMATION_REQUIRED", "A person has to agree before this call of " + tool + " may act.")
          .confirmation({admission.preview,
                         "Nothing has been done. Ask the person; once they have agreed, send the same call again with "
                         "the same arguments.",
                         admission.ticket});
  }
}

}  // namespace detail

/// Tickets in this process. NOT durable: a restart forgets them, and their calls ask again. Bounded: when it is full it
/// makes no new ticket.
class MemoryApprovals final : public Approvals {
 public:
  explicit MemoryApprovals(std::size_t capacity = 10'000, TokenSource tokens = random_token)
      : capacity_(capacity), tokens_(std::move(tokens)), salt_(random_token()) {}

  [[nodiscard]] Result<Admission> admit(const ApprovalRequest& request) override {
    const Fingerprint fingerprint = detail::veiled(request.fingerprint, salt_);
    const std::lock_guard lock(mutex_);
    const auto same = [&](const Entry& entry) {
      return entry.ticket.principal == request.principal && entry.ticket.tool == request.tool &&
             entry.fingerprint == fingerprint;
    };
    auto found = entries_.end();
    if (!request.ticket.empty()) {
      found = entries_.find(request.ticket);
      if (found == entries_.end()) return Admission{Admission::State::mismatch, {}, {}};
    } else {
      forget_until(request.now);
      for (auto entry = entries_.begin(); entry != entries_.end() && found == entries_.end(); ++entry)
        if (same(entry->second) && entry->second.ticket.state != Ticket::State::used) found = entry;
    }
    if (found == entries_.end()) {
      if (entries_.size() >= capacity_)
        return unavailable("Too many calls wait for a person's consent; " + request.tool +
                           " did nothing, so the same call may be repeated later.");
      const std::string id = tokens_();
      Ticket ticket{
          id, request.principal, request.tool, request.preview, Ticket::State::pending, request.now + request.ttl};
      entries_.emplace(id, Entry{std::move(ticket), fingerprint});
      return Admission{Admission::State::pending, id, request.preview};
    }
    Ticket& ticket = found->second.ticket;
    const auto state = detail::judge(ticket.state, same(found->second), ticket.expires <= request.now);
    if (state == Admission::State::admitted) ticket.state = Ticket::State::used;
    return Admission{state, ticket.id, ticket.preview};
  }

  [[nodiscard]] Result<std::optional<Ticket>> find(std::string_view ticket) override {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(ticket);
    return found == entries_.end() ? std::nullopt : std::optional(found->second.ticket);
  }

 protected:
  [[nodiscard]] Result<Decision> decide(std::string_view id, Ticket::State answer,
                                        std::chrono::system_clock::time_point now) override {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(id);
    if (found == entries_.end()) return Decision::unknown_ticket;
    Ticket& ticket = found->second.ticket;
    const Decision decision = detail::judge_answer(ticket.state, ticket.expires <= now);
    if (decision == Decision::recorded) ticket.state = answer;
    return decision;
  }

 private:
  struct Entry {
    Ticket ticket;
    Fingerprint fingerprint;
  };

  void forget_until(std::chrono::system_clock::time_point now) {
    std::erase_if(entries_, [&](const auto& entry) { return entry.second.ticket.expires <= now; });
  }

  const std::size_t capacity_;
  const TokenSource tokens_;
  const std::string salt_;
  std::mutex mutex_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace v0
}  // namespace toolcontract
