// SPDX-License-Identifier: MIT
/// \file
/// A JSON text as a value and its faults: what a whole message is read with before anybody trusts it.
///
///     tc::Document message = tc::parse(line);                       // {"id":7,"params":{"arguments":{"n":1,"n":1e400}}}
///     tc::Document arguments = message.take({"params", "arguments"});
///     arguments.faults();  // [{"n", "duplicate_key", "must be given once"}]: for the tool; message.value()["id"] is still 7
///
/// nlohmann's own parser takes the last of duplicate keys, stops at a NUL byte, throws on 1e400 and recurses nowhere but
/// lets anybody ask for any depth. Here text is limited in bytes, depth and number of values before anything is built.
///
/// Cost: nlohmann/json; templates only.
#pragma once

#include <toolcontract/error.hpp>
#include <toolcontract/json_value.hpp>
#include <toolcontract/problem.hpp>
#include <toolcontract/utf8.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// What a text may cost before it is looked at any further.
struct InputLimits {
  std::size_t bytes = 10 * 1024 * 1024;
  std::size_t depth = default_depth;  ///< nested levels; the outermost value is level 1
  std::size_t values = 1'000'000;     ///< scalars, arrays and objects together
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

namespace detail {

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
    return number(just_below_int64 ? std::nextafter(value, -std::numeric_limits<Real>::infinity())
                                   : value);  // else it rounds into the range
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
    for (FieldError& fault : text_faults)
      document.faults_.push_back({{}, std::move(fault.code), std::move(fault.problem), false, 1});
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
    if (skipping_ > 0)
      --skipping_;
    else
      frames_.pop_back();
    if (skipping_ == 0) after_value();
    return true;
  }

  // Where the coming value goes; null when it is not to be built.
  J* next() {
    if (++values_ == limits_.values + 1)
      faults_.push_back({{}, "too_large", problem::too_large(limits_.values, "values"), false, 1});
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
        steps.push_back(step.is_index ? Path(&steps.back(), step.index)
                                      : Path(&steps.back(), std::string_view(step.key)));
    errors.add(steps.back(), fault.code, fault.problem);
  }
  return errors.take();
}

template <class J>
BasicDocument<J> BasicDocument<J>::take(std::initializer_list<std::string_view> path) {
  BasicDocument part;
  J* at = &value_;
  for (const std::string_view key : path) {
    if (at == nullptr || !at->is_object())
      at = nullptr;
    else if (const auto member = at->find(std::string(key)); member == at->end())
      at = nullptr;
    else
      at = &*member;
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
      return unreadable("malformed_json", problem::malformed(early ? "it ends too early" : "it goes wrong",
                                                             early ? text.size() : builder.read - 1));
    }
    std::string patched(text);
    out_of_range = detail::replace_overflows<J>(patched);
    repaired = std::move(patched);
    text = repaired;
  }
}

}  // namespace v0
}  // namespace toolcontract
