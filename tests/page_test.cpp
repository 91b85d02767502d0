// SPDX-License-Identifier: MIT
#include <toolcontract/page.hpp>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "toolcontract/checker.hpp"
#include "toolcontract/encode.hpp"
#include "toolcontract/json_schema.hpp"

namespace tc = toolcontract;

namespace {

struct Row {
  std::string id;
};
constexpr auto tool_schema(tc::type<Row>) { return tc::object(tc::field<&Row::id>("id", "Its ID.")); }

std::vector<Row> rows(int count) {
  std::vector<Row> rows;
  for (int i = 1; i <= count; ++i) rows.push_back({"r" + std::to_string(i)});
  return rows;
}

std::string after(const Row& row) { return "after_" + row.id; }

template <class T>
std::string text(const tc::Page<T>& page) {
  return tc::encode_text(page).value();
}

std::chrono::system_clock::time_point at(std::int64_t seconds) {
  return std::chrono::system_clock::time_point(std::chrono::seconds(seconds));
}

std::string refused(auto make) {
  try {
    (void)make();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("page: no rows are a complete result") {
  CHECK(text(tc::Page<Row>()) == R"({"results":[],"returned":0,"complete":true})");
  CHECK(text(tc::Page<Row>(rows(0))) == R"({"results":[],"returned":0,"complete":true})");
  CHECK(text(tc::page(rows(0), 10, after)) == R"({"results":[],"returned":0,"complete":true})");
  CHECK(text(tc::paging_unsupported(rows(0), 10)) ==
        R"({"results":[],"returned":0,"complete":true,"paging":"unsupported"})");
}

TEST_CASE("page: a whole list is complete") {
  CHECK(text(tc::Page<Row>(rows(2))) == R"({"results":[{"id":"r1"},{"id":"r2"}],"returned":2,"complete":true})");
}

TEST_CASE("page: one row more than the limit is not shown, and tells that more follow") {
  CHECK(text(tc::page(rows(3), 2, after)) ==
        R"({"results":[{"id":"r1"},{"id":"r2"}],"returned":2,"complete":false,"next_cursor":"after_r2"})");
  CHECK(text(tc::page(rows(2), 2, after)) == R"({"results":[{"id":"r1"},{"id":"r2"}],"returned":2,"complete":true})");
  CHECK(text(tc::page(rows(9), 1, after)) ==
        R"({"results":[{"id":"r1"}],"returned":1,"complete":false,"next_cursor":"after_r1"})");
}

TEST_CASE("page: without cursors, more rows than the limit are said to be out of reach") {
  CHECK(text(tc::paging_unsupported(rows(3), 2)) ==
        R"({"results":[{"id":"r1"},{"id":"r2"}],"returned":2,"complete":false,"paging":"unsupported"})");
  CHECK(text(tc::paging_unsupported(rows(2), 2)) ==
        R"({"results":[{"id":"r1"},{"id":"r2"}],"returned":2,"complete":true,"paging":"unsupported"})");
}

TEST_CASE("page: every member stands in one order, whatever order it was set in") {
  auto page = tc::page(rows(2), 1, after).sort("id asc").as_of(at(1'780'737'262)).total_matching(4862);
  CHECK(text(page) == R"({"results":[{"id":"r1"}],"returned":1,"total_matching":4862,"complete":false,)"
                      R"("next_cursor":"after_r1","as_of":"2026-06-06T09:14:22Z","sort":"id asc"})");
}

TEST_CASE("page: a total is that of all pages, so the last one may have a higher one than it has rows") {
  CHECK(text(tc::page(rows(1), 5, after).total_matching(11)) ==
        R"({"results":[{"id":"r1"}],"returned":1,"total_matching":11,"complete":true})");
}

TEST_CASE("page: without cursors a total above the rows makes the page incomplete") {
  CHECK(text(tc::paging_unsupported(rows(1), 5).total_matching(2)) ==
        R"({"results":[{"id":"r1"}],"returned":1,"total_matching":2,"complete":false,"paging":"unsupported"})");
  CHECK(text(tc::Page<Row>(rows(1)).total_matching(2)) ==
        R"({"results":[{"id":"r1"}],"returned":1,"total_matching":2,"complete":false,"paging":"unsupported"})");
  CHECK(text(tc::Page<Row>(rows(1)).total_matching(1)) ==
        R"({"results":[{"id":"r1"}],"returned":1,"total_matching":1,"complete":true})");
}

TEST_CASE("page: a total that cannot be true, and a limit that shows nothing, are refused") {
  CHECK(refused([] { return tc::page(rows(3), 2, after).total_matching(1); }) ==
        "toolcontract: total_matching must be at least the 2 rows returned and at most 2^53 - 1; count in the same "
        "snapshot as the rows; got 1");
  CHECK(refused([] { return tc::Page<Row>().total_matching(9007199254740992); }) != "not refused");
  CHECK(refused([] { return tc::page(rows(3), 0, after); }) ==
        "toolcontract: a page's limit must be at least 1; give it a minimum in the schema");
  CHECK(refused([] { return tc::paging_unsupported(rows(3), -1); }) != "not refused");
}

TEST_CASE("page: ends earlier on demand, and its cursor goes on from the row it then ends with") {
  auto page = tc::page(rows(5), 4, after).total_matching(9);
  page.keep(2);
  CHECK(text(page) == R"({"results":[{"id":"r1"},{"id":"r2"}],"returned":2,"total_matching":9,"complete":false,)"
                      R"("next_cursor":"after_r2"})");
  auto last = tc::page(rows(3), 4, after);
  CHECK(last.complete());
  last.keep(3);
  CHECK(last.complete());
  last.keep(1);
  CHECK_FALSE(last.complete());
  CHECK(last.next_cursor() == "after_r1");
  tc::Page<Row> whole(rows(3));
  whole.keep(2);
  CHECK(text(whole) == R"({"results":[{"id":"r1"},{"id":"r2"}],"returned":2,"complete":false,"paging":"unsupported"})");
}

TEST_CASE("page: what its cursors are made from may be gone once it is made") {
  auto prefix = std::make_unique<std::string>("p_");
  auto page = tc::page(rows(3), 2, [&](const Row& row) { return *prefix + row.id; });
  prefix.reset();
  page.keep(1);
  CHECK(page.next_cursor() == "p_r1");
}

TEST_CASE("page: its rows can be amended, not added to") {
  auto page = tc::page(rows(3), 2, after);
  for (Row& row : page.rows()) row.id += "!";
  CHECK(text(page) ==
        R"({"results":[{"id":"r1!"},{"id":"r2!"}],"returned":2,"complete":false,"next_cursor":"after_r2"})");
  CHECK(std::as_const(page).rows().size() == 2);
}

TEST_CASE("page: times are written in UTC, to the second, before 1970 and on leap days too") {
  const auto written = [](std::int64_t seconds) { return text(tc::Page<Row>().as_of(at(seconds))).substr(51, 22); };
  CHECK(written(0) == R"("1970-01-01T00:00:00Z")");
  CHECK(written(-1) == R"("1969-12-31T23:59:59Z")");
  CHECK(written(951'782'400) == R"("2000-02-29T00:00:00Z")");
  CHECK(text(tc::Page<Row>().as_of(at(0) - std::chrono::milliseconds(1))).substr(51, 22) ==
        R"("1969-12-31T23:59:59Z")");
}

TEST_CASE("page: every page fits the schema its tool shows, and a plain type makes rows too") {
  const auto checker =
      tc::Checker::compile(nlohmann::json::parse(tc::json_schema_text<tc::Page<Row>>(tc::Direction::output)));
  REQUIRE(checker);
  for (const auto& page : {tc::Page<Row>(), tc::page(rows(3), 2, after).total_matching(7).as_of(at(1)).sort("id asc"),
                           tc::paging_unsupported(rows(3), 2)})
    CHECK(checker->explain(nlohmann::json::parse(text(page))).empty());
  CHECK(text(tc::page(std::vector<std::string>{"a", "b"}, 1, [](const std::string& name) { return name; })) ==
        R"({"results":["a"],"returned":1,"complete":false,"next_cursor":"a"})");
  CHECK(
      tc::json_schema_text<tc::Page<Row>>(tc::Direction::output) ==
      R"({"type":"object","properties":{"results":{"type":"array","description":"The rows.","items":{"type":"object",)"
      R"("properties":{"id":{"type":"string","description":"Its ID."}},"required":["id"],)"
      R"("additionalProperties":false}},"returned":{"type":"integer","description":"How many rows there are in )"
      R"(results.","minimum":0,"maximum":9007199254740991},"total_matching":{"type":"integer","description":"How )"
      R"(many rows match in all, where that is known.","minimum":0,"maximum":9007199254740991},"complete":{"type":)"
      R"("boolean","description":"True: no row follows these. False: more rows match than are shown, and nothing )"
      R"(may be concluded from what is missing."},"next_cursor":{"type":"string","description":"Pass it back as the )"
      R"(cursor, with the other arguments as they are, for the rows that follow. Absent: there is no next page."},)"
      R"("as_of":{"type":"string","description":"When the rows were read, where that was not just now.","format":)"
      R"("date-time"},"sort":{"type":"string","description":"How the rows are ordered, e.g. 'created_at desc, id )"
      R"(desc'."},"paging":{"type":"string","description":"There is no next page to ask for; narrow the request )"
      R"(instead.","enum":["unsupported"]}},"required":["results","returned","complete"],)"
      R"("additionalProperties":false})");
}
