// SPDX-License-Identifier: MIT
/// \file
/// The quick walk over a table: yes or no, filling a C++ object on the way.
///
///     std::size_t work = detail::work_limit;
///     detail::Acceptor<nlohmann::json>(work).value(table.root(), json, &object, depth);
///
/// Stops at the first fault, says nothing about it and allocates nothing of its own (a pattern engine, a default and a long
/// uniqueItems do). The object of a refused value is half filled and to be thrown away. explain.hpp is its slow twin.
/// Nothing here is for users: check.hpp is.
///
/// Cost: nlohmann/json; templates only.
#pragma once

#include <toolcontract/beyond.hpp>
#include <toolcontract/constraint.hpp>
#include <toolcontract/document.hpp>
#include <toolcontract/equality.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/json_walk.hpp>
#include <toolcontract/store_number.hpp>
#include <toolcontract/table.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {
namespace detail {

/// Steps one check may take: far above what any document of a million values needs, and an end to schemas whose
/// alternatives multiply with each level.
inline constexpr std::size_t work_limit = 10'000'000;

template <BasicJson J>
class Acceptor {
 public:
  explicit Acceptor(std::size_t& work) : work_(work) {}

  /// `into` may be null: then nothing is stored.
  bool value(const Schema& schema, const J& json, void* into, std::size_t depth) {
    if (work_ == 0) return false;
    --work_;
    return counted(schema, json, into, depth);
  }

  bool matches_union(std::span<const Link> branches, const J& json, std::size_t depth, std::size_t most) {
    std::size_t matched = 0;
    for (const Link& branch : branches) {
      if (value(*branch, json, nullptr, depth)) ++matched;
      if (matched > most || (most == Sizes::unlimited && matched > 0)) break;
    }
    return matched > 0 && matched <= most && work_ > 0;
  }

  /// Does a member's name satisfy propertyNames?
  bool name(const Schema& schema, const std::string& name) {
    if (schema.combined) return value(schema, J(name), nullptr, 1);
    return text(schema, name, nullptr);
  }

  bool number(const Schema& schema, const Number& number, void* into) {
    if (!schema.types.has(Type::number) && !(schema.types.has(Type::integer) && is_integral(number))) return false;
    if (!std::isfinite(number.as_double()) || !in_range(schema.limits, number)) return false;
    return number_rest(schema, number, into);
  }

  bool integer(const Schema& schema, std::int64_t value, void* into) {
    if (!schema.types.has(Type::integer) && !schema.types.has(Type::number)) return false;
    const Limits& limits = schema.limits;
    if (limits.range == Limits::Range::quick ? value < limits.lowest || value > limits.highest
                                             : limits.range == Limits::Range::exact && !in_range(limits, Number(value)))
      return false;
    return number_rest(schema, Number(value), into);
  }

  bool real(const Schema& schema, double value, void* into) {
    if (!schema.types.has(Type::number) || schema.limits.range == Limits::Range::exact)
      return number(schema, Number(value), into);
    if (!(value >= schema.limits.real_lowest && value <= schema.limits.real_highest) || !std::isfinite(value))
      return false;
    return number_rest(schema, Number(value), into);
  }

  bool number_rest(const Schema& schema, const Number& number, void* into) {
    if (schema.limits.multiple_of && !is_multiple_of(number, *schema.limits.multiple_of)) return false;
    if (schema.storage == nullptr) return true;
    std::uint64_t scratch;
    return store_number(*schema.storage, into != nullptr ? into : &scratch, number);
  }

  bool text(const Schema& schema, const std::string& text, void* into) {
    if (!schema.types.has(Type::string)) return false;
    if (schema.as_string) {
      const std::optional<Number> integer = integer_in(text);
      return integer && in_range(schema.limits, *integer) && number_rest(schema, *integer, into);
    }
    if (!schema.choices.empty()) return named(schema, text, into);
    if (!utf8::valid(text) || !length_fits(schema.limits, text) || !format_fits(schema.limits, text) ||
        !pattern_fits(schema.limits, text))
      return false;
    if (into != nullptr) *static_cast<std::string*>(into) = text;
    return true;
  }

 private:
  // A value whose step has been counted. Most are leaves that need no more than this, so it stands where it is called.
  [[gnu::always_inline]] bool counted(const Schema& schema, const J& json, void* into, std::size_t depth) {
    using Quick = Schema::Quick;
    if (json.is_string()) {
      if (schema.text == Quick::plain) return plain_text(schema, text_of(json), into);
      if (schema.text == Quick::constants) return is_constant(schema, text_of(json));
      if (schema.text == Quick::named) return named(schema, text_of(json), into);
    } else if (const auto* natural = json.template get_ptr<const typename J::number_unsigned_t*>()) {
      if (schema.integer == Quick::plain && std::in_range<std::int64_t>(*natural))
        return plain_integer(schema, static_cast<std::int64_t>(*natural), into);
    } else if (const auto* integer = json.template get_ptr<const typename J::number_integer_t*>()) {
      if (schema.integer == Quick::plain) return plain_integer(schema, *integer, into);
    } else if (const auto* real = json.template get_ptr<const typename J::number_float_t*>()) {
      if (schema.real == Quick::plain) return plain_real(schema, *real, into);
    } else if (const auto* truth = json.template get_ptr<const typename J::boolean_t*>()) {
      if (schema.boolean == Quick::plain) return plain_boolean(*truth, into);
    } else if (const auto* members = json.template get_ptr<const typename J::object_t*>()) {
      if constexpr (is_sorted<J>)
        if (schema.object == Quick::closed && depth > 0)
          return closed_record(schema.fields_by_name, *members, into, depth - 1);
    }
    return uncommon(schema, json, into, depth);
  }

  [[gnu::noinline]] bool uncommon(const Schema& schema, const J& json, void* into, std::size_t depth) {
    if (schema.object != Schema::Quick::no && json.is_object() && depth > 0)
      return record(schema, *json.template get_ptr<const typename J::object_t*>(), into, depth - 1, {});
    return own(schema, json, into, depth) && (!schema.combined || combined(schema, json, depth));
  }

  bool own(const Schema& schema, const J& json, void* into, std::size_t depth) {
    using V = nlohmann::detail::value_t;
    if (schema.storage != nullptr && schema.storage->form == Storage::Form::anything)
      return anything(schema, json, into, depth);
    switch (json.type()) {
      case V::boolean:
        return boolean(schema, json, into);
      case V::number_integer:
        return integer(schema, *json.template get_ptr<const typename J::number_integer_t*>(), into);
      case V::number_unsigned: {
        const auto value = *json.template get_ptr<const typename J::number_unsigned_t*>();
        return std::in_range<std::int64_t>(value) ? integer(schema, static_cast<std::int64_t>(value), into)
                                                  : number(schema, Number(value), into);
      }
      case V::number_float:
        return real(schema, *json.template get_ptr<const typename J::number_float_t*>(), into);
      case V::string:
        return text(schema, text_of(json), into);
      case V::array:
        return depth > 0 && array(schema, json, into, depth - 1);
      case V::object:
        return depth > 0 && object(schema, json, into, depth - 1);
      case V::null:
        return schema.types.has(Type::null);
      default:
        return false;
    }
  }

  [[gnu::always_inline]] static bool plain_text(const Schema& schema, const std::string& text, void* into) {
    if (!length_fits(schema.limits, text) || !utf8::valid(text)) return false;
    if (into != nullptr) *static_cast<std::string*>(into) = text;
    return true;
  }
  [[gnu::always_inline]] static bool is_constant(const Schema& schema, const std::string& text) {
    for (const Literal& literal : schema.allowed)
      if (utf8::same(literal.text(), text)) return true;
    return false;
  }
  static bool named(const Schema& schema, const std::string& text, void* into) {
    const Choice* choice = find_choice(schema, text);
    if (choice != nullptr && into != nullptr)
      store_integer(*schema.storage, into, static_cast<std::uint64_t>(choice->enumerator));
    return choice != nullptr;
  }
  [[gnu::always_inline]] static bool plain_integer(const Schema& schema, std::int64_t value, void* into) {
    if (value < schema.limits.lowest || value > schema.limits.highest) return false;
    if (schema.storage == nullptr) return true;
    if (value < 0 && !schema.storage->is_signed) return false;
    if (into != nullptr) store_integer(*schema.storage, into, static_cast<std::uint64_t>(value));
    return true;
  }
  static bool plain_boolean(bool value, void* into) {
    if (into != nullptr) *static_cast<bool*>(into) = value;
    return true;
  }
  static bool plain_real(const Schema& schema, double value, void* into) {
    if (!(value >= schema.limits.real_lowest && value <= schema.limits.real_highest) || !std::isfinite(value))
      return false;
    return into == nullptr || store_number(*schema.storage, into, Number(value));
  }

  // What only documents have: constants and the applicators that look at the same value again.
  bool combined(const Schema& schema, const J& json, std::size_t depth) {
    if (!schema.allowed.empty() && !is_allowed(schema, json)) return false;
    for (const Link& part : schema.all_of)
      if (!value(*part, json, nullptr, depth)) return false;
    return (schema.any_of.empty() || matches_union(schema.any_of, json, depth, Sizes::unlimited)) &&
           (schema.one_of.empty() || matches_union(schema.one_of, json, depth, 1)) &&
           (schema.beyond == nullptr || is_beyond(*schema.beyond, json, depth));
  }

  bool is_beyond(const Beyond& beyond, const J& json, std::size_t depth) {
    JsonWalk<J, Walk> walk(work_);
    return beyond.accepts(walk, &json, depth);
  }

  bool boolean(const Schema& schema, const J& json, void* into) {
    if (!schema.types.has(Type::boolean)) return false;
    if (into != nullptr) *static_cast<bool*>(into) = json.template get<bool>();
    return true;
  }

  bool array(const Schema& schema, const J& json, void* into, std::size_t depth) {
    const auto& elements = *json.template get_ptr<const typename J::array_t*>();
    if (!schema.types.has(Type::array) || !schema.limits.items.allow(elements.size())) return false;
    if (into != nullptr && schema.storage->resize != nullptr) schema.storage->resize(into, elements.size());
    std::size_t index = 0;
    for (const J& element : elements) {
      const Schema* item = element_schema(schema, index);
      void* slot = into != nullptr ? schema.storage->at(into, index) : nullptr;
      if (item != nullptr ? !value(*item, element, slot, depth) : soundness(element, depth) != Unsound::no)
        return false;
      ++index;
    }
    return !schema.limits.unique || !repeated<J>(elements);
  }

  bool object(const Schema& schema, const J& json, void* into, std::size_t depth) {
    if (!schema.types.has(Type::object)) return false;
    const auto& members = *json.template get_ptr<const typename J::object_t*>();
    if (!schema.limits.properties.allow(members.size())) return false;
    if (schema.property_names.now != nullptr)
      for (const auto& [key, member] : members)
        if (!name(*schema.property_names, key)) return false;
    if (!schema.tag.empty()) return tagged(schema, members, into, depth);
    if (into != nullptr && schema.storage->clear != nullptr) schema.storage->clear(into);
    return record(schema, members, into, depth, {});
  }

  bool anything(const Schema& schema, const J& json, void* into, std::size_t depth) {
    if (soundness(json, depth) != Unsound::no) return false;
    if (into == nullptr) return true;
    if (schema.storage->json_type == &json_type_tag<J>)
      *static_cast<J*>(into) = json;
    else
      schema.storage->parse(into, json_text(json, depth));
    return true;
  }

  template <class Members>
  bool tagged(const Schema& schema, const Members& members, void* into, std::size_t depth) {
    const auto tag = members.find(std::string(schema.tag));
    if (tag == members.end() || !tag->second.is_string()) return false;
    const Alternative* alternative = find_alternative(schema, text_of(tag->second));
    if (alternative == nullptr) return false;
    const auto index = static_cast<std::size_t>(alternative - schema.alternatives.data());
    return record(*alternative->schema, members, into != nullptr ? schema.storage->at(into, index) : nullptr, depth,
                  schema.tag);
  }

  /// `tag` is the union's own member, which the alternative does not describe.
  template <class Members>
  bool record(const Schema& schema, const Members& members, void* into, std::size_t depth, std::string_view tag) {
    if constexpr (is_sorted<J>) return record_in_step(schema, members, into, depth, tag);
    for (const auto& [key, member] : members) {
      if (key == tag && !tag.empty()) continue;
      if (find_field(schema, key) == nullptr && !extra(schema, key, member, into, depth)) return false;
    }
    for (const Field& field : schema.fields) {
      const auto member = members.find(std::string(field.name));
      const bool sound = member == members.end()
                             ? absent(field, into)
                             : value(field.schema, member->second, into != nullptr ? field.fill(into) : nullptr, depth);
      if (!sound) return false;
    }
    return true;
  }

  // Both sides are sorted by name, so one pass of equality tests finds every field.
  template <class Members>
  bool record_in_step(const Schema& schema, const Members& members, void* into, std::size_t depth,
                      std::string_view tag) {
    const bool open = schema.allow_unknown || schema.additional.now != nullptr;
    auto slot = schema.fields_by_name.begin();
    const auto end = schema.fields_by_name.end();
    for (const auto& [key, member] : members) {
      if (!tag.empty() && key == tag) continue;
      bool known = false;
      for (; slot != end; ++slot) {
        known = utf8::same(slot->name, key);
        if (known || (open && slot->name > key)) break;
        if (slot->required || !absent(*slot->field, into)) return false;
      }
      if (known) {
        if (!value(*slot->schema, member, into != nullptr ? slot->field->fill(into) : nullptr, depth)) return false;
        ++slot;
      } else if (!open || !extra(schema, key, member, into, depth)) {
        return false;
      }
    }
    return all_absent(slot, end, into);
  }

  // The same where every member must be a field, which is where most of the time goes.
  template <class Members>
  [[gnu::noinline]] bool closed_record(std::span<const Slot> slots, const Members& members, void* into,
                                       std::size_t depth) {
    if (work_ < members.size()) {
      work_ = 0;
      return false;
    }
    work_ -= members.size();
    auto slot = slots.begin();
    const auto end = slots.end();
    auto member = members.begin();
    for (std::size_t left = members.size(); left > 0;) {
      for (;; ++slot) {
        if (slot == end) return false;
        if (utf8::same(slot->name, member->first)) break;
        if (slot->required || (into != nullptr && !absent(*slot->field, into))) return false;
      }
      void* at = into != nullptr ? slot->field->fill(into) : nullptr;
      if (!counted(*slot->schema, member->second, at, depth)) return false;
      ++slot;
      if (--left > 0) ++member;  // going past the last member is the longest way through a tree
    }
    return all_absent(slot, end, into);
  }

  template <class It>
  bool all_absent(It slot, It end, void* into) {
    for (; slot != end; ++slot)
      if (slot->required || !absent(*slot->field, into)) return false;
    return true;
  }

  // A member that is no field: an entry of a map, or passed over.
  bool extra(const Schema& schema, const std::string& key, const J& member, void* into, std::size_t depth) {
    if (!utf8::valid(key)) return false;
    if (!schema.additional.present()) return schema.allow_unknown && soundness(member, depth) == Unsound::no;
    return value(*schema.additional, member, into != nullptr ? schema.storage->insert(into, key) : nullptr, depth);
  }

  bool absent(const Field& field, void* into) {
    if (field.required) return false;
    if (into != nullptr && field.schema.default_value.present()) store_default(field, into);
    return true;
  }

  // The default has been checked against its schema when the tool was built.
  void store_default(const Field& field, void* object) {
    const Literal& literal = field.schema.default_value;
    void* into = field.fill(object);
    switch (literal.form()) {
      case Literal::Form::boolean:
        *static_cast<bool*>(into) = literal.boolean();
        break;
      case Literal::Form::number:
        (void)number(field.schema, literal.number(), into);
        break;
      case Literal::Form::string:
        (void)text(field.schema, std::string(literal.text()), into);
        break;
      case Literal::Form::json:
        (void)value(field.schema, parse<J>(literal.text()).value(), into, default_depth);
        break;
      default:
        break;
    }
  }

  std::size_t& work_;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
