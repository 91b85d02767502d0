// expect: toolcontract: one enumerator has two names; keep one
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

enum class Status { open, closed };
constexpr auto tool_schema(tc::type<Status>) {
  return tc::enumeration(tc::value("open", Status::open), tc::value("closed", Status::open));
}

const auto& schema = tc::detail::late_schema<Status>();
