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

#include <toolcontract/constraint.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/schema.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
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

namespace detail {

// ---- storing into C++ objects -------------------------------------------------------------------------------------------

inline void store_integer(const Storage& storage, void* into, std::uint64_t bits) {
  const auto store = [&](auto narrow) { std::memcpy(into, &narrow, sizeof narrow); };
  switch (storage.size) {
    case 1: return store(static_cast<std::uint8_t>(bits));
    case 2: return store(static_cast<std::uint16_t>(bits));
    case 4: return store(static_cast<std::uint32_t>(bits));
    default: return store(bits);
  }
}

/// Stores a number that has passed its limits; false when a 64-bit member cannot hold it exactly.
inline bool store_number(const Storage& storage, void* into, const Number& number) {
  if (storage.form == Storage::Form::real) {
    constexpr double largest = (std::numeric_limits<float>::max)();
    const double value = number.as_double();
    const auto narrow = static_cast<float>(std::clamp(value, -largest, largest));
    storage.size == sizeof narrow ? std::memcpy(into, &narrow, sizeof narrow) : std::memcpy(into, &value, sizeof value);
    return true;
  }
  const std::optional<Number> integer = integer_of(number);
  if (!integer || (integer->is_signed() != storage.is_signed && integer->as_int64() < 0)) return false;  // top bit: negative, or beyond int64
  store_integer(storage, into, integer->as_uint64());
  return true;
}

inline const Choice* find_choice(const Schema& schema, std::string_view name) {
  for (const Choice& choice : schema.choices)
    if (choice.name == name) return &choice;
  return nullptr;
}
inline const Alternative* find_alternative(const Schema& schema, std::string_view tag) {
  for (const Alternative& alternative : schema.alternatives)
    if (alternative.tag == tag) return &alternative;
  return nullptr;
}
inline const Field* find_field(const Schema& schema, std::string_view name) {
  for (const Field& field : schema.fields)
    if (field.name == name) return &field;
  return nullptr;
}

template <BasicJson J>
const std::string& text_of(const J& json) {
  return json.template get_ref<const typename J::string_t&>();
}

/// Values equal as JSON Schema means it (1.0 equals 1), ordered so that equal ones meet after sorting.
template <BasicJson J>
bool less(const J& a, const J& b);

// ---- yes or no, filling on the way ------------------------------------------------------------------------------------

template <BasicJson J>
class Acceptor {
 public:
  /// `into` may be null: then nothing is stored.
  static bool value(const Schema& schema, const J& json, void* into, std::size_t depth) {
    using V = nlohmann::detail::value_t;
    if (schema.storage != nullptr && schema.storage->form == Storage::Form::anything) return anything(schema, json, into, depth);
    switch (json.type()) {
      case V::boolean: return boolean(schema, json, into);
      case V::number_integer:
      case V::number_unsigned:
      case V::number_float: return number(schema, number_of(json), into);
      case V::string: return text(schema, text_of(json), into);
      case V::array: return depth > 0 && array(schema, json, into, depth - 1);
      case V::object: return depth > 0 && object(schema, json, into, depth - 1, {});
      case V::null: return schema.types.has(Type::null);
      default: return false;
    }
  }

  static bool boolean(const Schema& schema, const J& json, void* into) {
    if (!schema.types.has(Type::boolean)) return false;
    if (into != nullptr) *static_cast<bool*>(into) = json.template get<bool>();
    return true;
  }

  static bool number(const Schema& schema, const Number& number, void* into) {
    if (!schema.types.has(Type::number) && !(schema.types.has(Type::integer) && is_integral(number))) return false;
    if (!std::isfinite(number.as_double()) || !in_range(schema.limits, number)) return false;
    if (schema.limits.multiple_of && !is_multiple_of(number, *schema.limits.multiple_of)) return false;
    if (schema.storage == nullptr) return true;
    std::uint64_t scratch;
    return store_number(*schema.storage, into != nullptr ? into : &scratch, number);
  }

  static bool text(const Schema& schema, const std::string& text, void* into) {
    if (!schema.types.has(Type::string)) return false;
    if (!schema.choices.empty()) {
      const Choice* choice = find_choice(schema, text);
      if (choice == nullptr) return false;
      if (into != nullptr) store_integer(*schema.storage, into, static_cast<std::uint64_t>(choice->enumerator));
      return true;
    }
    if (!utf8::valid(text) || !length_fits(schema.limits, text) || !format_fits(schema.limits, text) ||
        !pattern_fits(schema.limits, text))
      return false;
    if (into != nullptr) *static_cast<std::string*>(into) = text;
    return true;
  }

  static bool array(const Schema& schema, const J& json, void* into, std::size_t depth) {
    const auto& elements = json.template get_ref<const typename J::array_t&>();
    if (!schema.types.has(Type::array) || !schema.limits.items.allow(elements.size())) return false;
    if (into != nullptr && schema.storage->resize != nullptr) schema.storage->resize(into, elements.size());
    std::size_t index = 0;
    for (const J& element : elements) {
      if (!value(*schema.items, element, into != nullptr ? schema.storage->at(into, index) : nullptr, depth)) return false;
      ++index;
    }
    return !schema.limits.unique || !repeated(elements);
  }

  /// `tag` is the union's own member, which the alternative does not describe.
  static bool object(const Schema& schema, const J& json, void* into, std::size_t depth, std::string_view tag) {
    if (!schema.types.has(Type::object)) return false;
    const auto& members = json.template get_ref<const typename J::object_t&>();
    if (schema.is_map()) return map(schema, members, into, depth);
    if (!schema.tag.empty()) return tagged(schema, members, into, depth);
    if constexpr (is_sorted) return record_in_step(schema, members, into, depth, tag);
    else return record(schema, members, into, depth, tag);
  }

  /// The first two equal elements, as {later, earlier}.
  static std::optional<std::pair<std::size_t, std::size_t>> repeated(const typename J::array_t& elements) {
    std::vector<std::size_t> order(elements.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto before = [&](std::size_t a, std::size_t b) { return less(elements[a], elements[b]); };
    std::stable_sort(order.begin(), order.end(), before);
    std::optional<std::pair<std::size_t, std::size_t>> first;
    for (std::size_t i = 1; i < order.size(); ++i)
      if (!before(order[i - 1], order[i]) && (!first || order[i] < first->first)) first = {order[i], order[i - 1]};
    return first;
  }

 private:
  static constexpr bool is_sorted =
      std::is_same_v<typename J::object_t, std::map<std::string, J, typename J::object_t::key_compare,
                                                    typename J::object_t::allocator_type>> &&
      (std::is_same_v<typename J::object_t::key_compare, std::less<std::string>> ||
       std::is_same_v<typename J::object_t::key_compare, std::less<>>);

  static bool anything(const Schema& schema, const J& json, void* into, std::size_t depth) {
    if (soundness(json, depth) != Unsound::no) return false;
    if (into == nullptr) return true;
    if (schema.storage->json_type == &json_type_tag<J>) *static_cast<J*>(into) = json;
    else schema.storage->parse(into, json_text(json, depth));
    return true;
  }

  template <class Members>
  static bool map(const Schema& schema, const Members& members, void* into, std::size_t depth) {
    if (!schema.limits.properties.allow(members.size())) return false;
    if (into != nullptr) schema.storage->clear(into);
    for (const auto& [key, member] : members) {
      if (!utf8::valid(key)) return false;
      if (!value(*schema.items, member, into != nullptr ? schema.storage->insert(into, key) : nullptr, depth)) return false;
    }
    return true;
  }

  template <class Members>
  static bool tagged(const Schema& schema, const Members& members, void* into, std::size_t depth) {
    const auto tag = members.find(std::string(schema.tag));
    if (tag == members.end() || !tag->second.is_string()) return false;
    const Alternative* alternative = find_alternative(schema, text_of(tag->second));
    if (alternative == nullptr) return false;
    const auto index = static_cast<std::size_t>(alternative - schema.alternatives.data());
    void* active = into != nullptr ? schema.storage->at(into, index) : nullptr;
    const Schema& chosen = *alternative->schema;
    if constexpr (is_sorted) return record_in_step(chosen, members, active, depth, schema.tag);
    else return record(chosen, members, active, depth, schema.tag);
  }

  // Both sides are sorted by name, so one pass of equality tests finds every field.
  template <class Members>
  static bool record_in_step(const Schema& schema, const Members& members, void* into, std::size_t depth, std::string_view tag) {
    auto field = schema.fields_by_name.begin();
    const auto end = schema.fields_by_name.end();
    for (const auto& [key, member] : members) {
      if (key == tag && !tag.empty()) continue;
      while (field != end && (*field)->name != key) {
        if (schema.allow_unknown && (*field)->name > key) break;
        if (!absent(**field, into)) return false;
        ++field;
      }
      if (field != end && (*field)->name == key) {
        if (!value((*field)->schema, member, into != nullptr ? (*field)->fill(into) : nullptr, depth)) return false;
        ++field;
      } else if (!schema.allow_unknown || !passed_over(key, member, depth)) {
        return false;
      }
    }
    for (; field != end; ++field)
      if (!absent(**field, into)) return false;
    return true;
  }

  template <class Members>
  static bool record(const Schema& schema, const Members& members, void* into, std::size_t depth, std::string_view tag) {
    for (const auto& [key, member] : members) {
      if (key == tag && !tag.empty()) continue;
      const Field* field = find_field(schema, key);
      if (field == nullptr && (!schema.allow_unknown || !passed_over(key, member, depth))) return false;
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

  static bool passed_over(const std::string& key, const J& member, std::size_t depth) {
    return utf8::valid(key) && soundness(member, depth) == Unsound::no;
  }

  static bool absent(const Field& field, void* into) {
    if (field.required) return false;
    if (into != nullptr && field.schema.default_value.present()) store_default(field, into);
    return true;
  }

  // The default has been checked against its schema when the tool was built.
  static void store_default(const Field& field, void* object) {
    const Literal& literal = field.schema.default_value;
    void* into = field.fill(object);
    switch (literal.form()) {
      case Literal::Form::boolean: *static_cast<bool*>(into) = literal.boolean(); break;
      case Literal::Form::number: (void)number(field.schema, literal.number(), into); break;
      case Literal::Form::string: (void)text(field.schema, std::string(literal.text()), into); break;
      case Literal::Form::json: (void)value(field.schema, J::parse(literal.text(), nullptr, false), into, default_depth); break;
      default: break;
    }
  }
};

// ---- every field error --------------------------------------------------------------------------------------------------

template <BasicJson J>
class Explainer {
 public:
  explicit Explainer(FieldErrors& errors, std::size_t depth) : errors_(errors), most_depth_(depth) {}

  void value(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret) {
    secret = secret || schema.secret;
    if (schema.storage != nullptr && schema.storage->form == Storage::Form::anything) return anything(json, path, depth, secret);
    if (json.is_boolean() && schema.types.has(Type::boolean)) return;
    if (json.is_number()) return number(schema, json, path, secret);
    if (json.is_string()) return text(schema, json, path, secret);
    if (json.is_array() && schema.types.has(Type::array)) return array(schema, json, path, depth, secret);
    if (json.is_object() && schema.types.has(Type::object)) return object(schema, json, path, depth, secret);
    if (json.is_null() && schema.types.has(Type::null)) return;
    fault(path, "type", [&] { return problem::type(schema); }, json, secret);
  }

 private:
  template <class Say>
  void fault(const Path& path, std::string_view code, Say say, const J& json, bool secret) {
    if (errors_.full()) errors_.count();
    else errors_.add(path, code, say(), secret ? Shown("[redacted]") : shown(json));
  }
  template <class Say>
  void fault(const Path& path, std::string_view code, Say say) {  // where nothing arrived, or it is no use to show it
    if (errors_.full()) errors_.count();
    else errors_.add(path, code, say());
  }

  void anything(const J& json, const Path& path, std::size_t depth, bool secret) {
    switch (soundness(json, depth)) {
      case Unsound::no: return;
      case Unsound::too_deep: return fault(Path(), "too_deep", [&] { return problem::too_deep(most_depth_); });
      case Unsound::encoding: return fault(path, "encoding", problem::utf8);
      case Unsound::not_finite: return fault(path, "range", problem::finite);
      case Unsound::not_json: return fault(path, "type", [] { return std::string("must be a JSON value"); }, json, secret);
    }
  }

  void number(const Schema& schema, const J& json, const Path& path, bool secret) {
    const Number number = number_of(json);
    const Limits& limits = schema.limits;
    const bool real = schema.types.has(Type::number);
    const bool numeric = real || schema.types.has(Type::integer);
    if (numeric && !std::isfinite(number.as_double())) return fault(path, "range", problem::finite, json, secret);
    if (!real && !(schema.types.has(Type::integer) && is_integral(number)))
      return fault(path, "type", [&] { return problem::type(schema); }, json, secret);
    if (!in_range(limits, number)) return fault(path, "range", [&] { return problem::range(limits); }, json, secret);
    std::uint64_t scratch;
    if (schema.storage != nullptr && !store_number(*schema.storage, &scratch, number))
      return fault(path, "range", [&] { return problem::fits_64_bits(schema.storage->is_signed); }, json, secret);
    if (limits.multiple_of && !is_multiple_of(number, *limits.multiple_of))
      fault(path, "multiple_of", [&] { return problem::multiple(*limits.multiple_of); }, json, secret);
  }

  void text(const Schema& schema, const J& json, const Path& path, bool secret) {
    const std::string& text = text_of(json);
    const Limits& limits = schema.limits;
    if (!schema.types.has(Type::string)) return fault(path, "type", [&] { return problem::type(schema); }, json, secret);
    if (!schema.choices.empty()) {
      if (find_choice(schema, text) == nullptr)
        fault(path, "enum", [&] { return problem::one_of(problem::names(schema.choices), secret ? "" : text); }, json, secret);
      return;
    }
    if (!utf8::valid(text)) return fault(path, "encoding", problem::utf8, json, secret);
    if (!length_fits(limits, text)) fault(path, "length", [&] { return problem::length(limits.length); }, json, secret);
    if (!format_fits(limits, text))
      fault(path, "format", [&] { return std::string(format_problem(limits.format)); }, json, secret);
    if (!pattern_fits(limits, text)) fault(path, "pattern", [&] { return problem::pattern(limits.pattern); }, json, secret);
  }

  void array(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret) {
    if (depth == 0) return fault(Path(), "too_deep", [&] { return problem::too_deep(most_depth_); });
    const auto& elements = json.template get_ref<const typename J::array_t&>();
    if (!schema.limits.items.allow(elements.size()))
      fault(path, "count", [&] { return problem::items(schema.limits.items); }, json, secret);
    std::size_t index = 0;
    for (const J& element : elements) value(*schema.items, element, Path(&path, index++), depth - 1, secret);
    if (!schema.limits.unique || soundness(json, depth) != Unsound::no) return;
    if (const auto twins = Acceptor<J>::repeated(elements))
      fault(path, "unique", [&] { return problem::unique(twins->first, twins->second); }, json, secret);
  }

  void object(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret) {
    if (depth == 0) return fault(Path(), "too_deep", [&] { return problem::too_deep(most_depth_); });
    if (schema.is_map()) return map(schema, json, path, depth - 1, secret);
    if (!schema.tag.empty()) return tagged(schema, json, path, depth - 1, secret);
    record(schema, json, path, depth - 1, secret, {});
  }

  void map(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret) {
    if (!schema.limits.properties.allow(json.size()))
      fault(path, "count", [&] { return problem::properties(schema.limits.properties); }, json, secret);
    for (const auto& [key, member] : json.template get_ref<const typename J::object_t&>()) {
      const Path place(&path, std::string_view(key));
      if (!utf8::valid(key)) fault(place, "encoding", problem::utf8);
      value(*schema.items, member, place, depth, secret);
    }
  }

  void tagged(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret) {
    const auto& members = json.template get_ref<const typename J::object_t&>();
    const auto tag = members.find(std::string(schema.tag));
    const Path place(&path, schema.tag);
    if (tag == members.end())
      return fault(place, "required", [&] { return problem::required_tag(schema.alternatives); });
    const std::string_view given = tag->second.is_string() ? std::string_view(text_of(tag->second)) : std::string_view();
    const Alternative* alternative = tag->second.is_string() ? find_alternative(schema, given) : nullptr;
    if (alternative == nullptr)
      return fault(place, "enum", [&] { return problem::one_of(problem::names(schema.alternatives), secret ? "" : given); }, tag->second, secret);
    record(*alternative->schema, json, path, depth, secret, schema.tag);
  }

  void record(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret, std::string_view tag) {
    const auto& members = json.template get_ref<const typename J::object_t&>();
    for (const Field& field : schema.fields) {
      const auto member = members.find(std::string(field.name));
      const Path place(&path, field.name);
      if (member != members.end()) value(field.schema, member->second, place, depth, secret);
      else if (field.required) fault(place, "required", [&] { return problem::required(field.schema); });
    }
    for (const auto& [key, member] : members) {
      if ((key == tag && !tag.empty()) || find_field(schema, key) != nullptr) continue;
      const Path place(&path, std::string_view(key));
      if (schema.allow_unknown) anything(member, place, depth, secret);
      else fault(place, "unknown_field", [&, &name = key] { return problem::unknown_field(name, problem::names(schema.fields)); });
      if (schema.allow_unknown && !utf8::valid(key)) fault(place, "encoding", problem::utf8);
    }
  }

  FieldErrors& errors_;
  std::size_t most_depth_;
};

// ---- ordering for uniqueItems ---------------------------------------------------------------------------------------------

template <BasicJson J>
int order(const J& a, const J& b) {
  const auto rank = [](const J& value) { return value.is_number() ? 2 : static_cast<int>(value.type()) + 10; };
  const auto sign = [](auto x, auto y) { return x < y ? -1 : y < x ? 1 : 0; };
  if (rank(a) != rank(b)) return sign(rank(a), rank(b));
  if (a.is_number()) return sign(number_of(a), number_of(b));
  if (a.is_boolean()) return sign(a.template get<bool>(), b.template get<bool>());
  if (a.is_string()) return text_of(a).compare(text_of(b));
  if (a.size() != b.size() || !a.is_structured()) return sign(a.size(), b.size());
  if (a.is_array()) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (const int difference = order(a[i], b[i]); difference != 0) return difference;
    return 0;
  }
  // Objects of one size: by sorted keys, whatever order the members stand in.
  using Member = const typename J::object_t::value_type*;
  const auto sorted = [](const J& value) {
    std::vector<Member> members;
    for (const auto& member : value.template get_ref<const typename J::object_t&>()) members.push_back(&member);
    std::sort(members.begin(), members.end(), [](Member x, Member y) { return x->first < y->first; });
    return members;
  };
  const auto left = sorted(a);
  const auto right = sorted(b);
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (const int difference = left[i]->first.compare(right[i]->first); difference != 0) return difference;
    if (const int difference = order(left[i]->second, right[i]->second); difference != 0) return difference;
  }
  return 0;
}

template <BasicJson J>
bool less(const J& a, const J& b) {
  return order(a, b) < 0;
}

}  // namespace detail

template <BasicJson J>
bool accepts(const Schema& schema, const J& value, std::size_t depth) {
  return detail::Acceptor<J>::value(schema, value, nullptr, depth);
}

template <BasicJson J>
std::vector<FieldError> explain(const Schema& schema, const J& value, std::size_t depth) {
  FieldErrors errors;
  if (detail::soundness(value, depth) == detail::Unsound::too_deep) errors.add(Path(), "too_deep", problem::too_deep(depth));
  else detail::Explainer<J>(errors, depth).value(schema, value, Path(), depth, false);
  return errors.take();
}

}  // namespace v0
}  // namespace toolcontract
