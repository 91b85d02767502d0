// expect: toolcontract: a tool's input is a struct described by tc::object; put a single value or a union into a field of one
#include <toolcontract/tool.hpp>

#include <string>

namespace tc = toolcontract;

struct Query {
  std::string id;
};
constexpr auto tool_schema(tc::type<Query>) { return tc::object(tc::field<&Query::id>("id", "ID, e.g. 'A17'.")); }

struct Row {
  std::string name;
};
constexpr auto tool_schema(tc::type<Row>) { return tc::object(tc::field<&Row::name>("name", "Name.")); }

auto tool = tc::tool<std::string, Row>("rows_get").does("Gets a row.");
