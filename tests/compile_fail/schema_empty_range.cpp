// expect: toolcontract: a range is empty, its least is above its most
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Search {
  int limit = 0;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::limit>("limit", "Page size, e.g. 10.", tc::between(50, 1)));
}

const auto& schema = tc::detail::late_schema<Search>();
