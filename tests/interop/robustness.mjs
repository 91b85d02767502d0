// SPDX-License-Identifier: MIT
// node robustness.mjs SUPPORT_SERVER [SEED]: whatever a line holds, the server answers or ignores it as JSON-RPC says, and
// goes on. Every check ends with a ping that must be answered by its own id (see stdio.mjs).
import assert from 'node:assert/strict';
import test from 'node:test';
import { assertJsonRpcReply, random } from './lib.mjs';
import { Server, modernMeta } from './stdio.mjs';

const command = process.argv[2];
const seed = Number(process.argv[3] ?? 20261130);

const limit = 10 * 1024 * 1024 + 64 * 1024;  // tc::mcp::message_limits().bytes

const text = message => JSON.stringify({ jsonrpc: '2.0', ...message });
const call = (id, name, args, more = {}) => text({ id, method: 'tools/call', params: { name, arguments: args, ...more } });
/// A call of orders_get with `raw` where its arguments stand.
const rawCall = (id, raw) => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"orders_get","arguments":${raw}}}`;

/// The one answer to one line.
async function answer(server, line) {
  const answers = await server.answers(Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
  assert.equal(answers.length, 1, `${String(line).slice(0, 100)} got ${JSON.stringify(answers)}`);
  assertJsonRpcReply(answers[0]);
  return answers[0];
}

async function isProtocolError(server, line, id, code) {
  const reply = await answer(server, line);
  assert.deepEqual([reply.id, reply.error?.code], [id, code], `${String(line).slice(0, 200)} got ${JSON.stringify(reply)}`);
  return reply.error;
}

/// The line is answered as a tool's result: an error envelope with these [field, code] pairs.
async function isToolError(server, line, id, faults) {
  const reply = await answer(server, line);
  assert.deepEqual([reply.id, reply.result?.isError], [id, true], `${String(line).slice(0, 200)} got ${JSON.stringify(reply)}`);
  const envelope = JSON.parse(reply.result.content[0].text);
  assert.deepEqual([envelope.error_code, envelope.category, envelope.resolution], ['INVALID_ARGUMENTS', 'validation', 'fix_input']);
  assert.deepEqual(envelope.field_errors.map(({ field, code }) => [field, code]), faults);
  return envelope;
}

async function isIgnored(server, line) {
  const answers = await server.answers(Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
  assert.deepEqual(answers, [], `${String(line).slice(0, 200)} must not be answered`);
}

/// One server for each test; it must end by itself, with 0, when its input does.
function robust(says, body) {
  test(says, async t => {
    const server = new Server(command);
    let ended = false;
    t.after(() => ended || server.kill());
    await body(server);
    assert.deepEqual(await server.end(), { code: 0, signal: null, lines: [] });
    ended = true;
  });
}

robust('a line that is not JSON gets one -32700 without an id', async server => {
  for (const line of ['no json', '{', '}', '[', '"', '{"jsonrpc":"2.0","id":1,"method":"ping"', '{"a":1}{"b":2}', '{"a":1},', "{'a':1}",
                      '[1,]', '{"a":1,}', 'nul', '01', '1e', '-', '"\\x"', '"\\ud800"', '{"a"}', '{1:2}', '//', text({ id: 1 }) + 'x'])
    await isProtocolError(server, line, null, -32700);
});

robust('JSON that is no object gets one -32600, a batch too', async server => {
  const ping = text({ id: 1, method: 'ping' });
  for (const line of ['1', '"ping"', 'null', 'true', '1.5e300', '[]', '[1]', `[${ping}]`, `[${ping},${ping},${ping}]`, `[[${ping}]]`])
    await isProtocolError(server, line, null, -32600);
});

robust('blank lines are no messages', async server => {
  for (const line of ['', ' ', '\t', '\r', ' \t \r']) await isIgnored(server, line);
});

robust('CRLF ends a line as LF does, blanks may stand around a message, and a byte order mark may stand before it', async server => {
  const ping = text({ id: 1, method: 'ping' });
  for (const line of [`${ping}\r`, `  ${ping}\t `, `\ufeff${ping}`, ping.replaceAll(',', ' ,\t').replaceAll(':', ' : ')])
    assert.deepEqual(await answer(server, line), { jsonrpc: '2.0', id: 1, result: {} });
});

robust('an id comes back exactly, whatever string or 64-bit integer it is', async server => {
  const integers = ['0', '-1', '9007199254740993', '-9223372036854775808', '18446744073709551615'];
  for (const id of [...integers, '""', '"1"', '"\\u0000\\"ü😀"', `"${'x'.repeat(5000)}"`]) {
    await server.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
    assert.equal(await server.line(), `{"jsonrpc":"2.0","id":${id},"result":{}}`);
  }
});

robust('an id that is neither a string nor an integer gets -32600 without an id', async server => {
  for (const id of ['null', 'true', '1.5', '[]', '{}', '[1]', '1e400', '99999999999999999999999'])
    for (const method of ['ping', 'tools/list', 'nonsense'])
      await isProtocolError(server, `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`, null, -32600);
});

robust('without jsonrpc 2.0 or a method a request gets -32600 with its id', async server => {
  for (const line of ['{"id":7,"method":"ping"}', '{"jsonrpc":"1.0","id":7,"method":"ping"}', '{"jsonrpc":2.0,"id":7,"method":"ping"}',
                      '{"jsonrpc":null,"id":7,"method":"ping"}', text({ id: 7 }), text({ id: 7, method: null }), text({ id: 7, method: 3 }),
                      text({ id: 7, method: ['ping'] }), text({ id: 7, method: { ping: 1 } }), text({ id: 7, params: {} })])
    await isProtocolError(server, line, 7, -32600);
});

robust('an unknown method gets -32601', async server => {
  for (const method of ['', 'Ping', 'tools/listing', 'resources/list', 'rpc.discover', '\u0000', 'x'.repeat(100_000)])
    await isProtocolError(server, text({ id: 'm', method }), 'm', -32601);
});

robust('params of a wrong type get -32602', async server => {
  for (const params of [null, true, 1, 'x', [], [1], [{}]])
    for (const method of ['initialize', 'ping', 'tools/list', 'tools/call', 'server/discover'])
      await isProtocolError(server, text({ id: 1, method, params }), 1, -32602);
  for (const name of [undefined, null, true, 1, [], {}, ['orders_get']])
    await isProtocolError(server, text({ id: 1, method: 'tools/call', params: { name, arguments: {} } }), 1, -32602);
  for (const cursor of [null, 1, '', 'x'])
    await isProtocolError(server, text({ id: 1, method: 'tools/list', params: { cursor } }), 1, -32602);
  await isProtocolError(server, text({ id: 1, method: 'tools/call' }), 1, -32602);
});

robust('an unknown tool gets -32602, whatever its name and arguments are', async server => {
  for (const name of ['', 'orders', 'ORDERS_GET', '\u0000', '../../etc/passwd', '😀'.repeat(50_000)])
    for (const args of [{}, { order_id: 1 }, 5, null])
      await isProtocolError(server, call('u', name, args), 'u', -32602);
});

robust('arguments of a wrong type are the tool\'s error', async server => {
  for (const args of ['null', 'true', '1', '"{}"', '[]', '[{"order_id":"A18"}]'])
    await isToolError(server, rawCall(3, args), 3, [['', 'type']]);
  for (const value of ['null', 'true', '18', '1.5', '[]', '{}', '["A18"]'])
    await isToolError(server, rawCall(3, `{"order_id":${value}}`), 3, [['order_id', 'type']]);
});

robust('arguments that are left out are none', async server => {
  const reply = await answer(server, text({ id: 4, method: 'tools/call', params: { name: 'orders_get' } }));
  assert.equal(JSON.parse(reply.result.content[0].text).field_errors[0].code, 'required');
});

robust('a notification gets no answer and runs nothing', async server => {
  const methods = ['notifications/initialized', 'notifications/cancelled', 'ping', 'initialize', 'tools/list', 'server/discover', 'nonsense', ''];
  for (const method of methods)
    for (const params of [undefined, {}, [], null]) await isIgnored(server, text({ method, params }));
  const refund = { order_id: 'A18', operation_id: 'op_silent', amount_cents: 1, currency: 'EUR' };
  await isIgnored(server, text({ method: 'tools/call', params: { name: 'refunds_create', arguments: refund } }));
  await isIgnored(server, '{"jsonrpc":"2.0","method":"tools/call","params":{"a":1,"a":2}}');
  const found = await answer(server, call(5, 'refunds_get', { operation_id: 'op_silent' }));
  assert.deepEqual(found.result.structuredContent, { found: false });
});

robust('a response is never answered, or two peers could answer each other for ever', async server => {
  for (const id of ['1', '"x"', 'null', '1.5', '{}', '[]'])
    for (const outcome of ['"result":{}', '"result":null', '"error":{"code":-32600,"message":"x"}', '"error":7', '"result":1,"error":2'])
      await isIgnored(server, `{"jsonrpc":"2.0","id":${id},${outcome}}`);
  await isIgnored(server, '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}');
});

robust('a NUL byte is not JSON, escaped it is a character like any other', async server => {
  const ping = Buffer.from(text({ id: 1, method: 'ping' }));
  const nul = Buffer.from([0]);
  for (const at of [0, 1, 10, ping.length])
    await isProtocolError(server, Buffer.concat([ping.subarray(0, at), nul, ping.subarray(at)]), null, -32700);
  await isProtocolError(server, nul, null, -32700);
  await isProtocolError(server, Buffer.concat([Buffer.from('{"a":"'), nul, Buffer.from('"}')]), null, -32700);
  await isToolError(server, rawCall(1, '{"order_id":"A1\\u0000"}'), 1, [['order_id', 'pattern']]);
});

robust('bytes that are no UTF-8 are the tool\'s error inside arguments, and -32600 elsewhere', async server => {
  const broken = { stray: [0xff], continuation: [0x80], overlong: [0xc0, 0x80], surrogate: [0xed, 0xa0, 0x80], cut: [0xe2, 0x82],
                   beyond: [0xf4, 0x90, 0x80, 0x80] };
  const around = (before, bytes, after) => Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
  for (const bytes of Object.values(broken)) {
    const head = '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"orders_get","arguments":{"order_id":"';
    await isToolError(server, around(head, bytes, '"}}}'), 6, [['', 'encoding']]);
    await isToolError(server, around(head + 'A18","', bytes, '":1}}}'), 6, [['', 'encoding']]);
    await isProtocolError(server, around('{"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":"', bytes, '"}}'), 6, -32600);
    await isProtocolError(server, around('{"jsonrpc":"2.0","id":6,"', bytes, '":1,"method":"ping"}'), 6, -32600);
    await isProtocolError(server, around('{', bytes, '}'), null, -32700);
  }
});

robust('a duplicate key inside arguments is the tool\'s error, and nothing is run', async server => {
  await isToolError(server, rawCall(8, '{"order_id":"A18","order_id":"A19"}'), 8, [['order_id', 'duplicate_key']]);
  await isToolError(server, rawCall(8, '{"order_id":"A18","order_\\u0069d":"A18"}'), 8, [['order_id', 'duplicate_key']]);
  await isToolError(server, rawCall(8, '{"order_id":{"a":[{"b":1,"b":2}]}}'), 8, [['order_id.a[0].b', 'duplicate_key']]);
  await isToolError(server, rawCall(8, '{},"arguments":{}'), 8, [['', 'duplicate_key']]);
  const twice = '{"order_id":"A18","operation_id":"op_twice","amount_cents":1,"amount_cents":1,"currency":"EUR"}';
  await isToolError(server, rawCall(8, twice).replace('orders_get', 'refunds_create'), 8, [['amount_cents', 'duplicate_key']]);
  const found = await answer(server, call(9, 'refunds_get', { operation_id: 'op_twice' }));
  assert.deepEqual(found.result.structuredContent, { found: false });
});

robust('a duplicate key outside arguments is -32600, with the id unless that is what came twice', async server => {
  for (const line of ['{"jsonrpc":"2.0","jsonrpc":"2.0","id":8,"method":"ping"}', '{"jsonrpc":"2.0","id":8,"method":"ping","method":"tools/list"}',
                      '{"jsonrpc":"2.0","id":8,"method":"ping","params":{},"params":{}}',
                      '{"jsonrpc":"2.0","id":8,"method":"ping","params":{"a":1,"a":1}}',
                      rawCall(8, '{"order_id":"A18"},"name":"refunds_create"'), rawCall(8, '{"order_id":"A18"},"_meta":{"a":1,"a":2}')])
    await isProtocolError(server, line, 8, -32600);
  await isProtocolError(server, '{"jsonrpc":"2.0","id":8,"id":9,"method":"ping"}', null, -32600);
});

robust('a number beyond any range is the tool\'s error at its field, and -32600 elsewhere', async server => {
  await isToolError(server, rawCall(8, '{"order_id":1e400}'), 8, [['order_id', 'range']]);
  await isToolError(server, rawCall(8, '{"order_id":[-1e99999,2]}'), 8, [['order_id[0]', 'range']]);
  await isProtocolError(server, '{"jsonrpc":"2.0","id":8,"method":"ping","params":{"x":1e400}}', 8, -32600);
});

robust('nesting of 100,000 inside arguments is the tool\'s error with the right id, 64 levels are the most', async server => {
  const nested = (levels, open = '[', close = ']') => open.repeat(levels) + close.repeat(levels);
  await isToolError(server, rawCall(10, `{"order_id":${nested(100_000)}}`), 10, [['', 'too_deep']]);
  await isToolError(server, rawCall(10, `{"order_id":${nested(100_000, '{"a":', '}').replace('}', '1}')}}`), 10, [['', 'too_deep']]);
  await isToolError(server, rawCall(10, nested(100_000)), 10, [['', 'too_deep']]);
  await isToolError(server, rawCall(10, `{"x":1,"order_id":${nested(64)}}`), 10, [['', 'too_deep']]);
  await isToolError(server, rawCall(10, `{"order_id":${nested(63)}}`), 10, [['order_id', 'type']]);
});

robust('nesting of 100,000 anywhere else is -32600, or -32700 when it is never closed', async server => {
  const open = '['.repeat(100_000), close = ']'.repeat(100_000);
  await isProtocolError(server, open + close, null, -32600);
  await isProtocolError(server, `{"a":${open}${close}}`, null, -32600);
  for (const place of [`"x":${open}${close}`, `"params":${open}${close}`, `"params":{"_meta":{"x":${open}${close}}}`])
    await isProtocolError(server, `{"jsonrpc":"2.0","id":11,"method":"ping",${place}}`, 11, -32600);
  await isProtocolError(server, rawCall(11, `{"order_id":"A18"},"x":${open}${close}`), 11, -32600);
  await isProtocolError(server, `{"jsonrpc":"2.0","method":"ping","id":${open}${close}}`, null, -32600);
  for (const line of [open, '{"a":'.repeat(100_000), `{"jsonrpc":"2.0","id":11,"method":"ping","params":${open}`])
    await isProtocolError(server, line, null, -32700);
});

robust('a line of exactly the limit is read, one byte more is -32600, and the lines behind it are read again', async server => {
  const filled = size => {
    const line = call(12, 'tickets_search', { query: 'login', cursor: '' });
    return line.replace('"cursor":""', `"cursor":"${'x'.repeat(size - line.length)}"`);
  };
  assert.equal(filled(limit).length, limit);
  const reply = await answer(server, filled(limit));
  assert.equal(reply.id, 12);
  assert.equal(JSON.parse(reply.result.content[0].text).error_code, 'INVALID_CURSOR');
  for (const size of [limit + 1, limit + 2, 3 * limit]) await isProtocolError(server, filled(size), null, -32600);
  await isProtocolError(server, 'x'.repeat(limit + 1), null, -32600);
  await isProtocolError(server, `{"jsonrpc":"2.0","id":12,"method":"ping"${' '.repeat(limit)}}`, null, -32600);
});

robust('what an error shows of a long argument is cut, by the library and by the tool itself', async server => {
  const long = 'ü'.repeat(100_000);
  for (const args of [{ query: 'login', cursor: long }, { query: 'login', status: long }, { query: 'login', [long]: 1 }]) {
    const reply = await answer(server, call(12, 'tickets_search', args));
    assert.equal(reply.result.isError, true);
    assert.ok(JSON.stringify(reply).length < 4000, `${JSON.stringify(reply).length} characters come back`);
  }
});

robust('more values than the limit are the tool\'s error inside arguments', async server => {
  await isToolError(server, rawCall(13, `{"order_id":[${'0,'.repeat(1_100_000)}0]}`), 13, [['', 'too_large']]);
});

robust('10 MiB of one thing over and over get one answer, whatever the thing is', async server => {
  const things = ['[', '{"a":', '1e400,', '0,', '"",', '"\\u0000",', '"a":1,', '[],', '{},', '\\"', '\\ud83d', 'é', '\t', '-', '1', 'true,'];
  for (const thing of things)
    for (const [before, after] of [['{"order_id":[', '0]}'], ['{"order_id":"', '"}']]) {
      const filled = before + thing.repeat(10 * 1024 * 1024 / Buffer.byteLength(thing)) + after;
      const reply = await answer(server, rawCall(18, filled));
      assert.ok(reply.id === 18 || (reply.id === null && reply.error.code === -32700), JSON.stringify(reply).slice(0, 300));
      assert.ok(JSON.stringify(reply).length < 10_000);
    }
});

robust('a line may come in pieces, and many in one', async server => {
  const bytes = Buffer.from(call('pieces', 'orders_get', { order_id: 'A18', 'größe😀': 1 }) + '\n');
  for (const byte of bytes) await server.write(Buffer.from([byte]));
  const [reply] = await server.answersSoFar();
  assert.equal(JSON.parse(reply.result.content[0].text).field_errors[0].field, '["größe😀"]');
  const many = Array.from({ length: 1000 }, (_, id) => text({ id, method: 'ping' })).join('\n') + '\n';
  assert.deepEqual((await server.answers(many)).map(message => message.id), Array.from({ length: 1000 }, (_, id) => id));
});

robust('modern requests: an unknown version gets -32022 and what is supported, a missing member of _meta -32602', async server => {
  const version = 'io.modelcontextprotocol/protocolVersion', capabilities = 'io.modelcontextprotocol/clientCapabilities';
  const methods = ['server/discover', 'tools/list', 'tools/call', 'initialize', 'ping'];
  for (const method of methods) {
    const asked = _meta => text({ id: 14, method, params: { name: 'orders_get', arguments: { order_id: 'A18' }, _meta } });
    for (const requested of ['2099-01-01', '2025-11-25', 'x'])
      assert.deepEqual((await isProtocolError(server, asked({ ...modernMeta, [version]: requested }), 14, -32022)).data,
                       { supported: ['2026-07-28'], requested });
    for (const bad of [null, 1, '', [], {}]) await isProtocolError(server, asked({ ...modernMeta, [version]: bad }), 14, -32602);
    for (const bad of [undefined, null, 1, 'x', []]) await isProtocolError(server, asked({ ...modernMeta, [capabilities]: bad }), 14, -32602);
  }
  for (const _meta of [undefined, null, 1, 'x', [], {}, { [capabilities]: {} }])
    await isProtocolError(server, text({ id: 14, method: 'server/discover', params: { _meta } }), 14, -32602);
  await isProtocolError(server, text({ id: 14, method: 'server/discover' }), 14, -32602);
});

robust('modern requests: initialize and ping are gone, and one modern request does not change how a legacy one is answered', async server => {
  for (const method of ['initialize', 'ping']) await isProtocolError(server, text({ id: 15, method, params: { _meta: modernMeta } }), 15, -32601);
  const listed = params => text({ id: 15, method: 'tools/list', params });
  assert.equal((await answer(server, listed({ _meta: modernMeta }))).result.resultType, 'complete');
  assert.equal('resultType' in (await answer(server, listed({}))).result, false);
  assert.equal('resultType' in (await answer(server, listed({ _meta: { progressToken: 1 } }))).result, false);
});

robust('an unknown legacy revision is answered with the newest that has a handshake', async server => {
  for (const protocolVersion of ['2099-01-01', '', null, 5, {}, undefined, '2026-07-28', '2024-10-07'])
    assert.equal((await answer(server, text({ id: 16, method: 'initialize', params: { protocolVersion } }))).result.protocolVersion, '2025-11-25');
});

test('the last line needs no newline, and the end of the input ends the server', async () => {
  const ping = text({ id: 17, method: 'ping' });
  const reply = JSON.stringify({ jsonrpc: '2.0', id: 17, result: {} });
  assert.deepEqual(await new Server(command).end(ping), { code: 0, signal: null, lines: [reply] });
  assert.deepEqual(await new Server(command).end(`${ping}\n${ping}`), { code: 0, signal: null, lines: [reply, reply] });
  assert.deepEqual(await new Server(command).end(), { code: 0, signal: null, lines: [] });
  const [cut, ...rest] = (await new Server(command).end(ping.slice(0, -1))).lines;
  assert.deepEqual([JSON.parse(cut).error.code, rest], [-32700, []]);
});

test('a flag the server cannot use ends it with 2 and the reason, before it reads a line', async () => {
  const unusable = [['--ledger', 'nonsense'], ['--crash-at', 'nowhere'], ['--down', 'nonsense'], ['--down'], ['--lose-replies', '1x'], ['--nonsense', '1']];
  for (const flags of unusable) {
    const server = new Server(command, ...flags);
    assert.deepEqual(await server.end(text({ id: 1, method: 'ping' })), { code: 2, signal: null, lines: [] }, flags.join(' '));
    assert.match(server.stderr, flags[0] === '--ledger' ? /^support_server: --ledger must be .*; got nonsense\n$/ : /^usage: support_server /, flags.join(' '));
  }
});

test('a sealed cursor goes on where its page ended; one made up, changed, or of another process is refused', async t => {
  const search = cursor => ({ id: 1, method: 'tools/call', params: { _meta: modernMeta, name: 'tickets_search', arguments: { query: 'login', limit: 2, cursor } } });
  const probe = new Server(command, '--seal-cursors');
  if ((await probe.end()).code === 2 && probe.stderr.includes('built without it')) return t.skip(probe.stderr);
  const servers = [new Server(command, '--seal-cursors'), new Server(command, '--seal-cursors')];
  t.after(() => servers.forEach(server => server.kill()));
  const pages = await Promise.all(servers.map(async server => (await server.request(search())).result.structuredContent));
  assert.deepEqual(pages.map(page => page.results.map(ticket => ticket.id)), [['T-1000', 'T-1001'], ['T-1000', 'T-1001']]);
  const [own, foreign] = pages.map(page => page.next_cursor);
  assert.equal(Buffer.from(own, 'base64url').includes('T-1001'), false, 'the position can be read');
  const next = (await servers[0].request(search(own))).result.structuredContent;
  assert.deepEqual(next.results.map(ticket => ticket.id), ['T-1002', 'T-1003']);
  const changed = own.slice(0, -2) + (own.at(-2) === 'A' ? 'B' : 'A') + own.at(-1);
  for (const cursor of [foreign, changed, 'AU3y8VuhVJ_-VC0xMDAy']) {
    const { content: [{ text: envelope }] } = (await servers[0].request(search(cursor))).result;
    assert.deepEqual([JSON.parse(envelope).error_code, JSON.parse(envelope).resolution], ['INVALID_CURSOR', 'fix_input'], cursor);
  }
});

// ---- random lines -----------------------------------------------------------------------------------------------------

const seeds = [
  text({ id: 'f', method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'f', version: '1' } } }),
  text({ method: 'notifications/initialized' }),
  text({ id: 'f', method: 'ping' }),
  text({ id: 'f', method: 'tools/list', params: { _meta: modernMeta } }),
  text({ id: 'f', method: 'server/discover', params: { _meta: modernMeta } }),
  call('f', 'orders_get', { order_id: 'A18' }),
  call('f', 'orders_search', { customer_email: 'ada@example.com', limit: 10 }, { _meta: modernMeta }),
  call('f', 'desk_search', { words: 'kettle', limit: 5 }),
  call('f', 'tickets_search', { query: 'login loop', status: 'open', limit: 5, cursor: 'AUz6N-3pKuRJVC0xMDA3' }),
  call('f', 'refunds_create', { order_id: 'A18', operation_id: 'op_1', amount_cents: 1250, currency: 'EUR' }),
  text({ id: 'f', result: {} }),
];
const fragments = ['null', 'true', '-0', '1e400', '1.5', '""', '"A18"', '[]', '{}', '[[[[', ']]]]', '{"a":', '\\', '\\u', '\\ud83d', '"', ',', ':',
                   '}', '{', '\u0000', '\ufeff', '\u2028', '9223372036854775808', '"id":1,', '"_meta":{},', '\n', '\r\n', '//', 'NaN', '['.repeat(300)];

/// A seed with one to four of its bytes, or runs of them, changed.
function changedBytes(pick) {
  let bytes = Buffer.from(pick.of(seeds));
  for (let changes = 1 + pick.below(4); changes > 0; --changes) {
    const at = pick.below(bytes.length + 1), end = Math.min(bytes.length, at + pick.below(12));
    const splice = (from, to, middle) => Buffer.concat([bytes.subarray(0, from), Buffer.from(middle), bytes.subarray(to)]);
    bytes = pick.of([
      () => splice(at, end, ''),
      () => splice(at, at, pick.of(fragments)),
      () => splice(at, end, bytes.subarray(at, end).reverse()),
      () => splice(at, at, bytes.subarray(at, end)),
      () => splice(at, Math.min(at + 1, bytes.length), [pick.below(256)]),
    ])();
  }
  return bytes;
}

/// A seed in which one or two values, or keys, have become others: still JSON.
function changedValues(pick) {
  const message = JSON.parse(pick.of(seeds));
  const values = [null, true, 0, -1, 1.5, 1e300, 2 ** 63, '', 'x', 'A18', '2026-07-28', 'ping', [], {}, [[]], { a: 1 }, '\u0000', '\ud83d', modernMeta];
  const any = () => structuredClone(pick.of(values));
  for (let changes = 1 + pick.below(2); changes > 0; --changes) {
    const places = [];
    const walk = object => Object.keys(object).forEach(key => {
      places.push([object, key]);
      if (typeof object[key] === 'object' && object[key] !== null) walk(object[key]);
    });
    walk(message);
    const [object, key] = pick.of(places);
    pick.of([
      () => (object[key] = any()),
      () => delete object[key],
      () => { object[key + 'x'] = object[key]; delete object[key]; },
      () => (object[pick.of(['id', 'method', 'params', 'result', 'name', 'arguments', '_meta', 'limit', 'größe'])] = any()),
    ])();
    if (places.length === 1) break;
  }
  return Buffer.from(JSON.stringify(message));
}

test(`4,000 random lines (seed ${seed}): every reply is JSON-RPC, every ping is answered, the server ends with 0`, async t => {
  const server = new Server(command);
  const pick = random(seed);
  const codes = {};
  for (let round = 0; round < 4000; ++round) {
    const line = round % 3 === 0 ? changedBytes(pick) : changedValues(pick);
    let replies;
    try {
      replies = await server.answers(Buffer.concat([line, Buffer.from('\n')]));
    } catch (error) {
      assert.fail(`round ${round}, line ${JSON.stringify(line.toString('latin1'))}: ${error.message}`);
    }
    for (const reply of replies) {
      assertJsonRpcReply(reply, line.toString('latin1'));
      const kind = reply.error ? reply.error.code : reply.result.isError ? 'tool error' : 'result';
      codes[kind] = (codes[kind] ?? 0) + 1;
    }
    if (replies.length === 0) codes.ignored = (codes.ignored ?? 0) + 1;
  }
  assert.deepEqual(await server.end(), { code: 0, signal: null, lines: [] });
  assert.doesNotMatch(server.stderr, /Sanitizer|runtime error|terminate/);
  t.diagnostic(JSON.stringify(codes));
  for (const kind of [-32700, -32600, -32601, -32602, 'tool error', 'result', 'ignored'])
    assert.ok(codes[kind] >= 20, `${kind} was hardly met: ${JSON.stringify(codes)}`);
});
