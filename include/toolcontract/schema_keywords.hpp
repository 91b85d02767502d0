// SPDX-License-Identifier: MIT
/// \file
/// What each keyword of a JSON Schema document becomes in a table: the dispatch, and what several keywords mean together.
///
///     {"type":"integer","minimum":1}                          // types and limits of one Schema
///     {"$ref":"#/$defs/n","description":"Only here."}         // the target's form under a description of its own
///
/// Keywords that a table has no form for go to `Further` or are refused; unknown ones are annotations, and listed.
/// Nothing here is for users: checker.hpp is.
///
/// Cost: nlohmann/json; templates only; runs once a document.
#pragma once

#include <toolcontract/beyond.hpp>
#include <toolcontract/equality.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/keyword_reader.hpp>
#include <toolcontract/pattern.hpp>
#include <toolcontract/reference.hpp>
#include <toolcontract/table.hpp>
#include <toolcontract/table_builder.hpp>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

template <BasicJson J, class Further>
class DocumentCompiler;  // document_compiler.hpp

/// The keywords of one object schema, written into its place in the table.
template <BasicJson J, class Further>
class Keywords : public KeywordReader<J> {
  using Reader = KeywordReader<J>;
  using Reader::at_;

 public:
  using Reader::boolean;
  using Reader::compile_pattern;
  using Reader::literal;
  using Reader::note;
  using Reader::number;
  using Reader::object;
  using Reader::refuse;
  using Reader::size;
  using Reader::strings;
  using Reader::tighten;

  Keywords(DocumentCompiler<J, Further>& compiler, Schema& schema, const J& node, std::string base,
           const std::string& at, std::size_t depth)
      : Reader(at, compiler.builder_),
        c_(compiler),
        schema_(schema),
        node_(node),
        base_(std::move(base)),
        depth_(depth) {}

  void compile() {
    if (!at_.empty() && node_.contains("$schema") && c_.dialect_of(node_, at_) != c_.dialect_)
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

 private:
  void keyword(const std::string& key, const J& value) {
    using namespace std::string_view_literals;
    const bool modern = c_.dialect_ == Dialect::draft_2020_12;
    if (key == "type")
      schema_.types = this->types(value);
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

  // ---- inner schemas, also for Further ----

 public:
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
    c_.defaults_.emplace_back(&schema_, typename DocumentCompiler<J, Further>::Default{&value, at_});
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
    const bool lone = !properties_ && !required_ && !additional_ && !items_ && !additional_items_ && all_of_.empty() &&
                      schema_.any_of.empty() && schema_.one_of.empty() && schema_.allowed.empty() &&
                      schema_.types == untouched.types && schema_.beyond == nullptr &&
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

  DocumentCompiler<J, Further>& c_;
  Schema& schema_;
  const J& node_;
  std::string base_;
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

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
