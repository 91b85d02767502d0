// SPDX-License-Identifier: MIT
/// \file
/// Described types that several tests share. Together they use every feature a description has; each stands for a few.
///
///     Widths       every number type, bare          Shape, Drawing enums, unions, lists and maps of them
///     Limited      every bound on a number          Comment        a struct that contains itself
///     Article      lengths, patterns, lists         Note           members that take any JSON
///     Formats      every format                     Orders         inherited members, of two bases
///     Collections  vector, array, map, nested       Login          secrets, also around and inside structs
///     Optionals    each kind of member, optional    Loose          unknown members are passed over
///     Defaults     each kind of member, by default  Report         rules over several fields, nested
///     Odd          names that a path must quote     Nothing        no fields at all
///     Ids          integers sent as strings
#pragma once

#include <toolcontract/json_value.hpp>
#include <toolcontract/schema.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace samples {

namespace tc = toolcontract;

// ---- numbers

struct Widths {
  bool flag = false;
  std::int8_t i8 = 0;
  std::int16_t i16 = 0;
  std::int32_t i32 = 0;
  std::int64_t i64 = 0;
  std::uint8_t u8 = 0;
  std::uint16_t u16 = 0;
  std::uint32_t u32 = 0;
  std::uint64_t u64 = 0;
  float single = 0;
  double real = 0;
  friend bool operator==(const Widths&, const Widths&) = default;
};
constexpr auto tool_schema(tc::type<Widths>) {
  return tc::object(
      tc::field<&Widths::flag>("flag", "A yes or no, e.g. true."), tc::field<&Widths::i8>("i8", "Eight bits, e.g. -1."),
      tc::field<&Widths::i16>("i16", "Sixteen bits."), tc::field<&Widths::i32>("i32", "Thirty-two bits."),
      tc::field<&Widths::i64>("i64", "Sixty-four bits."), tc::field<&Widths::u8>("u8", "Eight bits, no sign."),
      tc::field<&Widths::u16>("u16", "Sixteen bits, no sign."), tc::field<&Widths::u32>("u32", "Thirty-two, no sign."),
      tc::field<&Widths::u64>("u64", "Sixty-four bits, no sign."), tc::field<&Widths::single>("single", "A float."),
      tc::field<&Widths::real>("real", "A double."));
}

struct Limited {
  std::int32_t percent = 0;
  std::int64_t id = 1;
  std::uint16_t port = 0;
  std::uint64_t serial = 0;
  std::int64_t wide = 0;
  std::int32_t step = 0;
  double ratio = 0.5;
  double price = 0;
  float rating = 0;
  friend bool operator==(const Limited&, const Limited&) = default;
};
constexpr auto tool_schema(tc::type<Limited>) {
  return tc::object(
      tc::field<&Limited::percent>("percent", "Share in percent, e.g. 40.", tc::between(0, 100)),
      tc::field<&Limited::id>("id", "Number of the order, from 1.", tc::minimum(1)),
      tc::field<&Limited::port>("port", "TCP port.", tc::maximum(49151)),
      tc::field<&Limited::serial>("serial", "Serial number.", tc::between(1, 18446744073709551614U)),
      tc::field<&Limited::wide>("wide", "Beyond what doubles hold.", tc::between(-9007199254740993, 9007199254740993)),
      tc::field<&Limited::step>("step", "In steps of 5.", tc::between(-1000, 1000), tc::multiple_of(5)),
      tc::field<&Limited::ratio>("ratio", "Between 0 and 1.", tc::exclusive_minimum(0), tc::exclusive_maximum(1)),
      tc::field<&Limited::price>("price", "In euros, e.g. 19.99.", tc::minimum(0), tc::multiple_of(0.01)),
      tc::field<&Limited::rating>("rating", "Stars, e.g. 3.7.", tc::between(0, 5), tc::multiple_of(0.1)));
}

// ---- strings

struct Article {
  std::string title;
  std::string slug;
  std::string code;
  std::vector<std::string> tags;
  friend bool operator==(const Article&, const Article&) = default;
};
constexpr auto tool_schema(tc::type<Article>) {
  return tc::object(
      tc::field<&Article::title>("title", "Headline.", tc::title("Headline"), tc::min_length(2), tc::max_length(40),
                                 tc::examples("Login loop", "Größe ändern")),
      tc::field<&Article::slug>("slug", "In the address, e.g. 'login-loop'.", tc::pattern("^[a-z0-9-]+$"),
                                tc::max_length(20)),
      tc::field<&Article::code>("code", "Has a digit, e.g. 'A17'.", tc::pattern("[0-9]"), tc::deprecated()),
      tc::field<&Article::tags>("tags", "One to three words.", tc::min_items(1), tc::max_items(3), tc::unique_items(),
                                tc::examples(tc::json(R"(["login"])"))));
}

struct Formats {
  std::string date, date_time, time, duration, uuid, email, uri, ipv4, ipv6, hostname;
  friend bool operator==(const Formats&, const Formats&) = default;
};
constexpr auto tool_schema(tc::type<Formats>) {
  return tc::object(tc::field<&Formats::date>("date", "A day.", tc::format(tc::Format::date)),
                    tc::field<&Formats::date_time>("date_time", "An instant.", tc::format(tc::Format::date_time)),
                    tc::field<&Formats::time>("time", "A time of day.", tc::format(tc::Format::time)),
                    tc::field<&Formats::duration>("duration", "How long.", tc::format(tc::Format::duration)),
                    tc::field<&Formats::uuid>("uuid", "An id.", tc::format(tc::Format::uuid)),
                    tc::field<&Formats::email>("email", "Whom to write to.", tc::format(tc::Format::email)),
                    tc::field<&Formats::uri>("uri", "Where it is.", tc::format(tc::Format::uri)),
                    tc::field<&Formats::ipv4>("ipv4", "An address.", tc::format(tc::Format::ipv4)),
                    tc::field<&Formats::ipv6>("ipv6", "A longer address.", tc::format(tc::Format::ipv6)),
                    tc::field<&Formats::hostname>("hostname", "A host.", tc::format(tc::Format::hostname)));
}

// ---- enums and unions

enum class Priority : std::uint8_t { low = 10, normal = 20, high = 250 };
constexpr auto tool_schema(tc::type<Priority>) {
  return tc::enumeration(tc::value("low", Priority::low, "can wait for weeks"),
                         tc::value("normal", Priority::normal, "this week"),
                         tc::value("high", Priority::high, "today"));
}

enum class Unit { celsius, fahrenheit };
constexpr auto tool_schema(tc::type<Unit>) {
  return tc::enumeration(tc::value("celsius", Unit::celsius), tc::value("fahrenheit", Unit::fahrenheit));
}

struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};
constexpr auto tool_schema(tc::type<Point>) {
  return tc::object(tc::field<&Point::x>("x", "To the right."), tc::field<&Point::y>("y", "Upwards."));
}

struct Circle {
  double radius = 0;
  friend bool operator==(const Circle&, const Circle&) = default;
};
constexpr auto tool_schema(tc::type<Circle>) {
  return tc::object(tc::field<&Circle::radius>("radius", "In metres.", tc::exclusive_minimum(0)));
}

struct Rectangle {
  double width = 0, height = 0;
  std::optional<std::string> label;
  friend bool operator==(const Rectangle&, const Rectangle&) = default;
};
constexpr auto tool_schema(tc::type<Rectangle>) {
  return tc::object(tc::field<&Rectangle::width>("width", "In metres."),
                    tc::field<&Rectangle::height>("height", "In metres."),
                    tc::field<&Rectangle::label>("label", "What stands on it."));
}

using Shape = std::variant<Circle, Rectangle>;
constexpr auto tool_schema(tc::type<Shape>) {
  return tc::tagged("kind", tc::alternative<Circle>("circle"), tc::alternative<Rectangle>("rectangle"));
}

struct Drawing {
  Shape outline;
  std::vector<Shape> shapes;
  std::map<std::string, Shape> named;
  Priority priority = Priority::normal;
  friend bool operator==(const Drawing&, const Drawing&) = default;
};
constexpr auto tool_schema(tc::type<Drawing>) {
  return tc::object(tc::field<&Drawing::outline>("outline", "The frame."),
                    tc::field<&Drawing::shapes>("shapes", "From back to front.", tc::max_items(4)),
                    tc::field<&Drawing::named>("named", "Shapes by name."),
                    tc::field<&Drawing::priority>("priority", "How soon."));
}

// ---- lists and maps

struct Collections {
  std::vector<std::int32_t> numbers;
  std::array<double, 2> position{};
  std::map<std::string, std::uint8_t> stock;
  std::map<std::string, std::vector<Priority>> by_team;
  std::vector<std::vector<std::int16_t>> grid;
  std::vector<Point> path;
  std::array<std::string, 3> words;
  friend bool operator==(const Collections&, const Collections&) = default;
};
constexpr auto tool_schema(tc::type<Collections>) {
  return tc::object(tc::field<&Collections::numbers>("numbers", "Some numbers.", tc::min_items(1), tc::max_items(4),
                                                     tc::unique_items()),
                    tc::field<&Collections::position>("position", "Two coordinates."),
                    tc::field<&Collections::stock>("stock", "Pieces by article.", tc::min_items(1), tc::max_items(3)),
                    tc::field<&Collections::by_team>("by_team", "Priorities by team."),
                    tc::field<&Collections::grid>("grid", "Rows of numbers."),
                    tc::field<&Collections::path>("path", "Points to visit once.", tc::unique_items()),
                    tc::field<&Collections::words>("words", "Three words.", tc::unique_items()));
}

// ---- members that may be left out

struct Optionals {
  std::optional<bool> flag;
  std::optional<std::int8_t> small;
  std::optional<double> real;
  std::optional<std::string> text;
  std::optional<Unit> unit;
  std::optional<Point> point;
  std::optional<Shape> shape;
  std::optional<std::vector<std::string>> list;
  std::optional<std::map<std::string, bool>> map;
  std::optional<nlohmann::json> any;
  friend bool operator==(const Optionals&, const Optionals&) = default;
};
constexpr auto tool_schema(tc::type<Optionals>) {
  return tc::object(tc::field<&Optionals::flag>("flag", "Yes or no."),
                    tc::field<&Optionals::small>("small", "Small.", tc::minimum(-5)),
                    tc::field<&Optionals::real>("real", "A number."),
                    tc::field<&Optionals::text>("text", "Words.", tc::min_length(1)),
                    tc::field<&Optionals::unit>("unit", "A unit."), tc::field<&Optionals::point>("point", "A place."),
                    tc::field<&Optionals::shape>("shape", "A shape."),
                    tc::field<&Optionals::list>("list", "A list.", tc::max_items(2)),
                    tc::field<&Optionals::map>("map", "A map."), tc::field<&Optionals::any>("any", "Anything."));
}

struct Defaults {
  bool active = false;
  std::int32_t limit = 0;
  std::uint64_t serial = 0;
  double threshold = 0;
  float share = 0;
  std::string language;
  Unit unit = Unit::celsius;
  std::vector<std::string> tags;
  std::array<std::int32_t, 2> range{};
  std::map<std::string, std::int32_t> weights;
  Point origin;
  Shape shape;
  nlohmann::json extra;
  std::optional<std::int32_t> page;
  friend bool operator==(const Defaults&, const Defaults&) = default;
};
constexpr auto tool_schema(tc::type<Defaults>) {
  return tc::object(
      tc::field<&Defaults::active>("active", "Only active ones.", tc::default_value(true)),
      tc::field<&Defaults::limit>("limit", "Page size.", tc::between(1, 50), tc::default_value(10),
                                  tc::examples(5, 50)),
      tc::field<&Defaults::serial>("serial", "The last one.", tc::default_value(18446744073709551615U)),
      tc::field<&Defaults::threshold>("threshold", "From here on.", tc::default_value(0.5)),
      tc::field<&Defaults::share>("share", "A whole number for a float.", tc::default_value(2)),
      tc::field<&Defaults::language>("language", "Code of a language.", tc::default_value("en")),
      tc::field<&Defaults::unit>("unit", "A unit.", tc::default_value(Unit::fahrenheit)),
      tc::field<&Defaults::tags>("tags", "Words.", tc::default_value(tc::json(R"(["new","hot"])"))),
      tc::field<&Defaults::range>("range", "From, to.", tc::default_value(tc::json("[1,9]"))),
      tc::field<&Defaults::weights>("weights", "By word.", tc::default_value(tc::json(R"({"new":2})"))),
      tc::field<&Defaults::origin>("origin", "Where from.", tc::default_value(tc::json(R"({"x":1.5,"y":-2})"))),
      tc::field<&Defaults::shape>("shape", "A shape.",
                                  tc::default_value(tc::json(R"({"kind":"rectangle","width":2,"height":3})"))),
      tc::field<&Defaults::extra>("extra", "Anything.", tc::default_value(tc::json(R"({"a":[1,null]})"))),
      tc::field<&Defaults::page>("page", "Which page.", tc::default_value(1)));
}

// ---- recursion

struct Comment {
  std::string text;
  std::vector<Comment> replies;
  std::map<std::string, Comment> quoted;
  friend bool operator==(const Comment&, const Comment&) = default;
};
constexpr auto tool_schema(tc::type<Comment>) {
  return tc::object(
      tc::field<&Comment::text>("text", "What was said.", tc::max_length(10)),
      tc::field<&Comment::replies>("replies", "Answers.", tc::default_value(tc::json("[]")), tc::unique_items()),
      tc::field<&Comment::quoted>("quoted", "By author.", tc::default_value(tc::json("{}"))));
}

struct Constant {
  double value = 0;
  friend bool operator==(const Constant&, const Constant&) = default;
};
struct Sum;
using Expression = std::variant<Constant, Sum>;
struct Sum {
  std::vector<Expression> terms;
  friend bool operator==(const Sum&, const Sum&) = default;
};
constexpr auto tool_schema(tc::type<Constant>) {
  return tc::object(tc::field<&Constant::value>("value", "A number, e.g. 1.5."));
}
constexpr auto tool_schema(tc::type<Sum>) {
  return tc::object(tc::field<&Sum::terms>("terms", "What to add.", tc::min_items(1)));
}
constexpr auto tool_schema(tc::type<Expression>) {
  return tc::tagged("op", tc::alternative<Constant>("constant"), tc::alternative<Sum>("sum"));
}

// ---- anything

struct Note {
  nlohmann::json body;
  std::vector<nlohmann::json> values;
  std::map<std::string, nlohmann::json> labels;
  friend bool operator==(const Note&, const Note&) = default;
};
constexpr auto tool_schema(tc::type<Note>) {
  return tc::object(tc::field<&Note::body>("body", "Any JSON."),
                    tc::field<&Note::values>("values", "All different.", tc::unique_items(), tc::max_items(5)),
                    tc::field<&Note::labels>("labels", "By name."));
}

// ---- inherited members

struct Paged {
  std::int32_t limit = 10;
  std::optional<std::string> cursor;
};
struct Audited {
  std::string reason;
};
struct Orders : Paged, Audited {
  Priority priority = Priority::normal;
  friend bool operator==(const Orders& a, const Orders& b) {
    return a.limit == b.limit && a.cursor == b.cursor && a.reason == b.reason && a.priority == b.priority;
  }
};
constexpr auto tool_schema(tc::type<Orders>) {
  return tc::object(tc::field<&Orders::reason>("reason", "Why you ask.", tc::min_length(3)),
                    tc::field<&Orders::priority>("priority", "How soon."),
                    tc::field<&Orders::limit>("limit", "Page size.", tc::between(1, 50), tc::default_value(20)),
                    tc::field<&Orders::cursor>("cursor", "Where to go on."));
}

// ---- secrets

struct Credentials {
  std::string user;
  std::vector<std::string> codes;
  std::optional<Priority> level;
  friend bool operator==(const Credentials&, const Credentials&) = default;
};
constexpr auto tool_schema(tc::type<Credentials>) {
  return tc::object(tc::field<&Credentials::user>("user", "Who.", tc::min_length(4)),
                    tc::field<&Credentials::codes>("codes", "Backup codes.", tc::max_items(2)),
                    tc::field<&Credentials::level>("level", "How much."));
}

struct Login {
  std::string host;
  std::string token;
  std::uint16_t pin = 0;
  Credentials credentials;
  std::optional<Shape> captcha;
  std::map<std::string, std::int32_t> keys;
  std::optional<nlohmann::json> blob;
  friend bool operator==(const Login&, const Login&) = default;
};
constexpr auto tool_schema(tc::type<Login>) {
  return tc::object(
      tc::field<&Login::host>("host", "Where to.", tc::format(tc::Format::hostname)),
      tc::field<&Login::token>("token", "From the settings.", tc::secret(), tc::pattern("^tok_"), tc::max_length(12)),
      tc::field<&Login::pin>("pin", "Four digits.", tc::secret(), tc::maximum(9999)),
      tc::field<&Login::credentials>("credentials", "Who you are.", tc::secret()),
      tc::field<&Login::captcha>("captcha", "What you see.", tc::secret()),
      tc::field<&Login::keys>("keys", "By name.", tc::secret(), tc::default_value(tc::json("{}"))),
      tc::field<&Login::blob>("blob", "Anything secret.", tc::secret()));
}

// ---- unknown members, rules, names

struct Loose {
  std::string id;
  std::optional<Point> at;
  friend bool operator==(const Loose&, const Loose&) = default;
};
constexpr auto tool_schema(tc::type<Loose>) {
  return tc::object(tc::field<&Loose::id>("id", "Which one."), tc::field<&Loose::at>("at", "Where.")).ignore_unknown();
}

struct Period {
  std::string since, until;
  friend bool operator==(const Period&, const Period&) = default;
};
constexpr auto tool_schema(tc::type<Period>) {
  return tc::object(tc::field<&Period::since>("since", "First day.", tc::format(tc::Format::date)),
                    tc::field<&Period::until>("until", "Last day.", tc::format(tc::Format::date)))
      .rule("until", "must not be before since", [](const Period& period) { return period.since <= period.until; });
}

struct Report {
  Period period;
  std::vector<Period> compare;
  std::map<std::string, Period> named;
  std::optional<Period> previous;
  std::optional<std::string> email, phone;
  friend bool operator==(const Report&, const Report&) = default;
};
constexpr auto tool_schema(tc::type<Report>) {
  return tc::object(tc::field<&Report::period>("period", "Which days."),
                    tc::field<&Report::compare>("compare", "With which.", tc::default_value(tc::json("[]"))),
                    tc::field<&Report::named>("named", "By name.", tc::default_value(tc::json("{}"))),
                    tc::field<&Report::previous>("previous", "The one before."),
                    tc::field<&Report::email>("email", "Whom to send it to.", tc::format(tc::Format::email)),
                    tc::field<&Report::phone>("phone", "Whom to call."))
      .rule("", "must have an email or a phone", [](const Report& report) { return report.email || report.phone; })
      .rule("phone", "must be left out when there is an email",
            [](const Report& report) { return !report.email || !report.phone; });
}

struct Odd {
  std::string dashed, dotted, quoted, accented, dollar;
  std::map<std::string, std::int8_t> labels;
  friend bool operator==(const Odd&, const Odd&) = default;
};
constexpr auto tool_schema(tc::type<Odd>) {
  return tc::object(tc::field<&Odd::dashed>("sort-by", "A field."), tc::field<&Odd::dotted>("user.name", "A name."),
                    tc::field<&Odd::quoted>("say \"hi\"\\", "Words."), tc::field<&Odd::accented>("größe", "A size."),
                    tc::field<&Odd::dollar>("$top", "A number."), tc::field<&Odd::labels>("labels", "By name."));
}

struct Ids {
  std::int64_t id = 0;
  std::uint64_t serial = 0;
  std::int16_t shift = 0;
  std::optional<std::uint8_t> parent;
  std::int32_t page = 0;
  friend bool operator==(const Ids&, const Ids&) = default;
};
constexpr auto tool_schema(tc::type<Ids>) {
  return tc::object(
      tc::field<&Ids::id>("id", "Of an order, e.g. '725653563933458432'.", tc::as_string()),
      tc::field<&Ids::serial>("serial", "From 1.", tc::minimum(1), tc::as_string()),
      tc::field<&Ids::shift>("shift", "In minutes.", tc::as_string(), tc::between(-500, 500), tc::multiple_of(5)),
      tc::field<&Ids::parent>("parent", "The one above.", tc::as_string(), tc::exclusive_minimum(0)),
      tc::field<&Ids::page>("page", "Which page.", tc::as_string(), tc::between(1, 50), tc::default_value(10),
                            tc::examples(5, 50)));
}

struct Nothing {
  friend bool operator==(const Nothing&, const Nothing&) = default;
};
constexpr auto tool_schema(tc::type<Nothing>) { return tc::object(); }

/// Calls `visit.operator()<T>(name)` for each type above that is the root of a test.
template <class Visit>
void for_each_type(Visit visit) {
  visit.template operator()<Widths>("Widths");
  visit.template operator()<Limited>("Limited");
  visit.template operator()<Article>("Article");
  visit.template operator()<Formats>("Formats");
  visit.template operator()<Shape>("Shape");
  visit.template operator()<Drawing>("Drawing");
  visit.template operator()<Collections>("Collections");
  visit.template operator()<Optionals>("Optionals");
  visit.template operator()<Defaults>("Defaults");
  visit.template operator()<Comment>("Comment");
  visit.template operator()<Expression>("Expression");
  visit.template operator()<Note>("Note");
  visit.template operator()<Orders>("Orders");
  visit.template operator()<Login>("Login");
  visit.template operator()<Loose>("Loose");
  visit.template operator()<Report>("Report");
  visit.template operator()<Odd>("Odd");
  visit.template operator()<Ids>("Ids");
  visit.template operator()<Nothing>("Nothing");
}

}  // namespace samples
