// expect: toolcontract: a field, value or tag has an empty name; give it one
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

enum class Status { open, closed };
constexpr auto tool_schema(tc::type<Status>) {
  return tc::enumeration(tc::value("open", Status::open), tc::value("", Status::closed));
}

const auto& schema = tc::detail::late_schema<Status>();
