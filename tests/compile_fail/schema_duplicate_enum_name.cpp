// expect: toolcontract: two fields, values or tags of one description have the same name; rename one
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

enum class Status { open, closed };
constexpr auto tool_schema(tc::type<Status>) {
  return tc::enumeration(tc::value("open", Status::open), tc::value("open", Status::closed));
}

const auto& schema = tc::detail::late_schema<Status>();
