// expect: toolcontract: an alternative describes a field of the tag's name; leave it out, the union itself reads and writes the tag
#include <toolcontract/schema.hpp>

#include <string>
#include <variant>

namespace tc = toolcontract;

struct Move {
  std::string kind;
};
constexpr auto tool_schema(tc::type<Move>) { return tc::object(tc::field<&Move::kind>("kind", "Always 'move'.")); }
using Step = std::variant<Move>;
template <>
struct tc::Describe<Step> {
  static constexpr auto schema() { return tc::tagged("kind", tc::alternative<Move>("move")); }
};

const auto& schema = tc::detail::late_schema<Step>();
