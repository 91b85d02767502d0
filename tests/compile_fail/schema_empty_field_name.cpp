// expect: toolcontract: a field, value or tag has an empty name; give it one
#include <toolcontract/schema.hpp>

#include <string>

namespace tc = toolcontract;

struct Search {
  std::string query;
};
constexpr auto tool_schema(tc::type<Search>) { return tc::object(tc::field<&Search::query>("", "Words to match.")); }

const auto& schema = tc::detail::late_schema<Search>();
