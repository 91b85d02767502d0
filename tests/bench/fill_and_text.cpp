// SPDX-License-Identifier: MIT
// fill_and_text: check-and-fill against the unchecked at().get<T>() a person would write, and envelopes and results as text
// against building and dumping nlohmann::json; ratios of medians over interleaved rounds.
#include <toolcontract/decode.hpp>
#include <toolcontract/encode.hpp>
#include <toolcontract/envelope.hpp>

#include "order.hpp"
#include "timing.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace {

using bench::Json;
namespace tc = toolcontract;

// ---- unchecked, by hand ----

template <class T>
void read(const Json& from, const char* name, std::optional<T>& into) {
  if (from.contains(name)) into = from.at(name).get<T>();
}
template <class E>
E named(const std::string& name, std::initializer_list<std::pair<const char*, E>> names) {
  for (const auto& [text, value] : names)
    if (name == text) return value;
  return names.begin()->second;
}

bench::Search search_of(const Json& json) {
  bench::Search search;
  search.order_id = json.at("order_id").get<std::string>();
  read(json, "limit", search.limit);
  if (json.contains("status"))
    search.status = named<bench::Status>(
        json.at("status").get<std::string>(),
        {{"open", bench::Status::open}, {"pending", bench::Status::pending}, {"closed", bench::Status::closed}});
  return search;
}

bench::Order order_of(const Json& json) {
  bench::Order order;
  const Json& customer = json.at("customer");
  order.customer.name = customer.at("name").get<std::string>();
  order.customer.email = customer.at("email").get<std::string>();
  if (customer.contains("tier"))
    order.customer.tier = named<bench::Tier>(
        customer.at("tier").get<std::string>(),
        {{"free", bench::Tier::free}, {"pro", bench::Tier::pro}, {"enterprise", bench::Tier::enterprise}});
  if (customer.contains("address")) {
    const Json& from = customer.at("address");
    bench::Address& address = order.customer.address.emplace();
    address.street = from.at("street").get<std::string>();
    address.city = from.at("city").get<std::string>();
    read(from, "zip", address.zip);
    read(from, "country", address.country);
  }
  for (const Json& from : json.at("items")) {
    bench::Line& line = order.items.emplace_back();
    line.sku = from.at("sku").get<std::string>();
    read(from, "name", line.name);
    line.qty = from.at("qty").get<std::int32_t>();
    line.price = from.at("price").get<double>();
    read(from, "tags", line.tags);
    read(from, "gift", line.gift);
  }
  order.currency = named<bench::Currency>(
      json.at("currency").get<std::string>(),
      {{"USD", bench::Currency::usd}, {"EUR", bench::Currency::eur}, {"GBP", bench::Currency::gbp}});
  read(json, "note", order.note);
  read(json, "express", order.express);
  return order;
}

// ---- building and dumping, by hand ----

std::string dumped(const tc::ToolError& error) {
  Json fields = Json::array();
  for (const tc::FieldError& fault : error.field_errors()) {
    Json one = {{"field", fault.field}, {"code", fault.code}, {"problem", fault.problem}};
    if (fault.got) one["got"] = fault.got->is_json() ? Json::parse(fault.got->text()) : Json(fault.got->text());
    fields.push_back(std::move(one));
  }
  const Json envelope = {{"error_code", error.code()},
                         {"category", "validation"},
                         {"retryable", false},
                         {"resolution", "fix_input"},
                         {"message", error.message()},
                         {"field_errors", std::move(fields)},
                         {"correlation_id", "req_01HZX9K4"},
                         {"attempt", 1},
                         {"deadline_ms_remaining", nullptr}};
  return envelope.dump();
}

std::string dumped(const bench::Order& order) {
  static constexpr const char* tiers[] = {"free", "pro", "enterprise"};
  static constexpr const char* currencies[] = {"USD", "EUR", "GBP"};
  Json customer = {{"name", order.customer.name}, {"email", order.customer.email}};
  if (order.customer.tier) customer["tier"] = tiers[static_cast<int>(*order.customer.tier)];
  if (const auto& address = order.customer.address) {
    Json one = {{"street", address->street}, {"city", address->city}};
    if (address->zip) one["zip"] = *address->zip;
    if (address->country) one["country"] = *address->country;
    customer["address"] = std::move(one);
  }
  Json items = Json::array();
  for (const bench::Line& line : order.items) {
    Json one = {{"sku", line.sku}, {"qty", line.qty}, {"price", line.price}};
    if (line.name) one["name"] = *line.name;
    if (line.tags) one["tags"] = *line.tags;
    if (line.gift) one["gift"] = *line.gift;
    items.push_back(std::move(one));
  }
  Json json = {{"customer", std::move(customer)},
               {"items", std::move(items)},
               {"currency", currencies[static_cast<int>(order.currency)]}};
  if (order.note) json["note"] = *order.note;
  if (order.express) json["express"] = *order.express;
  return json.dump();
}

}  // namespace

int main() {
  std::puts(
      "check and fill a struct from a value parsed beforehand, against unchecked at().get<T>(); at most 0.7 is wanted");
  const Json search = bench::search(), medium = bench::order(10), large = bench::order(640);
  bench::compare(
      "decode<Search>, 60 B", "at().get<T>(), unchecked",
      [&] { return tc::decode<bench::Search>(search)->limit == 10; }, [&] { return search_of(search).limit == 10; });
  for (const auto& [name, value] : {std::pair("1.4 KB", &medium), std::pair("76 KB", &large)})
    bench::compare(
        std::string("decode<Order>, ") + name, "at().get<T>(), unchecked",
        [&, json = value] { return tc::decode<bench::Order>(*json)->express.has_value(); },
        [&, json = value] { return order_of(*json).express.has_value(); });

  std::puts("a value as text, against building nlohmann::json and dumping it; at most 0.25 is wanted");
  const tc::ToolError error = tc::invalid_arguments("The arguments of orders_get",
                                                    {{"order_id", "pattern", "must match the pattern ^A[0-9]+$", "B1"},
                                                     {"limit", "range", "must be 1 to 50", 200},
                                                     {"status", "required", "must be given: a string", {}}});
  bench::compare(
      "envelope_text, 3 field errors", "nlohmann::json, built and dumped",
      [&] { return !tc::envelope_text(error).empty(); }, [&] { return !dumped(error).empty(); });
  for (const auto& [name, value] : {std::pair("1.4 KB", &medium), std::pair("76 KB", &large)}) {
    const bench::Order order = order_of(*value);
    bench::compare(
        std::string("encode_text<Order>, ") + name, "nlohmann::json, built and dumped",
        [&] { return tc::encode_text(order).has_value(); }, [&] { return !dumped(order).empty(); });
  }
  return 0;
}
