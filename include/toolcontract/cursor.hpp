// SPDX-License-Identifier: MIT
/// \file
/// Where does the next page start? Cursors: opaque, and good only for the tool, the filter and the order they came from.
///
///     const tc::Cursors<TicketSearch> cursors("tickets_search", "id asc", &TicketSearch::cursor, &TicketSearch::limit);
///     …
///     .handle([=, &shop](const TicketSearch& in) -> tc::Result<tc::Page<Ticket>> {
///       const auto start = cursors.at(in);
///       if (!start) return start.error();    // INVALID_CURSOR: "must be a next_cursor from tickets_search; start again without it"
///       return tc::page(shop.tickets_after(start->position(), in, in.limit + 1), in.limit, start->after(&Ticket::id));
///     })
///
/// A position is the key of the last row that was shown, not a count of rows: rows that are added or deleted meanwhile
/// then move nothing. Bound to the filter means: to every argument but cursor and limit.
///
/// Without a seal a cursor is only encoded: whoever holds one can read its position, and could make one up. It holds no
/// argument, and a damaged or foreign one is still refused. With a seal (`sealed_by`) its position is encrypted, nobody can
/// make one, and it is bound to secret arguments too; it ends with the keys that made it.
///
/// Cost: nlohmann/json, through fingerprint.hpp; a page costs one fingerprint of its arguments.
#pragma once

#include <toolcontract/definition.hpp>
#include <toolcontract/error.hpp>
#include <toolcontract/fingerprint.hpp>
#include <toolcontract/seal.hpp>
#include <toolcontract/table.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace toolcontract {
inline namespace v0 {

namespace detail {

/// What a cursor is bound to.
struct CursorContext {
  std::string open;    ///< what an unsealed cursor may be checked against
  std::string sealed;  ///< the same, and the secrets among the arguments: never outside a seal
  const Seal* seal = nullptr;
};

[[nodiscard]] std::string cursor_text(const CursorContext& context, std::string_view position);
/// Nothing, and why: for a report.
[[nodiscard]] std::optional<std::string> cursor_position(const CursorContext& context, std::string_view text,
                                                         std::string_view& why);

/// The cursor after a row: its key at once, the cursor itself only where a page ends.
template <class Key>
class CursorAfterKey {
 public:
  CursorAfterKey(CursorContext context, std::string sort, Key key)
      : context_(std::move(context)), sort_(std::move(sort)), key_(std::move(key)) {}

  template <class T>
  [[nodiscard]] std::string position(const T& row) const {
    const auto& key = std::invoke(key_, row);
    if constexpr (std::integral<std::remove_cvref_t<decltype(key)>>)
      return std::to_string(key);
    else
      return std::string(std::string_view(key));
  }
  [[nodiscard]] std::function<std::string(const std::string&)> seal() const {
    return [context = context_](const std::string& position) { return cursor_text(context, position); };
  }
  [[nodiscard]] const std::string& sort() const noexcept { return sort_; }
  template <class T>
  requires std::invocable<const Key&, const T&> std::string operator()(const T& row) const {
    return cursor_text(context_, position(row));
  }

 private:
  CursorContext context_;
  std::string sort_;
  Key key_;
};

}  // namespace detail

/// Where one page starts, and the cursors that follow from it. Made by Cursors::at.
class PageStart {
 public:
  /// After which row: what `after` made of the last one shown. Nothing: from the beginning.
  [[nodiscard]] const std::optional<std::string>& position() const noexcept { return position_; }

  /// For tc::page: what tells a row from all others and sorts it, as text or an integer: a member or a callable.
  /// `after(&Ticket::id)`; with two sort keys a callable that writes both into one text.
  template <class Key>
  [[nodiscard]] detail::CursorAfterKey<Key> after(Key key) const {
    return {context_, sort_, std::move(key)};
  }
  /// The cursor that goes on after this position, for pages that are put together by hand.
  [[nodiscard]] std::string cursor_after(std::string_view position) const {
    return detail::cursor_text(context_, position);
  }

 private:
  template <class In>
  friend class Cursors;
  PageStart(std::optional<std::string> position, detail::CursorContext context, std::string sort)
      : position_(std::move(position)), context_(std::move(context)), sort_(std::move(sort)) {}

  std::optional<std::string> position_;
  detail::CursorContext context_;
  std::string sort_;
};

/// The cursors of one tool. Cheap enough to copy into its handler.
template <class In>
class Cursors {
 public:
  /// `sort` is the order in words, its last key unique; it is what tc::page says of the order. `cursor` and `limit` are the
  /// two members of the input that are no part of the filter.
  /// \throws DefinitionError when one of them is no described field.
  template <class C, class D, std::integral L>
  Cursors(ToolName tool, std::string sort, std::optional<std::string> C::*cursor, L D::*limit)
      : Cursors(tool, std::move(sort), cursor) {
    static_assert(std::is_base_of_v<D, In>, "toolcontract: Cursors<Input> takes members of that input");
    limit_ = field_of(tool, limit);
  }
  /// Of an input without a limit.
  template <class C>
  Cursors(ToolName tool, std::string sort, std::optional<std::string> C::*cursor)
      : tool_(tool.text()), sort_(std::move(sort)) {
    static_assert(std::is_base_of_v<C, In>, "toolcontract: Cursors<Input> takes members of that input");
    cursor_ = field_of(tool, cursor);
  }

  /// Encrypted and tamper-evident from now on; unsealed ones are no longer taken. The seal outlives the tool.
  [[nodiscard]] Cursors sealed_by(const Seal& seal) && {
    seal_ = &seal;
    return std::move(*this);
  }

  /// Where the page that was asked for starts. The error is INVALID_CURSOR (validation).
  [[nodiscard]] Result<PageStart> at(const In& in) const { return at(in, std::string_view()); }
  /// The same for cursors that are good for one principal only.
  [[nodiscard]] Result<PageStart> at(const In& in, const Call& call) const {
    return at(in, std::string_view(call.principal));
  }

 private:
  template <class C, class M>
  static const Field* field_of(ToolName tool, M C::*member) {
    In input{};
    for (const Field& field : table_of<In>().root().fields)
      if (field.address(&input) == static_cast<const void*>(&(input.*member))) return &field;
    throw DefinitionError("toolcontract: tool " + std::string(tool.text()) +
                          ": Cursors names a member that is no described field");
  }

  [[nodiscard]] Result<PageStart> at(const In& in, std::string_view principal) const {
    detail::CursorContext context = context_of(in, principal);
    const auto* cursor = static_cast<const std::string*>(cursor_->value(&in));
    if (cursor == nullptr) return PageStart(std::nullopt, std::move(context), sort_);
    std::string_view why;
    auto position = detail::cursor_position(context, *cursor, why);
    if (position) return PageStart(std::move(position), std::move(context), sort_);
    const std::string name(cursor_->name);
    return validation("INVALID_CURSOR", "The value of " + name + " is not one that " + tool_ +
                                            " gave for these arguments; start again without it.")
        .field(name, "rule", "must be a next_cursor from " + tool_ + "; start again without it", *cursor)
        .internal("the cursor " + std::string(why));
  }

  [[nodiscard]] detail::CursorContext context_of(const In& in, std::string_view principal) const {
    const Fingerprint filter = detail::fingerprint(table_of<In>(), &in, cursor_, limit_);
    detail::CursorContext context;
    for (const std::string_view part :
         {std::string_view(tool_), std::string_view(sort_), principal, std::string_view(filter.arguments)})
      context.open.append(std::to_string(part.size())).append(":").append(part);  // no two lists of parts read alike
    if (seal_ != nullptr) context.sealed = context.open + filter.secrets;
    context.seal = seal_;
    return context;
  }

  std::string tool_;
  std::string sort_;
  const Field* cursor_ = nullptr;
  const Field* limit_ = nullptr;  // null: there is none
  const Seal* seal_ = nullptr;
};

namespace detail {

// The first byte of a cursor says how to read the rest; a new way gets a new number, and old cursors end as invalid.
inline constexpr char cursor_plain = 1;   // 8 bytes of checksum, the position
inline constexpr char cursor_sealed = 2;  // the position, sealed

inline constexpr std::string_view base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// RFC 4648, section 5, without padding.
inline std::string to_base64url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char byte : bytes) {
    bits = (bits << 8) | static_cast<unsigned char>(byte);
    for (held += 8; held >= 6; held -= 6) text += base64url[(bits >> (held - 6)) & 63];
  }
  if (held > 0) text += base64url[(bits << (6 - held)) & 63];
  return text;
}

/// Nothing for anything that to_base64url does not write: one text for each bytes.
inline std::optional<std::string> from_base64url(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char letter : text) {
    const std::size_t value = base64url.find(letter);
    if (value == base64url.npos) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>((bits >> held) & 255);
  }
  const std::uint32_t left_over = bits & ((1U << held) - 1);
  if (held == 6 || left_over != 0) return std::nullopt;
  return bytes;
}

/// FNV-1a over context and position, stirred: finds accidents and foreign cursors, and is no proof against forgery.
inline std::string cursor_checksum(std::string_view context, std::string_view position) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const std::string_view part : {context, position})
    for (const char byte : part) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
  hash ^= context.size();
  hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBULL;
  hash ^= hash >> 31;
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>((hash >> shift) & 255);
  return bytes;
}

inline std::string cursor_text(const CursorContext& context, std::string_view position) {
  if (context.seal != nullptr) return to_base64url(cursor_sealed + context.seal->seal(position, context.sealed));
  return to_base64url((cursor_plain + cursor_checksum(context.open, position)).append(position));
}

inline std::optional<std::string> cursor_position(const CursorContext& context, std::string_view text,
                                                  std::string_view& why) {
  const std::optional<std::string> bytes = from_base64url(text);
  if (!bytes || bytes->empty()) return why = "is not written as one", std::nullopt;
  const std::string_view rest = std::string_view(*bytes).substr(1);
  if (bytes->front() != (context.seal != nullptr ? cursor_sealed : cursor_plain))
    return why = "is of another version, or sealed where no seal is set, or the other way round", std::nullopt;
  if (context.seal != nullptr) {
    auto position = context.seal->open(rest, context.sealed);
    if (!position) why = "does not open: damaged, of other arguments, or sealed with a key that has been retired";
    return position;
  }
  if (rest.size() >= 8 && rest.substr(0, 8) == cursor_checksum(context.open, rest.substr(8)))
    return std::string(rest.substr(8));
  return why = "is damaged, or of other arguments", std::nullopt;
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
