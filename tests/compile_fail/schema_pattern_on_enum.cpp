// expect: toolcontract: pattern constrains strings; for a fixed set of values use an enum
#include <toolcontract/schema.hpp>

namespace tc = toolcontract;

enum class Status { open, closed };
constexpr auto tool_schema(tc::type<Status>) {
  return tc::enumeration(tc::value("open", Status::open), tc::value("closed", Status::closed));
}
struct Search {
  Status status = Status::open;
};
constexpr auto tool_schema(tc::type<Search>) {
  return tc::object(tc::field<&Search::status>("status", "Only tickets in this state.", tc::pattern("^o")));
}

const auto& schema = tc::detail::late_schema<Search>();
