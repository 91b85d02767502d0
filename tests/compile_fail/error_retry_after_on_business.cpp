// expect: toolcontract: retry_after belongs to transient errors; this category must not be retried unchanged
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error = tc::business("ORDER_SHIPPED", "Order A17 has left.").retry_after(std::chrono::seconds(2));
