// SPDX-License-Identifier: MIT
// node client_v2.mjs SUPPORT_SERVER: @modelcontextprotocol/client lists and calls the support desk, in each of its modes.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { consent, conversation, toolNames } from './desk.mjs';
import { tamperedResults } from './tamper.mjs';

const command = process.argv[2];
const modes = [
  { mode: 'legacy', era: 'legacy', version: '2025-11-25' },
  { mode: 'auto', era: 'modern', version: '2026-07-28' },
  { mode: { pin: '2026-07-28' }, era: 'modern', version: '2026-07-28' },
];

for (const { mode, era, version } of modes)
  describe(`mode ${JSON.stringify(mode)}`, () => {
    const options = { versionNegotiation: { mode } };
    const connect = (t, ...args) => open(t, args, {});
    const open = async (t, args, { ask }) => {
      const client = new Client({ name: 'interop', version: '1' }, { ...options, capabilities: ask ? { elicitation: {} } : {} });
      if (ask) client.setRequestHandler('elicitation/create', async request => ask(request.params));
      t.after(() => client.close());
      client.onerror = error => assert.fail(error);
      await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
      await client.listTools();
      return client;
    };

    test(`the client speaks ${version} with the server`, async t => {
      const client = await connect(t);
      assert.equal(client.getProtocolEra(), era);
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      assert.deepEqual(client.getServerVersion(), { name: 'support_server', title: 'Support desk', version: '0.1.0' });
      assert.deepEqual(client.getServerCapabilities(), { tools: {} });
      assert.match(client.getInstructions(), /^Orders, tickets and refunds/);
    });

    test('the client lists the tools, each with title, schemas and annotations', async t => {
      const client = await connect(t);
      const { tools, ...rest } = await client.listTools();
      assert.deepEqual(tools.map(tool => tool.name), toolNames);
      assert.deepEqual(rest, era === 'modern' ? { ttlMs: 300000, cacheScope: 'public' } : {});
      for (const tool of tools)
        assert.deepEqual(Object.keys(tool), ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']);
    });

    conversation(connect);
    consent((t, person) => open(t, [], person));
    tamperedResults({ Client, StdioClientTransport, command, options });
  });
