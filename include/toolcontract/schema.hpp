// SPDX-License-Identifier: MIT
/// \file
/// What a value may be: names, descriptions and constraints for C++ types, written once and checked by the compiler.
///
///     enum class Status { open, closed };
///     constexpr auto tool_schema(tc::type<Status>) {
///       return tc::enumeration(tc::value("open", Status::open), tc::value("closed", Status::closed, "solved or given up"));
///     }
///     struct Search { std::string query; std::optional<Status> status; int limit = 0; };
///     constexpr auto tool_schema(tc::type<Search>) {
///       return tc::object(tc::field<&Search::query>("query", "Words to match, e.g. 'login loop'.", tc::min_length(1)),
///                         tc::field<&Search::status>("status", "Only tickets in this state."),
///                         tc::field<&Search::limit>("limit", "Page size.", tc::between(1, 50), tc::default_value(10)));
///     }
///
/// `tool_schema` stands in the type's own namespace; for a type whose namespace is not yours, specialise tc::Describe.
/// A std::optional member, or one with a default_value, may be left out of a call; every other member is required.
/// A constraint that does not fit its member, a duplicate name or an empty description does not compile.
///
/// Cost: std only.
#pragma once

#include <toolcontract/constraint.hpp>
#include <toolcontract/field_check.hpp>
#include <toolcontract/storage.hpp>
#include <toolcontract/table.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Names a type in the parameter of `tool_schema`.
template <class T>
struct type {};

/// Where the description of T is found: `tool_schema(tc::type<T>)` beside T, unless this is specialised with a
/// `static constexpr auto schema()` that returns what object, enumeration or tagged returns.
template <class T>
struct Describe {
  static constexpr auto schema() requires requires { tool_schema(type<T>{}); }
  { return tool_schema(type<T>{}); }
};

namespace detail {

template <class Class>
struct FieldOf : Field {
  Problem problem = Problem::none;
};

template <class... Classes>
struct Object {
  std::array<Field, sizeof...(Classes)> fields{};
  std::array<Rule, 4> rule_list{};
  std::size_t rule_count = 0;
  bool unknown_allowed = false;
  Problem problem = Problem::none;

  /// Members that are no field are passed over instead of being an error.
  [[nodiscard]] constexpr Object ignore_unknown() const {
    Object copy = *this;
    copy.unknown_allowed = true;
    return copy;
  }

  /// A condition over several fields, checked once each field is sound: `holds` is a lambda without captures that
  /// takes the described struct; `field` is the one to point at ("": the struct as a whole) and `problem` starts with
  /// "must". At most four.
  template <class Holds>
  [[nodiscard]] constexpr Object rule(std::string_view field, std::string_view problem, Holds holds) const;
};

template <class E, std::size_t N>
struct Enumeration {
  std::array<Choice, N> choices{};
  Problem problem = Problem::none;
};

template <class... Ts>
struct Tagged {
  std::string_view tag;
  std::array<Alternative, sizeof...(Ts)> alternatives{};
  Problem problem = Problem::none;
};

template <class T>
struct AlternativeOf {
  std::string_view tag;
};

template <class M>
struct MemberTraits;
template <class T, class C>
struct MemberTraits<T C::*> {
  using Class = C;
  using Value = T;
};

template <auto Member, class... Constraints>
constexpr auto make_field(std::string_view name, std::string_view description, Constraints... constraints);

template <class L, class T>
std::type_identity<T> rule_argument(bool (L::*)(const T&) const);

template <class L, class T>
bool rule_holds(bool (L::*)(const T&) const, const void* object) {
  return L{}(*static_cast<const T*>(object));
}

}  // namespace detail

/// One member of a struct: the name a caller writes, what it is for (with an example value), and its constraints.
template <auto Member, class... Constraints>
constexpr auto field(std::string_view name, std::string_view description, Constraints... constraints) {
  return detail::make_field<Member>(name, description, constraints...);
}

/// A struct, as the list of its fields, in the order a model should read and fill them.
template <class... Classes>
constexpr detail::Object<Classes...> object(detail::FieldOf<Classes>... fields) {
  detail::Object<Classes...> object{{static_cast<const Field&>(fields)...}};
  for (const detail::Problem problem : std::initializer_list<detail::Problem>{detail::Problem::none, fields.problem...})
    if (problem != detail::Problem::none) object.problem = problem;
  for (std::size_t i = 0; i < sizeof...(Classes); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (object.fields[i].name == object.fields[j].name) object.problem = detail::Problem::duplicate_name;
  return object;
}

/// One value of an enumeration: its name in JSON, the enumerator, and what it means where the name does not say.
template <class E>
constexpr auto value(std::string_view name, E enumerator, std::string_view description = {}) {
  static_assert(std::is_enum_v<E>, "toolcontract: value(name, enumerator) takes an enumerator of the described enum");
  return std::pair<E, Choice>{enumerator, Choice{name, description, static_cast<std::int64_t>(enumerator)}};
}

/// An enum, as the list of its legal values.
template <class E, class... Rest>
constexpr auto enumeration(std::pair<E, Choice> first, std::pair<Rest, Choice>... rest) {
  static_assert((std::is_same_v<E, Rest> && ...), "toolcontract: the values of one enumeration belong to one enum");
  detail::Enumeration<E, 1 + sizeof...(Rest)> result{{first.second, rest.second...}};
  for (std::size_t i = 0; i < result.choices.size(); ++i) {
    if (result.choices[i].name.empty()) result.problem = detail::Problem::empty_name;
    for (std::size_t j = 0; j < i; ++j) {
      if (result.choices[i].name == result.choices[j].name) result.problem = detail::Problem::duplicate_name;
      if (result.choices[i].enumerator == result.choices[j].enumerator)
        result.problem = detail::Problem::repeated_value;
    }
  }
  return result;
}

/// One alternative of a union of described structs: T, when the tag says `tag`.
template <class T>
constexpr detail::AlternativeOf<T> alternative(std::string_view tag) {
  return {tag};
}

/// A std::variant of described structs, told apart by the constant member `tag`. The alternatives stand in the variant's
/// order; the structs do not describe the tag themselves.
template <class... Ts>
constexpr detail::Tagged<Ts...> tagged(std::string_view tag, detail::AlternativeOf<Ts>... alternatives);

namespace detail {

// ---- fields ---------------------------------------------------------------------------------------------------------

template <auto Member, class... Constraints>
constexpr auto make_field(std::string_view name, std::string_view description, Constraints... constraints) {
  static_assert(std::is_member_object_pointer_v<decltype(Member)>,
                "toolcontract: field<&Struct::member> takes a data member");
  using Traits = MemberTraits<decltype(Member)>;
  using Class = typename Traits::Class;
  using Value = typename Unwrapped<typename Traits::Value>::Value;
  (check_fits<Constraints, Value>(), ...);

  constexpr Schema plain = Plain<Value>::schema();
  FieldOf<Class> field;
  field.name = name;
  field.schema = plain;
  field.schema.description = description;
  (constraints.apply(field.schema), ...);
  field.optional = Unwrapped<typename Traits::Value>::access;
  field.required = !Unwrapped<typename Traits::Value>::is_optional && !field.schema.default_value.present();
  field.member = [](void* object) -> void* { return &(static_cast<Class*>(object)->*Member); };
  field.problem = problem_of(plain, field.schema, name, description);
  return field;
}

template <class... Classes>
template <class Holds>
constexpr Object<Classes...> Object<Classes...>::rule(std::string_view name, std::string_view must, Holds) const {
  static_assert(std::is_empty_v<Holds> && std::default_initializable<Holds>,
                "toolcontract: a rule is a lambda without captures that takes the described struct");
  using Argument = typename decltype(rule_argument(&Holds::operator()))::type;
  static_assert((std::is_base_of_v<Classes, Argument> && ...),
                "toolcontract: a rule takes the described struct, not a base of it");
  Object copy = *this;
  copy.rule_list[copy.rule_count++] =
      Rule{name, must, [](const void* object) { return rule_holds(&Holds::operator(), object); }};
  return copy;
}

// ---- described types --------------------------------------------------------------------------------------------------

template <class T>
concept Described = requires {
  Describe<T>::schema();
};

template <class T>
concept DescribedRecord = Described<T> && requires {
  Describe<T>::schema().fields;
};

template <class T>
inline constexpr auto description = Describe<T>::schema();

template <class T>
constexpr bool has_field(std::string_view name) {
  for (const Field& field : description<T>.fields)
    if (field.name == name) return true;
  return false;
}

template <class T, class... Classes>
struct RecordFields {
  static constexpr auto fields = [] {
    auto fields = description<T>.fields;
    std::size_t i = 0;
    (
        [&] {
          if constexpr (!std::same_as<T, Classes>)
            fields[i].upcast = [](void* object) -> void* { return static_cast<Classes*>(static_cast<T*>(object)); };
          ++i;
        }(),
        ...);
    return fields;
  }();
};

template <class T, class... Classes>
constexpr Schema described_schema(const Object<Classes...>& object) {
  static_assert((std::is_base_of_v<Classes, T> && ...),
                "toolcontract: every field of a described struct is a member of it or of a base of it");
  static_assert(std::is_default_constructible_v<T>, "toolcontract: a described struct is default constructible");
  Schema schema = plain(Type::object, record_storage<T>);
  if constexpr ((std::same_as<T, Classes> && ...))
    schema.fields = object.fields;
  else
    schema.fields = RecordFields<T, Classes...>::fields;
  schema.rules = std::span(object.rule_list).first(object.rule_count);
  schema.allow_unknown = object.unknown_allowed;
  return schema;
}

template <class T, class E, std::size_t N>
constexpr Schema described_schema(const Enumeration<E, N>& enumeration) {
  static_assert(std::same_as<T, E>, "toolcontract: tool_schema(tc::type<E>) lists the values of E itself");
  Schema schema = plain(Type::string, enum_storage<E>);
  schema.choices = enumeration.choices;
  return schema;
}

template <class T, class... Ts>
constexpr Schema described_schema(const Tagged<Ts...>& tagged) {
  static_assert(std::same_as<T, std::variant<Ts...>>,
                "toolcontract: tagged lists the alternatives of the variant, each once and in the variant's order");
  static_assert((DescribedRecord<Ts> && ...),
                "toolcontract: each alternative of a union is a struct described with tc::object");
  if constexpr ((DescribedRecord<Ts> && ...))
    static_assert(!(has_field<Ts>(description<T>.tag) || ...),
                  "toolcontract: an alternative describes a field of the tag's name; leave it out, the union itself "
                  "reads and writes the tag");
  Schema schema = plain(Type::object, VariantAccess<Ts...>::storage);
  schema.tag = tagged.tag;
  schema.alternatives = tagged.alternatives;
  return schema;
}

template <class T>
constexpr Schema make_schema() {
  if constexpr (!Plain<T>::is_described) {
    return Plain<T>::schema();
  } else {
    static_assert(
        Described<T>,
        "toolcontract: this type is not described; write constexpr auto tool_schema(tc::type<T>) beside it, or use "
        "bool, a fixed-width integer, float, double, std::string, std::vector, std::array, std::map<std::string, T> or "
        "nlohmann::json");
    if constexpr (Described<T>) {
      constexpr Problem problem = description<T>.problem;
      static_assert(problem != Problem::empty_name,
                    "toolcontract: a field, value or tag has an empty name; give it one");
      static_assert(problem != Problem::duplicate_name,
                    "toolcontract: two fields, values or tags of one description have the same name; rename one");
      static_assert(problem != Problem::empty_description,
                    "toolcontract: a field has an empty description; say what it is for and show an example value");
      static_assert(
          problem != Problem::bound_outside_member,
          "toolcontract: a bound lies outside what the member's type can hold; widen the member or narrow the bound");
      static_assert(problem != Problem::empty_range, "toolcontract: a range is empty, its least is above its most");
      static_assert(problem != Problem::repeated_value, "toolcontract: one enumerator has two names; keep one");
      static_assert(problem != Problem::bad_step, "toolcontract: multiple_of takes a step above zero");
      return described_schema<T>(description<T>);
    } else {
      return Schema{};
    }
  }
}

template <class T>
inline constexpr Schema schema_constant = make_schema<T>();

template <class T>
const Schema& late_schema() {
  return schema_constant<T>;
}

}  // namespace detail

template <class... Ts>
constexpr detail::Tagged<Ts...> tagged(std::string_view tag, detail::AlternativeOf<Ts>... alternatives) {
  static_assert(sizeof...(Ts) > 0, "toolcontract: tagged takes at least one alternative");
  detail::Tagged<Ts...> result{tag, {Alternative{alternatives.tag, Link{nullptr, &detail::late_schema<Ts>}}...}};
  if (tag.empty()) result.problem = detail::Problem::empty_name;
  for (std::size_t i = 0; i < sizeof...(Ts); ++i) {
    if (result.alternatives[i].tag.empty()) result.problem = detail::Problem::empty_name;
    for (std::size_t j = 0; j < i; ++j)
      if (result.alternatives[i].tag == result.alternatives[j].tag) result.problem = detail::Problem::duplicate_name;
  }
  return result;
}

}  // namespace v0
}  // namespace toolcontract
