// expect: toolcontract: a described struct is default constructible
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Search {
  explicit Search(int most) : limit(most) {}
  int limit;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::limit>("limit", "Page size, e.g. 10."));
}

const auto& schema = tc::detail::late_schema<Search>();
