// SPDX-License-Identifier: MIT
// scoreboard: how both engines do on the official JSON Schema Test Suite (required tests of 2020-12 and draft-07), and how many
// of the real servers' tools they refuse.
//
//   right    the suite's verdict        refused  the schema is refused when it is loaded, with its place and the remedy
//   wrong    another verdict            drift    accepting and explaining disagree
//
// A value rejected for its format alone counts as right: here formats are enforced, in the suite's required tests they are
// annotations. Exit status 1 when anything is wrong, when compile_any takes less than it did, or when it refuses a tool.
#include <toolcontract/checker.hpp>
#include <toolcontract/schema_validator.hpp>

#include "tools.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

using Json = nlohmann::json;
namespace tc = toolcontract;

struct Score {
  std::size_t right = 0, refused = 0, wrong = 0, drift = 0;
  [[nodiscard]] std::size_t all() const { return right + refused + wrong; }
};

struct Verdict {
  std::vector<tc::FieldError> errors;
  bool accepts;
};

/// One test of the suite; the verdict is null where the schema was refused.
void count(Score& score, const Json& test, const Verdict* verdict, const std::string& where) {
  if (verdict == nullptr) {
    ++score.refused;
    return;
  }
  const auto is_format = [](const tc::FieldError& error) { return error.code == "format"; };
  const bool only_format =
      !verdict->errors.empty() && std::all_of(verdict->errors.begin(), verdict->errors.end(), is_format);
  const bool right = verdict->errors.empty() == test["valid"] || only_format;
  ++(right ? score.right : score.wrong);
  score.drift += verdict->accepts != verdict->errors.empty();
  if (!right) std::printf("WRONG, %s: %s\n", where.c_str(), test["description"].get<std::string>().c_str());
}

struct Engine {
  const char* name;
  Score score{};
};

template <class Contract>
void ask(Engine& engine, const Json& schema, const Json& tests, const std::string& where) {
  const auto contract = Contract::compile(schema);
  for (const Json& test : tests) {
    if (!contract) {
      count(engine.score, test, nullptr, where);
      continue;
    }
    const Json& value = test["data"];
    const Verdict verdict{contract->explain(value), contract->accepts(value)};
    count(engine.score, test, &verdict, where + " (" + engine.name + ")");
  }
}

/// Checker, then SchemaValidator, then what compile_any chooses.
std::vector<Engine> scores(const std::filesystem::path& directory, const std::string& dialect) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(directory))
    if (file.path().extension() == ".json") files.push_back(file.path());
  std::sort(files.begin(), files.end());
  std::vector<Engine> engines = {{"Checker"}, {"SchemaValidator"}, {"compile_any"}};
  for (const auto& file : files)
    for (const Json& group : corpus::read<Json>(file)) {
      Json schema = group["schema"];
      if (schema.is_object() && !schema.contains("$schema")) schema["$schema"] = dialect;
      const std::string where = file.filename().string() + ": " + group["description"].get<std::string>();
      ask<tc::Checker>(engines[0], schema, group["tests"], where);
      ask<tc::SchemaValidator>(engines[1], schema, group["tests"], where);
      const auto any = tc::compile_any(schema);
      for (const Json& test : group["tests"]) {
        const Verdict verdict = any ? Verdict{any->explain(test["data"]), any->accepts(test["data"])} : Verdict{};
        count(engines[2].score, test, any ? &verdict : nullptr, where + " (compile_any)");
      }
    }
  return engines;
}

/// Prints the scores; false when anything is wrong or compile_any takes less than `least` percent.
bool stands(const char* draft, const std::vector<Engine>& engines, std::size_t least) {
  bool sound =
      engines.back().score.all() > 500 && 100 * engines.back().score.right >= least * engines.back().score.all();
  for (const auto& [engine, score] : engines) {
    std::printf("%-9s %-16s %6zu %8zu %6zu %6zu  %5.1f%%\n", draft, engine, score.right, score.refused, score.wrong,
                score.drift, 100 * static_cast<double>(score.right) / static_cast<double>(score.all()));
    sound = sound && score.wrong == 0 && score.drift == 0;
  }
  return sound;
}

}  // namespace

int main() {
  const auto folder = corpus::folder();
  if (!folder) {
    std::puts("LEFT OUT: the official JSON Schema Test Suite; TOOLCONTRACT_CORPUS is not set");
    return 77;
  }
  const auto suite = *folder / "json-schema-test-suite" / "tests";
  const auto modern = scores(suite / "draft2020-12", "https://json-schema.org/draft/2020-12/schema");
  const auto draft_07 = scores(suite / "draft7", "http://json-schema.org/draft-07/schema#");
  std::puts("draft     engine            right  refused  wrong  drift  right of all");
  bool sound = stands("2020-12", modern, 75);
  sound = stands("draft-07", draft_07, 95) && sound;

  std::size_t tools = 0, schemas = 0, refused_by_checker = 0, refused = 0;
  for (const auto& tool : corpus::tools<Json>(*folder)) {
    ++tools;
    for (const char* key : {"inputSchema", "outputSchema"}) {
      if (!tool.definition.contains(key)) continue;
      ++schemas;
      const Json& document = tool.definition[key];
      if (!tc::Checker::compile(document)) ++refused_by_checker;
      if (const auto any = tc::compile_any(document); !any) {
        ++refused;
        std::printf("REFUSED, %s %s: %s\n", tool.server.c_str(), tool.name.c_str(), any.error().what());
      }
    }
  }
  std::printf("real servers: %zu tools, %zu schemas; refused by Checker %zu, by compile_any %zu\n", tools, schemas,
              refused_by_checker, refused);
  return sound && refused == 0 && refused_by_checker == 0 && schemas > 200 ? 0 : 1;
}
