// expect: toolcontract: a std::optional of a std::optional has one absence too many
#include <toolcontract/schema.hpp>

#include <optional>

namespace tc = toolcontract;

struct Search {
  std::optional<std::optional<int>> limit;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::limit>("limit", "Page size, e.g. 10."));
}

const auto& schema = tc::detail::late_schema<Search>();
