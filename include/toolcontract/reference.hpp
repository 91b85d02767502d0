// SPDX-License-Identifier: MIT
/// \file
/// Where a `$ref` leads inside one JSON Schema document: pointers, anchors, embedded `$id`s.
///
///     detail::References<nlohmann::json> references(document, Dialect::draft_2020_12);
///     references.find("", "#/$defs/Color");       // the schema, its base URI and its JSON Pointer; nothing when absent
///
/// Nothing outside the document is ever fetched: a reference to elsewhere finds nothing and the document is refused.
/// Source of the rules: JSON Schema 2020-12 core, sections 8 and 9; draft-07, section 8; RFC 3986 section 5; RFC 6901.
///
/// Cost: nlohmann/json; templates only; runs while a document is compiled.
#pragma once

#include <toolcontract/equality.hpp>
#include <toolcontract/json_value.hpp>

#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace toolcontract {
inline namespace v0 {

/// The dialects a document may be written in.
enum class Dialect : unsigned char { draft_07, draft_2020_12 };

namespace detail {

/// Resolves a URI reference against a base (RFC 3986, 5.2). Both may be "" or relative; no scheme is special.
inline std::string resolve_uri(std::string_view base, std::string_view reference) {
  struct Uri {
    std::string_view scheme, authority, path, query;
    bool has_authority = false, has_query = false;
    explicit Uri(std::string_view text) {
      text = text.substr(0, text.find('#'));
      const std::size_t colon = text.find_first_of(":/?");
      if (colon != text.npos && text[colon] == ':' && colon > 0) {
        scheme = text.substr(0, colon);
        text.remove_prefix(colon + 1);
      }
      if (const std::size_t mark = text.find('?'); mark != text.npos) {
        has_query = true;
        query = text.substr(mark + 1);
        text = text.substr(0, mark);
      }
      if (text.starts_with("//")) {
        has_authority = true;
        const std::size_t slash = (std::min)(text.find('/', 2), text.size());
        authority = text.substr(2, slash - 2);
        text.remove_prefix(slash);
      }
      path = text;
    }
  };
  const auto without_dots = [](std::string_view path) {
    std::string clean;
    while (!path.empty()) {
      const std::size_t end = (std::min)(path.find('/', 1), path.size());
      const std::string_view segment = path.substr(0, end);
      path.remove_prefix(end);
      const std::string_view name = segment.substr(segment.starts_with('/') ? 1 : 0);
      if (name == ".." || name == ".") {
        if (name == "..") clean.resize(clean.rfind('/') == clean.npos ? 0 : clean.rfind('/'));
        if (path.empty()) clean += '/';
      } else {
        clean += segment;
      }
    }
    return clean;
  };

  const Uri from(base), to(reference);
  Uri target = to;
  std::string path(to.path);
  if (to.scheme.empty()) {
    target.scheme = from.scheme;
    if (!to.has_authority) {
      target.authority = from.authority;
      target.has_authority = from.has_authority;
      if (to.path.empty()) {
        path = from.path;
        if (!to.has_query) target.query = from.query, target.has_query = from.has_query;
      } else if (!to.path.starts_with('/')) {
        const std::size_t slash = from.path.rfind('/');
        const bool rooted = from.has_authority && from.path.empty();
        path = (rooted ? "/" : std::string(slash == from.path.npos ? "" : from.path.substr(0, slash + 1))) + path;
      }
    }
  }
  std::string uri;
  if (!target.scheme.empty()) uri.append(target.scheme).append(":");
  if (target.has_authority) uri.append("//").append(target.authority);
  uri += path.find("/.") == path.npos && !path.starts_with('.') ? path : without_dots(path);
  if (target.has_query) uri.append("?").append(target.query);
  return uri;
}

/// "%25" to "%"; nothing when an escape is malformed.
inline std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded += text[i];
      continue;
    }
    unsigned value = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const auto [end, failed] = std::from_chars(text.data() + i + 1, text.data() + i + 3, value, 16);
    if (failed != std::errc() || end != text.data() + i + 3) return std::nullopt;
    decoded += static_cast<char>(value);
    i += 2;
  }
  return decoded;
}

/// A JSON Pointer token, escaped.
inline std::string pointer_token(std::string_view key) {
  std::string token = "/";
  for (const char c : key) {
    if (c == '~')
      token += "~0";
    else if (c == '/')
      token += "~1";
    else
      token += c;
  }
  return token;
}

template <BasicJson J>
class References {
 public:
  struct Place {
    const J* schema;
    std::string base;     ///< URI that references inside are resolved against
    std::string pointer;  ///< JSON Pointer from the document's root
  };

  References(const J& document, Dialect dialect) : document_(document), dialect_(dialect) {
    resources_.emplace("", Place{&document, "", ""});
    index(document, "", "", 0);
  }

  /// The schema `reference` leads to when it stands under `base`.
  [[nodiscard]] std::optional<Place> find(std::string_view base, std::string_view reference) const {
    const std::size_t hash = reference.find('#');
    const std::string uri = resolve_uri(base, reference.substr(0, hash));
    const auto fragment = percent_decoded(hash == reference.npos ? "" : reference.substr(hash + 1));
    const auto resource = resources_.find(uri);
    if (resource == resources_.end() || !fragment) return std::nullopt;
    if (fragment->empty()) return resource->second;
    if (fragment->starts_with('/')) return follow(resource->second, *fragment);
    const auto anchor = anchors_.find(uri + "#" + *fragment);
    return anchor == anchors_.end() ? std::nullopt : std::optional(anchor->second);
  }

  /// The base URI inside `schema`, which stands under `base`.
  [[nodiscard]] std::string base_of(const J& schema, const std::string& base) const {
    const std::string_view id = text(schema, "$id");
    const bool ignored = dialect_ == Dialect::draft_07 && schema.is_object() && schema.contains("$ref");
    return id.empty() || id.starts_with('#') || ignored ? base : resolve_uri(base, id);
  }

  /// A `$id` or anchor that stands twice, as its JSON Pointer; "" when all are different.
  [[nodiscard]] const std::string& duplicate() const noexcept { return duplicate_; }

 private:
  static std::string_view text(const J& schema, const char* key) {
    if (!schema.is_object()) return {};
    const auto member = schema.find(key);
    return member == schema.end() || !member->is_string() ? std::string_view() : std::string_view(text_of(*member));
  }

  void index(const J& schema, const std::string& outer, const std::string& pointer, std::size_t depth) {
    constexpr std::size_t most_depth = 256;
    if (!schema.is_object() || depth > most_depth) return;
    const std::string base = base_of(schema, outer);
    const Place place{&schema, base, pointer};
    const auto add = [&](auto& places, std::string key, const char* keyword) {
      const auto [at, is_new] = places.emplace(std::move(key), place);
      if (!is_new && at->second.schema != &schema && at->first != "") duplicate_ = pointer + "/" + keyword;
    };
    if (base != outer) add(resources_, base, "$id");
    const std::string_view id = text(schema, "$id");
    if (dialect_ == Dialect::draft_07 && id.starts_with('#')) add(anchors_, base + std::string(id), "$id");
    if (dialect_ == Dialect::draft_2020_12)
      for (const char* keyword : {"$anchor", "$dynamicAnchor"})
        if (const std::string_view name = text(schema, keyword); !name.empty())
          add(anchors_, base + "#" + std::string(name), keyword);

    for (const auto& [key, value] : schema.template get_ref<const typename J::object_t&>()) {
      const std::string at = pointer + pointer_token(key);
      if (holds_schema(key)) {
        index(value, base, at, depth + 1);
        if (value.is_array())
          for (std::size_t i = 0; i < value.size(); ++i) index(value[i], base, at + "/" + std::to_string(i), depth + 1);
      } else if (holds_schemas_by_name(key) && value.is_object()) {
        for (const auto& [name, inner] : value.template get_ref<const typename J::object_t&>())
          index(inner, base, at + pointer_token(name), depth + 1);
      }
    }
  }

  static bool holds_schema(std::string_view key) {
    for (const std::string_view one :
         {"items", "prefixItems", "additionalItems", "additionalProperties", "propertyNames", "contains", "allOf",
          "anyOf", "oneOf", "not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties", "contentSchema"})
      if (key == one) return true;
    return false;
  }
  static bool holds_schemas_by_name(std::string_view key) {
    for (const std::string_view one :
         {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
      if (key == one) return true;
    return false;
  }

  std::optional<Place> follow(const Place& from, std::string_view pointer) const {
    Place at = from;
    while (!pointer.empty()) {
      const std::size_t end = (std::min)(pointer.find('/', 1), pointer.size());
      std::string token;
      for (std::size_t i = 1; i < end; ++i) {
        const bool escaped = pointer[i] == '~' && i + 1 < end;
        token += !escaped ? pointer[i] : pointer[++i] == '1' ? '/' : '~';
      }
      at.pointer += pointer.substr(0, end);
      pointer.remove_prefix(end);
      if (at.schema->is_object()) {
        const auto member = at.schema->find(token);
        if (member == at.schema->end()) return std::nullopt;
        at.schema = &*member;
      } else if (at.schema->is_array()) {
        std::size_t position = 0;
        const auto [stop, failed] = std::from_chars(token.data(), token.data() + token.size(), position);
        if (failed != std::errc() || stop != token.data() + token.size() || position >= at.schema->size())
          return std::nullopt;
        at.schema = &(*at.schema)[position];
      } else {
        return std::nullopt;
      }
      if (!pointer.empty()) at.base = base_of(*at.schema, at.base);
    }
    return at;
  }

  const J& document_;
  Dialect dialect_;
  std::map<std::string, Place> resources_;
  std::map<std::string, Place> anchors_;
  std::string duplicate_;
};

}  // namespace detail

}  // namespace v0
}  // namespace toolcontract
