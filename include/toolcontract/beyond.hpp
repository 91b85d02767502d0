// SPDX-License-Identifier: MIT
/// \file
/// What a schema asks beyond its table: the way to an engine that checks further keywords of a document.
///
///     schema.beyond->accepts(walk, &json, depth);    // not, if/then/else, contains, …: schema_validator.hpp
///
/// The table knows no engine, and the engine no JSON type: it sees a value through a Walk, and through it asks schemas of
/// the table, so that the same interpreter goes on, on the same budget. Null in all that Checker compiles and in described
/// types. Nothing here is for users.
///
/// Cost: std only.
#pragma once

#include <toolcontract/problem.hpp>
#include <toolcontract/table.hpp>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

/// A JSON value of a type that only the Walk it came with knows.
using Opaque = const void*;

/// Looks at values and asks the table about them.
class Walk {
 public:
  explicit Walk(std::size_t& steps) : work(steps) {}
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;
  virtual ~Walk() = default;
  [[nodiscard]] virtual bool is_array(Opaque json) const = 0;
  [[nodiscard]] virtual bool is_object(Opaque json) const = 0;
  [[nodiscard]] virtual std::size_t size(Opaque json) const = 0;
  [[nodiscard]] virtual Opaque element(Opaque array, std::size_t index) const = 0;
  [[nodiscard]] virtual Opaque member(Opaque object, const std::string& name) const = 0;  ///< null when there is none
  virtual void each_member(Opaque object,
                           const std::function<void(const std::string& name, Opaque member)>& visit) const = 0;
  [[nodiscard]] virtual bool accepts(const Schema& schema, Opaque json, std::size_t depth) = 0;

  std::size_t& work;  ///< steps the check may still take; at 0 everything is refused
};

/// A Walk that also takes down what is wrong.
class Explanation : public Walk {
 public:
  using Walk::Walk;
  virtual void explain(const Schema& schema, Opaque json, const Path& path, std::size_t depth, bool secret) = 0;
  /// `got` may be null: then nothing is shown.
  virtual void fault(const Path& path, std::string_view code, std::string problem, Opaque got, bool secret) = 0;
};

/// The further keywords of one schema. Immutable; used by many threads.
class Beyond {
 public:
  virtual ~Beyond() = default;
  /// False, too, when the work is used up: a keyword that negates must not turn that into a yes.
  [[nodiscard]] virtual bool accepts(Walk& walk, Opaque json, std::size_t depth) const = 0;
  virtual void explain(Explanation& out, const Schema& schema, Opaque json, const Path& path, std::size_t depth,
                       bool secret) const = 0;
  /// The schemas it asks about the value itself: a reference back through one of these would never end.
  [[nodiscard]] virtual std::span<const Link> parts() const = 0;
  /// The schemas a member has to satisfy for its name, whatever else holds: where defaults are filled in and repairs made.
  [[nodiscard]] virtual std::vector<const Schema*> member_schemas(std::string_view name) const = 0;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
