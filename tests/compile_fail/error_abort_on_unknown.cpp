// expect: toolcontract: abort() belongs to permission and business errors
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error = tc::unknown("OUTCOME_UNKNOWN", "Refund op_7 has no answer.").abort();
