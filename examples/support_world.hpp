// SPDX-License-Identifier: MIT
// The world of the support server: a shop's orders, its support tickets, and the tools over both.
#pragma once

#include <toolcontract/toolcontract.hpp>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support_book.hpp"
#include "support_types.hpp"

namespace support {

// ---- the shop behind the tools ----------------------------------------------------------------------------------------

class Shop {
 public:
  /// Every `lose_replies`th refund is made but its reply is lost on the way; 0 loses none. The book outlives the shop.
  explicit Shop(Book& book, std::size_t lose_replies = 0, tc::OnceOptions once = {})
      : book_(book), lose_replies_(lose_replies), once_(once) {
    once_.joined = book.joined();
    for (int i = 0; i < 23; ++i)
      tickets_.push_back({"T-" + std::to_string(1000 + i), "login loop case " + std::to_string(i),
                          i % 3 != 0 ? TicketStatus::open : TicketStatus::closed});
  }

  std::optional<Order> order(std::string_view id) const {
    const auto found =
        std::find_if(orders_.begin(), orders_.end(), [&](const Order& order) { return order.order_id == id; });
    return found == orders_.end() ? std::nullopt : std::optional(*found);
  }

  /// At most `most` orders of one customer, by ID, from the one after `after` on.
  std::vector<Order> orders_of(std::string_view customer_email, std::string_view after, std::size_t most) const {
    std::vector<Order> found;
    for (const Order& order : orders_)
      if (order.customer_email == customer_email && order.order_id > after && found.size() < most)
        found.push_back(order);
    return found;
  }

  /// The same of the tickets that match. Rows added or closed between two pages move nothing.
  tc::Result<std::vector<Ticket>> tickets(const TicketSearch& search, std::string_view after, std::size_t most) const {
    auto tickets = tickets_;
    const auto opened = book_.tickets();
    if (!opened) return opened.error();
    tickets.insert(tickets.end(), opened->begin(), opened->end());
    std::vector<Ticket> found;
    for (const Ticket& ticket : tickets) {
      if (ticket.id <= after || (search.status && ticket.status != *search.status) || !matches(ticket, search.query))
        continue;
      if (found.size() < most) found.push_back(ticket);
    }
    return found;
  }

  [[nodiscard]] Book& book() const noexcept { return book_; }
  [[nodiscard]] const tc::OnceOptions& once() const noexcept { return once_; }
  /// True when the reply to this refund gets lost.
  bool loses_reply() { return lose_replies_ > 0 && ++refunds_ % lose_replies_ == 0; }

 private:
  // Every word of the query stands somewhere in the title.
  static bool matches(const Ticket& ticket, std::string_view query) {
    const auto lower = [](std::string_view text) {
      std::string copy(text);
      for (char& c : copy) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return copy;
    };
    const std::string title = lower(ticket.title), words = lower(query);
    for (std::size_t from = 0; (from = words.find_first_not_of(' ', from)) != words.npos;) {
      const std::size_t to = (std::min)(words.find(' ', from), words.size());
      if (title.find(words.substr(from, to - from)) == title.npos) return false;
      from = to;
    }
    return true;
  }

  const std::vector<Order> orders_ = {{"A17", "ada@example.com", "desk lamp", 4'999, Currency::usd, 45},
                                      {"A18", "ada@example.com", "kettle", 3'250, Currency::eur, 3},
                                      {"A19", "ada@example.com", "notebook", 1'200, Currency::usd, 12},
                                      {"A20", "grace@example.com", "keyboard", 12'900, Currency::usd, 9}};
  std::vector<Ticket> tickets_;
  Book& book_;
  std::atomic<std::size_t> refunds_ = 0;
  const std::size_t lose_replies_;
  tc::OnceOptions once_;
};

// ---- the tools --------------------------------------------------------------------------------------------------------

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
      .handle([&shop](const OrderQuery& in) {
        const auto order = shop.order(in.order_id);
        return OrderFound{order.has_value(), order};
      });
}

inline tc::Tool orders_search(const Shop& shop) {
  const tc::Cursors<OrderSearch> cursors("orders_search", "order_id asc", &OrderSearch::cursor, &OrderSearch::limit);
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
        return tc::page(std::move(found), in.limit, start->after(&Order::order_id));
      });
}

inline tc::Tool tickets_search(const Shop& shop) {
  const tc::Cursors<TicketSearch> cursors("tickets_search", "id asc", &TicketSearch::cursor, &TicketSearch::limit);
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
    const auto order = shop.order(in.order_id);
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
