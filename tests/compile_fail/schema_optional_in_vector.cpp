// expect: toolcontract: std::optional is for members of structs; an array has no absent elements
#include <toolcontract/schema.hpp>

#include <optional>
#include <vector>

namespace tc = toolcontract;

struct Search {
  std::vector<std::optional<int>> ids;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::ids>("ids", "Ids to look at, e.g. 7."));
}

const auto& schema = tc::detail::late_schema<Search>();
