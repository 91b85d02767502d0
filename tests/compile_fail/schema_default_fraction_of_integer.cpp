// expect: toolcontract: a default or example has its member's type: a bool, number, string or enumerator, or tc::json(text) for anything else
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Search {
  int limit = 0;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::limit>("limit", "Page size, e.g. 10.", tc::default_value(1.5)));
}

const auto& schema = tc::detail::late_schema<Search>();
