// expect: toolcontract: asking for confirmation belongs to permission errors
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error = tc::business("ORDER_SHIPPED", "Order A17 has left.").confirmation({});
