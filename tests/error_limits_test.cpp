// SPDX-License-Identifier: MIT
#include <toolcontract/error_limits.hpp>

#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "show.hpp"
#include "toolcontract/envelope.hpp"
#include "toolcontract/toolset.hpp"

namespace tc = toolcontract;
using Limits = tc::ErrorLimits;

namespace {

struct Nothing {};
constexpr auto tool_schema(tc::type<Nothing>) { return tc::object(); }

tc::ErrorFacts cut(tc::ErrorFacts facts) {
  tc::detail::cut_to_limits(facts);
  return facts;
}
std::string shortened(std::string text, std::size_t bytes) {
  tc::detail::shorten(text, bytes);
  return text;
}

}  // namespace

TEST_CASE("error_limits: a text is cut by what it takes as JSON, between characters, and marked") {
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdefg", 6) == "abc…");
  CHECK(shortened("abcéfg", 6) == "abc…");
  CHECK(shortened("aébcdef", 6) == "aé…");
  CHECK(shortened("\"\"\"\"", 7) == "\"\"…");
  CHECK(shortened("\x01\x01", 12) == "\x01\x01");
  CHECK(shortened("\x01\x01", 11) == "\x01…");
  CHECK(shortened("\n\n\n\n", 7) == "\n\n…");
  CHECK(shortened("\xff\xff\xff", 8) == "\xff…");
}

TEST_CASE("error_limits: an error within its limits stays as it is") {
  auto error = tc::validation("INVALID_RANGE", "until is before since.")
                   .field("until", "rule", "must not be before since", "2026-01-01")
                   .example(R"({"since":1})")
                   .partial("[1,2]");
  CHECK(cut(error.facts()) == error.facts());
}

TEST_CASE("error_limits: what was obtained before a failure is left out when it is too long, and the message says so") {
  auto error = tc::unavailable("Shop B is down.").partial("[" + std::string(40'000, ' ') + "]");
  const tc::ErrorFacts facts = cut(error.facts());
  CHECK(facts.partial == "");
  CHECK(facts.message == "Shop B is down. What was obtained before is left out: 40002 bytes.");
}

TEST_CASE("error_limits: beyond 17 field errors the rest is counted") {
  auto error = tc::validation("INVALID_ROWS", "Rows are wrong.");
  for (int i = 0; i < 30; ++i) error.field("rows[" + std::to_string(i) + "]", "rule", "must be right");
  const tc::ErrorFacts facts = cut(error.facts());
  REQUIRE(facts.field_errors.size() == 17);
  CHECK(facts.field_errors[15].field == "rows[15]");
  CHECK(facts.field_errors[16] ==
        tc::FieldError{"", "more", "must be free of 14 more faults that are not listed here", {}});
}

TEST_CASE("error_limits: no error that leaves a Toolset is larger than an envelope may be, whatever is put in") {
  std::mt19937_64 random(20'261'130);
  for (int round = 0; round < 60; ++round) {
    const auto text = [&] {
      constexpr std::string_view parts[] = {"a", "é", "\x01", "\"", "\xff"};
      std::string made = "x";
      const std::string_view part = parts[random() % 5];
      for (std::size_t size = random() % 3 == 0 ? random() % 100 : 30'000; made.size() < size;) made += part;
      return made;
    };
    const auto json = [&] {
      tc::TextWriter out;
      return out.begin_object().key("k").string(text()).end_object().take();
    };
    tc::ErrorFacts facts;
    facts.code = "A" + std::string(63, 'B');
    facts.category = static_cast<tc::Category>(random() % 5);
    facts.resolution = tc::default_resolution(facts.category);
    facts.message = text();
    for (std::size_t i = random() % 40; i > 0; --i)
      facts.field_errors.push_back({text(), text(), text(), i % 2 == 0 ? tc::Shown(text()) : tc::Shown::json(json())});
    facts.example = json();
    facts.reconcile = {text(), json()};
    facts.confirmation = tc::Confirmation{text(), text(), text()};
    facts.partial = json();
    facts.extra = json();
    const tc::Toolset tools(
        tc::tool<Nothing, Nothing>("rows_list")
            .does("Lists.")
            .reads()
            .handle([&](const Nothing&) -> tc::Result<Nothing> { return tc::ToolError::restore(facts); }));
    const tc::Outcome outcome = tools.call("rows_list", "{}", {.correlation_id = text()});
    REQUIRE_FALSE(outcome.ok());
    const std::string envelope = tc::envelope_text(outcome.error());
    REQUIRE(envelope.size() <= Limits::envelope);
    REQUIRE(tc::read_envelope(envelope).has_value());
  }
}

TEST_CASE("error_limits: a name nobody knows among very many tools is told in a short message") {
  std::vector<tc::Tool> many;
  for (int i = 0; i < 400; ++i) {
    const std::string name = "orders_of_the_shop_number_" + std::to_string(i);
    many.push_back(tc::tool<Nothing, Nothing>(tc::ToolName::checked(name)).does("Lists.").handle([](const Nothing&) {
      return Nothing();
    }));
  }
  const tc::Outcome outcome = tc::Toolset(tc::ToolsetOptions(), many).call("zzz", "{}");
  CHECK(outcome.error().message().size() <= Limits::message);
  CHECK(outcome.error().message().ends_with("…"));
}
