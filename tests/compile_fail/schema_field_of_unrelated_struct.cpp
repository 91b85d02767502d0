// expect: toolcontract: every field of a described struct is a member of it or of a base of it
#include <toolcontract/schema.hpp>

#include <string>

namespace tc = toolcontract;

struct Other {
  int limit = 0;
};
struct Search {
  std::string query;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::query>("query", "Words to match, e.g. 'login loop'."),
                    tc::field<&Other::limit>("limit", "Page size, e.g. 10."));
}

const auto& schema = tc::detail::late_schema<Search>();
