// expect: toolcontract: abort() belongs to permission and business errors
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error = tc::unavailable("The shop is down.").abort();
