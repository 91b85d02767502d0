// SPDX-License-Identifier: MIT
// One error of each category, as a model reads it, and the timeout that means two things.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>
#include <stdexcept>

namespace tc = toolcontract;
using namespace std::chrono_literals;

struct Transfer {
  std::string operation_id, to_account;
  std::int32_t amount_cents = 0;
};
constexpr auto tool_schema(tc::type<Transfer>) {
  return tc::object(
      tc::field<&Transfer::operation_id>("operation_id",
                                         "One id per intended transfer, reused on every retry, e.g. 'op_7f3a'."),
      tc::field<&Transfer::to_account>("to_account", "Who receives it, e.g. 'DE-4711'."),
      tc::field<&Transfer::amount_cents>("amount_cents", "Amount in cents, e.g. 1250.", tc::between(1, 500'000)));
}

struct Receipt {
  std::string transfer_id;
};
constexpr auto tool_schema(tc::type<Receipt>) {
  return tc::object(tc::field<&Receipt::transfer_id>("transfer_id", "The transfer's ID."));
}

// What the bank says depends on the account, so that one program shows it all.
tc::Result<Receipt> answer(const Transfer& in, tc::Call& call) {
  const std::string subject = "The transfer to " + in.to_account;
  if (in.to_account == "BUSY")
    return tc::rate_limited(2s, subject + " was not accepted: too many transfers this minute.");
  if (in.to_account == "CLOSED")
    return tc::business("ACCOUNT_CLOSED", "Account CLOSED was closed in 2024 and takes no transfers.");
  if (in.to_account == "FROZEN")
    return tc::business("ACCOUNT_FROZEN", "Account FROZEN is frozen; its branch can lift that.").escalate();
  if (in.to_account == "FOREIGN")
    return tc::forbidden(subject + " needs a human: transfers abroad are not this agent's to make.");
  if (in.to_account == "SILENT") return call.timed_out(subject);
  if (in.to_account == "GARBLED")
    return tc::malformed_upstream("a receipt as JSON", "an HTML page")
        .internal("<html>502 Bad Gateway at core-7.bank.internal</html>");
  if (in.to_account == "BROKEN") throw std::runtime_error("connect pg://ledger:hunter2@db-3: refused");
  return Receipt{"tr_1"};
}

int main() {
  tc::ToolsetOptions options;  // a fixed clock, so that this prints the same every time
  options.clock.steady = [] { return std::chrono::steady_clock::time_point(); };
  options.report = [](const tc::Report& report) noexcept {
    if (report.internal.empty() && report.exception.empty()) return;
    std::printf("  for the log only: %s %s%s\n", report.correlation_id.c_str(), report.internal.c_str(),
                report.exception.c_str());
  };
  const auto described = [](tc::ToolName name) {
    return tc::tool<Transfer, Receipt>(name).does("Moves money to another account.");
  };
  const tc::Toolset tools(
      options,
      described("transfers_create").destroys().reconcile_by("transfers_get", &Transfer::operation_id).handle(answer),
      described("transfers_simulate").reads().handle(answer));

  const auto show = [&](const char* title, std::string_view tool, std::string_view arguments, tc::Call call) {
    std::printf("\n%s\n", title);
    call.correlation_id = "req_" + std::to_string(call.attempt);
    const tc::Outcome outcome = tools.call(tool, arguments, call);
    std::printf("  %s\n", outcome ? outcome.text().c_str() : tc::envelope_text(outcome.error()).c_str());
  };
  const auto to = [](std::string_view account) {
    return R"({"operation_id":"op_1","to_account":")" + std::string(account) + R"(","amount_cents":1250})";
  };
  const auto soon = std::chrono::steady_clock::time_point(8400ms);

  show("transient: try again, after a while", "transfers_create", to("BUSY"),
       {.attempt = 1, .max_attempts = 3, .deadline = soon});
  show("transient, on the last attempt: not again", "transfers_create", to("BUSY"),
       {.attempt = 3, .max_attempts = 3, .deadline = soon});
  show("validation: change these fields", "transfers_create",
       R"({"operation_id":"op_1","to":"DE-4711","amount_cents":"12.50"})", {});
  show("validation of an upstream's reply: nothing the model could mend", "transfers_create", to("GARBLED"), {});
  show("business: a rule says no", "transfers_create", to("CLOSED"), {});
  show("business: a rule says no, and somebody may decide otherwise", "transfers_create", to("FROZEN"), {});
  show("permission: a human must", "transfers_create", to("FOREIGN"), {});
  show("unknown: a fault nobody classified, on a write", "transfers_create", to("BROKEN"), {});
  show("a timeout on a write: it may have happened, so look it up", "transfers_create", to("SILENT"), {});
  show("a timeout on a read: nothing happened, so repeat it", "transfers_simulate", to("SILENT"), {});
}
