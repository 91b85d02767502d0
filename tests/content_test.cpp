// SPDX-License-Identifier: MIT
#include <toolcontract/content.hpp>

#include <toolcontract/ledger.hpp>
#include <toolcontract/retry.hpp>
#include <toolcontract/toolset.hpp>
#include <toolcontract/wire/claude.hpp>
#include <toolcontract/wire/mcp.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "show.hpp"

namespace tc = toolcontract;
namespace mcp = toolcontract::mcp;
using mcp::Revision;

namespace {

struct Key {
  std::string id;
};
constexpr auto tool_schema(tc::type<Key>) { return tc::object(tc::field<&Key::id>("id", "Which, e.g. 'k1'.")); }

const std::string png = "\x89PNG\r\n\x1A\n";

/// The blocks of a success with these attached, without the first (its JSON), as MCP or Claude has them.
tc::Outcome with(std::vector<tc::Content> content) {
  tc::Outcome outcome = tc::Outcome::success("t", "req_1", "{}");
  outcome.set_content(std::move(content));
  return outcome;
}
std::string blocks(std::string text) {
  const std::string first = R"("content":[{"type":"text","text":"{}"})";
  const std::size_t begin = text.find(first);
  REQUIRE(begin != std::string::npos);
  text = text.substr(begin + first.size());
  std::string all = text.substr(0, text.find(R"(],"structuredContent")"));
  if (all.size() == text.size()) all = text.substr(0, text.rfind(']'));
  return all.starts_with(",") ? all.substr(1) : all;
}
std::string on_mcp(Revision revision, std::vector<tc::Content> content) {
  return blocks(mcp::call_result_text(revision, with(std::move(content))));
}
std::string on_claude(std::vector<tc::Content> content) {
  return blocks(tc::claude::tool_result_text("toolu_1", with(std::move(content))));
}
std::string said(std::string_view text) { return R"({"type":"text","text":")" + std::string(text) + R"("})"; }

}  // namespace

TEST_CASE("content: bytes become base64 with padding, of any length and value") {
  const std::pair<std::string, std::string> samples[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, expected] : samples) CHECK(tc::detail::quoted_base64(bytes) == '"' + expected + '"');
  CHECK(tc::detail::quoted_base64(std::string("\0\xff\xfe\xfb", 4)) == R"("AP/++w==")");
}

TEST_CASE("content: a MIME type is told from what is none, and its parameters from its kind") {
  using tc::detail::media_type;
  CHECK(media_type("image/png") == "image/png");
  CHECK(media_type("Text/CSV ; charset=utf-8") == "text/csv");
  CHECK(media_type("application/vnd.api+json") == "application/vnd.api+json");
  for (const char* none : {"", "png", "image/", "/png", "a/b/c", "image png", "image/p\xC3\xB1g", "image/\"png\""})
    CHECK(media_type(none) == "");
}

TEST_CASE("content: an image is an image on MCP in every revision, and on Claude where the API takes its type") {
  for (const Revision revision : mcp::revisions)
    CHECK(on_mcp(revision, {tc::image(png, "image/png")}) ==
          R"({"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"})");
  CHECK(on_claude({tc::image(png, "image/png")}) ==
        R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}})");
  CHECK(on_mcp(Revision::v2025_11_25, {tc::image("II*", "image/tiff")}) ==
        R"({"type":"image","data":"SUkq","mimeType":"image/tiff"})");
  CHECK(on_claude({tc::image("II*", "image/tiff")}) == said("Not shown here: an image (image/tiff, 3 bytes)."));
}

TEST_CASE("content: a recording is audio on MCP from 2025-03-26 on, and said in words elsewhere") {
  const std::string words = said("Not shown here: a sound recording (audio/wav, 4 bytes).");
  for (const Revision revision : mcp::revisions)
    CHECK(on_mcp(revision, {tc::audio("RIFF", "audio/wav")}) ==
          (revision == Revision::v2024_11_05 ? words : R"({"type":"audio","data":"UklGRg==","mimeType":"audio/wav"})"));
  CHECK(on_claude({tc::audio("RIFF", "audio/wav")}) == words);
}

TEST_CASE("content: a link is a resource_link on MCP from 2025-06-18 on, and a line of text elsewhere") {
  const tc::Content link = tc::resource_link("https://example.com/a17", "a17", "The invoice.", "text/html");
  const std::string words = said(R"(Link \"a17\" (text/html) to https://example.com/a17: The invoice.)");
  for (const Revision revision : mcp::revisions)
    CHECK(on_mcp(revision, {link}) ==
          (revision < Revision::v2025_06_18
               ? words
               : R"({"type":"resource_link","uri":"https://example.com/a17","name":"a17","description":"The invoice.",)"
                 R"("mimeType":"text/html"})"));
  CHECK(on_claude({link}) == words);
  CHECK(on_mcp(Revision::v2025_06_18, {tc::resource_link("file:///a", "")}) ==
        R"({"type":"resource_link","uri":"file:///a","name":"file:///a"})");
  CHECK(on_mcp(Revision::v2025_06_18, {tc::resource_link("see there", "a17")}) == said(R"(Link \"a17\" to see there)"));
}

TEST_CASE("content: a document is an embedded resource on MCP, with its title in words, and a document on Claude") {
  const tc::Content pdf = tc::document("%PDF", "application/pdf", "May");
  for (const Revision revision : mcp::revisions)
    CHECK(on_mcp(revision, {pdf}) ==
          said(R"(Next: \"May\" (application/pdf, 4 bytes).)") +
              R"(,{"type":"resource","resource":{"uri":"document:1","mimeType":"application/pdf","blob":"JVBERg=="}})");
  CHECK(on_claude({pdf}) == R"({"type":"document","source":{"type":"base64","media_type":"application/pdf",)"
                            R"("data":"JVBERg=="},"title":"May"})");

  const tc::Content csv = tc::document("a,b", "text/csv", "", "https://example.com/a.csv");
  CHECK(
      on_mcp(Revision::v2025_11_25, {pdf, csv})
          .ends_with(
              R"({"type":"resource","resource":{"uri":"https://example.com/a.csv","mimeType":"text/csv","text":"a,b"}})"));
  CHECK(on_claude({csv}) == R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"a,b"},)"
                            R"("context":"https://example.com/a.csv"})");

  const tc::Content zip = tc::document("PK", "application/zip", "all", "file:///all.zip");
  CHECK(on_mcp(Revision::v2025_11_25, {zip}).ends_with(R"("mimeType":"application/zip","blob":"UEs="}})"));
  CHECK(on_claude({zip}) ==
        said(R"(Not shown here: a document \"all\" (application/zip, 2 bytes). It is kept at file:///all.zip.)"));
  CHECK(on_mcp(Revision::v2025_11_25, {tc::document("a", "text/plain", "", "on my desk")}) ==
        said(R"(Next: \"\" (text/plain, 1 byte), kept at on my desk.)") +
            R"(,{"type":"resource","resource":{"uri":"document:1","mimeType":"text/plain","text":"a"}})");
  CHECK(on_mcp(Revision::v2025_11_25, {tc::document("a\xff", "text/plain")}) ==
        R"({"type":"resource","resource":{"uri":"document:1","mimeType":"text/plain","blob":"Yf8="}})");
}

TEST_CASE("content: text is text, and one without words is left out, since the API refuses it") {
  CHECK(on_mcp(Revision::v2024_11_05, {tc::text("Two \"words\"")}) == said(R"(Two \"words\")"));
  CHECK(on_claude({tc::text("a"), tc::text(" \n"), tc::text("b")}) == said("a") + "," + said("b"));
}

TEST_CASE("content: bytes of no kind, no bytes, and bytes of another kind are said in words on every wire") {
  const std::vector<std::pair<tc::Content, std::string>> samples = {
      {tc::image("x", ""), "an image (of no known type, 1 byte)."},
      {tc::image("", "image/png"), "an image (image/png, 0 bytes)."},
      {tc::image("<html>", "text/html"), "an image (text/html, 6 bytes)."},
      {tc::audio("x", "image/png"), "a sound recording (image/png, 1 byte)."},
      {tc::document("x", "pdf"), "a document (of no known type, 1 byte)."}};
  for (const auto& [content, words] : samples) {
    CHECK(on_claude({content}) == said("Not shown here: " + words));
    for (const Revision revision : mcp::revisions)
      CHECK(on_mcp(revision, {content}) == said("Not shown here: " + words));
  }
}

TEST_CASE("content: a handler attaches through the call; the JSON stays first, exact and mirrored") {
  const tc::Toolset tools{tc::tool<Key, Key>("t").does("Draws.").reads().handle([](const Key& key, tc::Call& call) {
    call.attach(tc::image(png, "image/png"));
    call.attach(tc::text("A picture of " + key.id));
    return key;
  })};
  const tc::Outcome outcome = tools.call("t", R"({"id":"k1"})", {.attached = {tc::text("from the host")}});
  CHECK(outcome.content() == std::vector{tc::image(png, "image/png"), tc::text("A picture of k1")});
  CHECK(mcp::call_result_text(Revision::v2025_11_25, outcome) ==
        R"({"content":[{"type":"text","text":"{\"id\":\"k1\"}"},)"
        R"({"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},)"
        R"({"type":"text","text":"A picture of k1"}],"structuredContent":{"id":"k1"}})");
}

TEST_CASE("content: a host that runs the handler itself attaches through the invocation's call") {
  const tc::Toolset tools{tc::tool<Key, Key>("t").does("Draws.").reads().handled_by_host()};
  auto prepared = tools.prepare("t", R"({"id":"k1"})");
  auto& invocation = std::get<tc::Invocation>(prepared);
  invocation.call().attach(tc::text("drawn"));
  CHECK(std::move(invocation).finish(tc::Result<Key>(Key{"k1"})).content() == std::vector{tc::text("drawn")});
}

TEST_CASE("content: an error is its envelope alone, whatever had been attached") {
  const tc::Toolset tools{
      tc::tool<Key, Key>("t").does("Draws.").handle([](const Key&, tc::Call& call) -> tc::Result<Key> {
        call.attach(tc::image(png, "image/png"));
        return tc::conflict("Picture k1 is being drawn.");
      })};
  tc::Outcome outcome = tools.call("t", R"({"id":"k1"})");
  CHECK(outcome.content().empty());
  outcome.set_content({tc::image(png, "image/png")});
  CHECK(outcome.content().empty());
  for (const Revision revision : mcp::revisions) CHECK(mcp::call_result(revision, outcome)["content"].size() == 1);
  CHECK(tc::claude::tool_result("toolu_1", outcome)["content"].size() == 1);
}

TEST_CASE("content: of several attempts, the blocks of the one that succeeds come with the result") {
  const tc::Retrier again(
      {.max_attempts = 3}, [](auto) {}, [] { return 0.0; });
  const tc::Toolset tools{tc::tool<Key, Key>("t").does("Draws.").reads().handle([&](const Key& key, tc::Call& call) {
    call.attach(tc::text("begun"));
    return again.run(call, [&](tc::Call& attempt) -> tc::Result<Key> {
      attempt.attach(tc::text("attempt " + std::to_string(attempt.attempt)));
      if (attempt.attempt < 3) return tc::unavailable("The brush is wet.");
      return key;
    });
  })};
  CHECK(tools.call("t", R"({"id":"k1"})").content() == std::vector{tc::text("begun"), tc::text("attempt 3")});
}

TEST_CASE("content: a replayed result has no blocks, since the ledger stores its JSON only") {
  tc::MemoryLedger ledger;
  const tc::Toolset tools{tc::tool<Key, Key>("t")
                              .does("Draws.")
                              .writes()
                              .once_per(&Key::id, ledger)
                              .handle([](const Key& key, tc::Call& call) {
                                call.attach(tc::text("drawn"));
                                return key;
                              })};
  CHECK(tools.call("t", R"({"id":"k1"})").content().size() == 1);
  const tc::Outcome again = tools.call("t", R"({"id":"k1"})");
  CHECK(again.text() == R"({"id":"k1","replayed":true})");
  CHECK(again.content().empty());
}
