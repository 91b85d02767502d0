// SPDX-License-Identifier: MIT
// documents [SEED [INSTANCES_PER_DOCUMENT]]: the schemas of the real servers' tools (TOOLCONTRACT_CORPUS), and each once more
// with keywords that Checker leaves to valijson, then instances with our verdict, as lines of JSON for documents.mjs:
//
//   {"schema":3,"name":"filesystem read_file inputSchema","engine":"Checker","document":{…}}
//   {"schema":3,"accepts":true,"instance":{…}}
//
// The verdict is about the document without its formats: ajv is asked without them too. What the formats change is checked
// here: they only ever refuse more, and then say so. Every way to ask (Checker or SchemaValidator, compile_any, accepting or
// explaining, a sorted or an ordered value) must agree. Exit status 77 without the corpus.
#include <toolcontract/checker.hpp>
#include <toolcontract/schema_validator.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../corpus/tools.hpp"
#include "instances.hpp"

namespace {

using Ordered = nlohmann::ordered_json;
using interop::Json;
namespace tc = toolcontract;

/// The document with no `format` anywhere a schema stands.
Ordered without_formats(const Ordered& schema) {
  if (schema.is_array()) {
    Ordered list = Ordered::array();
    for (const Ordered& inner : schema) list.push_back(without_formats(inner));
    return list;
  }
  if (!schema.is_object()) return schema;
  Ordered plain = Ordered::object();
  for (const auto& [key, value] : schema.items()) {
    if (key == "format") continue;
    const bool named = key == "properties" || key == "$defs" || key == "definitions" || key == "patternProperties" ||
                       key == "dependentSchemas" || key == "dependencies";
    const bool constant = key == "const" || key == "enum" || key == "default" || key == "examples";
    if (named && value.is_object()) {
      plain[key] = Ordered::object();
      for (const auto& [name, inner] : value.items()) plain[key][name] = without_formats(inner);
    } else {
      plain[key] = constant ? value : without_formats(value);
    }
  }
  return plain;
}

/// The document with keywords that go beyond a table: a real tool's arguments, under conditions of our own.
Ordered with_further_keywords(Ordered document, interop::RandomValues& random) {
  const bool draft_07 = document.value("$schema", "").find("draft-07") != std::string::npos;
  std::vector<std::string> names;
  if (document.contains("properties"))
    for (const auto& [name, property] : document["properties"].items()) names.push_back(name);
  for (const char* spare : {"a", "b"}) names.emplace_back(spare);
  const std::size_t first = random.below(names.size());
  const std::string one = names[first], other = names[(first + 1 + random.below(names.size() - 1)) % names.size()];
  const Ordered fits =
      Ordered::parse(random.one_in(2) ? R"({"type":["string","object","array"]})" : R"({"minimum":5})");
  switch (random.below(7)) {
    case 0:
      document["not"] = {{"required", {one, other}}};
      break;
    case 1:
      document["if"] = {{"required", {one}}};
      document["then"] = {{"required", {other}}, {"properties", {{other, fits}}}};
      document["else"] = {{"minProperties", 1}};
      break;
    case 2:
      document["patternProperties"] = {{"^[a-m]", fits}, {"[aeiou]s$", {{"type", "array"}}}};
      break;
    case 3:
      document[draft_07 ? "dependencies" : "dependentRequired"] = {{one, {other}}};
      break;
    case 4:
      document[draft_07 ? "dependencies" : "dependentSchemas"] = {
          {one, {{"minProperties", 2}, {"properties", {{other, fits}}}}}};
      break;
    case 5:
      document["not"] = {{"properties", {{one, fits}}}};
      break;
    default:
      for (const std::string& name : names) {
        if (!document.contains("properties") || !document["properties"].contains(name)) continue;
        Ordered& property = document["properties"][name];
        if (!property.is_object()) continue;
        property["contains"] = fits;
        if (!draft_07 && random.one_in(2)) property["maxContains"] = 1;
        property["if"] = {{"type", "string"}};
        property["then"] = {{"minLength", 3}};
        property.erase("default");  // which might not fit, and then the document is refused
      }
      document["if"] = true;
  }
  return document;
}

class Documents {
 public:
  Documents(std::uint64_t seed, std::size_t count) : seed_(seed), count_(count) {}

  void add(const std::string& name, const Ordered& document) {
    const auto full = tc::compile_any(document);
    const Ordered plain_document = without_formats(document);
    const auto plain = tc::compile_any(plain_document);
    if (!full || !plain) return fail(name, full ? plain.error().problem : full.error().problem);
    const auto checker = tc::Checker::compile(plain_document);
    if (checker.has_value() == plain->asks_valijson()) fail(name, "Checker and compile_any choose otherwise");
    std::printf("{\"schema\":%zu,\"name\":%s,\"engine\":\"%s\",\"document\":%s}\n", index_, Json(name).dump().c_str(),
                checker ? "Checker" : "SchemaValidator", plain_document.dump().c_str());
    interop::Instances instances(
        Json::parse(document.dump()),
        interop::RandomValues(interop::landmarks_of(*full->table()), seed_ + static_cast<std::uint64_t>(index_)));
    Json value;
    for (std::size_t i = 0; i < count_; ++i) {
      if (i % 3 == 0) value = instances.sound();
      const Json instance = i % 3 == 0 ? value : instances.changed(value);
      const std::string text = instance.dump();
      const bool accepts = plain->accepts(instance);
      const Ordered ordered = Ordered::parse(text);
      const bool agree =
          plain->accepts(ordered) == accepts && plain->explain(instance).empty() == accepts &&
          plain->explain(ordered).empty() == accepts &&
          (!checker || (checker->accepts(instance) == accepts && checker->explain(instance).empty() == accepts));
      if (!agree) fail(name, "our own ways to ask disagree on " + text);
      if (!formats_only_refuse(*full, instance, accepts) && !full->asks_valijson())  // under `not` they may admit more
        fail(name, "formats do not only refuse more, or do not say so: " + text);
      std::printf("{\"schema\":%zu,\"accepts\":%s,\"instance\":%s}\n", index_, accepts ? "true" : "false",
                  text.c_str());
    }
    ++index_;
  }

  [[nodiscard]] bool failed() const { return failed_; }

 private:
  static bool formats_only_refuse(const tc::AnyChecker& full, const Json& instance, bool accepts) {
    if (full.accepts(instance)) return accepts;
    const auto errors = full.explain(instance);
    if (errors.empty() || !accepts) return !errors.empty();
    return std::any_of(errors.begin(), errors.end(), [](const tc::FieldError& error) {
      return error.code == "format" || error.code == "property_name" || error.code == "any_of" ||
             error.code == "one_of";
    });
  }

  void fail(const std::string& name, const std::string& why) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), why.c_str());
    failed_ = true;
  }

  std::uint64_t seed_;
  std::size_t count_;
  std::size_t index_ = 0;
  bool failed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20261130;
  const std::size_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 90;
  const auto folder = corpus::folder();
  if (!folder) {
    std::fprintf(stderr, "LEFT OUT: the real servers' schemas against ajv; TOOLCONTRACT_CORPUS is not set\n");
    return 77;
  }
  Documents documents(seed, count);
  interop::RandomValues random({}, seed);
  for (const auto& tool : corpus::tools<Ordered>(*folder))
    for (const char* key : {"inputSchema", "outputSchema"}) {
      if (!tool.definition.contains(key)) continue;
      const std::string name = tool.server + " " + tool.name + " " + key;
      documents.add(name, tool.definition[key]);
      documents.add(name + ", further", with_further_keywords(tool.definition[key], random));
    }
  return documents.failed() ? 1 : 0;
}
