// SPDX-License-Identifier: MIT
#include <toolcontract/fingerprint.hpp>

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "catch.hpp"
#include "toolcontract/decode.hpp"

namespace tc = toolcontract;
namespace detail = toolcontract::detail;

namespace {

struct Card {
  std::string owner, number;
};
constexpr auto tool_schema(tc::type<Card>) {
  return tc::object(tc::field<&Card::owner>("owner", "Name."),
                    tc::field<&Card::number>("number", "PAN.", tc::secret()));
}
struct Cash {
  double amount = 0;
};
constexpr auto tool_schema(tc::type<Cash>) { return tc::object(tc::field<&Cash::amount>("amount", "Sum.")); }
using Means = std::variant<Card, Cash>;
constexpr auto tool_schema(tc::type<Means>) {
  return tc::tagged("kind", tc::alternative<Card>("card"), tc::alternative<Cash>("cash"));
}
struct Order {
  std::string key;
  std::vector<Card> cards;
  std::map<std::string, Card> named;
  std::optional<Means> means;
  nlohmann::ordered_json note;
  std::int32_t count = 0;
};
constexpr auto tool_schema(tc::type<Order>) {
  return tc::object(tc::field<&Order::key>("key", "Key."), tc::field<&Order::cards>("cards", "Cards."),
                    tc::field<&Order::named>("named", "By name."), tc::field<&Order::means>("means", "How."),
                    tc::field<&Order::note>("note", "Anything."),
                    tc::field<&Order::count>("count", "How many.", tc::default_value(1)));
}

tc::Fingerprint of(std::string_view text, bool with_key = false) {
  const tc::Table& table = tc::table_of<Order>();
  const auto order = tc::decode<Order>(text).value();
  return detail::fingerprint(table, &order, with_key ? nullptr : table.root().fields.data());
}

}  // namespace

TEST_CASE("fingerprint: the order of members, 1.0 for 1, and a default left out make no difference") {
  const auto a = of(R"({"key":"k","cards":[],"named":{},"note":{"b":1.0,"a":[2]}})");
  const auto b = of(R"({"count":1.0,"note":{"a":[2.0],"b":1},"named":{},"cards":[],"key":"other"})");
  CHECK(a == b);
  CHECK(a == tc::Fingerprint{R"({"cards":[],"count":1,"named":{},"note":{"a":[2],"b":1}})", ""});
  CHECK(of(R"({"key":"k","cards":[],"named":{},"note":1})", true).arguments ==
        R"({"cards":[],"count":1,"key":"k","named":{},"note":1})");
}

TEST_CASE("fingerprint: secrets stand apart, wherever they are") {
  const auto print = of(R"({"key":"k","cards":[{"owner":"a","number":"111"}],"named":{"x":{"owner":"b","number":"222"}},
                            "means":{"kind":"card","owner":"c","number":"333"},"note":null})");
  CHECK(print == tc::Fingerprint{R"({"cards":[{"number":"[redacted]","owner":"a"}],"count":1,)"
                                 R"("means":{"kind":"card","number":"[redacted]","owner":"c"},)"
                                 R"("named":{"x":{"number":"[redacted]","owner":"b"}},"note":null})",
                                 R"(["111","222","333"])"});
  CHECK(of(R"({"key":"k","cards":[],"named":{},"means":{"kind":"cash","amount":1.5},"note":null})").secrets.empty());
}

TEST_CASE("fingerprint: in memory a secret is a salted hash") {
  const tc::Fingerprint print{"{}", R"(["111"])"};
  const auto veiled = detail::veiled(print, "salt");
  CHECK(veiled.arguments == "{}");
  CHECK(veiled.secrets.find("111") == std::string::npos);
  CHECK(veiled == detail::veiled(print, "salt"));
  CHECK(veiled != detail::veiled(print, "other salt"));
  CHECK(veiled != detail::veiled({"{}", R"(["112"])"}, "salt"));
  CHECK(detail::veiled({"{}", ""}, "salt") == tc::Fingerprint{"{}", ""});
}
