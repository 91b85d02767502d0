// expect: toolcontract: escalate() belongs to business, permission and unknown errors; a transient or validation error escalates by itself once its attempts are used up
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error = tc::validation("INVALID_RANGE", "until is before since.").escalate();
