// SPDX-License-Identifier: MIT
// node schemas.mjs SUPPORT_SERVER WIRE_SERVER: everything both servers emit, in every revision, against the official MCP
// schemas (2025-06-18 and later, in $TOOLCONTRACT_CORPUS/mcp-schema) and against lists written by hand (before that).
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { calls, lost, unknownTool } from './desk.mjs';
import { assertJsonRpcReply } from './lib.mjs';
import { Server, modernMeta } from './stdio.mjs';

const [supportServer, wireServer] = process.argv.slice(2);
const folder = join(process.env.TOOLCONTRACT_CORPUS ?? '', 'mcp-schema');
if (!process.env.TOOLCONTRACT_CORPUS) {
  console.log('LEFT OUT: the official MCP schemas are read from $TOOLCONTRACT_CORPUS/mcp-schema, and TOOLCONTRACT_CORPUS is not set');
  process.exit(77);
}
assert.ok(existsSync(folder), `${folder} does not exist`);

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
const isModern = revision => revision >= '2026-07-28';

// ---- what is asked --------------------------------------------------------------------------------------------------------

const initialize = revision => ({ expects: 'InitializeResult', method: 'initialize',
  params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'interop', version: '1' } } });
const discover = { expects: 'DiscoverResult', method: 'server/discover', params: {} };
const list = { expects: 'ListToolsResult', method: 'tools/list', params: {} };
const callOf = (name, args) => ({ expects: 'CallToolResult', method: 'tools/call', params: { name, arguments: args } });
const failing = (code, method, params) => ({ expects: code, method, params });

const deskRequests = revision => [
  isModern(revision) ? discover : initialize(revision),
  list,
  ...calls.map(call => callOf(call.tool, call.with)),
  callOf(lost.tool, lost.with),
  failing(-32602, 'tools/call', { name: unknownTool.tool, arguments: {} }),
  failing(-32602, 'tools/call', { arguments: {} }),
  failing(-32602, 'tools/list', { cursor: 'x' }),
  failing(-32601, 'resources/list', {}),
  ...(isModern(revision) ? [failing(-32601, 'ping', {}), failing(-32022, 'tools/list', { version: '2099-01-01' }),
                            failing(-32602, 'tools/list', { version: null })]
                         : [{ expects: 'EmptyResult', method: 'ping', params: {} }]),
];

const wireRequests = (revision, tools) => {
  const told = tools.find(tool => tool.name === 'endings_read').inputSchema.properties.ending.enum;
  const given = tools.filter(tool => Object.keys(tool.inputSchema.properties).length === 0);
  return [isModern(revision) ? discover : initialize(revision), list,
          ...['endings_read', 'endings_write'].flatMap(name => told.map(ending => callOf(name, { key: 'k', ending }))),
          ...given.map(tool => callOf(tool.name, {}))];
};

/// Sends the requests in the form the revision wants; gives [request, reply] pairs.
async function exchange(t, server, revision, requests) {
  t.after(() => server.kill());
  const pairs = [];
  for (const [id, { method, params, ...request }] of requests.entries()) {
    const { version = revision, ...rest } = params;
    const _meta = { ...modernMeta, 'io.modelcontextprotocol/protocolVersion': version };
    const sent = { id, method, params: isModern(revision) ? { ...rest, _meta } : rest };
    const reply = await server.request(sent);
    assertJsonRpcReply(reply);
    assert.equal(reply.id, id);
    pairs.push([{ ...request, ...sent }, reply]);
  }
  return pairs;
}

async function everything(t, revision) {
  const desk = await exchange(t, new Server(supportServer, '--lose-replies', '2'), revision, deskRequests(revision));
  const [[, listed]] = await exchange(t, new Server(wireServer), '2025-11-25', [list]);
  const wire = await exchange(t, new Server(wireServer), revision, wireRequests(revision, listed.result.tools));
  return [...desk, ...wire];
}

const toolsIn = pairs => pairs.filter(([request]) => request.method === 'tools/list').flatMap(([, reply]) => reply.result?.tools ?? []);

// ---- by the official schemas ------------------------------------------------------------------------------------------------

/// Definitions in which we want no member the revision does not name, though the schemas let any pass.
const closed = ['Tool', 'ToolAnnotations', 'TextContent', 'ImageContent', 'AudioContent', 'ResourceLink', 'EmbeddedResource',
                'TextResourceContents', 'BlobResourceContents', 'CallToolResult', 'ListToolsResult', 'InitializeResult', 'DiscoverResult',
                'Implementation', 'JSONRPCResponse', 'JSONRPCResultResponse', 'JSONRPCError', 'JSONRPCErrorResponse', 'Error'];
const errorDefinitions = { '-32601': 'MethodNotFoundError', '-32602': 'InvalidParamsError' };

function officialSchema(revision) {
  const schema = JSON.parse(readFileSync(join(folder, `${revision}.json`), 'utf8'));
  const [place, definitions] = schema.$defs ? ['$defs', schema.$defs] : ['definitions', schema.definitions];
  for (const name of closed)
    if (definitions[name]?.properties) definitions[name].additionalProperties = false;
  const ajv = addFormats(new (schema.$defs ? Ajv2020 : Ajv)({ strict: false, allErrors: true }));
  ajv.addSchema(schema, 'mcp');
  const assertIs = (name, value) => {
    const validate = ajv.getSchema(`mcp#/${place}/${name}`);
    assert.ok(validate, `${revision} has no ${name}`);
    assert.ok(validate(value), `${JSON.stringify(value)} is no ${name} of ${revision}: ${ajv.errorsText(validate.errors)}`);
  };
  return { assertIs, has: name => name in definitions };
}

for (const revision of revisions.filter(revision => revision >= '2025-06-18'))
  describe(`${revision}, by its schema`, () => {
    const official = officialSchema(revision);
    const responseName = official.has('JSONRPCResultResponse') ? 'JSONRPCResultResponse' : 'JSONRPCResponse';
    const errorName = official.has('JSONRPCErrorResponse') ? 'JSONRPCErrorResponse' : 'JSONRPCError';

    /// One reply, as a message and as the result or error that was asked for.
    function assertValid({ expects }, reply) {
      official.assertIs('JSONRPCMessage', reply);
      if (typeof expects === 'number') {
        assert.equal(reply.error?.code, expects);
        official.assertIs(errorName, reply);
        if (official.has(errorDefinitions[expects])) official.assertIs(errorDefinitions[expects], reply.error);
        if (expects === -32022) official.assertIs('UnsupportedProtocolVersionError', reply);
        return;
      }
      official.assertIs(responseName, reply);
      official.assertIs(expects, reply.result);
      if (official.has(`${expects}Response`)) official.assertIs(`${expects}Response`, reply);
    }

    test('every message is a JSON-RPC message and the result or error that was asked for', async t => {
      const pairs = await everything(t, revision);
      for (const [request, reply] of pairs) assertValid(request, reply);
      const kinds = {};
      for (const [{ expects }] of pairs) kinds[expects] = (kinds[expects] ?? 0) + 1;
      t.diagnostic(JSON.stringify(kinds));
      assert.ok(kinds.CallToolResult > 40, 'too few calls were made');
    });

    test('the check notices: each of these replies is refused once it is damaged', async t => {
      const pairs = await everything(t, revision);
      const first = expects => pairs.find(([request]) => request.expects === expects);
      const damages = [
        ['ListToolsResult', reply => (reply.result.tools[0].inputSchema.type = 'array')],
        ['ListToolsResult', reply => (reply.result.tools[0].description = null)],
        ['ListToolsResult', reply => (reply.result.tools[0].annotations.readOnlyHint = 'yes')],
        ['ListToolsResult', reply => (reply.result.tools[0].output_schema = {})],
        ['ListToolsResult', reply => (reply.result.nextCursor = null)],
        ['CallToolResult', reply => delete reply.result.content],
        ['CallToolResult', reply => (reply.result.content[0].type = 'txt')],
        ['CallToolResult', reply => (reply.result.is_error = true)],
        ['CallToolResult', reply => (reply.id = null)],
        [isModern(revision) ? 'DiscoverResult' : 'InitializeResult', reply => delete reply.result.capabilities],
        [-32601, reply => delete reply.error.message],
        [-32602, reply => (reply.error.code = '-32602')],
        ...(isModern(revision) ? [['ListToolsResult', reply => delete reply.result.ttlMs], ['CallToolResult', reply => delete reply.result.resultType],
                                  [-32022, reply => delete reply.error.data.supported]] : []),
      ];
      for (const [expects, damage] of damages) {
        const [request, reply] = structuredClone(first(expects));
        damage(reply);
        assert.throws(() => assertValid(request, reply), assert.AssertionError, `${expects} is not refused after ${damage}`);
      }
    });

    test('a question to a person is an elicitation request, sent or in an input_required result', async t => {
      const server = new Server(supportServer);
      t.after(() => server.kill());
      const capabilities = { elicitation: {} };
      const params = { name: 'tickets_create', arguments: { title: 'kettle leaks', customer_email: 'ada@example.com', idempotency_key: 'tk_1' } };
      if (isModern(revision)) {
        const _meta = { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': capabilities };
        const asked = await server.request({ id: 1, method: 'tools/call', params: { ...params, _meta } });
        assertValid({ expects: 'InputRequiredResult' }, asked);
        official.assertIs('ElicitRequest', asked.result.inputRequests.consent);
        assert.equal(asked.result.resultType, 'input_required');
        const inputResponses = { consent: { action: 'accept', content: {} } };
        const again = { ...params, _meta, inputResponses, requestState: asked.result.requestState };
        assertValid({ expects: 'CallToolResult' }, await server.request({ id: 2, method: 'tools/call', params: again }));
      } else {
        const { params: hello } = initialize(revision);
        await server.request({ id: 0, method: 'initialize', params: { ...hello, capabilities } });
        const question = await server.request({ id: 1, method: 'tools/call', params });
        official.assertIs('JSONRPCMessage', question);
        official.assertIs('ElicitRequest', question);
        const reply = await server.request({ id: question.id, result: { action: 'accept', content: {} } });
        assert.equal(reply.id, 1);
        assertValid({ expects: 'CallToolResult' }, reply);
      }
    });

    // JSON-RPC 2.0 wants a null id where none could be read; MCP's schemas from 2025-11-25 on know it as an absent one.
    if (revision >= '2025-11-25')
      test('an error about a line whose id cannot be read is an error response, but for the null in its id', async t => {
        const server = new Server(supportServer);
        t.after(() => server.kill());
        for (const [line, name] of [['{', 'ParseError'], ['[]', 'InvalidRequestError'], ['{"id":null}', 'InvalidRequestError']]) {
          const [{ id, ...reply }] = await server.answers(line + '\n');
          assert.equal(id, null);
          official.assertIs(errorName, reply);
          if (official.has(name)) official.assertIs(name, reply.error);
        }
      });
  });

// ---- by hand ----------------------------------------------------------------------------------------------------------------

const members = (value, allowed, what) =>
  Object.keys(value).forEach(key => assert.ok(allowed.includes(key), `${what} has ${key}: ${JSON.stringify(value)}`));

for (const revision of ['2024-11-05', '2025-03-26'])
  describe(`${revision}, by hand`, () => {
    const annotated = revision === '2025-03-26';

    test('no message has a member that came later', async t => {
      for (const [{ expects }, { result }] of await everything(t, revision)) {
        if (expects === 'InitializeResult') {
          members(result, ['protocolVersion', 'capabilities', 'serverInfo', 'instructions'], expects);
          members(result.serverInfo, ['name', 'version'], 'serverInfo');
          assert.equal(result.protocolVersion, revision);
        } else if (expects === 'ListToolsResult') {
          members(result, ['tools'], expects);
          for (const tool of result.tools) {
            members(tool, ['name', 'description', 'inputSchema', ...(annotated ? ['annotations'] : [])], 'Tool');
            assert.equal(tool.inputSchema.type, 'object');
            members(tool.annotations ?? {}, ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'], 'annotations');
          }
        } else if (expects === 'CallToolResult') {
          members(result, ['content', 'isError'], expects);
          for (const block of result.content) {
            const known = { text: ['text'], image: ['data', 'mimeType'], resource: ['resource'], ...(annotated ? { audio: ['data', 'mimeType'] } : {}) };
            assert.ok(block.type in known, `${block.type} is no block of ${revision}`);
            members(block, ['type', ...known[block.type]], 'content');
            members(block.resource ?? {}, ['uri', 'mimeType', 'text', 'blob'], 'resource');
          }
        }
      }
    });

    test(`the title ${annotated ? 'is an annotation' : 'and the annotations are left out'}`, async t => {
      const tool = toolsIn(await everything(t, revision)).find(tool => tool.name === 'orders_get');
      assert.deepEqual(tool.annotations, annotated ? { title: 'Look up order', readOnlyHint: true, openWorldHint: false } : undefined);
    });
  });

// ---- in every revision ------------------------------------------------------------------------------------------------------

for (const revision of revisions)
  describe(`${revision}, schemas inside`, () => {
    const takesStructured = revision >= '2025-06-18';

    test('every inputSchema and outputSchema is a 2020-12 schema that ajv compiles without a complaint', async t => {
      const tools = toolsIn(await everything(t, revision));
      assert.ok(tools.length > 25);
      for (const tool of tools)
        for (const schema of [tool.inputSchema, tool.outputSchema].filter(schema => schema !== undefined)) {
          const strict = { strict: true, strictTypes: true, strictTuples: true, strictRequired: true, allowUnionTypes: true };
          const ajv = addFormats(new Ajv2020(strict));
          assert.ok(ajv.validateSchema(schema), `${tool.name}: ${ajv.errorsText(ajv.errors)}`);
          ajv.compile(schema);
        }
    });

    test('a success begins with a text block, the same as its structured content, which fits the listed outputSchema', async t => {
      const pairs = await everything(t, revision);
      const ajv = addFormats(new Ajv2020({ strict: false }));
      const validators = new Map(toolsIn(pairs).map(({ name, outputSchema }) => [name, outputSchema && ajv.compile(outputSchema)]));
      let successes = 0;
      for (const [{ expects, params }, { result }] of pairs) {
        if (expects !== 'CallToolResult' || result.isError) continue;
        ++successes;
        assert.equal(result.content[0].type, 'text');
        assert.equal(result.content.length === 1, params.name !== 'blocks_get');
        assert.equal('structuredContent' in result, takesStructured);
        if (!takesStructured) continue;
        assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
        const validate = validators.get(params.name);
        assert.ok(validate(result.structuredContent), `${params.name}: ${ajv.errorsText(validate.errors)}`);
      }
      assert.ok(successes > 15);
    });

    test('every kind of block comes in the form the revision has, or in words', async t => {
      const pairs = await everything(t, revision);
      const [, { result }] = pairs.find(([{ params }]) => params.name === 'blocks_get');
      const data = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]).toString('base64');
      const text = text => ({ type: 'text', text });
      const resource = resource => ({ type: 'resource', resource });
      assert.deepEqual(result.content.slice(1), [
        text('The parcel from all sides, caf\ufffd.'),
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'image', data, mimeType: 'image/tiff' },
        revision >= '2025-03-26' ? { type: 'audio', data, mimeType: 'audio/wav' } : text('Not shown here: a sound recording (audio/wav, 10 bytes).'),
        revision >= '2025-06-18'
          ? { type: 'resource_link', uri: 'https://example.com/parcels/k1', name: 'k1', description: 'Where it is now.', mimeType: 'text/html' }
          : text('Link "k1" (text/html) to https://example.com/parcels/k1: Where it is now.'),
        text('Next: "Customs "declaration"" (application/pdf, 8 bytes).'),
        resource({ uri: 'document:6', mimeType: 'application/pdf', blob: Buffer.from('%PDF-1.7').toString('base64') }),
        resource({ uri: 'https://example.com/k1.csv', mimeType: 'text/csv', text: 'k1,1.5\n' }),
        text('Next: "All of it" (application/zip, 10 bytes).'),
        resource({ uri: 'document:8', mimeType: 'application/zip', blob: data }),
        text('Not shown here: an image (image/png, 0 bytes).'),
        text('Link "k1" to on my desk'),
      ]);
    });

    test('a failure has one text block, its envelope, and no structured content', async t => {
      let failures = 0;
      for (const [{ expects }, { result }] of await everything(t, revision)) {
        if (expects !== 'CallToolResult' || !result.isError) continue;
        ++failures;
        members(result, ['content', 'isError', ...(isModern(revision) ? ['resultType'] : [])], 'a failure');
        assert.deepEqual(result.content.map(block => Object.keys(block)), [['type', 'text']]);
        assert.deepEqual(Object.keys(JSON.parse(result.content[0].text)).slice(0, 9),
          ['error_code', 'category', 'retryable', 'resolution', 'message', 'field_errors', 'correlation_id', 'attempt', 'deadline_ms_remaining']);
      }
      assert.ok(failures > 25);
    });
  });
