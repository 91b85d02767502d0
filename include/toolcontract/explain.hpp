// SPDX-License-Identifier: MIT
/// \file
/// The slow walk over a table: every field error of a value that was refused.
///
///     detail::Explainer<nlohmann::json>(errors, depth, work).value(table.root(), json, Path(), depth, false);
///
/// Visits what accept.hpp visits, with the same leaf checks, and goes on where that stops. Of a union it explains the
/// alternative that fits best: a matching constant tag wins, then the right type, then fewest and deepest errors.
/// Where several fit equally well and lack different members, they are told together.
/// Nothing here is for users: check.hpp is.
///
/// Cost: nlohmann/json; templates only; runs once something is wrong.
#pragma once

#include <toolcontract/accept.hpp>
#include <toolcontract/constraint.hpp>
#include <toolcontract/equality.hpp>
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
      no_branch(schema.any_of, "any_of", json, path, depth, secret);
    if (!schema.one_of.empty() && !Acceptor<J>(work_).matches_union(schema.one_of, json, depth, 1))
      one_branch(schema.one_of, json, path, depth, secret);
    if (schema.beyond == nullptr) return;
    Beside beside(*this);
    schema.beyond->explain(beside, schema, &json, path, depth, secret);
  }

 private:
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

  static std::string_view given(const J& json) {
    return json.is_string() ? std::string_view(text_of(json)) : std::string_view();
  }
  static bool has_type(const Schema& schema, const J& json) {
    if (json.is_number())
      return schema.types.has(Type::number) || (schema.types.has(Type::integer) && is_integral(number_of(json)));
    return (json.is_boolean() && schema.types.has(Type::boolean)) ||
           (json.is_string() && schema.types.has(Type::string)) || (json.is_array() && schema.types.has(Type::array)) ||
           (json.is_object() && schema.types.has(Type::object)) || (json.is_null() && schema.types.has(Type::null));
  }

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
      return known_nowhere(bodies, schema.tag, json, path);
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

  // ---- unions: explain the branch that fits best ----

  // A branch is nearer the more of these hold: its constant tag is the value's, its type is the value's, its errors are
  // few, they lie deep, it knows many of the value's members.
  struct Fit {
    bool tag, type;
    std::size_t errors, depth, known;
    friend bool operator<(const Fit& a, const Fit& b) {
      if (a.tag != b.tag) return b.tag;
      if (a.type != b.type) return b.type;
      if (a.errors != b.errors) return a.errors > b.errors;
      return a.depth != b.depth ? a.depth < b.depth : a.known < b.known;
    }
  };

  void no_branch(std::span<const Link> branches, std::string_view code, const J& json, const Path& path,
                 std::size_t depth, bool secret) {
    if (work_ == 0) return;
    if (const std::string_view tag = common_tag(branches); !tag.empty())
      return tagged_branch(branches, tag, json, path, depth, secret);
    std::vector<std::string_view> constants;
    std::vector<Link> others;    // branches that take other types
    bool typed = false;          // some branch takes values of this type
    bool only_constants = true;  // and each of those is a list of constants
    std::vector<FieldErrors> best;
    std::optional<Fit> best_fit;
    for (const Link& branch : branches) {
      FieldErrors errors;
      Explainer(errors, most_depth_, work_).value(*branch, json, path, depth, secret);
      const Fit fit{matches_tag(*branch, json), takes_type(*branch, json), errors.size(), errors.deepest(),
                    known_members(*branch, json)};
      if (fit.type) {
        typed = true;
        only_constants = only_constants && !(*branch).allowed.empty();
        for (const Literal& literal : (*branch).allowed)
          if (literal.form() == Literal::Form::string) constants.push_back(literal.text());
      } else {
        others.push_back(branch);
      }
      if (best_fit && fit < *best_fit) continue;
      if (best_fit && *best_fit < fit) best.clear();
      best_fit = fit;
      best.push_back(std::move(errors));
    }
    if (!typed)
      return fault(
          path, code, [&] { return problem::branches(branches); }, json, secret);
    if (only_constants)
      return fault(
          path, "enum", [&] { return problem::one_of(constants, secret ? std::string_view() : given(json)); }, json,
          secret);
    if (best.size() > 1 && each_lacks_another(best, code, json, path, secret)) return;
    const bool nullable = others.size() == 1 && (*others[0]).types == Types(Type::null);  // no need to say so
    if (!others.empty() && !nullable && best_fit->depth > path.steps())
      best.front().extend_first(problem::or_else(path, others));
    errors_.append(std::move(best.front()));
  }

  // Branches that fit equally well, and differ only in the members they lack: then no single one is to be told.
  bool each_lacks_another(const std::vector<FieldErrors>& branches, std::string_view code, const J& json,
                          const Path& path, bool secret) {
    const auto in_each = [&](const FieldError& error) {
      return std::all_of(branches.begin(), branches.end(), [&](const FieldErrors& branch) {
        return std::any_of(branch.list().begin(), branch.list().end(), [&](const FieldError& other) {
          return other.field == error.field && other.code == error.code;
        });
      });
    };
    const std::size_t prefix = path.text().size();
    std::vector<std::string> lacking;
    for (const FieldErrors& branch : branches) {
      std::string members;
      for (const FieldError& error : branch.list()) {
        if (in_each(error)) continue;
        if (error.code != "required") return false;
        constexpr std::string_view given = "must be given: ";
        std::string_view name = std::string_view(error.field).substr(prefix);
        if (name.starts_with('.')) name.remove_prefix(1);
        members.append(members.empty() ? "" : " and ").append(name);
        if (error.problem.starts_with(given) && error.problem != "must be given: any JSON value")
          members.append(" (").append(error.problem.substr(given.size())).append(")");
      }
      if (members.empty()) return false;
      if (std::find(lacking.begin(), lacking.end(), members) == lacking.end()) lacking.push_back(std::move(members));
    }
    if (lacking.size() < 2) return false;
    lacking.resize((std::min)(lacking.size(), std::size_t{8}));
    fault(
        path, code, [&] { return problem::lacks(lacking); }, json, secret);
    FieldErrors common;
    for (const FieldError& error : branches.front().list())
      if (in_each(error)) common.add_again(error);
    errors_.append(std::move(common));
    return true;
  }

  static std::size_t known_members(const Schema& branch, const J& json) {
    std::size_t known = 0;
    if (json.is_object())
      for (const auto& [key, member] : json.template get_ref<const typename J::object_t&>())
        known += find_field(body(branch), key) != nullptr;
    return known;
  }

  void one_branch(std::span<const Link> branches, const J& json, const Path& path, std::size_t depth, bool secret) {
    std::size_t matched = 0;
    for (const Link& branch : branches)
      if (Acceptor<J>(work_).value(*branch, json, nullptr, depth)) ++matched;
    if (matched == 0) return no_branch(branches, "one_of", json, path, depth, secret);
    if (work_ > 0)
      fault(
          path, "one_of", [&] { return problem::several_branches(matched); }, json, secret);
  }

  // Where every branch is an object that requires one and the same member to be a constant of its own, that member decides.
  static const Literal* constant(const Schema& branch, std::string_view tag) {
    for (const Field& field : body(branch).fields)
      if (field.name == tag && field.required && field.schema.allowed.size() == 1 &&
          field.schema.allowed[0].form() == Literal::Form::string)
        return &field.schema.allowed[0];
    return nullptr;
  }
  static const Schema& body(const Schema& branch, int hops = 8) {
    const bool refers = hops > 0 && branch.fields.empty() && branch.all_of.size() == 1;
    return refers ? body(*branch.all_of[0], hops - 1) : branch;
  }
  static std::string_view common_tag(std::span<const Link> branches) {
    for (const Field& field : body(*branches.front()).fields)
      if (std::all_of(branches.begin(), branches.end(),
                      [&](const Link& branch) { return constant(*branch, field.name) != nullptr; }))
        return field.name;
    return {};
  }
  void tagged_branch(std::span<const Link> branches, std::string_view tag, const J& json, const Path& path,
                     std::size_t depth, bool secret) {
    if (!json.is_object())
      return fault(
          path, "type", [&] { return problem::type(body(*branches.front())); }, json, secret);
    std::vector<std::string_view> names;
    for (const Link& branch : branches) names.push_back(constant(*branch, tag)->text());
    const Path place(&path, tag);
    const auto member = json.find(std::string(tag));
    if (member == json.end()) {
      fault(place, "required", [&] { return "must be given: one of " + problem::listed(names); });
      std::vector<const Schema*> bodies;
      for (const Link& branch : branches) bodies.push_back(&body(*branch));
      return known_nowhere(bodies, {}, json, path);
    }
    for (const Link& branch : branches)
      if (equals(*member, *constant(*branch, tag))) return value(*branch, json, path, depth, secret);
    fault(
        place, "enum", [&] { return problem::one_of(names, secret ? std::string_view() : given(*member)); }, *member,
        secret);
  }

  // Without a tag no alternative is chosen, but a member that none of them knows is wrong in each: perhaps the misspelt tag.
  void known_nowhere(std::span<const Schema* const> bodies, std::string_view tag, const J& json, const Path& path) {
    std::vector<std::string_view> known;
    if (!tag.empty()) known.push_back(tag);
    for (const Schema* one : bodies) {
      if (one->additional.present() || one->allow_unknown) return;
      for (const std::string_view name : problem::names(one->fields))
        if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
    for (const auto& [key, member] : json.template get_ref<const typename J::object_t&>())
      if (std::find(known.begin(), known.end(), key) == known.end())
        fault(Path(&path, std::string_view(key)), "unknown_field",
              [&, &name = key] { return problem::unknown_field(name, known); });
  }

  // The type as the branch itself says it, through the references and alternatives it consists of.
  bool takes_type(const Schema& schema, const J& json) {
    if (work_ == 0 || !has_type(schema, json)) return false;
    --work_;
    const auto taken = [&](const Link& link) { return takes_type(*link, json); };
    return std::all_of(schema.all_of.begin(), schema.all_of.end(), taken) &&
           (schema.any_of.empty() || std::any_of(schema.any_of.begin(), schema.any_of.end(), taken)) &&
           (schema.one_of.empty() || std::any_of(schema.one_of.begin(), schema.one_of.end(), taken));
  }

  // Some member that the branch fixes to a constant has that constant here.
  bool matches_tag(const Schema& schema, const J& json) {
    if (work_ == 0 || !json.is_object()) return false;
    --work_;
    for (const Field& field : schema.fields) {
      if (field.schema.allowed.size() != 1) continue;
      const auto member = json.find(std::string(field.name));
      if (member != json.end() && equals(*member, field.schema.allowed[0])) return true;
    }
    return std::any_of(schema.all_of.begin(), schema.all_of.end(),
                       [&](const Link& link) { return matches_tag(*link, json); });
  }

  FieldErrors& errors_;
  std::size_t most_depth_;
  std::size_t& work_;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
