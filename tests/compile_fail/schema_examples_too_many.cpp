// expect: toolcontract: examples takes one to four sample values
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Search {
  int limit = 0;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::limit>("limit", "Page size, e.g. 10.", tc::examples(1, 2, 3, 4, 5)));
}

const auto& schema = tc::detail::late_schema<Search>();
