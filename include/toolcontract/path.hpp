// SPDX-License-Identifier: MIT
/// \file
/// Where in a value something is wrong, and a list of all that is.
///
///     const Path items(&root, "items"), third(&items, 3), sku(&third, "sku");
///     sku.text();                                         // "items[3].sku"; a key that is no identifier is quoted: labels["a.b"]
///     errors.add(sku, "type", "must be a string", 5);     // the first 16 are kept, the rest counted
///
/// Cost: std only; a path costs nothing until it is told.
#pragma once

#include <toolcontract/error_facts.hpp>
#include <toolcontract/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// A place inside a value: a chain of steps that lives on the stack while the value is walked.
class Path {
 public:
  constexpr Path() = default;  ///< the value as a whole
  constexpr Path(const Path* parent, std::string_view key) : parent_(parent), key_(key) {}
  constexpr Path(const Path* parent, std::size_t index) : parent_(parent), index_(index), is_index_(true) {}

  [[nodiscard]] constexpr std::size_t steps() const { return parent_ == nullptr ? 0 : parent_->steps() + 1; }

  /// Readable form, "" for the whole. Invalid UTF-8 in a key is left for the JSON writer to replace.
  [[nodiscard]] std::string text() const {
    if (parent_ == nullptr) return {};
    std::string text = parent_->text();
    if (is_index_) return text.append("[").append(std::to_string(index_)).append("]");
    if (is_identifier(key_)) return text.append(text.empty() ? "" : ".").append(key_);
    text += "[\"";
    for (const char c : utf8::prefix(key_, 200)) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    return text.append(key_.size() > 200 ? "…\"]" : "\"]");
  }

 private:
  static constexpr bool is_identifier(std::string_view key) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
    return !key.empty() && key.size() <= 200 && letter(key.front()) && std::all_of(key.begin(), key.end(), inner);
  }

  const Path* parent_ = nullptr;
  std::string_view key_{};
  std::size_t index_ = 0;
  bool is_index_ = false;
};

/// Collects field errors: keeps the first 16 and counts the rest.
class FieldErrors {
 public:
  static constexpr std::size_t most = 16;

  void add(const Path& path, std::string_view code, std::string problem, std::optional<Shown> got = std::nullopt) {
    deepest_ = (std::max)(deepest_, path.steps());
    if (full())
      ++left_out_;
    else
      list_.push_back({path.text(), std::string(code), std::move(problem), std::move(got)});
  }
  /// Takes over what another collector found.
  void append(FieldErrors other) {
    deepest_ = (std::max)(deepest_, other.deepest_);
    left_out_ += other.left_out_;
    for (FieldError& error : other.list_) {
      if (full())
        ++left_out_;
      else
        list_.push_back(std::move(error));
    }
  }
  /// What was kept so far.
  [[nodiscard]] const std::vector<FieldError>& list() const noexcept { return list_; }
  /// Takes an error over from elsewhere.
  void add_again(const FieldError& error) {
    if (full())
      ++left_out_;
    else
      list_.push_back(error);
  }
  /// Adds words to the first error; not after a question, which is the last word.
  void extend_first(std::string_view words) {
    if (!list_.empty() && !list_.front().problem.ends_with('?')) list_.front().problem += words;
  }
  /// True once further errors are only counted: a caller may then skip wording them.
  [[nodiscard]] bool full() const noexcept { return list_.size() == most; }
  [[nodiscard]] bool empty() const noexcept { return list_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return list_.size() + left_out_; }
  /// How many steps the longest path has.
  [[nodiscard]] std::size_t deepest() const noexcept { return deepest_; }
  void count(std::size_t faults = 1) noexcept { left_out_ += faults; }

  /// The list, closed by one entry of code `more` when some were left out.
  [[nodiscard]] std::vector<FieldError> take() {
    if (left_out_ > 0)
      list_.push_back(
          {"", "more", "must be free of " + std::to_string(left_out_) + " more faults that are not listed here", {}});
    left_out_ = 0;
    return std::move(list_);
  }

 private:
  std::vector<FieldError> list_;
  std::size_t left_out_ = 0;
  std::size_t deepest_ = 0;
};

}  // namespace v0
}  // namespace toolcontract
