// SPDX-License-Identifier: MIT
/// \file
/// The one form in which described types and JSON Schema documents are held: types, limits, fields, accessors.
///
///     struct Point { double x, y; };           // described by tool_schema(type<Point>), see schema.hpp
///     {types: object, fields: [{name: "x", required, schema: {types: number}}, {name: "y", …}]}
///
/// A described type becomes a constexpr Schema whose inner types are bound late (recursion needs that). A Table is the
/// run-time form every interpreter walks: a graph with direct pointers, names sorted, patterns compiled. Emission,
/// checking, decoding and encoding read nothing else, so they cannot drift.
///
/// Cost: std only.
#pragma once

#include <toolcontract/format.hpp>
#include <toolcontract/limits.hpp>
#include <toolcontract/literal.hpp>
#include <toolcontract/number.hpp>
#include <toolcontract/utf8.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

class Path;
class Pattern;
class TextWriter;
struct Schema;
struct Unencodable;
namespace detail {
class Beyond;
}

/// The types of JSON, with integer told apart from number as JSON Schema does.
enum class Type : std::uint8_t { null = 1, boolean = 2, integer = 4, number = 8, string = 16, array = 32, object = 64 };

/// A set of JSON types.
class Types {
 public:
  constexpr Types() = default;
  constexpr Types(Type type) : bits_(static_cast<std::uint8_t>(type)) {}  // NOLINT: implicit, one type is a set
  static constexpr Types any() { return Types(std::uint8_t{127}); }
  [[nodiscard]] constexpr bool has(Type type) const { return (bits_ & static_cast<std::uint8_t>(type)) != 0; }
  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }
  friend constexpr Types operator|(Types a, Types b) { return Types(static_cast<std::uint8_t>(a.bits_ | b.bits_)); }
  friend constexpr bool operator==(Types, Types) = default;

 private:
  explicit constexpr Types(std::uint8_t bits) : bits_(bits) {}
  std::uint8_t bits_ = 0;
};

/// A schema inside a schema: bound late in a described type, directly in a Table.
struct Link {
  const Schema* now = nullptr;
  const Schema& (*late)() = nullptr;
  [[nodiscard]] constexpr bool present() const { return now != nullptr || late != nullptr; }
  [[nodiscard]] const Schema& operator*() const { return *now; }  ///< Precondition: linked.
};

/// One legal value of an enumeration.
struct Choice {
  std::string_view name;
  std::string_view description;
  std::int64_t enumerator = 0;  ///< the C++ value
};

/// One member of a union, told by the value of its constant tag.
struct Alternative {
  std::string_view tag;
  Link schema;
};

/// A condition over several fields of one object.
struct Rule {
  std::string_view field;    ///< the field to point at
  std::string_view problem;  ///< starts with "must"
  bool (*holds)(const void* object) = nullptr;
};

/// How rows are left out from the end of a record that lists some: a page, say. fit.hpp does so where a result is too large.
struct Shortening {
  std::size_t rows;                            ///< which of the record's fields lists them
  void (*keep)(void* self, std::size_t rows);  ///< the first of them, at least one
  bool (*goes_on)(const void* self);           ///< does it say how to get the others?
  std::string_view caution;                    ///< what a tool's description says where it may not have all
};

/// How the C++ object behind a schema is filled and read. A JSON Schema document has none.
struct Storage {
  enum class Form : std::uint8_t {
    boolean,
    integer,
    real,
    text,
    enumerator,
    sequence,
    fixed,
    map,
    record,
    tagged,
    anything
  };
  Form form;
  std::uint8_t size = 0;                                               ///< bytes of an integer, a real, an enumerator
  bool is_signed = false;                                              ///< of an integer
  void (*resize)(void* self, std::size_t count) = nullptr;             ///< sequence
  void* (*at)(void* self, std::size_t index) = nullptr;                ///< sequence, fixed; tagged: makes it active
  const void* (*read)(const void* self, std::size_t index) = nullptr;  ///< sequence, fixed; tagged: the active one
  std::size_t (*count)(const void* self) = nullptr;                    ///< sequence, map; tagged: active index
  void (*clear)(void* self) = nullptr;                                 ///< map
  void* (*insert)(void* self, std::string_view key) = nullptr;         ///< map
  using Visit = bool (*)(void* context, std::string_view key, const void* value);
  bool (*each)(const void* self, void* context, Visit visit) = nullptr;  ///< map; stops when visit says false
  const void* json_type = nullptr;                                       ///< anything: which basic_json it is
  void (*parse)(void* self, std::string_view json) = nullptr;            ///< anything
  bool (*write)(const void* self, TextWriter&, Unencodable&, std::size_t depth, const Path&) = nullptr;  ///< anything
  const Shortening* shortening = nullptr;  ///< record; null: it keeps all it has
};

/// How a member of type std::optional is reached.
struct OptionalAccess {
  void* (*emplace)(void* optional);
  const void* (*value)(const void* optional);  ///< null when empty
};

/// What one value may be. Members that a kind of value does not use stay at their defaults.
struct Schema {
  Types types = Types::any();
  bool secret = false;
  bool deprecated = false;
  bool allow_unknown = false;  ///< objects: members that are no field are passed over
  bool as_string = false;      ///< an integer member that is a string of decimal digits in JSON
  bool kept_whole = false;     ///< a text that is never cut to make a result fit
  bool combined = false;       ///< some of allowed, all_of, any_of, one_of, beyond is there

  // Set by linking, for the quick walk: what a value of this type is checked for, when that is all.
  enum class Quick : std::uint8_t {
    no,
    plain,      ///< a string for its encoding and length, a number for its range in quick form, an object for its fields
    constants,  ///< a string for being one of allowed
    named,      ///< a string for being one of choices
    closed      ///< an object for its fields and for having no others
  } text = Quick::no,
    boolean = Quick::no, integer = Quick::no, real = Quick::no, object = Quick::no;

  const Storage* storage = nullptr;
  Limits limits{};
  std::span<const struct Field> fields{};         ///< in declared order
  std::span<const struct Slot> fields_by_name{};  ///< set by linking
  std::span<const Rule> rules{};
  std::span<const Choice> choices{};
  Link items{};       ///< of an array's elements, after those in prefix_items
  Link additional{};  ///< of an object's members that are no field: a map's values
  std::string_view tag{};
  std::span<const Alternative> alternatives{};
  Link described{};  ///< the described type (record, enumeration, union) this use of it takes its shape from

  // What only JSON Schema documents use.
  std::span<const Literal> allowed{};  ///< enum and const: any JSON values
  bool is_const = false;               ///< allowed is the one value of const
  std::span<const Link> prefix_items{};
  Link property_names{};
  std::span<const Link> all_of{};  ///< allOf, and the target of a $ref with what stands beside it
  std::span<const Link> any_of{};
  std::span<const Link> one_of{};
  const detail::Beyond* beyond = nullptr;  ///< keywords that another engine checks (beyond.hpp); owned by the Table

  std::string_view title{};
  std::string_view description{};
  Literal default_value{};
  std::array<Literal, 4> examples{};

  /// Sets what the quick walk reads; once all else is set.
  void prepare();
  [[nodiscard]] constexpr bool is_map() const { return additional.present(); }
  [[nodiscard]] constexpr bool accepts_nothing() const { return types.empty(); }  ///< the schema `false`
};

/// One named member of an object.
struct Field {
  std::string_view name{};
  bool required = true;
  Schema schema{};
  void* (*member)(void* object) = nullptr;   ///< address of the member in the class that declares it
  void* (*upcast)(void* object) = nullptr;   ///< from the described type to that class, where they differ
  const OptionalAccess* optional = nullptr;  ///< null: the member always holds a value

  [[nodiscard]] void* address(void* object) const { return member(upcast ? upcast(object) : object); }
  /// The value to encode; null for an empty optional.
  [[nodiscard]] const void* value(const void* object) const {
    const void* at = address(const_cast<void*>(object));
    return optional ? optional->value(at) : at;
  }
  /// The value to fill; makes an optional hold one.
  [[nodiscard]] void* fill(void* object) const {
    void* at = address(object);
    return optional ? optional->emplace(at) : at;
  }
};

/// A field as the quick walk sees it.
struct Slot {
  std::string_view name;
  const Schema* schema;
  const Field* field;
  bool required;
};

inline void Schema::prepare() {
  limits.prepare_range();
  text = boolean = integer = real = object = Quick::no;
  const auto stored = [&](Storage::Form form) { return storage == nullptr || storage->form == form; };
  const auto is_text = [](const Literal& literal) {
    return literal.form() == Literal::Form::string && utf8::valid(literal.text());
  };
  if (types.has(Type::string) && limits.pattern.empty() && limits.format == Format::none) {
    const bool only_allowed = all_of.empty() && any_of.empty() && one_of.empty() && beyond == nullptr;
    if (!choices.empty())
      text = combined ? Quick::no : Quick::named;
    else if (!combined)
      text = stored(Storage::Form::text) ? Quick::plain : Quick::no;
    else if (only_allowed && limits.length.any() && std::all_of(allowed.begin(), allowed.end(), is_text))
      text = Quick::constants;
  }
  if (!combined && types.has(Type::boolean) && stored(Storage::Form::boolean)) boolean = Quick::plain;
  const bool quick_number = !combined && !limits.multiple_of && limits.range != Limits::Range::exact;
  if (quick_number && (types.has(Type::integer) || types.has(Type::number)) && stored(Storage::Form::integer))
    integer = Quick::plain;
  if (quick_number && types.has(Type::number) && stored(Storage::Form::real)) real = Quick::plain;
  if (!combined && types.has(Type::object) && stored(Storage::Form::record) && tag.empty() && limits.properties.any() &&
      !property_names.present())
    object = allow_unknown || additional.present() ? Quick::plain : Quick::closed;
}

namespace detail {
inline void sort_fields(std::span<const Field> fields, std::vector<Slot>& by_name) {
  for (const Field& field : fields) by_name.push_back({field.name, &field.schema, &field, field.required});
  std::sort(by_name.begin(), by_name.end(), [](const Slot& a, const Slot& b) { return a.name < b.name; });
}
}  // namespace detail

/// The linked, run-time form of a schema. Immutable after construction and safe to share between threads.
class Table {
 public:
  using CompilePattern = std::shared_ptr<const Pattern> (*)(std::string_view source);

  /// \throws whatever `compile` throws for a pattern that cannot be used.
  Table(const Schema& described, CompilePattern compile) : compile_(compile) { root_ = linked(described); }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  [[nodiscard]] const Schema& root() const noexcept { return *root_; }
  [[nodiscard]] bool has_rules() const noexcept { return has_rules_; }    ///< anywhere in the graph
  [[nodiscard]] bool has_secret() const noexcept { return has_secret_; }  ///< anywhere in the graph
  /// What a tool's description says of shortened records, anywhere in the graph, each once.
  [[nodiscard]] std::span<const std::string_view> cautions() const noexcept { return cautions_; }
  /// Made from a JSON Schema document: checks values, fills no C++ object.
  [[nodiscard]] bool is_document() const noexcept { return compile_ == nullptr; }
  [[nodiscard]] bool has_beyond() const noexcept { return !beyonds_.empty(); }  ///< anywhere in the graph

 private:
  friend class TableBuilder;
  Table() = default;

  const Schema* linked(const Schema& described) {
    if (const auto known = by_origin_.find(&described); known != by_origin_.end()) return known->second;
    Schema& copy = schemas_.emplace_back(described);
    by_origin_.emplace(&described, &copy);
    link(copy);
    return &copy;
  }

  // Spans are set before anything inside is linked, so a type that contains itself finds them in place.
  void link(Schema& schema) {
    if (schema.described.late) {
      const Schema& shape = *linked(schema.described.late());
      schema.described.now = &shape;
      schema.storage = shape.storage;
      schema.types = shape.types;
      schema.allow_unknown = shape.allow_unknown;
      schema.fields = shape.fields;
      schema.fields_by_name = shape.fields_by_name;
      schema.rules = shape.rules;
      schema.choices = shape.choices;
      schema.tag = shape.tag;
      schema.alternatives = shape.alternatives;
      if (schema.title.empty()) schema.title = shape.title;
    } else {
      if (!schema.fields.empty()) link_fields(schema);
      if (!schema.alternatives.empty()) link_alternatives(schema);
    }
    if (schema.items.late) schema.items.now = linked(schema.items.late());
    if (schema.additional.late) schema.additional.now = linked(schema.additional.late());
    schema.prepare();
    if (!schema.limits.pattern.empty())
      schema.limits.compiled_pattern = patterns_.emplace_back(compile_(schema.limits.pattern)).get();
    as_json(schema, schema.default_value);
    for (Literal& example : schema.examples) as_json(schema, example);
    has_rules_ = has_rules_ || !schema.rules.empty();
    has_secret_ = has_secret_ || schema.secret;
    if (schema.storage != nullptr && schema.storage->shortening != nullptr)
      caution(schema.storage->shortening->caution);
  }

  void caution(std::string_view text) {
    if (std::find(cautions_.begin(), cautions_.end(), text) == cautions_.end()) cautions_.push_back(text);
  }

  void link_fields(Schema& schema) {
    auto& fields = fields_.emplace_back(schema.fields.begin(), schema.fields.end());
    auto& by_name = by_name_.emplace_back();
    detail::sort_fields(fields, by_name);
    schema.fields = fields;
    schema.fields_by_name = by_name;
    for (Field& field : fields) link(field.schema);
  }

  void link_alternatives(Schema& schema) {
    auto& alternatives = alternatives_.emplace_back(schema.alternatives.begin(), schema.alternatives.end());
    schema.alternatives = alternatives;
    for (Alternative& alternative : alternatives) alternative.schema.now = linked(alternative.schema.late());
  }

  // An enumerator by its name, an integer sent as a string in digits.
  void as_json(const Schema& schema, Literal& literal) {
    if (schema.as_string && literal.form() == Literal::Form::number) {
      const Number& number = literal.number();
      literal = Literal(std::string_view(texts_.emplace_back(number.is_signed() ? std::to_string(number.as_int64())
                                                                                : std::to_string(number.as_uint64()))));
    }
    if (literal.form() != Literal::Form::enumerator) return;
    for (const Choice& choice : schema.choices)
      if (choice.enumerator == literal.number().as_int64()) {
        literal = Literal(choice.name);
        return;
      }
    literal = Literal::json("an enumerator without a name");  // refused with the place when the tool is built
  }

  CompilePattern compile_ = nullptr;
  std::deque<Schema> schemas_;
  std::deque<std::vector<Field>> fields_;
  std::deque<std::vector<Slot>> by_name_;
  std::deque<std::vector<Alternative>> alternatives_;
  std::deque<std::shared_ptr<const Pattern>> patterns_;
  std::map<const Schema*, const Schema*> by_origin_;
  std::deque<std::string> texts_;
  std::deque<std::vector<Literal>> literals_;
  std::deque<std::vector<Link>> links_;
  std::deque<std::shared_ptr<const detail::Beyond>> beyonds_;
  const Schema* root_ = nullptr;
  bool has_rules_ = false;
  bool has_secret_ = false;
  std::vector<std::string_view> cautions_;
};

// ---- finding ------------------------------------------------------------------------------------------------------------

namespace detail {

inline const Choice* find_choice(const Schema& schema, std::string_view name) {
  for (const Choice& choice : schema.choices)
    if (utf8::same(choice.name, name)) return &choice;
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

/// The schema of the element at `index`; null where a document says nothing about it.
inline const Schema* element_schema(const Schema& schema, std::size_t index) {
  if (index < schema.prefix_items.size()) return schema.prefix_items[index].now;
  return schema.items.now;
}

}  // namespace detail

}  // namespace v0
}  // namespace toolcontract
