// expect: toolcontract: tagged lists the alternatives of the variant, each once and in the variant's order
#include <toolcontract/schema.hpp>

#include <variant>

namespace tc = toolcontract;

struct Move {
  double x = 0;
};
constexpr auto tool_schema(tc::type<Move>) {
  return tc::object(tc::field<&Move::x>("x", "Metres to the right, e.g. 1.5."));
}
struct Turn {
  double by = 0;
};
constexpr auto tool_schema(tc::type<Turn>) {
  return tc::object(tc::field<&Turn::by>("by", "Degrees to the left, e.g. 90."));
}
using Step = std::variant<Move, Turn>;
template <>
struct tc::Describe<Step> {
  static constexpr auto schema() { return tc::tagged("kind", tc::alternative<Move>("move")); }
};

const auto& schema = tc::detail::late_schema<Step>();
