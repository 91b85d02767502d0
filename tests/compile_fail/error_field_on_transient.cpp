// expect: toolcontract: field errors belong to validation errors; a rule that said no is business and names its subject in the message
#include <toolcontract/error.hpp>

namespace tc = toolcontract;

tc::ToolError error = tc::unavailable("The shop is down.").field("limit", "range", "must be 1 to 50", 200);
