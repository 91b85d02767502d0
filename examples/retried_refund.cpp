// SPDX-License-Identifier: MIT
// A refund whose reply is lost: what the model is told, and why sending the same call again pays nothing back twice.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>
#include <map>
#include <string>

namespace tc = toolcontract;

struct RefundInput {
  std::string order_id, operation_id;
  std::int32_t amount_cents = 0;
};
constexpr auto tool_schema(tc::type<RefundInput>) {
  return tc::object(
      tc::field<&RefundInput::order_id>("order_id", "Exact order ID, e.g. 'A17'."),
      tc::field<&RefundInput::operation_id>("operation_id",
                                            "One id per intended refund, reused on every retry, e.g. 'op_7f3a'."),
      tc::field<&RefundInput::amount_cents>("amount_cents", "In cents, e.g. 1250.", tc::between(1, 500'000)));
}
struct Refund {
  std::string refund_id;
  std::int32_t amount_cents = 0;
};
constexpr auto tool_schema(tc::type<Refund>) {
  return tc::object(tc::field<&Refund::refund_id>("refund_id", "The refund's ID."),
                    tc::field<&Refund::amount_cents>("amount_cents", "What was paid back, in cents."));
}

/// Pays at once; the reply to the first refund never arrives.
struct Bank {
  std::map<std::string, Refund> refunds;
  bool pay(const RefundInput& in) {
    refunds[in.operation_id] = {"rf_" + std::to_string(refunds.size() + 1), in.amount_cents};
    return refunds.size() > 1;
  }
};

tc::Tool refunds_create(Bank& bank, tc::Ledger& ledger) {
  return tc::tool<RefundInput, Refund>("refunds_create")
      .does("Refunds part or all of one order.")
      .destroys()
      .once_per(&RefundInput::operation_id, ledger)
      .reconcile_by("refunds_get", &RefundInput::operation_id)
      .reconcile([&bank](const std::string& operation_id, tc::Call&) -> tc::Reconciled<Refund> {
        const auto found = bank.refunds.find(operation_id);
        if (found == bank.refunds.end()) return tc::never_landed;
        return found->second;
      })
      .handle([&bank](const RefundInput& in, tc::Call& call) -> tc::Result<Refund> {
        if (!bank.pay(in)) return call.timed_out("The refund of order " + in.order_id);
        return bank.refunds.at(in.operation_id);
      });
}

int main() {
  Bank bank;
  tc::MemoryLedger ledger;  // SqliteLedger or PostgresLedger where keys must outlive the process
  tc::ToolsetOptions options;
  options.ids = [](auto) { return std::string("req_1"); };
  const tc::Toolset tools(options, refunds_create(bank, ledger));
  const auto call = [&](const char* says, const char* arguments) {
    const tc::Outcome outcome = tools.call("refunds_create", arguments);
    std::printf("%s\n  %s\n\n", says,
                outcome.ok() ? outcome.text().c_str() : tc::envelope_text(outcome.error()).c_str());
  };
  call("the bank paid, but its reply is lost", R"({"order_id":"A17","operation_id":"op_7f3a","amount_cents":1250})");
  call("the same call again", R"({"order_id":"A17","operation_id":"op_7f3a","amount_cents":1250})");
  call("the key with another amount", R"({"order_id":"A17","operation_id":"op_7f3a","amount_cents":9900})");
  std::printf("refunds the bank made: %zu\n", bank.refunds.size());
}
