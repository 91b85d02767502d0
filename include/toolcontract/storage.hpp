// SPDX-License-Identifier: MIT
/// \file
/// How a C++ value is reached through a schema: filled by decode, read by encode, without either knowing its type.
///
///     detail::Plain<std::int32_t>::schema()             // {types: integer, minimum: -2147483648, maximum: 2147483647}
///     detail::Plain<std::vector<Point>>::schema()       // {types: array, items: bound late to Point's description}
///
/// Integers narrower than 64 bits and floats carry their range in the schema, so that schema and check agree.
/// Nothing here is for users: schema.hpp is.
///
/// Cost: std only.
#pragma once

#include <toolcontract/table.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace toolcontract {
inline namespace v0 {
namespace detail {

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVariant : std::false_type {};
template <class... Ts>
struct IsVariant<std::variant<Ts...>> : std::true_type {};

/// An unconstrained JSON value; specialised for nlohmann::basic_json in check.hpp, where JSON values are known.
template <class T>
struct Anything : std::false_type {};

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
                  !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;
template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

template <class T>
const Schema& late_schema();

/// The schema of a C++ type that needs no description, or the late link to one that has it.
template <class T>
struct Plain {
  static constexpr bool is_described = true;
  static constexpr Schema schema() {
    Schema schema;
    schema.described.late = &late_schema<T>;
    return schema;
  }
};

constexpr Schema plain(Types types, const Storage& storage) {
  Schema schema;
  schema.types = types;
  schema.storage = &storage;
  return schema;
}

template <>
struct Plain<bool> {
  static constexpr bool is_described = false;
  static constexpr Storage storage{Storage::Form::boolean};
  static constexpr Schema schema() { return plain(Type::boolean, storage); }
};

template <Integer T>
struct Plain<T> {
  static constexpr bool is_described = false;
  static constexpr Storage storage{Storage::Form::integer, sizeof(T), std::is_signed_v<T>};
  static constexpr Schema schema() {
    Schema schema = plain(Type::integer, storage);
    if (sizeof(T) < 8 || std::is_unsigned_v<T>) schema.limits.minimum = Bound{(std::numeric_limits<T>::min)()};
    if (sizeof(T) < 8) schema.limits.maximum = Bound{(std::numeric_limits<T>::max)()};
    return schema;
  }
};

template <Real T>
struct Plain<T> {
  static constexpr bool is_described = false;
  static constexpr Storage storage{Storage::Form::real, sizeof(T), true};
  static constexpr Schema schema() {
    Schema schema = plain(Type::number, storage);
    if (sizeof(T) < sizeof(double)) {  // FLT_MAX as the decimal it is written as
      schema.limits.minimum = Bound{-3.4028235e38};
      schema.limits.maximum = Bound{3.4028235e38};
    }
    return schema;
  }
};

template <>
struct Plain<std::string> {
  static constexpr bool is_described = false;
  static constexpr Storage storage{Storage::Form::text};
  static constexpr Schema schema() { return plain(Type::string, storage); }
};

template <class T>
struct Plain<std::vector<T>> {
  static_assert(!std::same_as<T, bool>,
                "toolcontract: std::vector<bool> has no elements to point at; use std::vector of an enum");
  static_assert(!IsOptional<T>::value,
                "toolcontract: std::optional is for members of structs; an array has no absent elements");
  static constexpr bool is_described = false;
  using V = std::vector<T>;
  static constexpr Storage storage = [] {
    Storage storage{Storage::Form::sequence};
    storage.resize = [](void* self, std::size_t count) {
      static_cast<V*>(self)->clear();
      static_cast<V*>(self)->resize(count);
    };
    storage.at = [](void* self, std::size_t index) -> void* { return &(*static_cast<V*>(self))[index]; };
    storage.read = [](const void* self, std::size_t index) -> const void* {
      return &(*static_cast<const V*>(self))[index];
    };
    storage.count = [](const void* self) { return static_cast<const V*>(self)->size(); };
    return storage;
  }();
  static constexpr Schema schema() {
    Schema schema = plain(Type::array, storage);
    schema.items.late = &late_schema<T>;
    return schema;
  }
};

template <class T, std::size_t N>
struct Plain<std::array<T, N>> {
  static_assert(!IsOptional<T>::value,
                "toolcontract: std::optional is for members of structs; an array has no absent elements");
  static constexpr bool is_described = false;
  using A = std::array<T, N>;
  static constexpr Storage storage = [] {
    Storage storage{Storage::Form::fixed};
    storage.at = [](void* self, std::size_t index) -> void* { return &(*static_cast<A*>(self))[index]; };
    storage.read = [](const void* self, std::size_t index) -> const void* {
      return &(*static_cast<const A*>(self))[index];
    };
    storage.count = [](const void*) { return N; };
    return storage;
  }();
  static constexpr Schema schema() {
    Schema schema = plain(Type::array, storage);
    schema.items.late = &late_schema<T>;
    schema.limits.items = {N, N};
    return schema;
  }
};

template <class T, class... Rest>
struct Plain<std::map<std::string, T, Rest...>> {
  static_assert(!IsOptional<T>::value,
                "toolcontract: std::optional is for members of structs; a map has no absent values");
  static constexpr bool is_described = false;
  using M = std::map<std::string, T, Rest...>;
  static constexpr Storage storage = [] {
    Storage storage{Storage::Form::map};
    storage.count = [](const void* self) { return static_cast<const M*>(self)->size(); };
    storage.clear = [](void* self) { static_cast<M*>(self)->clear(); };
    storage.insert = [](void* self, std::string_view key) -> void* {
      return &(*static_cast<M*>(self))[std::string(key)];
    };
    storage.each = [](const void* self, void* context, Storage::Visit visit) {
      for (const auto& [key, value] : *static_cast<const M*>(self))
        if (!visit(context, key, &value)) return false;
      return true;
    };
    return storage;
  }();
  static constexpr Schema schema() {
    Schema schema = plain(Type::object, storage);
    schema.additional.late = &late_schema<T>;
    return schema;
  }
};

template <class T>
requires Anything<T>::value struct Plain<T> {
  static constexpr bool is_described = false;
  static constexpr Storage storage = Anything<T>::storage;
  static constexpr Schema schema() { return plain(Types::any(), storage); }
};

// ---- what a description adds: records, enums, unions, optional members ----------------------------------------------

template <class T>
inline constexpr Storage record_storage{Storage::Form::record};
constexpr Storage shortened(const Shortening& shortening) {
  Storage storage{Storage::Form::record};
  storage.shortening = &shortening;
  return storage;
}
template <class E>
inline constexpr Storage enum_storage{Storage::Form::enumerator, sizeof(E),
                                      std::is_signed_v<std::underlying_type_t<E>>};

template <class... Ts>
struct VariantAccess {
  using V = std::variant<Ts...>;
  static constexpr Storage storage = [] {
    Storage storage{Storage::Form::tagged};
    storage.at = [](void* self, std::size_t index) -> void* {
      using Emplace = void* (*)(V&);
      constexpr Emplace emplace[] = {[](V& variant) -> void* { return &variant.template emplace<Ts>(); }...};
      return emplace[index](*static_cast<V*>(self));
    };
    storage.read = [](const void* self, std::size_t) -> const void* {
      return std::visit([](const auto& active) -> const void* { return &active; }, *static_cast<const V*>(self));
    };
    storage.count = [](const void* self) { return static_cast<const V*>(self)->index(); };
    return storage;
  }();
};

template <class T>
inline constexpr OptionalAccess optional_access{
    [](void* optional) -> void* { return &static_cast<std::optional<T>*>(optional)->emplace(); },
    [](const void* optional) -> const void* {
      const auto& held = *static_cast<const std::optional<T>*>(optional);
      return held ? &*held : nullptr;
    }};

template <class M>
struct Unwrapped {
  using Value = M;
  static constexpr bool is_optional = false;
  static constexpr const OptionalAccess* access = nullptr;
};
template <class T>
struct Unwrapped<std::optional<T>> {
  static_assert(!IsOptional<T>::value, "toolcontract: a std::optional of a std::optional has one absence too many");
  using Value = T;
  static constexpr bool is_optional = true;  // g++ with UBSan does not compare `access` in a constant expression
  static constexpr const OptionalAccess* access = &optional_access<T>;
};

}  // namespace detail
}  // namespace v0
}  // namespace toolcontract
