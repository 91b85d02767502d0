// SPDX-License-Identifier: MIT
/// \file
/// One part of a result, and where it comes from: its own source, a fallback, or a cache of a known age.
///
///     tc::Section<Price> price("exchange", exchange.price(in.symbol));
///     price.fallback("mirror", [&] { return mirror.price(in.symbol); })          // asked only where there is no value yet
///         .cache("cache", cache.age(in.symbol), cache.find(in.symbol));
///     // {"status":"degraded","source":"cache","source_name":"cache","age_seconds":540,"failed":[{"source":"exchange",…}],
///     //  "value":{…}}
///     const tc::Result<tc::Overall> overall = tc::overall(price, news);    // an error where every section is unavailable
///
/// A section is true at every step: it is ok only with its primary's value, degraded with any other, and every failure
/// before that stands in it. Business and permission errors, and arguments that are wrong, are answers and no failures to
/// answer: nobody else is asked then, and no cache speaks against them.
///
/// Cost: nlohmann/json; one table a type.
#pragma once

#include <toolcontract/error.hpp>
#include <toolcontract/merge.hpp>
#include <toolcontract/schema.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace toolcontract {
inline namespace v0 {

enum class SectionStatus : unsigned char {
  ok,           ///< From its own source, just now.
  degraded,     ///< From a fallback or a cache: label it as such.
  unavailable,  ///< Not there; `failed` says why.
};
constexpr auto tool_schema(type<SectionStatus>) {
  return enumeration(value("ok", SectionStatus::ok),
                     value("degraded", SectionStatus::degraded, "from a fallback or a cache, say so when you use it"),
                     value("unavailable", SectionStatus::unavailable, "not there, say so"));
}

enum class SectionSource : unsigned char { primary, fallback, cache };
constexpr auto tool_schema(type<SectionSource>) {
  return enumeration(value("primary", SectionSource::primary), value("fallback", SectionSource::fallback),
                     value("cache", SectionSource::cache));
}

/// Of a result made of sections.
enum class Overall : unsigned char {
  ok,        ///< Every section is ok.
  degraded,  ///< Every section is there, not all of them from their own source.
  partial,   ///< At least one is unavailable.
};
constexpr auto tool_schema(type<Overall>) {
  return enumeration(value("ok", Overall::ok),
                     value("degraded", Overall::degraded, "all there, some of it from a fallback or a cache"),
                     value("partial", Overall::partial, "some of it is missing"));
}

/// A described type, as a member of a result.
template <class T>
class Section {
 public:
  Section() = default;  ///< unavailable, and nobody was asked
  Section(std::string_view primary, Result<T> given) {
    if (given)
      take(SectionStatus::ok, SectionSource::primary, primary, std::move(*given));
    else
      fail(primary, std::move(given).error());
  }

  /// Asks `Result<T> ask()` where there is no value yet and nobody has answered.
  template <class F>
  Section& fallback(std::string_view name, F&& ask) {
    static_assert(std::is_convertible_v<std::invoke_result_t<F&>, Result<T>>,
                  "toolcontract: fallback takes a callable Result<T>(), asked only where it is needed");
    if (!open()) return *this;
    Result<T> given = ask();
    if (given)
      take(SectionStatus::degraded, SectionSource::fallback, name, std::move(*given));
    else
      fail(name, std::move(given).error());
    return *this;
  }
  /// Takes `kept`, `age` old, where there is no value yet and nobody has answered.
  Section& cache(std::string_view name, std::chrono::seconds age, std::optional<T> kept) {
    if (!open() || !kept) return *this;
    take(SectionStatus::degraded, SectionSource::cache, name, std::move(*kept));
    age_seconds_ = static_cast<std::int64_t>((std::max)(age, std::chrono::seconds(0)).count());
    return *this;
  }

  [[nodiscard]] SectionStatus status() const noexcept { return status_; }
  /// Nothing while unavailable.
  [[nodiscard]] std::optional<SectionSource> source() const noexcept { return source_; }
  [[nodiscard]] const std::optional<T>& value() const noexcept { return value_; }
  [[nodiscard]] const std::vector<Failure>& failed() const noexcept { return failed_; }
  /// The failures as errors, for merge; empty in a section that was decoded.
  [[nodiscard]] const std::vector<SourcedError>& errors() const noexcept { return errors_; }

  friend constexpr auto tool_schema(type<Section>) {
    return object(field<&Section::status_>("status", "Whether it is there, and as it should be."),
                  field<&Section::source_>("source", "Where the value comes from."),
                  field<&Section::source_name_>("source_name", "The name of that source, e.g. 'mirror'."),
                  field<&Section::age_seconds_>("age_seconds", "How old a cached value is, e.g. 540."),
                  field<&Section::failed_>("failed", "Better sources that gave no answer, and why."),
                  field<&Section::value_>("value", "What it is about; absent while unavailable."));
  }

 private:
  /// No value, and no answer that is a no.
  [[nodiscard]] bool open() const {
    if (status_ != SectionStatus::unavailable) return false;
    for (const Failure& failure : failed_)
      if (failure.category == Category::business || failure.category == Category::permission ||
          failure.resolution == Resolution::fix_input || failure.resolution == Resolution::abort)
        return false;
    return true;
  }
  void take(SectionStatus status, SectionSource source, std::string_view name, T value) {
    status_ = status;
    source_ = source;
    source_name_ = detail::shortened(name, 120);
    value_ = std::move(value);
  }
  void fail(std::string_view name, ToolError error) {
    errors_.push_back({std::string(name), std::move(error)});
    failed_ = detail::failures_of<>(errors_);
  }

  SectionStatus status_ = SectionStatus::unavailable;
  std::optional<SectionSource> source_;
  std::optional<std::string> source_name_;
  std::optional<std::int64_t> age_seconds_;
  std::vector<Failure> failed_;
  std::optional<T> value_;
  std::vector<SourcedError> errors_;
};

/// What the sections are together; where every one is unavailable, one error with all of their failures.
template <class... Ts>
[[nodiscard]] Result<Overall> overall(const Section<Ts>&... sections) {
  static_assert(sizeof...(Ts) > 0, "toolcontract: overall takes at least one section");
  const bool any = ((sections.status() != SectionStatus::unavailable) || ...);
  if (!any) {
    std::vector<SourcedError> errors;
    (errors.insert(errors.end(), sections.errors().begin(), sections.errors().end()), ...);
    if (!errors.empty()) return merge<>(errors, "Every part of the result is unavailable.");
  }
  if (((sections.status() == SectionStatus::unavailable) || ...)) return Overall::partial;
  return ((sections.status() == SectionStatus::degraded) || ...) ? Overall::degraded : Overall::ok;
}

}  // namespace v0
}  // namespace toolcontract
