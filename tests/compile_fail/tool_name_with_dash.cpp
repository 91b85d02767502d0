// expect: a_tool_name_must_be_snake_case_such_as_orders_get_of_1_to_64_characters
#include <toolcontract/tool.hpp>

constexpr toolcontract::ToolName name = "orders-get";
