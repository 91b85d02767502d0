// expect: toolcontract: min_length and max_length constrain strings; for a vector or map use min_items and max_items
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Search {
  int limit = 0;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::limit>("limit", "Page size, e.g. 10.", tc::max_length(3)));
}

const auto& schema = tc::detail::late_schema<Search>();
