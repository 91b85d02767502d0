// SPDX-License-Identifier: MIT
/// \file
/// Errors as Catch2 shows them, so that a comparison that fails says what was compared. One definition for every test file.
#pragma once

#include <toolcontract/error.hpp>

#include <ostream>

namespace toolcontract {
inline namespace v0 {
inline std::ostream& operator<<(std::ostream& out, Category category) { return out << name(category); }
inline std::ostream& operator<<(std::ostream& out, Resolution resolution) { return out << name(resolution); }
inline std::ostream& operator<<(std::ostream& out, const Shown& shown) {
  return out << (shown.is_json() ? "json " : "text ") << shown.text();
}
inline std::ostream& operator<<(std::ostream& out, const FieldError& error) {
  out << error.field << '|' << error.code << '|' << error.problem << '|';
  return error.got ? out << *error.got : out << "nothing";
}
inline std::ostream& operator<<(std::ostream& out, const ErrorFacts& facts) {
  out << facts.code << ' ' << facts.category << '/' << facts.resolution << " \"" << facts.message << '"';
  for (const FieldError& error : facts.field_errors) out << " field{" << error << '}';
  out << " id=" << facts.budget.correlation_id << " attempt=" << facts.budget.attempt;
  if (facts.budget.max_attempts) out << '/' << *facts.budget.max_attempts;
  if (facts.budget.deadline_remaining) out << " deadline=" << facts.budget.deadline_remaining->count() << "ms";
  if (facts.retry_after) out << " retry_after=" << facts.retry_after->count() << "ms";
  if (facts.may_have_happened) out << " may_have_happened";
  if (facts.reconcile) out << " reconcile=" << facts.reconcile->tool << facts.reconcile->arguments;
  if (facts.confirmation)
    out << " confirmation=" << facts.confirmation->preview << '|' << facts.confirmation->how_to_proceed << '|'
        << facts.confirmation->ticket;
  out << " example=" << facts.example << " partial=" << facts.partial << " extra=" << facts.extra;
  if (facts.internal) out << " internal=" << facts.internal->for_report();
  return out;
}
}  // namespace v0
}  // namespace toolcontract
