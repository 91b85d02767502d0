// SPDX-License-Identifier: MIT
// A delete that asks a person first: the model can ask, only the host can grant.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>
#include <string>

namespace tc = toolcontract;

struct Delete {
  std::string ticket_id;
};
constexpr auto tool_schema(tc::type<Delete>) {
  return tc::object(tc::field<&Delete::ticket_id>("ticket_id", "Exact ticket ID, e.g. 'T-1001'."));
}
struct Deleted {
  std::string ticket_id;
};
constexpr auto tool_schema(tc::type<Deleted>) {
  return tc::object(tc::field<&Deleted::ticket_id>("ticket_id", "What is gone."));
}

tc::Tool tickets_delete(tc::Approvals& approvals) {
  return tc::tool<Delete, Deleted>("tickets_delete")
      .does("Deletes one support ticket for good.")
      .destroys()
      .needs_approval(approvals, [](const Delete& in) { return "Delete ticket " + in.ticket_id + " for good."; })
      .handle([](const Delete& in) { return Deleted{in.ticket_id}; });
}

int main() {
  tc::MemoryApprovals approvals(100, [made = 0]() mutable { return "ticket_" + std::to_string(++made); });
  tc::ToolsetOptions options;
  options.ids = [](auto) { return std::string("req_1"); };
  const tc::Toolset tools(options, tickets_delete(approvals));
  const auto call = [&](const char* says, const char* arguments, tc::Call context = {}) {
    const tc::Outcome outcome = tools.call("tickets_delete", arguments, std::move(context));
    std::printf("%s\n  %s\n\n", says,
                outcome.ok() ? outcome.text().c_str() : tc::envelope_text(outcome.error()).c_str());
  };
  call("the first call asks", R"({"ticket_id":"T-1001"})");
  // The host shows the preview: by MCP elicitation, on a web page, in a terminal. A person agrees:
  if (approvals.grant("ticket_1").value() != tc::Decision::recorded) return 1;
  call("the consent is for this ticket, not for another", R"({"ticket_id":"T-1002"})", {.ticket = "ticket_1"});
  call("the same call, after the consent", R"({"ticket_id":"T-1001"})");
  call("and once more: the consent is used up", R"({"ticket_id":"T-1001"})", {.ticket = "ticket_1"});
}
