// SPDX-License-Identifier: MIT
// A program of its own, because it replaces operator new to count.
#include <toolcontract/checker.hpp>

#include "bench/order.hpp"
#include "catch.hpp"

#include <toolcontract/json_schema.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>

namespace {
std::size_t allocated = 0;  // by this thread, and there is no other
}

// Every form that new may take ends in one of these two. Not inlined: g++ then takes free for the wrong end of new.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocated;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocated;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

namespace tc = toolcontract;
using Json = nlohmann::json;

/// How often `work` allocates. It must come to the answer true.
template <class Work>
std::size_t allocations(const Work& work) {
  const std::size_t before = allocated;
  const bool right = work();
  const std::size_t during = allocated - before;
  CHECK(right);
  return during;
}

tc::Checker compiled(const std::string& document) { return tc::Checker::compile(Json::parse(document)).value(); }

}  // namespace

TEST_CASE("allocation: the count sees what a text and a vector allocate") {
  CHECK(allocations([] { return std::string(100, 'x').size() == 100; }) == 1);
  CHECK(allocations([] { return Json::array({1, "two"}).size() == 2; }) > 1);
}

TEST_CASE("allocation: a small and a medium valid call are accepted by a document without any") {
  const tc::Checker search = compiled(tc::json_schema_text<bench::Search>());
  const tc::Checker order = compiled(tc::json_schema_text<bench::Order>());
  const Json small = bench::search(), medium = bench::order(10);
  const nlohmann::ordered_json ordered = nlohmann::ordered_json::parse(small.dump());
  CHECK(allocations([&] { return search.accepts(small); }) == 0);
  CHECK(allocations([&] { return order.accepts(medium); }) == 0);
  CHECK(allocations([&] { return search.accepts(ordered); }) == 0);
}

TEST_CASE("allocation: a small and a medium valid call are accepted by a described type without any") {
  const tc::Schema& search = tc::table_of<bench::Search>().root();
  const tc::Schema& order = tc::table_of<bench::Order>().root();
  const Json small = bench::search(), medium = bench::order(10);
  CHECK(allocations([&] { return tc::accepts(search, small); }) == 0);
  CHECK(allocations([&] { return tc::accepts(order, medium); }) == 0);
}

TEST_CASE("allocation: references, unions, constants, tuples, maps, names, formats and short unique lists need none") {
  const tc::Checker checker = compiled(
      R"({"$defs":{"node":{"type":"object","properties":{"value":{"type":["number","null"]},
            "kids":{"type":"array","items":{"$ref":"#/$defs/node"}}},"required":["value"],"additionalProperties":false}},
          "type":"object",
          "properties":{"tree":{"$ref":"#/$defs/node"},
                        "shape":{"oneOf":[{"type":"object","properties":{"kind":{"const":"circle"},"radius":{"exclusiveMinimum":0}},"required":["kind"]},
                                          {"type":"object","properties":{"kind":{"const":"square"}},"required":["kind"]}]},
                        "limit":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]},
                        "point":{"prefixItems":[{"type":"number"},{"type":"number"}],"items":false},
                        "labels":{"type":"object","additionalProperties":{"type":"string"},"propertyNames":{"maxLength":40}},
                        "price":{"multipleOf":0.01},"day":{"format":"date"},"any":true,
                        "tags":{"uniqueItems":true,"items":{"enum":["a-rather-long-name-for-a-tag","b"]}}},
          "required":["tree"],"minProperties":1})");
  const Json value = Json::parse(
      R"({"tree":{"value":1.5,"kids":[{"value":null},{"value":2,"kids":[]}]},"shape":{"kind":"circle","radius":2},"limit":null,
          "point":[1,2.5],"labels":{"one":"a","a-name-too-long-for-sso":"b"},"price":19.99,"day":"2026-11-30",
          "any":{"deep":[1,{"er":"grüße, and long enough to be on the heap"}]},"tags":["b","a-rather-long-name-for-a-tag"],"extra":[1]})");
  CHECK(allocations([&] { return checker.accepts(value); }) == 0);
}

TEST_CASE("allocation: a call that is refused at its first fault needs none") {
  const tc::Checker order = compiled(tc::json_schema_text<bench::Order>());
  Json value = bench::order(10);
  value["items"][9]["qty"] = 0;
  CHECK(allocations([&] { return !order.accepts(value); }) == 0);
}
