// SPDX-License-Identifier: MIT
// generate [SEED [INSTANCES_PER_TYPE]]: for each shared described type its emitted JSON schema, then instances with our
// verdict, as lines of JSON for differential.mjs:
//
//   {"schema":3,"type":"Formats","input":{…},"output":{…}}
//   {"schema":3,"accepts":true,"excluded":null,"third":null,"encoded":{…},"instance":{…}}
//
// accepts: what decode says, by every way in (a sorted and an ordered JSON value, text, the explaining walk), which must
// all agree. excluded: the rule by which this instance is no question for ajv. third: valijson's verdict, null where it
// cannot be asked. encoded: an accepted instance once decoded and encoded again.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <toolcontract/toolcontract.hpp>
#include <vector>

#include "../samples.hpp"
#include "instances.hpp"
#if TOOLCONTRACT_HAS_VALIJSON
#include "third_voice.hpp"
#endif

namespace {

using interop::Json;
namespace tc = toolcontract;

constexpr double exact_in_double = 9007199254740992;  // 2^53: from here on JavaScript rounds integers

bool has_inexact_integer(const Json& value) {
  if (value.is_number()) return std::fabs(value.get<double>()) >= exact_in_double;
  if (value.is_structured())
    for (const Json& inner : value)
      if (has_inexact_integer(inner)) return true;
  return false;
}

/// ajv's uniqueItems never sees the text __proto__ twice (strings are keys of one plain object to it), calls an object's
/// own member toString, and compares what its members constructor and valueOf hold by identity.
bool confuses_unique_items(const Json& value) {
  if (value == "__proto__") return true;
  if (value.is_object() && (value.contains("toString") || value.contains("valueOf") || value.contains("constructor")))
    return true;
  if (value.is_structured())
    for (const Json& inner : value)
      if (confuses_unique_items(inner)) return true;
  return false;
}

/// More than six decimals, or more than ten million: beyond what ajv's multipleOfPrecision can tell.
bool beyond_precision(const Json& number) {
  const std::string text = number.dump();
  const std::size_t point = text.find('.');
  return std::fabs(number.get<double>()) > 1e7 || text.find('e') != text.npos ||
         (point != text.npos && text.size() - point > 7);
}

/// Why ajv cannot be asked about this instance; nullptr where it can.
const char* exclusion(const tc::Schema& schema, const Json& value) {
  if (value.is_number()) {
    const double number = value.get<double>();
    const bool integers_only = schema.types.has(tc::Type::integer) && !schema.types.has(tc::Type::number);
    if (integers_only && std::fabs(number) >= exact_in_double) return "64-bit range";
    const auto& step = schema.limits.multiple_of;
    if (step && !step->is_integer() && beyond_precision(value)) return "multipleOf beyond ajv's precision";
  }
  if (value.is_string() && schema.as_string && tc::detail::is_integer_text(value.get_ref<const std::string&>()))
    if (!tc::accepts(schema, value)) return "bounds of an integer sent as a string";
  if (value.is_string() && schema.limits.format != tc::Format::none &&
      !tc::matches_format(schema.limits.format, value.get_ref<const std::string&>()))
    return "format (has a suite of its own)";
  if (value.is_array() && schema.limits.unique && has_inexact_integer(value)) return "64-bit range";
  if (value.is_array() && schema.limits.unique && confuses_unique_items(value))
    return "uniqueItems where ajv's equality fails";
  if (value.is_array() && schema.items.present())
    for (const Json& item : value)
      if (const char* why = exclusion(*schema.items, item)) return why;
  if (!value.is_object()) return nullptr;
  const tc::Schema* record = &schema;
  for (const tc::Alternative& alternative : schema.alternatives) {
    const auto tag = value.find(std::string(schema.tag));
    if (tag != value.end() && tag->is_string() && *tag == alternative.tag) record = &*alternative.schema;
  }
  for (const auto& [key, member] : value.items()) {
    const tc::Field* field = tc::detail::find_field(*record, key);
    const tc::Schema* inside = field != nullptr ? &field->schema : schema.is_map() ? &*schema.additional : nullptr;
    if (inside == nullptr) continue;
    if (const char* why = exclusion(*inside, member)) return why;
  }
  return nullptr;
}

/// The schema's part of decode's verdict: a cross-field rule is not in the schema.
template <class T>
bool is_schema_sound(const tc::Result<T>& decoded) {
  if (decoded) return true;
  for (const tc::FieldError& fault : decoded.error().field_errors())
    if (fault.code != "rule") return false;
  return true;
}

struct Generate {
  std::uint64_t seed;
  std::size_t count;
  int& index;
  bool& agree;

  template <class T>
  void operator()(std::string_view type) const {
    const tc::Table& table = tc::table_of<T>();
    const std::string input = tc::json_schema_text<T>(tc::Direction::input);
    std::printf("{\"schema\":%d,\"type\":\"%s\",\"input\":%s,\"output\":%s}\n", index, std::string(type).c_str(),
                input.c_str(), tc::json_schema_text<T>(tc::Direction::output).c_str());
    interop::Instances instances(Json::parse(input), interop::RandomValues(interop::landmarks_of(table),
                                                                           seed + static_cast<std::uint64_t>(index)));
#if TOOLCONTRACT_HAS_VALIJSON
    std::optional<interop::ThirdVoice> third;
    if (interop::ThirdVoice::knows(Json::parse(input))) third.emplace(input);
#endif
    for (std::size_t i = 0; i < count; ++i) {
      const Json value = instances.next();
      const std::string text = value.dump();
      const bool accepts = tc::accepts(table.root(), value);
      const auto decoded = tc::decode<T>(value);
      const bool verdicts[] = {accepts,
                               tc::accepts(table.root(), nlohmann::ordered_json::parse(text)),
                               tc::explain(table.root(), value).empty(),
                               tc::explain(table.root(), nlohmann::ordered_json::parse(text)).empty(),
                               is_schema_sound(decoded),
                               is_schema_sound(tc::decode<T>(nlohmann::ordered_json::parse(text))),
                               is_schema_sound(tc::decode<T>(std::string_view(text)))};
      for (const bool verdict : verdicts) {
        if (verdict == accepts) continue;
        std::fprintf(stderr, "our own ways in disagree on %s %s\n", std::string(type).c_str(), text.c_str());
        agree = false;
        break;
      }
      const char* excluded = exclusion(table.root(), value);
      std::string_view voice = "null";
#if TOOLCONTRACT_HAS_VALIJSON
      if (third && interop::ThirdVoice::knows_value(value)) voice = third->accepts(value) ? "true" : "false";
#endif
      std::string encoded = "null";
      if (decoded) {
        const auto again = tc::encode_text(*decoded);
        encoded = again ? *again : "\"" + again.error().code() + "\"";
      }
      std::printf("{\"schema\":%d,\"accepts\":%s,\"excluded\":%s%s%s,\"third\":%s,\"encoded\":%s,\"instance\":%s}\n",
                  index, accepts ? "true" : "false", excluded != nullptr ? "\"" : "",
                  excluded != nullptr ? excluded : "null", excluded != nullptr ? "\"" : "", std::string(voice).c_str(),
                  encoded.c_str(), text.c_str());
    }
    ++index;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20261130;
  const std::size_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 4000;
  int index = 0;
  bool agree = true;
  samples::for_each_type(Generate{seed, count, index, agree});
  return agree ? 0 : 1;
}
