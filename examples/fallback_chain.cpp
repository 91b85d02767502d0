// SPDX-License-Identifier: MIT
// A fallback chain: the primary, its replica, then the cache with its age. Every failure is kept and said.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>
#include <map>

namespace tc = toolcontract;
using namespace std::chrono_literals;

struct Query {
  std::string currency;
};
constexpr auto tool_schema(tc::type<Query>) {
  return tc::object(
      tc::field<&Query::currency>("currency", "ISO code, e.g. 'USD'.", tc::min_length(3), tc::max_length(3)));
}

struct Failure {
  std::string source, error_code, message;
};
constexpr auto tool_schema(tc::type<Failure>) {
  return tc::object(tc::field<&Failure::source>("source", "Who was asked."),
                    tc::field<&Failure::error_code>("error_code", "How that ended."),
                    tc::field<&Failure::message>("message", "The same in words."));
}

struct Rate {
  double per_euro = 0;
  std::string source;
  std::int64_t age_seconds = 0;
  std::vector<Failure> failed;
};
constexpr auto tool_schema(tc::type<Rate>) {
  return tc::object(
      tc::field<&Rate::per_euro>("per_euro", "What one euro buys."),
      tc::field<&Rate::source>("source", "Where that comes from: primary, replica or cache."),
      tc::field<&Rate::age_seconds>("age_seconds", "How old it is; say so when it is not 0."),
      tc::field<&Rate::failed>("failed", "Better sources that failed before; empty when the primary answered."));
}

// The world outside: what the primary's HTTP status is, and whether the replica's host accepts connections.
struct World {
  int primary_status = 200;
  bool replica_up = true;
};

tc::Result<double> ask_primary(const World& world, const Query& in, const tc::Call& call) {
  const tc::UpstreamRequest request{.subject = "Asking the primary for " + in.currency, .effect = call.effect};
  if (world.primary_status == 200) return 1.08;
  const tc::HttpReply reply{world.primary_status, world.primary_status == 503 ? "1" : "", "<html>fx-1.internal</html>"};
  return tc::upstream_error(request, reply, call.clock.wall());
}

tc::Result<double> ask_replica(const World& world, const Query& in, const tc::Call& call) {
  if (world.replica_up) return 1.07;
  return tc::upstream_error(
      {.subject = "Asking the replica for " + in.currency, .effect = call.effect, .phase = tc::Phase::before_sending},
      std::errc::connection_refused, "fx-2.internal:443");
}

auto rates_get(const World& world, const tc::Retrier& again) {
  return tc::tool<Query, Rate>("rates_get")
      .does("Looks up what one euro buys in another currency.")
      .returns("The rate, its source and its age, and which better sources failed.")
      .reads()
      .handle([&](const Query& in, tc::Call& call) -> tc::Result<Rate> {
        static const std::map<std::string, std::pair<double, std::int64_t>> cache = {{"USD", {1.05, 540}}};
        std::vector<Failure> failed;
        std::string story;
        tc::ErrorFacts last;
        for (const auto& [source, ask] : {std::pair("primary", &ask_primary), std::pair("replica", &ask_replica)}) {
          const auto rate = again.run(call, [&, ask = ask](tc::Call& attempt) { return ask(world, in, attempt); });
          if (rate) return Rate{*rate, source, 0, failed};
          if (rate.error().category() == tc::Category::business) return rate.error();  // an answer, not a failure
          failed.push_back({source, rate.error().code(), rate.error().message()});
          story += " " + rate.error().message();
          last = rate.error().facts();
        }
        if (const auto cached = cache.find(in.currency); cached != cache.end())
          return Rate{cached->second.first, "cache", cached->second.second, failed};
        last.message = "There is no rate for " + in.currency + " now, not even an old one." + story;
        return tc::ToolError::restore(last);  // still "not again now", after so many attempts
      });
}

int main() {
  World world;
  const tc::Retrier again(
      {.max_attempts = 2}, [](auto wait) { std::printf("  (waits %d ms)\n", int(wait.count())); }, [] { return 0.5; });
  tc::ToolsetOptions options;
  options.clock.steady = [] { return std::chrono::steady_clock::time_point(); };
  options.clock.wall = [] { return std::chrono::system_clock::time_point(); };
  const tc::Toolset tools(options, rates_get(world, again));

  const auto show = [&](const char* title, const World& state, std::string_view currency) {
    world = state;
    std::printf("\n%s\n", title);
    const auto outcome =
        tools.call("rates_get", R"({"currency":")" + std::string(currency) + R"("})", {.correlation_id = "req_1"});
    std::printf("  %s\n", outcome ? outcome.text().c_str() : tc::envelope_text(outcome.error()).c_str());
  };
  show("the primary answers", {}, "USD");
  show("the primary is busy, twice; the replica answers", {.primary_status = 503}, "USD");
  show("the primary is broken and the replica down: the cache, with its age", {500, false}, "USD");
  show("nobody knows: an error that says who was asked", {500, false}, "CHF");
  show("the primary knows no such currency: an answer, so nobody else is asked", {404, true}, "XXX");
}
