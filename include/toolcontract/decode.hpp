// SPDX-License-Identifier: MIT
/// \file
/// JSON or text into a described struct, exactly as its schema says, or every field error at once.
///
///     tc::Result<RefundInput> in = tc::decode<RefundInput>(R"({"order_id":"B1","amount_cents":5.0})");
///     in.error().message();
///     // The arguments were not accepted. order_id must match the pattern ^A[0-9]+$. Got "B1". operation_id must be given: a string.
///
/// Strict: 5.0 is the integer 5, but nothing is narrowed, truncated or guessed, an unknown enum value is no first value,
/// and no key wins over its duplicate. Text is limited in bytes, depth and number of values before anything is built.
/// Nothing here throws over bad input.
///
/// Cost: nlohmann/json; templates only.
#pragma once

#include <toolcontract/check.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/problem.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// What a text may cost before it is looked at any further.
struct InputLimits {
  std::size_t bytes = 10 * 1024 * 1024;
  std::size_t depth = default_depth;   ///< nested levels; the outermost value is level 1
  std::size_t values = 1'000'000;      ///< scalars, arrays and objects together
};

namespace detail {
template <class J>
class DocumentBuilder;
}

/// A parsed text: the value, and every fault of the text with its place. A duplicate key or a number beyond any range
/// does not hide the rest of a message, so a server can still read the id it has to answer. Used as tc::Document.
template <class J>
class BasicDocument {
 public:
  /// What could be read: the first of duplicate members, 0 for a number out of range, null for what lies too deep.
  /// Null as a whole when the text is not JSON.
  [[nodiscard]] const J& value() const noexcept { return value_; }
  /// True when the text is one sound JSON value.
  [[nodiscard]] bool ok() const noexcept { return faults_.empty(); }
  /// False when the text as a whole could not be read (malformed, or larger than the limit): value() then says nothing.
  [[nodiscard]] bool readable() const noexcept { return readable_; }
  /// The faults in text order, their `field` counted from value().
  [[nodiscard]] std::vector<FieldError> faults() const;

  /// Moves the member at `path` out, with the faults that lie in it; faults of the text as a whole come along and stay.
  /// An absent member gives {}: arguments that are missing mean none.
  [[nodiscard]] BasicDocument take(std::initializer_list<std::string_view> path);

 private:
  friend class detail::DocumentBuilder<J>;
  struct Step {
    std::string key;
    std::size_t index = 0;
    bool is_index = false;
  };
  struct Fault {
    std::vector<Step> place;  ///< empty: the text as a whole
    std::string code;
    std::string problem;
    bool names_field = true;  ///< false: reported for the whole, wherever it lies
    std::size_t count = 1;    ///< of code "more": how many it stands for
  };
  J value_;
  std::vector<Fault> faults_;
  bool readable_ = true;
};

using Document = BasicDocument<nlohmann::json>;

/// Reads one JSON text within the limits. Never throws over the text; "" is malformed here (decode takes it as {}).
template <class J = nlohmann::json>
[[nodiscard]] BasicDocument<J> parse(std::string_view text, const InputLimits& limits = {});

/// The error a call with these faults ends as. `subject` starts the message: "The arguments of orders_get".
[[nodiscard]] inline ToolError invalid_arguments(std::string_view subject, std::vector<FieldError> errors) {
  auto error = validation("INVALID_ARGUMENTS", std::string(subject) + " were not accepted. " + sentences(errors));
  for (FieldError& fault : errors)
    error.field(std::move(fault.field), std::move(fault.code), std::move(fault.problem), std::move(fault.got));
  return error;
}

/// A JSON value into a T. The error is INVALID_ARGUMENTS (validation) with all field errors.
template <class T, BasicJson J>
[[nodiscard]] Result<T> decode(const J& arguments, const InputLimits& limits = {});

/// A parsed document (or the part of a message taken from it) into a T.
template <class T, class J>
[[nodiscard]] Result<T> decode(const BasicDocument<J>& arguments, const InputLimits& limits = {});

/// A text into a T; "" is {}. Faults of the text (malformed, duplicate keys, encoding, numbers out of range) come alone.
template <class T>
[[nodiscard]] Result<T> decode(std::string_view text, const InputLimits& limits = {});

namespace detail {

// ---- values into objects ------------------------------------------------------------------------------------------------

/// Runs every cross-field rule in a filled object.
inline void check_rules(const Schema& schema, const void* object, const Path& path, FieldErrors& errors) {
  if (schema.storage == nullptr) return;
  const Storage& storage = *schema.storage;
  switch (storage.form) {
    case Storage::Form::record:
      for (const Field& field : schema.fields)
        if (const void* value = field.value(object)) check_rules(field.schema, value, Path(&path, field.name), errors);
      for (const Rule& rule : schema.rules)
        if (!rule.holds(object)) errors.add(rule.field.empty() ? path : Path(&path, rule.field), "rule", std::string(rule.problem));
      return;
    case Storage::Form::sequence:
    case Storage::Form::fixed:
      for (std::size_t i = 0; i < storage.count(object); ++i)
        check_rules(*schema.items, storage.read(object, i), Path(&path, i), errors);
      return;
    case Storage::Form::map: {
      struct Context {
        const Schema& items;
        const Path& path;
        FieldErrors& errors;
      } context{*schema.items, path, errors};
      storage.each(object, &context, [](void* raw, std::string_view key, const void* value) {
        const auto& in = *static_cast<Context*>(raw);
        check_rules(in.items, value, Path(&in.path, key), in.errors);
        return true;
      });
      return;
    }
    case Storage::Form::tagged:
      check_rules(*schema.alternatives[storage.count(object)].schema, storage.read(object, 0), path, errors);
      return;
    default: return;
  }
}

/// Fills `into` (an object of the table's type); what is wrong comes back and the object is then to be thrown away.
template <BasicJson J>
std::vector<FieldError> fill(const Table& table, const J& json, void* into, std::size_t depth) {
  if (!Acceptor<J>::value(table.root(), json, into, depth)) return explain(table.root(), json, depth);
  if (!table.has_rules()) return {};
  FieldErrors errors;
  check_rules(table.root(), into, Path(), errors);
  return errors.take();
}

// ---- text into values -----------------------------------------------------------------------------------------------------

/// Builds a document from nlohmann's SAX events. Past a limit it goes on reading but builds nothing more.
template <class J>
class DocumentBuilder {
 public:
  using Document = BasicDocument<J>;

  /// `out_of_range`: which numbers of the text (counted from 1, ascending) are beyond any range and replaced by 0.
  DocumentBuilder(const InputLimits& limits, const std::vector<std::size_t>& out_of_range)
      : limits_(limits), out_of_range_(out_of_range) {}

  bool null() { return leaf(nullptr); }
  bool boolean(bool value) { return leaf(value); }
  bool number_integer(typename J::number_integer_t value) { return number(value); }
  bool number_unsigned(typename J::number_unsigned_t value) { return number(value); }
  bool number_float(typename J::number_float_t value, const std::string& token) {
    using Real = typename J::number_float_t;
    const bool just_below_int64 = value == Real(-9223372036854775808.0) && token.find_first_of(".eE") == token.npos;
    return number(just_below_int64 ? std::nextafter(value, -std::numeric_limits<Real>::infinity()) : value);  // else it rounds into the range
  }
  bool string(std::string& value) { return leaf(std::move(value)); }
  bool binary(typename J::binary_t&) { return leaf(nullptr); }
  bool start_object(std::size_t) { return open(J::value_t::object); }
  bool start_array(std::size_t) { return open(J::value_t::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    if (skipping_ > 0) return true;
    Frame& frame = frames_.back();
    frame.step.key = std::move(name);
    frame.duplicate = frame.container->contains(frame.step.key);
    if (frame.duplicate) fault("duplicate_key", problem::duplicate_key());
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
    number_overflowed = error.id == 406;
    read = position;
    return false;
  }

  bool number_overflowed = false;
  std::size_t read = 0;  ///< bytes read up to the error; more than the text has when it ended too early

  /// The document with its faults; `text_faults` concern the text as a whole and come first.
  [[nodiscard]] Document finish(std::vector<FieldError> text_faults, bool readable) {
    Document document;
    document.readable_ = readable;
    for (FieldError& fault : text_faults) document.faults_.push_back({{}, std::move(fault.code), std::move(fault.problem), false, 1});
    if (!readable) return document;
    document.value_ = std::move(root_);
    for (auto& fault : faults_) document.faults_.push_back(std::move(fault));
    if (uncounted_ > 0)  // nobody can tell any more which part of a message they lie in
      document.faults_.push_back({{}, "more", {}, false, uncounted_});
    return document;
  }

 private:
  struct Frame {
    J* container;
    typename Document::Step step;
    bool duplicate = false;
  };

  template <class V>
  bool number(V value) {
    const bool beyond = replaced_ < out_of_range_.size() && out_of_range_[replaced_] == ++numbers_;
    if (beyond) ++replaced_;
    return leaf(value, beyond);
  }

  template <class V>
  bool leaf(V&& value, bool beyond = false) {
    J* slot = next();
    if (slot == nullptr) return true;
    if (beyond) fault("range", problem::beyond_numbers());
    *slot = std::forward<V>(value);
    after_value();
    return true;
  }

  bool open(typename J::value_t type) {
    J* slot = next();
    if (slot != nullptr && frames_.size() >= limits_.depth) {
      fault("too_deep", problem::too_deep(limits_.depth), false);
      slot = nullptr;
    }
    if (slot == nullptr) {
      ++skipping_;
      return true;
    }
    *slot = type;
    frames_.push_back({slot, {{}, 0, type == J::value_t::array}});
    return true;
  }

  bool close() {
    if (skipping_ > 0) --skipping_;
    else frames_.pop_back();
    if (skipping_ == 0) after_value();
    return true;
  }

  // Where the coming value goes; null when it is not to be built.
  J* next() {
    if (++values_ == limits_.values + 1) faults_.push_back({{}, "too_large", problem::too_large(limits_.values, "values"), false, 1});
    if (skipping_ > 0 || values_ > limits_.values) return nullptr;
    if (frames_.empty()) return &root_;
    Frame& frame = frames_.back();
    if (frame.duplicate) return nullptr;
    if (!frame.step.is_index) return &(*frame.container)[frame.step.key];
    frame.container->push_back(nullptr);
    return &frame.container->back();
  }

  void after_value() {
    if (!frames_.empty()) ++frames_.back().step.index;
  }

  void fault(std::string code, std::string problem, bool names_field = true) {
    constexpr std::size_t most = 64;
    if (faults_.size() >= most) {
      ++uncounted_;
      return;
    }
    typename Document::Fault fault{{}, std::move(code), std::move(problem), names_field, 1};
    for (const Frame& frame : frames_) fault.place.push_back(frame.step);
    faults_.push_back(std::move(fault));
  }

  const InputLimits& limits_;
  const std::vector<std::size_t>& out_of_range_;
  J root_;
  std::vector<Frame> frames_;
  std::size_t skipping_ = 0;  ///< open containers that are not built
  std::size_t values_ = 0;    ///< seen so far
  std::size_t numbers_ = 0;   ///< of these; counted while some are still to be told as replaced
  std::size_t replaced_ = 0;  ///< how many of out_of_range_ have been met
  std::vector<typename Document::Fault> faults_;
  std::size_t uncounted_ = 0;
};

/// Puts a 0 in place of every number beyond any range, at which nlohmann's reader would stop, and says which numbers of
/// the text they were. What is no number is left as it is.
template <class J>
std::vector<std::size_t> replace_overflows(std::string& text) {
  const InputLimits limits;
  const std::vector<std::size_t> none;
  std::vector<std::size_t> replaced;
  std::size_t numbers = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
      ++at;
    } else if (text[at] == '-' || (text[at] >= '0' && text[at] <= '9')) {
      const std::size_t length = (std::min)(text.find_first_not_of("+-.0123456789eE", at), text.size()) - at;
      const std::string_view token = std::string_view(text).substr(at, length);
      ++numbers;
      if (length > 308 || token.find_first_of("eE") != token.npos) {
        DocumentBuilder<J> alone(limits, none);
        J::sax_parse(token.begin(), token.end(), &alone);
        if (alone.number_overflowed && alone.read == length) {
          text.replace(at, length, "0" + std::string(length - 1, ' '));
          replaced.push_back(numbers);
        }
      }
      at += length;
    } else {
      ++at;
    }
  }
  return replaced;
}

}  // namespace detail

template <class J>
std::vector<FieldError> BasicDocument<J>::faults() const {
  FieldErrors errors;
  bool too_deep = false;
  for (const Fault& fault : faults_) {
    if (fault.code == "too_deep" && std::exchange(too_deep, true)) continue;  // said once
    if (fault.code == "more") {
      errors.count(fault.count);
      continue;
    }
    std::vector<Path> steps;
    steps.reserve(fault.place.size() + 1);
    steps.emplace_back();
    if (fault.names_field)
      for (const Step& step : fault.place)
        steps.push_back(step.is_index ? Path(&steps.back(), step.index) : Path(&steps.back(), std::string_view(step.key)));
    errors.add(steps.back(), fault.code, fault.problem);
  }
  return errors.take();
}

template <class J>
BasicDocument<J> BasicDocument<J>::take(std::initializer_list<std::string_view> path) {
  BasicDocument part;
  J* at = &value_;
  for (const std::string_view key : path) {
    if (at == nullptr || !at->is_object()) at = nullptr;
    else if (const auto member = at->find(std::string(key)); member == at->end()) at = nullptr;
    else at = &*member;
  }
  part.value_ = at != nullptr ? std::exchange(*at, J()) : J::object();
  part.readable_ = readable_;
  const auto inside = [&](const Fault& fault) {
    auto step = fault.place.begin();
    for (const std::string_view key : path) {
      if (step == fault.place.end() || step->is_index || step->key != key) return false;
      ++step;
    }
    return true;
  };
  std::vector<Fault> outside;
  for (Fault& fault : faults_) {
    if (fault.place.empty()) part.faults_.push_back(fault);
    if (fault.place.empty() || !inside(fault)) {
      outside.push_back(std::move(fault));
      continue;
    }
    fault.place.erase(fault.place.begin(), fault.place.begin() + static_cast<std::ptrdiff_t>(path.size()));
    part.faults_.push_back(std::move(fault));
  }
  faults_ = std::move(outside);
  return part;
}

template <class J>
BasicDocument<J> parse(std::string_view text, const InputLimits& limits) {
  std::vector<FieldError> text_faults;
  std::vector<std::size_t> out_of_range;
  std::string repaired;
  const auto unreadable = [&](std::string code, std::string problem) {
    text_faults.push_back({"", std::move(code), std::move(problem), {}});
    return detail::DocumentBuilder<J>(limits, out_of_range).finish(std::move(text_faults), false);
  };

  if (text.size() > limits.bytes) return unreadable("too_large", problem::too_large(limits.bytes, "bytes"));
  if (const std::size_t nul = text.find('\0'); nul != text.npos)  // nlohmann would take it for the end of the text
    return unreadable("malformed_json", problem::malformed("it has a NUL byte", nul));
  if (const std::size_t invalid = utf8::first_invalid(text); invalid != text.size()) {
    text_faults.push_back({"", "encoding", problem::utf8() + "; byte " + std::to_string(invalid) + " is not", {}});
    repaired = detail::repaired_utf8(text);
    text = repaired;
  }

  for (bool again = true;; again = false) {
    detail::DocumentBuilder<J> builder(limits, out_of_range);
    if (J::sax_parse(text.begin(), text.end(), &builder)) return builder.finish(std::move(text_faults), true);
    if (!builder.number_overflowed || !again) {
      const bool early = builder.read > text.size();
      return unreadable("malformed_json", problem::malformed(early ? "it ends too early" : "it goes wrong", early ? text.size() : builder.read - 1));
    }
    std::string patched(text);
    out_of_range = detail::replace_overflows<J>(patched);
    repaired = std::move(patched);
    text = repaired;
  }
}

template <class T, BasicJson J>
Result<T> decode(const J& arguments, const InputLimits& limits) {
  T value{};
  auto errors = detail::fill(table_of<T>(), arguments, &value, limits.depth);
  if (errors.empty()) return value;
  return invalid_arguments("The arguments", std::move(errors));
}

template <class T, class J>
Result<T> decode(const BasicDocument<J>& arguments, const InputLimits& limits) {
  if (!arguments.ok()) return invalid_arguments("The arguments", arguments.faults());
  return decode<T>(arguments.value(), limits);
}

template <class T>
Result<T> decode(std::string_view text, const InputLimits& limits) {
  return decode<T>(parse(text.empty() ? "{}" : text, limits), limits);
}

}  // namespace v0
}  // namespace toolcontract
