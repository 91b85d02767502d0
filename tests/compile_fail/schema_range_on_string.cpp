// expect: toolcontract: minimum, maximum and between constrain numbers; for a string use min_length and max_length, for a vector or map min_items and max_items
#include <toolcontract/schema.hpp>

#include <string>

namespace tc = toolcontract;

struct Search {
  std::string query;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::query>("query", "Words to match, e.g. 'login loop'.", tc::between(1, 50)));
}

const auto& schema = tc::detail::late_schema<Search>();
