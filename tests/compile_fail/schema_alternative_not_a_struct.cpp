// expect: toolcontract: each alternative of a union is a struct described with tc::object
#include <toolcontract/schema.hpp>

#include <variant>

namespace tc = toolcontract;

enum class Turn { left, right };
constexpr auto tool_schema(tc::type<Turn>) {
  return tc::enumeration(tc::value("left", Turn::left), tc::value("right", Turn::right));
}
using Step = std::variant<Turn>;
template <>
struct tc::Describe<Step> {
  static constexpr auto schema() { return tc::tagged("kind", tc::alternative<Turn>("turn")); }
};

const auto& schema = tc::detail::late_schema<Step>();
