// expect: an_error_code_must_be_SCREAMING_SNAKE_such_as_ORDER_NOT_FOUND_of_1_to_64_characters
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error = tc::business("OrderNotFound", "Order A17 does not exist.");
