// expect: toolcontract: a bound lies outside what the member's type can hold; widen the member or narrow the bound
#include <toolcontract/schema.hpp>

#include <cstdint>

namespace tc = toolcontract;

struct Search {
  std::uint8_t limit = 0;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::limit>("limit", "Page size, e.g. 10.", tc::between(1, 256)));
}

const auto& schema = tc::detail::late_schema<Search>();
