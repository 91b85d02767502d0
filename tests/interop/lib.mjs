// SPDX-License-Identifier: MIT
// What several tests need: repeatable randomness, and what a JSON-RPC reply is.
import assert from 'node:assert/strict';

/// Numbers that look random and come out the same for the same seed (mulberry32).
export function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = n => next() % n;
  return { below, of: list => list[below(list.length)] };
}

/// A reply as JSON-RPC 2.0 (section 5) has it: an id, null only with an error, and either a result or an error.
export function assertJsonRpcReply(message, about = '') {
  const says = what => `${what} in ${JSON.stringify(message)} ${about}`;
  const { jsonrpc, id, result, error, ...rest } = message;
  assert.equal(jsonrpc, '2.0', says('jsonrpc'));
  assert.deepEqual(rest, {}, says('unknown members'));
  assert.ok(typeof id === 'string' || Number.isInteger(id) || (id === null && error !== undefined), says('id'));
  assert.notEqual(result === undefined, error === undefined, says('either result or error'));
  if (error !== undefined) {
    const { code, message: why, data, ...unknown } = error;
    assert.ok(Number.isInteger(code) && typeof why === 'string' && why !== '', says('error'));
    assert.deepEqual(unknown, {}, says('unknown members of the error'));
  } else {
    assert.ok(typeof result === 'object' && result !== null && !Array.isArray(result), says('result'));
  }
}
