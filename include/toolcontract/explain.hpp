// SPDX-License-Identifier: MIT
/// \file
/// The slow walk over a table: every field error of a value that was refused.
///
///     detail::Explainer<nlohmann::json>(errors, depth, work).value(table.root(), json, Path(), depth, false);
///
/// Visits what accept.hpp visits, with the same leaf checks, and goes on where that stops. Unions are explained in
/// explain_branches.hpp. Nothing here is for users: check.hpp is.
///
/// Cost: nlohmann/json; templates only; runs once something is wrong.
#pragma once

#include <toolcontract/accept.hpp>
#include <toolcontract/constraint.hpp>
#include <toolcontract/equality.hpp>
#include <toolcontract/explain_branches.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/table.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

template <BasicJson J>
class Explainer {
 public:
  Explainer(FieldErrors& errors, std::size_t depth, std::size_t& work)
      : errors_(errors), most_depth_(depth), work_(work) {}

  void value(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret) {
    if (work_ == 0) return;
    --work_;
    secret = secret || schema.secret;
    if (!own(schema, json, path, depth, secret) || !schema.combined) return;
    if (!schema.allowed.empty() && !detail::is_allowed(schema, json))
      fault(
          path, schema.is_const ? "const" : "enum",
          [&] { return problem::one_of(schema, secret ? std::string_view() : given(json)); }, json, secret);
    for (const Link& part : schema.all_of) value(*part, json, path, depth, secret);
    if (!schema.any_of.empty() && !Acceptor<J>(work_).matches_union(schema.any_of, json, depth, Sizes::unlimited))
      BranchExplainer<J>(*this, json, path, depth, secret).none_fits(schema.any_of, "any_of");
    if (!schema.one_of.empty() && !Acceptor<J>(work_).matches_union(schema.one_of, json, depth, 1))
      BranchExplainer<J>(*this, json, path, depth, secret).not_one_fits(schema.one_of);
    if (schema.beyond == nullptr) return;
    Beside beside(*this);
    schema.beyond->explain(beside, schema, &json, path, depth, secret);
  }

 private:
  friend class BranchExplainer<J>;

  class Beside final : public JsonWalk<J, Explanation> {
   public:
    explicit Beside(Explainer& explainer) : JsonWalk<J, Explanation>(explainer.work_), explainer_(explainer) {}
    void explain(const Schema& schema, Opaque json, const Path& path, std::size_t depth, bool secret) override {
      explainer_.value(schema, this->at(json), path, depth, secret);
    }
    void fault(const Path& path, std::string_view code, std::string problem, Opaque got, bool secret) override {
      const auto say = [&] { return std::move(problem); };
      if (got == nullptr)
        explainer_.fault(path, code, say);
      else
        explainer_.fault(path, code, say, this->at(got), secret);
    }

   private:
    Explainer& explainer_;
  };

  template <class Say>
  void fault(const Path& path, std::string_view code, Say say, const J& json, bool secret) {
    if (errors_.full())
      errors_.count();
    else
      errors_.add(path, code, say(), secret ? Shown("[redacted]") : shown(json));
  }
  template <class Say>
  void fault(const Path& path, std::string_view code, Say say) {  // where nothing arrived, or it is no use to show it
    if (errors_.full())
      errors_.count();
    else
      errors_.add(path, code, say());
  }
  void too_deep() {
    fault(Path(), "too_deep", [&] { return problem::too_deep(most_depth_); });
  }

  /// False when the type is wrong: then nothing else about the value is worth saying.
  bool own(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret) {
    if (schema.storage != nullptr && schema.storage->form == Storage::Form::anything)
      return anything(json, path, depth, secret), false;
    const bool numeric = schema.types.has(Type::number) || schema.types.has(Type::integer);
    if (json.is_number() && numeric && !std::isfinite(number_of(json).as_double()))
      return fault(path, "range", problem::finite, json, secret), false;
    if (!has_type(schema, json)) {
      if (schema.accepts_nothing())
        fault(path, "not", problem::nothing);
      else
        fault(
            path, "type", [&] { return problem::type(schema); }, json, secret);
      return false;
    }
    if (json.is_number())
      number(schema, json, path, secret);
    else if (json.is_string())
      schema.as_string ? integer_text(schema, json, path, secret) : text(schema, json, path, secret);
    else if (json.is_array())
      array(schema, json, path, depth, secret);
    else if (json.is_object())
      object(schema, json, path, depth, secret);
    return true;
  }

  void anything(const J& json, const Path& path, std::size_t depth, bool secret) {
    switch (soundness(json, depth)) {
      case Unsound::no:
        return;
      case Unsound::too_deep:
        return too_deep();
      case Unsound::encoding:
        return fault(path, "encoding", problem::utf8);
      case Unsound::not_finite:
        return fault(path, "range", problem::finite);
      case Unsound::not_json:
        return fault(
            path, "type", [] { return std::string("must be a JSON value"); }, json, secret);
    }
  }

  void integer_text(const Schema& schema, const J& json, const Path& path, bool secret) {
    const std::string& text = text_of(json);
    const std::optional<Number> integer = integer_in(text);
    std::uint64_t scratch;
    const auto say = [&] { return problem::type(schema); };
    if (!utf8::valid(text))
      fault(path, "encoding", problem::utf8, json, secret);
    else if (!is_integer_text(text))
      fault(path, "pattern", say, json, secret);
    else if (!integer || !in_range(schema.limits, *integer) || !store_number(*schema.storage, &scratch, *integer))
      fault(path, "range", say, json, secret);
    else if (schema.limits.multiple_of && !is_multiple_of(*integer, *schema.limits.multiple_of))
      fault(path, "multiple_of", say, json, secret);
  }

  void number(const Schema& schema, const J& json, const Path& path, bool secret) {
    const Number number = number_of(json);
    const Limits& limits = schema.limits;
    if (!in_range(limits, number))
      return fault(
          path, "range", [&] { return problem::range(limits); }, json, secret);
    std::uint64_t scratch;
    if (schema.storage != nullptr && !store_number(*schema.storage, &scratch, number))
      return fault(
          path, "range", [&] { return problem::fits_64_bits(schema.storage->is_signed); }, json, secret);
    if (limits.multiple_of && !is_multiple_of(number, *limits.multiple_of))
      fault(
          path, "multiple_of", [&] { return problem::multiple(*limits.multiple_of); }, json, secret);
  }

  void text(const Schema& schema, const J& json, const Path& path, bool secret) {
    const std::string& text = text_of(json);
    const Limits& limits = schema.limits;
    if (!schema.choices.empty()) {
      if (find_choice(schema, text) == nullptr)
        fault(
            path, "enum",
            [&] { return problem::one_of(problem::names(schema.choices), secret ? std::string_view() : text); }, json,
            secret);
      return;
    }
    if (!utf8::valid(text) && !schema.allowed.empty()) return;  // none of the constants, which is said instead
    if (!utf8::valid(text)) return fault(path, "encoding", problem::utf8, json, secret);
    if (!length_fits(limits, text))
      fault(
          path, "length", [&] { return problem::length(limits.length); }, json, secret);
    if (!format_fits(limits, text))
      fault(
          path, "format", [&] { return std::string(format_problem(limits.format)); }, json, secret);
    if (!pattern_fits(limits, text))
      fault(
          path, "pattern", [&] { return problem::pattern(limits.pattern); }, json, secret);
  }

  // Parts that look at the same value go through all of it themselves: what this schema only passes over is theirs to tell.
  static bool is_walked_again(const Schema& schema) {
    return !schema.all_of.empty() || !schema.any_of.empty() || !schema.one_of.empty();
  }

  void array(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret) {
    if (depth == 0) return too_deep();
    const auto& elements = json.template get_ref<const typename J::array_t&>();
    if (!schema.limits.items.allow(elements.size()))
      fault(
          path, "count", [&] { return problem::items(schema.limits.items); }, json, secret);
    std::size_t index = 0;
    for (const J& element : elements) {
      const Path place(&path, index);
      const Schema* item = element_schema(schema, index++);
      if (item == nullptr && is_walked_again(schema)) continue;
      if (item == nullptr)
        anything(element, place, depth - 1, secret);
      else if (item->accepts_nothing() && index > schema.prefix_items.size())
        fault(
            place, "items", [&] { return problem::no_item(schema.prefix_items.size()); }, element, secret);
      else
        value(*item, element, place, depth - 1, secret);
    }
    if (!schema.limits.unique || soundness(json, depth) != Unsound::no) return;
    if (const auto twins = repeated<J>(elements))
      fault(
          path, "unique", [&] { return problem::unique(twins->first, twins->second); }, json, secret);
  }

  void object(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret) {
    if (depth == 0) return too_deep();
    if (!schema.limits.properties.allow(json.size()))
      fault(
          path, "count", [&] { return problem::properties(schema.limits.properties); }, json, secret);
    if (schema.property_names.present())
      for (const auto& [key, member] : json.template get_ref<const typename J::object_t&>())
        if (!Acceptor<J>(work_).name(*schema.property_names, key))
          fault(Path(&path, std::string_view(key)), "property_name",
                [&, &name = key] { return problem::property_name(*schema.property_names, name); });
    if (!schema.tag.empty()) return tagged(schema, json, path, depth - 1, secret);
    record(schema, json, path, depth - 1, secret, {});
  }

  void tagged(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret) {
    const auto& members = json.template get_ref<const typename J::object_t&>();
    const auto tag = members.find(std::string(schema.tag));
    const Path place(&path, schema.tag);
    if (tag == members.end()) {
      fault(place, "required", [&] { return problem::required_tag(schema.alternatives); });
      std::vector<const Schema*> bodies;
      for (const Alternative& alternative : schema.alternatives) bodies.push_back(&*alternative.schema);
      return BranchExplainer<J>(*this, json, path, depth, secret).known_nowhere(bodies, schema.tag);
    }
    const Alternative* alternative = tag->second.is_string() ? find_alternative(schema, text_of(tag->second)) : nullptr;
    if (alternative == nullptr)
      return fault(
          place, "enum",
          [&] {
            return problem::one_of(problem::names(schema.alternatives),
                                   secret ? std::string_view() : given(tag->second));
          },
          tag->second, secret);
    record(*alternative->schema, json, path, depth, secret, schema.tag);
  }

  void record(const Schema& schema, const J& json, const Path& path, std::size_t depth, bool secret,
              std::string_view tag) {
    const auto& members = json.template get_ref<const typename J::object_t&>();
    for (const Field& field : schema.fields) {
      const auto member = members.find(std::string(field.name));
      const Path place(&path, field.name);
      if (member != members.end())
        value(field.schema, member->second, place, depth, secret);
      else if (field.required)
        fault(place, "required", [&] { return problem::required(field.schema); });
    }
    for (const auto& [key, member] : members) {
      if ((key == tag && !tag.empty()) || find_field(schema, key) != nullptr) continue;
      const Path place(&path, std::string_view(key));
      if (!schema.additional.present() && !schema.allow_unknown) {
        fault(place, "unknown_field", [&, &name = key] {
          auto known = problem::names(schema.fields);
          if (!tag.empty()) known.insert(known.begin(), tag);
          return problem::unknown_field(name, known);
        });
        continue;
      }
      if (!schema.additional.present() && is_walked_again(schema)) continue;
      if (!utf8::valid(key)) fault(place, "encoding", problem::utf8);
      if (schema.additional.present())
        value(*schema.additional, member, place, depth, secret);
      else
        anything(member, place, depth, secret);
    }
  }

  FieldErrors& errors_;
  std::size_t most_depth_;
  std::size_t& work_;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
