// SPDX-License-Identifier: MIT
// The world of the support server: orders, tickets and refunds, the types its tools take and give, and the tools.
#pragma once

#include <toolcontract/toolcontract.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace support {

namespace tc = toolcontract;

enum class Currency { usd, eur, gbp };
constexpr auto tool_schema(tc::type<Currency>) {
  return tc::enumeration(tc::value("USD", Currency::usd), tc::value("EUR", Currency::eur),
                         tc::value("GBP", Currency::gbp));
}

enum class TicketStatus { open, pending, closed };
constexpr auto tool_schema(tc::type<TicketStatus>) {
  return tc::enumeration(tc::value("open", TicketStatus::open),
                         tc::value("pending", TicketStatus::pending, "waiting for the customer"),
                         tc::value("closed", TicketStatus::closed));
}

// ---- orders -----------------------------------------------------------------------------------------------------------

struct Order {
  std::string order_id, customer_email, item;
  std::int32_t total_cents = 0;
  Currency currency = Currency::usd;
  std::int32_t days_since_delivery = 0;
};
constexpr auto tool_schema(tc::type<Order>) {
  return tc::object(
      tc::field<&Order::order_id>("order_id", "The order's ID."),
      tc::field<&Order::customer_email>("customer_email", "Who ordered."),
      tc::field<&Order::item>("item", "What was ordered."),
      tc::field<&Order::total_cents>("total_cents", "What was paid, in cents."),
      tc::field<&Order::currency>("currency", "Currency of total_cents."),
      tc::field<&Order::days_since_delivery>("days_since_delivery", "Days since the order was delivered."));
}

struct OrderQuery {
  std::string order_id;
};
constexpr auto tool_schema(tc::type<OrderQuery>) {
  return tc::object(tc::field<&OrderQuery::order_id>("order_id", "Exact order ID, e.g. 'A17'.",
                                                     tc::pattern("^A[0-9]+$"), tc::max_length(12)));
}

struct OrderFound {
  bool found = false;
  std::optional<Order> order;
};
constexpr auto tool_schema(tc::type<OrderFound>) {
  return tc::object(tc::field<&OrderFound::found>("found", "Whether there is such an order."),
                    tc::field<&OrderFound::order>("order", "The order, when there is one."));
}

struct OrderSearch {
  std::string customer_email;
  std::int32_t limit = 0;
};
constexpr auto tool_schema(tc::type<OrderSearch>) {
  return tc::object(
      tc::field<&OrderSearch::customer_email>("customer_email", "The customer's address, e.g. 'ada@example.com'.",
                                              tc::format(tc::Format::email)),
      tc::field<&OrderSearch::limit>("limit", "How many orders at most.", tc::between(1, 50), tc::default_value(10)));
}

struct OrderList {
  std::vector<Order> results;
  std::int32_t returned = 0;
  bool complete = true;
};
constexpr auto tool_schema(tc::type<OrderList>) {
  return tc::object(tc::field<&OrderList::results>("results", "The orders, by ID."),
                    tc::field<&OrderList::returned>("returned", "How many there are in results."),
                    tc::field<&OrderList::complete>(
                        "complete", "False: there are more, and nothing may be concluded from what is missing."));
}

// ---- tickets ----------------------------------------------------------------------------------------------------------

struct Ticket {
  std::string id, title;
  TicketStatus status = TicketStatus::open;
};
constexpr auto tool_schema(tc::type<Ticket>) {
  return tc::object(tc::field<&Ticket::id>("id", "The ticket's ID."),
                    tc::field<&Ticket::title>("title", "What it is about."),
                    tc::field<&Ticket::status>("status", "Its state."));
}

struct TicketSearch {
  std::string query;
  std::optional<TicketStatus> status;
  std::int32_t limit = 0;
  std::optional<std::string> cursor;
};
constexpr auto tool_schema(tc::type<TicketSearch>) {
  return tc::object(tc::field<&TicketSearch::query>("query", "Words to match, e.g. 'login loop after password reset'.",
                                                    tc::min_length(1)),
                    tc::field<&TicketSearch::status>("status", "Only tickets in this state; all when left out."),
                    tc::field<&TicketSearch::limit>("limit", "Page size.", tc::between(1, 50), tc::default_value(10)),
                    tc::field<&TicketSearch::cursor>(
                        "cursor", "Opaque value from a previous next_cursor; left out for the first page."));
}

struct TicketPage {
  std::vector<Ticket> results;
  std::int32_t returned = 0;
  bool complete = true;
  std::optional<std::string> next_cursor;
};
constexpr auto tool_schema(tc::type<TicketPage>) {
  return tc::object(tc::field<&TicketPage::results>("results", "The tickets, by ID."),
                    tc::field<&TicketPage::returned>("returned", "How many there are in results."),
                    tc::field<&TicketPage::complete>(
                        "complete", "False: there are more, and nothing may be concluded from what is missing."),
                    tc::field<&TicketPage::next_cursor>("next_cursor", "Pass it back as cursor for the next page."));
}

// ---- refunds ----------------------------------------------------------------------------------------------------------

struct RefundQuery {
  std::string operation_id;
};
constexpr auto tool_schema(tc::type<RefundQuery>) {
  return tc::object(tc::field<&RefundQuery::operation_id>(
      "operation_id", "The id the refund was asked for with, e.g. 'op_7f3a'.", tc::min_length(1), tc::max_length(64)));
}

struct RefundInput {
  std::string order_id, operation_id;
  std::int32_t amount_cents = 0;
  Currency currency = Currency::usd;
};
constexpr auto tool_schema(tc::type<RefundInput>) {
  return tc::object(
      tc::field<&RefundInput::order_id>("order_id", "Exact order ID, e.g. 'A17'.", tc::pattern("^A[0-9]+$"),
                                        tc::max_length(12)),
      tc::field<&RefundInput::operation_id>("operation_id",
                                            "One id per intended refund, reused on every retry, e.g. 'op_7f3a'.",
                                            tc::min_length(1), tc::max_length(64)),
      tc::field<&RefundInput::amount_cents>("amount_cents", "Amount to refund in cents, e.g. 1250.",
                                            tc::between(1, 500'000)),
      tc::field<&RefundInput::currency>("currency", "Currency of amount_cents.", tc::default_value(Currency::usd)));
}

struct Refund {
  std::string refund_id, operation_id, order_id;
  std::int32_t amount_cents = 0;
};
constexpr auto tool_schema(tc::type<Refund>) {
  return tc::object(tc::field<&Refund::refund_id>("refund_id", "The refund's ID."),
                    tc::field<&Refund::operation_id>("operation_id", "The id it was asked for with."),
                    tc::field<&Refund::order_id>("order_id", "The order it belongs to."),
                    tc::field<&Refund::amount_cents>("amount_cents", "What was paid back, in cents."));
}

struct RefundFound {
  bool found = false;
  std::optional<Refund> refund;
};
constexpr auto tool_schema(tc::type<RefundFound>) {
  return tc::object(tc::field<&RefundFound::found>("found", "Whether that refund was made."),
                    tc::field<&RefundFound::refund>("refund", "The refund, when it was made."));
}

// ---- the shop behind the tools ----------------------------------------------------------------------------------------

class Shop {
 public:
  /// Every `lose_replies`th refund is made but its reply is lost on the way; 0 loses none.
  explicit Shop(int lose_replies = 0) : lose_replies_(lose_replies) {
    for (int i = 0; i < 23; ++i)
      tickets_.push_back({"T-" + std::to_string(1000 + i), "login loop case " + std::to_string(i),
                          i % 3 != 0 ? TicketStatus::open : TicketStatus::closed});
  }

  std::optional<Order> order(std::string_view id) const {
    const auto found =
        std::find_if(orders_.begin(), orders_.end(), [&](const Order& order) { return order.order_id == id; });
    return found == orders_.end() ? std::nullopt : std::optional(*found);
  }

  OrderList orders_of(const OrderSearch& search) const {
    OrderList list;
    for (const Order& order : orders_) {
      if (order.customer_email != search.customer_email) continue;
      list.complete = static_cast<std::int32_t>(list.results.size()) < search.limit;
      if (!list.complete) break;
      list.results.push_back(order);
    }
    list.returned = static_cast<std::int32_t>(list.results.size());
    return list;
  }

  tc::Result<TicketPage> tickets(const TicketSearch& search) const {
    std::string after;  // the last ticket of the page before: rows added or closed meanwhile move nothing
    if (search.cursor) {
      constexpr std::string_view prefix = "after_";
      if (!search.cursor->starts_with(prefix) || !has_ticket(search.cursor->substr(prefix.size())))
        return tc::validation("INVALID_CURSOR",
                              "The cursor is not one that tickets_search gave; start again without cursor.")
            .field("cursor", "rule", "must be a next_cursor from tickets_search; start again without it",
                   *search.cursor);
      after = search.cursor->substr(prefix.size());
    }
    TicketPage page;
    for (const Ticket& ticket : tickets_) {
      if (ticket.id <= after || (search.status && ticket.status != *search.status) || !matches(ticket, search.query))
        continue;
      if (static_cast<std::int32_t>(page.results.size()) == search.limit) {
        page.complete = false;
        page.next_cursor = "after_" + page.results.back().id;
        break;
      }
      page.results.push_back(ticket);
    }
    page.returned = static_cast<std::int32_t>(page.results.size());
    return page;
  }

  std::optional<Refund> refund(const std::string& operation_id) const {
    const std::lock_guard lock(mutex_);
    const auto found = refunds_.find(operation_id);
    return found == refunds_.end() ? std::nullopt : std::optional(found->second);
  }

  /// The refund; nothing when it was made but no answer arrived.
  tc::Result<std::optional<Refund>> pay_back(const RefundInput& in) {
    const std::lock_guard lock(mutex_);
    if (const auto made = refunds_.find(in.operation_id); made != refunds_.end())
      return tc::conflict("Operation " + in.operation_id + " has already made refund " + made->second.refund_id +
                          "; look it up with refunds_get, or use a new operation_id for another refund.");
    const Refund refund{"rf_" + std::to_string(refunds_.size() + 1), in.operation_id, in.order_id, in.amount_cents};
    refunds_.emplace(in.operation_id, refund);
    const bool lost = lose_replies_ > 0 && refunds_.size() % static_cast<std::size_t>(lose_replies_) == 0;
    return lost ? std::optional<Refund>() : std::optional(refund);
  }

 private:
  bool has_ticket(std::string_view id) const {
    return std::any_of(tickets_.begin(), tickets_.end(), [&](const Ticket& ticket) { return ticket.id == id; });
  }

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
  mutable std::mutex mutex_;
  std::map<std::string, Refund> refunds_;
  int lose_replies_;
};

// ---- the tools --------------------------------------------------------------------------------------------------------

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
  return tc::tool<OrderSearch, OrderList>("orders_search")
      .title("Search orders")
      .does("Finds the orders of one customer by email.")
      .returns("At most limit orders, and whether that is all of them.")
      .use_instead("orders_get", "when you have an exact order ID")
      .when_empty("results is empty and complete is true.")
      .reads()
      .closed_world()
      .handle([&shop](const OrderSearch& in) { return shop.orders_of(in); });
}

inline tc::Tool tickets_search(const Shop& shop) {
  return tc::tool<TicketSearch, TicketPage>("tickets_search")
      .title("Search tickets")
      .does("Searches support tickets by free text. Use it for questions about past customer issues.")
      .returns(
          "At most limit tickets, whether that is all of them, and next_cursor when it is not. While complete is "
          "false, "
          "'not found' is no conclusion.")
      .use_instead("orders_get", "for the status of an order")
      .when_empty("results is empty and complete is true.")
      .input_example({"login loop", TicketStatus::open, 10, {}})
      .reads()
      .closed_world()
      .handle([&shop](const TicketSearch& in) { return shop.tickets(in); });
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
      .handle([&shop](const RefundQuery& in) {
        const auto refund = shop.refund(in.operation_id);
        return RefundFound{refund.has_value(), refund};
      });
}

inline tc::Tool refunds_create(Shop& shop) {
  return tc::tool<RefundInput, Refund>("refunds_create")
      .title("Issue refund")
      .does("Refunds part or all of one order, within 30 days of its delivery.")
      .returns("The refund's ID and amount.")
      .use_instead("refunds_get", "to see whether a refund was already made")
      .input_example({"A18", "op_7f3a", 1250, Currency::eur})
      .destroys()
      .closed_world()
      .reconcile_by("refunds_get", &RefundInput::operation_id)
      .handle([&shop](const RefundInput& in, tc::Call& call) -> tc::Result<Refund> {
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
        auto refund = shop.pay_back(in);
        if (!refund) return std::move(refund).error();
        if (!refund->has_value()) return call.timed_out("The refund of order " + in.order_id);
        return **refund;
      });
}

}  // namespace support
