// expect: toolcontract: once_per takes a std::string member of the tool's own input, or tc::call_key
#include <toolcontract/tool.hpp>

#include <string>

namespace tc = toolcontract;

struct Payment {
  std::string key;
  int amount = 0;
};
constexpr auto tool_schema(tc::type<Payment>) {
  return tc::object(tc::field<&Payment::key>("key", "One a payment."), tc::field<&Payment::amount>("amount", "Cents."));
}

struct Paid {
  std::string id;
};
constexpr auto tool_schema(tc::type<Paid>) { return tc::object(tc::field<&Paid::id>("id", "Of the payment.")); }

tc::MemoryLedger ledger;
auto tool = tc::tool<Payment, Paid>("pay").does("Pays.").once_per(&Paid::id, ledger);
