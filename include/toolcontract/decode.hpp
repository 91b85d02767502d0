// SPDX-License-Identifier: MIT
/// \file
/// JSON or text into a described struct, exactly as its schema says, or every field error at once.
///
///     tc::Result<RefundInput> in = tc::decode<RefundInput>(R"({"order_id":"B1","amount_cents":5.0})");
///     in.error().message();
///     // The arguments were not accepted. order_id must match the pattern ^A[0-9]+$. Got "B1". operation_id must be given: a string.
///
/// Strict: 5.0 is the integer 5, but nothing is narrowed, truncated or guessed, an unknown enum value is no first value,
/// and no key wins over its duplicate. Text is limited in bytes, depth and number of values before anything is built.
/// Nothing here throws over bad input.
///
/// Cost: nlohmann/json; templates only.
#pragma once

#include <toolcontract/check.hpp>
#include <toolcontract/document.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/problem.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// The error a call with these faults ends as. `subject` starts the message: "The arguments of orders_get".
[[nodiscard]] inline ToolError invalid_arguments(std::string_view subject, std::vector<FieldError> errors) {
  auto error = validation("INVALID_ARGUMENTS", std::string(subject) + " were not accepted. " + sentences(errors));
  for (FieldError& fault : errors)
    error.field(std::move(fault.field), std::move(fault.code), std::move(fault.problem), std::move(fault.got));
  return error;
}

/// A JSON value into a T. The error is INVALID_ARGUMENTS (validation) with all field errors.
template <class T, BasicJson J>
[[nodiscard]] Result<T> decode(const J& arguments, const InputLimits& limits = {});

/// A parsed document (or the part of a message taken from it) into a T.
template <class T, class J>
[[nodiscard]] Result<T> decode(const BasicDocument<J>& arguments, const InputLimits& limits = {});

/// A text into a T; "" is {}. Faults of the text (malformed, duplicate keys, encoding, numbers out of range) come alone.
template <class T>
[[nodiscard]] Result<T> decode(std::string_view text, const InputLimits& limits = {});

namespace detail {

// ---- values into objects ------------------------------------------------------------------------------------------------

/// Runs every cross-field rule in a filled object.
inline void check_rules(const Schema& schema, const void* object, const Path& path, FieldErrors& errors) {
  if (schema.storage == nullptr) return;
  const Storage& storage = *schema.storage;
  switch (storage.form) {
    case Storage::Form::record:
      for (const Field& field : schema.fields)
        if (const void* value = field.value(object)) check_rules(field.schema, value, Path(&path, field.name), errors);
      for (const Rule& rule : schema.rules)
        if (!rule.holds(object))
          errors.add(rule.field.empty() ? path : Path(&path, rule.field), "rule", std::string(rule.problem));
      return;
    case Storage::Form::sequence:
    case Storage::Form::fixed:
      for (std::size_t i = 0; i < storage.count(object); ++i)
        check_rules(*schema.items, storage.read(object, i), Path(&path, i), errors);
      return;
    case Storage::Form::map: {
      struct Context {
        const Schema& items;
        const Path& path;
        FieldErrors& errors;
      } context{*schema.additional, path, errors};
      storage.each(object, &context, [](void* raw, std::string_view key, const void* value) {
        const auto& in = *static_cast<Context*>(raw);
        check_rules(in.items, value, Path(&in.path, key), in.errors);
        return true;
      });
      return;
    }
    case Storage::Form::tagged:
      check_rules(*schema.alternatives[storage.count(object)].schema, storage.read(object, 0), path, errors);
      return;
    default:
      return;
  }
}

/// Fills `into` (an object of the table's type); what is wrong comes back and the object is then to be thrown away.
template <BasicJson J>
std::vector<FieldError> fill(const Table& table, const J& json, void* into, std::size_t depth) {
  std::size_t work = work_limit;
  if (!Acceptor<J>(work).value(table.root(), json, into, depth)) return explain(table.root(), json, depth);
  if (!table.has_rules()) return {};
  FieldErrors errors;
  check_rules(table.root(), into, Path(), errors);
  return errors.take();
}

}  // namespace detail

template <class T, BasicJson J>
Result<T> decode(const J& arguments, const InputLimits& limits) {
  T value{};
  auto errors = detail::fill(table_of<T>(), arguments, &value, limits.depth);
  if (errors.empty()) return value;
  return invalid_arguments("The arguments", std::move(errors));
}

template <class T, class J>
Result<T> decode(const BasicDocument<J>& arguments, const InputLimits& limits) {
  if (!arguments.ok()) return invalid_arguments("The arguments", arguments.faults());
  return decode<T>(arguments.value(), limits);
}

template <class T>
Result<T> decode(std::string_view text, const InputLimits& limits) {
  return decode<T>(parse(text.empty() ? "{}" : text, limits), limits);
}

}  // namespace v0
}  // namespace toolcontract
