// SPDX-License-Identifier: MIT
/// \file
/// What a tool is once it is built, whatever made it: a definition, and how a call of it runs.
///
///     const tc::Tool tool = tc::tool<OrderQuery, Order>("orders_get").does("…").reads().handle(look_up);
///     tool.definition().input_schema      // what a model is told
///     tool.core().handler                 // what a Toolset runs
///
/// The types a tool was described with are gone here: arguments and results are pointers, which the functions beside them
/// know how to make, read and destroy. Made by ToolBuilder (tool.hpp) and from documents (document_tool.hpp).
///
/// Cost: nlohmann/json; no templates of its own.
#pragma once

#include <toolcontract/approval.hpp>
#include <toolcontract/call.hpp>
#include <toolcontract/definition.hpp>
#include <toolcontract/encode.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/fit.hpp>
#include <toolcontract/ledger.hpp>
#include <toolcontract/repair.hpp>
#include <toolcontract/table.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

/// A callable of unknown type: shared, immutable, called through a plain function.
template <class Signature>
struct Erased;
template <class R, class... Args>
struct Erased<R(Args...)> {
  std::shared_ptr<const void> object;
  R (*invoke)(const void* object, Args...) = nullptr;

  template <class F>
  static std::shared_ptr<const void> keep(F&& f) {
    using Kept = std::remove_cvref_t<F>;
    return {static_cast<void*>(new Kept(std::forward<F>(f))),
            [](const void* kept) { delete static_cast<const Kept*>(kept); }};
  }
  explicit operator bool() const noexcept { return invoke != nullptr; }
  R operator()(Args... args) const { return invoke(object.get(), static_cast<Args>(args)...); }
};

/// Where a handler's answer goes.
class Answer {
 public:
  virtual void succeed(void* result) = 0;  ///< may be cut to fit
  virtual void fail(ToolError error) = 0;

 protected:
  ~Answer() = default;
};

/// What a definition document asks of arguments or results: a compiled checker, behind nlohmann::json.
class JsonContract {
 public:
  virtual ~JsonContract() = default;
  [[nodiscard]] virtual std::vector<FieldError> explain(const nlohmann::json& value) const = 0;
  [[nodiscard]] virtual std::vector<Repair> repair(nlohmann::json& value) const = 0;
  virtual void fill_defaults(nlohmann::json& value) const = 0;
};

/// What the tool's own reconcile(…) found out.
struct Reconciliation {
  std::optional<std::string> landed{};  ///< the result as JSON text
  bool never_landed = false;
};

struct ToolCore;

struct OncePlan {
  Ledger* ledger = nullptr;
  const Field* key = nullptr;  ///< null: the host's key
  OnceOptions options{};
};

struct ApprovalPlan {
  Approvals* approvals = nullptr;
  Erased<std::optional<std::string>(const void* input)> preview{};
  std::chrono::milliseconds ttl{};
};

struct ToolCore {
  Definition definition;
  const Table* input = nullptr;   ///< null for a tool made from a definition document
  const Table* output = nullptr;  ///< likewise
  std::shared_ptr<const JsonContract> input_document;
  std::shared_ptr<const JsonContract> output_document;
  bool (*write)(const ToolCore& core, void* result, TextWriter& out, Unencodable& fault) = nullptr;
  void* (*make_input)() = nullptr;
  void (*destroy_input)(void*) = nullptr;
  std::vector<Erased<std::optional<ToolError>(const void* input, Call&)>> before;  ///< in the order they were given
  std::vector<Erased<void(void* result, Call&)>> after;
  Erased<void(const ToolCore&, const void* input, Call&, Answer&)> handler;
  std::optional<OncePlan> once;
  Erased<Reconciliation(const ToolCore&, const std::string& key, Call&)> reconcile;
  std::optional<ApprovalPlan> approval;
  SizeCap cap;
  bool deduplicated = false;  ///< its upstream drops a second request with the same key
};

}  // namespace detail

/// A definition and its handler. Cheap to copy; immutable.
class Tool {
 public:
  explicit Tool(std::shared_ptr<const detail::ToolCore> core) : core_(std::move(core)) {}
  [[nodiscard]] const Definition& definition() const noexcept { return core_->definition; }
  [[nodiscard]] const detail::ToolCore& core() const noexcept { return *core_; }

 private:
  std::shared_ptr<const detail::ToolCore> core_;
};

}  // namespace v0
}  // namespace toolcontract
