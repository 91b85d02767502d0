// SPDX-License-Identifier: MIT
/// \file
/// Any JSON Schema document: what Checker takes, and not, if/then/else, patternProperties, contains, dependent* on valijson.
///
///     auto any = tc::compile_any(nlohmann::json::parse(R"({"type":"object","not":{"required":["id","name"]}})"));
///     any->accepts(nlohmann::json{{"id", 7}});                  // true
///     any->explain(nlohmann::json{{"id", 7}, {"name", "x"}});   // [{"", "not", "must not be an object with id and name", "{2 keys}"}]
///
/// The document compiles into the table Checker uses. A schema with one of these keywords also gets a small valijson
/// schema: its keywords as draft-07 constraints, and a custom constraint in place of each schema inside, which leads back
/// into the table. So valijson decides about combinations only and sees no number, text or pattern; field errors, formats,
/// references, defaults, repairs, depth and work budget are the table's own. valijson lacks minContains and maxContains and runs
/// patternProperties on std::regex: those, too, are custom constraints, on RE2.
///
/// Right or refused, as Checker: unevaluated*, $dynamicRef and what else is not enforced is a SchemaRefusal.
///
/// Cost: nlohmann/json, RE2 and valijson: 3 s of compiling at -O0, 14 s at -O2; keep it to one file of a program.
#pragma once

#if !defined(VALIJSON_USE_EXCEPTIONS) || VALIJSON_USE_EXCEPTIONS != 1
#error \
    "toolcontract: define VALIJSON_USE_EXCEPTIONS=1, without it valijson aborts the program; linking toolcontract::schema_validator does so"
#endif

#include <toolcontract/beyond.hpp>
#include <toolcontract/check.hpp>
#include <toolcontract/compiled_schema.hpp>
#include <toolcontract/document_compiler.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/further.hpp>

#include <valijson/constraints/concrete_constraints.hpp>
#include <valijson/internal/basic_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/validator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// One compiled document. Immutable, cheap to copy, safe to use from many threads: valijson's own validator, which is not,
/// is made anew for each question to it. Beside the codes of Checker, errors have `not`; `items` where contains is not
/// satisfied; `required` for dependentRequired; what `then`, `else` and dependentSchemas say has its own.
class SchemaValidator : public CompiledSchema {
 public:
  /// Compiles a document in draft-07 or 2020-12 (by its `$schema`; 2020-12 without one).
  template <BasicJson J>
  [[nodiscard]] static Result<SchemaValidator, SchemaRefusal> compile(const J& document);

  /// False for a document that Checker compiles as well: then this is the same, and valijson is never asked.
  [[nodiscard]] bool asks_valijson() const noexcept { return table()->has_beyond(); }

 private:
  using CompiledSchema::CompiledSchema;
};

/// What compile_any gives. One type for both engines, since they share the table: it is Checker's wherever Checker can.
using AnyChecker = SchemaValidator;

/// Compiles any document: on Checker's table where that is enough, with valijson where it is not.
template <BasicJson J>
[[nodiscard]] Result<AnyChecker, SchemaRefusal> compile_any(const J& document) {
  return AnyChecker::compile(document);
}

namespace detail {

// ---- how valijson sees a value: what it is and what is inside, never what it says ----

class Target;

class ElementIterator {
 public:
  ElementIterator(Sight array, std::size_t index) : array_(array), index_(index) {}
  Target operator*() const;
  valijson::adapters::DerefProxy<Target> operator->() const;
  ElementIterator& operator++() { return ++index_, *this; }
  ElementIterator operator++(int) { return {array_, index_++}; }
  ElementIterator& operator--() { return --index_, *this; }
  void advance(std::ptrdiff_t by) { index_ += static_cast<std::size_t>(by); }
  friend bool operator==(const ElementIterator& a, const ElementIterator& b) { return a.index_ == b.index_; }

 private:
  Sight array_;
  std::size_t index_;
};

class Elements {
 public:
  using const_iterator = ElementIterator;
  explicit Elements(Sight array = {}) : array_(array) {}
  [[nodiscard]] ElementIterator begin() const { return {array_, 0}; }
  [[nodiscard]] ElementIterator end() const { return {array_, size()}; }
  [[nodiscard]] std::size_t size() const { return array_.walk == nullptr ? 0 : array_.walk->size(array_.json); }

 private:
  Sight array_;
};

/// One member that was looked up, or none.
class MemberIterator {
 public:
  explicit MemberIterator(Sight member) : member_(member) {}
  std::pair<std::string, Target> operator*() const;
  valijson::adapters::DerefProxy<std::pair<std::string, Target>> operator->() const;
  MemberIterator& operator++() { return member_ = {}, *this; }
  friend bool operator==(const MemberIterator&, const MemberIterator&) = default;

 private:
  Sight member_;
};

class Members {
 public:
  using const_iterator = MemberIterator;
  explicit Members(Sight object = {}) : object_(object) {}
  /// \throws std::logic_error: no constraint used here goes through all members.
  [[nodiscard]] MemberIterator begin() const {
    throw std::logic_error("toolcontract: valijson is not to list members");
  }
  [[nodiscard]] MemberIterator end() const { return MemberIterator({}); }
  [[nodiscard]] std::size_t size() const { return object_.walk == nullptr ? 0 : object_.walk->size(object_.json); }
  [[nodiscard]] MemberIterator find(const std::string& name) const {
    const Opaque member = object_.walk->member(object_.json, name);
    return MemberIterator(member == nullptr ? Sight() : Sight{member, object_.depth - 1, object_.walk});
  }

 private:
  Sight object_;
};

class SightValue {
 public:
  SightValue() = default;
  explicit SightValue(Sight sight) : sight_(sight) {}
  [[nodiscard]] std::optional<Elements> getArrayOptional() const {
    return isArray() ? std::optional(Elements(sight_)) : std::nullopt;
  }
  [[nodiscard]] std::optional<Members> getObjectOptional() const {
    return isObject() ? std::optional(Members(sight_)) : std::nullopt;
  }
  bool getArraySize(std::size_t& size) const { return isArray() && (size = sight_.walk->size(sight_.json), true); }
  bool getObjectSize(std::size_t& size) const { return isObject() && (size = sight_.walk->size(sight_.json), true); }
  [[nodiscard]] bool isArray() const { return sight_.walk != nullptr && sight_.walk->is_array(sight_.json); }
  [[nodiscard]] bool isObject() const { return sight_.walk != nullptr && sight_.walk->is_object(sight_.json); }
  static bool hasStrictTypes() { return true; }

  // Numbers, texts and so on are the table's to look at.
  static bool getBool(bool&) { return false; }
  static bool getDouble(double&) { return false; }
  static bool getInteger(std::int64_t&) { return false; }
  static bool getString(std::string&) { return false; }
  static bool isBool() { return false; }
  static bool isDouble() { return false; }
  static bool isInteger() { return false; }
  static bool isNull() { return false; }
  static bool isNumber() { return false; }
  static bool isString() { return false; }
  [[noreturn]] static valijson::adapters::FrozenValue* freeze() {
    throw std::logic_error("toolcontract: valijson is not to keep values");
  }

 private:
  Sight sight_;
};

class Target final
    : public valijson::adapters::BasicAdapter<Target, Elements, std::pair<std::string, Target>, Members, SightValue> {
 public:
  explicit Target(Sight sight) : BasicAdapter(SightValue(sight)), sight_(sight) {}
  [[nodiscard]] const Sight& sight() const noexcept { return sight_; }

 private:
  Sight sight_;
};

inline Target ElementIterator::operator*() const {
  return Target({array_.walk->element(array_.json, index_), array_.depth - 1, array_.walk});
}
inline valijson::adapters::DerefProxy<Target> ElementIterator::operator->() const {
  return valijson::adapters::DerefProxy<Target>(**this);
}
inline std::pair<std::string, Target> MemberIterator::operator*() const { return {std::string(), Target(member_)}; }
inline valijson::adapters::DerefProxy<std::pair<std::string, Target>> MemberIterator::operator->() const {
  return valijson::adapters::DerefProxy<std::pair<std::string, Target>>(**this);
}

/// The custom constraint that everything inside a valijson schema consists of.
class Question final : public valijson::constraints::PolyConstraint {
 public:
  explicit Question(std::function<bool(const Sight&)> ask) : ask_(std::move(ask)) {}
  bool validate(const valijson::adapters::Adapter& target, const std::vector<std::string>&,
                valijson::ValidationResults*) const override {
    return ask_(static_cast<const Target&>(target).sight());
  }

 private:
  valijson::constraints::Constraint* cloneInto(void* place) const override { return new (place) Question(*this); }
  std::size_t sizeOf() const override { return sizeof(Question); }

  std::function<bool(const Sight&)> ask_;
};

/// The keywords of one schema as a valijson schema.
class ValijsonKeywords final : public FurtherKeywords {
 public:
  template <class Keywords>
  explicit ValijsonKeywords(Keywords& keywords) : FurtherKeywords(keywords) {
    if (not_.present()) {
      valijson::constraints::NotConstraint constraint;
      constraint.setSubschema(ask(not_));
      schema_.addConstraint(constraint);
    }
    if (if_.present()) {
      valijson::constraints::ConditionalConstraint constraint;
      constraint.setIfSubschema(ask(if_));
      if (then_.present()) constraint.setThenSubschema(ask(then_));
      if (else_.present()) constraint.setElseSubschema(ask(else_));
      schema_.addConstraint(constraint);
    }
    if (contains_.present() && count_.least == 1 && count_.most == Sizes::unlimited) {
      valijson::constraints::ContainsConstraint constraint;
      constraint.setSubschema(ask(contains_));
      schema_.addConstraint(constraint);
    } else if (contains_.present()) {
      schema_.addConstraint(Question(
          [this](const Sight& at) { return !at.walk->is_array(at.json) || count_.allow(matching(at, count_.most)); }));
    }
    if (!patterned_.empty())
      schema_.addConstraint(
          Question([this](const Sight& at) { return !at.walk->is_object(at.json) || members_fit(at); }));
    if (!dependents_.empty()) schema_.addConstraint(dependencies(keywords));
  }

  bool accepts(Walk& walk, Opaque json, std::size_t depth) const override {
    constexpr std::size_t steps = 4;  // what a question to valijson costs at least, beside what it asks in turn
    const Nesting nesting(walk);
    if (walk.work <= steps) return walk.work = 0, false;
    walk.work -= steps;
    const bool valid = valijson::Validator().validate(schema_, Target({json, depth, &walk}), nullptr);
    return valid && walk.work > 0;
  }

 private:
  template <class Keywords>
  valijson::constraints::DependenciesConstraint dependencies(const Keywords& keywords) {
    valijson::constraints::DependenciesConstraint constraint;
    for (const Dependent& dependent : dependents_) {
      const bool asks = dependent.schema.present();
      const auto is_cut = [](const std::string& name) { return name.find('\0') != name.npos; };
      if (is_cut(dependent.name) || std::any_of(dependent.required.begin(), dependent.required.end(), is_cut))
        keywords.refuse(!keywords.is_modern() ? "dependencies"
                        : asks                ? "dependentSchemas"
                                              : "dependentRequired",
                        "names a member with U+0000 in it, where valijson stops reading; rename the member");
      if (asks)
        constraint.addSchemaDependency(dependent.name, ask(dependent.schema));
      else
        constraint.addPropertyDependencies(dependent.name, dependent.required);
    }
    return constraint;
  }

  /// A valijson schema that asks a schema of the table.
  const valijson::Subschema* ask(const Link& schema) {
    const valijson::Subschema* asked = schema_.createSubschema();
    schema_.addConstraintToSubschema(
        Question([target = schema.now](const Sight& at) { return at.walk->accepts(*target, at.json, at.depth); }),
        asked);
    return asked;
  }

  valijson::Schema schema_;
};

}  // namespace detail

template <BasicJson J>
Result<SchemaValidator, SchemaRefusal> SchemaValidator::compile(const J& document) {
  try {
    detail::DocumentCompiler<J, detail::ValijsonKeywords> compiler(document);
    auto table = compiler.compile();
    return SchemaValidator(std::move(table), compiler.take_not_checked());
  } catch (const SchemaRefusal& refusal) {
    return refusal;
  }
}

}  // namespace v0
}  // namespace toolcontract
