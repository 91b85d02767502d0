// SPDX-License-Identifier: MIT
// check: Checker::accepts on values parsed beforehand, against valijson on the same document and against checks written by
// hand; ratios of medians over interleaved rounds. `check serve` answers check.mjs, which does the same against ajv:
//
//   document NAME             the JSON Schema
//   value NAME                the value
//   run NAME COUNT            nanoseconds a check takes
#include <toolcontract/checker.hpp>
#include <toolcontract/json_schema.hpp>

#include "order.hpp"
#include "timing.hpp"

#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace {

using bench::Json;
namespace tc = toolcontract;

// ---- by hand: what a careful person writes, with nlohmann's own means ----

bool text(const Json& object, const char* name, std::size_t least, std::size_t most, bool required) {
  const auto member = object.find(name);
  if (member == object.end()) return !required;
  if (!member->is_string()) return false;
  const std::size_t length = tc::utf8::count(member->get_ref<const std::string&>());
  return length >= least && length <= most;
}
bool one_of(const Json& object, const char* name, std::initializer_list<const char*> legal, bool required) {
  const auto member = object.find(name);
  if (member == object.end()) return !required;
  if (!member->is_string()) return false;
  for (const char* value : legal)
    if (member->get_ref<const std::string&>() == value) return true;
  return false;
}
bool integer(const Json& object, const char* name, std::int64_t least, std::int64_t most, bool required) {
  const auto member = object.find(name);
  if (member == object.end()) return !required;
  if (!member->is_number_integer()) return false;
  return member->get<std::int64_t>() >= least && member->get<std::int64_t>() <= most;
}
bool boolean(const Json& object, const char* name) {
  const auto member = object.find(name);
  return member == object.end() || member->is_boolean();
}
bool known(const Json& object, std::initializer_list<std::string_view> names) {
  for (const auto& [key, member] : object.items()) {
    bool found = false;
    for (const std::string_view name : names) found = found || name == key;
    if (!found) return false;
  }
  return true;
}

bool is_search(const Json& value) {
  return value.is_object() && known(value, {"order_id", "limit", "status"}) && text(value, "order_id", 0, 12, true) &&
         integer(value, "limit", 1, 50, false) && one_of(value, "status", {"open", "pending", "closed"}, false);
}

bool is_line(const Json& line) {
  if (!line.is_object() || !known(line, {"sku", "name", "qty", "price", "tags", "gift"})) return false;
  const auto price = line.find("price"), tags = line.find("tags");
  if (price == line.end() || !price->is_number() || price->get<double>() < 0) return false;
  if (tags != line.end()) {
    if (!tags->is_array() || tags->size() > 10) return false;
    for (const Json& tag : *tags)
      if (!tag.is_string()) return false;
  }
  return text(line, "sku", 1, 40, true) && text(line, "name", 0, 200, false) && integer(line, "qty", 1, 1000, true) &&
         boolean(line, "gift");
}

bool is_customer(const Json& customer) {
  if (!customer.is_object() || !known(customer, {"name", "email", "tier", "address"})) return false;
  if (const auto address = customer.find("address"); address != customer.end())
    if (!address->is_object() || !known(*address, {"street", "city", "zip", "country"}) ||
        !text(*address, "street", 0, ~std::size_t{0}, true) || !text(*address, "city", 0, ~std::size_t{0}, true) ||
        !text(*address, "zip", 0, 10, false) || !text(*address, "country", 2, 2, false))
      return false;
  return text(customer, "name", 0, 100, true) && text(customer, "email", 0, 100, true) &&
         one_of(customer, "tier", {"free", "pro", "enterprise"}, false);
}

bool is_order(const Json& order) {
  if (!order.is_object() || !known(order, {"customer", "items", "currency", "note", "express"})) return false;
  const auto customer = order.find("customer"), items = order.find("items");
  if (customer == order.end() || !is_customer(*customer) || items == order.end() || !items->is_array() ||
      items->empty())
    return false;
  for (const Json& line : *items)
    if (!is_line(line)) return false;
  return one_of(order, "currency", {"USD", "EUR", "GBP"}, true) && text(order, "note", 0, 1000, false) &&
         boolean(order, "express");
}

struct Case {
  std::string document;
  Json value;
  bool (*by_hand)(const Json&);
  tc::Checker checker = tc::Checker::compile(nlohmann::ordered_json::parse(document)).value();
};

int serve(const std::map<std::string, Case>& cases) {
  std::string word, name;
  while (std::cin >> word >> name) {
    const Case& one = cases.at(name);
    if (word == "document") std::cout << one.document << std::endl;
    if (word == "value") std::cout << one.value.dump() << std::endl;
    std::size_t count = 0;
    if (word == "run" && std::cin >> count)
      std::cout << bench::nanoseconds([&] { return one.checker.accepts(one.value); }, count) << std::endl;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string order = tc::json_schema_text<bench::Order>();
  const std::map<std::string, Case> cases = {
      {"60B", {tc::json_schema_text<bench::Search>(), bench::search(), is_search}},
      {"1.4KB", {order, bench::order(10), is_order}},
      {"76KB", {order, bench::order(640), is_order}}};
  if (argc > 1) return std::string_view(argv[1]) == "serve" ? serve(cases) : 1;
  std::puts("yes or no about a value parsed beforehand, nlohmann::json; medians of 21 interleaved rounds");
  bool wanted = true;
  for (const char* size : {"60B", "1.4KB", "76KB"}) {
    const Case& one = cases.at(size);
    const Json document = Json::parse(one.document);
    valijson::Schema schema;
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(document), schema);
    valijson::Validator validator;
    const auto ours = [&] { return one.checker.accepts(one.value); };
    const double ratio = bench::compare(std::string("Checker::accepts, ") + size, "valijson, same document", ours, [&] {
      return validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(one.value), nullptr);
    });
    wanted = wanted && ratio <= 0.1;
    bench::compare(std::string("Checker::accepts, ") + size, "by hand, nlohmann's find and get", ours,
                   [&] { return one.by_hand(one.value); });
  }
  std::printf("valijson: at most 0.1 is wanted: %s\n", wanted ? "reached" : "missed");
  return 0;
}
