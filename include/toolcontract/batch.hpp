// SPDX-License-Identifier: MIT
/// \file
/// Several requests in one call: each with its own result or its own error, in the order they were asked.
///
///     tc::BatchBuilder<Refund> refunds;
///     for (const Order& order : in.orders) refunds.add(order.operation_id, bank.refund(order));         // Result<Refund>
///     return std::move(refunds).finish();                                                             // Result<Batch<Refund>>
///     // {"status":"partial","requested":3,"succeeded":1,"failed":1,"unknown":["op_3"],"results":[
///     //  {"request":"op_1","status":"ok","result":{…}},{"request":"op_2","status":"failed","error":{…}},
///     //  {"request":"op_3","status":"unknown","error":{…,"reconcile":{…}}}]}
///
/// A Batch that says something is only made here, so its counts are true. Requests whose outcome is unknown are named before
/// the results: they must be looked up, never sent again. Where all failed there is no result but one error, made by merge;
/// where a write may have landed among them, that error is unknown.
///
/// Cost: nlohmann/json; one table a type.
#pragma once

#include <toolcontract/error.hpp>
#include <toolcontract/merge.hpp>
#include <toolcontract/partial.hpp>
#include <toolcontract/schema.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

enum class BatchEnd : unsigned char {
  ok,
  failed,   ///< Its error says what next; where that is a retry, it takes effect once.
  unknown,  ///< It may have happened: look it up, do not send it again.
};
constexpr auto tool_schema(type<BatchEnd>) {
  return enumeration(value("ok", BatchEnd::ok), value("failed", BatchEnd::failed, "its error says what next"),
                     value("unknown", BatchEnd::unknown, "it may have happened, look it up and do not send it again"));
}

/// One request of a batch: `result` when it is ok, `error` otherwise.
template <class T>
class BatchEntry {
 public:
  [[nodiscard]] const std::string& request() const noexcept { return request_; }
  [[nodiscard]] BatchEnd status() const noexcept { return status_; }
  [[nodiscard]] const std::optional<T>& result() const noexcept { return result_; }
  [[nodiscard]] const std::optional<FailureFacts>& error() const noexcept { return error_; }

  friend constexpr auto tool_schema(type<BatchEntry>) {
    return object(field<&BatchEntry::request_>("request", "Which request this answers, e.g. 'op_1'."),
                  field<&BatchEntry::status_>("status", "How it ended."),
                  field<&BatchEntry::result_>("result", "What it gave, when it is ok."),
                  field<&BatchEntry::error_>("error", "Why it gave nothing, otherwise."));
  }

 private:
  template <class>
  friend class BatchBuilder;
  std::string request_;
  BatchEnd status_ = BatchEnd::ok;
  std::optional<T> result_;
  std::optional<FailureFacts> error_;
};

/// A described type: a tool's result, or a member of one.
template <class T>
class Batch {
 public:
  [[nodiscard]] PartialStatus status() const noexcept { return status_; }
  [[nodiscard]] std::uint32_t requested() const noexcept { return requested_; }
  [[nodiscard]] std::uint32_t succeeded() const noexcept { return succeeded_; }
  /// Without those that are unknown.
  [[nodiscard]] std::uint32_t failed() const noexcept { return failed_; }
  [[nodiscard]] const std::vector<std::string>& unknown() const noexcept { return unknown_; }
  [[nodiscard]] const std::vector<BatchEntry<T>>& results() const noexcept { return results_; }

  friend constexpr auto tool_schema(type<Batch>) {
    return object(
        field<&Batch::status_>("status", "Whether every request succeeded."),
        field<&Batch::requested_>("requested", "How many requests there were."),
        field<&Batch::succeeded_>("succeeded", "How many of them succeeded."),
        field<&Batch::failed_>("failed", "How many failed, those under unknown not counted."),
        field<&Batch::unknown_>("unknown", "Those that may have happened: look each up, do not send it again."),
        field<&Batch::results_>("results", "One entry a request, in the order of the requests."));
  }

 private:
  template <class>
  friend class BatchBuilder;
  PartialStatus status_ = PartialStatus::ok;
  std::uint32_t requested_ = 0;
  std::uint32_t succeeded_ = 0;
  std::uint32_t failed_ = 0;
  std::vector<std::string> unknown_;
  std::vector<BatchEntry<T>> results_;
};

/// Collects how each request ended.
template <class T>
class [[nodiscard]] BatchBuilder {
 public:
  /// `request` names the request as its sender knows it: its key or id. In the order of the requests.
  BatchBuilder& add(std::string_view request, Result<T> given) {
    BatchEntry<T> entry;
    entry.request_ = detail::shortened(request, 120);
    ++whole_.requested_;
    if (given) {
      ++whole_.succeeded_;
      entry.result_ = std::move(*given);
    } else {
      entry.status_ = ended(given.error());
      entry.error_ = FailureFacts(given.error());
      if (entry.status_ == BatchEnd::unknown)
        whole_.unknown_.push_back(entry.request_);
      else
        ++whole_.failed_;
      errors_.push_back({std::string(request), std::move(given).error()});
    }
    whole_.results_.push_back(std::move(entry));
    return *this;
  }

  /// The error when there were requests and all of them failed.
  [[nodiscard]] Result<Batch<T>> finish() && {
    if (!errors_.empty() && errors_.size() == whole_.results_.size())
      return merge<>(errors_, "All " + std::to_string(errors_.size()) + " requests failed.");
    if (!errors_.empty()) whole_.status_ = PartialStatus::partial;
    return std::move(whole_);
  }

 private:
  // Escalated, an unknown error says that nothing can have changed; repeating what its upstream does once is no doubt.
  static BatchEnd ended(const ToolError& error) {
    const bool doubt =
        error.resolution() == Resolution::reconcile || (error.facts().may_have_happened && !error.retryable());
    return doubt ? BatchEnd::unknown : BatchEnd::failed;
  }

  Batch<T> whole_;
  std::vector<SourcedError> errors_;
};

}  // namespace v0
}  // namespace toolcontract
