// SPDX-License-Identifier: MIT
/// \file
/// Is this all there is? A list that says what it covers, so that nobody concludes from rows that were not shown.
///
///     return tc::Page<Ticket>(tickets);                                              // all of them
///     return tc::page(tickets, in.limit, start->after(&Ticket::id)).as_of(now);      // limit + 1 were fetched
///     // {"results":[…],"returned":10,"complete":false,"next_cursor":"AQ…","as_of":"2026-11-30T22:00:00Z","sort":"id asc"}
///     return tc::paging_unsupported(tickets, in.limit).total_matching(4862);
///     // {"results":[…],"returned":50,"total_matching":4862,"complete":false,"paging":"unsupported"}
///
/// Nobody sets `complete`: it follows from how the page was made. A page that is not complete either has a next_cursor
/// or says that it has none to give. An empty page is a result like any other. Fetch one row more than the limit: whether
/// it is there tells whether more follow, at the price of one row instead of a count.
///
/// Cost: std only.
#pragma once

#include <toolcontract/schema.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

/// Gives the cursor that goes on after a row.
template <class F, class T>
concept CursorAfter = std::is_invocable_r_v<std::string, const F&, const T&>;

namespace detail {

enum class Paging : unsigned char { unsupported };
constexpr auto tool_schema(type<Paging>) { return enumeration(value("unsupported", Paging::unsupported)); }

/// A cursor maker that works in two steps: position(row) at once, seal(position) only for a row a page may end at.
template <class F, class T>
concept CursorInTwoSteps = requires(const F& after, const T& row, std::string position) {
  { after.position(row) } -> std::convertible_to<std::string>;
  { after.seal() } -> std::convertible_to<std::function<std::string(const std::string&)>>;
  { after.sort() } -> std::convertible_to<std::string>;
};

inline std::string rfc3339(std::chrono::system_clock::time_point time) {
  using namespace std::chrono;
  const auto second = floor<seconds>(time);
  const auto day = floor<days>(second);
  const year_month_day date(day);
  const auto clock = static_cast<int>((second - day).count());
  std::string text;
  const auto put = [&](int number, std::size_t digits, std::string_view before) {
    const std::string plain = std::to_string(number);
    text.append(before).append(digits - plain.size(), '0').append(plain);
  };
  put(static_cast<int>(date.year()), 4, "");
  put(static_cast<int>(static_cast<unsigned>(date.month())), 2, "-");
  put(static_cast<int>(static_cast<unsigned>(date.day())), 2, "-");
  put(clock / 3600, 2, "T");
  put(clock / 60 % 60, 2, ":");
  put(clock % 60, 2, ":");
  return text + "Z";
}

}  // namespace detail

/// Rows and what they cover. The output of a tool that lists or searches: `tc::tool<TicketSearch, tc::Page<Ticket>>`.
template <class T>
class Page {
 public:
  using Row = T;

  /// No rows, and there are none: that is an answer, not an error.
  Page() = default;
  /// All there are.
  explicit Page(std::vector<T> rows) : results_(std::move(rows)) { count(); }

  /// How many match in all, this page's rows included. One that is known to be higher than the rows of a whole list makes
  /// it an incomplete one. Count in the same snapshot as the rows. \throws std::invalid_argument below what is returned.
  Page& total_matching(std::uint64_t total) & {
    if (total < results_.size() || total > most)
      throw std::invalid_argument(
          "toolcontract: total_matching must be at least the " + std::to_string(results_.size()) +
          " rows returned and at most 2^53 - 1; count in the same snapshot as the rows; got " + std::to_string(total));
    total_ = static_cast<std::int64_t>(total);
    if (kind_ != Kind::paged && total > results_.size()) cut();
    return *this;
  }
  /// When the rows were read, where that was not just now: a cache's time, a replica's.
  Page& as_of(std::chrono::system_clock::time_point time) & {
    as_of_ = detail::rfc3339(time);
    return *this;
  }
  /// How the rows are ordered, in words a model reads: "created_at desc, id desc". Its last key is unique, or rows get
  /// lost between pages. Cursors that know their order have set it already.
  Page& sort(std::string order) & {
    sort_ = std::move(order);
    return *this;
  }
  Page total_matching(std::uint64_t total) && { return std::move(total_matching(total)); }
  Page as_of(std::chrono::system_clock::time_point time) && { return std::move(as_of(time)); }
  Page sort(std::string order) && { return std::move(sort(std::move(order))); }

  /// The rows, for a hook that amends each of them; how many there are stays.
  [[nodiscard]] std::span<T> rows() noexcept { return results_; }
  [[nodiscard]] std::span<const T> rows() const noexcept { return results_; }
  /// True when no row follows.
  [[nodiscard]] bool complete() const noexcept { return complete_; }
  /// Nothing when the page is complete, or cannot be gone on from.
  [[nodiscard]] const std::optional<std::string>& next_cursor() const noexcept { return next_cursor_; }

  /// The same page ending earlier: after its first `rows` rows, where its cursor then goes on. A page made without a
  /// cursor is incomplete from then on. Precondition: rows > 0; one that is not below the rows there are changes nothing.
  void keep(std::size_t rows) {
    if (rows >= results_.size()) return;
    results_.resize(rows);
    count();
    cut();
  }

 private:
  template <class U, std::integral L, CursorAfter<U> F>
  friend Page<U> page(std::vector<U> rows, L limit, const F& cursor_after);
  template <class U, std::integral L>
  friend Page<U> paging_unsupported(std::vector<U> rows, L limit);
  friend struct Describe<Page>;

  enum class Kind : unsigned char { whole, paged, unpaged };
  static constexpr std::uint64_t most = (std::uint64_t{1} << 53) - 1;  // what every JSON reader holds exactly

  template <std::integral L>
  static std::size_t limited(L limit) {
    if (std::cmp_less(limit, 1))
      throw std::invalid_argument("toolcontract: a page's limit must be at least 1; give it a minimum in the schema");
    return static_cast<std::size_t>(limit);
  }
  void count() { returned_ = static_cast<std::int64_t>(results_.size()); }
  // More rows follow the last one.
  void cut() {
    complete_ = false;
    if (kind_ == Kind::paged)
      next_cursor_ = cursor_at(results_.size() - 1);
    else
      paging_ = detail::Paging::unsupported;
  }
  [[nodiscard]] std::string cursor_at(std::size_t row) const {
    return seal_ ? seal_(positions_[row]) : positions_[row];
  }

  std::vector<T> results_;
  std::int64_t returned_ = 0;
  std::optional<std::int64_t> total_;
  bool complete_ = true;
  std::optional<std::string> next_cursor_;
  std::optional<std::string> as_of_;
  std::optional<std::string> sort_;
  std::optional<detail::Paging> paging_;

  Kind kind_ = Kind::whole;
  std::vector<std::string> positions_;  // after each row; cursors already where seal_ is empty
  std::function<std::string(const std::string&)> seal_;
};

/// The first `limit` of the rows that were fetched; the query asked for limit + 1, so that the one too many tells that
/// more follow. `cursor_after(row)` gives the cursor that goes on after a row, best made by PageStart::after (cursor.hpp).
/// It is asked for every row before this returns, and may hold references.
/// \throws std::invalid_argument for a limit below 1.
template <class T, std::integral L, CursorAfter<T> F>
[[nodiscard]] Page<T> page(std::vector<T> rows, L limit, const F& cursor_after) {
  Page<T> page(std::move(rows));
  page.kind_ = Page<T>::Kind::paged;
  page.positions_.reserve(page.results_.size());
  if constexpr (detail::CursorInTwoSteps<F, T>) {
    for (const T& row : page.results_) page.positions_.push_back(cursor_after.position(row));
    page.seal_ = cursor_after.seal();
    page.sort_ = cursor_after.sort();
  } else {
    for (const T& row : page.results_) page.positions_.push_back(std::invoke(cursor_after, row));
  }
  page.keep(Page<T>::limited(limit));
  return page;
}

/// The first `limit` of the rows that were fetched (ask for limit + 1 here too), from a source that cannot go on from a
/// row: the page says so, and a model narrows its request instead of asking for the second page.
/// \throws std::invalid_argument for a limit below 1.
template <class T, std::integral L>
[[nodiscard]] Page<T> paging_unsupported(std::vector<T> rows, L limit) {
  Page<T> page(std::move(rows));
  page.kind_ = Page<T>::Kind::unpaged;
  page.paging_ = detail::Paging::unsupported;
  page.keep(Page<T>::limited(limit));
  return page;
}

template <class T>
struct Describe<Page<T>> {
  static constexpr auto schema() {
    using P = Page<T>;
    constexpr std::int64_t most = P::most;
    return object(
        field<&P::results_>("results", "The rows."),
        field<&P::returned_>("returned", "How many rows there are in results.", between(0, most)),
        field<&P::total_>("total_matching", "How many rows match in all, where that is known.", between(0, most)),
        field<&P::complete_>("complete",
                             "True: no row follows these. False: more rows match than are shown, and nothing may be "
                             "concluded from what is missing."),
        field<&P::next_cursor_>("next_cursor",
                                "Pass it back as the cursor, with the other arguments as they are, for the rows that "
                                "follow. Absent: there is no next page.",
                                detail::kept_whole()),
        field<&P::as_of_>("as_of", "When the rows were read, where that was not just now.", format(Format::date_time)),
        field<&P::sort_>("sort", "How the rows are ordered, e.g. 'created_at desc, id desc'."),
        field<&P::paging_>("paging", "There is no next page to ask for; narrow the request instead."));
  }
};

namespace detail {
template <class T>
inline constexpr Shortening page_shortening{
    0, [](void* page, std::size_t rows) { static_cast<Page<T>*>(page)->keep(rows); },
    [](const void* page) { return static_cast<const Page<T>*>(page)->next_cursor().has_value(); },
    "While complete is false, nothing may be concluded from what is missing: 'not found' is then no answer."};
template <class T>
inline constexpr Storage record_storage<Page<T>> = shortened(page_shortening<T>);
}  // namespace detail

}  // namespace v0
}  // namespace toolcontract
