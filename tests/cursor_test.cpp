// SPDX-License-Identifier: MIT
#include <toolcontract/cursor.hpp>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "show.hpp"
#include "toolcontract/encode.hpp"
#include "toolcontract/page.hpp"

namespace tc = toolcontract;

namespace {

struct Search {
  std::string query;
  std::optional<std::string> status;
  std::optional<std::string> token;
  std::int32_t limit = 0;
  std::optional<std::string> cursor;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::query>("query", "Words."), tc::field<&Search::status>("status", "State."),
                    tc::field<&Search::token>("token", "Of the session.", tc::secret()),
                    tc::field<&Search::limit>("limit", "At most.", tc::between(1, 50), tc::default_value(10)),
                    tc::field<&Search::cursor>("cursor", "Where to go on."));
}

struct Paged {
  std::int64_t limit = 1;
  std::optional<std::string> cursor;
};
struct Listing : Paged {
  std::string folder;
  std::optional<std::string> undescribed;
};
constexpr auto tool_schema(tc::type<Listing>) {
  return tc::object(tc::field<&Listing::folder>("folder", "Which."), tc::field<&Listing::limit>("limit", "At most."),
                    tc::field<&Listing::cursor>("after", "Where to go on."));
}

struct Row {
  std::string id;
  std::int64_t number = 0;
};
constexpr auto tool_schema(tc::type<Row>) {
  return tc::object(tc::field<&Row::id>("id", "Its ID."), tc::field<&Row::number>("number", "Its number."));
}

/// A seal that shows what was sealed and for what: for tests only.
class GlassSeal final : public tc::Seal {
 public:
  std::string seal(std::string_view plain, std::string_view context) const override {
    return std::string(plain) + "|" + std::string(context);
  }
  std::optional<std::string> open(std::string_view sealed, std::string_view context) const override {
    const std::string end = "|" + std::string(context);
    if (!sealed.ends_with(end)) return std::nullopt;
    return std::string(sealed.substr(0, sealed.size() - end.size()));
  }
};

tc::Cursors<Search> cursors(tc::ToolName tool = "tickets_search", std::string sort = "id asc") {
  return {tool, std::move(sort), &Search::cursor, &Search::limit};
}

Search search(std::optional<std::string> cursor = std::nullopt) { return {"login", "open", {}, 10, std::move(cursor)}; }

std::string given() { return cursors().at(search()).value().cursor_after("T-1009"); }

/// The position, or "refused".
std::string position(const tc::Result<tc::PageStart>& start) {
  if (!start) return start.error().code() == "INVALID_CURSOR" ? "refused" : start.error().code();
  return start->position().value_or("the beginning");
}

}  // namespace

TEST_CASE("cursor: a call without one starts at the beginning, one with one after that row") {
  CHECK(position(cursors().at(search())) == "the beginning");
  CHECK(position(cursors().at(search(given()))) == "T-1009");
  for (const std::string& any :
       {std::string(), std::string("a\0b", 3), std::string(5000, 'x'), std::string("\xff\xfe")})
    CHECK(position(cursors().at(search(cursors().at(search()).value().cursor_after(any)))) == any);
}

TEST_CASE("cursor: is of letters that stand in any URL, and the same whenever it is made") {
  CHECK(given() == cursors().at(search(given())).value().cursor_after("T-1009"));
  CHECK(given().find_first_not_of(tc::detail::base64url) == std::string::npos);
}

TEST_CASE("cursor: what a page asks for, by a member, a number or two keys in one") {
  const auto start = cursors().at(search()).value();
  const std::vector<Row> rows{{"a", 7}, {"b", 8}, {"c", 9}};
  const auto page = tc::page(rows, 2, start.after(&Row::id));
  CHECK(tc::encode_text(page).value() ==
        R"({"results":[{"id":"a","number":7},{"id":"b","number":8}],"returned":2,"complete":false,"next_cursor":")" +
            start.cursor_after("b") + R"(","sort":"id asc"})");
  CHECK(tc::page(rows, 1, start.after(&Row::number)).next_cursor() == start.cursor_after("7"));
  CHECK(tc::page(rows, 1, start.after([](const Row& row) {
          return std::to_string(row.number) + "/" + row.id;
        })).next_cursor() == start.cursor_after("7/a"));
  CHECK(start.after(&Row::id)(rows[2]) == start.cursor_after("c"));
}

TEST_CASE("cursor: is refused under another tool, order, filter or principal, and good with another limit") {
  CHECK(position(cursors("orders_search").at(search(given()))) == "refused");
  CHECK(position(cursors("tickets_search", "id desc").at(search(given()))) == "refused");
  Search other = search(given());
  other.query = "logout";
  CHECK(position(cursors().at(other)) == "refused");
  other = search(given());
  other.status.reset();
  CHECK(position(cursors().at(other)) == "refused");
  other = search(given());
  other.limit = 50;
  CHECK(position(cursors().at(other)) == "T-1009");

  const tc::Call ada{.principal = "ada"}, eve{.principal = "eve"};
  const std::string hers = cursors().at(search(), ada).value().cursor_after("T-1");
  CHECK(position(cursors().at(search(hers), ada)) == "T-1");
  CHECK(position(cursors().at(search(hers), eve)) == "refused");
  CHECK(position(cursors().at(search(hers))) == "refused");
}

TEST_CASE("cursor: the error says what to pass and how to start again, and only the report says why") {
  const auto refused = cursors().at(search("eyJvIjo1MH0"));
  REQUIRE_FALSE(refused);
  CHECK(refused.error() ==
        tc::validation(
            "INVALID_CURSOR",
            "The value of cursor is not one that tickets_search gave for these arguments; start again without it.")
            .field("cursor", "rule", "must be a next_cursor from tickets_search; start again without it", "eyJvIjo1MH0")
            .internal("the cursor is of another version, or sealed where no seal is set, or the other way round"));
}

TEST_CASE("cursor: empty, cut, tampered, padded and foreign ones are refused, whatever they hold") {
  const std::string good = given();
  std::vector<std::string> bad{"", "=", "A", "AA", good + "=", good + "A", " " + good, good + "\n", "after_T-1009"};
  for (std::size_t cut = 0; cut < good.size(); ++cut) bad.push_back(good.substr(0, cut));
  for (std::size_t at = 0; at < good.size(); ++at)
    for (const char letter : tc::detail::base64url) {
      std::string changed = good;
      changed[at] = letter;
      if (changed != good) bad.push_back(changed);
    }
  std::mt19937_64 random(20'261'130);
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 60, '\0');
    for (char& byte : bytes) byte = i % 2 == 0 ? static_cast<char>(random()) : tc::detail::base64url[random() % 64];
    bad.push_back(std::move(bytes));
  }
  const GlassSeal seal;
  for (const std::string& cursor : bad) {
    if (position(cursors().at(search(cursor))) != "refused") FAIL_CHECK("taken: " << cursor);
    if (position(cursors().sealed_by(seal).at(search(cursor))) != "refused") FAIL_CHECK("taken by a seal: " << cursor);
  }
}

TEST_CASE("cursor: an old version is refused") {
  auto bytes = tc::detail::from_base64url(given()).value();
  for (const char version : {'\0', '\2', '\3', '\x7f'}) {
    bytes[0] = version;
    CHECK(position(cursors().at(search(tc::detail::to_base64url(bytes)))) == "refused");
  }
}

TEST_CASE("cursor: a sealed one needs the seal, and where there is a seal no other is taken") {
  const GlassSeal seal;
  const auto sealed = cursors().sealed_by(seal);
  const std::string cursor = sealed.at(search()).value().cursor_after("T-1");
  CHECK(position(sealed.at(search(cursor))) == "T-1");
  CHECK(position(cursors().at(search(cursor))) == "refused");
  CHECK(position(sealed.at(search(given()))) == "refused");
}

TEST_CASE("cursor: holds no argument, and no secret in any form; a sealed one is bound to secrets too") {
  const auto with_token = [](std::optional<std::string> cursor, const char* token) {
    Search in = search(std::move(cursor));
    in.token = token;
    return in;
  };
  const std::string plain = cursors().at(with_token({}, "s3cret")).value().cursor_after("T-1");
  CHECK(tc::detail::from_base64url(plain).value().substr(9) == "T-1");
  CHECK(cursors().at(with_token({}, "other")).value().cursor_after("T-1") == plain);

  const GlassSeal seal;
  const auto sealed = cursors().sealed_by(seal);
  const std::string bound = sealed.at(with_token({}, "s3cret")).value().cursor_after("T-1");
  CHECK(position(sealed.at(with_token(bound, "s3cret"))) == "T-1");
  CHECK(position(sealed.at(with_token(bound, "other"))) == "refused");
}

TEST_CASE(
    "cursor: its member may be inherited and have another name; one that is not described is refused when built") {
  const tc::Cursors<Listing> listing("files_list", "name asc", &Listing::cursor, &Listing::limit);
  Listing in;
  in.folder = "a";
  in.cursor = listing.at(in).value().cursor_after("x");
  CHECK(position(listing.at(in)) == "x");
  in.folder = "b";
  CHECK(listing.at(in).error().field_errors().front().field == "after");
  CHECK(listing.at(in).error().message() ==
        "The value of after is not one that files_list gave for these arguments; start again without it.");
  std::string told;
  try {
    (void)tc::Cursors<Listing>("files_list", "name asc", &Listing::undescribed, &Listing::limit);
  } catch (const tc::DefinitionError& error) {
    told = error.what();
  }
  CHECK(told == "toolcontract: tool files_list: Cursors names a member that is no described field");
}

TEST_CASE("cursor: base64url is that of RFC 4648, and one text stands for one sequence of bytes") {
  const std::vector<std::pair<std::string, std::string>> vectors{
      {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
      {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xef\xff", "--__"}};
  for (const auto& [bytes, text] : vectors) {
    CHECK(tc::detail::to_base64url(bytes) == text);
    CHECK(tc::detail::from_base64url(text) == bytes);
  }
  for (const char* other : {"Zh", "Zm9", "Z", "Zm9vY", "Zg==", "Zm+v", "Zm/v"})
    CHECK_FALSE(tc::detail::from_base64url(other).has_value());
}
