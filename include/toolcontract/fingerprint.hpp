// SPDX-License-Identifier: MIT
/// \file
/// Are two calls the same call? Their arguments as one text: equal texts, equal calls.
///
///     detail::fingerprint(table_of<RefundInput>(), &input, key_field);
///     // arguments: {"amount_cents":1250,"currency":"EUR","order_id":"A18"}
///
/// Taken from the decoded arguments, so that 5 and 5.0, any order of members and a default left out or sent are the same.
/// Values of secret fields stand apart: they are compared, and nobody keeps them.
///
/// Cost: nlohmann/json.
#pragma once

#include <toolcontract/encode.hpp>
#include <toolcontract/equality.hpp>
#include <toolcontract/table.hpp>
#include <toolcontract/text.hpp>

#include <functional>
#include <limits>
#include <stdexcept>
#include <string>

namespace toolcontract {
inline namespace v0 {

/// What a call asks for.
struct Fingerprint {
  std::string arguments{};  ///< canonical JSON, "[redacted]" in place of a secret
  std::string secrets{};    ///< the secrets' values, for comparing only: never to be stored or shown; "" without any
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

namespace detail {

template <BasicJson J>
void take_secrets(const Schema& schema, J& json, J& secrets) {
  if (schema.secret) {
    secrets.push_back(std::move(json));
    json = "[redacted]";
    return;
  }
  if (json.is_array() && schema.items.present())
    for (J& element : json) take_secrets(*schema.items, element, secrets);
  if (!json.is_object()) return;
  for (const Field& field : schema.fields)
    if (const auto member = json.find(std::string(field.name)); member != json.end())
      take_secrets(field.schema, *member, secrets);
  for (const Alternative& alternative : schema.alternatives)
    if (text_of(json.at(std::string(schema.tag))) == alternative.tag) take_secrets(*alternative.schema, json, secrets);
  if (schema.is_map())
    for (J& member : json) take_secrets(*schema.additional, member, secrets);
}

/// Of a decoded input; the fields `without` and `and_without` are left out (null: none).
template <BasicJson J = nlohmann::json>
Fingerprint fingerprint(const Table& table, const void* input, const Field* without = nullptr,
                        const Field* and_without = nullptr) {
  TextWriter out;
  Unencodable fault;
  if (!write_object(out, table.root(), input, fault, (std::numeric_limits<std::size_t>::max)()))
    throw std::logic_error("decoded arguments cannot be written: " + fault.path + " " + fault.why);
  J json = J::parse(out.text());
  for (const Field* field : {without, and_without})
    if (field != nullptr) json.erase(std::string(field->name));
  J secrets = J::array();
  if (table.has_secret()) take_secrets(table.root(), json, secrets);
  return {canonical_text(json), secrets.empty() ? std::string() : canonical_text(secrets)};
}

/// For keeping in memory: secrets as a salted hash, so that no memory dump shows one.
inline Fingerprint veiled(const Fingerprint& fingerprint, const std::string& salt) {
  if (fingerprint.secrets.empty()) return fingerprint;
  return {fingerprint.arguments, std::to_string(std::hash<std::string>()(salt + fingerprint.secrets))};
}

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
