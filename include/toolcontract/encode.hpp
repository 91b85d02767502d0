// SPDX-License-Identifier: MIT
/// \file
/// A described struct into JSON text, in declared order, or the place where it cannot be written.
///
///     tc::encode_text(Refund{"rf_1", "done"}).value();    // {"refund_id":"rf_1","status":"done"}
///
/// Text is written straight from the members: no tree is built. An empty optional is left out, invalid UTF-8 becomes
/// U+FFFD, every integer is exact. What the schema promises is checked on the way out (NaN, a bound, a length, an
/// enumerator without a name), so a result that would break its own output schema is an error here and not at the client.
///
/// Cost: nlohmann/json through check.hpp; the writing itself instantiates nothing a type.
#pragma once

#include <toolcontract/check.hpp>
#include <toolcontract/constraint.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/text.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// `value` as JSON text. The error is INTERNAL_ERROR (unknown, escalate); the place is in its internal detail.
template <class T>
[[nodiscard]] Result<std::string> encode_text(const T& value);

/// `value` as a JSON value that keeps the declared order.
template <BasicJson J = nlohmann::ordered_json, class T>
[[nodiscard]] Result<J> encode(const T& value) {
  Result<std::string> text = encode_text(value);
  if (!text) return std::move(text).error();
  return J::parse(*text);
}

/// Writes the object behind `schema`. False, with the first fault named, when it cannot be written truthfully; the text
/// written so far is then not JSON.
[[nodiscard]] bool write_object(TextWriter& out, const Schema& schema, const void* object, Unencodable& fault,
                                std::size_t depth = default_depth, const Path& path = {});

namespace detail {

/// A float as the decimal it is written as: 19.99f is 19.99, not 19.989999771118164.
inline Number as_written(const Number& number) {
  const double value = number.as_double();
  if (!std::isfinite(value)) return number;
  const Decimal decimal(static_cast<float>(value));
  const std::string text =
      std::to_string(decimal.digits) + "e" + std::to_string(decimal.exponent);  // no point: strtod minds the locale
  return std::copysign(std::strtod(text.c_str(), nullptr), value);
}

inline Number load_number(const Storage& storage, const void* from) {
  const auto load = [&](auto value) {
    std::memcpy(&value, from, sizeof value);
    return Number(value);
  };
  if (storage.form == Storage::Form::real)
    return storage.size == sizeof(float) ? as_written(load(float{})) : load(double{});
  switch (storage.size) {
    case 1:
      return storage.is_signed ? load(std::int8_t{}) : load(std::uint8_t{});
    case 2:
      return storage.is_signed ? load(std::int16_t{}) : load(std::uint16_t{});
    case 4:
      return storage.is_signed ? load(std::int32_t{}) : load(std::uint32_t{});
    default:
      return storage.is_signed ? load(std::int64_t{}) : load(std::uint64_t{});
  }
}

/// How long texts are cut while they are written (fit.hpp).
struct TextCut {
  std::size_t bytes;           ///< of a text; the rest is counted
  std::size_t stop_at;         ///< once this much is written, the writing fails
  std::size_t characters = 0;  ///< how many were cut in all
};

class ObjectWriter {
 public:
  ObjectWriter(TextWriter& out, Unencodable& fault, TextCut* cut = nullptr) : out_(out), fault_(fault), cut_(cut) {}

  bool value(const Schema& schema, const void* object, std::size_t depth, const Path& path) {
    const Storage& storage = *schema.storage;
    switch (storage.form) {
      case Storage::Form::boolean:
        out_.boolean(*static_cast<const bool*>(object));
        return true;
      case Storage::Form::integer:
      case Storage::Form::real:
        return number(schema, load_number(storage, object), object, path);
      case Storage::Form::text:
        if (cut_ != nullptr) return cut_text(schema, *static_cast<const std::string*>(object), path);
        return text(schema, *static_cast<const std::string*>(object), path);
      case Storage::Form::enumerator:
        return enumerator(schema, object, path);
      case Storage::Form::anything:
        return storage.write(object, out_, fault_, depth, path);
      default:
        break;
    }
    if (depth == 0) return fail(path, problem::too_deep(default_depth));
    switch (storage.form) {
      case Storage::Form::sequence:
      case Storage::Form::fixed:
        return array(schema, object, depth - 1, path);
      case Storage::Form::map:
        return map(schema, object, depth - 1, path);
      case Storage::Form::tagged: {
        const std::size_t index = storage.count(object);
        if (index >= schema.alternatives.size()) return fail(path, "must hold one of its alternatives");  // valueless
        const Alternative& active = schema.alternatives[index];
        out_.begin_object().key(schema.tag).string(active.tag);
        return members(*active.schema, storage.read(object, 0), depth - 1, path);
      }
      default:
        out_.begin_object();
        return members(schema, object, depth - 1, path);
    }
  }

 private:
  bool fail(const Path& path, std::string why) {
    fault_ = {path.text(), std::move(why)};
    return false;
  }

  bool number(const Schema& schema, const Number& number, const void* object, const Path& path) {
    if (!std::isfinite(number.as_double())) return fail(path, problem::finite());
    if (!in_range(schema.limits, number))
      return fail(path, schema.as_string ? problem::type(schema) : problem::range(schema.limits));
    if (schema.limits.multiple_of && !is_multiple_of(number, *schema.limits.multiple_of))
      return fail(path, problem::multiple(*schema.limits.multiple_of));
    if (schema.as_string) {
      out_.string(number_text(number));
    } else if (number == Number(0)) {
      out_.number(0);  // -0 equals 0, and no reader keeps the difference
    } else if (!number.is_integer()) {
      if (schema.storage->size == sizeof(float))
        out_.number(*static_cast<const float*>(object));
      else
        out_.number(number.as_double());
    } else if (number.is_signed()) {
      out_.number(number.as_int64());
    } else {
      out_.number(number.as_uint64());
    }
    return true;
  }

  bool text(const Schema& schema, const std::string& text, const Path& path) {
    if (!utf8::valid(text)) return this->text(schema, repaired_utf8(text), path);
    if (!length_fits(schema.limits, text)) return fail(path, problem::length(schema.limits.length));
    if (!format_fits(schema.limits, text)) return fail(path, std::string(format_problem(schema.limits.format)));
    if (!pattern_fits(schema.limits, text)) return fail(path, problem::pattern(schema.limits.pattern));
    out_.string(text);
    return true;
  }

  // Precondition: the text as a whole keeps its limits; a first writing, without cuts, has found that out.
  bool cut_text(const Schema& schema, const std::string& whole, const Path& path) {
    if (out_.text().size() > cut_->stop_at) return fail(path, problem::too_large(cut_->stop_at, "bytes"));
    const bool may_be_cut = !schema.kept_whole && schema.limits.pattern.empty() && schema.limits.format == Format::none;
    if (!may_be_cut || whole.size() <= cut_->bytes) return text(schema, whole, path);
    const std::string repaired = utf8::valid(whole) ? std::string() : repaired_utf8(whole);
    const std::string_view all = repaired.empty() ? std::string_view(whole) : repaired;
    const std::string_view kept = utf8::prefix(all, cut_->bytes);
    const std::size_t left_out = utf8::count(all.substr(kept.size()));
    const std::string shortened = std::string(kept) + "… (" + std::to_string(left_out) + " more characters)";
    if (shortened.size() >= all.size() || utf8::count(kept) < schema.limits.length.least)
      return text(schema, whole, path);
    cut_->characters += left_out;
    out_.string(shortened);
    return true;
  }

  bool enumerator(const Schema& schema, const void* object, const Path& path) {
    const Number held = load_number(*schema.storage, object);
    for (const Choice& choice : schema.choices)
      if (choice.enumerator == held.as_int64()) {
        out_.string(choice.name);
        return true;
      }
    return fail(path, problem::one_of(problem::names(schema.choices), {}));
  }

  bool array(const Schema& schema, const void* object, std::size_t depth, const Path& path) {
    const std::size_t count = schema.storage->count(object);
    if (!schema.limits.items.allow(count)) return fail(path, problem::items(schema.limits.items));
    std::vector<std::size_t> ends;  // of each element's text, kept only where they must differ
    TextCut* const cut = schema.limits.unique ? std::exchange(cut_, nullptr) : cut_;  // cut texts might be equal
    out_.begin_array();
    if (schema.limits.unique) ends.push_back(out_.text().size() - 1);  // the bracket stands where later a comma does
    for (std::size_t i = 0; i < count; ++i) {
      if (!value(*schema.items, schema.storage->read(object, i), depth, Path(&path, i))) return false;
      if (schema.limits.unique) ends.push_back(out_.text().size());
    }
    cut_ = cut;
    if (repeated(ends)) return fail(path, "must have no two equal items");
    out_.end_array();
    return true;
  }

  /// Are two of the texts equal that end at `ends`, each after one separator?
  [[nodiscard]] bool repeated(const std::vector<std::size_t>& ends) const {
    std::vector<std::string_view> texts;
    for (std::size_t i = 1; i < ends.size(); ++i)
      texts.push_back(std::string_view(out_.text()).substr(ends[i - 1] + 1, ends[i] - ends[i - 1] - 1));
    std::sort(texts.begin(), texts.end());
    return std::adjacent_find(texts.begin(), texts.end()) != texts.end();
  }

  bool map(const Schema& schema, const void* object, std::size_t depth, const Path& path) {
    if (!schema.limits.properties.allow(schema.storage->count(object)))
      return fail(path, problem::properties(schema.limits.properties));
    struct Context {
      ObjectWriter& writer;
      const Schema& items;
      std::size_t depth;
      const Path& path;
    } context{*this, *schema.additional, depth, path};
    out_.begin_object();
    const bool whole = schema.storage->each(object, &context, [](void* raw, std::string_view key, const void* member) {
      const auto& in = *static_cast<Context*>(raw);
      in.writer.out_.key(key);
      return in.writer.value(in.items, member, in.depth, Path(&in.path, key));
    });
    out_.end_object();
    return whole;
  }

  bool members(const Schema& schema, const void* object, std::size_t depth, const Path& path) {
    for (const Field& field : schema.fields) {
      const void* member = field.value(object);
      if (member == nullptr) continue;
      out_.key(field.name);
      if (!value(field.schema, member, depth, Path(&path, field.name))) return false;
    }
    out_.end_object();
    return true;
  }

  TextWriter& out_;
  Unencodable& fault_;
  TextCut* cut_;  // null: texts are written as they are
};

}  // namespace detail

inline bool write_object(TextWriter& out, const Schema& schema, const void* object, Unencodable& fault,
                         std::size_t depth, const Path& path) {
  return detail::ObjectWriter(out, fault).value(schema, object, depth, path);
}

template <class T>
Result<std::string> encode_text(const T& value) {
  TextWriter out;
  Unencodable fault;
  if (write_object(out, table_of<T>().root(), &value, fault)) return out.take();
  return unknown("INTERNAL_ERROR", "The result could not be written as JSON.")
      .escalate()
      .internal(fault.path + " " + fault.why);
}

}  // namespace v0
}  // namespace toolcontract
