// SPDX-License-Identifier: MIT
/// \file
/// How does a result fit into the bytes it may have? What is cut is counted, and said with the next move.
///
///     tc::tool<TicketSearch, tc::Page<Ticket>>("tickets_search").max_result_bytes(20'000, "refine status or query")
///     // {"results":[…],"returned":31,"complete":false,"next_cursor":"AQ…","truncated":{"rows":19,
///     //  "next":"pass next_cursor for the rest, or refine status or query"}}
///
/// First rows go from the end of a page, whose next_cursor then goes on exactly there: of a page that is the result, and
/// of pages that are members of it, the largest first. The items of a Partial go like rows. When each has one row left, or
/// there is none, long texts are cut on a character boundary and end in "… (1234 more characters)"; never below 256 bytes,
/// never one with a pattern or format, and nothing inside a member that takes any JSON. What still does not fit is an
/// error. Nothing here is for users: ToolBuilder::max_result_bytes is.
///
/// Cost: nlohmann/json, through encode.hpp; a result within its cap is only measured.
#pragma once

#include <toolcontract/encode.hpp>
#include <toolcontract/text.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

/// What the results of one tool may take.
struct SizeCap {
  static constexpr std::size_t least = 512;
  static constexpr std::size_t least_text = 256;  ///< no text is cut to less

  std::size_t bytes = 0;  ///< 0: no cap
  std::size_t room = 0;   ///< of these, kept free for what is added to a stored result
  std::string narrow{};   ///< what a caller can do, as a clause: "refine status or query"
};

inline constexpr std::string_view truncated_schema =
    R"({"type":"object","description":"What was cut because the result was too large: rows from the end of results, )"
    R"(characters from long texts. next says how to get the rest.","properties":{"rows":{"type":"integer"},)"
    R"("characters":{"type":"integer"},"next":{"type":"string"}},"required":["next"],"additionalProperties":false})";

/// Writes one result that is too large again and again, each time with less of it. What is dropped from the result is
/// gone: it is written and then let go of.
class Fitter {
 public:
  Fitter(const Schema& schema, const SizeCap& cap)
      : schema_(schema), cap_(cap), limit_(cap.bytes - (std::min)(cap.room, cap.bytes)) {}

  /// False when nothing helps.
  bool fit(void* result, std::string& text) {
    find_lists(schema_, result);
    return drop_rows(result, text) || cut_texts(result, text);
  }
  [[nodiscard]] std::size_t limit() const noexcept { return limit_; }

 private:
  /// The rows of one page.
  struct List {
    const Shortening* how;
    void* owner;
    std::vector<std::size_t> sizes;  // of each row there was
    std::size_t rows;                // that are left
    std::size_t bytes;               // that they take
    [[nodiscard]] std::size_t dropped() const { return sizes.size() - rows; }
  };

  // In the result itself, and in what it has a single one of.
  void find_lists(const Schema& schema, void* object) {
    const Storage& storage = *schema.storage;
    if (storage.form == Storage::Form::tagged) {
      const std::size_t active = storage.count(object);
      if (active < schema.alternatives.size())
        find_lists(*schema.alternatives[active].schema, const_cast<void*>(storage.read(object, 0)));
    }
    if (storage.form != Storage::Form::record) return;
    if (storage.shortening != nullptr) add_list(schema.fields[storage.shortening->rows], *storage.shortening, object);
    for (const Field& field : schema.fields)
      if (const void* member = field.value(object)) find_lists(field.schema, const_cast<void*>(member));
  }
  void add_list(const Field& rows, const Shortening& how, void* owner) {
    const void* list = rows.value(owner);
    const Storage& storage = *rows.schema.storage;
    List found{&how, owner, std::vector<std::size_t>(storage.count(list)), 0, 0};
    if (found.sizes.size() < 2) return;
    found.rows = found.sizes.size();
    for (std::size_t i = 0; i < found.rows; ++i) {
      TextWriter out;
      Unencodable fault;
      (void)write_object(out, *rows.schema.items, storage.read(list, i), fault);
      found.bytes += found.sizes[i] = out.text().size() + 1;  // a comma each
    }
    lists_.push_back(std::move(found));
  }

  // Keeps as many rows as fit, at least one of each list.
  bool drop_rows(void* result, std::string& text) {
    std::size_t all = 0;
    for (const List& list : lists_) all += list.bytes;
    for (std::size_t excess = all > limit_ ? all - limit_ : 1; free(excess); excess = text.size() - limit_) {
      if (!write(result, text, nullptr)) return false;
      if (text.size() <= limit_) return true;
    }
    return false;
  }

  // Drops rows that take at least so many bytes, from whichever list is the largest at the time. False when there are none.
  bool free(std::size_t bytes) {
    const auto larger = [](const List& a, const List& b) {
      return (a.rows > 1 ? a.bytes : 0) < (b.rows > 1 ? b.bytes : 0);
    };
    std::size_t freed = 0;
    while (freed < bytes) {
      const auto largest = std::max_element(lists_.begin(), lists_.end(), larger);
      if (largest == lists_.end() || largest->rows == 1) break;
      const std::size_t size = largest->sizes[--largest->rows];
      largest->bytes -= size;
      freed += size;
    }
    for (const List& list : lists_) list.how->keep(list.owner, list.rows);
    return freed > 0;
  }

  // The longest that texts may be for the whole to fit.
  bool cut_texts(const void* result, std::string& text) {
    const auto fits = [&](std::size_t bytes) {
      TextCut cut{bytes, limit_};
      std::string tried;
      if (!write(result, tried, &cut) || tried.size() > limit_) return false;
      text = std::move(tried);
      return true;
    };
    std::size_t low = SizeCap::least_text, high = (std::max)(limit_, low);  // low fits, high does not
    if (!fits(low)) return false;
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (fits(middle) ? low : high) = middle;
    }
    return true;
  }

  bool write(const void* result, std::string& text, TextCut* cut) const {
    TextWriter out;
    Unencodable fault;
    if (!ObjectWriter(out, fault, cut).value(schema_, result, default_depth, {})) return false;
    text = out.take();
    std::size_t rows = 0;
    bool goes_on = true;  // each list that lost some says how to get them
    for (const List& list : lists_) {
      rows += list.dropped();
      goes_on = goes_on && (list.dropped() == 0 || list.how->goes_on(list.owner));
    }
    const std::size_t characters = cut != nullptr ? cut->characters : 0;
    if (rows == 0 && characters == 0) return true;
    out.begin_object();
    if (rows > 0) out.key("rows").number(rows);
    if (characters > 0) out.key("characters").number(characters);
    const bool ask_on = rows > 0 && goes_on;
    out.key("next").string((ask_on ? "pass next_cursor for the rest, or " : "") + cap_.narrow).end_object();
    text.pop_back();
    text.append(text.back() == '{' ? "" : ",").append(R"("truncated":)").append(out.text()).append("}");
    return true;
  }

  const Schema& schema_;
  const SizeCap& cap_;
  std::size_t limit_;
  std::vector<List> lists_;
};

/// Writes a result, cut where it must be. False with the fault, which is too_large when there is nothing left to cut.
inline bool write_fitting(TextWriter& out, const Schema& schema, void* result, const SizeCap& cap, Unencodable& fault) {
  if (!write_object(out, schema, result, fault)) return false;
  if (cap.bytes == 0) return true;
  Fitter fitter(schema, cap);
  if (out.text().size() <= fitter.limit()) return true;
  std::string text;
  if (!fitter.fit(result, text)) {
    fault = {"", "must have at most " + std::to_string(fitter.limit()) + " bytes as JSON", true};
    return false;
  }
  (void)out.take();
  out.raw(text);
  return true;
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
