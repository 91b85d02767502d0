// SPDX-License-Identifier: MIT
// The shop behind the support desk's tools: its orders and its tickets, either of which may be down.
#pragma once

#include <toolcontract/toolcontract.hpp>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support_book.hpp"
#include "support_types.hpp"

namespace support {

/// What a shop can be without.
inline constexpr std::string_view sources[] = {"orders", "tickets", "tickets_copy"};

struct ShopOptions {
  std::size_t lose_replies = 0;  ///< every so many refunds are made but their reply is lost on the way; 0 loses none
  std::set<std::string, std::less<>> down{};  ///< of the sources
  tc::OnceOptions once{};
  tc::Clock clock{};
  const tc::Seal* seal = nullptr;  ///< of cursors, which are only encoded without one; outlives the tools
};

class Shop {
 public:
  /// The book outlives the shop.
  explicit Shop(Book& book, ShopOptions options = {}) : book_(book), options_(std::move(options)) {
    options_.once.joined = book.joined();
    for (int i = 0; i < 23; ++i)
      tickets_.push_back({"T-" + std::to_string(1000 + i), "login loop case " + std::to_string(i),
                          i % 3 != 0 ? TicketStatus::open : TicketStatus::closed});
    if (auto tickets = all_tickets()) copy_ = *std::move(tickets);
    copied_ = options_.clock.steady();
  }

  tc::Result<std::optional<Order>> order(std::string_view id) const {
    if (is_down("orders")) return no_answer("Looking for order " + std::string(id));
    const auto found =
        std::find_if(orders_.begin(), orders_.end(), [&](const Order& order) { return order.order_id == id; });
    return found == orders_.end() ? std::nullopt : std::optional(*found);
  }

  /// At most `most` orders of one customer, by ID, from the one after `after` on.
  tc::Result<std::vector<Order>> orders_of(std::string_view customer_email, std::string_view after,
                                           std::size_t most) const {
    return orders(after, most, [&](const Order& order) { return order.customer_email == customer_email; });
  }
  /// The same of those whose item has all of the words.
  tc::Result<std::vector<Order>> orders_with(std::string_view words, std::size_t most) const {
    return orders("", most, [&](const Order& order) { return has_all(order.item, words); });
  }

  /// The same of the tickets that match. Rows added or closed between two pages move nothing.
  tc::Result<std::vector<Ticket>> tickets(const TicketSearch& search, std::string_view after, std::size_t most) const {
    if (is_down("tickets")) return no_answer("The search for tickets");
    const auto tickets = all_tickets();
    if (!tickets) return tickets.error();
    return matching(*tickets, search, after, most);
  }
  /// The same of the tickets there were when the shop opened, while that copy can be read.
  std::optional<std::vector<Ticket>> copied_tickets(const TicketSearch& search, std::size_t most) const {
    if (!copy_ || is_down("tickets_copy")) return std::nullopt;
    return matching(*copy_, search, "", most);
  }
  std::chrono::seconds age_of_copy() const {
    return std::chrono::duration_cast<std::chrono::seconds>(options_.clock.steady() - copied_);
  }

  [[nodiscard]] Book& book() const noexcept { return book_; }
  [[nodiscard]] const tc::OnceOptions& once() const noexcept { return options_.once; }
  [[nodiscard]] const tc::Seal* seal() const noexcept { return options_.seal; }
  /// True when the reply to this refund gets lost.
  bool loses_reply() { return options_.lose_replies > 0 && ++refunds_ % options_.lose_replies == 0; }

 private:
  [[nodiscard]] bool is_down(std::string_view source) const { return options_.down.contains(source); }
  /// Of a source that is down. To look is a read, even where a write asks.
  tc::ToolError no_answer(std::string subject) const {
    return tc::upstream_error({.subject = std::move(subject), .effect = tc::Effect::reads},
                              tc::HttpReply{.status = 503}, options_.clock.wall());
  }

  template <class F>
  tc::Result<std::vector<Order>> orders(std::string_view after, std::size_t most, F&& wanted) const {
    if (is_down("orders")) return no_answer("The search for orders");
    std::vector<Order> found;
    for (const Order& order : orders_)
      if (order.order_id.compare(after) > 0 && wanted(order) && found.size() < most) found.push_back(order);
    return found;
  }

  tc::Result<std::vector<Ticket>> all_tickets() const {
    auto tickets = tickets_;
    const auto opened = book_.tickets();
    if (!opened) return opened.error();
    tickets.insert(tickets.end(), opened->begin(), opened->end());
    return tickets;
  }
  static std::vector<Ticket> matching(const std::vector<Ticket>& tickets, const TicketSearch& search,
                                      std::string_view after, std::size_t most) {
    std::vector<Ticket> found;
    for (const Ticket& ticket : tickets)
      if (ticket.id > after && (!search.status || ticket.status == *search.status) &&
          has_all(ticket.title, search.query) && found.size() < most)
        found.push_back(ticket);
    return found;
  }

  // Every word stands somewhere in the title, in whatever case.
  static bool has_all(std::string_view title, std::string_view words) {
    const auto lower = [](std::string_view text) {
      std::string copy(text);
      for (char& c : copy) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return copy;
    };
    const std::string in = lower(title), wanted = lower(words);
    for (std::size_t from = 0; (from = wanted.find_first_not_of(' ', from)) != wanted.npos;) {
      const std::size_t to = (std::min)(wanted.find(' ', from), wanted.size());
      if (in.find(wanted.substr(from, to - from)) == in.npos) return false;
      from = to;
    }
    return true;
  }

  const std::vector<Order> orders_ = {{"A17", "ada@example.com", "desk lamp", 4'999, Currency::usd, 45},
                                      {"A18", "ada@example.com", "kettle", 3'250, Currency::eur, 3},
                                      {"A19", "ada@example.com", "notebook", 1'200, Currency::usd, 12},
                                      {"A20", "grace@example.com", "keyboard", 12'900, Currency::usd, 9}};
  std::vector<Ticket> tickets_;
  std::optional<std::vector<Ticket>> copy_;
  std::chrono::steady_clock::time_point copied_;
  Book& book_;
  std::atomic<std::size_t> refunds_ = 0;
  ShopOptions options_;
};

}  // namespace support
