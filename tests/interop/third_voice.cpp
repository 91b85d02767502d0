// SPDX-License-Identifier: MIT
#include "third_voice.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

namespace interop {

using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

struct ThirdVoice::Parts {
  Json document;
  valijson::Schema schema;
  valijson::Validator validator;
};

ThirdVoice::ThirdVoice(std::string_view schema) : parts_(new Parts{Json::parse(schema), {}, {}}) {
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(Adapter(parts_->document), parts_->schema);
}

ThirdVoice::~ThirdVoice() = default;

namespace {

/// The same value, with integers written as integers.
Json without_points(Json value) {
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::trunc(number) == number && std::fabs(number) < 9e15) return static_cast<std::int64_t>(number);
  }
  if (value.is_structured())
    for (Json& inner : value) inner = without_points(std::move(inner));
  return value;
}

}  // namespace

bool ThirdVoice::accepts(const Json& instance) {
  const Json shown = without_points(instance);
  return parts_->validator.validate(parts_->schema, Adapter(shown), nullptr);
}

bool ThirdVoice::knows(const Json& schema) {
  if (!schema.is_structured()) return true;
  if (schema.is_object()) {
    if (const auto format = schema.find("format"); format != schema.end() && format->is_string()) return false;
    if (const auto step = schema.find("multipleOf"); step != schema.end() && step->is_number_float()) return false;
  }
  for (const Json& inner : schema)
    if (!knows(inner)) return false;
  return true;
}

bool ThirdVoice::knows_value(const Json& instance) {
  const auto legible = [](const std::string& text) {
    return text.find_first_of(std::string("\0\n\r", 3)) == text.npos;
  };
  if (instance.is_string()) return legible(instance.get_ref<const std::string&>());
  if (instance.is_number_float()) return std::fabs(instance.get<double>()) < 9e15;
  if (instance.is_number_unsigned())
    return instance.get<std::uint64_t>() <= static_cast<std::uint64_t>((std::numeric_limits<std::int64_t>::max)());
  if (!instance.is_structured()) return true;
  for (const auto& [key, inner] : instance.items())
    if (!legible(key) || !knows_value(inner)) return false;
  return true;
}

}  // namespace interop
