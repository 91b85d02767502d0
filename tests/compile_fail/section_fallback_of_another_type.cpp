// expect: toolcontract: fallback takes a callable Result<T>(), asked only where it is needed
#include <toolcontract/section.hpp>

#include <string>

namespace tc = toolcontract;

void test(tc::Section<double>& price) {
  price.fallback("mirror", [] { return std::string("1.5"); });
}
