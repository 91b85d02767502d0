// SPDX-License-Identifier: MIT
// Tool contracts for people without a C++ build.
//
//   toolcheck validate --schema FILE [--lenient] [--in FILE|-]
//       One JSON value a line in, one verdict a line out: {"valid":…,"field_errors":[…],"repairs":[…],"value":…}; value (defaults
//       and repairs made) only where valid. An empty line is {}: arguments that are missing mean none.
//   toolcheck cases FILE
//       One case a line: {"id","schema","arguments"|"text","strict":{"verdict","fields"?,"value"?},"lenient"?:{…}}.
//
// Exit status: 0 all valid or passed, 1 some not, 2 unusable input, 3 the schema is refused (and why, as JSON on stdout).
#include <toolcontract/schema_validator.hpp>
#include <toolcontract/toolcontract.hpp>

#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace tc = toolcontract;
using Ordered = nlohmann::ordered_json;  // keeps a schema's own order, and so that of its errors
using Json = nlohmann::json;

enum Exit { all_valid = 0, some_invalid = 1, unusable = 2, refused = 3 };

struct Verdict {
  std::vector<tc::FieldError> errors;
  std::vector<tc::Repair> repairs;
  Json value;
};

/// Reads one text as the arguments of a call.
Verdict check(const tc::AnyChecker& checker, std::string_view text, tc::Mode mode) {
  Verdict verdict;
  const tc::Document document = tc::parse(text.empty() ? "{}" : text);
  if (!document.ok()) {
    verdict.errors = document.faults();
    return verdict;
  }
  verdict.value = document.value();
  if (mode == tc::Mode::lenient) verdict.repairs = checker.repair(verdict.value);
  verdict.errors = checker.explain(verdict.value);
  if (verdict.errors.empty()) checker.fill_defaults(verdict.value);
  return verdict;
}

void write(tc::TextWriter& out, const tc::Shown& shown) {
  shown.is_json() ? out.raw(shown.text()) : out.string(shown.text());
}

std::string line_of(const Verdict& verdict) {
  tc::TextWriter out;
  out.begin_object().key("valid").boolean(verdict.errors.empty());
  out.key("field_errors").begin_array();
  for (const tc::FieldError& error : verdict.errors) {
    out.begin_object()
        .key("field")
        .string(error.field)
        .key("code")
        .string(error.code)
        .key("problem")
        .string(error.problem);
    if (error.got) write(out.key("got"), *error.got);
    out.end_object();
  }
  out.end_array().key("repairs").begin_array();
  for (const tc::Repair& repair : verdict.repairs) {
    write(out.begin_object().key("field").string(repair.field).key("from"), repair.from);
    if (repair.to) write(out.key("to"), *repair.to);
    out.end_object();
  }
  out.end_array();
  tc::Unencodable fault;
  if (verdict.errors.empty()) (void)tc::write_json(out.key("value"), verdict.value, fault);
  return out.end_object().take();
}

std::optional<std::string> file_text(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

int fail(std::string_view why) {
  std::cerr << "toolcheck: " << why << '\n';
  return unusable;
}

int usage() {
  std::cerr << "usage: toolcheck validate --schema FILE [--lenient] [--in FILE|-]\n       toolcheck cases FILE\n";
  return unusable;
}

// ---- validate ---------------------------------------------------------------------------------------------------------

int validate(const std::vector<std::string>& arguments) {
  std::string schema_file, in = "-";
  tc::Mode mode = tc::Mode::strict;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--lenient")
      mode = tc::lenient();
    else if (arguments[i] == "--schema" && i + 1 < arguments.size())
      schema_file = arguments[++i];
    else if (arguments[i] == "--in" && i + 1 < arguments.size())
      in = arguments[++i];
    else
      return usage();
  }
  if (schema_file.empty()) return usage();
  const auto text = file_text(schema_file);
  if (!text) return fail("cannot read the schema file " + schema_file);
  const auto document = tc::parse<Ordered>(*text);
  if (!document.ok()) return fail("the schema in " + schema_file + " " + document.faults().front().problem);

  const auto checker = tc::compile_any(document.value());
  if (!checker) {
    tc::TextWriter out;
    out.begin_object()
        .key("refused")
        .begin_object()
        .key("at")
        .string(checker.error().at)
        .key("keyword")
        .string(checker.error().keyword);
    std::cout << out.key("problem").string(checker.error().problem).end_object().end_object().take() << '\n';
    return refused;
  }

  std::ifstream file;
  if (in != "-") {
    file.open(in, std::ios::binary);
    if (!file) return fail("cannot read " + in);
  }
  std::istream& lines = in == "-" ? std::cin : file;
  bool all = true;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    const Verdict verdict = check(*checker, line, mode);
    all = all && verdict.errors.empty();
    std::cout << line_of(verdict) << '\n';
  }
  return all ? all_valid : some_invalid;
}

// ---- cases --------------------------------------------------------------------------------------------------------------

/// What is wrong with one expectation of one case; "" when it is met.
std::string mismatch(const Ordered& expected, const tc::Result<tc::AnyChecker, tc::SchemaRefusal>& checker,
                     const std::string& text, tc::Mode mode) {
  const Verdict verdict = checker ? check(*checker, text, mode) : Verdict();
  const std::string got = !checker ? "refused" : verdict.errors.empty() ? "accept" : "reject";
  if (got != expected.value("verdict", ""))
    return "verdict " + got + (checker ? ": " + line_of(verdict) : ": " + checker.error().problem);
  if (expected.contains("fields")) {
    Ordered fields = Ordered::array();
    for (const tc::FieldError& error : verdict.errors) fields.push_back({{"field", error.field}, {"code", error.code}});
    if (fields != expected["fields"]) return "field errors " + fields.dump();
  }
  if (expected.contains("value") && verdict.value != Json::parse(expected["value"].dump()))
    return "value " + verdict.value.dump();
  return {};
}

int cases(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) return fail("cannot read " + name);
  std::size_t passed = 0, failed = 0, number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty()) continue;
    const auto document = tc::parse<Ordered>(line);
    const Ordered& test = document.value();
    const bool usable = document.ok() && test.is_object() && test.contains("schema") && test.contains("strict") &&
                        (test.contains("arguments") || (test.contains("text") && test["text"].is_string()));
    if (!usable) return fail("line " + std::to_string(number) + " of " + name + " is no case");
    const auto checker = tc::compile_any(test["schema"]);
    const std::string text = test.contains("text") ? test["text"].get<std::string>() : tc::json_text(test["arguments"]);
    std::string wrong = mismatch(test["strict"], checker, text, tc::Mode::strict);
    if (wrong.empty() && test.contains("lenient")) wrong = mismatch(test["lenient"], checker, text, tc::lenient());
    ++(wrong.empty() ? passed : failed);
    if (!wrong.empty()) std::cout << test.value("id", "line " + std::to_string(number)) << ": " << wrong << '\n';
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 ? all_valid : some_invalid;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty()) return usage();
  if (arguments[0] == "validate") return validate({arguments.begin() + 1, arguments.end()});
  if (arguments[0] == "cases" && arguments.size() == 2) return cases(arguments[1]);
  return usage();
}
