// expect: toolcontract: may_have_happened belongs to transient errors; without an upstream that deduplicates, what may have happened is unknown
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error = tc::business("ORDER_SHIPPED", "Order A17 has left.").may_have_happened();
