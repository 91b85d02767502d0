// SPDX-License-Identifier: MIT
// One tool: what a model is told, a good call, and a bad one with the error a model can repair.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>

namespace tc = toolcontract;

enum class Unit { celsius, fahrenheit };
constexpr auto tool_schema(tc::type<Unit>) {
  return tc::enumeration(tc::value("celsius", Unit::celsius), tc::value("fahrenheit", Unit::fahrenheit));
}

struct Query {
  std::string city;
  std::optional<Unit> unit;
  int days = 0;
};
constexpr auto tool_schema(tc::type<Query>) {
  return tc::object(tc::field<&Query::city>("city", "City and country, e.g. 'Oslo, NO'.", tc::min_length(2)),
                    tc::field<&Query::unit>("unit", "Unit of the answer; the country's own when left out."),
                    tc::field<&Query::days>("days", "Days ahead, e.g. 3.", tc::between(1, 7), tc::default_value(1)));
}

struct Forecast {
  std::string summary;
  double high = 0;
};
constexpr auto tool_schema(tc::type<Forecast>) {
  return tc::object(tc::field<&Forecast::summary>("summary", "The weather in words."),
                    tc::field<&Forecast::high>("high", "Highest temperature, in the unit asked for."));
}

int main() {
  const tc::Toolset tools{
      tc::tool<Query, Forecast>("weather_forecast")
          .does("Forecasts the weather of one city.")
          .returns("A summary and the highest temperature.")
          .use_instead("weather_history", "for days in the past")
          .reads()
          .open_world()
          .handle([](const Query& query) -> tc::Result<Forecast> {
            if (query.city == "Atlantis") return tc::not_found("There is no weather station in Atlantis.");
            return Forecast{"Light rain in " + query.city, query.unit == Unit::fahrenheit ? 51.8 : 11.0};
          })};

  const auto revision = tc::mcp::Revision::v2025_11_25;
  std::puts(tc::mcp::tools_list_text(revision, tools).c_str());
  std::puts(tc::claude::tools_text(tools).c_str());
  std::puts(tools.call("weather_forecast", R"({"city":"Oslo, NO"})").text().c_str());

  const tc::Outcome bad =
      tools.call("weather_forecast", R"({"city":"Oslo, NO","unit":"kelvin","day":9})", {.correlation_id = "req_1"});
  std::puts(tc::claude::tool_result_text("toolu_01", bad).c_str());
  std::puts(tc::mcp::respond_text(revision, 7, bad).c_str());
}
