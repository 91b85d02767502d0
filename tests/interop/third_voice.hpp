// SPDX-License-Identifier: MIT
/// \file
/// valijson's verdict, as a third voice beside ajv and decode. One translation unit knows it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>

namespace interop {

class ThirdVoice {
 public:
  explicit ThirdVoice(std::string_view schema);
  ~ThirdVoice();
  [[nodiscard]] bool accepts(const nlohmann::json& instance);

  /// Uses the schema a keyword that valijson 1.0 gets wrong (a format, a decimal multipleOf)?
  [[nodiscard]] static bool knows(const nlohmann::json& schema);
  /// Is there no value in the instance that it gets wrong: above INT64_MAX, a NUL character, a line break, which std::regex
  /// takes for an end? (1.0, which it takes for no integer, is shown to it as 1.)
  [[nodiscard]] static bool knows_value(const nlohmann::json& instance);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace interop
