// expect: toolcontract: the values of one enumeration belong to one enum
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

enum class Other { odd };
enum class Status { open, closed };
constexpr auto tool_schema(tc::type<Status>) {
  return tc::enumeration(tc::value("open", Status::open), tc::value("odd", Other::odd));
}

const auto& schema = tc::detail::late_schema<Status>();
