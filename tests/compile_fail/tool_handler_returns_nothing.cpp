// expect: toolcontract: a handler returns Output or Result<Output>, or throws a ToolError
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

auto tool = tc::tool<Query, Row>("rows_get").does("Gets a row.").handle([](const Query&) {});
