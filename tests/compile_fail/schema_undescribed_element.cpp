// expect: toolcontract: this type is not described; write constexpr auto tool_schema(tc::type<T>) beside it, or use bool, a fixed-width integer, float, double, std::string, std::vector, std::array, std::map<std::string, T> or nlohmann::json
#include <toolcontract/schema.hpp>

#include <set>
#include <vector>

namespace tc = toolcontract;

struct Search {
  std::vector<std::set<int>> groups;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::groups>("groups", "Ids, in groups."));
}

const auto& schema = tc::detail::late_schema<Search>();
