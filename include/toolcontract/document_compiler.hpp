// SPDX-License-Identifier: MIT
/// \file
/// From a JSON Schema document to a table, keyword by keyword; what cannot be enforced is refused.
///
///     {"type":"object","properties":{"n":{"type":"integer","minLenght":3}}}      // minLenght: an annotation, listed
///     {"properties":{"n":{"not":{}}}}     // SchemaRefusal: at /properties/n, not: is not enforced by Checker; compile_any …
///
/// Follows JSON Schema 2020-12 and draft-07 (json-schema.org). One Schema a place in the document; references become
/// links, so recursion is a cycle of links; a cycle that consumes no input is refused. Nothing here is for users but
/// SchemaRefusal: checker.hpp is.
///
/// Cost: nlohmann/json; templates only; runs once a document.
#pragma once

#include <toolcontract/beyond.hpp>
#include <toolcontract/check.hpp>
#include <toolcontract/equality.hpp>
#include <toolcontract/pattern.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/reference.hpp>
#include <toolcontract/table.hpp>
#include <toolcontract/table_builder.hpp>

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Why a JSON Schema document is not used.
struct SchemaRefusal : std::invalid_argument {
  SchemaRefusal(std::string where, std::string key, std::string why)
      : std::invalid_argument("toolcontract: the schema is refused at " + (where.empty() ? "its root" : where) + ", " +
                              key + ": " + why),
        at(std::move(where)),
        keyword(std::move(key)),
        problem(std::move(why)) {}
  std::string at;       ///< JSON Pointer of the schema that has the keyword
  std::string keyword;  ///< "" when it is the schema itself
  std::string problem;  ///< what is wrong and the remedy
};

namespace detail {

/// Turns one document into a table. Throws SchemaRefusal; Checker::compile catches it. `Further` is a Beyond made from the
/// keywords the table has no form for; without one they are refused.
template <BasicJson J, class Further = void>
class DocumentCompiler {
 public:
  explicit DocumentCompiler(const J& document)
      : document_(document), dialect_(dialect_of(document, "")), references_(document, dialect_) {
    if (!references_.duplicate().empty())
      refuse(references_.duplicate(), "$id", "stands twice; each $id and anchor must be given once");
  }

  std::shared_ptr<const Table> compile() {
    const Schema& root = *compile(document_, "", "", 0);
    for (const auto& [node, schema] : compiled_) find_loop(*schema);
    check_defaults();
    return std::move(builder_).finish(root);
  }

  [[nodiscard]] std::vector<std::string> take_not_checked() { return std::move(not_checked_); }

 private:
  [[noreturn]] static void refuse(const std::string& at, std::string_view keyword, std::string problem) {
    throw SchemaRefusal(at, std::string(keyword), std::move(problem));
  }

  static Dialect dialect_of(const J& schema, const std::string& at) {
    if (!schema.is_object() || !schema.contains("$schema")) return Dialect::draft_2020_12;
    const J& named = schema["$schema"];
    if (!named.is_string()) refuse(at, "$schema", "must be a string that names the dialect");
    std::string_view name = text_of(named);
    if (name.ends_with('#')) name.remove_suffix(1);
    if (name == "https://json-schema.org/draft/2020-12/schema") return Dialect::draft_2020_12;
    if (name == "http://json-schema.org/draft-07/schema") return Dialect::draft_07;
    refuse(at, "$schema",
           "names the dialect " + std::string(name.substr(0, 100)) +
               "; 2020-12 and draft-07 are understood, translate the document to one of them");
  }

  // ---- one schema ----

  Schema* compile(const J& node, const std::string& outer_base, const std::string& at, std::size_t depth) {
    constexpr std::size_t most_depth = 256;
    if (depth > most_depth) refuse(at, "", "is nested too deeply; at most 256 schemas may stand inside each other");
    if (const auto known = compiled_.find(&node); known != compiled_.end()) return known->second;
    Schema& schema = builder_.add();
    compiled_.emplace(&node, &schema);
    places_.emplace(&schema, at);
    schema.allow_unknown = true;
    if (node.is_boolean()) {
      if (!node.template get<bool>()) schema.types = Types();
    } else if (!node.is_object()) {
      refuse(at, "", "must be a schema: an object, true or false");
    } else {
      Keywords(*this, schema, node, references_.base_of(node, outer_base), at, depth).compile();
    }
    done_.insert(&schema);
    return &schema;
  }

  // The keywords of one object schema.
  class Keywords {
   public:
    Keywords(DocumentCompiler& compiler, Schema& schema, const J& node, std::string base, const std::string& at,
             std::size_t depth)
        : c_(compiler), schema_(schema), node_(node), base_(std::move(base)), at_(at), depth_(depth) {}

    void compile() {
      if (!at_.empty() && node_.contains("$schema") && dialect_of(node_, at_) != c_.dialect_)
        refuse("$schema", "changes the dialect inside the document; write all of it in one");
      const bool only_ref = c_.dialect_ == Dialect::draft_07 && node_.contains("$ref");
      for (const auto& [key, value] : node_.template get_ref<const typename J::object_t&>())
        if (!only_ref || key == "$ref") keyword(key, value);
      if constexpr (!std::is_void_v<Further>)
        if (has_further_)
          schema_.beyond = c_.builder_.keep(std::shared_ptr<const Beyond>(std::make_shared<const Further>(*this)));
      finish_object();
      finish_array();
      if (only_ref || reference_ != nullptr) finish_reference();
      schema_.all_of = c_.builder_.keep(std::move(all_of_));
      schema_.combined = !schema_.allowed.empty() || !schema_.all_of.empty() || !schema_.any_of.empty() ||
                         !schema_.one_of.empty() || schema_.beyond != nullptr;
      schema_.prepare();
    }

    // ---- for Further ----

    [[nodiscard]] bool is_modern() const { return c_.dialect_ == Dialect::draft_2020_12; }
    [[nodiscard]] const J* find(const char* key) const {
      const auto member = node_.find(key);
      return member == node_.end() ? nullptr : &*member;
    }
    [[nodiscard]] Link inner(const J& value, const std::string& token, std::string_view name) const {
      return {c_.compile(value, base_, at_ + pointer_token(token) + pointer_token(name), depth_ + 1), nullptr};
    }
    /// additionalProperties, which is then no longer the table's to check; null when there is none.
    [[nodiscard]] const J* take_additional() { return std::exchange(additional_, nullptr); }
    [[nodiscard]] std::shared_ptr<const Pattern> compile_pattern(std::string_view key, std::string_view source) const {
      try {
        return std::make_shared<const Pattern>(source);
      } catch (const PatternError& error) {
        refuse(key, std::string(error.what()).substr(std::string_view("toolcontract: ").size()));
      }
    }
    [[noreturn]] void refuse(std::string_view key, std::string problem) const {
      DocumentCompiler::refuse(at_, key, std::move(problem));
    }

   private:
    void keyword(const std::string& key, const J& value) {
      using namespace std::string_view_literals;
      const bool modern = c_.dialect_ == Dialect::draft_2020_12;
      if (key == "type")
        types(value);
      else if (key == "enum")
        enumeration(value);
      else if (key == "const")
        allow({literal(value)}, true);
      else if (key == "minimum")
        tighten(schema_.limits.minimum, {number(key, value)}, 1);
      else if (key == "maximum")
        tighten(schema_.limits.maximum, {number(key, value)}, -1);
      else if (key == "exclusiveMinimum")
        tighten(schema_.limits.minimum, {number(key, value), true}, 1);
      else if (key == "exclusiveMaximum")
        tighten(schema_.limits.maximum, {number(key, value), true}, -1);
      else if (key == "multipleOf")
        step(number(key, value));
      else if (key == "minLength")
        schema_.limits.length.least = size(key, value);
      else if (key == "maxLength")
        schema_.limits.length.most = size(key, value);
      else if (key == "minItems")
        schema_.limits.items.least = size(key, value);
      else if (key == "maxItems")
        schema_.limits.items.most = size(key, value);
      else if (key == "minProperties")
        schema_.limits.properties.least = size(key, value);
      else if (key == "maxProperties")
        schema_.limits.properties.most = size(key, value);
      else if (key == "uniqueItems")
        schema_.limits.unique = boolean(key, value);
      else if (key == "pattern")
        pattern(value);
      else if (key == "format")
        format(value);
      else if (key == "properties")
        properties_ = &object(key, value);
      else if (key == "required")
        required_ = &strings(key, value);
      else if (key == "additionalProperties")
        additional_ = &value;
      else if (key == "propertyNames")
        schema_.property_names = inner(value, key);
      else if (key == "items" && !(value.is_array() && !modern))
        items_ = &value;
      else if (key == "items" || (key == "prefixItems" && modern))
        schema_.prefix_items = list(key, value);
      else if (key == "additionalItems" && !modern)
        additional_items_ = &value;
      else if (key == "allOf")
        for (const Link& link : list(key, value)) all_of_.push_back(link);
      else if (key == "anyOf")
        schema_.any_of = list(key, value);
      else if (key == "oneOf")
        schema_.one_of = list(key, value);
      else if (key == "$ref")
        reference(value);
      else if (key == "title")
        schema_.title = note(key, value);
      else if (key == "description")
        schema_.description = note(key, value);
      else if (key == "default")
        default_value(value);
      else if (key == "writeOnly")
        write_only(boolean(key, value));
      else if (key == "deprecated")
        schema_.deprecated = boolean(key, value);
      else if (one_of(key, {"$schema"sv, "$id"sv, "$comment"sv, "$defs"sv, "definitions"sv, "examples"sv, "readOnly"sv,
                            "contentEncoding"sv, "contentMediaType"sv, "contentSchema"sv, "$vocabulary"sv}) ||
               (modern && one_of(key, {"$anchor"sv, "$dynamicAnchor"sv}))) {
        // says nothing about which values are valid
      } else if (one_of(key, {"not"sv, "if"sv, "patternProperties"sv, "contains"sv}) ||
                 (modern && one_of(key, {"dependentRequired"sv, "dependentSchemas"sv})) ||
                 (!modern && key == "dependencies")) {
        further(key);
      } else if ((one_of(key, {"then"sv, "else"sv}) && !node_.contains("if")) ||
                 (modern && one_of(key, {"minContains"sv, "maxContains"sv}) && !node_.contains("contains"))) {
        // without their companion these say nothing
      } else if (one_of(key, {"then"sv, "else"sv}) || (modern && one_of(key, {"minContains"sv, "maxContains"sv}))) {
        further(key);
      } else if (modern &&
                 one_of(key, {"unevaluatedProperties"sv, "unevaluatedItems"sv, "$dynamicRef"sv, "$recursiveRef"sv})) {
        refuse(key, "is not enforced; close the objects with additionalProperties, or name the target with $ref");
      } else {
        c_.not_checked_.push_back(at_ + ": " + key);
      }
    }

    void further(std::string_view key) {
      if constexpr (std::is_void_v<Further>)
        refuse(key, "is not enforced by Checker; compile_any in schema_validator.hpp takes documents with it");
      else
        has_further_ = true;
    }

    static bool one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
      for (const std::string_view known : keys)
        if (key == known) return true;
      return false;
    }

    // ---- reading values, also for Further ----

   public:
    Number number(std::string_view key, const J& value) const {
      if (!value.is_number() || !std::isfinite(number_of(value).as_double())) refuse(key, "must be a number");
      return number_of(value);
    }
    std::size_t size(std::string_view key, const J& value) const {
      const auto whole = value.is_number() ? integer_of(number_of(value)) : std::nullopt;
      if (!whole || *whole < Number(0)) refuse(key, "must be a whole number, 0 or more");
      return static_cast<std::size_t>(whole->as_uint64());
    }
    bool boolean(std::string_view key, const J& value) const {
      if (!value.is_boolean()) refuse(key, "must be true or false");
      return value.template get<bool>();
    }
    const J& object(std::string_view key, const J& value) const {
      if (!value.is_object()) refuse(key, "must be an object of schemas");
      return value;
    }
    const J& strings(std::string_view key, const J& value) const {
      if (!value.is_array()) refuse(key, "must be an array of strings");
      for (const J& entry : value)
        if (!entry.is_string()) refuse(key, "must be an array of strings");
      return value;
    }
    std::string_view note(std::string_view key, const J& value) const {
      if (!value.is_string()) refuse(key, "must be a string");
      return c_.builder_.keep(std::string(text_of(value)));
    }
    Literal literal(const J& value) const {
      if (value.is_null()) return Literal(nullptr);
      if (value.is_boolean()) return Literal(value.template get<bool>());
      if (value.is_number()) return Literal(number_of(value));
      if (value.is_string()) return Literal(c_.builder_.keep(std::string(text_of(value))));
      return Literal::json(c_.builder_.keep(canonical_text(value)));
    }
    Link inner(const J& value, const std::string& token) const {
      return {c_.compile(value, base_, at_ + pointer_token(token), depth_ + 1), nullptr};
    }
    std::span<const Link> list(const std::string& key, const J& value) const {
      if (!value.is_array() || value.empty()) refuse(key, "must be an array of at least one schema");
      std::vector<Link> links;
      for (std::size_t i = 0; i < value.size(); ++i)
        links.push_back({c_.compile(value[i], base_, at_ + "/" + key + "/" + std::to_string(i), depth_ + 1), nullptr});
      return c_.builder_.keep(std::move(links));
    }

   private:
    // ---- keywords ----

    void types(const J& value) {
      constexpr std::pair<std::string_view, Type> names[] = {
          {"null", Type::null},     {"boolean", Type::boolean}, {"integer", Type::integer}, {"number", Type::number},
          {"string", Type::string}, {"array", Type::array},     {"object", Type::object}};
      schema_.types = Types();
      const auto add = [&](const J& name) {
        for (const auto& [known, type] : names)
          if (name.is_string() && text_of(name) == known) {
            schema_.types = schema_.types | type;
            return;
          }
        refuse("type", "must be one of null, boolean, integer, number, string, array, object, or an array of these");
      };
      if (value.is_array() && !value.empty()) {
        for (const J& name : value) add(name);
      } else {
        add(value);
      }
    }

    void enumeration(const J& value) {
      if (!value.is_array()) refuse("enum", "must be an array of values");
      std::vector<Literal> literals;
      for (const J& entry : value) literals.push_back(literal(entry));
      if (literals.empty())
        schema_.types = Types();  // no value is allowed
      else
        allow(std::move(literals), false);
    }

    // enum and const together: both must hold.
    void allow(std::vector<Literal> literals, bool is_const) {
      Schema& target = schema_.allowed.empty() ? schema_ : c_.builder_.add();
      target.allowed = c_.builder_.keep(std::move(literals));
      target.is_const = is_const;
      if (&target == &schema_) return;
      target.allow_unknown = target.combined = true;
      all_of_.push_back({&target, nullptr});
    }

    static void tighten(std::optional<Bound>& bound, Bound other, int direction) {
      const auto tighter = [&] {
        const auto order = other.value <=> bound->value;
        if (order == 0) return other.exclusive && !bound->exclusive;
        return direction > 0 ? order > 0 : order < 0;
      };
      if (!bound || tighter()) bound = other;
    }

    void step(const Number& step) {
      if (!(step > Number(0))) refuse("multipleOf", "must be above 0");
      schema_.limits.multiple_of = step;
    }

    void pattern(const J& value) {
      if (!value.is_string()) refuse("pattern", "must be a string");
      schema_.limits.pattern = c_.builder_.keep(std::string(text_of(value)));
      schema_.limits.compiled_pattern = c_.builder_.keep(compile_pattern("pattern", schema_.limits.pattern));
    }

    void format(const J& value) {
      if (!value.is_string()) refuse("format", "must be a string");
      schema_.limits.format = format_from_name(text_of(value));
      if (schema_.limits.format == Format::none)
        c_.not_checked_.push_back(at_ + ": format " + std::string(text_of(value)));
    }

    void default_value(const J& value) {
      if (soundness(value, default_depth) != Unsound::no) refuse("default", "must be sound JSON of at most 64 levels");
      schema_.default_value = literal(value);
      c_.defaults_.emplace_back(&schema_, Default{&value, at_});
    }

    void write_only(bool secret) {
      schema_.secret = secret;
      if (secret) c_.builder_.mark_secret();
    }

    void reference(const J& value) {
      if (!value.is_string()) refuse("$ref", "must be a string");
      const auto place = c_.references_.find(base_, text_of(value));
      if (!place)
        refuse("$ref", "leads to " + std::string(utf8::prefix(text_of(value), 200)) +
                           ", which is not in the document; put the schema under $defs, nothing is fetched");
      reference_ = c_.compile(*place->schema, place->base, place->pointer, depth_ + 1);
    }

    // A lone reference takes the target's form over; beside other keywords, or before the target is finished, both must hold.
    void finish_reference() {
      const Schema untouched = [] {
        Schema s;
        s.allow_unknown = true;
        return s;
      }();
      const bool lone = !properties_ && !required_ && !additional_ && !items_ && !additional_items_ &&
                        all_of_.empty() && schema_.any_of.empty() && schema_.one_of.empty() &&
                        schema_.allowed.empty() && schema_.types == untouched.types && schema_.beyond == nullptr &&
                        !schema_.property_names.present() && schema_.prefix_items.empty() && plain(schema_.limits);
      if (!lone || !c_.done_.contains(reference_)) {
        all_of_.push_back({reference_, nullptr});
        return;
      }
      Schema taken = *reference_;
      if (!schema_.title.empty()) taken.title = schema_.title;
      if (!schema_.description.empty()) taken.description = schema_.description;
      if (schema_.default_value.present()) taken.default_value = schema_.default_value;
      taken.secret = taken.secret || schema_.secret;
      taken.deprecated = taken.deprecated || schema_.deprecated;
      schema_ = taken;
      all_of_.assign(taken.all_of.begin(), taken.all_of.end());
    }

    static bool plain(const Limits& limits) {
      return !limits.minimum && !limits.maximum && !limits.multiple_of && limits.length.any() && limits.items.any() &&
             limits.properties.any() && limits.pattern.empty() && limits.format == Format::none && !limits.unique;
    }

    void finish_object() {
      if (additional_ != nullptr) {
        if (additional_->is_boolean())
          schema_.allow_unknown = additional_->template get<bool>();
        else
          schema_.additional = inner(*additional_, "additionalProperties");
      }
      std::vector<Field> fields;
      if (properties_ != nullptr)
        for (const auto& [name, property] : properties_->template get_ref<const typename J::object_t&>()) {
          Field& field = fields.emplace_back();
          field.name = c_.builder_.keep(std::string(name));
          field.required = false;
          const Schema* compiled = c_.compile(property, base_, at_ + "/properties" + pointer_token(name), depth_ + 1);
          if (c_.done_.contains(compiled))
            field.schema = *compiled;
          else
            refer(field.schema, {compiled, nullptr});  // a reference from inside it led here
        }
      if (required_ != nullptr)
        for (const J& entry : *required_) require(fields, text_of(entry));
      if (!fields.empty()) c_.builder_.set_fields(schema_, std::move(fields));
    }

    // A name that is required and no property still has to be what other members have to be.
    void require(std::vector<Field>& fields, std::string_view name) {
      for (Field& field : fields)
        if (field.name == name) {
          field.required = true;
          return;
        }
      Field& field = fields.emplace_back();
      field.name = c_.builder_.keep(std::string(name));
      if (schema_.additional.present()) {
        refer(field.schema, schema_.additional);
      } else if (!schema_.allow_unknown) {
        field.schema.types = Types();
      }
      field.schema.allow_unknown = true;
    }

    void refer(Schema& schema, const Link& target) const {
      schema.all_of = c_.builder_.keep(std::vector<Link>(1, target));
      schema.allow_unknown = schema.combined = true;
    }

    void finish_array() {
      const J* rest = items_ != nullptr ? items_ : schema_.prefix_items.empty() ? nullptr : additional_items_;
      if (rest == nullptr) return;
      if (rest->is_array()) refuse("items", "must be a schema; 2020-12 writes the list of schemas as prefixItems");
      schema_.items = inner(*rest, items_ != nullptr ? "items" : "additionalItems");
    }

    DocumentCompiler& c_;
    Schema& schema_;
    const J& node_;
    std::string base_;
    const std::string& at_;
    std::size_t depth_;
    const J* properties_ = nullptr;
    const J* required_ = nullptr;
    const J* additional_ = nullptr;
    const J* items_ = nullptr;
    const J* additional_items_ = nullptr;
    const Schema* reference_ = nullptr;
    bool has_further_ = false;
    std::vector<Link> all_of_;
  };

  // ---- the whole ----

  // A schema that reaches itself without consuming input would never end.
  void find_loop(const Schema& schema) {
    if (!clear_.insert(&schema).second) return;
    open_.insert(&schema);
    const std::span<const Link> beyond = schema.beyond != nullptr ? schema.beyond->parts() : std::span<const Link>();
    for (const std::span<const Link> parts : {schema.all_of, schema.any_of, schema.one_of, beyond})
      for (const Link& part : parts) {
        if (open_.contains(part.now))
          refuse(places_[&schema], "$ref",
                 "leads back to where it stands without looking at a member or an item; it would never end");
        find_loop(*part.now);
      }
    open_.erase(&schema);
  }

  struct Default {
    const J* value;
    std::string at;
  };

  void check_defaults() {
    for (const auto& [schema, standing] : defaults_) {
      const auto errors = explain(*schema, *standing.value);
      if (errors.empty()) continue;
      refuse(standing.at, "default", "is rejected by its own schema: " + sentences(errors, "it"));
    }
  }

  const J& document_;
  Dialect dialect_;
  References<J> references_;
  TableBuilder builder_;
  std::map<const J*, Schema*> compiled_;
  std::map<const Schema*, std::string> places_;
  std::set<const Schema*> done_, clear_, open_;
  std::vector<std::pair<const Schema*, Default>> defaults_;
  std::vector<std::string> not_checked_;
};

}  // namespace detail

}  // namespace v0
}  // namespace toolcontract
