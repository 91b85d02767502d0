// expect: toolcontract: needs_approval takes a callable std::string(const Input&) or std::optional<std::string>(const Input&)
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

tc::MemoryApprovals approvals;
auto tool = tc::tool<Payment, Paid>("pay").does("Pays.").needs_approval(approvals, [](const Payment&) { return 7; });
