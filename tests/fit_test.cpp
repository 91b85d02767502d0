// SPDX-License-Identifier: MIT
#include <toolcontract/fit.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catch.hpp"
#include "page_world.hpp"
#include "toolcontract/toolset.hpp"

namespace tc = toolcontract;
using page_world::Json;

namespace {

struct Key {
  std::string key;
};
constexpr auto tool_schema(tc::type<Key>) { return tc::object(tc::field<&Key::key>("key", "One a call.")); }

struct Document {
  std::string id;
  std::string body;
  std::optional<std::string> mail;
  std::vector<std::string> words;
  std::map<std::string, std::string> notes;
};
constexpr auto tool_schema(tc::type<Document>) {
  return tc::object(tc::field<&Document::id>("id", "Its ID."), tc::field<&Document::body>("body", "What it says."),
                    tc::field<&Document::mail>("mail", "Of its author.", tc::format(tc::Format::email)),
                    tc::field<&Document::words>("words", "All different.", tc::unique_items()),
                    tc::field<&Document::notes>("notes", "By name."));
}

struct Truncated {
  bool truncated = false;
};
constexpr auto tool_schema(tc::type<Truncated>) {
  return tc::object(tc::field<&Truncated::truncated>("truncated", "Whether."));
}

/// Two pages, one of them in a section, and what several sources gave.
struct Folder {
  tc::Page<std::string> letters;
  tc::Section<tc::Page<std::string>> notes;
  tc::Partial<std::string> hits;
  std::unique_ptr<int> lock{};  // not described, and keeps a Folder from being copied
};
constexpr auto tool_schema(tc::type<Folder>) {
  return tc::object(tc::field<&Folder::letters>("letters", "In it."), tc::field<&Folder::notes>("notes", "On it."),
                    tc::field<&Folder::hits>("hits", "Of several sources."));
}

std::string letters(std::size_t count) { return std::string(count, 'x'); }

auto reading() { return tc::tool<Key, Document>("documents_get").does("Reads a document.").reads(); }

/// The document as the tool gives it, or "CODE category/resolution: message".
std::string given(const tc::Outcome& outcome) {
  if (outcome.ok()) return outcome.text();
  const tc::ToolError& error = outcome.error();
  return error.code() + " " + std::string(name(error.category())) + "/" + std::string(name(error.resolution())) + ": " +
         error.message();
}
std::string read(const Document& document, std::size_t cap) {
  const tc::Toolset tools(reading().max_result_bytes(cap).handle([&](const Key&) { return document; }));
  return given(tools.call("documents_get", R"({"key":"k"})"));
}

/// `rows`, each of so many letters and told apart by its first two.
std::vector<std::string> texts(std::size_t rows, std::size_t size) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < rows; ++i) texts.push_back(std::to_string(10 + i) + letters(size - 2));
  return texts;
}
tc::Page<std::string> paged(std::vector<std::string> rows) {
  const auto limit = (std::max)(rows.size(), std::size_t{1});
  return tc::page(std::move(rows), limit, [](const std::string& row) { return row.substr(0, 2); });
}
tc::Partial<std::string> hits(std::vector<std::string> items) {
  tc::PartialBuilder<std::string> hits;
  return std::move(hits.add("crm", tc::Result<std::vector<std::string>>(std::move(items)))).finish().value();
}
auto folder_tool(std::size_t cap) {
  return tc::tool<Key, Folder>("folder_get")
      .does("Reads a folder.")
      .reads()
      .max_result_bytes(cap, "name a smaller one");
}
/// A folder as its tool gives it.
std::string given_folder(std::size_t cap, std::function<Folder()> folder) {
  const tc::Toolset tools(folder_tool(cap).handle([&](const Key&) { return folder(); }));
  return given(tools.call("folder_get", R"({"key":"k"})"));
}

std::string refused(auto build) {
  try {
    (void)build();
  } catch (const tc::DefinitionError& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("fit: a result within its cap is as it was") {
  CHECK(read({"d1", "short", {}, {}, {}}, 512) == R"({"id":"d1","body":"short","words":[],"notes":{}})");
  const std::string exact = read({"d1", letters(512 - 43), {}, {}, {}}, 512);
  CHECK(exact.size() == 512);
  CHECK(exact.find("truncated") == std::string::npos);
}

TEST_CASE("fit: a long text is cut to what is left, and counted where it stands and for the whole") {
  CHECK(read({"d1", letters(5000), {}, {}, {}}, 512) ==
        R"({"id":"d1","body":")" + letters(383) +
            R"x(… (4617 more characters)","words":[],"notes":{},"truncated":{"characters":4617,)x"
            R"("next":"narrow the request"}})");
}

TEST_CASE("fit: a text is cut between characters, and characters are counted") {
  std::string body;
  for (int i = 0; i < 1000; ++i) body += "é";
  const Json shown = Json::parse(read({"d1", body, {}, {}, {}}, 601));
  std::uint64_t cut = 0;
  CHECK(page_world::fault_of_text(shown["body"], body, cut) == "");
  CHECK(shown["truncated"]["characters"] == cut);
}

TEST_CASE("fit: short texts stay whole beside long ones, and all long ones are cut to one length") {
  const Json shown =
      Json::parse(read({"d1", letters(3000), {}, {}, {{"a", letters(4000)}, {"b", letters(200)}}}, 1024));
  CHECK(shown["notes"]["b"] == letters(200));
  CHECK(shown["body"].get<std::string>().find("…") == shown["notes"]["a"].get<std::string>().find("…"));
}

TEST_CASE("fit: texts with a format, texts that must differ and keys are never cut; what is left over is an error") {
  CHECK(read({"d1", "", letters(600) + "@example.com", {}, {}}, 512).starts_with("INTERNAL_ERROR"));  // no address
  CHECK(read({"d1", "", {}, {letters(300), letters(301)}, {}}, 512) ==
        "RESULT_TOO_LARGE business/abort: The result of documents_get takes more than the 512 bytes it may have, and "
        "cannot be cut further; narrow the request.");
  CHECK(read({"d1", "", {}, {}, {{letters(600), "a"}}}, 512).starts_with("RESULT_TOO_LARGE"));
  CHECK(read({"d1", letters(2000), {}, {letters(300), letters(301)}, {}}, 1024).find(letters(301)) !=
        std::string::npos);
}

TEST_CASE("fit: a page loses rows from its end, and says how many and how to go on") {
  std::vector<page_world::Row> rows;
  for (int i = 0; i < 6; ++i) rows.push_back({"r" + std::to_string(i), letters(100), {}});
  const tc::Toolset tools(page_world::listing(rows, 700));
  const Json page = Json::parse(tools.call("rows_list", R"({"folder":"inbox","limit":5})").text());
  CHECK(page["returned"] == 3);
  CHECK(page["truncated"] == Json{{"rows", 2}, {"next", "pass next_cursor for the rest, or name a smaller folder"}});
  const Json rest = Json::parse(
      tools.call("rows_list", Json{{"folder", "inbox"}, {"limit", 5}, {"cursor", page["next_cursor"]}}).text());
  CHECK(rest["results"][0]["id"] == "r3");
  CHECK(rest["complete"] == true);
}

TEST_CASE("fit: a whole list that loses rows is no longer complete, and says that it cannot be gone on from") {
  const auto tool = tc::tool<Key, tc::Page<std::string>>("names_list").does("Lists names.").reads();
  const tc::Toolset tools(
      tc::tool<Key, tc::Page<std::string>>("names_list")
          .does("Lists names.")
          .reads()
          .max_result_bytes(512)
          .handle([](const Key&) { return tc::Page<std::string>(std::vector<std::string>(9, letters(100))); }));
  const Json page = Json::parse(tools.call("names_list", R"({"key":"k"})").text());
  CHECK(page["complete"] == false);
  CHECK(page["paging"] == "unsupported");
  CHECK(page["truncated"] == Json{{"rows", 6}, {"next", "narrow the request"}});
}

TEST_CASE("fit: a long cursor is never cut, however much of a row's texts must be") {
  const std::vector<page_world::Row> rows{{"r1", letters(5000), {}}, {"r2", "", {}}};
  const auto long_position = [](const page_world::Row& row) { return row.id + letters(1200); };
  const tc::Toolset tools(tc::tool<Key, tc::Page<page_world::Row>>("rows_list")
                              .does("Lists rows.")
                              .reads()
                              .max_result_bytes(2048)
                              .handle([&](const Key&) { return tc::page(rows, 1, long_position); }));
  const Json page = Json::parse(tools.call("rows_list", R"({"key":"k"})").text());
  CHECK(page["next_cursor"] == long_position(rows[0]));
  CHECK(page["truncated"]["characters"].get<std::size_t>() > 4000);
}

TEST_CASE("fit: where something was changed, a result that does not fit is unavailable and its key is kept") {
  tc::MemoryLedger ledger;
  int runs = 0;
  const tc::Toolset tools(tc::tool<Key, Document>("documents_add")
                              .does("Adds a document.")
                              .writes()
                              .once_per(&Key::key, ledger)
                              .max_result_bytes(512)
                              .handle([&](const Key&) {
                                ++runs;
                                return Document{"d1", "", {}, {letters(600)}, {}};
                              }));
  CHECK(given(tools.call("documents_add", R"({"key":"k"})")) ==
        "RESULT_UNAVAILABLE unknown/reconcile: documents_add took effect, but its result takes more than the 512 bytes "
        "it may have. Do not call it again; find out what it did.");
  CHECK(given(tools.call("documents_add", R"({"key":"k"})")).starts_with("OUTCOME_UNKNOWN"));
  CHECK(runs == 1);
}

TEST_CASE("fit: a repeated result fits too, whatever its size was") {
  for (std::size_t size = 380; size < 520; ++size) {
    tc::MemoryLedger ledger;
    const tc::Toolset tools(tc::tool<Key, Document>("documents_add")
                                .does("Adds a document.")
                                .writes()
                                .once_per(&Key::key, ledger)
                                .max_result_bytes(512)
                                .handle([&](const Key&) {
                                  return Document{"d1", letters(size), {}, {}, {}};
                                }));
    const std::string first = tools.call("documents_add", R"({"key":"k"})").text();
    const std::string again = tools.call("documents_add", R"({"key":"k"})").text();
    REQUIRE(again == first.substr(0, first.size() - 1) + R"(,"replayed":true})");
    REQUIRE(again.size() <= 512);
  }
}

TEST_CASE("fit: a result that was stored before there was a cap is not given beyond it") {
  tc::MemoryLedger ledger;
  const auto tool = [&](std::optional<std::size_t> cap) {
    auto builder =
        tc::tool<Key, Document>("documents_add").does("Adds a document.").writes().once_per(&Key::key, ledger);
    if (cap) builder = std::move(builder).max_result_bytes(*cap);
    return tc::Toolset(std::move(builder).handle([](const Key&) { return Document{"d1", letters(900), {}, {}, {}}; }));
  };
  CHECK(tool({}).call("documents_add", R"({"key":"k"})").ok());
  CHECK(given(tool(512).call("documents_add", R"({"key":"k"})")).starts_with("RESULT_UNAVAILABLE"));
  CHECK(tool(2000).call("documents_add", R"({"key":"k"})").ok());
}

TEST_CASE("fit: a tool with a cap says so in its output schema, one without does not") {
  const auto schema = [](const tc::Tool& tool) { return Json::parse(tool.definition().output_schema)["properties"]; };
  const auto handler = [](const Key&) { return Document(); };
  CHECK(schema(reading().max_result_bytes(512).handle(handler))["truncated"]["required"] == Json{"next"});
  CHECK_FALSE(schema(reading().handle(handler)).contains("truncated"));
}

TEST_CASE("fit: pages in a result lose rows, the largest first, and each goes on exactly where it was cut") {
  const Json folder = Json::parse(given_folder(1100, [] {
    return Folder{paged(texts(3, 150)), {"notes", paged(texts(6, 100))}, hits(texts(2, 100))};
  }));
  CHECK(folder["letters"] ==
        Json{{"results", texts(2, 150)}, {"returned", 2}, {"complete", false}, {"next_cursor", "11"}});
  CHECK(folder["notes"] ==
        Json{{"status", "ok"},
             {"source", "primary"},
             {"source_name", "notes"},
             {"failed", Json::array()},
             {"value", {{"results", texts(2, 100)}, {"returned", 2}, {"complete", false}, {"next_cursor", "11"}}}});
  CHECK(folder["hits"]["items"] == Json(texts(2, 100)));
  CHECK(folder["truncated"] == Json{{"rows", 5}, {"next", "pass next_cursor for the rest, or name a smaller one"}});
}

TEST_CASE("fit: next names the cursors where each of the shortened lists has one") {
  const auto next = [](std::size_t letters, std::size_t notes) {
    const Json folder = Json::parse(given_folder(700, [=] {
      return Folder{paged(texts(letters, 100)), {"notes", tc::Page<std::string>(texts(notes, 100))}, {}};
    }));
    return folder["truncated"];
  };
  CHECK(next(5, 1) == Json{{"rows", 3}, {"next", "pass next_cursor for the rest, or name a smaller one"}});
  CHECK(next(1, 5) == Json{{"rows", 3}, {"next", "name a smaller one"}});
  CHECK(next(5, 5) == Json{{"rows", 7}, {"next", "name a smaller one"}});
}

TEST_CASE("fit: texts are cut when one row of each list is left, and what an absent section would hold is no list") {
  const Json folder = Json::parse(given_folder(800, [] {
    return Folder{paged(texts(2, 2000)), {"notes", tc::unavailable("They are down.")}, hits(texts(1, 10))};
  }));
  CHECK(folder["letters"]["returned"] == 1);
  CHECK(folder["notes"]["status"] == "unavailable");
  CHECK(folder["truncated"]["rows"] == 1);
  std::uint64_t cut = 0;
  CHECK(page_world::fault_of_text(folder["letters"]["results"][0], texts(1, 2000)[0], cut) == "");
  CHECK(folder["truncated"]["characters"] == cut);
  CHECK(folder["truncated"]["next"] == "pass next_cursor for the rest, or name a smaller one");
}

TEST_CASE("fit: a tool whose result has pages in it says what must not be concluded, each caution once") {
  CHECK(
      folder_tool(600).handle([](const Key&) { return Folder(); }).definition().description ==
      "Reads a folder. While complete is false, nothing may be concluded from what is missing: 'not found' is then no "
      "answer. While status is partial or items were truncated, nothing may be concluded from what is missing.");
}

TEST_CASE("fit: a tool that answers with a page says what must not be concluded") {
  CHECK(page_world::listing({}, 512).definition().description ==
        "Lists rows. While complete is false, nothing may be concluded from what is missing: 'not found' is then no "
        "answer.");
}

TEST_CASE("fit: a cap that is too small, or a result it cannot be told in, is refused when the tool is built") {
  const auto handler = [](const Key&) { return Document(); };
  CHECK(refused([&] { return reading().max_result_bytes(511).handle(handler); }) ==
        "toolcontract: tool documents_get: max_result_bytes must be at least 512");
  CHECK(refused([&] { return reading().max_result_bytes(0).handle(handler); }) ==
        "toolcontract: tool documents_get: max_result_bytes must be at least 512");
  CHECK(refused([&] { return reading().max_result_bytes(512, " ").handle(handler); }) ==
        "toolcontract: tool documents_get: max_result_bytes needs words for what a caller can do, such as \"refine "
        "status\"");
  CHECK(refused([&] {
          return tc::tool<Key, Truncated>("t").does("Does.").max_result_bytes(512).handle(
              [](const Key&) { return Truncated(); });
        }) ==
        "toolcontract: tool t: max_result_bytes adds a member \"truncated\" to the result, which has a field of that "
        "name");
  CHECK(refused([&] {
          return tc::tool<Key, std::vector<std::string>>("t").does("Does.").max_result_bytes(512).handle(
              [](const Key&) { return std::vector<std::string>(); });
        }) ==
        "toolcontract: tool t: max_result_bytes adds a member \"truncated\" to the result; put the result into a field "
        "of a struct");
}

TEST_CASE("fit: random pages under random caps fit, are true, and give every row once") {
  for (std::uint64_t seed = 0; seed < 150; ++seed) page_world::walk(seed);
}

TEST_CASE("fit: random pages within results fit, count what they lost, and are as full as they can be") {
  page_world::Random random(20'261'204);
  for (int round = 0; round < 300; ++round) {
    const auto some = [&] { return texts(random.below(12), 2 + random.below(200)); };
    const std::size_t cap = 512 + random.below(3000);
    const std::vector<std::string> lists[] = {some(), some(), some()};
    const tc::Tool tool = folder_tool(cap).handle([&](const Key&) {
      return Folder{paged(lists[0]), {"notes", paged(lists[1])}, hits(lists[2])};
    });
    INFO("round " << round << ", cap " << cap << ", " << lists[0].size() << " " << lists[1].size() << " "
                  << lists[2].size() << " rows");
    const auto schema = tc::Checker::compile(Json::parse(tool.definition().output_schema)).value();
    const tc::Outcome outcome = tc::Toolset(tool).call("folder_get", R"({"key":"k"})");
    if (!outcome.ok()) {
      REQUIRE(outcome.error().code() == "RESULT_TOO_LARGE");
      REQUIRE(cap < 1200);  // one row of each and what is around them
      continue;
    }
    REQUIRE(outcome.text().size() <= cap);
    const Json folder = Json::parse(outcome.text());
    REQUIRE(schema.explain(folder).empty());
    const Json shown[] = {folder["letters"]["results"], folder["notes"]["value"]["results"], folder["hits"]["items"]};
    std::size_t dropped = 0, largest = 0;  // the largest of the rows that were dropped
    for (std::size_t i = 0; i < 3; ++i) {
      REQUIRE(shown[i].size() >= (std::min)(lists[i].size(), std::size_t{1}));
      for (std::size_t row = 0; row < shown[i].size(); ++row) REQUIRE(shown[i][row] == lists[i][row]);
      dropped += lists[i].size() - shown[i].size();
      if (lists[i].size() > shown[i].size()) largest = (std::max)(largest, lists[i][0].size() + 3);
    }
    REQUIRE(folder["letters"]["complete"] == (shown[0].size() == lists[0].size()));
    REQUIRE(folder["notes"]["value"]["complete"] == (shown[1].size() == lists[1].size()));
    REQUIRE(folder.contains("truncated") == (dropped > 0));
    if (dropped > 0) REQUIRE(folder["truncated"]["rows"] == dropped);
    const std::size_t said = std::string_view("pass next_cursor for the rest, or ").size();  // or not, a row later
    if (dropped > 0) REQUIRE(outcome.text().size() + largest + said > cap);
  }
}

TEST_CASE("fit: random documents under random caps fit, are accepted by their schema, and are cut truly") {
  page_world::Random random(20'261'130);
  for (int round = 0; round < 300; ++round) {
    const std::size_t cap = 512 + random.below(6000);
    Document document{"d1", random.text(), {}, {}, {}};
    for (std::size_t note = random.below(6); note > 0; --note)
      document.notes["n" + std::to_string(note)] = random.text();
    const tc::Tool tool = reading().max_result_bytes(cap).handle([&](const Key&) { return document; });
    const auto schema = tc::Checker::compile(Json::parse(tool.definition().output_schema)).value();
    const tc::Outcome outcome = tc::Toolset(tool).call("documents_get", R"({"key":"k"})");
    if (!outcome.ok()) {
      REQUIRE(outcome.error().code() == "RESULT_TOO_LARGE");
      continue;
    }
    REQUIRE(outcome.text().size() <= cap);
    const Json shown = Json::parse(outcome.text());
    REQUIRE(schema.explain(shown).empty());
    std::uint64_t cut = 0;
    REQUIRE(page_world::fault_of_text(shown["body"], document.body, cut) == "");
    for (const auto& [name, note] : document.notes)
      REQUIRE(page_world::fault_of_text(shown["notes"][name], note, cut) == "");
    REQUIRE(shown.contains("truncated") == (cut > 0));
    if (cut > 0) REQUIRE(shown["truncated"] == Json{{"characters", cut}, {"next", "narrow the request"}});
  }
}
