// expect: toolcontract: reconcile_with belongs to unknown outcomes; an error with a known outcome needs no reconciling
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error = tc::unavailable("The shop is down.").reconcile_with("orders_get", "{}");
