// expect: toolcontract: a tool's input is a struct described by tc::object; put a single value or a union into a field of one
#include <toolcontract/tool.hpp>

#include <string>
#include <variant>

namespace tc = toolcontract;

struct Query {
  std::string id;
};
constexpr auto tool_schema(tc::type<Query>) { return tc::object(tc::field<&Query::id>("id", "ID, e.g. 'A17'.")); }

struct Row {
  std::string name;
};
constexpr auto tool_schema(tc::type<Row>) { return tc::object(tc::field<&Row::name>("name", "Name.")); }

using Either = std::variant<Query, Row>;
constexpr auto tool_schema(tc::type<Either>) {
  return tc::tagged("kind", tc::alternative<Query>("query"), tc::alternative<Row>("row"));
}

auto tool = tc::tool<Either, Row>("rows_get").does("Gets a row.");
