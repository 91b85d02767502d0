// SPDX-License-Identifier: MIT
/// \file
/// How keywords beyond a table look at a JSON value of whatever type.
///
///     JsonWalk<nlohmann::json, Walk> walk(work);
///     beyond.accepts(walk, &json, depth);         // beyond.hpp
///
/// Nothing here is for users.
///
/// Cost: nlohmann/json; templates only.
#pragma once

#include <toolcontract/beyond.hpp>
#include <toolcontract/json_value.hpp>

#include <cstddef>
#include <functional>
#include <string>

namespace toolcontract {
inline namespace v0 {
namespace detail {

template <BasicJson J>
class Acceptor;  // accept.hpp

/// Shows values of type J to what lies beyond a table. Base: Walk or Explanation.
template <BasicJson J, class Base>
class JsonWalk : public Base {
 public:
  using Base::Base;
  bool is_array(Opaque json) const override { return at(json).is_array(); }
  bool is_object(Opaque json) const override { return at(json).is_object(); }
  std::size_t size(Opaque json) const override { return at(json).size(); }
  Opaque element(Opaque array, std::size_t index) const override { return &at(array)[index]; }
  Opaque member(Opaque object, const std::string& name) const override {
    const auto found = at(object).find(name);
    return found == at(object).end() ? nullptr : &*found;
  }
  void each_member(Opaque object, const std::function<void(const std::string&, Opaque)>& visit) const override {
    for (const auto& [name, member] : at(object).template get_ref<const typename J::object_t&>()) visit(name, &member);
  }
  bool accepts(const Schema& schema, Opaque json, std::size_t depth) override {
    return Acceptor<J>(this->work).value(schema, at(json), nullptr, depth);
  }

 protected:
  static const J& at(Opaque json) { return *static_cast<const J*>(json); }
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
