// SPDX-License-Identifier: MIT
// The types the support desk's tools take and give.
#pragma once

#include <toolcontract/toolcontract.hpp>

#include <optional>
#include <string>
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
  std::optional<std::string> cursor;
};
constexpr auto tool_schema(tc::type<OrderSearch>) {
  return tc::object(
      tc::field<&OrderSearch::customer_email>("customer_email", "The customer's address, e.g. 'ada@example.com'.",
                                              tc::format(tc::Format::email)),
      tc::field<&OrderSearch::limit>("limit", "How many orders at most.", tc::between(1, 50), tc::default_value(10)),
      tc::field<&OrderSearch::cursor>("cursor",
                                      "Opaque value from a previous next_cursor; left out for the first page."));
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

// ---- both at once -----------------------------------------------------------------------------------------------------

struct DeskSearch {
  std::string words;
  std::int32_t limit = 0;
};
constexpr auto tool_schema(tc::type<DeskSearch>) {
  return tc::object(
      tc::field<&DeskSearch::words>("words", "Words that must all be there, e.g. 'kettle'.", tc::min_length(1)),
      tc::field<&DeskSearch::limit>("limit", "How many of each at most.", tc::between(1, 20), tc::default_value(5)));
}

struct DeskFound {
  tc::Overall status = tc::Overall::ok;
  tc::Section<tc::Page<Order>> orders;
  tc::Section<tc::Page<Ticket>> tickets;
};
constexpr auto tool_schema(tc::type<DeskFound>) {
  return tc::object(tc::field<&DeskFound::status>("status", "Whether all of it is there, and as it should be."),
                    tc::field<&DeskFound::orders>("orders", "Orders of such an item."),
                    tc::field<&DeskFound::tickets>("tickets", "Tickets with such a title."));
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

// ---- new tickets ------------------------------------------------------------------------------------------------------

struct TicketInput {
  std::string title, customer_email, idempotency_key;
};
constexpr auto tool_schema(tc::type<TicketInput>) {
  return tc::object(tc::field<&TicketInput::title>("title", "What it is about, in a few words, e.g. 'kettle leaks'.",
                                                   tc::min_length(1), tc::max_length(200)),
                    tc::field<&TicketInput::customer_email>("customer_email", "Who asks, e.g. 'ada@example.com'.",
                                                            tc::format(tc::Format::email)),
                    tc::field<&TicketInput::idempotency_key>(
                        "idempotency_key", "One id per intended ticket, reused on every retry, e.g. 'tk_41c0'.",
                        tc::min_length(1), tc::max_length(64)));
}

}  // namespace support
