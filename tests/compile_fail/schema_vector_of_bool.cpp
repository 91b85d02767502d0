// expect: toolcontract: std::vector<bool> has no elements to point at; use std::vector of an enum
#include <toolcontract/schema.hpp>

#include <vector>

namespace tc = toolcontract;

struct Search {
  std::vector<bool> flags;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::flags>("flags", "Which days to look at."));
}

const auto& schema = tc::detail::late_schema<Search>();
