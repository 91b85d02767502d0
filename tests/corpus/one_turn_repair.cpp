// SPDX-License-Identifier: MIT
// one_turn_repair [SEED]: can a model that sees only the field errors mend its call at once?
//
// For every tool of the real servers: valid calls, each broken by one fault in one place, explained, mended from the texts of
// the field errors (mender.hpp), and checked again. Located: the errors name what was broken and nothing that was sound. Exit
// status 1 when a share falls below what was reached.
#include <toolcontract/checker.hpp>

#include "../interop/instances.hpp"
#include "mender.hpp"
#include "tools.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using corpus::Json;
using corpus::Step;
using corpus::Steps;
namespace tc = toolcontract;

/// A call with one fault, and the places that may be blamed for it.
struct Broken {
  std::string kind;
  Json call;
  std::vector<Steps> places;
};

bool is_inside(const Steps& place, const Steps& whole) {
  return place.size() >= whole.size() && std::equal(whole.begin(), whole.end(), place.begin());
}

/// Does an error about the object around a member name that member? ("must have id, or name")
bool names_member(const tc::FieldError& error, const Steps& object, const Steps& member) {
  if (member.size() != object.size() + 1 || !is_inside(member, object)) return false;
  const auto* name = std::get_if<std::string>(&member.back());
  return name != nullptr && error.problem.starts_with("must have ") && error.problem.find(*name) != std::string::npos;
}

/// The names under every `properties` of a document.
void property_names(const Json& document, std::set<std::string>& names) {
  if (!document.is_structured()) return;
  if (document.is_object() && document.contains("properties"))
    for (const auto& [name, property] : document["properties"].items()) names.insert(name);
  for (const Json& inner : document) property_names(inner, names);
}

/// Every way to break one call in one place.
class Breaker {
 public:
  /// `known` are names that a misnamed field must not get: they mean another field.
  Breaker(const Json& call, const std::set<std::string>& known) : call_(call), known_(known) {}

  std::vector<Broken> all() {
    visit(call_, {});
    return std::move(all_);
  }

 private:
  void visit(const Json& value, const Steps& at) {
    retype(value, at);
    if (value.is_object()) {
      object(value, at);
      for (const auto& [key, member] : value.items()) visit(member, inside(at, key));
    } else if (value.is_array()) {
      array(value, at);
      for (std::size_t i = 0; i < value.size(); ++i) visit(value[i], inside(at, i));
    } else if (value.is_string()) {
      add("out of enum, format or pattern", at, value.get<std::string>() + "~");
      add("out of enum, format or pattern", at, "no such value");
      add("too long", at, value.get<std::string>() + std::string(20'000, 'x'));
      add("too short", at, "");
    } else if (value.is_number()) {
      for (const double wrong : {-1e12, -1.0, 0.0, 1e12})
        add("out of range", at, value.is_number_integer() ? Json(static_cast<std::int64_t>(wrong)) : Json(wrong));
    }
  }

  void object(const Json& value, const Steps& at) {
    for (const auto& [key, member] : value.items()) {
      Json without = value;
      without.erase(key);
      add("dropped", at, without, {inside(at, key)});
      for (const std::string& name : {key + "s", "the_" + key, std::string(tc::utf8::prefix(key, key.size() - 1))}) {
        if (name.empty() || known_.contains(name) || value.contains(name)) continue;
        Json renamed = without;
        renamed[name] = member;
        add("renamed", at, std::move(renamed), {inside(at, key), inside(at, name)});
      }
    }
    Json more = value;
    more["unexpected_key"] = 1;
    add("extra key", at, std::move(more), {inside(at, "unexpected_key")});
  }

  void array(const Json& value, const Steps& at) {
    add("too few items", at, Json::array());
    if (value.size() > 1) add("too few items", at, Json::array({value[0]}));
    Json many = value;
    while (!value.empty() && many.size() < 1200) many.push_back(value[many.size() % value.size()]);
    add("too many items", at, std::move(many));
  }

  void retype(const Json& value, const Steps& at) {
    add("retyped", at, nullptr);
    if (!value.is_array()) add("retyped", at, Json::array({value}));
    if (!value.is_object()) add("retyped", at, Json{{"value", value}});
    if (!value.is_string()) add("retyped", at, value.dump());
    if (value.is_string()) add("retyped", at, 7);
    if (value.is_array() && !value.empty()) add("retyped", at, value[0]);
    if (value.is_number_integer()) add("retyped", at, value.get<double>() + 0.5);
  }

  template <class Inner>
  static Steps inside(Steps at, Inner step) {
    at.emplace_back(std::move(step));
    return at;
  }

  void add(const char* kind, const Steps& at, Json by, std::vector<Steps> places = {}) {
    Broken broken{kind, call_, std::move(places)};
    if (broken.places.empty()) broken.places.push_back(at);
    *corpus::find(broken.call, at) = std::move(by);
    if (broken.places.front().size() > 1) broken.kind += ", nested";
    all_.push_back(std::move(broken));
  }

  const Json& call_;
  const std::set<std::string>& known_;
  std::vector<Broken> all_;
};

struct Score {
  std::size_t faults = 0, located = 0, mended = 0;
};

/// What was reached, in ten thousandths. Falling below is a defect.
constexpr std::size_t least_located = 10'000;
constexpr std::size_t least_mended = 10'000;

std::size_t share(std::size_t part, std::size_t whole) { return whole == 0 ? 0 : part * 10'000 / whole; }

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20261130;
  const bool talk = argc > 2;
  const auto folder = corpus::folder();
  if (!folder) {
    std::puts("LEFT OUT: one-turn repair of the real servers' tools; TOOLCONTRACT_CORPUS is not set");
    return 77;
  }
  std::map<std::string, Score> scores;
  Score total;
  std::size_t tools = 0, calls = 0, unmade = 0;
  std::set<std::string> told;
  for (const auto& tool : corpus::tools<Json>(*folder)) {
    const Json& document = tool.definition["inputSchema"];
    const auto checker = tc::Checker::compile(document);
    if (!checker) {
      std::printf("refused: %s\n", tool.name.c_str());
      return 1;
    }
    ++tools;
    interop::Instances instances(document,
                                 interop::RandomValues(interop::landmarks_of(*checker->table()), seed + tools));
    std::set<std::string> made, known;
    property_names(document, known);
    for (const interop::Fill fill :
         {interop::Fill::least, interop::Fill::most, interop::Fill::some, interop::Fill::some})
      for (int tries = 0; tries < 20; ++tries) {
        const Json call = instances.sound(fill, 5);
        if (!checker->accepts(call)) continue;
        if (!made.insert(call.dump()).second) break;
        ++calls;
        for (const Broken& broken : Breaker(call, known).all()) {
          const auto errors = checker->explain(broken.call);
          if (errors.empty()) continue;  // nothing the schema minds
          const bool located = std::all_of(errors.begin(), errors.end(), [&](const tc::FieldError& error) {
            const Steps place = corpus::steps_of(error.field);
            return std::any_of(broken.places.begin(), broken.places.end(), [&](const Steps& whole) {
              return is_inside(place, whole) || names_member(error, place, whole);
            });
          });
          Json mended = broken.call;
          corpus::Mender(call).mend(mended, errors);
          const bool sound = checker->accepts(mended);
          for (Score* score : {&scores[broken.kind], &total}) {
            ++score->faults;
            score->located += located;
            score->mended += sound;
          }
          if ((located && sound) || !talk) continue;
          std::string text =
              tool.name + " " + broken.kind + (located ? "" : " NOT LOCATED") + (sound ? "" : " NOT MENDED");
          std::string key = text;
          for (const tc::FieldError& error : errors) key += error.code;
          if (!told.insert(key).second) continue;
          std::printf("%s\n  meant  %.600s\n  broken %.600s\n  mended %.600s\n", text.c_str(), call.dump().c_str(),
                      broken.call.dump().c_str(), mended.dump().c_str());
          for (const tc::FieldError& error : errors)
            std::printf("    %s: %s: %.500s\n", error.field.c_str(), error.code.c_str(), error.problem.c_str());
          for (const tc::FieldError& error : checker->explain(mended))
            std::printf("    then %s: %s: %.500s\n", error.field.c_str(), error.code.c_str(), error.problem.c_str());
        }
        break;
      }
    if (made.empty()) ++unmade;
  }
  std::printf("%-42s %8s %8s %8s\n", "fault", "faults", "located", "mended");
  scores["all"] = total;
  for (const auto& [kind, score] : scores)
    std::printf("%-42s %8zu %7.2f%% %7.2f%%\n", kind.c_str(), score.faults,
                static_cast<double>(share(score.located, score.faults)) / 100,
                static_cast<double>(share(score.mended, score.faults)) / 100);
  std::printf("%zu tools, %zu calls, %zu tools without a call\n", tools, calls, unmade);
  const bool reached = share(total.located, total.faults) >= least_located &&
                       share(total.mended, total.faults) >= least_mended && unmade == 0 && total.faults >= 10'000;
  return reached ? 0 : 1;
}
