// expect: toolcontract: run takes a step that is called with (Call&) and returns T or Result<T>; a step with an operation key is run(call, key, step)
#include <toolcontract/retry.hpp>

namespace tc = toolcontract;

void refund(const tc::Retrier& again, const tc::Call& call) {
  again.run(call, [](tc::Call&) {});
}
