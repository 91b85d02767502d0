// SPDX-License-Identifier: MIT
/// \file
/// What the benchmarks are about: a search of 60 bytes, an order of ten lines (1.4 KB) and one of 640 (76 KB).
#pragma once

#include <toolcontract/constraint.hpp>
#include <toolcontract/schema.hpp>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace bench {

namespace tc = toolcontract;
using Json = nlohmann::json;

enum class Status { open, pending, closed };
constexpr auto tool_schema(tc::type<Status>) {
  return tc::enumeration(tc::value("open", Status::open), tc::value("pending", Status::pending),
                         tc::value("closed", Status::closed));
}

struct Search {
  std::string order_id;
  std::optional<std::int32_t> limit;
  std::optional<Status> status;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::order_id>("order_id", "Order, e.g. 'A17'.", tc::max_length(12)),
                    tc::field<&Search::limit>("limit", "At most so many, e.g. 10.", tc::between(1, 50)),
                    tc::field<&Search::status>("status", "Only these."));
}

enum class Tier { free, pro, enterprise };
constexpr auto tool_schema(tc::type<Tier>) {
  return tc::enumeration(tc::value("free", Tier::free), tc::value("pro", Tier::pro),
                         tc::value("enterprise", Tier::enterprise));
}
enum class Currency { usd, eur, gbp };
constexpr auto tool_schema(tc::type<Currency>) {
  return tc::enumeration(tc::value("USD", Currency::usd), tc::value("EUR", Currency::eur),
                         tc::value("GBP", Currency::gbp));
}

struct Address {
  std::string street, city;
  std::optional<std::string> zip, country;
};
constexpr auto tool_schema(tc::type<Address>) {
  return tc::object(
      tc::field<&Address::street>("street", "Street and number."), tc::field<&Address::city>("city", "City."),
      tc::field<&Address::zip>("zip", "Postal code.", tc::max_length(10)),
      tc::field<&Address::country>("country", "Two letters, e.g. GB.", tc::min_length(2), tc::max_length(2)));
}

struct Customer {
  std::string name, email;
  std::optional<Tier> tier;
  std::optional<Address> address;
};
constexpr auto tool_schema(tc::type<Customer>) {
  return tc::object(tc::field<&Customer::name>("name", "Full name.", tc::max_length(100)),
                    tc::field<&Customer::email>("email", "Email address.", tc::max_length(100)),
                    tc::field<&Customer::tier>("tier", "What was paid for."),
                    tc::field<&Customer::address>("address", "Where it goes."));
}

struct Line {
  std::string sku;
  std::optional<std::string> name;
  std::int32_t qty = 1;
  double price = 0;
  std::optional<std::vector<std::string>> tags;
  std::optional<bool> gift;
};
constexpr auto tool_schema(tc::type<Line>) {
  return tc::object(tc::field<&Line::sku>("sku", "Article, e.g. SKU-00001.", tc::min_length(1), tc::max_length(40)),
                    tc::field<&Line::name>("name", "As printed.", tc::max_length(200)),
                    tc::field<&Line::qty>("qty", "Pieces, e.g. 3.", tc::between(1, 1000)),
                    tc::field<&Line::price>("price", "A piece, e.g. 19.99.", tc::minimum(0)),
                    tc::field<&Line::tags>("tags", "Labels.", tc::max_items(10)),
                    tc::field<&Line::gift>("gift", "Wrapped."));
}

struct Order {
  Customer customer;
  std::vector<Line> items;
  Currency currency = Currency::usd;
  std::optional<std::string> note;
  std::optional<bool> express;
};
constexpr auto tool_schema(tc::type<Order>) {
  return tc::object(tc::field<&Order::customer>("customer", "Who ordered."),
                    tc::field<&Order::items>("items", "What was ordered.", tc::min_items(1)),
                    tc::field<&Order::currency>("currency", "Of the prices."),
                    tc::field<&Order::note>("note", "For the driver.", tc::max_length(1000)),
                    tc::field<&Order::express>("express", "By tomorrow."));
}

inline Json search() { return {{"order_id", "A17"}, {"limit", 10}, {"status", "open"}}; }

inline Json order(std::size_t lines) {
  Json items = Json::array();
  for (std::size_t i = 0; i < lines; ++i) {
    const std::string number = std::to_string(i);
    items.push_back({{"sku", "SKU-" + std::string(5 - number.size(), '0') + number},
                     {"name", "Widget number " + number + " with a name"},
                     {"qty", i % 9 + 1},
                     {"price", static_cast<double>(100 + i * 7919 % 9900) / 100},
                     {"tags", {"red", "small"}},
                     {"gift", i % 3 == 0}});
  }
  return {
      {"customer",
       {{"name", "Ada Lovelace"},
        {"email", "ada@example.com"},
        {"tier", "pro"},
        {"address", {{"street", "12 St James's Square"}, {"city", "London"}, {"zip", "SW1Y 4JH"}, {"country", "GB"}}}}},
      {"items", std::move(items)},
      {"currency", "EUR"},
      {"note", "Leave at the door."},
      {"express", true}};
}

}  // namespace bench
