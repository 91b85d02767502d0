// expect: toolcontract: std::optional is for members of structs; a map has no absent values
#include <toolcontract/schema.hpp>

#include <map>
#include <optional>
#include <string>

namespace tc = toolcontract;

struct Search {
  std::map<std::string, std::optional<int>> weights;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::weights>("weights", "Weight of each word."));
}

const auto& schema = tc::detail::late_schema<Search>();
