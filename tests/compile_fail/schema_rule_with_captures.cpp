// expect: toolcontract: a rule is a lambda without captures that takes the described struct
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Search {
  int low = 0;
  int high = 0;
};
constexpr auto tool_schema(tc::type<Search>) {
  const int step = 2;
  return tc::object(tc::field<&Search::low>("low", "Least, e.g. 1."), tc::field<&Search::high>("high", "Most, e.g. 9."))
      .rule("high", "must be at least 2 above low", [step](const Search& in) { return in.high >= in.low + step; });
}

const auto& schema = tc::detail::late_schema<Search>();
