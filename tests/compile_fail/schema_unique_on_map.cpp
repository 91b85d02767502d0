// expect: toolcontract: unique_items constrains vectors and arrays
#include <toolcontract/schema.hpp>

#include <map>
#include <string>

namespace tc = toolcontract;

struct Search {
  std::map<std::string, int> weights;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::weights>("weights", "Weight of each word.", tc::unique_items()));
}

const auto& schema = tc::detail::late_schema<Search>();
