// SPDX-License-Identifier: MIT
// The support desk's tools, over a shop's orders, its tickets and the refunds of its customers.
#pragma once

#include <toolcontract/toolcontract.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support_shop.hpp"
#include "support_types.hpp"

namespace support {

/// How many rows to fetch for a page: the one too many tells that more follow.
inline std::size_t one_more_than(std::int32_t limit) { return static_cast<std::size_t>(limit) + 1; }

inline tc::Tool orders_get(const Shop& shop) {
  return tc::tool<OrderQuery, OrderFound>("orders_get")
      .title("Look up order")
      .does("Looks up a single order by its exact order ID.")
      .returns("The order's customer, item, total and days since delivery.")
      .use_instead("orders_search", "to find orders by customer email")
      .when_empty("found is false; that is an answer, not an error.")
      .input_example({"A17"})
      .reads()
      .closed_world()
      .handle([&shop](const OrderQuery& in) -> tc::Result<OrderFound> {
        const auto order = shop.order(in.order_id);
        if (!order) return order.error();
        return OrderFound{order->has_value(), *order};
      });
}

inline tc::Tool orders_search(const Shop& shop) {
  tc::Cursors<OrderSearch> cursors("orders_search", "order_id asc", &OrderSearch::cursor, &OrderSearch::limit);
  if (shop.seal() != nullptr) cursors = std::move(cursors).sealed_by(*shop.seal());
  return tc::tool<OrderSearch, tc::Page<Order>>("orders_search")
      .title("Search orders")
      .does("Finds the orders of one customer by email.")
      .returns("At most limit orders, whether that is all of them, and next_cursor when it is not.")
      .use_instead("orders_get", "when you have an exact order ID")
      .when_empty("results is empty and complete is true.")
      .reads()
      .closed_world()
      .max_result_bytes(20'000, "ask for fewer with limit")
      .handle([&shop, cursors](const OrderSearch& in) -> tc::Result<tc::Page<Order>> {
        const auto start = cursors.at(in);
        if (!start) return start.error();
        auto found = shop.orders_of(in.customer_email, start->position().value_or(""), one_more_than(in.limit));
        if (!found) return found.error();
        return tc::page(*std::move(found), in.limit, start->after(&Order::order_id));
      });
}

inline tc::Tool tickets_search(const Shop& shop) {
  tc::Cursors<TicketSearch> cursors("tickets_search", "id asc", &TicketSearch::cursor, &TicketSearch::limit);
  if (shop.seal() != nullptr) cursors = std::move(cursors).sealed_by(*shop.seal());
  return tc::tool<TicketSearch, tc::Page<Ticket>>("tickets_search")
      .title("Search tickets")
      .does("Searches support tickets by free text. Use it for questions about past customer issues.")
      .returns("At most limit tickets, whether that is all of them, and next_cursor when it is not.")
      .use_instead("orders_get", "for the status of an order")
      .when_empty("results is empty and complete is true.")
      .input_example({"login loop", TicketStatus::open, 10, {}})
      .reads()
      .closed_world()
      .max_result_bytes(20'000, "refine query or status")
      .handle([&shop, cursors](const TicketSearch& in) -> tc::Result<tc::Page<Ticket>> {
        const auto start = cursors.at(in);
        if (!start) return start.error();
        auto found = shop.tickets(in, start->position().value_or(""), one_more_than(in.limit));
        if (!found) return found.error();
        return tc::page(*std::move(found), in.limit, start->after(&Ticket::id));
      });
}

/// The first `limit` of the rows that were fetched, one too many if there are more.
template <class T>
tc::Result<tc::Page<T>> first_of(tc::Result<std::vector<T>> rows, std::int32_t limit) {
  if (!rows) return std::move(rows).error();
  return tc::paging_unsupported(*std::move(rows), limit);
}

inline tc::Tool desk_search(const Shop& shop) {
  return tc::tool<DeskSearch, DeskFound>("desk_search")
      .title("Search the desk")
      .does("Searches orders by item and tickets by title at once. Use it for a first look.")
      .returns("At most limit of each, and for each whether it is as it should be, out of date or missing.")
      .use_instead("orders_search", "for all orders of one customer")
      .use_instead("tickets_search", "for tickets page by page, or by status")
      .when_empty("results are empty and complete is true in a section that is ok.")
      .input_example({"kettle", 5})
      .reads()
      .closed_world()
      .max_result_bytes(20'000, "refine words, or ask orders_search or tickets_search")
      .handle([&shop](const DeskSearch& in) -> tc::Result<DeskFound> {
        const TicketSearch search{in.words, {}, in.limit, {}};
        const std::size_t most = one_more_than(in.limit);
        DeskFound found;
        found.orders = {"orders", first_of(shop.orders_with(in.words, most), in.limit)};
        found.tickets = {"tickets", first_of(shop.tickets(search, "", most), in.limit)};
        if (auto copy = shop.copied_tickets(search, most))
          found.tickets.cache("tickets_copy", shop.age_of_copy(), tc::paging_unsupported(*std::move(copy), in.limit));
        const auto status = tc::overall(found.orders, found.tickets);
        if (!status) return status.error();
        found.status = *status;
        return found;
      });
}

inline tc::Tool refunds_get(const Shop& shop) {
  return tc::tool<RefundQuery, RefundFound>("refunds_get")
      .title("Look up refund")
      .does("Tells whether a refund was made, by the operation_id it was asked for with.")
      .returns("The refund's ID, order and amount.")
      .use_instead("refunds_create", "to make a refund")
      .when_empty("found is false: that refund was never made.")
      .reads()
      .closed_world()
      .handle([&shop](const RefundQuery& in) -> tc::Result<RefundFound> {
        const auto refund = shop.book().refund(in.operation_id);
        if (!refund) return refund.error();
        return RefundFound{refund->has_value(), *refund};
      });
}

inline tc::Tool refunds_create(Shop& shop) {
  auto tool = tc::tool<RefundInput, Refund>("refunds_create")
                  .title("Issue refund")
                  .does("Refunds part or all of one order, within 30 days of its delivery.")
                  .returns("The refund's ID and amount.")
                  .use_instead("refunds_get", "to see whether a refund was already made")
                  .input_example({"A18", "op_7f3a", 1250, Currency::eur})
                  .destroys()
                  .closed_world()
                  .once_per(&RefundInput::operation_id, shop.book().ledger(), shop.once())
                  .reconcile_by("refunds_get", &RefundInput::operation_id);
  if (!shop.once().joined)  // otherwise key and refund commit together, and there is nothing to find out
    tool = std::move(tool).reconcile([&shop](const std::string& key, tc::Call&) -> tc::Reconciled<Refund> {
      const auto refund = shop.book().refund(key);
      if (!refund) return tc::cannot_tell;
      return *refund ? tc::Reconciled<Refund>(**refund) : tc::never_landed;
    });
  return std::move(tool).handle([&shop](const RefundInput& in, tc::Call& call) -> tc::Result<Refund> {
    const auto looked = shop.order(in.order_id);
    if (!looked) return looked.error();
    const auto& order = *looked;
    if (!order) return tc::not_found("There is no order " + in.order_id + ".");
    if (order->days_since_delivery > 30)
      return tc::business("REFUND_WINDOW_EXPIRED", "Order " + in.order_id +
                                                       " is outside the 30-day return window (delivered " +
                                                       std::to_string(order->days_since_delivery) + " days ago).");
    if (in.currency != order->currency)
      return tc::business("CURRENCY_MISMATCH",
                          "Order " + in.order_id + " was paid in another currency; see orders_get.");
    if (in.amount_cents > order->total_cents)
      return tc::business("AMOUNT_EXCEEDS_ORDER", "Order " + in.order_id + " was " +
                                                      std::to_string(order->total_cents) +
                                                      " cents in all; a refund cannot be more.");
    auto refund = shop.book().add(in, call);
    if (refund && shop.loses_reply()) return call.timed_out("The refund of order " + in.order_id);
    return refund;
  });
}

inline tc::Tool tickets_create(Shop& shop) {
  auto tool = tc::tool<TicketInput, Ticket>("tickets_create")
                  .title("Open ticket")
                  .does("Opens a support ticket in a customer's name, once a person has agreed.")
                  .returns("The ticket's ID, title and status.")
                  .use_instead("tickets_search", "to see whether there is a ticket already")
                  .input_example({"kettle leaks", "ada@example.com", "tk_41c0"})
                  .writes()
                  .closed_world()
                  .once_per(&TicketInput::idempotency_key, shop.book().ledger(), shop.once())
                  .needs_approval(shop.book().approvals(), [](const TicketInput& in) {
                    return "Open the ticket \"" + in.title + "\" for " + in.customer_email + ".";
                  });
  return std::move(tool).handle([&shop](const TicketInput& in, tc::Call& call) { return shop.book().add(in, call); });
}

}  // namespace support
