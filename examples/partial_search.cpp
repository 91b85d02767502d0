// SPDX-License-Identifier: MIT
// One search over five sources, of which two fail: what was found, what is missing, and why.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>
#include <map>

namespace tc = toolcontract;
using namespace std::chrono_literals;

struct Query {
  std::string words;
};
constexpr auto tool_schema(tc::type<Query>) {
  return tc::object(tc::field<&Query::words>("words", "Words to match, e.g. 'kettle leaks'.", tc::min_length(2)));
}

struct Hit {
  std::string source, title;
};
constexpr auto tool_schema(tc::type<Hit>) {
  return tc::object(tc::field<&Hit::source>("source", "Where it was found, e.g. 'tickets'."),
                    tc::field<&Hit::title>("title", "Its title."));
}

// The world outside: each source gives its hits, or the HTTP status it answers with.
struct Source {
  std::vector<std::string> titles;
  int status = 200;
};
using World = std::vector<std::pair<std::string, Source>>;

tc::Result<std::vector<Hit>> ask(const std::string& name, const Source& source, const tc::Call& call) {
  if (source.status != 200)
    return tc::upstream_error({.subject = "Searching the " + name, .effect = call.effect},
                              tc::HttpReply{source.status, source.status == 429 ? "30" : "", name + "-3.internal"},
                              call.clock.wall());
  std::vector<Hit> hits;
  for (const std::string& title : source.titles) hits.push_back({name, title});
  return hits;
}

auto desk_search(const World& world) {
  return tc::tool<Query, tc::Partial<Hit>>("desk_search")
      .does("Searches tickets, mails, the wiki, the chat and the CRM at once.")
      .returns("The hits of every source that answered, and why the others did not")
      .when_empty("items is empty; conclude that there is nothing only while status is ok")
      .reads()
      .closed_world()
      .handle([&](const Query&, tc::Call& call) {
        tc::PartialBuilder<Hit> found;
        for (const auto& [name, source] : world) found.add(name, ask(name, source, call));
        return std::move(found).finish();
      });
}

int main() {
  World world;
  tc::ToolsetOptions options;
  options.clock.steady = [] { return std::chrono::steady_clock::time_point(); };
  options.clock.wall = [] { return std::chrono::system_clock::time_point(); };
  const tc::Toolset tools(options, desk_search(world));

  const auto show = [&](const char* title, World state) {
    world = std::move(state);
    std::printf("\n%s\n", title);
    const auto outcome = tools.call("desk_search", R"({"words":"kettle leaks"})", {.correlation_id = "req_1"});
    std::printf("  %s\n", outcome ? outcome.text().c_str() : tc::envelope_text(outcome.error()).c_str());
  };
  const Source tickets{{"T-1042 kettle leaks"}}, wiki{{"Known faults: kettle"}}, nothing{};
  const Source busy{{}, 429}, broken{{}, 503}, private_to_others{{}, 403};

  show("every source answers, one of them with nothing",
       {{"tickets", tickets}, {"mails", nothing}, {"wiki", wiki}, {"chat", nothing}, {"CRM", nothing}});
  show("two of five fail: the rest is given, and the model knows what is missing",
       {{"tickets", tickets}, {"mails", busy}, {"wiki", wiki}, {"chat", nothing}, {"CRM", private_to_others}});
  show("two of five fail and the others find nothing: that is no proof of absence",
       {{"tickets", nothing}, {"mails", busy}, {"wiki", nothing}, {"chat", nothing}, {"CRM", broken}});
  show("all fail, and all of them may be asked again: one error, after the longest wait",
       {{"tickets", broken}, {"mails", busy}, {"wiki", broken}, {"chat", broken}, {"CRM", broken}});
  show("all fail, one of them for good: the whole may not be repeated",
       {{"tickets", broken}, {"mails", busy}, {"wiki", broken}, {"chat", broken}, {"CRM", private_to_others}});
}
