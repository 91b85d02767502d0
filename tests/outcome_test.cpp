// SPDX-License-Identifier: MIT
#include <toolcontract/outcome.hpp>

#include <string>
#include <utility>

#include "catch.hpp"
#include "show.hpp"

namespace tc = toolcontract;

namespace {

tc::ToolError late(std::string correlation_id) {
  return tc::business("WINDOW_EXPIRED", "Order A17 is too old.").settled({std::move(correlation_id), 1, {}, {}});
}

}  // namespace

TEST_CASE("outcome: a success holds its tool, its call and its text") {
  const tc::Outcome outcome = tc::Outcome::success("orders_get", "req_1", R"({"order_id":"A17"})");
  CHECK(outcome.ok());
  CHECK(static_cast<bool>(outcome));
  CHECK_FALSE(outcome.is_unknown_tool());
  CHECK(outcome.tool() == "orders_get");
  CHECK(outcome.correlation_id() == "req_1");
  CHECK(outcome.text() == R"({"order_id":"A17"})");
}

TEST_CASE("outcome: a failure holds its error, and takes the call's id from it") {
  const tc::Outcome outcome = tc::Outcome::failure("orders_get", late("req_1"));
  CHECK_FALSE(outcome.ok());
  CHECK_FALSE(static_cast<bool>(outcome));
  CHECK_FALSE(outcome.is_unknown_tool());
  CHECK(outcome.tool() == "orders_get");
  CHECK(outcome.correlation_id() == "req_1");
  CHECK(outcome.text() == "");
  CHECK(outcome.error().facts() == late("req_1").facts());
}

TEST_CASE("outcome: an unknown tool is a failure that says so, under the name that was asked for") {
  const tc::Outcome outcome = tc::Outcome::unknown_tool("order_get", late("req_1"));
  CHECK_FALSE(outcome.ok());
  CHECK(outcome.is_unknown_tool());
  CHECK(outcome.tool() == "order_get");
  CHECK(outcome.correlation_id() == "req_1");
  CHECK(outcome.error().facts() == late("req_1").facts());
}

TEST_CASE("outcome: only an object that is declared as one is an object to every wire") {
  CHECK(tc::Outcome::success("t", "", "{}").is_object());
  CHECK_FALSE(tc::Outcome::success("t", "", "[]").is_object());
  CHECK_FALSE(tc::Outcome::success("t", "", "5").is_object());
  CHECK_FALSE(tc::Outcome::success("t", "", R"("{")").is_object());
  CHECK_FALSE(tc::Outcome::success("t", "", "{}", true).is_object());
  CHECK_FALSE(tc::Outcome::failure("t", late("")).is_object());
}

TEST_CASE("outcome: the result as a JSON value keeps the declared order, or is of the type asked for") {
  const tc::Outcome outcome = tc::Outcome::success("t", "", R"({"z":725653563933458432,"a":[1,null]})");
  CHECK(outcome.result().dump() == outcome.text());
  CHECK(outcome.result<nlohmann::json>().dump() == R"({"a":[1,null],"z":725653563933458432})");
}

TEST_CASE("outcome: a report begins as one of a first attempt that succeeded at once") {
  const tc::Report report;
  CHECK(report.correlation_id + report.tool + report.principal + report.error_code + report.message + report.internal +
            report.exception ==
        "");
  CHECK(report.attempt == 1);
  CHECK(report.duration == std::chrono::nanoseconds(0));
}
