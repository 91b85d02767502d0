// SPDX-License-Identifier: MIT
/// \file
/// What do the durable stores share? The error of one that cannot be opened, and how rows are read.
///
///     try { tc::SqliteLedger ledger("/var/lib/shop/ledger.db"); }
///     catch (const tc::StoreError& error) …
///     // toolcontract: "/var/lib/shop/ledger.db" cannot keep keys or approvals: it cannot be opened or made (unable to
///     // open database file); its directory must exist and be writable
///
/// Cost: nlohmann/json, through ledger.hpp, and libsodium.
#pragma once

#include <toolcontract/approval.hpp>
#include <toolcontract/call.hpp>
#include <toolcontract/encode.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/fingerprint.hpp>
#include <toolcontract/ledger.hpp>
#include <toolcontract/seal/sodium.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// A store that cannot be opened: which, why, and what to do about it. Thrown by the stores' constructors only. For the
/// person who runs the program, not for a model.
struct StoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace detail {

/// Of the tables. A store of a later version is refused.
inline constexpr std::int64_t store_version = 1;

// These numbers stand in files and tables.
static_assert(static_cast<int>(Claim::State::running) == 1 && static_cast<int>(Claim::State::done) == 2 &&
              static_cast<int>(Claim::State::uncertain) == 3);
static_assert(static_cast<int>(StoredAnswer::Kind::result) == 0 && static_cast<int>(StoredAnswer::Kind::refusal) == 1 &&
              static_cast<int>(StoredAnswer::Kind::omitted) == 2);
static_assert(static_cast<int>(Ticket::State::pending) == 0 && static_cast<int>(Ticket::State::granted) == 1 &&
              static_cast<int>(Ticket::State::denied) == 2 && static_cast<int>(Ticket::State::used) == 3);

template <class Enum>
constexpr std::int64_t number(Enum value) noexcept {
  return static_cast<std::int64_t>(value);
}

/// A row that says what no version writes: somebody else changed it.
struct BadRow : std::exception {
  [[nodiscard]] const char* what() const noexcept override {
    return "a row holds what no version of this store writes";
  }
};

/// \throws BadRow unless `value` is from `first` to `last`.
template <class Enum>
Enum read_enum(std::int64_t value, Enum first, Enum last) {
  if (value < number(first) || value > number(last)) throw BadRow();
  return static_cast<Enum>(value);
}

/// All that is kept of a call's arguments, secrets included. No argument contains U+0000 as such: it is escaped.
inline std::string digest(const Fingerprint& fingerprint) {
  return sodium_digest(fingerprint.arguments + '\0' + fingerprint.secrets);
}

/// Milliseconds since 1970.
inline std::int64_t to_number(std::chrono::system_clock::time_point time) {
  return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
}
inline std::chrono::system_clock::time_point to_time(std::int64_t milliseconds) {
  return std::chrono::system_clock::time_point(std::chrono::milliseconds(milliseconds));
}

/// One key that has not expired.
struct KeyRow {
  std::string fingerprint;  ///< as digest() makes it
  Claim::State state;       ///< running, done or uncertain
  std::string token;
  StoredAnswer answer;
  std::chrono::milliseconds lease_left;
};

/// What stands in the way of a claim; nothing where the row may be taken over.
inline std::optional<Claim> standing(KeyRow row, const std::string& fingerprint, const std::string& take_over) {
  if (row.fingerprint != fingerprint) return Claim{Claim::State::reused, {}, {}, {}};
  if (row.state == Claim::State::done) return Claim{row.state, {}, std::move(row.answer), {}};
  if (row.state == Claim::State::running && row.lease_left.count() > 0) return Claim{row.state, {}, {}, row.lease_left};
  if (!take_over.empty() && take_over == row.token) return std::nullopt;
  return Claim{Claim::State::uncertain, std::move(row.token), {}, {}};
}

/// What a store could not do, by what follows for the call.
enum class StoreTrouble : unsigned char {
  busy,         ///< somebody else holds it
  full,         ///< no room on its disk, or no memory
  unreachable,  ///< its server does not answer
  broken,       ///< anything that waiting will not mend
};

/// When it could not: before the handler ran, or after.
enum class StoreMoment : unsigned char { before, after };

/// `who` starts the sentence: "The ledger of refunds_create". `why` is for the report.
inline ToolError store_error(const std::string& who, StoreTrouble trouble, StoreMoment moment, std::string why) {
  const std::string end = moment == StoreMoment::before ? "; nothing was done, so the same call may be repeated." : ".";
  switch (trouble) {
    case StoreTrouble::busy:
      return unavailable(who + " is busy" + end).internal(std::move(why));
    case StoreTrouble::full:
      return unavailable(who + " has no room left" + end).internal(std::move(why));
    case StoreTrouble::unreachable:
      return unavailable(who + " cannot be reached" + end).internal(std::move(why));
    default:
      return unknown("INTERNAL_ERROR",
                     who + " failed" + (moment == StoreMoment::before ? "; nothing was changed." : "."))
          .escalate()
          .internal(std::move(why));
  }
}

/// Runs `step`; whatever it throws becomes an error. Fault has members trouble() and why().
template <class Fault, class Step>
auto asked(const std::string& who, StoreMoment moment, const Step& step) -> decltype(step()) {
  try {
    return step();
  } catch (const Fault& fault) {
    return store_error(who, fault.trouble(), moment, fault.why());
  } catch (const std::bad_alloc&) {
    return store_error(who, StoreTrouble::full, moment, "out of memory");
  } catch (const std::exception& error) {
    return store_error(who, StoreTrouble::broken, moment, error.what());
  } catch (...) {
    return store_error(who, StoreTrouble::broken, moment, "something that is no std::exception was thrown");
  }
}

inline std::string ledger_of(const std::string& tool) { return "The ledger of " + tool; }

/// complete_in of both ledgers: `write` stores the answer in the caller's transaction.
template <class Fault, class Out, class Write>
std::optional<ToolError> complete_in(Call& call, const Out& result, const Write& write) {
  const std::string who = call.held ? ledger_of(call.held->tool) : std::string("The ledger");
  return asked<Fault>(who, StoreMoment::before, [&]() -> std::optional<ToolError> {
    if (!call.held)
      return store_error(who, StoreTrouble::broken, StoreMoment::before,
                         "complete_in needs the Call that the handler of a tool with once_per(…) was given");
    Result<std::string> text = encode_text(result);
    if (!text) return std::move(text).error();
    const bool kept = text->size() <= call.held->max_stored_bytes;
    const StoredAnswer answer{kept ? StoredAnswer::Kind::result : StoredAnswer::Kind::omitted,
                              kept ? *text : std::string()};
    if (!write(*call.held, answer))
      return transient("CALL_IN_PROGRESS", "The call of " + call.held->tool +
                                               " took longer than its lease and another call took over; nothing was "
                                               "done.");
    call.held->stored = std::move(*text);
    return std::nullopt;
  });
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
