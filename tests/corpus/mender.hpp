// SPDX-License-Identifier: MIT
/// \file
/// Mends a refused call as a model would: from the field errors alone, and from what it meant.
///
///     Mender(meant).mend(call, errors);      // reads field, code and problem as text; never the schema
///
/// Mechanical, so that what it cannot do is what the texts leave unsaid. `meant` is the call as it was intended: from it comes
/// the value of a field that was left out, sent as null, misnamed or dropped from a list, and which of several legal values
/// or alternatives named by a text to take; everything else comes from the broken call and the words of the problem.
#pragma once

#include <toolcontract/error.hpp>
#include <toolcontract/pattern.hpp>
#include <toolcontract/utf8.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace corpus {

namespace tc = toolcontract;
using Json = nlohmann::json;

using Step = std::variant<std::string, std::size_t>;
using Steps = std::vector<Step>;

/// Reads items[3].sku and labels["a.b"].
inline Steps steps_of(std::string_view field) {
  Steps steps;
  std::size_t at = 0;
  while (at < field.size()) {
    if (field[at] == '.') {
      ++at;
    } else if (field.substr(at).starts_with("[\"")) {
      std::string key;
      for (at += 2; at < field.size() && field[at] != '"'; ++at) {
        if (field[at] == '\\') ++at;
        key += field[at];
      }
      steps.emplace_back(std::move(key));
      at += 2;
    } else if (field[at] == '[') {
      const std::size_t end = field.find(']', at);
      steps.emplace_back(static_cast<std::size_t>(std::stoull(std::string(field.substr(at + 1, end - at - 1)))));
      at = end + 1;
    } else {
      const std::size_t end = (std::min)(field.find_first_of(".[", at), field.size());
      steps.emplace_back(std::string(field.substr(at, end - at)));
      at = end;
    }
  }
  return steps;
}

/// The value at a place; null when there is none.
inline Json* find(Json& value, const Steps& steps) {
  Json* at = &value;
  for (const Step& step : steps) {
    if (const auto* key = std::get_if<std::string>(&step)) {
      if (!at->is_object() || !at->contains(*key)) return nullptr;
      at = &(*at)[*key];
    } else {
      const std::size_t index = std::get<std::size_t>(step);
      if (!at->is_array() || index >= at->size()) return nullptr;
      at = &(*at)[index];
    }
  }
  return at;
}

class Mender {
 public:
  explicit Mender(Json meant) : meant_(std::move(meant)) {}

  void mend(Json& call, const std::vector<tc::FieldError>& errors) {
    for (const tc::FieldError& error : errors) one(call, error);
  }

 private:
  // ---- reading a problem ----

  static std::vector<std::string> split(std::string_view text, std::string_view by) {
    std::vector<std::string> parts;
    for (std::size_t at; (at = text.find(by)) != text.npos; text.remove_prefix(at + by.size()))
      parts.emplace_back(text.substr(0, at));
    parts.emplace_back(text);
    return parts;
  }

  /// The names in "a, b, c"; one that would be misread in a list stands in quotes.
  static std::vector<std::string> listed(std::string_view text) {
    std::vector<std::string> names;
    while (!text.empty()) {
      std::size_t end = 0;
      char open = 0;
      int deep = 0;
      for (; end < text.size(); ++end) {
        const char c = text[end];
        if (open != 0) {
          if (c == '\\')
            ++end;
          else if (c == '"')
            open = 0;
        } else if (c == '"' && (end == 0 || deep > 0)) {
          open = c;
        } else if (c == '{' || c == '[') {
          ++deep;
        } else if (c == '}' || c == ']') {
          --deep;
        } else if (deep <= 0 && text.substr(end).starts_with(", ")) {
          break;
        }
      }
      names.emplace_back(text.substr(0, end));
      text.remove_prefix((std::min)(end + 2, text.size()));
    }
    return names;
  }

  static Json constant(const std::string& text) {
    Json parsed = Json::parse(text, nullptr, false);
    return parsed.is_discarded() ? Json(text) : parsed;
  }

  static std::string without_hint(std::string_view problem, std::string& hint) {
    const std::size_t at = problem.rfind("; did you mean ");
    if (at == problem.npos) return std::string(problem);
    hint = problem.substr(at + 15);
    if (hint.ends_with('?')) hint.pop_back();
    return std::string(problem.substr(0, at));
  }

  static std::vector<double> numbers(std::string_view text) {
    std::vector<double> found;
    for (std::size_t at = 0; at < text.size();) {
      const bool starts =
          std::string_view("-0123456789").find(text[at]) != std::string_view::npos && (at == 0 || text[at - 1] == ' ');
      if (!starts) {
        ++at;
        continue;
      }
      std::size_t used = 0;
      found.push_back(std::stod(std::string(text.substr(at)), &used));
      at += used;
    }
    return found;
  }

  /// A number brought inside "1 to 50", "at least 1", "greater than 0 and at most 10".
  static Json clamped(const Json& value, std::string_view text) {
    double number = value.get<double>();
    const bool integer = value.is_number_integer();
    const double nudge = integer || std::trunc(number) == number ? 1 : 0.001;
    const auto limit = [&](std::string_view word, auto apply) {
      if (const std::size_t at = text.find(word); at != text.npos) apply(numbers(text.substr(at + word.size() - 1))[0]);
    };
    limit("at least ", [&](double least) { number = (std::max)(number, least); });
    limit("greater than ", [&](double least) { number = number > least ? number : least + nudge; });
    limit("at most ", [&](double most) { number = (std::min)(number, most); });
    limit("less than ", [&](double most) { number = number < most ? number : most - nudge; });
    const std::size_t to = text.find(" to ");
    if (const auto ends = numbers(text); to != text.npos && ends.size() == 2)
      number = std::clamp(number, ends[0], ends[1]);
    if (number == value.get<double>()) return value;
    if (std::trunc(number) == number && std::fabs(number) < 9e15) return static_cast<std::int64_t>(number);
    return number;
  }

  struct Count {
    std::size_t least = 0;
    std::size_t most = static_cast<std::size_t>(-1);
  };
  static Count count(std::string_view text) {
    const auto found = numbers(text);
    const auto size = [&](std::size_t i) { return static_cast<std::size_t>(found.at(i)); };
    if (text.find("exactly ") != text.npos) return {size(0), size(0)};
    if (text.find("at least ") != text.npos) return {size(0)};
    if (text.find("at most ") != text.npos) return {0, size(0)};
    return {size(0), size(1)};
  }

  static std::string of_length(std::string text, Count limit) {
    std::size_t length = tc::utf8::count(text);
    while (length > limit.most) {
      text.pop_back();
      while (!tc::utf8::valid(text)) text.pop_back();
      --length;
    }
    for (; length < limit.least; ++length) text += "x";
    return text;
  }

  /// Writes a text that a pattern matches, as one who reads the pattern does.
  static std::optional<std::string> matching(const std::string& source, const Json& meant) {
    const tc::Pattern pattern(source);
    if (meant.is_string() && pattern.matches(meant.get_ref<const std::string&>())) return meant.get<std::string>();
    for (const char* text : {"2026-11-30", "2026-11-01to2026-11-30", "2026-11-30T09:30:00Z", "api.example.com", "a"})
      if (pattern.matches(text)) return text;
    return std::nullopt;
  }

  // ---- making a value be what a text says ----

  /// What a value may have been before it was wrapped, written as text, or read from text.
  static std::vector<Json> guesses(const Json& value) {
    std::vector<Json> all = {value};
    if (value.is_string())
      if (Json parsed = Json::parse(value.get<std::string>(), nullptr, false); !parsed.is_discarded())
        all.push_back(std::move(parsed));
    if (value.is_structured() && value.size() == 1) all.push_back(*value.begin());
    if (value.is_number() || value.is_boolean()) all.emplace_back(value.dump());
    return all;
  }

  std::optional<Json> be(const std::vector<Json>& from, std::string_view what, const Json* meant) const {
    const auto first = [&](auto fits) -> std::optional<Json> {
      for (const Json& guess : from)
        if (fits(guess)) return guess;
      return std::nullopt;
    };
    if (what.starts_with("one of ")) {
      std::string hint;
      const auto names = listed(without_hint(what.substr(7), hint));
      const auto legal = [&](const Json& value) {
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& name) { return value == constant(name); });
      };
      if (auto same = first(legal)) return same;
      if (!hint.empty()) return constant(hint);
      if (meant != nullptr && legal(*meant)) return *meant;
      return constant(names.front());
    }
    if (what.starts_with("an integer") || what.starts_with("a number")) {
      const auto number = first([](const Json& guess) { return guess.is_number(); });
      if (!number) return std::nullopt;
      return clamped(what.starts_with("an integer") ? Json(std::llround(number->get<double>())) : *number, what);
    }
    if (what.starts_with("a boolean")) return first([](const Json& guess) { return guess.is_boolean(); });
    if (what.starts_with("a string")) {
      const auto text = first([](const Json& guess) { return guess.is_string(); });
      const std::size_t at = what.find("matches the pattern ");
      if (at != what.npos) return matching(std::string(what.substr(at + 20)), text.value_or(Json()));
      if (!text) return std::nullopt;
      const bool bounded = what.find(" character") != what.npos;
      return bounded ? Json(of_length(text->get<std::string>(), count(what))) : *text;
    }
    if (what.starts_with("an array")) {
      if (auto array = first([](const Json& guess) { return guess.is_array(); })) return array;
      return Json::array({from.front()});
    }
    if (what.starts_with("an object")) return first([](const Json& guess) { return guess.is_object(); });
    if (what == "null") return Json(nullptr);
    if (what == "any JSON value") return from.front();
    if (const std::size_t at = what.find(", e.g. "); at != what.npos) {  // a format: its own value, or else the example
      if (meant != nullptr && meant->is_string()) return *meant;
      const std::string example(what.substr(at + 7));
      return Json(example.substr(0, example.find(" or ")));
    }
    return constant(std::string(what));
  }

  /// The alternatives of "an integer, 1 to 50, or a string or null".
  static std::vector<std::string> alternatives(std::string text) {
    for (std::size_t at; (at = text.find("true or false")) != text.npos;) text.replace(at, 13, "a boolean");
    if (text.starts_with("one of ")) return {text};
    std::vector<std::string> all;
    for (const std::string& part : split(text, ", or "))
      if (part.find(", e.g. ") != part.npos || part.starts_with("one of "))
        all.push_back(part);
      else
        for (std::string& one : split(part, " or ")) all.push_back(std::move(one));
    return all;
  }

  std::optional<Json> be_any(const Json& broken, std::string_view what, const Json* meant) const {
    std::vector<Json> from;
    if (!broken.is_null()) from = guesses(broken);
    if (meant != nullptr && (broken.is_null() || broken == *meant)) from = guesses(*meant);
    if (from.empty()) from.emplace_back(nullptr);
    const auto all = alternatives(std::string(what));
    const bool takes_array =
        std::any_of(all.begin(), all.end(), [](const std::string& one) { return one.starts_with("an array"); });
    if (takes_array && meant != nullptr && meant->is_array() && !meant->empty() && meant->front() == broken)
      return Json::array({broken});
    for (const Json& guess : from)  // nearest to what was sent first
      for (const std::string& one : all)
        if (const auto made = be({guess}, one, meant); made && (*made == guess || from.size() == 1)) return made;
    for (const std::string& one : all)
      if (auto made = be(from, one, meant)) return made;
    return std::nullopt;
  }

  // ---- one error ----

  void one(Json& call, const tc::FieldError& error) {
    if (otherwise(call, error)) return;
    Steps steps = steps_of(error.field);
    Json* const broken = find(call, steps);
    Json* const meant = find(meant_, steps);
    const std::string_view problem = std::string_view(error.problem).substr(0, error.problem.rfind("; or "));
    const auto after = [&](std::string_view words) {
      return problem.starts_with(words) ? std::optional(problem.substr(words.size())) : std::nullopt;
    };
    if (const auto members = after("must have "); members && broken != nullptr && broken->is_object())
      if (error.code == "any_of" || error.code == "one_of") return give_one_of(*broken, meant, *members);
    if (error.code == "required") return give(call, steps, after("must be given: ").value_or(""), meant);
    if (error.code == "unknown_field" || error.code == "items" || error.code == "not") return remove(call, steps);
    if (error.code == "property_name") return rename(call, steps, after("must be named ").value_or(""));
    if (broken == nullptr) return;
    if (error.code == "length") {
      if (broken->is_string()) *broken = of_length(broken->get<std::string>(), count(problem));
    } else if (error.code == "count") {
      to_size(*broken, meant, count(problem));
    } else if (error.code == "pattern") {
      if (const auto text =
              matching(std::string(after("must match the pattern ").value_or("")), meant != nullptr ? *meant : Json()))
        *broken = *text;
    } else if (error.code == "multiple_of") {
      const double step = numbers(problem).at(0);
      *broken = std::round(broken->get<double>() / step) * step;
    } else if (error.code == "range") {
      *broken = clamped(*broken, problem);
    } else if (const auto what = after("must be ")) {
      if (error.code == "const") {
        *broken = constant(std::string(*what));
      } else if (auto made = be_any(*broken, *what, meant)) {
        *broken = std::move(*made);
      }
    }
  }

  /// "…; or PLACE must be EXPECTED": another alternative, taken when that is what was meant.
  bool otherwise(Json& call, const tc::FieldError& error) const {
    const std::size_t at = error.problem.rfind("; or "), must = error.problem.find(" must be ", at);
    if (at == std::string::npos || must == std::string::npos) return false;
    const std::string place = error.problem.substr(at + 5, must - at - 5);
    const Steps whole = place == "the whole" ? Steps() : steps_of(place);
    Json* broken = find(call, whole);
    Json meant = meant_;
    const Json* intended = find(meant, whole);
    if (broken == nullptr || intended == nullptr || intended->type() == broken->type()) return false;
    const auto made = be_any(*broken, error.problem.substr(must + 9), intended);
    if (made) *broken = *made;
    return made.has_value();
  }

  /// "NAME (EXPECTED) and NAME, or NAME (EXPECTED)": the members that were meant, or else the first that can be made up.
  void give_one_of(Json& object, const Json* meant, std::string_view text) const {
    std::vector<std::vector<std::pair<std::string, std::string>>> all;
    for (const std::string& alternative : split(text, ", or "))
      for (auto& members = all.emplace_back(); const std::string& member : split(alternative, " and ")) {
        const std::size_t open = (std::min)(member.find(" ("), member.size());
        members.emplace_back(member.substr(0, open), open < member.size()
                                                         ? member.substr(open + 2, member.size() - open - 3)
                                                         : std::string("any JSON value"));
      }
    const auto is_meant = [&](const auto& members) {
      return meant != nullptr && std::all_of(members.begin(), members.end(),
                                             [&](const auto& member) { return meant->contains(member.first); });
    };
    const auto chosen = std::find_if(all.begin(), all.end(), is_meant);
    for (const auto& [name, what] : chosen != all.end() ? *chosen : all.front()) {
      const auto value = chosen != all.end() ? std::optional((*meant)[name]) : be_any(Json(), what, nullptr);
      if (value) object[name] = *value;
    }
  }

  void give(Json& call, Steps steps, std::string_view what, const Json* meant) const {
    const auto key = std::get<std::string>(steps.back());
    steps.pop_back();
    Json* object = find(call, steps);
    if (object == nullptr || !object->is_object()) return;
    const auto value = meant != nullptr ? std::optional(*meant) : be_any(Json(), what, nullptr);
    if (value) (*object)[key] = *value;
  }

  static void remove(Json& call, Steps steps) {
    if (steps.empty()) return;
    const Step last = steps.back();
    steps.pop_back();
    Json* whole = find(call, steps);
    if (whole == nullptr) return;
    const auto* key = std::get_if<std::string>(&last);
    if (key != nullptr && whole->is_object())
      whole->erase(*key);
    else if (key == nullptr && whole->is_array() && std::get<std::size_t>(last) < whole->size())
      whole->erase(std::get<std::size_t>(last));
  }

  void rename(Json& call, Steps steps, std::string_view what) const {
    const auto key = std::get<std::string>(steps.back());
    steps.pop_back();
    Json* object = find(call, steps);
    const auto name = be_any(Json(key), what, nullptr);
    if (object == nullptr || !object->contains(key) || !name || !name->is_string()) return;
    Json value = (*object)[key];
    object->erase(key);
    (*object)[name->get<std::string>()] = std::move(value);
  }

  static void to_size(Json& value, const Json* meant, Count limit) {
    if (value.is_object()) {
      while (value.size() > limit.most) value.erase(std::prev(value.end()));
      return;
    }
    while (value.size() > limit.most) value.erase(value.size() - 1);
    while (meant != nullptr && value.size() < limit.least && value.size() < meant->size())
      value.push_back((*meant)[value.size()]);
  }

  Json meant_;
};

}  // namespace corpus
