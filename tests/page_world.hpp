// SPDX-License-Identifier: MIT
/// \file
/// A tool that lists random rows under a random cap, and a walk through its pages that checks what every page promises.
#pragma once

#include <toolcontract/toolcontract.hpp>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"

namespace page_world {

namespace tc = toolcontract;
using Json = nlohmann::json;

struct Row {
  std::string id, title;
  std::vector<std::string> notes;
};
constexpr auto tool_schema(tc::type<Row>) {
  return tc::object(tc::field<&Row::id>("id", "Its ID."), tc::field<&Row::title>("title", "Words."),
                    tc::field<&Row::notes>("notes", "More words."));
}

struct Listing {
  std::string folder;
  std::int32_t limit = 0;
  std::optional<std::string> cursor;
};
constexpr auto tool_schema(tc::type<Listing>) {
  return tc::object(tc::field<&Listing::folder>("folder", "Which one, e.g. 'inbox'."),
                    tc::field<&Listing::limit>("limit", "At most.", tc::between(1, 1000), tc::default_value(10)),
                    tc::field<&Listing::cursor>("cursor", "Where to go on."));
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t end) { return engine_() % end; }
  /// Mostly short, sometimes very long; ASCII, wider characters, characters that JSON escapes, and bytes that are no text.
  std::string text() {
    const std::size_t size = below(8) == 0 ? below(6000) : below(60);
    const std::size_t kind = below(5);
    std::string text;
    while (text.size() < size) {
      constexpr std::string_view parts[] = {"a", "é", "\xF0\x9F\x98\x80", "\x01", "\""};
      text += below(50) == 0 ? "\xff" : parts[below(3) == 0 ? kind : 0];
    }
    return text;
  }

 private:
  std::mt19937_64 engine_;
};

inline std::vector<Row> random_rows(Random& random) {
  std::vector<Row> rows(random.below(4) == 0 ? random.below(60) : random.below(12));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].id = "r" + std::to_string(10'000 + i);
    rows[i].title = random.text();
    for (std::size_t note = random.below(4); note > 0; --note) rows[i].notes.push_back(random.text());
  }
  return rows;
}

inline tc::Tool listing(std::vector<Row> rows, std::size_t cap, const tc::Seal* seal = nullptr) {
  tc::Cursors<Listing> cursors("rows_list", "id asc", &Listing::cursor, &Listing::limit);
  if (seal != nullptr) cursors = std::move(cursors).sealed_by(*seal);
  return tc::tool<Listing, tc::Page<Row>>("rows_list")
      .does("Lists rows.")
      .reads()
      .max_result_bytes(cap, "name a smaller folder")
      .handle([rows = std::move(rows), cursors](const Listing& in) -> tc::Result<tc::Page<Row>> {
        const auto start = cursors.at(in);
        if (!start) return start.error();
        std::vector<Row> found;
        for (const Row& row : rows)
          if (row.id > start->position().value_or("") && found.size() <= static_cast<std::size_t>(in.limit))
            found.push_back(row);
        return tc::page(std::move(found), in.limit, start->after(&Row::id)).total_matching(rows.size());
      });
}

/// "" when `shown` is `text` as it is, or cut on a character boundary with the right count; `cut` gets that count.
inline std::string fault_of_text(const std::string& shown, const std::string& text, std::uint64_t& cut) {
  const std::string whole = tc::detail::repaired_utf8(text);
  if (shown == whole) return "";
  const std::size_t mark = shown.rfind("… (");
  if (mark == shown.npos) return "changed, and not marked as cut";
  if (whole.compare(0, mark, shown, 0, mark) != 0) return "no prefix of the whole";
  if (!tc::utf8::valid(std::string_view(whole).substr(0, mark))) return "cut inside a character";
  const std::size_t left = tc::utf8::count(std::string_view(whole).substr(mark));
  cut += left;
  return shown.substr(mark) == "… (" + std::to_string(left) + " more characters)" ? "" : "a wrong count";
}

/// Bytes that a row takes at most once its texts are cut as far as they may be.
inline std::size_t least_size(const Row& row) {
  std::size_t size = 600 + (std::min)(row.title.size(), std::size_t{300}) * 6;
  for (const std::string& note : row.notes) size += (std::min)(note.size(), std::size_t{300}) * 6;
  return size;
}

/// One page as it must be; its rows are added to `seen`. The page's JSON comes back.
inline Json check_page(const tc::Outcome& outcome, const tc::Checker& schema, const std::vector<Row>& rows,
                       std::size_t cap, std::int32_t limit, std::size_t& seen) {
  REQUIRE(outcome.text().size() <= cap);
  Json page = Json::parse(outcome.text());
  REQUIRE(schema.explain(page).empty());
  REQUIRE(page["returned"] == page["results"].size());
  REQUIRE(page["total_matching"] == rows.size());
  const std::size_t fetched = (std::min)(rows.size() - seen, static_cast<std::size_t>(limit));
  std::uint64_t cut = 0;
  for (const Json& shown : page["results"]) {
    REQUIRE(seen < rows.size());
    const Row& row = rows[seen++];
    REQUIRE(shown["id"] == row.id);
    REQUIRE(fault_of_text(shown["title"], row.title, cut) == "");
    for (std::size_t i = 0; i < row.notes.size(); ++i)
      REQUIRE(fault_of_text(shown["notes"][i], row.notes[i], cut) == "");
  }
  REQUIRE(page["complete"] == (seen == rows.size()));
  REQUIRE(page.contains("next_cursor") == (seen < rows.size()));
  const std::size_t dropped = fetched - page["results"].size();
  Json truncated;
  if (dropped > 0) truncated["rows"] = dropped;
  if (cut > 0) truncated["characters"] = cut;
  if (!truncated.empty())
    truncated["next"] = std::string(dropped > 0 ? "pass next_cursor for the rest, or " : "") + "name a smaller folder";
  REQUIRE(page.value("truncated", Json()) == truncated);
  if (cut > 0) REQUIRE(page["results"].size() == 1);  // rows go before texts are cut
  return page;
}

/// Walks through all pages: each fits, each is true, and every row comes once. What cannot fit is an error that says so.
inline void walk(std::uint64_t seed, const tc::Seal* seal = nullptr) {
  Random random(seed);
  const std::vector<Row> rows = random_rows(random);
  const std::size_t cap = 512 + random.below(random.below(2) == 0 ? 1500 : 20'000);
  const auto limit = static_cast<std::int32_t>(1 + random.below(random.below(2) == 0 ? 5 : 80));
  INFO("seed " << seed << ", " << rows.size() << " rows, cap " << cap << ", limit " << limit);
  const tc::Toolset tools(listing(rows, cap, seal));
  const auto schema = tc::Checker::compile(Json::parse(tools.tools().front().definition().output_schema)).value();
  Json arguments{{"folder", "inbox"}, {"limit", limit}};
  for (std::size_t seen = 0;;) {
    const tc::Outcome outcome = tools.call("rows_list", arguments);
    if (!outcome.ok()) {
      REQUIRE(outcome.error().code() == "RESULT_TOO_LARGE");
      REQUIRE(seen < rows.size());
      REQUIRE(least_size(rows[seen]) > cap);
      return;
    }
    const Json page = check_page(outcome, schema, rows, cap, limit, seen);
    if (page["complete"] == true) return;
    arguments["cursor"] = page["next_cursor"];
  }
}

}  // namespace page_world
