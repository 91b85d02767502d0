// expect: toolcontract: min_items and max_items constrain vectors and maps; for a string use min_length and max_length
#include <toolcontract/schema.hpp>

#include <string>

namespace tc = toolcontract;

struct Search {
  std::string query;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::query>("query", "Words to match, e.g. 'login loop'.", tc::min_items(1)));
}

const auto& schema = tc::detail::late_schema<Search>();
