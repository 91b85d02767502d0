// SPDX-License-Identifier: MIT
// Whatever a result, an error, a block or a name holds: one well-formed reply on every wire.
#include <toolcontract/toolcontract.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "samples.hpp"
#include "show.hpp"

namespace tc = toolcontract;
namespace mcp = toolcontract::mcp;
namespace claude = toolcontract::claude;
using Json = nlohmann::json;
using mcp::Revision;
using namespace std::string_literals;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Text {
  std::string text;
};
constexpr auto tool_schema(tc::type<Text>) { return tc::object(tc::field<&Text::text>("text", "A text.")); }

struct Row {
  std::map<std::string, double> prices;
  float weight = 0;
};
constexpr auto tool_schema(tc::type<Row>) {
  return tc::object(tc::field<&Row::prices>("prices", "By currency."),
                    tc::field<&Row::weight>("weight", "In kilograms."));
}

/// A list of rows with what is said about it, as a page has it.
struct Rows {
  std::vector<Row> results;
  std::int32_t returned = 0;
};
constexpr auto tool_schema(tc::type<Rows>) {
  return tc::object(tc::field<&Rows::results>("results", "The rows."),
                    tc::field<&Rows::returned>("returned", "How many."));
}

/// A chain of lists, as deep as it is made.
struct Chain {
  std::vector<Chain> next;
};
constexpr auto tool_schema(tc::type<Chain>) { return tc::object(tc::field<&Chain::next>("next", "What follows.")); }

/// Every reply to one outcome, each checked to be one line of well-formed JSON of its wire's shape.
std::vector<std::string> replies(const tc::Outcome& outcome, std::string_view id = "toolu_1") {
  std::vector<std::string> all;
  for (const Revision revision : mcp::revisions) all.push_back(mcp::respond_text(revision, id, outcome));
  all.push_back(claude::tool_result_text(id, outcome));
  for (const std::string& reply : all) {
    INFO(reply.substr(0, 2000));
    REQUIRE(reply.find_first_of("\n\r"s + '\0') == std::string::npos);  // a line of stdio
    REQUIRE(tc::is_json(reply));
    const Json json = Json::parse(reply);
    if (&reply == &all.back()) {
      REQUIRE(json["is_error"] == !outcome.ok());
      REQUIRE(json["content"][0]["text"] != "");
    } else {
      REQUIRE(json["jsonrpc"] == "2.0");
      REQUIRE(json.contains("result") != outcome.is_unknown_tool());
      REQUIRE(json.contains("error") == outcome.is_unknown_tool());
    }
  }
  return all;
}

/// What one tool gives, that does what `handler` does with nothing; and what the report says of it.
struct Called {
  tc::Outcome outcome;
  tc::Report report;
};
template <class Out, class Handler>
Called called(Handler handler, bool reads = true) {
  tc::Report seen;
  tc::ToolsetOptions options;
  options.report = [&seen](const tc::Report& report) noexcept { seen = report; };
  auto builder = tc::tool<samples::Nothing, Out>("t").does("Gives something.");
  const tc::Toolset tools(
      std::move(options),
      (reads ? std::move(builder).reads() : std::move(builder).writes())
          .handle([&](const samples::Nothing&, tc::Call& call) -> tc::Result<Out> { return handler(call); }));
  tc::Outcome outcome = tools.call("t", "{}");
  return {std::move(outcome), std::move(seen)};
}
template <class Out>
Called giving(Out result, bool reads = true) {
  return called<Out>([&](tc::Call&) { return std::move(result); }, reads);
}

/// Texts that break things, and what a reader of the reply finds in their place.
const std::pair<std::string, std::string> hostile[] = {
    {"caf\xFF", "caf\xEF\xBF\xBD"},                                     // no UTF-8
    {"\xC3", "\xEF\xBF\xBD"},                                           // half a character
    {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},           // a surrogate
    {"\xC0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD"},                           // an overlong NUL
    {"a\0b"s, "a\0b"s},                                                 // a NUL
    {"a\nb\r\n\x1B[31m\x7F", "a\nb\r\n\x1B[31m\x7F"},                   // line breaks, a terminal's escape
    {"\xE2\x80\xA8\xEF\xBB\xBF", "\xE2\x80\xA8\xEF\xBB\xBF"},           // U+2028, a byte order mark
    {R"("},{"isError":true,"x":"\)", R"("},{"isError":true,"x":"\)"}};  // JSON

Json first_text(const std::string& claude_reply) {
  return Json::parse(Json::parse(claude_reply)["content"][0]["text"].get<std::string>());
}

nlohmann::json nested(std::size_t levels) {
  nlohmann::json json = 1;
  for (std::size_t i = 0; i < levels; ++i) json = nlohmann::json::array({std::move(json)});
  return json;
}

}  // namespace

TEST_CASE("safety: a text of any bytes is a result that every reader takes, the rest of it untouched") {
  for (const auto& [text, expected] : hostile) {
    const tc::Outcome outcome = giving(Text{text}).outcome;
    REQUIRE(outcome.ok());
    const auto all = replies(outcome);
    CHECK(first_text(all.back()) == Json{{"text", expected}});
    for (std::size_t i = 2; i < mcp::revisions.size(); ++i)
      CHECK(Json::parse(all[i])["result"]["structuredContent"] == Json{{"text", expected}});
    const tc::Outcome json = giving(nlohmann::json{{text, {text}}}).outcome;
    REQUIRE(json.ok());
    CHECK(first_text(replies(json).back()) == Json{{expected, {expected}}});
  }
}

TEST_CASE("safety: B17: a number that is none is an error that names its path in the report, never null") {
  for (const double bad : {not_a_number, infinity, -infinity}) {
    const Called rows = giving(Rows{{{}, {{{"EUR", 1}, {"a b", bad}}, 0}}, 2});
    CHECK(rows.outcome.error().code() == "INTERNAL_ERROR");
    CHECK(rows.outcome.error().resolution() == tc::Resolution::escalate);
    CHECK(rows.report.internal == R"(the result cannot be written: results[1].prices["a b"] must be a finite number)");
    const Called single = giving(Rows{{{{}, static_cast<float>(bad)}}, 1}, false);
    CHECK(single.outcome.error().code() == "RESULT_UNAVAILABLE");
    CHECK(single.report.internal == "the result cannot be written: results[0].weight must be a finite number");
    const Called json = giving(nlohmann::json{{"a", {1, bad}}});
    CHECK(json.report.internal == "the result cannot be written: a[1] must be a finite number");
    for (const Called* called : {&rows, &single, &json})
      for (const std::string& reply : replies(called->outcome)) {
        CHECK(reply.find("results[") == std::string::npos);
        CHECK(reply.find(R"("a b")") == std::string::npos);
      }
  }
}

TEST_CASE("safety: B19: integers beyond 2^53 are exact on every wire, or strings by the author's choice") {
  const samples::Widths widths{false, 0, 0, 0, -9007199254740993, 0, 0, 0, 18446744073709551615U, 0, 0};
  for (const std::string& reply : replies(giving(widths).outcome)) {
    CHECK(reply.find("-9007199254740993") != std::string::npos);
    CHECK(reply.find("18446744073709551615") != std::string::npos);
  }
  const nlohmann::json json{{"id", 725653563933458432}, {"serial", 18446744073709551615U}};
  CHECK(first_text(replies(giving(json).outcome).back()) == json);
  const samples::Ids ids{725653563933458432, 18446744073709551615U, 0, {}, 1};
  const Json read = first_text(replies(giving(ids).outcome).back());
  CHECK(read["id"] == "725653563933458432");
  CHECK(read["serial"] == "18446744073709551615");
}

TEST_CASE("safety: a result nested too deep is an error and one that is just deep enough is not, typed or JSON") {
  CHECK(replies(giving(nested(tc::default_depth)).outcome).size() == 6);
  CHECK(giving(nested(tc::default_depth)).outcome.ok());
  const Called deep = giving(nested(20'000));
  CHECK(deep.report.internal.ends_with("must be nested at most 64 levels deep"));
  CHECK(deep.report.internal.size() < 1000);
  replies(deep.outcome);
  Chain chain;
  for (int i = 0; i < 1000; ++i) {
    Chain above;
    above.next.push_back(std::move(chain));
    chain = std::move(above);
  }
  const Called typed = giving(chain);
  CHECK(typed.report.internal.ends_with("must be nested at most 64 levels deep"));
  CHECK(typed.report.internal.size() < 1000);
  replies(typed.outcome);
}

TEST_CASE("safety: a text of a hundred megabytes is a reply on both wires and nothing of it is lost") {
#ifdef __OPTIMIZE__
  const std::size_t size = 100'000'000;
#else
  const std::size_t size = 10'000'000;  // in a tenth of the time
#endif
  const tc::Outcome outcome = giving(Text{std::string(size, 'x') + "\xFF\n"}).outcome;
  REQUIRE(outcome.ok());
  const std::string end = R"(x)"
                          "\xEF\xBF\xBD"
                          R"(\n"})";
  CHECK(outcome.text().size() == size + 5 + 11);
  CHECK(outcome.text().ends_with(end));
  CHECK(mcp::respond_text(Revision::v2025_11_25, 1, outcome).size() > 2 * size);
  CHECK(claude::tool_result_text("toolu_1", outcome).size() > size);
}

TEST_CASE("safety: an error's words may hold any bytes, in its message, fields, source, key and ids") {
  for (const auto& [text, expected] : hostile) {
    const std::string& bytes = text;
    const auto outcome = called<Text>([&](tc::Call&) {
                           return tc::validation("BAD", "Order " + bytes + " is bad.")
                               .field(bytes, "rule", "must not be " + bytes, bytes)
                               .partial(bytes)
                               .example(bytes)
                               .internal(bytes);
                         }).outcome;
    const Json envelope = first_text(replies(outcome).back());
    CHECK(envelope["message"] == "Order " + expected + " is bad.");
    CHECK(envelope["field_errors"][0] ==
          Json{{"field", expected}, {"code", "rule"}, {"problem", "must not be " + expected}, {"got", expected}});
    CHECK(envelope["partial"] == expected);
    CHECK_FALSE(envelope.contains("example"));

    const auto merged = called<Text>([&](tc::Call&) {
                          return tc::merge({{bytes, tc::unavailable("A " + bytes)},
                                            {bytes, tc::unknown("LOST", bytes + ".").reconcile_with(bytes, bytes)}});
                        }).outcome;
    CHECK(first_text(replies(merged).back())["partial"]["failed"][1]["source"] == expected);

    tc::PartialBuilder<std::string> builder;
    builder.add(bytes, tc::Result<std::string>(bytes)).add(bytes, tc::unavailable("A " + bytes).partial(bytes));
    const Json partial = first_text(replies(giving(std::move(builder).finish().value()).outcome).back());
    CHECK(partial["failed"][0]["message"] == "A " + expected);
    CHECK(partial["failed"][0]["partial"] == expected);

    const auto thrown = called<Text>([&](tc::Call&) -> tc::Result<Text> { throw std::runtime_error(bytes); }).outcome;
    replies(thrown, bytes);
  }
}

TEST_CASE("safety: an error of megabytes of anything is a short one") {
  const std::string much(2'000'000, '\xFF');
  const auto outcome = called<Text>([&](tc::Call&) {
                         return tc::validation("BAD", much).field(much, "rule", much, much).partial(much).example(much);
                       }).outcome;
  for (const std::string& reply : replies(outcome)) CHECK(reply.size() < 100'000);
}

TEST_CASE("safety: a tool asked for by any name is answered, shortly, and its report is short too") {
  tc::Report seen;
  tc::ToolsetOptions options;
  options.report = [&seen](const tc::Report& report) noexcept { seen = report; };
  const tc::Toolset tools(std::move(options),
                          tc::tool<samples::Nothing, Text>("orders_get").does("x").reads().handled_by_host());
  std::vector<std::string> names = {
      "", " ", "orders get", "../../etc", std::string(10'000'000, '\xFF'), std::string(10'000'000, 'o')};
  for (const auto& [text, expected] : hostile) names.push_back(text);
  for (const std::string& name : names) {
    const tc::Outcome outcome = tools.call(name, "{}");
    CHECK(outcome.is_unknown_tool());
    for (const std::string& reply : replies(outcome)) CHECK(reply.size() < 5000);
    CHECK(seen.tool.size() + seen.message.size() < 1000);
  }
}

TEST_CASE("safety: a block may hold any bytes in any of its parts, and the JSON stays first") {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  std::vector<std::string> parts = {
      "", every_byte, "image/png", "audio/wav", "application/pdf", "text/plain", "https://example.com/"};
  for (const auto& [text, expected] : hostile) parts.push_back(text);
  const tc::Outcome outcome = called<Text>([&](tc::Call& call) {
                                for (const std::string& a : parts)
                                  for (const std::string& b : parts) {
                                    call.attach(tc::text(a));
                                    call.attach(tc::image(a, b));
                                    call.attach(tc::audio(a, b));
                                    call.attach(tc::resource_link(a, b, a, b));
                                    call.attach(tc::document(a, b, a, b));
                                    call.attach(tc::document(a, "text/plain", b, a));
                                  }
                                return Text{"first"};
                              }).outcome;
  CHECK(outcome.content().size() == parts.size() * parts.size() * 6);
  const auto all = replies(outcome);
  CHECK(first_text(all.back()) == Json{{"text", "first"}});
  const Json last = Json::parse(all.back());
  for (const Json& block : last["content"])
    if (block["type"] == "text")
      CHECK(block["text"].get<std::string>().find_first_not_of(" \t\r\n") != std::string::npos);
  for (std::size_t i = 0; i < mcp::revisions.size(); ++i)
    CHECK(Json::parse(Json::parse(all[i])["result"]["content"][0]["text"].get<std::string>()) ==
          Json{{"text", "first"}});
}
