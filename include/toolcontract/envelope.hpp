// SPDX-License-Identifier: MIT
/// \file
/// A ToolError as the JSON a model reads, and back.
///
///     tc::envelope_text(tc::business("REFUND_WINDOW_EXPIRED", "Order A17 is outside the 30-day return window."));
///     // {"error_code":"REFUND_WINDOW_EXPIRED","category":"business","retryable":false,"resolution":"abort",
///     //  "message":"Order A17 is outside the 30-day return window.","field_errors":[],"correlation_id":"","attempt":1,
///     //  "deadline_ms_remaining":null}
///
/// Nine keys always, in this order, then optional ones only where set. Keys may be added in later versions, never
/// changed or removed. Reading takes this shape and the older one (errorCategory, isRetryable), keeps members it does
/// not know, and never throws over a foreign shape.
///
/// Cost: nlohmann/json for reading; writing needs none.
#pragma once

#include <toolcontract/error.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/text.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// The envelope as text, well-formed whatever the error holds: of its JSON parts, a `partial` that is no JSON becomes a
/// string, an example, a reconcile call or unknown members that are no object are left out. Internal detail has no way in.
[[nodiscard]] std::string envelope_text(const ToolError& error);

/// The envelope as a JSON value that keeps the order of the keys.
template <BasicJson J = nlohmann::ordered_json>
[[nodiscard]] J envelope(const ToolError& error) {
  return J::parse(envelope_text(error));
}

/// The error an envelope tells of; nothing when `json` is no envelope (no object, or no category).
template <BasicJson J>
[[nodiscard]] std::optional<ToolError> read_envelope(const J& json);

/// The same from text, which may be anything.
template <class = void>
[[nodiscard]] std::optional<ToolError> read_envelope(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return read_envelope(json);
}

namespace detail {

inline void write_shown(TextWriter& out, const Shown& shown) {
  shown.is_json() && is_json(shown.text()) ? out.raw(shown.text()) : out.string(shown.text());
}

/// JSON text that must be an object, as those who set it promised.
inline bool is_object_text(std::string_view json) {
  return json.substr((std::min)(json.find_first_not_of(" \t\r\n"), json.size())).starts_with('{') && is_json(json);
}

/// The members of a JSON object's text, for appending to another object: "" for {}.
inline std::string_view members_of(std::string_view object) {
  const std::size_t open = object.find('{');
  const std::size_t close = object.rfind('}');
  if (open == object.npos || close == object.npos || close <= open) return {};
  object = object.substr(open + 1, close - open - 1);
  return object.find_first_not_of(" \t\r\n") == object.npos ? std::string_view() : object;
}

/// The category a foreign word stands for: this vocabulary, and the wider one of older envelopes ("not-found" too).
inline std::optional<Category> category_of(std::string word) {
  for (char& c : word)
    if (c == '-') c = '_';
  constexpr std::pair<std::string_view, Category> words[] = {
      {"transient", Category::transient},       {"validation", Category::validation},
      {"business", Category::business},         {"permission", Category::permission},
      {"unknown", Category::unknown},           {"rate_limited", Category::transient},
      {"rate_limit", Category::transient},      {"unavailable", Category::transient},
      {"invalid_input", Category::validation},  {"malformed_upstream", Category::validation},
      {"not_found", Category::business},        {"conflict", Category::business},
      {"permanent", Category::business},        {"unauthenticated", Category::permission},
      {"authentication", Category::permission}, {"authorization", Category::permission},
      {"auth", Category::permission},           {"forbidden", Category::permission},
      {"timeout", Category::unknown},           {"timed_out", Category::unknown},
      {"internal", Category::unknown}};
  for (const auto& [known, category] : words)
    if (known == word) return category;
  return std::nullopt;
}

inline std::optional<Resolution> resolution_of(std::string_view word) {
  for (const Resolution resolution :
       {Resolution::retry, Resolution::fix_input, Resolution::abort, Resolution::escalate, Resolution::reconcile})
    if (name(resolution) == word) return resolution;
  return std::nullopt;
}

/// Reads one envelope member by member; whatever has an unexpected type is left at its default.
template <BasicJson J>
class EnvelopeReader {
 public:
  explicit EnvelopeReader(const J& source) : json_(source) {}

  std::optional<ToolError> read() {
    if (!json_.is_object()) return std::nullopt;
    const std::string category = text(json_, "category", text(json_, "errorCategory"));
    if (category.empty()) return std::nullopt;
    facts_.category = category_of(category).value_or(Category::unknown);
    facts_.resolution = default_resolution(facts_.category);
    if (const auto said = resolution_of(text(json_, "resolution"))) {
      facts_.resolution = *said;
    } else if (facts_.category == Category::transient && flag("retryable", flag("isRetryable", true)) == false) {
      facts_.resolution = Resolution::escalate;
    }
    facts_.code = text(json_, "error_code");
    if (!is_screaming_snake(facts_.code)) facts_.code = "UNSPECIFIED";
    facts_.message = text(json_, "message");
    if (is_blank(facts_.message)) facts_.message = "The tool gave no reason.";
    read_field_errors();
    facts_.budget.correlation_id = text(json_, "correlation_id");
    facts_.budget.attempt = count("attempt").value_or(1);
    facts_.budget.max_attempts = count("max_attempts");
    facts_.budget.deadline_remaining = milliseconds("deadline_ms_remaining");
    facts_.retry_after = milliseconds("retry_after_ms");
    read_reconcile();
    if (const J* example = object(json_, "example")) facts_.example = safe_text(*example);
    if (flag("needs_confirmation", false) == true)
      facts_.confirmation = {text(json_, "preview"), text(json_, "how_to_proceed"), text(json_, "ticket")};
    if (const auto partial = json_.find("partial"); partial != json_.end()) facts_.partial = safe_text(*partial);
    keep_unknown();
    return ToolError::restore(std::move(facts_));
  }

 private:
  static std::string text(const J& from, const char* key, std::string otherwise = {}) {
    const auto member = from.find(key);
    if (member == from.end() || !member->is_string()) return otherwise;
    return member->template get_ref<const typename J::string_t&>();
  }
  template <class I>
  std::optional<I> natural(const char* key) const {
    const auto member = json_.find(key);
    if (member == json_.end() || !member->is_number()) return std::nullopt;
    const auto whole = integer_of(number_of(*member));
    if (!whole || *whole < Number(0) || *whole > Number((std::numeric_limits<I>::max)())) return std::nullopt;
    return static_cast<I>(whole->as_int64());
  }
  std::optional<int> count(const char* key) const { return natural<int>(key); }
  std::optional<std::chrono::milliseconds> milliseconds(const char* key) const {
    const auto whole = natural<std::int64_t>(key);
    return whole ? std::optional(std::chrono::milliseconds(*whole)) : std::nullopt;
  }
  static const J* object(const J& from, const char* key) {
    const auto member = from.find(key);
    return member == from.end() || !member->is_object() ? nullptr : &*member;
  }
  /// "" for a value that has no JSON text: too deep, binary, not finite.
  static std::string safe_text(const J& json) {
    TextWriter out;
    Unencodable fault;
    return write_json(out, json, fault) ? out.take() : std::string();
  }
  bool flag(const char* key, bool otherwise) const {
    const auto member = json_.find(key);
    return member == json_.end() || !member->is_boolean() ? otherwise : member->template get<bool>();
  }

  /// A call without a tool, or with arguments that cannot be said, would mislead.
  void read_reconcile() {
    const J* call = object(json_, "reconcile");
    if (call == nullptr) return;
    const J* arguments = object(*call, "arguments");
    ReconcileCall told{text(*call, "tool"), arguments != nullptr ? safe_text(*arguments) : "{}"};
    if (!told.tool.empty() && !told.arguments.empty()) facts_.reconcile = std::move(told);
  }

  void read_field_errors() {
    const auto list = json_.find("field_errors");
    if (list == json_.end() || !list->is_array()) return;
    for (const J& entry : *list) {
      if (!entry.is_object()) continue;
      FieldError error{text(entry, "field"), text(entry, "code"), text(entry, "problem"), {}};
      if (const auto got = entry.find("got"); got != entry.end()) {
        if (got->is_string())
          error.got = text(entry, "got");
        else if (std::string json = safe_text(*got); !json.empty())
          error.got = Shown::json(std::move(json));
      }
      facts_.field_errors.push_back(std::move(error));
    }
  }

  void keep_unknown() {
    constexpr std::string_view known[] = {"error_code",   "category",       "retryable",      "resolution",
                                          "message",      "field_errors",   "correlation_id", "attempt",
                                          "max_attempts", "example",        "reconcile",      "needs_confirmation",
                                          "preview",      "how_to_proceed", "ticket",         "retry_after_ms",
                                          "partial",      "errorCategory",  "isRetryable",    "deadline_ms_remaining"};
    TextWriter out;
    out.begin_object();
    bool any = false;
    for (const auto& [key, member] : json_.template get_ref<const typename J::object_t&>()) {
      bool is_known = false;
      for (const std::string_view name : known) is_known = is_known || name == key;
      if (is_known) continue;
      const std::string json = safe_text(member);
      if (json.empty()) continue;
      out.key(key).raw(json);
      any = true;
    }
    out.end_object();
    if (any) facts_.extra = out.take();
  }

  const J& json_;
  ErrorFacts facts_;
};

}  // namespace detail

inline std::string envelope_text(const ToolError& error) {
  const ErrorFacts& facts = error.facts();
  const auto milliseconds = [](std::chrono::milliseconds duration) { return static_cast<long long>(duration.count()); };
  TextWriter out;
  out.begin_object();
  out.key("error_code").string(facts.code);
  out.key("category").string(name(facts.category));
  out.key("retryable").boolean(error.retryable());
  out.key("resolution").string(name(facts.resolution));
  out.key("message").string(facts.message);
  out.key("field_errors").begin_array();
  for (const FieldError& fault : facts.field_errors) {
    out.begin_object()
        .key("field")
        .string(fault.field)
        .key("code")
        .string(fault.code)
        .key("problem")
        .string(fault.problem);
    if (fault.got) detail::write_shown(out.key("got"), *fault.got);
    out.end_object();
  }
  out.end_array();
  out.key("correlation_id").string(facts.budget.correlation_id);
  out.key("attempt").number(facts.budget.attempt);
  out.key("deadline_ms_remaining");
  if (facts.budget.deadline_remaining)
    out.number(milliseconds(*facts.budget.deadline_remaining));
  else
    out.null();
  if (facts.budget.max_attempts) out.key("max_attempts").number(*facts.budget.max_attempts);
  if (facts.retry_after) out.key("retry_after_ms").number(milliseconds(*facts.retry_after));
  if (facts.reconcile && (facts.reconcile->arguments.empty() || detail::is_object_text(facts.reconcile->arguments))) {
    const std::string& arguments = facts.reconcile->arguments;
    out.key("reconcile").begin_object().key("tool").string(facts.reconcile->tool);
    out.key("arguments").raw(arguments.empty() ? std::string_view("{}") : arguments).end_object();
  }
  if (detail::is_object_text(facts.example)) out.key("example").raw(facts.example);
  if (facts.confirmation) {
    out.key("needs_confirmation").boolean(true);
    out.key("preview").string(facts.confirmation->preview);
    out.key("how_to_proceed").string(facts.confirmation->how_to_proceed);
    out.key("ticket").string(facts.confirmation->ticket);
  }
  if (!facts.partial.empty())
    is_json(facts.partial) ? out.key("partial").raw(facts.partial) : out.key("partial").string(facts.partial);
  std::string text = out.end_object().take();
  const bool more = detail::is_object_text(facts.extra);
  if (const std::string_view extra = more ? detail::members_of(facts.extra) : ""; !extra.empty()) {
    text.pop_back();
    text.append(",").append(extra).append("}");
  }
  return text;
}

template <BasicJson J>
std::optional<ToolError> read_envelope(const J& json) {
  return detail::EnvelopeReader<J>(json).read();
}

}  // namespace v0
}  // namespace toolcontract
