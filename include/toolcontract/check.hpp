// SPDX-License-Identifier: MIT
/// \file
/// The interpreter: a table and a JSON value give yes or no quickly, and every field error on demand.
///
///     const tc::Table& table = tc::table_of<RefundInput>();
///     tc::accepts(table.root(), json);                         // false, at the first thing that is wrong
///     tc::explain(table.root(), json);                         // all of it: [{"order_id", "pattern", "must match …", "B1"}, …]
///
/// Two walks over the same table with the same leaf checks: `accepts` stops at the first fault, allocates nothing and
/// may fill a C++ object on its way; `explain` runs once something is wrong. A differential test holds them equal.
///
/// Cost: nlohmann/json; templates only. One table a type, linked at its first use.
#pragma once

#include <toolcontract/accept.hpp>
#include <toolcontract/explain.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/pattern.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/schema.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// The linked table of a described type. Built once, then shared by every thread.
/// \throws PatternError on the first call when a pattern in the description cannot be used.
template <class T>
const Table& table_of() {
  static const Table table(detail::late_schema<T>(), [](std::string_view source) -> std::shared_ptr<const Pattern> {
    return std::make_shared<const Pattern>(source);
  });
  return table;
}

/// Does `value` satisfy the schema? Cross-field rules are not part of this: they need the filled object (decode.hpp).
/// `depth` is how many levels of nesting are allowed, the value itself being the first.
template <BasicJson J>
[[nodiscard]] bool accepts(const Schema& schema, const J& value, std::size_t depth = default_depth);

/// Everything that is wrong with `value`: in schema order, then the unknown fields. Empty exactly when accepts says yes.
template <BasicJson J>
[[nodiscard]] std::vector<FieldError> explain(const Schema& schema, const J& value, std::size_t depth = default_depth);

template <BasicJson J>
bool accepts(const Schema& schema, const J& value, std::size_t depth) {
  std::size_t work = detail::work_limit;
  return detail::Acceptor<J>(work).value(schema, value, nullptr, depth);
}

template <BasicJson J>
std::vector<FieldError> explain(const Schema& schema, const J& value, std::size_t depth) {
  FieldErrors errors;
  if (detail::soundness(value, depth) == detail::Unsound::too_deep) {
    errors.add(Path(), "too_deep", problem::too_deep(depth));
    return errors.take();
  }
  std::size_t work = detail::work_limit;
  detail::Explainer<J>(errors, depth, work).value(schema, value, Path(), depth, false);
  if (work > 0) return errors.take();
  FieldErrors spent;
  spent.add(Path(), "too_large", problem::too_much_work());
  return spent.take();
}

}  // namespace v0
}  // namespace toolcontract
