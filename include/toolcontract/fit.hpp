// SPDX-License-Identifier: MIT
/// \file
/// How does a result fit into the bytes it may have? What is cut is counted, and said with the next move.
///
///     tc::tool<TicketSearch, tc::Page<Ticket>>("tickets_search").max_result_bytes(20'000, "refine status or query")
///     // {"results":[…],"returned":31,"complete":false,"next_cursor":"AQ…","truncated":{"rows":19,
///     //  "next":"pass next_cursor for the rest, or refine status or query"}}
///
/// First rows go from the end of a page, whose next_cursor then goes on exactly there. When one row is left, or the result
/// is no page, long texts are cut on a character boundary and end in "… (1234 more characters)"; never below 256 bytes,
/// never one with a pattern or format, and nothing inside a member that takes any JSON. What still does not fit is an
/// error. Nothing here is for users: ToolBuilder::max_result_bytes is.
///
/// Cost: nlohmann/json, through encode.hpp; a result within its cap is only measured.
#pragma once

#include <toolcontract/encode.hpp>
#include <toolcontract/page.hpp>
#include <toolcontract/text.hpp>

#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

/// How rows are taken from a page of unknown type.
struct PageAccess {
  std::shared_ptr<void> (*copy)(const void* page);
  std::size_t (*count)(const void* page);
  void (*keep)(void* page, std::size_t rows);
  const std::string* (*cursor)(const void* page);  ///< null: none
};
template <class P>
inline constexpr PageAccess page_access{
    [](const void* page) -> std::shared_ptr<void> { return std::make_unique<P>(*static_cast<const P*>(page)); },
    [](const void* page) { return static_cast<const P*>(page)->rows().size(); },
    [](void* page, std::size_t rows) { static_cast<P*>(page)->keep(rows); },
    [](const void* page) -> const std::string* {
      const auto& cursor = static_cast<const P*>(page)->next_cursor();
      return cursor ? &*cursor : nullptr;
    }};

/// What the results of one tool may take.
struct SizeCap {
  static constexpr std::size_t least = 512;
  static constexpr std::size_t least_text = 256;  ///< no text is cut to less

  std::size_t bytes = 0;             ///< 0: no cap
  std::size_t room = 0;              ///< of these, kept free for what is added to a stored result
  std::string narrow{};              ///< what a caller can do, as a clause: "refine status or query"
  const PageAccess* page = nullptr;  ///< null: the result is no page
};

inline constexpr std::string_view truncated_schema =
    R"({"type":"object","description":"What was cut because the result was too large: rows from the end of results, )"
    R"(characters from long texts. next says how to get the rest.","properties":{"rows":{"type":"integer"},)"
    R"("characters":{"type":"integer"},"next":{"type":"string"}},"required":["next"],"additionalProperties":false})";

/// Writes one result that is too large again and again, each time with less of it.
class Fitter {
 public:
  Fitter(const Schema& schema, const SizeCap& cap)
      : schema_(schema), cap_(cap), limit_(cap.bytes - (std::min)(cap.room, cap.bytes)) {}

  /// False when nothing helps.
  bool fit(const void* result, std::string& text) {
    result_ = result;
    if (cap_.page != nullptr && cap_.page->count(result) > 1) {
      page_ = cap_.page->copy(result);
      result_ = page_.get();
      if (drop_rows(text)) return true;
    }
    return cut_texts(text);
  }
  [[nodiscard]] std::size_t limit() const noexcept { return limit_; }

 private:
  // Keeps as many rows as fit, at least one.
  bool drop_rows(std::string& text) {
    const std::vector<std::size_t> sizes = row_sizes();
    std::size_t rows = sizes.size();
    std::size_t total = std::accumulate(sizes.begin(), sizes.end(), rows);  // a comma each
    for (std::size_t excess = total > limit_ ? total - limit_ : 1;;) {
      for (std::size_t freed = 0; rows > 1 && freed < excess;) freed += sizes[--rows] + 1;
      cap_.page->keep(page_.get(), rows);
      dropped_ = sizes.size() - rows;
      if (!write(text, nullptr)) return false;
      if (text.size() <= limit_) return true;
      if (rows == 1) return false;
      excess = text.size() - limit_;
    }
  }

  std::vector<std::size_t> row_sizes() const {
    const Schema& rows = schema_.fields.front().schema;  // results is the first member of a page
    const void* list = schema_.fields.front().value(result_);
    std::vector<std::size_t> sizes(rows.storage->count(list));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      TextWriter out;
      Unencodable fault;
      (void)write_object(out, *rows.items, rows.storage->read(list, i), fault);
      sizes[i] = out.text().size();
    }
    return sizes;
  }

  // The longest that texts may be for the whole to fit.
  bool cut_texts(std::string& text) {
    const auto fits = [&](std::size_t bytes) {
      TextCut cut{bytes, limit_, cap_.page != nullptr ? cap_.page->cursor(result_) : nullptr};
      std::string tried;
      if (!write(tried, &cut) || tried.size() > limit_) return false;
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

  bool write(std::string& text, TextCut* cut) const {
    TextWriter out;
    Unencodable fault;
    if (!ObjectWriter(out, fault, cut).value(schema_, result_, default_depth, {})) return false;
    text = out.take();
    const std::size_t characters = cut != nullptr ? cut->characters : 0;
    if (dropped_ == 0 && characters == 0) return true;
    out.begin_object();
    if (dropped_ > 0) out.key("rows").number(dropped_);
    if (characters > 0) out.key("characters").number(characters);
    const bool goes_on = dropped_ > 0 && cap_.page->cursor(result_) != nullptr;
    out.key("next").string((goes_on ? "pass next_cursor for the rest, or " : "") + cap_.narrow).end_object();
    text.pop_back();
    text.append(text.back() == '{' ? "" : ",").append(R"("truncated":)").append(out.text()).append("}");
    return true;
  }

  const Schema& schema_;
  const SizeCap& cap_;
  std::size_t limit_;
  const void* result_ = nullptr;
  std::shared_ptr<void> page_;
  std::size_t dropped_ = 0;
};

/// Writes a result, cut where it must be. False with the fault, which is too_large when there is nothing left to cut.
inline bool write_fitting(TextWriter& out, const Schema& schema, const void* result, const SizeCap& cap,
                          Unencodable& fault) {
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
