// expect: toolcontract: this type is not described; write constexpr auto tool_schema(tc::type<T>) beside it
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

struct Undescribed {};

auto tool = tc::tool<Query, Undescribed>("rows_get").does("Gets a row.");
