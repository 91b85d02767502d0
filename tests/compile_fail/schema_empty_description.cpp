// expect: toolcontract: a field has an empty description; say what it is for and show an example value
#include <toolcontract/schema.hpp>

#include <string>

namespace tc = toolcontract;

struct Search {
  std::string query;
};
constexpr auto tool_schema(tc::type<Search>) { return tc::object(tc::field<&Search::query>("query", " ")); }

const auto& schema = tc::detail::late_schema<Search>();
