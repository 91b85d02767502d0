// SPDX-License-Identifier: MIT
// Several refunds in one call: one done, one refused, one of which nobody knows, and the model is told which is which.
#include <toolcontract/toolcontract.hpp>

#include <cstdio>

namespace tc = toolcontract;

struct Order {
  std::string operation_id;
  std::int64_t order_id = 0;
  std::int32_t amount_cents = 0;
};
constexpr auto tool_schema(tc::type<Order>) {
  return tc::object(tc::field<&Order::operation_id>("operation_id", "One id per intended refund, e.g. 'op_7f3a'."),
                    tc::field<&Order::order_id>("order_id", "Number of the order, e.g. '725653563933458432'.",
                                                tc::as_string(), tc::minimum(1)),
                    tc::field<&Order::amount_cents>("amount_cents", "Amount to refund in cents, e.g. 1250.",
                                                    tc::between(1, 500'000)));
}

struct Orders {
  std::vector<Order> refunds;
};
constexpr auto tool_schema(tc::type<Orders>) {
  return tc::object(
      tc::field<&Orders::refunds>("refunds", "The refunds, done in this order.", tc::min_items(1), tc::max_items(20)));
}

struct Refund {
  std::string refund_id;
  std::int64_t order_id = 0;
};
constexpr auto tool_schema(tc::type<Refund>) {
  return tc::object(tc::field<&Refund::refund_id>("refund_id", "The refund, e.g. 'rf_1'."),
                    tc::field<&Refund::order_id>("order_id", "Of which order.", tc::as_string()));
}

// A bank: refuses what is too much, loses its answer to what is odd, does the rest.
tc::Result<Refund> refund(const Order& in) {
  const std::string subject = "order " + std::to_string(in.order_id);
  if (in.amount_cents > 100'000)
    return tc::business("REFUND_TOO_LARGE", "The refund of " + subject + " is above 1,000.00.").escalate();
  if (in.amount_cents % 2 == 0) return Refund{"rf_" + in.operation_id, in.order_id};
  return tc::unknown("OUTCOME_UNKNOWN", "The refund of " + subject + " timed out; it may have happened.")
      .reconcile_with("refunds_get", nlohmann::json{{"operation_id", in.operation_id}}.dump());
}

auto refunds_create() {
  return tc::tool<Orders, tc::Batch<Refund>>("refunds_create")
      .does("Refunds several orders; each is done or refused by itself.")
      .destroys()
      .handle([](const Orders& in) {
        tc::BatchBuilder<Refund> batch;
        for (const Order& order : in.refunds) batch.add(order.operation_id, refund(order));
        return std::move(batch).finish();
      });
}

int main() {
  tc::ToolsetOptions options;
  options.clock.steady = [] { return std::chrono::steady_clock::time_point(); };
  const tc::Toolset tools(options, refunds_create());
  const auto show = [&](const char* title, const std::string& refunds) {
    std::printf("\n%s\n", title);
    const auto outcome = tools.call("refunds_create", R"({"refunds":[)" + refunds + "]}", {.correlation_id = "req_1"});
    std::printf("  %s\n", outcome ? outcome.text().c_str() : tc::envelope_text(outcome.error()).c_str());
  };
  const std::string sound = R"({"operation_id":"op_1","order_id":"725653563933458432","amount_cents":1250})";
  const std::string large = R"({"operation_id":"op_2","order_id":"725653563933458433","amount_cents":250000})";
  const std::string odd = R"({"operation_id":"op_3","order_id":"725653563933458434","amount_cents":1251})";
  show("all done", sound);
  show("one done, one refused, one unknown: it is named first, with the call that finds out",
       sound + "," + large + "," + odd);
  show("none done, one unknown: an error, and not one to repeat", large + "," + odd);
  show("an order number that lost its last digits on the way is no order number",
       R"({"operation_id":"op_4","order_id":725653563933458400,"amount_cents":1250})");
}
