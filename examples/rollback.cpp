// SPDX-License-Identifier: MIT
// Several steps, each with its undo: a failure undoes in reverse what was done, and an undo that fails is said.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>

namespace tc = toolcontract;
using namespace std::chrono_literals;

struct Trip {
  std::string operation_id, city;
};
constexpr auto tool_schema(tc::type<Trip>) {
  return tc::object(tc::field<&Trip::operation_id>("operation_id", "One id per intended trip, e.g. 'op_7f3a'."),
                    tc::field<&Trip::city>("city", "Where to, e.g. 'Oslo'."));
}

struct Booking {
  std::vector<std::string> booked;
};
constexpr auto tool_schema(tc::type<Booking>) {
  return tc::object(tc::field<&Booking::booked>("booked", "What was booked, in order."));
}

// A travel service: HTTP statuses, by request; what is not named succeeds. It runs one key once, and a booking whose key
// was cancelled is never made, even when it arrives late.
struct Service {
  std::vector<std::pair<std::string, int>> statuses;

  tc::Result<std::string> send(const std::string& request, const tc::UpstreamRequest& asked, const std::string& key,
                               tc::Call& call) const {
    int status = 200;
    for (const auto& [name, answer] : statuses)
      if (name == request) status = answer;
    std::printf("  %s, key %s: %d\n", request.c_str(), key.c_str(), status);
    if (status == 200) return key;
    return tc::upstream_error(asked, tc::HttpReply{status}, call.clock.wall());
  }
};

auto trips_book(const Service& service, const tc::Retrier& again) {
  return tc::tool<Trip, Booking>("trips_book")
      .does("Books a flight, a hotel and a car: all of them, or none.")
      .destroys()
      .reconcile_by("trips_get", &Trip::operation_id)
      .handle([&](const Trip& in, tc::Call& call) -> tc::Result<Booking> {
        const auto send = [&](const std::string& verb, const std::string& thing) {
          const bool once = verb == "Cancelling";  // twice is once
          const tc::UpstreamRequest asked{verb + " the " + thing + " in " + in.city, call.effect,
                                          tc::Phase::after_sending, once};
          return again.run(call, in.operation_id + "." + thing, [&](tc::Call& attempt, const std::string& key) {
            return service.send(verb + " " + thing, asked, key, attempt);
          });
        };
        Booking booking;
        std::vector<std::string> to_undo;
        for (const std::string thing : {"flight", "hotel", "car"}) {
          const auto done = send("Booking", thing);
          const bool unknown = !done && done.error().category() == tc::Category::unknown;
          if (done || unknown) to_undo.push_back(thing);  // may be there, so it is undone too
          if (done) {
            booking.booked.push_back(*done);
            continue;
          }
          std::string stuck;
          for (auto undo = to_undo.rbegin(); undo != to_undo.rend(); ++undo)
            if (const auto undone = send("Cancelling", *undo); !undone) stuck += " " + undone.error().message();
          const std::string why = "The trip to " + in.city + " was not booked. " + done.error().message();
          if (!stuck.empty()) return tc::unknown("OUTCOME_UNKNOWN", why + " Not all could be undone." + stuck);
          if (unknown)
            return tc::business("TRIP_NOT_BOOKED", "The trip to " + in.city +
                                                       " was not booked: nobody knows whether the " + thing +
                                                       " was, so all of it was cancelled.");
          tc::ErrorFacts facts = done.error().facts();  // nothing is left of it: the error is that of the step
          facts.message = why + " What had been booked was cancelled.";
          return tc::ToolError::restore(facts);
        }
        return booking;
      });
}

int main() {
  Service service;
  const tc::Retrier again(
      {.max_attempts = 2}, [](auto wait) { std::printf("  (waits %d ms)\n", int(wait.count())); }, [] { return 0.5; });
  tc::ToolsetOptions options;
  options.clock.steady = [] { return std::chrono::steady_clock::time_point(); };
  options.clock.wall = [] { return std::chrono::system_clock::time_point(); };
  const tc::Toolset tools(options, trips_book(service, again));

  const auto show = [&](const char* title, std::vector<std::pair<std::string, int>> statuses) {
    service.statuses = std::move(statuses);
    std::printf("\n%s\n", title);
    const auto outcome =
        tools.call("trips_book", R"({"operation_id":"op_7f3a","city":"Oslo"})", {.correlation_id = "req_1"});
    std::printf("  %s\n", outcome ? outcome.text().c_str() : tc::envelope_text(outcome.error()).c_str());
  };
  show("every step succeeds", {});
  show("the last step is refused: what was done is undone in reverse", {{"Booking car", 409}});
  show("nobody knows whether the last step was done: it is undone too", {{"Booking car", 504}});
  show("an undo fails: the outcome is unknown, and the model looks it up",
       {{"Booking car", 409}, {"Cancelling hotel", 500}});
}
