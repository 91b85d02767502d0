// expect: toolcontract: field<&Struct::member> takes a data member
#include <toolcontract/schema.hpp>

#include <string>

namespace tc = toolcontract;

struct Search {
  std::string query() const;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::query>("query", "Words to match."));
}

const auto& schema = tc::detail::late_schema<Search>();
