// expect: toolcontract: as_string is for integers; a string is one already, and any other value has one form
#include <toolcontract/schema.hpp>

#include <cstdint>
#include <vector>

namespace tc = toolcontract;

struct Search {
  std::vector<std::int64_t> ids{};
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::ids>("ids", "What to look for.", tc::as_string()));
}

const auto& schema = tc::detail::late_schema<Search>();
