// SPDX-License-Identifier: MIT
/// \file
/// A described type as the JSON Schema document a model reads.
///
///     tc::json_schema_text<Point>();
///     // {"type":"object","properties":{"x":{"type":"number","description":"…"},…},"required":["x","y"],"additionalProperties":false}
///
/// Dialect 2020-12, without $schema (MCP's default dialect; some consumers choke on the key). Everything stands inline;
/// only a type that contains itself becomes a $ref. Meanings of single enum values are told in the description, where
/// every consumer reads them. A secret is writeOnly.
///
/// Cost: reads the table; no JSON tree is built.
#pragma once

#include <toolcontract/check.hpp>
#include <toolcontract/constraint.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/table.hpp>
#include <toolcontract/text.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Who is promised what: a caller may leave out what has a default, a result always carries it.
enum class Direction : unsigned char { input, output };

/// A member that a wrapper adds to a result, beside those of its type: always optional.
struct AddedProperty {
  std::string_view name;
  std::string_view schema;  ///< JSON text
};

/// The schema of a linked table as JSON text. `at` is where the document will stand (a JSON Pointer fragment), for the
/// references inside it. `examples` are JSON texts put into the root; `added` are further members of the root object.
[[nodiscard]] std::string json_schema_text(const Table& table, Direction direction = Direction::input,
                                           std::string_view at = "#", std::span<const std::string> examples = {},
                                           std::span<const AddedProperty> added = {});

template <class T>
[[nodiscard]] std::string json_schema_text(Direction direction = Direction::input) {
  return json_schema_text(table_of<T>(), direction);
}

/// The same as a JSON value that keeps the declared order.
template <class T, BasicJson J = nlohmann::ordered_json>
[[nodiscard]] J json_schema(Direction direction = Direction::input) {
  return J::parse(json_schema_text<T>(direction));
}

namespace detail {

class SchemaWriter {
 public:
  SchemaWriter(const Table& table, Direction direction, std::string_view at, std::span<const AddedProperty> added)
      : root_(table.root()), direction_(direction), at_(at), added_(added) {
    std::vector<const void*> open;
    find_recursive(root_, "", open);
  }

  std::string write(std::span<const std::string> examples) {
    out_.begin_object();
    body(root_, examples);
    if (!definitions_.empty()) {
      out_.key("$defs").begin_object();
      for (const Definition& definition : definitions_) {
        out_.key(definition.name).begin_object();
        shape(*definition.schema);
        out_.end_object();
      }
      out_.end_object();
    }
    out_.end_object();
    return out_.take();
  }

 private:
  struct Definition {
    const void* identity;
    std::string name;
    const Schema* schema;
  };

  // What makes two uses of a described type the same type; null for what cannot contain itself.
  static const void* identity(const Schema& schema) {
    return !schema.fields.empty() ? static_cast<const void*>(schema.fields.data()) : schema.alternatives.data();
  }

  void find_recursive(const Schema& schema, std::string_view name, std::vector<const void*>& open) {
    const void* self = identity(schema);
    if (self != nullptr) {
      if (std::find(open.begin(), open.end(), self) != open.end()) return define(self, name, schema);
      if (std::find(seen_.begin(), seen_.end(), self) != seen_.end()) return;
      seen_.push_back(self);
      open.push_back(self);
    }
    for (const Field& field : schema.fields) find_recursive(field.schema, field.name, open);
    // An alternative always stands inline, for its tag: only the union around it can be what a reference names.
    for (const Alternative& alternative : schema.alternatives)
      for (const Field& field : (*alternative.schema).fields) find_recursive(field.schema, field.name, open);
    if (schema.items.present()) find_recursive(*schema.items, name, open);
    if (schema.additional.present()) find_recursive(*schema.additional, name, open);
    if (self != nullptr) open.pop_back();
  }

  void define(const void* self, std::string_view name, const Schema& schema) {
    if (self == identity(root_) || find(self) != nullptr) return;
    std::string plain(name.empty() ? "item" : name);
    for (char& c : plain) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      if (!letter) c = '_';
    }
    std::string unique = plain;
    const auto taken = [&](const Definition& definition) { return definition.name == unique; };
    for (int n = 2; std::any_of(definitions_.begin(), definitions_.end(), taken); ++n)
      unique = plain + std::to_string(n);
    definitions_.push_back({self, unique, &schema});
  }

  const Definition* find(const void* self) const {
    for (const Definition& definition : definitions_)
      if (definition.identity == self) return &definition;
    return nullptr;
  }

  void value(const Schema& schema) {
    out_.begin_object();
    const void* self = identity(schema);
    const Definition* definition = self != nullptr ? find(self) : nullptr;
    const bool is_root = self != nullptr && self == identity(root_);
    if (is_root || definition != nullptr) {
      out_.key("$ref").string(is_root ? std::string(at_) : std::string(at_) + "/$defs/" + definition->name);
      notes(schema);
      trailing_notes(schema);
    } else {
      body(schema, {});
    }
    out_.end_object();
  }

  void body(const Schema& schema, std::span<const std::string> examples) {
    if (schema.alternatives.empty()) types(schema.types);
    notes(schema);
    shape_without_type(schema);
    trailing_notes(schema, examples);
  }

  // A definition in $defs: the type alone, without what one field says about it.
  void shape(const Schema& schema) {
    if (schema.alternatives.empty()) types(schema.types);
    shape_without_type(schema);
  }

  void types(Types types) {
    if (types == Types::any()) return;
    constexpr std::pair<Type, std::string_view> names[] = {
        {Type::null, "null"},     {Type::boolean, "boolean"}, {Type::integer, "integer"}, {Type::number, "number"},
        {Type::string, "string"}, {Type::array, "array"},     {Type::object, "object"}};
    out_.key("type");
    for (const auto& [type, name] : names)
      if (types == Types(type)) {
        out_.string(name);
        return;
      }
    out_.begin_array();
    for (const auto& [type, name] : names)
      if (types.has(type)) out_.string(name);
    out_.end_array();
  }

  void notes(const Schema& schema) {
    if (!schema.title.empty()) out_.key("title").string(schema.title);
    std::string description(schema.description);
    for (const Choice& choice : schema.choices)
      if (!choice.description.empty()) {
        description.append(description.empty() ? "" : " ").append(choice.name).append(": ").append(choice.description);
        if (!choice.description.ends_with('.')) description += '.';
      }
    if (schema.as_string) {
      std::string form = problem::integer_as_string(schema) + ".";
      form.front() = 'A';
      description.append(description.empty() ? "" : " ").append(form);
    }
    if (!description.empty()) out_.key("description").string(description);
  }

  void trailing_notes(const Schema& schema, std::span<const std::string> examples = {}) {
    if (schema.default_value.present()) write_literal(out_.key("default"), schema.default_value);
    if (schema.examples[0].present() || !examples.empty()) {
      out_.key("examples").begin_array();
      for (const Literal& example : schema.examples)
        if (example.present()) write_literal(out_, example);
      for (const std::string& example : examples) out_.raw(example);
      out_.end_array();
    }
    if (schema.deprecated) out_.key("deprecated").boolean(true);
    if (schema.secret) out_.key("writeOnly").boolean(true);
  }

  void shape_without_type(const Schema& schema) {
    if (schema.as_string)
      out_.key("pattern").string(integer_pattern);  // its bounds stand in the description
    else
      limits(schema.limits);
    if (!schema.choices.empty()) {
      out_.key("enum").begin_array();
      for (const Choice& choice : schema.choices) out_.string(choice.name);
      out_.end_array();
    }
    if (!schema.alternatives.empty()) {
      out_.key("anyOf").begin_array();
      for (const Alternative& alternative : schema.alternatives) {
        out_.begin_object();
        types(Type::object);
        properties(*alternative.schema, schema.tag, alternative.tag);
        out_.end_object();
      }
      out_.end_array();
    } else if (schema.is_map()) {
      out_.key("additionalProperties");
      value(*schema.additional);
    } else if (schema.types == Types(Type::object)) {
      properties(schema, {}, {});
    } else if (schema.items.present()) {
      out_.key("items");
      value(*schema.items);
    }
  }

  void properties(const Schema& schema, std::string_view tag, std::string_view tag_value) {
    out_.key("properties").begin_object();
    if (!tag.empty())
      out_.key(tag).begin_object().key("type").string("string").key("const").string(tag_value).end_object();
    for (const Field& field : schema.fields) {
      out_.key(field.name);
      value(field.schema);
    }
    if (&schema == &root_)
      for (const AddedProperty& added : added_) out_.key(added.name).raw(added.schema);
    out_.end_object();
    const auto must = [&](const Field& field) {
      return direction_ == Direction::output ? field.optional == nullptr : field.required;
    };
    if (!tag.empty() || std::any_of(schema.fields.begin(), schema.fields.end(), must)) {
      out_.key("required").begin_array();
      if (!tag.empty()) out_.string(tag);
      for (const Field& field : schema.fields)
        if (must(field)) out_.string(field.name);
      out_.end_array();
    }
    if (!schema.allow_unknown) out_.key("additionalProperties").boolean(false);
  }

  void limits(const Limits& limits) {
    if (limits.format != Format::none) out_.key("format").string(format_name(limits.format));
    if (!limits.pattern.empty()) out_.key("pattern").string(limits.pattern);
    sizes(limits.length, "minLength", "maxLength");
    if (limits.minimum)
      write_number(out_.key(limits.minimum->exclusive ? "exclusiveMinimum" : "minimum"), limits.minimum->value);
    if (limits.maximum)
      write_number(out_.key(limits.maximum->exclusive ? "exclusiveMaximum" : "maximum"), limits.maximum->value);
    if (limits.multiple_of) write_number(out_.key("multipleOf"), *limits.multiple_of);
    sizes(limits.items, "minItems", "maxItems");
    if (limits.unique) out_.key("uniqueItems").boolean(true);
    sizes(limits.properties, "minProperties", "maxProperties");
  }

  void sizes(const Sizes& sizes, std::string_view least, std::string_view most) {
    if (sizes.least > 0) out_.key(least).number(sizes.least);
    if (sizes.most != Sizes::unlimited) out_.key(most).number(sizes.most);
  }

  const Schema& root_;
  Direction direction_;
  std::string_view at_;
  std::span<const AddedProperty> added_;
  TextWriter out_;
  std::vector<const void*> seen_;
  std::vector<Definition> definitions_;
};

}  // namespace detail

inline std::string json_schema_text(const Table& table, Direction direction, std::string_view at,
                                    std::span<const std::string> examples, std::span<const AddedProperty> added) {
  return detail::SchemaWriter(table, direction, at, added).write(examples);
}

}  // namespace v0
}  // namespace toolcontract
