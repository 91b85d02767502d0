// expect: toolcontract: multiple_of takes a step above zero
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Search {
  int limit = 0;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::limit>("limit", "Page size, e.g. 10.", tc::multiple_of(0)));
}

const auto& schema = tc::detail::late_schema<Search>();
