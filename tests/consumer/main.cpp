// SPDX-License-Identifier: MIT
// A first tool, as somebody who installed the package would write it; its pattern needs the RE2 that came with it.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>

namespace tc = toolcontract;

struct Query {
  std::string order_id;
};
constexpr auto tool_schema(tc::type<Query>) {
  return tc::object(tc::field<&Query::order_id>("order_id", "Exact order ID, e.g. 'A17'.", tc::pattern("^A[0-9]+$")));
}

int main() {
  const tc::Toolset tools{
      tc::tool<Query, Query>("orders_echo").does("Gives the order ID back.").reads().handle([](const Query& in) {
        return in;
      })};
  const bool right = tools.call("orders_echo", R"({"order_id":"A17"})").text() == R"({"order_id":"A17"})";
  const bool refused = !tools.call("orders_echo", R"({"order_id":"B17"})").ok();
  std::puts(right && refused ? "toolcontract: found, compiled, linked and right" : "toolcontract: wrong");
  return right && refused ? 0 : 1;
}
