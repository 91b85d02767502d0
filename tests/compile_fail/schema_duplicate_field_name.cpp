// expect: toolcontract: two fields, values or tags of one description have the same name; rename one
#include <toolcontract/schema.hpp>

#include <string>

namespace tc = toolcontract;

struct Search {
  std::string query;
  int limit = 0;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::query>("query", "Words to match, e.g. 'login loop'."),
                    tc::field<&Search::limit>("query", "Page size, e.g. 10."));
}

const auto& schema = tc::detail::late_schema<Search>();
