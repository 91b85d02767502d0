// expect: toolcontract: an example call belongs to validation errors
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error = tc::business("ORDER_SHIPPED", "Order A17 has left.").example("{}");
