// SPDX-License-Identifier: MIT
/// \file
/// Why does none of several alternatives fit? Told for the one that fits best.
///
///     BranchExplainer<nlohmann::json>(explainer, json, path, depth, secret).none_fits(schema.any_of, "any_of");
///     // of {"kind":"iban"}, where kinds are constants: "number must be given: a string", and nothing about cards
///
/// A matching constant tag wins, then the right type, then fewest and deepest errors. Where several fit equally well and
/// lack different members, they are told together. Nothing here is for users: check.hpp is.
///
/// Cost: nlohmann/json; templates only; runs once something is wrong.
#pragma once

#include <toolcontract/accept.hpp>
#include <toolcontract/equality.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/table.hpp>

#include <algorithm>
#include <cstddef>
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
class Explainer;  // explain.hpp

/// The text of a string, "" for anything else.
template <BasicJson J>
std::string_view given(const J& json) {
  return json.is_string() ? std::string_view(text_of(json)) : std::string_view();
}

template <BasicJson J>
bool has_type(const Schema& schema, const J& json) {
  if (json.is_number())
    return schema.types.has(Type::number) || (schema.types.has(Type::integer) && is_integral(number_of(json)));
  return (json.is_boolean() && schema.types.has(Type::boolean)) ||
         (json.is_string() && schema.types.has(Type::string)) || (json.is_array() && schema.types.has(Type::array)) ||
         (json.is_object() && schema.types.has(Type::object)) || (json.is_null() && schema.types.has(Type::null));
}

/// Says of one value why it is refused by a union of branches.
template <BasicJson J>
class BranchExplainer {
 public:
  BranchExplainer(Explainer<J>& whole, const J& value, const Path& path, std::size_t depth, bool secret)
      : whole_(whole), work_(whole.work_), json_(value), path_(path), depth_(depth), secret_(secret) {}

  /// No branch takes the value. `code`: any_of or one_of.
  void none_fits(std::span<const Link> branches, std::string_view code) {
    if (work_ == 0) return;
    if (const std::string_view tag = common_tag(branches); !tag.empty()) return tagged_branch(branches, tag);
    std::vector<std::string_view> constants;
    std::vector<Link> others;    // branches that take other types
    bool typed = false;          // some branch takes values of this type
    bool only_constants = true;  // and each of those is a list of constants
    std::vector<FieldErrors> best;
    std::optional<Fit> best_fit;
    for (const Link& branch : branches) {
      FieldErrors errors;
      Explainer<J>(errors, whole_.most_depth_, work_).value(*branch, json_, path_, depth_, secret_);
      const Fit fit{matches_tag(*branch), takes_type(*branch), errors.size(), errors.deepest(), known_members(*branch)};
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
      return whole_.fault(
          path_, code, [&] { return problem::branches(branches); }, json_, secret_);
    if (only_constants)
      return whole_.fault(
          path_, "enum", [&] { return problem::one_of(constants, secret_ ? std::string_view() : given(json_)); }, json_,
          secret_);
    if (best.size() > 1 && each_lacks_another(best, code)) return;
    const bool nullable = others.size() == 1 && (*others[0]).types == Types(Type::null);  // no need to say so
    if (!others.empty() && !nullable && best_fit->depth > path_.steps())
      best.front().extend_first(problem::or_else(path_, others));
    whole_.errors_.append(std::move(best.front()));
  }

  /// No branch takes the value, or more than one does.
  void not_one_fits(std::span<const Link> branches) {
    std::size_t matched = 0;
    for (const Link& branch : branches)
      if (Acceptor<J>(work_).value(*branch, json_, nullptr, depth_)) ++matched;
    if (matched == 0) return none_fits(branches, "one_of");
    if (work_ > 0)
      whole_.fault(
          path_, "one_of", [&] { return problem::several_branches(matched); }, json_, secret_);
  }

  /// Without a tag no branch is chosen, but a member that none of them knows is wrong in each: perhaps the misspelt tag.
  void known_nowhere(std::span<const Schema* const> bodies, std::string_view tag) {
    std::vector<std::string_view> known;
    if (!tag.empty()) known.push_back(tag);
    for (const Schema* one : bodies) {
      if (one->additional.present() || one->allow_unknown) return;
      for (const std::string_view name : problem::names(one->fields))
        if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    }
    for (const auto& [key, member] : json_.template get_ref<const typename J::object_t&>())
      if (std::find(known.begin(), known.end(), key) == known.end())
        whole_.fault(Path(&path_, std::string_view(key)), "unknown_field",
                     [&, &name = key] { return problem::unknown_field(name, known); });
  }

 private:
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

  // Branches that fit equally well, and differ only in the members they lack: then no single one is to be told.
  bool each_lacks_another(const std::vector<FieldErrors>& branches, std::string_view code) {
    const auto in_each = [&](const FieldError& error) {
      return std::all_of(branches.begin(), branches.end(), [&](const FieldErrors& branch) {
        return std::any_of(branch.list().begin(), branch.list().end(), [&](const FieldError& other) {
          return other.field == error.field && other.code == error.code;
        });
      });
    };
    const std::size_t prefix = path_.text().size();
    std::vector<std::string> lacking;
    for (const FieldErrors& branch : branches) {
      std::string members;
      for (const FieldError& error : branch.list()) {
        if (in_each(error)) continue;
        if (error.code != "required") return false;
        constexpr std::string_view needed = "must be given: ";
        std::string_view name = std::string_view(error.field).substr(prefix);
        if (name.starts_with('.')) name.remove_prefix(1);
        members.append(members.empty() ? "" : " and ").append(name);
        if (error.problem.starts_with(needed) && error.problem != "must be given: any JSON value")
          members.append(" (").append(error.problem.substr(needed.size())).append(")");
      }
      if (members.empty()) return false;
      if (std::find(lacking.begin(), lacking.end(), members) == lacking.end()) lacking.push_back(std::move(members));
    }
    if (lacking.size() < 2) return false;
    lacking.resize((std::min)(lacking.size(), std::size_t{8}));
    whole_.fault(
        path_, code, [&] { return problem::lacks(lacking); }, json_, secret_);
    FieldErrors common;
    for (const FieldError& error : branches.front().list())
      if (in_each(error)) common.add_again(error);
    whole_.errors_.append(std::move(common));
    return true;
  }

  std::size_t known_members(const Schema& branch) const {
    std::size_t known = 0;
    if (json_.is_object())
      for (const auto& [key, member] : json_.template get_ref<const typename J::object_t&>())
        known += find_field(body(branch), key) != nullptr;
    return known;
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
  void tagged_branch(std::span<const Link> branches, std::string_view tag) {
    if (!json_.is_object())
      return whole_.fault(
          path_, "type", [&] { return problem::type(body(*branches.front())); }, json_, secret_);
    std::vector<std::string_view> names;
    for (const Link& branch : branches) names.push_back(constant(*branch, tag)->text());
    const Path place(&path_, tag);
    const auto member = json_.find(std::string(tag));
    if (member == json_.end()) {
      whole_.fault(place, "required", [&] { return "must be given: one of " + problem::listed(names); });
      std::vector<const Schema*> bodies;
      for (const Link& branch : branches) bodies.push_back(&body(*branch));
      return known_nowhere(bodies, {});
    }
    for (const Link& branch : branches)
      if (equals(*member, *constant(*branch, tag))) return whole_.value(*branch, json_, path_, depth_, secret_);
    whole_.fault(
        place, "enum", [&] { return problem::one_of(names, secret_ ? std::string_view() : given(*member)); }, *member,
        secret_);
  }

  // The type as the branch itself says it, through the references and alternatives it consists of.
  bool takes_type(const Schema& schema) {
    if (work_ == 0 || !has_type(schema, json_)) return false;
    --work_;
    const auto taken = [&](const Link& link) { return takes_type(*link); };
    return std::all_of(schema.all_of.begin(), schema.all_of.end(), taken) &&
           (schema.any_of.empty() || std::any_of(schema.any_of.begin(), schema.any_of.end(), taken)) &&
           (schema.one_of.empty() || std::any_of(schema.one_of.begin(), schema.one_of.end(), taken));
  }

  // Some member that the branch fixes to a constant has that constant here.
  bool matches_tag(const Schema& schema) {
    if (work_ == 0 || !json_.is_object()) return false;
    --work_;
    for (const Field& field : schema.fields) {
      if (field.schema.allowed.size() != 1) continue;
      const auto member = json_.find(std::string(field.name));
      if (member != json_.end() && equals(*member, field.schema.allowed[0])) return true;
    }
    return std::any_of(schema.all_of.begin(), schema.all_of.end(),
                       [&](const Link& link) { return matches_tag(*link); });
  }

  Explainer<J>& whole_;
  std::size_t& work_;
  const J& json_;
  const Path& path_;
  std::size_t depth_;
  bool secret_;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
