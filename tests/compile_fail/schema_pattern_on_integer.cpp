// expect: toolcontract: pattern constrains strings; for a fixed set of values use an enum
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Search {
  int limit = 0;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::limit>("limit", "Page size, e.g. 10.", tc::pattern("^[0-9]+$")));
}

const auto& schema = tc::detail::late_schema<Search>();
