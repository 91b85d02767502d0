// expect: toolcontract: a bound lies outside what the member's type can hold; widen the member or narrow the bound
#include <toolcontract/schema.hpp>

#include <array>

namespace tc = toolcontract;

struct Search {
  std::array<double, 2> position{};
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::position>("position", "Where, e.g. [0, 1].", tc::max_items(3)));
}

const auto& schema = tc::detail::late_schema<Search>();
