// SPDX-License-Identifier: MIT
/// \file
/// Lenient reading: the few repairs that cannot change what a caller meant, each of them reported.
///
///     tc::ToolsetOptions options{.mode = tc::lenient()};
///     // {"issue":"5812","since":null}  →  {"issue":5812}
///     outcome.repairs();  // [{"issue", "5812", 5812}, {"since", null, absent}]
///
/// Repaired where the schema takes no string: "true"/"false" for a boolean, "5812" for an integer, "1.5" for a number, a
/// string that holds an array or object as JSON. Repaired anywhere: an enum value that differs in case only, null for a
/// member that may be absent. Never: a number for a string, narrowing, an unknown enum value, a duplicate key, an unknown
/// member. A repaired value is checked again like any other.
///
/// Cost: nlohmann/json; templates only; strict reading pays nothing.
#pragma once

#include <toolcontract/accept.hpp>
#include <toolcontract/document.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/table.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// How arguments are read.
enum class Mode : unsigned char {
  strict,   ///< exactly as the schema says
  lenient,  ///< with the repairs of this header, reported
};
[[nodiscard]] constexpr Mode lenient() noexcept { return Mode::lenient; }

/// One change made to the arguments before they were checked.
struct Repair {
  std::string field;        ///< readable path, as in a FieldError
  Shown from;               ///< what arrived; "[redacted]" for a secret
  std::optional<Shown> to;  ///< what it was read as; absent when the member was left out
  friend bool operator==(const Repair&, const Repair&) = default;
};

/// Repairs `value` in place as far as the schema allows and says what was done.
template <BasicJson J>
[[nodiscard]] std::vector<Repair> repair(const Schema& schema, J& value, std::size_t depth = default_depth);

namespace detail {

/// An integer or number as JSON writes it, nothing around it.
inline bool is_json_number(std::string_view text, bool integer) {
  const auto digits = [&] {
    const std::size_t run = (std::min)(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(run);
    return run;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zero = text.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (integer) return text.empty();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 2 : 1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

inline bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

template <BasicJson J>
class Repairer {
 public:
  Repairer(std::vector<Repair>& repairs, std::size_t& work) : repairs_(repairs), work_(work) {}

  void value(const Schema& schema, J& json, const Path& path, std::size_t depth, bool secret) {
    if (work_ == 0) return;
    --work_;
    if (schema.storage != nullptr && schema.storage->form == Storage::Form::anything) return;
    secret = secret || schema.secret;
    if (json.is_string()) text(schema, json, path, depth, secret);
    if (json.is_array() && depth > 0) {
      for (std::size_t i = 0; i < json.size(); ++i)
        if (const Schema* item = element_schema(schema, i)) value(*item, json[i], Path(&path, i), depth - 1, secret);
    } else if (json.is_object() && depth > 0) {
      object(schema, json, path, depth - 1, secret);
    }
    for (const Link& part : schema.all_of) value(*part, json, path, depth, secret);
    branch(schema.any_of, json, path, depth, secret);
    branch(schema.one_of, json, path, depth, secret);
  }

 private:
  /// Does the schema take values of a type, through whatever it consists of?
  bool takes(const Schema& schema, Type type) {
    if (work_ == 0 || !schema.types.has(type)) return false;
    --work_;
    const auto taken = [&](const Link& link) { return takes(*link, type); };
    return std::all_of(schema.all_of.begin(), schema.all_of.end(), taken) &&
           (schema.any_of.empty() || std::any_of(schema.any_of.begin(), schema.any_of.end(), taken)) &&
           (schema.one_of.empty() || std::any_of(schema.one_of.begin(), schema.one_of.end(), taken));
  }

  void report(const Path& path, const J& from, const J* to, bool secret) {
    const auto show = [&](const J& json) { return secret ? Shown("[redacted]") : shown(json); };
    repairs_.push_back({path.text(), show(from), to != nullptr ? std::optional(show(*to)) : std::nullopt});
  }
  void replace(J& json, J by, const Path& path, bool secret) {
    report(path, json, &by, secret);
    json = std::move(by);
  }

  void text(const Schema& schema, J& json, const Path& path, std::size_t depth, bool secret) {
    const std::string text = text_of(json);
    if (takes(schema, Type::string)) return name(schema, json, text, path, secret);
    if (takes(schema, Type::boolean) && (text == "true" || text == "false"))
      return replace(json, J(text == "true"), path, secret);
    const bool real = takes(schema, Type::number);
    if ((real || takes(schema, Type::integer)) && is_json_number(text, !real)) {
      const BasicDocument<J> number =
          parse<J>(text);  // a number that none holds, or an integer only rounded, is no repair
      if (number.ok() && (real || number.value().is_number_integer())) replace(json, number.value(), path, secret);
      return;
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) return;
    const bool array = text[first] == '[' && takes(schema, Type::array);
    if (!array && !(text[first] == '{' && takes(schema, Type::object))) return;
    const BasicDocument<J> document = parse<J>(text, {text.size(), depth});
    if (document.ok()) replace(json, document.value(), path, secret);
  }

  // An enum value in another case, when just one is meant.
  void name(const Schema& schema, J& json, const std::string& text, const Path& path, bool secret) {
    std::string_view meant;
    std::size_t found = 0;
    const auto consider = [&](std::string_view legal) {
      if (legal == text) found = 2;  // right as it is
      if (!same_but_for_case(legal, text)) return;
      meant = legal;
      ++found;
    };
    for (const Choice& choice : schema.choices) consider(choice.name);
    for (const Literal& literal : schema.allowed)
      if (literal.form() == Literal::Form::string) consider(literal.text());
    if (found == 1) replace(json, J(std::string(meant)), path, secret);
  }

  void object(const Schema& schema, J& json, const Path& path, std::size_t depth, bool secret) {
    if (!schema.tag.empty()) {
      const auto tag = json.find(std::string(schema.tag));
      const Alternative* chosen =
          tag != json.end() && tag->is_string() ? find_alternative(schema, text_of(*tag)) : nullptr;
      if (chosen != nullptr) object(*chosen->schema, json, path, depth, secret);
      return;
    }
    for (const Field& field : schema.fields) {
      const auto member = json.find(std::string(field.name));
      if (member == json.end()) continue;
      const Path place(&path, field.name);
      if (member->is_null() && !field.required && !Acceptor<J>(work_).value(field.schema, *member, nullptr, depth)) {
        report(place, *member, nullptr, secret || field.schema.secret);
        json.erase(std::string(field.name));
      } else {
        value(field.schema, *member, place, depth, secret);
      }
    }
    if (!schema.additional.present() && schema.beyond == nullptr) return;
    for (auto& [key, member] : json.template get_ref<typename J::object_t&>()) {
      const Path place(&path, std::string_view(key));
      if (schema.additional.present() && find_field(schema, key) == nullptr)
        value(*schema.additional, member, place, depth, secret);
      if (schema.beyond != nullptr)
        for (const Schema* part : schema.beyond->member_schemas(key)) value(*part, member, place, depth, secret);
    }
  }

  // The first alternative that the value fits once it is repaired for it; a value that fits one already stays as it is.
  void branch(std::span<const Link> branches, J& json, const Path& path, std::size_t depth, bool secret) {
    for (const Link& one : branches)
      if (Acceptor<J>(work_).value(*one, json, nullptr, depth)) return;
    for (const Link& one : branches) {
      J copy = json;
      std::vector<Repair> done;
      Repairer(done, work_).value(*one, copy, path, depth, secret);
      if (done.empty() || !Acceptor<J>(work_).value(*one, copy, nullptr, depth)) continue;
      json = std::move(copy);
      for (Repair& repair : done) repairs_.push_back(std::move(repair));
      return;
    }
  }

  std::vector<Repair>& repairs_;
  std::size_t& work_;
};

}  // namespace detail

template <BasicJson J>
std::vector<Repair> repair(const Schema& schema, J& value, std::size_t depth) {
  std::vector<Repair> repairs;
  std::size_t work = detail::work_limit;
  if (detail::soundness(value, depth) != detail::Unsound::too_deep)
    detail::Repairer<J>(repairs, work).value(schema, value, Path(), depth, false);
  return repairs;
}

}  // namespace v0
}  // namespace toolcontract
