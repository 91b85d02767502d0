// expect: a_tool_name_must_be_snake_case_such_as_orders_get_of_1_to_64_characters
#include <toolcontract/tool.hpp>

constexpr toolcontract::ToolName name = "orders_get_of_one_customer_or_of_all_customers_of_one_country_and";
