// SPDX-License-Identifier: MIT
// node client_v1.mjs SUPPORT_SERVER: @modelcontextprotocol/sdk's client lists and calls the support desk.
import assert from 'node:assert/strict';
import test from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { consent, conversation, toolNames } from './desk.mjs';
import { tamperedResults } from './tamper.mjs';

const command = process.argv[2];

const connect = (t, ...args) => open(t, args, {});

/// With `ask`, the client shows questions: `ask(params)` is the person's answer.
async function open(t, args, { ask }) {
  const client = new Client({ name: 'interop', version: '1' }, { capabilities: ask ? { elicitation: {} } : {} });
  if (ask) client.setRequestHandler(ElicitRequestSchema, request => ask(request.params));
  t.after(() => client.close());
  client.onerror = error => assert.fail(error);  // a message this client cannot read
  const transport = new StdioClientTransport({ command, args, stderr: 'ignore' });
  await client.connect(transport);
  await client.listTools();  // from here on the client validates structured content
  return client;
}

test('the client connects by the newest revision it knows, and is told who answers', async t => {
  const client = await connect(t);
  assert.deepEqual(client.getServerVersion(), { name: 'support_server', title: 'Support desk', version: '0.1.0' });
  assert.deepEqual(client.getServerCapabilities(), { tools: {} });
  assert.match(client.getInstructions(), /^Orders, tickets and refunds/);
});

test('the client lists the tools, each with title, schemas and annotations', async t => {
  const client = await connect(t);
  const { tools, nextCursor } = await client.listTools();
  assert.deepEqual(tools.map(tool => tool.name), toolNames);
  assert.equal(nextCursor, undefined);
  for (const tool of tools) {
    assert.deepEqual(Object.keys(tool), ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']);
    assert.equal(tool.inputSchema.type, 'object');
    assert.equal(tool.outputSchema.type, 'object');
  }
  assert.deepEqual(tools[0].annotations, { readOnlyHint: true, openWorldHint: false });
  assert.deepEqual(tools.find(tool => tool.name === 'refunds_create').annotations,
    { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false });
});

conversation(connect);
consent((t, person) => open(t, [], person));
tamperedResults({ Client, StdioClientTransport, command, options: {} });
