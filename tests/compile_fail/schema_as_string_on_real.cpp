// expect: toolcontract: as_string is for integers; a string is one already, and any other value has one form
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

struct Search {
  double amount{};
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::amount>("amount", "What to look for.", tc::as_string()));
}

const auto& schema = tc::detail::late_schema<Search>();
