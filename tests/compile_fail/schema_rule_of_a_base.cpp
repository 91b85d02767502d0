// expect: toolcontract: a rule takes the described struct, not a base of it
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Range {
  int low = 0;
  int high = 0;
};
struct Search : Range {
  int limit = 0;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::low>("low", "Least, e.g. 1."), tc::field<&Search::high>("high", "Most, e.g. 9."),
                    tc::field<&Search::limit>("limit", "Page size, e.g. 10."))
      .rule("high", "must not be below low", [](const Range& in) { return in.low <= in.high; });
}

const auto& schema = tc::detail::late_schema<Search>();
