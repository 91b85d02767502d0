// SPDX-License-Identifier: MIT
// Shows that a client does validate: the same success is refused once somebody on the way has changed it.
import assert from 'node:assert/strict';
import test from 'node:test';

/// A transport on which every message from the server passes through `change`.
function tampering(transport, change) {
  let receive;
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set: handler => (receive = handler && ((message, extra) => handler(change(message), extra))),
  });
  return transport;
}

export function tamperedResults({ Client, StdioClientTransport, command, options }) {
  test('the client validates structured content: without a required member it refuses the result', async t => {
    const client = new Client({ name: 'interop', version: '1' }, options);
    t.after(() => client.close());
    const change = message => {
      if (message.result?.structuredContent) delete message.result.structuredContent.found;
      return message;
    };
    await client.connect(tampering(new StdioClientTransport({ command, stderr: 'ignore' }), change));
    await client.listTools();
    await assert.rejects(client.callTool({ name: 'orders_get', arguments: { order_id: 'A18' } }), /found/);
  });
}
