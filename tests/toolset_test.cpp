// SPDX-License-Identifier: MIT
#include <toolcontract/toolset.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "catch.hpp"
#include "show.hpp"
#include "toolcontract/envelope.hpp"

namespace tc = toolcontract;
using namespace std::chrono_literals;
using tc::Category;
using tc::Resolution;

namespace {

struct Edit {
  std::string id;
  std::int32_t amount = 0;
  std::optional<std::string> token;
  std::optional<std::string> key;
};
constexpr auto tool_schema(tc::type<Edit>) {
  return tc::object(tc::field<&Edit::id>("id", "Account, e.g. 'A17'.", tc::pattern("^A[0-9]+$")),
                    tc::field<&Edit::amount>("amount", "Amount, e.g. 5.", tc::between(1, 50), tc::default_value(1)),
                    tc::field<&Edit::token>("token", "Token.", tc::max_length(8), tc::secret()),
                    tc::field<&Edit::key>("key", "Key of the operation."))
      .rule("amount", "must be even for account A2",
            [](const Edit& in) { return in.id != "A2" || in.amount % 2 == 0; });
}

struct Balance {
  std::string id;
  double total = 0;
};
constexpr auto tool_schema(tc::type<Balance>) {
  return tc::object(tc::field<&Balance::id>("id", "Account."),
                    tc::field<&Balance::total>("total", "What is there now.", tc::minimum(0)));
}

auto accounts_get() { return tc::tool<Edit, Balance>("accounts_get").does("Looks up one account.").reads(); }
auto accounts_add() {
  return tc::tool<Edit, Balance>("accounts_add")
      .does("Adds to one account.")
      .writes()
      .reconcile_by("accounts_get", &Edit::id);
}

/// Answers with the arguments.
Balance echo(const Edit& in) { return {in.id, static_cast<double>(in.amount)}; }

/// A host whose time moves only when a test says so, and whose ids count up.
struct Host {
  std::chrono::milliseconds steady = 1'000s;
  std::chrono::milliseconds wall = 1'469'922'850'259ms;
  int ids = 0;
  std::vector<tc::Report> reports;

  tc::ToolsetOptions options() {
    tc::ToolsetOptions options;
    options.clock = clock();
    options.ids = [this](std::chrono::system_clock::time_point) { return "req_" + std::to_string(++ids); };
    options.report = [this](const tc::Report& report) noexcept { reports.push_back(report); };
    return options;
  }
  tc::Clock clock() {
    return {[this] { return std::chrono::steady_clock::time_point(steady); },
            [this] { return std::chrono::system_clock::time_point(wall); }};
  }
  [[nodiscard]] std::chrono::steady_clock::time_point in(std::chrono::milliseconds time) const {
    return std::chrono::steady_clock::time_point(steady + time);
  }
};

/// A report as one line, everything in it.
std::string line(const tc::Report& report) {
  return "id=" + report.correlation_id + " tool=" + report.tool + " principal=" + report.principal +
         " code=" + report.error_code + " message=" + report.message + " internal=" + report.internal +
         " exception=" + report.exception + " attempt=" + std::to_string(report.attempt) +
         " took=" + std::to_string(report.duration.count()) + "ns";
}
std::string only_line(const Host& host) {
  return host.reports.size() == 1 ? line(host.reports[0]) : std::to_string(host.reports.size()) + " reports";
}

tc::ErrorFacts facts(std::string code, Category category, Resolution resolution, std::string message,
                     std::string correlation_id = "req_1") {
  tc::ErrorFacts facts;
  facts.code = std::move(code);
  facts.category = category;
  facts.resolution = resolution;
  facts.message = std::move(message);
  facts.budget.correlation_id = std::move(correlation_id);
  return facts;
}

template <class Build>
std::string definition_error(Build build) {
  try {
    (void)build();
  } catch (const tc::DefinitionError& error) {
    return error.what();
  }
  return "";
}

/// What a handler of accounts_add that throws ends as.
tc::ErrorFacts masked_write() {
  tc::ErrorFacts expected =
      facts("INTERNAL_ERROR", Category::unknown, Resolution::reconcile,
            "accounts_add failed unexpectedly and may have taken effect. Find out before calling it "
            "again.");
  expected.reconcile = {"accounts_get", R"({"id":"A17"})"};
  return expected;
}
tc::ErrorFacts masked_read() {
  return facts("INTERNAL_ERROR", Category::unknown, Resolution::escalate,
               "accounts_get failed unexpectedly; nothing was changed.");
}

}  // namespace

// ---- the set

TEST_CASE("toolset: tools stand in the order they were given and are found by name") {
  const tc::Toolset tools{accounts_get().handle(echo), accounts_add().handle(echo)};
  std::vector<std::string> names;
  for (const tc::Tool& tool : tools.tools()) names.push_back(tool.definition().name);
  CHECK(names == std::vector<std::string>{"accounts_get", "accounts_add"});
  REQUIRE(tools.find("accounts_add") != nullptr);
  CHECK(tools.find("accounts_add")->definition().name == "accounts_add");
  CHECK(tools.find("accounts_ad") == nullptr);
  CHECK(tools.find("") == nullptr);
}

TEST_CASE("toolset: two tools of one name cannot be a set") {
  CHECK(definition_error([] {
          return tc::Toolset{accounts_get().handle(echo), accounts_add().handle(echo), accounts_get().handle(echo)};
        }) == "toolcontract: two tools are named accounts_get; rename one");
}

TEST_CASE("toolset: an unknown tool ends as UNKNOWN_TOOL and names the nearest") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle(echo), accounts_add().handle(echo)};
  const tc::Outcome outcome = tools.call("account_get", "{}");
  CHECK(outcome.is_unknown_tool());
  CHECK(outcome.tool() == "account_get");
  CHECK(outcome.correlation_id() == "req_1");
  CHECK(outcome.error().facts() == facts("UNKNOWN_TOOL", Category::validation, Resolution::fix_input,
                                         R"(There is no tool named "account_get"; did you mean accounts_get?)"));
}

TEST_CASE("toolset: an unknown tool that resembles none gets the list of all") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle(echo), accounts_add().handle(echo)};
  CHECK(tools.call("weather", "{}").error().message() ==
        R"(There is no tool named "weather"; the tools are accounts_get, accounts_add.)");
  CHECK(tools.call("", "{}").error().message() ==
        R"(There is no tool named ""; the tools are accounts_get, accounts_add.)");
}

TEST_CASE("toolset: without tools every tool is unknown") {
  CHECK(tc::Toolset{}.call("weather", "{}").error().message() == R"(There is no tool named "weather".)");
}

TEST_CASE("toolset: the name of an unknown tool is shown up to 120 bytes and never as broken UTF-8") {
  const tc::Toolset tools;
  CHECK(tools.call(std::string(500, 'x'), "{}").error().message() ==
        "There is no tool named \"" + std::string(120, 'x') + "\".");
  CHECK(tc::envelope(tools.call("\xFF", "{}").error())["message"] == "There is no tool named \"\xEF\xBF\xBD\".");
}

// ---- arguments

TEST_CASE("toolset: arguments are taken as JSON of any kind, as text, as a document and as part of a message") {
  const tc::Toolset tools{accounts_get().handle(echo)};
  const std::string text = R"({"id":"A17","amount":5})";
  const std::string result = R"({"id":"A17","total":5})";
  CHECK(tools.call("accounts_get", nlohmann::json::parse(text)).text() == result);
  CHECK(tools.call("accounts_get", nlohmann::ordered_json::parse(text)).text() == result);
  CHECK(tools.call("accounts_get", text).text() == result);
  CHECK(tools.call("accounts_get", std::string_view(text)).text() == result);
  CHECK(tools.call("accounts_get", text.c_str()).text() == result);
  CHECK(tools.call("accounts_get", tc::parse(text)).text() == result);
  tc::Document message = tc::parse(R"({"id":7,"params":{"arguments":)" + text + "}}");
  CHECK(tools.call("accounts_get", message.take({"params", "arguments"})).text() == result);
}

TEST_CASE("toolset: missing arguments and empty text mean none") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle(echo)};
  const auto missing = [](const tc::Outcome& outcome) { return outcome.error().field_errors(); };
  const std::vector<tc::FieldError> expected{
      {"id", "required", "must be given: a string that matches the pattern ^A[0-9]+$", {}}};
  tc::Document message = tc::parse(R"({"id":7,"params":{}})");
  CHECK(missing(tools.call("accounts_get", "")) == expected);
  CHECK(missing(tools.call("accounts_get", message.take({"params", "arguments"}))) == expected);
  CHECK(missing(tools.call("accounts_get", nlohmann::json::object())) == expected);
}

TEST_CASE("toolset: bad arguments end as INVALID_ARGUMENTS with every field error, in schema order") {
  Host host;
  bool ran = false;
  const tc::Toolset tools{host.options(), accounts_get().handle([&ran](const Edit& in) {
                            ran = true;
                            return echo(in);
                          })};
  tc::ErrorFacts expected =
      facts("INVALID_ARGUMENTS", Category::validation, Resolution::fix_input,
            R"(The arguments of accounts_get were not accepted. id must match the pattern ^A[0-9]+$. Got "B1". )"
            "amount must be 1 to 50. Got 99. amonut must be left out; the known fields are id, amount, token, key; "
            "did you mean amount?");
  expected.field_errors = {{"id", "pattern", "must match the pattern ^A[0-9]+$", tc::Shown("B1")},
                           {"amount", "range", "must be 1 to 50", tc::Shown(99)},
                           {"amonut",
                            "unknown_field",
                            "must be left out; the known fields are id, amount, token, key; did you mean amount?",
                            {}}};
  CHECK(tools.call("accounts_get", R"({"amonut":3,"amount":99,"id":"B1"})").error().facts() == expected);
  CHECK_FALSE(ran);
}

TEST_CASE("toolset: a rule over several fields is checked once each of them is sound") {
  const tc::Toolset tools{accounts_get().handle(echo)};
  CHECK(tools.call("accounts_get", R"({"id":"A2","amount":3})").error().field_errors() ==
        std::vector<tc::FieldError>{{"amount", "rule", "must be even for account A2", {}}});
  CHECK(tools.call("accounts_get", R"({"id":"A2","amount":4})").text() == R"({"id":"A2","total":4})");
}

TEST_CASE("toolset: faults of the raw text are reported alone") {
  const tc::Toolset tools{accounts_get().handle(echo)};
  CHECK(tools.call("accounts_get", R"({"id":"B1","id":"A17"})").error().field_errors() ==
        std::vector<tc::FieldError>{{"id", "duplicate_key", "must be given once", {}}});
}

TEST_CASE("toolset: its own limits bound every way arguments come in") {
  tc::ToolsetOptions options;
  options.limits.depth = 2;
  options.limits.bytes = 40;
  const tc::Toolset tools{options, accounts_get().handle(echo)};
  const auto error_of = [&](const auto& arguments) {
    return tools.call("accounts_get", arguments).error().field_errors().at(0).problem;
  };
  CHECK(error_of(R"({"id":[[1]]})") == "must be nested at most 2 levels deep");
  CHECK(error_of(nlohmann::json::parse(R"({"id":[[1]]})")) == "must be nested at most 2 levels deep");
  CHECK(error_of(R"({"id":"A17")" + std::string(40, ' ') + "}") == "must have at most 40 bytes");
}

TEST_CASE("toolset: an error of bad arguments shows a valid call, where the tool has one") {
  const tc::Toolset tools{accounts_get().input_example({"A17", 5, {}, {}}).handle(echo)};
  CHECK(tools.call("accounts_get", "{}").error().facts().example == R"({"id":"A17","amount":5})");
}

TEST_CASE("toolset: an example that a handler's own error gives is kept") {
  const tc::Toolset tools{
      accounts_get().input_example({"A17", 5, {}, {}}).handle([](const Edit&) -> tc::Result<Balance> {
        return tc::validation("INVALID_CURSOR", "Cursor c1 is stale.").example(R"({"id":"A1"})");
      })};
  CHECK(tools.call("accounts_get", R"({"id":"A17"})").error().facts().example == R"({"id":"A1"})");
}

TEST_CASE("toolset: the same call gives the same bytes, and leaves its arguments as they were") {
  const tc::Toolset tools{accounts_get().handle(echo)};
  const auto arguments = nlohmann::json::parse(R"({"id":"A17","amount":5.0})");
  const auto before = arguments;
  const std::string first = tools.call("accounts_get", arguments).text();
  CHECK(first == R"({"id":"A17","total":5})");
  CHECK(tools.call("accounts_get", arguments).text() == first);
  CHECK(arguments == before);
}

// ---- what a handler ends with

TEST_CASE("toolset: a handler's error is the outcome, and carries the call it belongs to") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle([](const Edit& in) -> tc::Result<Balance> {
                            return tc::not_found("There is no account " + in.id + ".");
                          })};
  tc::Call call;
  call.correlation_id = "abc";
  call.attempt = 2;
  call.max_attempts = 3;
  call.deadline = host.in(8400ms);
  tc::ErrorFacts expected =
      facts("NOT_FOUND", Category::business, Resolution::abort, "There is no account A17.", "abc");
  expected.budget = {"abc", 2, 3, 8400ms};
  CHECK(tools.call("accounts_get", R"({"id":"A17"})", call).error().facts() == expected);
}

TEST_CASE("toolset: a ToolError that a handler throws is the outcome as if it were returned") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle([](const Edit& in) -> Balance {
                            throw tc::unavailable("The bank of account " + in.id + " is down.").retry_after(2s);
                          })};
  tc::ErrorFacts expected =
      facts("UPSTREAM_UNAVAILABLE", Category::transient, Resolution::retry, "The bank of account A17 is down.");
  expected.retry_after = 2s;
  CHECK(tools.call("accounts_get", R"({"id":"A17"})").error().facts() == expected);
}

TEST_CASE("toolset: an exception on a read ends as INTERNAL_ERROR to escalate, its text in the report alone") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle([](const Edit&) -> Balance {
                            throw std::runtime_error("pg://user:pw@host refused");
                          })};
  const tc::Outcome outcome = tools.call("accounts_get", R"({"id":"A17"})");
  CHECK(outcome.error().facts() == masked_read());
  CHECK(
      only_line(host) ==
      "id=req_1 tool=accounts_get principal= code=INTERNAL_ERROR message=accounts_get failed unexpectedly; nothing was "
      "changed. internal= exception=pg://user:pw@host refused attempt=1 took=0ns");
}

TEST_CASE("toolset: an exception on a write ends as INTERNAL_ERROR to reconcile, with the tool's own call for that") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_add().handle([](const Edit&) -> Balance {
                            throw std::runtime_error("pg://user:pw@host refused");
                          })};
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().facts() == masked_write());
  CHECK(
      only_line(host) ==
      "id=req_1 tool=accounts_add principal= code=INTERNAL_ERROR message=accounts_add failed unexpectedly and may have "
      "taken effect. Find out before calling it again. internal= exception=pg://user:pw@host refused attempt=1 "
      "took=0ns");
}

TEST_CASE("toolset: a tool without a declared effect counts as a write") {
  Host host;
  const tc::Toolset tools{host.options(),
                          tc::tool<Edit, Balance>("t").does("Does something.").handle([](const Edit&) -> Balance {
                            throw std::runtime_error("x");
                          })};
  CHECK(tools.call("t", R"({"id":"A17"})").error().facts() ==
        facts("INTERNAL_ERROR", Category::unknown, Resolution::reconcile,
              "t failed unexpectedly and may have taken effect. Find out before calling it again."));
}

TEST_CASE("toolset: what is thrown and is no std::exception is masked like one") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle([](const Edit&) -> Balance { throw 42; })};
  CHECK(tools.call("accounts_get", R"({"id":"A17"})").error().facts() == masked_read());
  CHECK(host.reports.at(0).exception == "something that is no std::exception was thrown");
}

TEST_CASE("toolset: an error that a handler cannot build is masked, because its message would be blank") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle([](const Edit& in) -> tc::Result<Balance> {
                            return tc::business("RULE", in.key.value_or(""));
                          })};
  CHECK(tools.call("accounts_get", R"({"id":"A17"})").error().facts() == masked_read());
  CHECK(host.reports.at(0).exception ==
        "toolcontract: an error's message must not be blank; say what happened and to what (RULE)");
}

TEST_CASE("toolset: the call that reconciles is added to an unknown outcome, and left out where its argument is") {
  const auto timed_out = [](const Edit& in, tc::Call& call) -> tc::Result<Balance> {
    return call.timed_out("The change of account " + in.id);
  };
  const auto reconcile = [](const tc::Toolset& tools, std::string_view name, std::string_view arguments) {
    return tools.call(name, arguments).error().facts().reconcile;
  };
  const tc::Toolset tools{accounts_add().handle(timed_out), tc::tool<Edit, Balance>("by_key")
                                                                .does("Adds.")
                                                                .writes()
                                                                .reconcile_by("accounts_find", &Edit::key)
                                                                .handle(timed_out)};
  CHECK(reconcile(tools, "accounts_add", R"({"id":"A17"})") == tc::ReconcileCall{"accounts_get", R"({"id":"A17"})"});
  CHECK(reconcile(tools, "by_key", R"({"id":"A17","key":"k\"1"})") ==
        tc::ReconcileCall{"accounts_find", R"({"key":"k\"1"})"});
  CHECK(reconcile(tools, "by_key", R"({"id":"A17"})") == std::nullopt);
}

TEST_CASE("toolset: a call that reconciles which the handler names itself is kept") {
  const tc::Toolset tools{accounts_add().handle([](const Edit&) -> tc::Result<Balance> {
    return tc::unknown("OUTCOME_UNKNOWN", "Account A17 may have changed.").reconcile_with("audit_get", R"({"n":1})");
  })};
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().facts().reconcile ==
        tc::ReconcileCall{"audit_get", R"({"n":1})"});
}

// ---- hooks

TEST_CASE("toolset: a hook before the call may refuse it, and then nothing runs") {
  Host host;
  bool ran = false;
  const tc::Toolset tools{host.options(),
                          accounts_add()
                              .before([](const Edit& in, tc::Call& call) -> std::optional<tc::ToolError> {
                                if (call.principal == "acme") return std::nullopt;
                                return tc::forbidden("Account " + in.id + " belongs to acme.");
                              })
                              .handle([&ran](const Edit& in) {
                                ran = true;
                                return echo(in);
                              })};
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().facts() ==
        facts("FORBIDDEN", Category::permission, Resolution::escalate, "Account A17 belongs to acme."));
  CHECK_FALSE(ran);
  tc::Call call;
  call.principal = "acme";
  CHECK(tools.call("accounts_add", R"({"id":"A17"})", call).ok());
  CHECK(ran);
}

TEST_CASE("toolset: hooks before the call run in turn, the set's first, until one refuses") {
  std::string trace;
  const auto hook = [&trace](char name, bool refuses) {
    return [&trace, name, refuses](const Edit&, tc::Call&) -> std::optional<tc::ToolError> {
      trace += name;
      if (refuses) return tc::forbidden("No.");
      return std::nullopt;
    };
  };
  tc::ToolsetOptions options;
  options.before = [&trace](const tc::Definition& definition, tc::Call&) -> std::optional<tc::ToolError> {
    trace += definition.name + " ";
    return std::nullopt;
  };
  const tc::Toolset tools{
      options, accounts_add().before(hook('a', false)).before(hook('b', true)).before(hook('c', false)).handle(echo)};
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().code() == "FORBIDDEN");
  CHECK(trace == "accounts_add ab");
}

TEST_CASE("toolset: the set's hook may refuse any call, of any tool") {
  Host host;
  tc::ToolsetOptions options = host.options();
  options.before = [](const tc::Definition& definition, tc::Call&) -> std::optional<tc::ToolError> {
    if (definition.effect == tc::Effect::reads) return std::nullopt;
    return tc::forbidden("Tool " + definition.name + " is switched off.");
  };
  const tc::Toolset tools{options, accounts_get().handle(echo), accounts_add().handle(echo)};
  CHECK(tools.call("accounts_get", R"({"id":"A17"})").ok());
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().message() == "Tool accounts_add is switched off.");
}

TEST_CASE("toolset: no hook is asked about arguments that are not sound") {
  bool asked = false;
  tc::ToolsetOptions options;
  options.before = [&asked](const tc::Definition&, tc::Call&) -> std::optional<tc::ToolError> {
    asked = true;
    return std::nullopt;
  };
  const tc::Toolset tools{options, accounts_get()
                                       .before([&asked](const Edit&, tc::Call&) -> std::optional<tc::ToolError> {
                                         asked = true;
                                         return std::nullopt;
                                       })
                                       .handle(echo)};
  CHECK(tools.call("accounts_get", "{}").error().code() == "INVALID_ARGUMENTS");
  CHECK_FALSE(asked);
}

TEST_CASE("toolset: an exception in a hook before a write cannot have changed anything, so it escalates") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_add()
                                              .before([](const Edit&, tc::Call&) -> std::optional<tc::ToolError> {
                                                throw std::runtime_error("ldap://secret");
                                              })
                                              .handle(echo)};
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().facts() ==
        facts("INTERNAL_ERROR", Category::unknown, Resolution::escalate,
              "accounts_add failed unexpectedly; nothing was changed."));
  CHECK(host.reports.at(0).exception == "ldap://secret");
}

TEST_CASE("toolset: an exception in the set's hook escalates too") {
  Host host;
  tc::ToolsetOptions options = host.options();
  options.before = [](const tc::Definition&, tc::Call&) -> std::optional<tc::ToolError> {
    throw std::runtime_error("x");
  };
  const tc::Toolset tools{options, accounts_add().handle(echo)};
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().facts() ==
        facts("INTERNAL_ERROR", Category::unknown, Resolution::escalate,
              "accounts_add failed unexpectedly; nothing was changed."));
}

TEST_CASE("toolset: a ToolError thrown by a hook refuses the call like one that is returned") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_add()
                                              .before([](const Edit&, tc::Call&) -> std::optional<tc::ToolError> {
                                                throw tc::forbidden("Account A17 is closed.");
                                              })
                                              .handle(echo)};
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().facts() ==
        facts("FORBIDDEN", Category::permission, Resolution::escalate, "Account A17 is closed."));
}

TEST_CASE("toolset: hooks after a success amend the result, in turn") {
  const tc::Toolset tools{accounts_get()
                              .after([](Balance& balance, tc::Call&) { balance.total += 1; })
                              .after([](Balance& balance, tc::Call& call) {
                                balance.total *= 10;
                                balance.id += call.principal;
                              })
                              .handle(echo)};
  tc::Call call;
  call.principal = "/acme";
  CHECK(tools.call("accounts_get", R"({"id":"A17","amount":5})", call).text() == R"({"id":"A17/acme","total":60})");
}

TEST_CASE("toolset: no hook after the call sees a failure") {
  bool seen = false;
  const tc::Toolset tools{
      accounts_get()
          .after([&seen](Balance&, tc::Call&) { seen = true; })
          .handle([](const Edit&) -> tc::Result<Balance> { return tc::not_found("No account A17."); })};
  CHECK(tools.call("accounts_get", R"({"id":"A17"})").error().code() == "NOT_FOUND");
  CHECK_FALSE(seen);
}

TEST_CASE("toolset: an exception in a hook after a write is told as one that may have taken effect") {
  Host host;
  const tc::Toolset tools{
      host.options(),
      accounts_add().after([](Balance&, tc::Call&) { throw std::runtime_error("cache://pw"); }).handle(echo)};
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().facts() == masked_write());
  CHECK(host.reports.at(0).exception == "cache://pw");
}

// ---- reports

TEST_CASE("report: a success is told with who, what and how long, and nothing of its result") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle([&host](const Edit& in) {
                            host.steady += 250ms;
                            return echo(in);
                          })};
  tc::Call call;
  call.principal = "acme";
  call.attempt = 2;
  CHECK(tools.call("accounts_get", R"({"id":"A17"})", call).ok());
  CHECK(only_line(host) ==
        "id=req_1 tool=accounts_get principal=acme code= message= internal= exception= attempt=2 took=250000000ns");
}

TEST_CASE("report: a failure is told with its code, its message and the author's internal detail") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle([](const Edit&) -> tc::Result<Balance> {
                            return tc::unavailable("The bank is down.").internal("bank-7: connection refused");
                          })};
  const tc::Outcome outcome = tools.call("accounts_get", R"({"id":"A17"})");
  CHECK(only_line(host) ==
        "id=req_1 tool=accounts_get principal= code=UPSTREAM_UNAVAILABLE message=The bank is down. "
        "internal=bank-7: connection refused exception= attempt=1 took=0ns");
  CHECK(tc::envelope_text(outcome.error()) ==
        R"({"error_code":"UPSTREAM_UNAVAILABLE","category":"transient","retryable":true,"resolution":"retry",)"
        R"("message":"The bank is down.","field_errors":[],"correlation_id":"req_1","attempt":1,)"
        R"("deadline_ms_remaining":null})");
}

TEST_CASE("report: bad arguments, an unknown tool and a refusal are reported like any call") {
  Host host;
  tc::ToolsetOptions options = host.options();
  options.before = [](const tc::Definition&, tc::Call&) -> std::optional<tc::ToolError> {
    return tc::forbidden("Not today.").internal("quota table 3");
  };
  const tc::Toolset tools{options, accounts_get().handle(echo)};
  CHECK_FALSE(tools.call("accounts_get", R"({"id":7})").ok());
  CHECK_FALSE(tools.call("account_get", "{}").ok());
  CHECK_FALSE(tools.call("accounts_get", R"({"id":"A17"})").ok());
  REQUIRE(host.reports.size() == 3);
  CHECK(line(host.reports[0]) ==
        "id=req_1 tool=accounts_get principal= code=INVALID_ARGUMENTS message=The arguments of accounts_get were not "
        "accepted. id must be a string that matches the pattern ^A[0-9]+$. Got 7. internal= exception= attempt=1 "
        "took=0ns");
  CHECK(
      line(host.reports[1]) ==
      "id=req_2 tool=account_get principal= code=UNKNOWN_TOOL message=There is no tool named \"account_get\"; did you "
      "mean accounts_get? internal= exception= attempt=1 took=0ns");
  CHECK(line(host.reports[2]) ==
        "id=req_3 tool=accounts_get principal= code=FORBIDDEN message=Not today. internal=quota table 3 exception= "
        "attempt=1 took=0ns");
}

TEST_CASE("report: a secret argument of any wrong kind is in neither envelope nor report") {
  for (const char* token : {"4711471147", R"("hunter2-hunter2")", R"(["hunter2"])", R"({"hunter2":1})", "true"}) {
    Host host;
    const tc::Toolset tools{host.options(), accounts_get().handle(echo)};
    const tc::Outcome outcome = tools.call("accounts_get", R"({"id":"A17","token":)" + std::string(token) + "}");
    REQUIRE_FALSE(outcome.ok());
    REQUIRE(outcome.error().field_errors().size() == 1);
    CHECK(outcome.error().field_errors()[0].got == tc::Shown("[redacted]"));
    const std::string all = tc::envelope_text(outcome.error()) + only_line(host);
    INFO(all);
    CHECK(all.find("hunter2") == std::string::npos);
    CHECK(all.find("4711") == std::string::npos);
  }
}

TEST_CASE("report: without a sink reports go nowhere") {
  CHECK(tc::Toolset{accounts_get().handle(echo)}.call("accounts_get", R"({"id":"A17"})").ok());
}

// ---- time, attempts, ids

TEST_CASE("toolset: a call whose deadline has passed does not begin, and says so") {
  Host host;
  bool ran = false;
  const tc::Toolset tools{host.options(), accounts_add().handle([&ran](const Edit& in) {
                            ran = true;
                            return echo(in);
                          })};
  tc::Call call;
  for (const auto late : {0ms, -1ms, -90'000ms}) {
    call.deadline = host.in(late);
    tc::ErrorFacts expected =
        facts("TIMED_OUT", Category::transient, Resolution::escalate,
              "The deadline of the call of accounts_add passed before it began; nothing was done.", "abc");
    expected.budget.deadline_remaining = 0ms;
    call.correlation_id = "abc";
    CHECK(tools.call("accounts_add", R"({"id":"A17"})", call).error().facts() == expected);
  }
  CHECK_FALSE(ran);
}

TEST_CASE("toolset: a deadline is measured on the set's own clock, not on one that came with the call") {
  Host host, other;
  other.steady = host.steady + 1h;
  const tc::Toolset tools{host.options(), accounts_get().handle([](const Edit& in, tc::Call& call) {
                            return Balance{in.id, static_cast<double>(call.remaining().value_or(0ms).count())};
                          })};
  tc::Call call;
  call.clock = other.clock();
  call.deadline = host.in(1500ms);
  CHECK(tools.call("accounts_get", R"({"id":"A17"})", call).text() == R"({"id":"A17","total":1500})");
}

#ifdef __cpp_lib_jthread
TEST_CASE("toolset: a call that was stopped before it began does not begin, and says so") {
  Host host;
  bool ran = false;
  const tc::Toolset tools{host.options(), accounts_add().handle([&ran](const Edit& in) {
                            ran = true;
                            return echo(in);
                          })};
  std::stop_source stop;
  tc::Call call;
  call.stop = stop.get_token();
  stop.request_stop();
  CHECK(tools.call("accounts_add", R"({"id":"A17"})", call).error().facts() ==
        facts("CANCELLED", Category::transient, Resolution::retry,
              "The call of accounts_add was cancelled before it began; nothing was done."));
  CHECK_FALSE(ran);
}

TEST_CASE("toolset: a handler sees the stop that arrives while it runs, and a write then is an unknown outcome") {
  std::stop_source stop;
  const auto stopped = [&stop](const Edit& in, tc::Call& call) -> tc::Result<Balance> {
    stop.request_stop();
    if (call.stop_requested()) return call.cancelled("The change of account " + in.id);
    return echo(in);
  };
  const tc::Toolset tools{accounts_add().handle(stopped)};
  tc::Call call;
  call.stop = stop.get_token();
  const tc::Outcome outcome = tools.call("accounts_add", R"({"id":"A17"})", call);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.error().code() == "OUTCOME_UNKNOWN");
}
#endif

TEST_CASE("toolset: the handler's call knows the tool's effect, whatever the host put there") {
  tc::Effect seen = tc::Effect::undeclared;
  const auto look = [&seen](const Edit& in, tc::Call& call) {
    seen = call.effect;
    return echo(in);
  };
  const tc::Toolset tools{accounts_get().handle(look), accounts_add().handle(look)};
  tc::Call call;
  call.effect = tc::Effect::destroys;
  CHECK(tools.call("accounts_get", R"({"id":"A17"})", call).ok());
  CHECK(seen == tc::Effect::reads);
  CHECK(tools.call("accounts_add", R"({"id":"A17"})", call).ok());
  CHECK(seen == tc::Effect::writes);
}

TEST_CASE("toolset: the third of three attempts says stop, for input as for what may be retried") {
  const tc::Toolset tools{
      accounts_get().handle([](const Edit&) -> tc::Result<Balance> { return tc::unavailable("The bank is down."); })};
  std::string said;
  for (int attempt = 1; attempt <= 3; ++attempt)
    for (const char* arguments : {"{}", R"({"id":"A17"})"}) {
      const tc::ToolError error =
          tools.call("accounts_get", arguments, {.attempt = attempt, .max_attempts = 3}).error();
      said += std::to_string(error.facts().budget.attempt) + std::string(tc::name(error.resolution())) + ' ';
    }
  CHECK(said == "1fix_input 1retry 2fix_input 2retry 3abort 3escalate ");
}

TEST_CASE("toolset: an attempt below 1 counts as the first") {
  const tc::Toolset tools{accounts_get().handle(echo)};
  CHECK(tools.call("accounts_get", "{}", {.attempt = 0}).error().facts().budget.attempt == 1);
  CHECK(tools.call("accounts_get", "{}", {.attempt = -7}).error().facts().budget.attempt == 1);
}

TEST_CASE("toolset: a call without a correlation id gets one from the set's source, at the set's wall time") {
  Host host;
  tc::ToolsetOptions options = host.options();
  options.ids = [](std::chrono::system_clock::time_point time) { return tc::correlation_id(time, 0, 7); };
  std::string seen;
  const tc::Toolset tools{options, accounts_get().handle([&seen](const Edit& in, tc::Call& call) {
                            seen = call.correlation_id;
                            return echo(in);
                          })};
  const tc::Outcome outcome = tools.call("accounts_get", R"({"id":"A17"})");
  CHECK(outcome.correlation_id() == "req_01ARZ3NDEK0000000000000007");
  CHECK(seen == outcome.correlation_id());
  CHECK(host.reports.at(0).correlation_id == outcome.correlation_id());
}

TEST_CASE("toolset: a correlation id that came with the call is kept") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle(echo)};
  CHECK(tools.call("accounts_get", R"({"id":"A17"})", {.correlation_id = "abc"}).correlation_id() == "abc");
  CHECK(tools.call("accounts_get", "{}", {.correlation_id = "abc"}).correlation_id() == "abc");
  CHECK(host.ids == 0);
}

TEST_CASE("toolset: without options ids are random and of the usual form") {
  const tc::Toolset tools{accounts_get().handle(echo)};
  const std::string one = tools.call("accounts_get", R"({"id":"A17"})").correlation_id();
  CHECK(one.size() == 30);
  CHECK(one.substr(0, 4) == "req_");
  CHECK(one != tools.call("accounts_get", R"({"id":"A17"})").correlation_id());
}

TEST_CASE("toolset: a source of ids that throws is masked, and no exception leaves the call") {
  Host host;
  tc::ToolsetOptions options = host.options();
  options.ids = [](std::chrono::system_clock::time_point) -> std::string { throw std::runtime_error("no entropy"); };
  const tc::Toolset tools{options, accounts_add().handle(echo)};
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().facts() ==
        facts("INTERNAL_ERROR", Category::unknown, Resolution::escalate,
              "accounts_add failed unexpectedly; nothing was changed.", ""));
  CHECK_FALSE(tools.call("account_add", "{}").ok());
  REQUIRE(host.reports.size() == 2);
  CHECK(host.reports[0].exception == "no entropy");
  CHECK(host.reports[1].tool == "account_add");
}

// ---- results that cannot be given

TEST_CASE("toolset: a result of a read that cannot be encoded is INTERNAL_ERROR, its place in the report alone") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_get().handle([](const Edit& in) {
                            return Balance{in.id, std::numeric_limits<double>::quiet_NaN()};
                          })};
  CHECK(tools.call("accounts_get", R"({"id":"A17"})").error().facts() == [] {
    tc::ErrorFacts expected = masked_read();
    expected.internal = tc::InternalDetail("the result cannot be written: total must be a finite number");
    return expected;
  }());
  CHECK(
      only_line(host) ==
      "id=req_1 tool=accounts_get principal= code=INTERNAL_ERROR message=accounts_get failed unexpectedly; nothing was "
      "changed. internal=the result cannot be written: total must be a finite number exception= attempt=1 took=0ns");
}

TEST_CASE("toolset: a result of a write that cannot be encoded is RESULT_UNAVAILABLE, to reconcile") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_add().handle([](const Edit& in) { return Balance{in.id, -3}; })};
  tc::ErrorFacts expected =
      facts("RESULT_UNAVAILABLE", Category::unknown, Resolution::reconcile,
            "accounts_add took effect, but its result cannot be given. Do not call it again; find out what it did.");
  expected.reconcile = {"accounts_get", R"({"id":"A17"})"};
  expected.internal = tc::InternalDetail("the result cannot be written: total must be at least 0");
  const tc::Outcome outcome = tools.call("accounts_add", R"({"id":"A17"})");
  CHECK(outcome.error().facts() == expected);
  CHECK(tc::envelope_text(outcome.error()).find("total") == std::string::npos);
}

TEST_CASE("toolset: a result that is one value and cannot be encoded is told as a whole") {
  Host host;
  const tc::Toolset tools{host.options(),
                          tc::tool<Edit, double>("rate_get").does("Gives a rate.").reads().handle([](const Edit&) {
                            return std::numeric_limits<double>::infinity();
                          })};
  CHECK_FALSE(tools.call("rate_get", R"({"id":"A17"})").ok());
  CHECK(host.reports.at(0).internal == "the result cannot be written: it must be a finite number");
}

// ---- the two halves

namespace {

/// The Invocation of a call that must be admitted.
tc::Invocation admitted(const tc::Toolset& tools, std::string_view name, std::string_view arguments,
                        tc::Call call = {}) {
  return std::get<tc::Invocation>(tools.prepare(name, arguments, std::move(call)));
}

/// An input that counts how many of it there are.
struct Counted {
  inline static std::atomic<int> alive = 0;
  std::string id;
  Counted() { ++alive; }
  Counted(const Counted& other) : id(other.id) { ++alive; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --alive; }
};
constexpr auto tool_schema(tc::type<Counted>) { return tc::object(tc::field<&Counted::id>("id", "ID.")); }

/// An input that cannot be made.
struct Refusing {
  std::string id;
  Refusing() { throw std::runtime_error("out of inputs"); }
};
constexpr auto tool_schema(tc::type<Refusing>) { return tc::object(tc::field<&Refusing::id>("id", "ID.")); }

}  // namespace

TEST_CASE("prepare: an admitted call gives its definition, its decoded arguments and its context to the host") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_add().handled_by_host()};
  tc::Invocation invocation = admitted(tools, "accounts_add", R"({"id":"A17"})");
  CHECK(invocation.definition().name == "accounts_add");
  CHECK(invocation.input<Edit>().id == "A17");
  CHECK(invocation.input<Edit>().amount == 1);
  CHECK(invocation.call().correlation_id == "req_1");
  CHECK(invocation.call().effect == tc::Effect::writes);
  CHECK(host.reports.empty());
}

TEST_CASE("prepare: asking for another input type than the tool takes throws") {
  const tc::Toolset tools{accounts_add().handled_by_host()};
  const tc::Invocation invocation = admitted(tools, "accounts_add", R"({"id":"A17"})");
  std::string said;
  try {
    (void)invocation.input<Balance>();
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  CHECK(said == "toolcontract: tool accounts_add takes another input type");
}

TEST_CASE("prepare: a call that is refused is an outcome, already reported") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_add().handled_by_host()};
  const auto bad = tools.prepare("accounts_add", nlohmann::json::object());
  REQUIRE(std::holds_alternative<tc::Outcome>(bad));
  CHECK(std::get<tc::Outcome>(bad).error().code() == "INVALID_ARGUMENTS");
  const auto unknown = tools.prepare("x", tc::parse("{}"));
  REQUIRE(std::holds_alternative<tc::Outcome>(unknown));
  CHECK(std::get<tc::Outcome>(unknown).is_unknown_tool());
  CHECK(host.reports.size() == 2);
}

TEST_CASE("finish: the host's result is amended, encoded and reported, with the time from prepare on") {
  Host host;
  const tc::Toolset tools{
      host.options(), accounts_add().after([](Balance& balance, tc::Call&) { balance.total += 1; }).handled_by_host()};
  tc::Invocation invocation = admitted(tools, "accounts_add", R"({"id":"A17"})");
  host.steady += 3s;
  const tc::Outcome outcome = std::move(invocation).finish(tc::Result<Balance>(Balance{"A17", 7}));
  CHECK(outcome.ok());
  CHECK(outcome.tool() == "accounts_add");
  CHECK(outcome.correlation_id() == "req_1");
  CHECK(outcome.text() == R"({"id":"A17","total":8})");
  CHECK(only_line(host) ==
        "id=req_1 tool=accounts_add principal= code= message= internal= exception= attempt=1 took=3000000000ns");
}

TEST_CASE("finish: the host's error ends the call as a handler's would") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_add().handled_by_host()};
  tc::Invocation invocation = admitted(tools, "accounts_add", R"({"id":"A17"})");
  tc::Call& call = invocation.call();
  const tc::Outcome outcome = std::move(invocation).finish<Balance>(call.timed_out("The change of account A17"));
  tc::ErrorFacts expected =
      facts("OUTCOME_UNKNOWN", Category::unknown, Resolution::reconcile,
            "The change of account A17 timed out; it may or may not have happened. Find out before "
            "doing it again.");
  expected.reconcile = {"accounts_get", R"({"id":"A17"})"};
  CHECK(outcome.error().facts() == expected);
}

TEST_CASE("finish: a result of another type than the tool declares is masked, as something that may have happened") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_add().handled_by_host()};
  CHECK(admitted(tools, "accounts_add", R"({"id":"A17"})").finish<Edit>(Edit{}).error().facts() == masked_write());
  CHECK(host.reports.at(0).exception == "finish was given another result type than the tool declares");
}

TEST_CASE("finish: a result that cannot be encoded ends as it would in a call") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_add().handled_by_host()};
  const tc::Outcome outcome = admitted(tools, "accounts_add", R"({"id":"A17"})").finish<Balance>(Balance{"A17", -1});
  CHECK(outcome.error().code() == "RESULT_UNAVAILABLE");
}

TEST_CASE("finish: an exception in a hook after it is masked") {
  Host host;
  const tc::Toolset tools{
      host.options(),
      accounts_add().after([](Balance&, tc::Call&) { throw std::runtime_error("x"); }).handled_by_host()};
  CHECK(admitted(tools, "accounts_add", R"({"id":"A17"})").finish<Balance>(Balance{}).error().facts() ==
        masked_write());
}

TEST_CASE("run: an invocation of a tool with a handler may be left to it") {
  const tc::Toolset tools{accounts_get().handle(echo)};
  CHECK(admitted(tools, "accounts_get", R"({"id":"A17","amount":5})").run().text() == R"({"id":"A17","total":5})");
}

TEST_CASE("call: a tool that its host handles cannot be called in one step, and nothing happens") {
  Host host;
  const tc::Toolset tools{host.options(), accounts_add().handled_by_host()};
  CHECK(tools.call("accounts_add", R"({"id":"A17"})").error().facts() ==
        facts("INTERNAL_ERROR", Category::unknown, Resolution::escalate,
              "accounts_add failed unexpectedly; nothing was changed."));
  CHECK(host.reports.at(0).exception == "the tool has no handler; its host calls prepare and finish");
}

TEST_CASE("prepare: an invocation that is dropped reports nothing and gives its input back") {
  Host host;
  const tc::Toolset tools{host.options(), tc::tool<Counted, Balance>("t").does("Does something.").handled_by_host()};
  const int before = Counted::alive;
  {
    const tc::Invocation invocation = admitted(tools, "t", R"({"id":"A17"})");
    CHECK(Counted::alive == before + 1);
  }
  CHECK(Counted::alive == before);
  CHECK(host.reports.empty());
}

TEST_CASE("toolset: an input that cannot be made is masked, and nothing runs") {
  Host host;
  const tc::Toolset tools{
      host.options(),
      tc::tool<Refusing, Balance>("t").does("Does something.").handle([](const Refusing&) { return Balance{}; })};
  CHECK(tools.call("t", R"({"id":"A17"})").error().facts() == facts("INTERNAL_ERROR", Category::unknown,
                                                                    Resolution::escalate,
                                                                    "t failed unexpectedly; nothing was changed."));
  CHECK(host.reports.at(0).exception == "out of inputs");
}

TEST_CASE("toolset: no call leaves an input behind, however it ends") {
  const tc::Toolset tools{tc::tool<Counted, Balance>("t").does("Does something.").handle([](const Counted& in) {
    if (in.id == "throw") throw std::runtime_error("x");
    return Balance{in.id, in.id == "nan" ? std::numeric_limits<double>::quiet_NaN() : 1};
  })};
  const int before = Counted::alive;
  for (const char* id : {R"("A17")", R"("throw")", R"("nan")", "7"})
    (void)tools.call("t", R"({"id":)" + std::string(id) + "}");
  CHECK(Counted::alive == before);
}

TEST_CASE("prepare: an invocation outlives the toolset it came from") {
  Host host;
  std::optional<tc::Invocation> kept;
  {
    const tc::Toolset tools{host.options(), accounts_get().handle(echo)};
    kept.emplace(admitted(tools, "accounts_get", R"({"id":"A17","amount":5})"));
  }
  CHECK(kept->definition().name == "accounts_get");
  CHECK(std::move(*kept).run().text() == R"({"id":"A17","total":5})");
  CHECK(host.reports.size() == 1);
}

// ---- threads

TEST_CASE("toolset: many threads may call one set at once, and each call ends once with its own result") {
  constexpr int threads = 8, calls = 2'000;
  std::atomic<int> reported = 0, handled = 0;
  tc::ToolsetOptions options;
  options.report = [&reported](const tc::Report&) noexcept { ++reported; };
  const tc::Toolset tools{options, accounts_get().handle([&handled](const Edit& in) {
                            ++handled;
                            return echo(in);
                          }),
                          accounts_add().handle([](const Edit&) -> Balance { throw std::runtime_error("x"); })};
  std::array<int, threads> wrong{};
  std::vector<std::thread> running;
  for (int thread = 0; thread < threads; ++thread)
    running.emplace_back([&tools, &wrong, thread] {
      for (int i = 0; i < calls; ++i) {
        const std::string id = "A" + std::to_string(thread * calls + i);
        const std::string arguments = R"({"id":")" + id + R"(","amount":5})";
        std::string expected, got;
        switch (i % 4) {
          case 0:
            got = tools.call("accounts_get", arguments).text();
            expected = R"({"id":")" + id + R"(","total":5})";
            break;
          case 1:
            got = tools.call("accounts_add", nlohmann::json::parse(arguments)).error().facts().reconcile->arguments;
            expected = R"({"id":")" + id + R"("})";
            break;
          case 2:
            got = tools.call("accounts_get", R"({"id":")" + id + R"(","amount":51})").error().message();
            expected = "The arguments of accounts_get were not accepted. amount must be 1 to 50. Got 51.";
            break;
          default:
            got = tools.call("accounts", arguments).error().message();
            expected = "There is no tool named \"accounts\"; did you mean accounts_get?";
        }
        if (got != expected) ++wrong[static_cast<std::size_t>(thread)];
      }
    });
  for (std::thread& thread : running) thread.join();
  CHECK(wrong == std::array<int, threads>{});
  CHECK(reported == threads * calls);
  CHECK(handled == threads * calls / 4);
}
