// expect: toolcontract: a handler takes (const Input&) or (const Input&, Call&) and is callable as const, since many threads call it at once
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

auto tool = tc::tool<Query, Row>("rows_get").does("Gets a row.").handle([](const Row& row) { return row; });
