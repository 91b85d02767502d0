// SPDX-License-Identifier: MIT
/// \file
/// Has this write been done already? A ledger remembers, for each key, that it began and how it ended.
///
///     tc::MemoryLedger ledger;                                  // or SqliteLedger, PostgresLedger: these survive a crash
///     … .destroys().once_per(&RefundInput::operation_id, ledger)
///     // first call:        {"refund_id":"rf_1"}
///     // the same again:    {"refund_id":"rf_1","replayed":true}, and nothing was done
///     // other arguments:   IDEMPOTENCY_KEY_REUSED (validation)
///     // still running:     CALL_IN_PROGRESS (transient, retry_after)
///     // began, never ended: OUTCOME_UNKNOWN (unknown, reconcile), or what the tool's own reconcile(…) finds out
///
/// The promise: at most once, while the ledger is durable and within the key's time to live. A key belongs to one tenant
/// (Call::principal) and one tool.
///
/// Cost: nlohmann/json, through fingerprint.hpp.
#pragma once

#include <toolcontract/call.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/fingerprint.hpp>
#include <toolcontract/token.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// Longer keys are refused before a ledger sees them.
inline constexpr std::size_t max_key_bytes = 255;

/// How a tool keeps to once.
struct OnceOptions {
  /// How long a key is remembered, from its last change. Afterwards the same key is a new one.
  std::chrono::milliseconds ttl = std::chrono::hours(24);
  /// How long a call may run before it counts as dead: longer than the work can take. A call with a later deadline gets
  /// until its deadline.
  std::chrono::milliseconds lease = std::chrono::minutes(1);
  /// A longer result is given to its caller, but not kept: a repeat learns that the call landed, not what it answered.
  std::size_t max_stored_bytes = 256 * 1024;
  /// A business refusal is remembered and answered again; otherwise it frees the key, and a repeat asks anew.
  bool keep_refusals = false;
  /// The handler stores its result in the same transaction as its effect (complete_in of a durable ledger). A call that
  /// died then left nothing behind, so its key is free once its lease has ended: no outcome stays unknown.
  bool joined = false;
};

/// Which key, of whom.
struct LedgerKey {
  std::string tenant{}, tool{}, key{};
  friend bool operator==(const LedgerKey&, const LedgerKey&) = default;
};

/// How a call ended, kept for its repeats.
struct StoredAnswer {
  enum class Kind : unsigned char {
    result,   ///< `text` is the result as JSON
    refusal,  ///< `text` is a business error's envelope
    omitted,  ///< it landed, and its result was too long to keep
  };
  Kind kind = Kind::result;
  std::string text{};
  friend bool operator==(const StoredAnswer&, const StoredAnswer&) = default;
};

struct ClaimRequest {
  LedgerKey key{};
  Fingerprint fingerprint{};
  std::chrono::milliseconds lease{}, ttl{};
  std::chrono::system_clock::time_point now{};  ///< a ledger shared by several machines goes by its own clock
  std::string take_over{};  ///< the token of an uncertain claim known to have done nothing: it becomes this call's
};

/// What a ledger found under a key.
struct Claim {
  enum class State : unsigned char {
    fresh,      ///< the key is this call's: it may act, then settles
    running,    ///< another call is at it, for at most `lease_left`
    done,       ///< `answer` is what came of it
    uncertain,  ///< it began, and nobody knows how it ended
    reused,     ///< it belongs to a call with other arguments
  };
  State state = State::fresh;
  std::string token{};  ///< fresh: of this claim; uncertain: of the one that may be taken over
  StoredAnswer answer{};
  std::chrono::milliseconds lease_left{0};
};

/// Where keys are kept. Every function is one atomic step and is called from many threads and, for durable ledgers, many
/// processes. An error means that the ledger could not be asked, and that nothing was claimed; transient, when it may
/// answer later.
class Ledger {
 public:
  virtual ~Ledger() = default;
  /// Claims a key for one call, or says what stands in its way.
  [[nodiscard]] virtual Result<Claim> claim(const ClaimRequest& request) = 0;
  /// The call landed: its repeats get `answer`. False when the claim is no longer this call's. Repeating it changes nothing.
  [[nodiscard]] virtual Result<bool> complete(const HeldKey& held, const StoredAnswer& answer,
                                              std::chrono::system_clock::time_point now) = 0;
  /// The call had no effect: the key is free again. False when the claim was no longer this call's.
  [[nodiscard]] virtual Result<bool> release(const HeldKey& held) = 0;
  /// Nobody knows what the call did: the key stays taken. False when the claim was no longer this call's.
  [[nodiscard]] virtual Result<bool> doubt(const HeldKey& held, std::chrono::system_clock::time_point now) = 0;
};

/// Whether a call that died had landed, as the tool's reconcile(…) answers: the result, `tc::never_landed` or
/// `tc::cannot_tell`.
struct NeverLanded {};
struct CannotTell {};
inline constexpr NeverLanded never_landed{};
inline constexpr CannotTell cannot_tell{};

template <class Out>
class Reconciled {
 public:
  Reconciled(Out landed) : landed_(std::move(landed)) {}  // NOLINT: implicit, reconcile(…) returns any of the three
  Reconciled(NeverLanded) : free_(true) {}                // NOLINT
  Reconciled(CannotTell) {}                               // NOLINT
  [[nodiscard]] std::optional<Out>& landed() noexcept { return landed_; }
  [[nodiscard]] const std::optional<Out>& landed() const noexcept { return landed_; }
  [[nodiscard]] bool never_landed() const noexcept { return free_; }

 private:
  std::optional<Out> landed_;
  bool free_ = false;
};

/// Keys in this process: for tests, and for tools whose effects die with the process. NOT durable: after a restart every
/// key is new. Bounded: when it is full it refuses new keys rather than forget one.
class MemoryLedger final : public Ledger {
 public:
  explicit MemoryLedger(std::size_t capacity = 100'000, TokenSource tokens = random_token)
      : capacity_(capacity), tokens_(std::move(tokens)), salt_(random_token()) {}

  [[nodiscard]] Result<Claim> claim(const ClaimRequest& request) override {
    Fingerprint fingerprint = detail::veiled(request.fingerprint, salt_);
    const std::lock_guard lock(mutex_);
    forget_until(request.now);
    const auto found = entries_.find(name(request.key));
    if (found == entries_.end()) {
      if (entries_.size() >= capacity_) return full(request);
      const auto entry = entries_.emplace(name(request.key), Entry{std::move(fingerprint)}).first;
      return begin(entry, request);
    }
    Entry& entry = found->second;
    if (entry.fingerprint != fingerprint) return Claim{Claim::State::reused, {}, {}, {}};
    if (entry.state == Claim::State::done) return Claim{entry.state, {}, entry.answer, {}};
    if (entry.state == Claim::State::running && entry.lease_until > request.now)
      return Claim{entry.state, {}, {}, ceil(entry.lease_until - request.now)};
    if (!request.take_over.empty() && request.take_over == entry.token) return begin(found, request);
    return Claim{Claim::State::uncertain, entry.token, {}, {}};
  }

  [[nodiscard]] Result<bool> complete(const HeldKey& held, const StoredAnswer& answer,
                                      std::chrono::system_clock::time_point now) override {
    const std::lock_guard lock(mutex_);
    const auto found = mine(held);
    if (found == entries_.end()) return false;
    found->second.state = Claim::State::done;
    found->second.answer = answer;
    keep_until(found, now + held.ttl);
    return true;
  }
  [[nodiscard]] Result<bool> release(const HeldKey& held) override {
    const std::lock_guard lock(mutex_);
    const auto found = mine(held);
    if (found == entries_.end() || found->second.state != Claim::State::running) return false;
    by_expiry_.erase({found->second.expires, found->first});
    entries_.erase(found);
    return true;
  }
  [[nodiscard]] Result<bool> doubt(const HeldKey& held, std::chrono::system_clock::time_point now) override {
    const std::lock_guard lock(mutex_);
    const auto found = mine(held);
    if (found == entries_.end() || found->second.state != Claim::State::running) return false;
    found->second.state = Claim::State::uncertain;
    keep_until(found, now + held.ttl);
    return true;
  }

 private:
  using Time = std::chrono::system_clock::time_point;
  using Name = std::tuple<std::string, std::string, std::string>;
  struct Entry {
    Fingerprint fingerprint;
    Claim::State state = Claim::State::running;
    std::string token{};
    StoredAnswer answer{};
    Time lease_until{}, expires{};
  };
  using Entries = std::map<Name, Entry>;

  static Name name(const LedgerKey& key) { return {key.tenant, key.tool, key.key}; }
  static std::chrono::milliseconds ceil(Time::duration left) {
    return std::chrono::ceil<std::chrono::milliseconds>(left);
  }

  Entries::iterator mine(const HeldKey& held) {
    const auto found = entries_.find(Name(held.tenant, held.tool, held.key));
    return found != entries_.end() && found->second.token == held.token ? found : entries_.end();
  }
  Claim begin(Entries::iterator entry, const ClaimRequest& request) {
    entry->second.token = tokens_();
    entry->second.state = Claim::State::running;
    entry->second.lease_until = request.now + request.lease;
    keep_until(entry, request.now + request.ttl);
    return {Claim::State::fresh, entry->second.token, {}, {}};
  }
  void keep_until(Entries::iterator entry, Time time) {
    by_expiry_.erase({entry->second.expires, entry->first});
    entry->second.expires = time;
    by_expiry_.emplace(time, entry->first);
  }
  void forget_until(Time now) {
    while (!by_expiry_.empty() && by_expiry_.begin()->first <= now) {
      entries_.erase(by_expiry_.begin()->second);
      by_expiry_.erase(by_expiry_.begin());
    }
  }
  ToolError full(const ClaimRequest& request) const {
    auto error = unavailable("The ledger of " + request.key.tool +
                             " is full and takes no new key; nothing was done, so the same call may be repeated.");
    return by_expiry_.empty() ? error : error.retry_after(ceil(by_expiry_.begin()->first - request.now));
  }

  const std::size_t capacity_;
  const TokenSource tokens_;
  const std::string salt_;
  std::mutex mutex_;
  Entries entries_;
  std::set<std::pair<Time, Name>> by_expiry_;
};

}  // namespace v0
}  // namespace toolcontract
