// SPDX-License-Identifier: MIT
// node results.mjs WIRE_SERVER: every kind of error, and results that are no plain objects, through both clients on both
// eras of the protocol.
import assert from 'node:assert/strict';
import test, { describe } from 'node:test';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { assertFailure, assertSuccess, envelope } from './desk.mjs';

const command = process.argv[2];
const clients = [
  { says: 'sdk 1.x, 2025-11-25', Client: ClientV1, Transport: TransportV1, options: {}, wrapped: true },
  { says: 'client 2.x, 2025-11-25', Client: ClientV2, Transport: TransportV2, options: { versionNegotiation: { mode: 'legacy' } }, wrapped: true },
  { says: 'client 2.x, 2026-07-28', Client: ClientV2, Transport: TransportV2, options: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    wrapped: false },
];

// ---- errors -------------------------------------------------------------------------------------------------------------

const example = { example: { key: 'k1', ending: 'success' } };
const reconcile = { reconcile: { tool: 'endings_read', arguments: { key: 'k7' } } };
const rateLimited = envelope('RATE_LIMITED', 'transient', 'retry', 'Parcel k7 was not weighed: too many this minute.', [], { retry_after_ms: 2000 });
const unreadable = more => envelope('PARCEL_UNREADABLE', 'validation', 'fix_input', 'Parcel k7 has a label that cannot be read.',
  [{ field: 'key', code: 'rule', problem: 'must be on the label', got: 'k7' }], { ...more, partial: { scanned: ['front'] } });
const confirmation = envelope('CONFIRMATION_REQUIRED', 'permission', 'escalate', 'Opening parcel k7 needs a human\'s consent.', [],
  { needs_confirmation: true, preview: 'Open parcel k7', how_to_proceed: 'Ask the customer, then call again.', ticket: 'tk_1' });

/// What both tools say; where reading and writing differ, [read, write].
const endings = {
  transient: envelope('UPSTREAM_UNAVAILABLE', 'transient', 'retry', 'The scales for parcel k7 are being restarted.'),
  rate_limited: rateLimited,
  validation: [unreadable(example), unreadable({})],
  malformed_upstream: envelope('MALFORMED_UPSTREAM', 'validation', 'escalate', 'The upstream reply was malformed: expected a weight, got an HTML page.'),
  business: envelope('CONFLICT', 'business', 'abort', 'Parcel k7 was weighed already.'),
  escalated: envelope('PARCEL_HELD', 'business', 'escalate', 'Parcel k7 is held by customs.'),
  permission: envelope('FORBIDDEN', 'permission', 'escalate', 'Parcel k7 belongs to somebody else.'),
  confirmation,
  timed_out: [
    envelope('TIMED_OUT', 'transient', 'retry', 'Weighing parcel k7 timed out; nothing was changed, so the same call may be repeated.'),
    envelope('OUTCOME_UNKNOWN', 'unknown', 'reconcile',
      'Weighing parcel k7 timed out; it may or may not have happened. Find out before doing it again.', [], reconcile)],
  exception: [
    envelope('INTERNAL_ERROR', 'unknown', 'escalate', 'endings_read failed unexpectedly; nothing was changed.'),
    envelope('INTERNAL_ERROR', 'unknown', 'reconcile',
      'endings_write failed unexpectedly and may have taken effect. Find out before calling it again.', [], reconcile)],
  not_a_number: [
    envelope('INTERNAL_ERROR', 'unknown', 'escalate', 'endings_read failed unexpectedly; nothing was changed.'),
    envelope('RESULT_UNAVAILABLE', 'unknown', 'reconcile',
      'endings_write took effect, but its result cannot be given. Do not call it again; find out what it did.', [], reconcile)],
};

// ---- results ------------------------------------------------------------------------------------------------------------

const leaf = { text: 'no', replies: [], quoted: {} };
const tree = { text: 'yes', replies: [leaf], quoted: { ada: leaf } };
const results = {
  points_list: [{ x: 1, y: 2 }, { x: 3, y: 4.5 }],
  points_empty: [],
  shape_get: { kind: 'circle', radius: 2 },  // a union: its schema has no type of its own, so it is wrapped as well
  json_object: { a: [1, null] },
  json_null: null,
  number_get: 4503599627370497,
  forest_get: [tree, leaf],
  text_broken: 'caf\ufffd',
};

for (const { says, Client, Transport, options, wrapped } of clients)
  describe(says, () => {
    const connect = async t => {
      const client = new Client({ name: 'interop', version: '1' }, options);
      t.after(() => client.close());
      client.onerror = error => assert.fail(error);
      await client.connect(new Transport({ command, stderr: 'ignore' }));
      await client.listTools();
      return client;
    };

    test('each kind of error arrives as its whole envelope, whether the tool reads or writes', async t => {
      const client = await connect(t);
      const { tools } = await client.listTools();
      const told = tools.find(tool => tool.name === 'endings_read').inputSchema.properties.ending.enum;
      assert.deepEqual(Object.keys(endings), told.filter(ending => ending !== 'success'), 'no kind is left out');
      for (const [ending, expected] of Object.entries(endings))
        for (const [index, name] of ['endings_read', 'endings_write'].entries())
          await t.test(`${name}: ${ending}`, async () => {
            const result = await client.callTool({ name, arguments: { key: 'k7', ending } });
            assertFailure(result, Array.isArray(expected) ? expected[index] : expected);
            assert.doesNotMatch(JSON.stringify(result), /pg:|hunter2|<html>/, 'what is internal stays inside');
          });
    });

    test(`a result that is no plain object ${wrapped ? 'is wrapped' : 'comes bare'}, and fits the listed schema`, async t => {
      const client = await connect(t);
      for (const [name, value] of Object.entries(results))
        await t.test(name, async () =>
          assertSuccess(await client.callTool({ name, arguments: {} }), wrapped ? { result: value } : value));
    });

    test('what comes with a result arrives beside its JSON, which stays first', async t => {
      const { content, structuredContent, isError } = await (await connect(t)).callTool({ name: 'blocks_get', arguments: {} });
      assert.deepEqual([structuredContent, isError], [{ kilograms: 1.5 }, undefined]);
      assert.deepEqual(JSON.parse(content[0].text), structuredContent);
      assert.deepEqual(content.map(block => block.type),
        ['text', 'text', 'image', 'image', 'audio', 'resource_link', 'text', 'resource', 'resource', 'text', 'resource', 'text', 'text']);
      assert.deepEqual([...Buffer.from(content[2].data, 'base64')], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]);
    });

    test('a result that contains itself is an object like any other', async t => {
      assertSuccess(await (await connect(t)).callTool({ name: 'tree_get', arguments: {} }), tree);
    });
  });
