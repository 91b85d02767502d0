// expect: toolcontract: a range is empty, its least is above its most
#include <toolcontract/schema.hpp>

#include <string>

namespace tc = toolcontract;

struct Search {
  std::string query;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(
      tc::field<&Search::query>("query", "Words to match, e.g. 'login loop'.", tc::min_length(5), tc::max_length(3)));
}

const auto& schema = tc::detail::late_schema<Search>();
