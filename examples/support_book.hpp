// SPDX-License-Identifier: MIT
// Where the support desk keeps what it does: refunds, new tickets, and the keys and consents that belong to them.
#pragma once

#include <chrono>
#include <csignal>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support_types.hpp"

namespace support {

/// What the tests do to a server: kill it at a step of a write, or make each step slow.
struct Trouble {
  std::string crash_at;                     ///< received, claimed, written, stored, committed, replying; "" never
  std::chrono::milliseconds slow{0};        ///< at each step
  std::chrono::milliseconds lease{60'000};  ///< how long a write may take before it counts as dead

  void step(std::string_view name) const {
    if (name == crash_at) (void)std::raise(SIGKILL);
    if (slow.count() > 0) std::this_thread::sleep_for(slow);
  }
};
inline constexpr std::string_view steps[] = {"received", "claimed", "written", "stored", "committed", "replying"};

class Book {
 public:
  virtual ~Book() = default;
  virtual tc::Ledger& ledger() = 0;
  virtual tc::Approvals& approvals() = 0;
  /// True where add(…) stores the call's result in the same transaction as its effect.
  [[nodiscard]] virtual bool joined() const = 0;

  virtual tc::Result<std::optional<Refund>> refund(const std::string& operation_id) = 0;
  virtual tc::Result<Refund> add(const RefundInput& in, tc::Call& call) = 0;
  virtual tc::Result<std::vector<Ticket>> tickets() = 0;
  virtual tc::Result<Ticket> add(const TicketInput& in, tc::Call& call) = 0;
};

/// For as long as the process lives.
class MemoryBook final : public Book {
 public:
  explicit MemoryBook(Trouble trouble = {}, tc::TokenSource tokens = tc::random_token)
      : trouble_(std::move(trouble)), approvals_(10'000, std::move(tokens)) {}
  tc::Ledger& ledger() override { return ledger_; }
  tc::Approvals& approvals() override { return approvals_; }
  [[nodiscard]] bool joined() const override { return false; }

  tc::Result<std::optional<Refund>> refund(const std::string& operation_id) override {
    const std::lock_guard lock(mutex_);
    const auto found = refunds_.find(operation_id);
    return found == refunds_.end() ? std::nullopt : std::optional(found->second);
  }
  tc::Result<Refund> add(const RefundInput& in, tc::Call&) override {
    trouble_.step("claimed");
    const std::lock_guard lock(mutex_);
    Refund refund{"rf_" + std::to_string(refunds_.size() + 1), in.operation_id, in.order_id, in.amount_cents};
    refunds_.emplace(in.operation_id, refund);
    trouble_.step("written");
    return refund;
  }
  tc::Result<std::vector<Ticket>> tickets() override {
    const std::lock_guard lock(mutex_);
    return tickets_;
  }
  tc::Result<Ticket> add(const TicketInput& in, tc::Call&) override {
    trouble_.step("claimed");
    const std::lock_guard lock(mutex_);
    tickets_.push_back({"T-" + std::to_string(2001 + tickets_.size()), in.title, TicketStatus::open});
    trouble_.step("written");
    return tickets_.back();
  }

 private:
  const Trouble trouble_;
  tc::MemoryLedger ledger_;
  tc::MemoryApprovals approvals_;
  std::mutex mutex_;
  std::map<std::string, Refund> refunds_;
  std::vector<Ticket> tickets_;
};

}  // namespace support
