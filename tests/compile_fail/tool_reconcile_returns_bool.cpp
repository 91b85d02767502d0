// expect: toolcontract: reconcile takes a callable Reconciled<Output>(const std::string& key, Call&)
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

auto tool = tc::tool<Payment, Paid>("pay").does("Pays.").reconcile([](const std::string&, tc::Call&) { return true; });
