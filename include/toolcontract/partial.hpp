// SPDX-License-Identifier: MIT
/// \file
/// One answer out of several sources, of which some may have failed.
///
///     tc::PartialBuilder<Hit> hits;
///     hits.add("crm", crm.search(words)).add("mail", mail.search(words));   // each a Result<std::vector<Hit>> or a Result<Hit>
///     return std::move(hits).finish();                                                                    // Result<Partial<Hit>>
///     // {"status":"partial","attempted":["crm","mail"],"failed":[{"source":"mail","error_code":"TIMED_OUT",…}],"items":[…]}
///
/// A Partial that says something is only made here, so it cannot say "ok" over a failure. A source that found nothing has
/// not failed. Where all failed there is no result but one error, made by merge. What went wrong stands before the items:
/// a client that shows only the beginning of a long result shows that.
///
/// Cost: nlohmann/json; one table a type.
#pragma once

#include <toolcontract/error.hpp>
#include <toolcontract/merge.hpp>
#include <toolcontract/schema.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

enum class PartialStatus : unsigned char {
  ok,       ///< Every source answered.
  partial,  ///< Some did not: nothing may be concluded from what is missing.
};
constexpr auto tool_schema(type<PartialStatus>) {
  return enumeration(value("ok", PartialStatus::ok), value("partial", PartialStatus::partial,
                                                           "something is missing, conclude nothing from its absence"));
}

/// A described type: a tool's result, or a member of one.
template <class T>
class Partial {
 public:
  [[nodiscard]] PartialStatus status() const noexcept { return status_; }
  [[nodiscard]] const std::vector<std::string>& attempted() const noexcept { return attempted_; }
  /// What may have happened first, then as the sources were asked.
  [[nodiscard]] const std::vector<Failure>& failed() const noexcept { return failed_; }
  /// In the order of the sources. What an after hook sorts or trims is these.
  [[nodiscard]] const std::vector<T>& items() const noexcept { return items_; }
  [[nodiscard]] std::vector<T>& items() noexcept { return items_; }

  friend constexpr auto tool_schema(type<Partial>) {
    return object(field<&Partial::status_>("status", "Whether every source answered."),
                  field<&Partial::attempted_>("attempted", "The sources that were asked, e.g. ['crm']."),
                  field<&Partial::failed_>("failed", "Those of them that gave no answer, and why."),
                  field<&Partial::items_>("items", "What the others gave."));
  }

 private:
  template <class>
  friend class PartialBuilder;
  PartialStatus status_ = PartialStatus::ok;
  std::vector<std::string> attempted_;
  std::vector<Failure> failed_;
  std::vector<T> items_;
};

namespace detail {
template <class T>
inline constexpr Shortening partial_shortening{
    3, [](void* partial, std::size_t items) { static_cast<Partial<T>*>(partial)->items().resize(items); },
    [](const void*) { return false; },
    "While status is partial or items were truncated, nothing may be concluded from what is missing."};
template <class T>
inline constexpr Storage record_storage<Partial<T>> = shortened(partial_shortening<T>);
}  // namespace detail

/// Collects what each source gave. Not for several threads at once: add from one of them, in the order to be told.
template <class T>
class [[nodiscard]] PartialBuilder {
 public:
  PartialBuilder& add(std::string_view source, Result<std::vector<T>> found) {
    if (!found) return add(source, std::move(found).error());
    asked(source);
    for (T& item : *found) whole_.items_.push_back(std::move(item));
    return *this;
  }
  PartialBuilder& add(std::string_view source, Result<T> found) {
    if (!found) return add(source, std::move(found).error());
    asked(source);
    whole_.items_.push_back(std::move(*found));
    return *this;
  }
  PartialBuilder& add(std::string_view source, ToolError error) {
    asked(source);
    errors_.push_back({std::string(source), std::move(error)});
    return *this;
  }

  /// The error when sources were asked and all of them failed.
  [[nodiscard]] Result<Partial<T>> finish() && {
    if (!errors_.empty() && errors_.size() == whole_.attempted_.size())
      return merge<>(errors_, "All " + std::to_string(errors_.size()) + " sources failed.");
    if (!errors_.empty()) whole_.status_ = PartialStatus::partial;
    whole_.failed_ = detail::failures_of<>(errors_);
    return std::move(whole_);
  }

 private:
  void asked(std::string_view source) { whole_.attempted_.push_back(detail::shortened(source, 120)); }

  Partial<T> whole_;
  std::vector<SourcedError> errors_;
};

}  // namespace v0
}  // namespace toolcontract
