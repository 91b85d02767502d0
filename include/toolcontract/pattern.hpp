// SPDX-License-Identifier: MIT
/// \file
/// One compiled regular expression, as JSON Schema's `pattern` means it, in time linear in the text.
///
///     const tc::Pattern order("^A[0-9]+$");
///     order.matches("A17");            // true; like JSON Schema, unanchored patterns match anywhere
///     tc::Pattern("(?=a)b");           // throws PatternError: lookaround has no linear-time meaning
///
/// Patterns are written in ECMA-262 with its u flag (JSON Schema 2020-12, core 6.4) and run on RE2. What the two spell
/// differently is translated (\s, ., \uXXXX, \cX, (?<name>…)); what RE2 cannot mean (lookaround, backreferences, more than
/// 1000 repetitions) or ECMA does not know (\A, (?i), [[:alpha:]]) is refused, never reinterpreted. Where only the u flag
/// objects and older ECMA has one plain meaning (a stray brace, \@, [\w-.]), that meaning is taken.
///
/// Cost: RE2 and std. The only header that knows the engine; without RE2 no Pattern can be built and the error says so.
#pragma once

#include <toolcontract/ecma_pattern.hpp>
#include <toolcontract/utf8.hpp>

#include <memory>
#include <string>
#include <string_view>

#if TOOLCONTRACT_HAS_RE2
#include <re2/re2.h>
#endif

namespace toolcontract {
inline namespace v0 {

/// Immutable; safe to use from many threads at once.
class Pattern {
 public:
  /// \throws PatternError when the pattern is malformed, cannot run in linear time, or RE2 is not built in.
  explicit Pattern(std::string_view ecma);

  [[nodiscard]] bool matches(std::string_view text) const noexcept;
  [[nodiscard]] const std::string& source() const noexcept { return source_; }

 private:
  std::string source_;
#if TOOLCONTRACT_HAS_RE2
  std::unique_ptr<const RE2> engine_;
#endif
};

namespace detail {

/// One sentence about a pattern, which is shown up to 200 bytes.
inline std::string about_pattern(std::string_view ecma, std::string_view what) {
  const std::string_view shown = utf8::prefix(ecma, 200);
  return std::string("toolcontract: the pattern ")
      .append(shown)
      .append(shown.size() < ecma.size() ? "… " : " ")
      .append(what);
}

}  // namespace detail

#if TOOLCONTRACT_HAS_RE2
inline Pattern::Pattern(std::string_view ecma) : source_(ecma) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  try {
    engine_ = std::make_unique<const RE2>(detail::EcmaToRe2(ecma).translate(), options);
  } catch (const PatternError& refused) {
    throw PatternError(detail::about_pattern(source_, refused.what()));
  }
  if (!engine_->ok()) throw PatternError(detail::about_pattern(source_, "does not parse: " + engine_->error()));
}

inline bool Pattern::matches(std::string_view text) const noexcept {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *engine_);
}
#else
inline Pattern::Pattern(std::string_view ecma) : source_(ecma) {
  throw PatternError(detail::about_pattern(
      source_, "needs RE2; install RE2 (Debian: libre2-dev) and configure with TOOLCONTRACT_RE2=ON"));
}
inline bool Pattern::matches(std::string_view) const noexcept { return false; }
#endif

}  // namespace v0
}  // namespace toolcontract
