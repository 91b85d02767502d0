// SPDX-License-Identifier: MIT
#include <toolcontract/tool.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "catch.hpp"
#include "show.hpp"

namespace tc = toolcontract;
using tc::Effect;

namespace {

struct Query {
  std::string order_id;
  std::optional<std::int32_t> limit;
};
constexpr auto tool_schema(tc::type<Query>) {
  return tc::object(tc::field<&Query::order_id>("order_id", "Order ID, e.g. 'A17'.", tc::max_length(12)),
                    tc::field<&Query::limit>("limit", "How many.", tc::between(1, 50)));
}

struct Order {
  std::string order_id;
};
constexpr auto tool_schema(tc::type<Order>) {
  return tc::object(tc::field<&Order::order_id>("order_id", "The order's ID."));
}

constexpr std::string_view query_properties =
    R"("properties":{"order_id":{"type":"string","description":"Order ID, e.g. 'A17'.","maxLength":12},)"
    R"("limit":{"type":"integer","description":"How many.","minimum":1,"maximum":50}},)"
    R"("required":["order_id"],"additionalProperties":false)";

/// A finished tool, for the tests that look at what its parts became.
auto orders_get() { return tc::tool<Query, Order>("orders_get").does("Looks up one order."); }

template <class In = Query, class Out = Order>
tc::Tool built(tc::ToolBuilder<In, Out> builder) {
  return std::move(builder).handled_by_host();
}

/// What the building of a tool said; "" when it was built.
template <class Build>
std::string definition_error(Build build) {
  try {
    (void)build();
  } catch (const tc::DefinitionError& error) {
    return error.what();
  }
  return "";
}

/// Runs a tool's handler as a Toolset would, and tells what it answered: the order's ID, or the error's code.
struct Heard final : tc::detail::Answer {
  std::string said;
  void succeed(void* result) override { said = static_cast<const Order*>(result)->order_id; }
  void fail(tc::ToolError error) override { said = error.code(); }
};
std::string answer(const tc::Tool& tool, const Query& in, tc::Call call = {}) {
  Heard heard;
  tool.core().handler(tool.core(), &in, call, heard);
  return heard.said;
}

}  // namespace

// ---- names

TEST_CASE("tool name: snake_case of 1 to 64 characters is one") {
  for (const auto& text : {std::string("a"), std::string("orders_get"), std::string("v2_get"), std::string("get_2"),
                           std::string(64, 'a')}) {
    INFO(text);
    CHECK(tc::ToolName::checked(text).text() == text);
  }
}

TEST_CASE("tool name: everything else is refused at run time, with the rule and what was given") {
  const auto refused = [](const std::string& name) {
    return definition_error([&] { return tc::ToolName::checked(name); });
  };
  const auto sentence = [](const std::string& got) {
    return "toolcontract: a tool name must be snake_case of 1 to 64 characters, such as orders_get; got \"" + got +
           "\"";
  };
  for (const char* name : {"", "Orders_get", "ordersGet", "orders-get", "orders.get", "orders get", "_orders",
                           "orders_", "orders__get", "2orders", "orders_g\xC3\xA9t", "orders_get\n", "orders/get"}) {
    INFO(name);
    CHECK(refused(name) == sentence(name));
  }
  CHECK(refused(std::string(65, 'a')) == sentence(std::string(65, 'a')));
  CHECK(refused(std::string(200, 'a')) == sentence(std::string(80, 'a')));
  CHECK_THROWS_AS(tc::ToolName::checked(std::string_view("a\0b", 3)), tc::DefinitionError);
}

TEST_CASE("tool name: a name made at run time builds a tool") {
  const std::string name = "orders_get";
  const tc::Tool tool =
      tc::tool<Query, Order>(tc::ToolName::checked(name)).does("Looks up one order.").handled_by_host();
  CHECK(tool.definition().name == "orders_get");
}

// ---- descriptions

TEST_CASE("tool: a description is the parts that were given, in one order, each a sentence") {
  CHECK(built(orders_get()).definition().description == "Looks up one order.");
  CHECK(built(tc::tool<Query, Order>("orders_get")
                  .example("what became of order A17?")
                  .when_empty("found is false")
                  .use_instead("orders_search", "to find orders by email")
                  .returns("the order")
                  .does("Looks up one order"))
            .definition()
            .description ==
        "Looks up one order. Returns: the order. Use orders_search instead to find orders by email. "
        "When nothing is found: found is false. Example: what became of order A17?");
}

TEST_CASE("tool: use_instead may name several tools") {
  CHECK(built(orders_get()
                  .use_instead("orders_search", "to find orders by email")
                  .use_instead("refunds_get", "for refunds."))
            .definition()
            .description ==
        "Looks up one order. Use orders_search instead to find orders by email. Use refunds_get instead for refunds.");
}

TEST_CASE("tool: a sentence that already ends is not ended again") {
  CHECK(built(tc::tool<Query, Order>("a").does("Looks up!").returns("What?").when_empty("Nothing."))
            .definition()
            .description == "Looks up! Returns: What? When nothing is found: Nothing.");
}

TEST_CASE("tool: blank parts say nothing") {
  CHECK(built(orders_get().returns("").when_empty("  \n")).definition().description == "Looks up one order.");
}

TEST_CASE("tool: the title is for people and stands beside the description") {
  const tc::Tool tool = built(orders_get().title("Look up order"));
  CHECK(tool.definition().title == "Look up order");
  CHECK(tool.definition().description == "Looks up one order.");
  CHECK(built(orders_get()).definition().title == "");
}

// ---- effects

TEST_CASE("tool: the effect is what the author declares, and undeclared until then") {
  CHECK(built(orders_get()).definition().effect == Effect::undeclared);
  CHECK(built(orders_get().reads()).definition().effect == Effect::reads);
  CHECK(built(orders_get().writes()).definition().effect == Effect::writes);
  CHECK(built(orders_get().destroys()).definition().effect == Effect::destroys);
}

TEST_CASE("tool: whether it reaches outside is said either way or not at all") {
  CHECK(built(orders_get()).definition().open_world == std::nullopt);
  CHECK(built(orders_get().open_world()).definition().open_world == std::optional(true));
  CHECK(built(orders_get().closed_world()).definition().open_world == std::optional(false));
}

TEST_CASE("tool: nothing in a builder claims idempotence") {
  CHECK_FALSE(built(orders_get().reads().closed_world()).definition().idempotent);
}

// ---- schemas

TEST_CASE("tool: the schemas are those of its two types") {
  const tc::Tool tool = built(orders_get());
  CHECK(tool.definition().input_schema == R"({"type":"object",)" + std::string(query_properties) + "}");
  CHECK(tool.definition().output_schema ==
        R"({"type":"object","properties":{"order_id":{"type":"string","description":"The order's ID."}},)"
        R"("required":["order_id"],"additionalProperties":false})");
  CHECK(tool.definition().wrapped_output_schema == "");
}

TEST_CASE("tool: a result that is no object has a second schema, wrapped in one") {
  const tc::Tool tool = tc::tool<Query, std::vector<Order>>("orders_list").does("Lists orders.").handled_by_host();
  const std::string list = R"({"type":"array","items":{"type":"object","properties":{)"
                           R"("order_id":{"type":"string","description":"The order's ID."}},)"
                           R"("required":["order_id"],"additionalProperties":false}})";
  CHECK(tool.definition().output_schema == list);
  CHECK(tool.definition().wrapped_output_schema == R"({"type":"object","properties":{"result":)" + list +
                                                       R"(},"required":["result"],"additionalProperties":false})");
}

TEST_CASE("tool: input examples stand in the definition and in the schema, in the order they were given") {
  const tc::Tool tool = built(orders_get().input_example({"A17", {}}).input_example({"A18", 5}));
  CHECK(tool.definition().input_examples ==
        std::vector<std::string>{R"({"order_id":"A17"})", R"({"order_id":"A18","limit":5})"});
  CHECK(tool.definition().input_schema == R"({"type":"object",)" + std::string(query_properties) +
                                              R"(,"examples":[{"order_id":"A17"},{"order_id":"A18","limit":5}]})");
}

// ---- definitions that cannot stand

namespace {

struct BadPattern {
  std::string code;
};
constexpr auto tool_schema(tc::type<BadPattern>) {
  return tc::object(tc::field<&BadPattern::code>("code", "Code.", tc::pattern("^A(")));
}
struct BadDefault {
  std::int32_t limit = 0;
};
constexpr auto tool_schema(tc::type<BadDefault>) {
  return tc::object(tc::field<&BadDefault::limit>("limit", "Limit.", tc::between(1, 50), tc::default_value(99)));
}
struct DeepDefault {
  std::vector<BadDefault> pages;
};
constexpr auto tool_schema(tc::type<DeepDefault>) {
  return tc::object(tc::field<&DeepDefault::pages>("pages", "Pages."));
}
struct ListDefault {
  std::vector<std::int64_t> ids;
};
constexpr auto tool_schema(tc::type<ListDefault>) {
  return tc::object(
      tc::field<&ListDefault::ids>("ids", "IDs.", tc::max_items(2), tc::default_value(tc::json(R"([1,"two"])"))));
}
struct TornDefault {
  std::vector<std::int64_t> ids;
};
constexpr auto tool_schema(tc::type<TornDefault>) {
  return tc::object(tc::field<&TornDefault::ids>("ids", "IDs.", tc::default_value(tc::json("[1,"))));
}
enum class Size { small, large };
constexpr auto tool_schema(tc::type<Size>) {
  return tc::enumeration(tc::value("small", Size::small), tc::value("large", Size::large));
}
struct NamelessDefault {
  Size size = Size::small;
};
constexpr auto tool_schema(tc::type<NamelessDefault>) {
  return tc::object(tc::field<&NamelessDefault::size>("size", "Size.", tc::default_value(static_cast<Size>(7))));
}
struct BadExample {
  std::string day;
};
constexpr auto tool_schema(tc::type<BadExample>) {
  return tc::object(tc::field<&BadExample::day>("day", "Day.", tc::format(tc::Format::date),
                                                tc::examples("2026-11-30", "30.11.2026")));
}
struct Range {
  std::int32_t since = 0, until = 0;
};
constexpr auto tool_schema(tc::type<Range>) {
  return tc::object(tc::field<&Range::since>("since", "First day.", tc::between(1, 31)),
                    tc::field<&Range::until>("until", "Last day.", tc::between(1, 31)))
      .rule("until", "must not be before since", [](const Range& range) { return range.since <= range.until; });
}
struct Login {
  std::string user, password, note;
};
constexpr auto tool_schema(tc::type<Login>) {
  return tc::object(tc::field<&Login::user>("user", "Name."),
                    tc::field<&Login::password>("password", "Password.", tc::secret()));
}
struct Logins {
  std::vector<Login> logins;
};
constexpr auto tool_schema(tc::type<Logins>) { return tc::object(tc::field<&Logins::logins>("logins", "Logins.")); }

struct Move {
  std::int32_t steps = 0;
};
constexpr auto tool_schema(tc::type<Move>) {
  return tc::object(tc::field<&Move::steps>("steps", "Steps.", tc::between(1, 5), tc::default_value(0)));
}
struct Stop {};
constexpr auto tool_schema(tc::type<Stop>) { return tc::object(); }
using Step = std::variant<Stop, Move>;
constexpr auto tool_schema(tc::type<Step>) {
  return tc::tagged("kind", tc::alternative<Stop>("stop"), tc::alternative<Move>("move"));
}
struct Walk {
  std::vector<Step> steps;
};
constexpr auto tool_schema(tc::type<Walk>) { return tc::object(tc::field<&Walk::steps>("steps", "Steps.")); }

/// What is said of a tool "t" with these types.
template <class In, class Out = Order>
std::string refusal() {
  return definition_error([] { return tc::tool<In, Out>("t").does("Does something.").handled_by_host(); });
}

}  // namespace

TEST_CASE("tool: one that does not say what it does is refused") {
  const std::string said = "toolcontract: tool orders_get: does(…) is missing; say in a sentence what the tool does";
  CHECK(definition_error([] { return tc::tool<Query, Order>("orders_get").handled_by_host(); }) == said);
  CHECK(definition_error([] { return tc::tool<Query, Order>("orders_get").does(" \n").handled_by_host(); }) == said);
}

TEST_CASE("tool: a pattern that cannot be used is refused in the name of the tool, every time") {
  std::string pattern_error;
  try {
    (void)tc::Pattern("^A(");
  } catch (const tc::PatternError& error) {
    pattern_error = error.what();
  }
  REQUIRE(pattern_error.starts_with("toolcontract: the pattern ^A( "));
  const std::string said = "toolcontract: tool t: " + pattern_error.substr(std::string("toolcontract: ").size());
  CHECK(refusal<BadPattern>() == said);
  CHECK(refusal<BadPattern>() == said);
  CHECK(refusal<Query, BadPattern>() == said);
}

TEST_CASE("tool: a default that its own schema rejects is refused with its place, in input and result") {
  CHECK(refusal<BadDefault>() == "toolcontract: tool t: the default of limit must be 1 to 50; got 99");
  CHECK(refusal<Query, BadDefault>() == "toolcontract: tool t: the default of limit must be 1 to 50; got 99");
  CHECK(refusal<DeepDefault>() == "toolcontract: tool t: the default of pages[0].limit must be 1 to 50; got 99");
  CHECK(refusal<Walk>() == "toolcontract: tool t: the default of steps[0].steps must be 1 to 5; got 0");
}

TEST_CASE("tool: a default in JSON is checked down to its parts") {
  CHECK(refusal<ListDefault>() ==
        R"(toolcontract: tool t: the default of ids at [1] must be an integer; got [1,"two"])");
}

TEST_CASE("tool: a default that is no JSON is refused") {
  CHECK(
      refusal<TornDefault>() ==
      "toolcontract: tool t: the default of ids must be one complete JSON value; it ends too early at byte 3; got [1,");
}

TEST_CASE("tool: a default that is no named enumerator is refused") {
  CHECK(refusal<NamelessDefault>() ==
        "toolcontract: tool t: the default of size must be one of small, large; got an enumerator without a name");
}

TEST_CASE("tool: an example that its own schema rejects is refused") {
  CHECK(refusal<BadExample>() ==
        "toolcontract: tool t: the example of day must be a date, e.g. 2026-11-30; got \"30.11.2026\"");
}

TEST_CASE("tool: an input example that breaks a constraint is refused") {
  CHECK(definition_error([] {
          return orders_get().input_example({"A17", 51}).handled_by_host();
        }) == "toolcontract: tool orders_get: an input example is not a valid call: limit must be 1 to 50");
}

TEST_CASE("tool: an input example that breaks a rule over several fields is refused") {
  CHECK(definition_error([] {
          return tc::tool<Range, Order>("t").does("Does something.").input_example({9, 3}).handled_by_host();
        }) ==
        "toolcontract: tool t: an input example is not a valid call: until must not be before since. "
        R"(Got {"since":9,"until":3})");
}

TEST_CASE("tool: a result with a secret anywhere in it is refused") {
  const std::string said =
      "toolcontract: tool t: its result has a secret field, and results reach the model; leave the field out";
  CHECK(refusal<Query, Login>() == said);
  CHECK(refusal<Query, Logins>() == said);
  CHECK(refusal<Login, Order>() == "");
}

TEST_CASE("tool: reconcile_by of a member that is no field, or of a secret one, is refused") {
  const auto by = [](std::string Login::*key) {
    return definition_error([key] {
      return tc::tool<Login, Order>("t").does("Does something.").reconcile_by("orders_get", key).handled_by_host();
    });
  };
  CHECK(by(&Login::note) == "toolcontract: tool t: reconcile_by names a member that is no described field");
  CHECK(by(&Login::password) == "toolcontract: tool t: reconcile_by names a secret field, which no error may show");
  CHECK(by(&Login::user) == "");
}

TEST_CASE("tool: reconcile_by names the tool and the argument to look an earlier call up by") {
  const tc::Tool tool = built(orders_get().reconcile_by("orders_find", &Query::order_id));
  CHECK(tool.definition().reconcile_tool == "orders_find");
  REQUIRE(tool.definition().reconcile_field != nullptr);
  CHECK(tool.definition().reconcile_field->name == "order_id");
}

// ---- handlers

TEST_CASE("tool: a handler answers with its output, or with a Result of it") {
  CHECK(answer(orders_get().handle([](const Query& in) { return Order{in.order_id}; }), {"A17", {}}) == "A17");
  CHECK(answer(orders_get().handle([](const Query& in) -> tc::Result<Order> { return Order{in.order_id}; }),
               {"A17", {}}) == "A17");
  CHECK(answer(orders_get().handle([](const Query&) -> tc::Result<Order> { return tc::not_found("No order A17."); }),
               {"A17", {}}) == "NOT_FOUND");
  CHECK(answer(orders_get().handle([](const Query&) { return tc::not_found("There is no order A17."); }),
               {"A17", {}}) == "NOT_FOUND");
}

TEST_CASE("tool: a handler may take the call, and take its input by value") {
  const tc::Tool with_call = orders_get().handle(
      [](const Query& in, tc::Call& call) { return Order{in.order_id + " for " + call.principal}; });
  tc::Call call;
  call.principal = "acme";
  CHECK(answer(with_call, {"A17", {}}, call) == "A17 for acme");
  CHECK(answer(orders_get().handle([](Query in) { return Order{std::move(in.order_id)}; }), {"A17", {}}) == "A17");
}

TEST_CASE("tool: a handler may be a function, or hold what cannot be copied") {
  struct Functions {
    static Order echo(const Query& in) { return {in.order_id}; }
  };
  CHECK(answer(orders_get().handle(&Functions::echo), {"A17", {}}) == "A17");
  auto prefix = std::make_unique<std::string>("order ");
  CHECK(answer(
            orders_get().handle([prefix = std::move(prefix)](const Query& in) { return Order{*prefix + in.order_id}; }),
            {"A17", {}}) == "order A17");
}

TEST_CASE("tool: a handler lives as long as the last copy of its tool") {
  const auto alive = std::make_shared<int>(1);
  {
    std::optional<tc::Tool> copy;
    {
      const tc::Tool tool = orders_get().handle([alive](const Query& in) { return Order{in.order_id}; });
      copy = tool;
    }
    CHECK(alive.use_count() == 2);
    CHECK(answer(*copy, {"A17", {}}) == "A17");
  }
  CHECK(alive.use_count() == 1);
}

TEST_CASE("tool: one handled by its host has no handler") {
  CHECK_FALSE(static_cast<bool>(orders_get().handled_by_host().core().handler));
  CHECK(static_cast<bool>(orders_get().handle([](const Query&) { return Order{}; }).core().handler));
}
