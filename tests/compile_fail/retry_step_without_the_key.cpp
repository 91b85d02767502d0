// expect: toolcontract: run with a key takes a step that is called with (Call&, const std::string& key), sends that key, and returns T or Result<T>
#include <toolcontract/retry.hpp>

namespace tc = toolcontract;

void refund(const tc::Retrier& again, const tc::Call& call) {
  again.run(call, "op_7f3a", [](tc::Call&) { return 1; });
}
