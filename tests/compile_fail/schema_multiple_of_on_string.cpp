// expect: toolcontract: multiple_of constrains numbers
#include <toolcontract/schema.hpp>

#include <string>

namespace tc = toolcontract;

struct Search {
  std::string query;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::query>("query", "Words to match, e.g. 'login loop'.", tc::multiple_of(5)));
}

const auto& schema = tc::detail::late_schema<Search>();
