// expect: toolcontract: this type is not described; write constexpr auto tool_schema(tc::type<T>) beside it, or use bool, a fixed-width integer, float, double, std::string, std::vector, std::array, std::map<std::string, T> or nlohmann::json
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Point {
  double x = 0;
};
struct Search {
  Point where;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::where>("where", "Where to look."));
}

const auto& schema = tc::detail::late_schema<Search>();
