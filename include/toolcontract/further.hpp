// SPDX-License-Identifier: MIT
/// \file
/// The keywords of a JSON Schema document that a table has no form for: read, and explained when they are not satisfied.
///
///     // {"not":{"required":["id","name"]}}         {"", "not", "must not be an object with id and name", "{2 keys}"}
///     // {"contains":{"type":"integer"}}            {"", "items", "must have at least 1 item of this kind: an integer; it has 0", "[2 items]"}
///     // {"dependentRequired":{"card":["owner"]}}   {"owner", "required", "must be given beside card: a string"}
///
/// not, if/then/else, patternProperties (with additionalProperties beside it), contains with minContains and maxContains,
/// dependentRequired, dependentSchemas and draft-07's dependencies. Which values satisfy them is for an engine to say:
/// schema_validator.hpp. Nothing here is for users.
///
/// Cost: std and RE2.
#pragma once

#include <toolcontract/accept.hpp>
#include <toolcontract/beyond.hpp>
#include <toolcontract/pattern.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/table.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace toolcontract {
inline namespace v0 {

namespace problem {

/// What kind of value a schema under `keyword` is about: "an integer, 1 to 5", "an object with id and name".
[[nodiscard]] inline std::string kind(const Schema& schema, std::string_view keyword, int hops = 4) {
  if (schema.types == Types::any() && schema.allowed.empty() && schema.fields.empty() && hops > 0)
    for (const std::span<const Link> parts : {schema.all_of, schema.any_of, schema.one_of}) {
      std::string text;
      for (const Link& part : parts.first((std::min)(parts.size(), std::size_t{8})))
        text.append(text.empty()                           ? ""
                    : parts.data() == schema.all_of.data() ? " and "
                                                           : ", or ")
            .append(kind(*part, keyword, hops - 1));
      if (!text.empty()) return text;
    }
  std::string fields;
  for (const Field& field : schema.fields) {
    if (!field.required) continue;
    fields.append(fields.empty() ? "an object with " : " and ").append(field.name);
    if (!field.schema.allowed.empty())
      fields.append(field.schema.is_const ? " " : " one of ").append(listed(field.schema.allowed));
  }
  const Limits& limits = schema.limits;
  if (!fields.empty()) return fields;
  if (!limits.pattern.empty()) return "a string that matches the pattern " + std::string(limits.pattern);
  if (!limits.length.any()) return "a string of " + sizes(limits.length, "characters");
  if (limits.multiple_of) return "a multiple of " + detail::number_text(*limits.multiple_of);
  if (schema.types == Types::any() && (limits.minimum || limits.maximum)) return "a number, " + bounds(limits);
  const bool narrower = !schema.fields.empty() || schema.items.present() || !schema.prefix_items.empty() ||
                        schema.additional.present() || schema.beyond != nullptr || !limits.items.any() ||
                        !limits.properties.any() || limits.unique || schema.property_names.present() ||
                        !schema.allow_unknown;
  return expected(schema) + (narrower ? " that fits the schema under " + std::string(keyword) : "");
}
[[nodiscard]] inline std::string excluded(const Schema& schema) {
  const std::string what = kind(schema, "not");
  return what == "any JSON value" ? nothing() : "must not be " + what;
}
[[nodiscard]] inline std::string contained(const Sizes& count, const Schema& item, std::size_t found) {
  const bool one = count.most == 1 || (count.least == 1 && count.most == Sizes::unlimited);
  return "must have " + sizes(count, one ? "item" : "items") + " of this kind: " + kind(item, "contains") +
         "; it has " + std::to_string(found);
}
[[nodiscard]] inline std::string required_beside(std::string_view present, const Schema& missing) {
  return "must be given beside " + std::string(present) + ": " + expected(missing);
}
[[nodiscard]] inline std::string unmatched_field(std::string_view given, std::span<const std::string_view> known,
                                                 std::span<const std::string_view> patterns) {
  const std::string others = known.empty() ? "names" : "the known fields are " + listed(known) + ", other names";
  std::string sources;  // as they are: quotes and backslashes mean something in a pattern
  for (const std::string_view pattern : patterns) sources.append(sources.empty() ? "" : ", ").append(pattern);
  return "must be left out; " + others + " must match " + sources + did_you_mean(given, known);
}

}  // namespace problem

namespace detail {

/// A value as an engine is asked about it: where it is, how deep it may still go, who can look at it.
struct Sight {
  Opaque json = nullptr;
  std::size_t depth = 0;
  Walk* walk = nullptr;
  friend bool operator==(const Sight&, const Sight&) = default;
};

/// What the keywords say. Each is absent when its Link or list is.
class FurtherKeywords : public Beyond {
 public:
  /// \throws SchemaRefusal where a keyword is malformed.
  template <class Keywords>
  explicit FurtherKeywords(Keywords& keywords) {
    const auto read = [&](const char* key, Link& into) {
      if (const auto* schema = keywords.find(key)) into = keywords.inner(*schema, key);
    };
    read("not", not_);
    read("if", if_);
    if (if_.present()) {
      read("then", then_);
      read("else", else_);
    }
    read("contains", contains_);
    if (contains_.present() && keywords.is_modern()) {
      if (const auto* least = keywords.find("minContains")) count_.least = keywords.size("minContains", *least);
      if (const auto* most = keywords.find("maxContains")) count_.most = keywords.size("maxContains", *most);
    }
    read_members(keywords);
    read_dependents(keywords);
    for (const Link& link : {not_, if_, then_, else_})
      if (link.present()) parts_.push_back(link);
    for (const Dependent& dependent : dependents_)
      if (dependent.schema.present()) parts_.push_back(dependent.schema);
  }

  void explain(Explanation& out, const Schema& schema, Opaque json, const Path& path, std::size_t depth,
               bool secret) const override {
    const Nesting nesting(out);
    if (out.work == 0) return;
    if (contains_.present() && out.is_array(json)) {
      const std::size_t found = matching({json, depth, &out}, Sizes::unlimited);
      if (!count_.allow(found)) out.fault(path, "items", problem::contained(count_, *contains_, found), json, secret);
    }
    if (out.is_object(json)) {
      explain_members(out, schema, json, path, depth, secret);
      explain_dependents(out, schema, json, path, depth, secret);
    }
    if (if_.present()) {
      const Link& branch = out.accepts(*if_, json, depth) ? then_ : else_;
      if (branch.present()) out.explain(*branch, json, path, depth, secret);
    }
    if (not_.present() && out.accepts(*not_, json, depth))
      out.fault(path, "not", problem::excluded(*not_), json, secret);
  }

  std::span<const Link> parts() const override { return parts_; }

  std::vector<const Schema*> member_schemas(std::string_view name) const override {
    std::vector<const Schema*> schemas;
    judge(name, [&](const Schema& schema) { schemas.push_back(&schema); });
    return schemas;
  }

 protected:
  struct Patterned {
    std::shared_ptr<const Pattern> pattern;
    Link schema;
  };
  struct Dependent {
    std::string name;
    std::vector<std::string> required;  ///< or
    Link schema;
  };

  /// Counts how many schemas with further keywords are looked at inside each other on this thread, for each takes stack, and
  /// ends the check's work when there are too many.
  class Nesting {
   public:
    explicit Nesting(Walk& walk) {
      if (++level() > most) walk.work = 0;
    }
    ~Nesting() { --level(); }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    static constexpr std::size_t most = 200;
    static std::size_t& level() noexcept {
      thread_local std::size_t level = 0;
      return level;
    }
  };

  /// How many elements of an array are what contains asks for; counts to `most` + 1 and no further.
  [[nodiscard]] std::size_t matching(const Sight& array, std::size_t most) const {
    std::size_t found = 0;
    const std::size_t size = array.walk->size(array.json);
    for (std::size_t i = 0; i < size && found <= most; ++i)
      if (array.walk->accepts(*contains_, array.walk->element(array.json, i), array.depth - 1)) ++found;
    return found;
  }

  /// Are all members of an object what patternProperties and additionalProperties ask for?
  [[nodiscard]] bool members_fit(const Sight& at) const {
    bool fit = true;
    at.walk->each_member(at.json, [&](const std::string& name, Opaque member) {
      if (fit) fit = spend(*at.walk);
      if (fit) judge(name, [&](const Schema& schema) { fit = fit && at.walk->accepts(schema, member, at.depth - 1); });
    });
    return fit;
  }

  Link not_, if_, then_, else_, contains_;
  Sizes count_{1};
  std::vector<Patterned> patterned_;
  std::vector<Dependent> dependents_;

 private:
  template <class Keywords>
  void read_members(Keywords& keywords) {
    const auto* patterns = keywords.find("patternProperties");
    if (patterns == nullptr || keywords.object("patternProperties", *patterns).empty()) return;
    for (const auto& [source, schema] : patterns->items())
      patterned_.push_back(
          {keywords.compile_pattern("patternProperties", source), keywords.inner(schema, "patternProperties", source)});
    if (const auto* properties = keywords.find("properties"))
      for (const auto& [name, schema] : keywords.object("properties", *properties).items()) properties_.insert(name);
    if (const auto* others = keywords.take_additional()) others_ = keywords.inner(*others, "additionalProperties");
  }

  template <class Keywords>
  void read_dependents(Keywords& keywords) {
    const auto read = [&](const char* key, bool lists, bool schemas) {
      const auto* dependents = keywords.find(key);
      if (dependents == nullptr) return;
      for (const auto& [name, value] : keywords.object(key, *dependents).items()) {
        Dependent& dependent = dependents_.emplace_back(Dependent{name, {}, {}});
        if (!lists || (schemas && !value.is_array()))
          dependent.schema = keywords.inner(value, key, name);
        else
          for (const auto& other : keywords.strings(key, value)) dependent.required.push_back(text_of(other));
      }
    };
    if (!keywords.is_modern()) return read("dependencies", true, true);
    read("dependentRequired", true, false);
    read("dependentSchemas", false, true);
  }

  [[nodiscard]] bool spend(Walk& walk) const {
    walk.work -= (std::min)(walk.work, patterned_.size());
    return walk.work > 0;
  }

  /// Calls visit(schema) for each schema that a member must satisfy for its name.
  template <class Visit>
  void judge(std::string_view name, const Visit& visit) const {
    bool known = properties_.contains(name);
    for (const Patterned& patterned : patterned_) {
      if (!patterned.pattern->matches(name)) continue;
      known = true;
      visit(*patterned.schema);
    }
    if (!known && others_.present()) visit(*others_);
  }

  void explain_members(Explanation& out, const Schema& schema, Opaque json, const Path& path, std::size_t depth,
                       bool secret) const {
    if (patterned_.empty()) return;
    out.each_member(json, [&](const std::string& name, Opaque member) {
      const Path place(&path, std::string_view(name));
      if (!spend(out)) return;
      judge(name, [&](const Schema& asked) {
        if (&asked != others_.now || !asked.accepts_nothing())
          return out.explain(asked, member, place, depth - 1, secret);
        std::vector<std::string_view> known, patterns;
        for (const Field& field : schema.fields)
          if (properties_.contains(field.name)) known.push_back(field.name);
        for (const Patterned& patterned : patterned_) patterns.push_back(patterned.pattern->source());
        out.fault(place, "unknown_field", problem::unmatched_field(name, known, patterns), nullptr, secret);
      });
    });
  }

  void explain_dependents(Explanation& out, const Schema& schema, Opaque json, const Path& path, std::size_t depth,
                          bool secret) const {
    std::set<std::string_view> told;
    for (const Dependent& dependent : dependents_) {
      if (out.member(json, dependent.name) == nullptr) continue;
      for (const std::string& other : dependent.required) {
        const Field* field = find_field(schema, other);
        if (out.member(json, other) != nullptr || (field != nullptr && field->required) || !told.insert(other).second)
          continue;
        out.fault(Path(&path, std::string_view(other)), "required",
                  problem::required_beside(dependent.name, field != nullptr ? field->schema : Schema()), nullptr,
                  secret);
      }
      if (dependent.schema.present()) out.explain(*dependent.schema, json, path, depth, secret);
    }
  }

  Link others_;  // additionalProperties beside patternProperties
  std::set<std::string, std::less<>> properties_;
  std::vector<Link> parts_;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
