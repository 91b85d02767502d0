// SPDX-License-Identifier: MIT
// What the clients ask of examples/support_server.cpp, and what they must get: whole values, one sentence each.
import assert from 'node:assert/strict';
import test from 'node:test';

export const idPattern = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;

const a18 = { order_id: 'A18', customer_email: 'ada@example.com', item: 'kettle', total_cents: 3250, currency: 'EUR', days_since_delivery: 3 };
const a17 = { order_id: 'A17', customer_email: 'ada@example.com', item: 'desk lamp', total_cents: 4999, currency: 'USD', days_since_delivery: 45 };
const ticket = n => ({ id: `T-${1000 + n}`, title: `login loop case ${n}`, status: n % 3 !== 0 ? 'open' : 'closed' });
const ticketExample = { query: 'login loop', status: 'open', limit: 10 };
const refundExample = { order_id: 'A18', operation_id: 'op_7f3a', amount_cents: 1250, currency: 'EUR' };

/// An envelope, in its order; `more` are the optional keys. The correlation id is compared by its shape.
export function envelope(error_code, category, resolution, message, field_errors = [], more = {}) {
  return { error_code, category, retryable: resolution === 'retry', resolution, message, field_errors,
           correlation_id: null, attempt: 1, deadline_ms_remaining: null, ...more };
}

export const toolNames = ['orders_get', 'orders_search', 'tickets_search', 'desk_search', 'refunds_get', 'refunds_create', 'tickets_create'];

/// A section with the first rows of what there is, from its own source.
const first = (source_name, results, complete = true) => ({
  status: 'ok', source: 'primary', source_name, failed: [],
  value: { results, returned: results.length, complete, paging: 'unsupported' } });

/// In this order, against one server that loses no reply.
export const calls = [
  { says: 'an order that exists', tool: 'orders_get', with: { order_id: 'A18' }, gives: { found: true, order: a18 } },
  { says: 'an order that does not exist is an answer, not an error', tool: 'orders_get', with: { order_id: 'A99' }, gives: { found: false } },
  { says: 'a list that was cut says that it is not complete', tool: 'orders_search', with: { customer_email: 'ada@example.com', limit: 2 },
    gives: { results: [a17, a18], returned: 2, complete: false, next_cursor: 'AWlxkS0hoBrlQTE4', sort: 'order_id asc' } },
  { says: 'an empty list is complete', tool: 'orders_search', with: { customer_email: 'nobody@example.com' },
    gives: { results: [], returned: 0, complete: true, sort: 'order_id asc' } },
  { says: 'a page with a cursor', tool: 'tickets_search', with: { query: 'LOOP login', status: 'open', limit: 2 },
    gives: { results: [ticket(1), ticket(2)], returned: 2, complete: false, next_cursor: 'AU3y8VuhVJ_-VC0xMDAy', sort: 'id asc' } },
  { says: 'the last page has no cursor', tool: 'tickets_search', with: { query: 'login', limit: 50, cursor: 'AU-JBCyFVZL8VC0xMDIw' },
    gives: { results: [ticket(21), ticket(22)], returned: 2, complete: true, sort: 'id asc' } },
  { says: 'a search over both', tool: 'desk_search', with: { words: 'login', limit: 1 },
    gives: { status: 'ok', orders: first('orders', []), tickets: first('tickets', [ticket(0)], false) } },

  { says: 'validation: a value that is no enum value', tool: 'tickets_search', with: { query: 'login', status: 'opened' },
    fails: envelope('INVALID_ARGUMENTS', 'validation', 'fix_input',
      'The arguments of tickets_search were not accepted. status must be one of open, pending, closed; did you mean open? Got "opened".',
      [{ field: 'status', code: 'enum', problem: 'must be one of open, pending, closed; did you mean open?', got: 'opened' }],
      { example: ticketExample }) },
  { says: 'validation: missing, out of range and unknown, all at once and in the order of the schema', tool: 'tickets_search',
    with: { limit: 200, stat: 'open' },
    fails: envelope('INVALID_ARGUMENTS', 'validation', 'fix_input',
      'The arguments of tickets_search were not accepted. query must be given: a string of at least 1 character. limit must be 1 to 50. Got 200. ' +
      'stat must be left out; the known fields are query, status, limit, cursor; did you mean status?',
      [{ field: 'query', code: 'required', problem: 'must be given: a string of at least 1 character' },
       { field: 'limit', code: 'range', problem: 'must be 1 to 50', got: 200 },
       { field: 'stat', code: 'unknown_field',
         problem: 'must be left out; the known fields are query, status, limit, cursor; did you mean status?' }],
      { example: ticketExample }) },
  { says: 'validation: a wrong type is not converted', tool: 'refunds_create',
    with: { order_id: 'A18', operation_id: 'op_1', amount_cents: '1250', currency: 'EUR' },
    fails: envelope('INVALID_ARGUMENTS', 'validation', 'fix_input',
      'The arguments of refunds_create were not accepted. amount_cents must be an integer, 1 to 500000. Got "1250".',
      [{ field: 'amount_cents', code: 'type', problem: 'must be an integer, 1 to 500000', got: '1250' }], { example: refundExample }) },
  { says: 'validation: a cursor is good for no other arguments than those it was given for', tool: 'tickets_search',
    with: { query: 'kettle', cursor: 'AU-JBCyFVZL8VC0xMDIw' },
    fails: envelope('INVALID_CURSOR', 'validation', 'fix_input',
      'The value of cursor is not one that tickets_search gave for these arguments; start again without it.',
      [{ field: 'cursor', code: 'rule', problem: 'must be a next_cursor from tickets_search; start again without it', got: 'AU-JBCyFVZL8VC0xMDIw' }],
      { example: ticketExample }) },

  { says: 'business: the refund window', tool: 'refunds_create', with: { order_id: 'A17', operation_id: 'op_1', amount_cents: 1250 },
    fails: envelope('REFUND_WINDOW_EXPIRED', 'business', 'abort', 'Order A17 is outside the 30-day return window (delivered 45 days ago).') },
  { says: 'business: an order that is not there cannot be refunded', tool: 'refunds_create',
    with: { order_id: 'A77', operation_id: 'op_1', amount_cents: 1250 },
    fails: envelope('NOT_FOUND', 'business', 'abort', 'There is no order A77.') },
  { says: 'a refund', tool: 'refunds_create', with: { order_id: 'A18', operation_id: 'op_1', amount_cents: 1250, currency: 'EUR' },
    gives: { refund_id: 'rf_1', operation_id: 'op_1', order_id: 'A18', amount_cents: 1250 } },
  { says: 'the same refund again is answered from the ledger', tool: 'refunds_create',
    with: { order_id: 'A18', operation_id: 'op_1', amount_cents: 1250, currency: 'EUR' },
    gives: { refund_id: 'rf_1', operation_id: 'op_1', order_id: 'A18', amount_cents: 1250, replayed: true } },
  { says: 'validation: the key of another refund', tool: 'refunds_create',
    with: { order_id: 'A18', operation_id: 'op_1', amount_cents: 1300, currency: 'EUR' },
    fails: envelope('IDEMPOTENCY_KEY_REUSED', 'validation', 'fix_input',
      'The key "op_1" belongs to an earlier call of refunds_create with other arguments; nothing was done. ' +
      "Send that call's arguments to get its result, or a new key for a new call.",
      [{ field: 'operation_id', code: 'rule',
         problem: 'must be a new key for a call with other arguments, or come with the arguments it was first used with', got: 'op_1' }],
      { example: refundExample }) },
];

/// Against a server that loses every reply: the refund is made, nobody hears of it, and the envelope says where to look.
export const lost = {
  tool: 'refunds_create', with: { order_id: 'A19', operation_id: 'op_9', amount_cents: 1200 },
  fails: envelope('OUTCOME_UNKNOWN', 'unknown', 'reconcile',
    'The refund of order A19 timed out; it may or may not have happened. Find out before doing it again.', [],
    { reconcile: { tool: 'refunds_get', arguments: { operation_id: 'op_9' } } }),
  againGives: { refund_id: 'rf_1', operation_id: 'op_9', order_id: 'A19', amount_cents: 1200, replayed: true },
  thenGives: { found: true, refund: { refund_id: 'rf_1', operation_id: 'op_9', order_id: 'A19', amount_cents: 1200 } },
};

const nobody = (source, message) => ({ source, error_code: 'UPSTREAM_UNAVAILABLE', category: 'transient', retryable: true, resolution: 'retry', message });
const noOrders = nobody('orders', 'The search for orders failed on the way or at the upstream; nothing was changed.');
const noTickets = nobody('tickets', 'The search for tickets failed on the way or at the upstream; nothing was changed.');

/// The same search against servers some of whose sources are down.
export const outages = [
  { down: ['tickets'], says: 'degraded: tickets from a copy, labelled and with its age',
    gives: { status: 'degraded', orders: first('orders', [a18]),
             tickets: { status: 'degraded', source: 'cache', source_name: 'tickets_copy', age_seconds: 0, failed: [noTickets],
                        value: first('tickets', []).value } } },
  { down: ['orders'], says: 'partial: what is missing says so, and why',
    gives: { status: 'partial', orders: { status: 'unavailable', failed: [noOrders] }, tickets: first('tickets', []) } },
  { down: ['orders', 'tickets', 'tickets_copy'], says: 'nothing is left: an error with what each source said',
    fails: envelope('UPSTREAM_UNAVAILABLE', 'transient', 'retry',
      `Every part of the result is unavailable. orders: ${noOrders.message} tickets: ${noTickets.message}`, [],
      { partial: { failed: [noOrders, noTickets] } }) },
];

export const unknownTool = {
  tool: 'refund_create', with: {}, code: -32602,
  data: envelope('UNKNOWN_TOOL', 'validation', 'fix_input', 'There is no tool named "refund_create"; did you mean refunds_create?'),
};

/// A success says the same in its one text block and as structured content, and nothing more.
export function assertSuccess(result, value) {
  assert.deepEqual(result, { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value });
}

/// A failure is one text block, the envelope with its keys in order, and nothing else. Gives the envelope.
export function assertFailure(result, expected) {
  const text = result.content?.[0]?.text ?? '';
  assert.deepEqual(result, { content: [{ type: 'text', text }], isError: true });
  return assertEnvelope(JSON.parse(text), expected);
}

export function assertEnvelope(actual, expected) {
  assert.match(actual.correlation_id, idPattern);
  const { correlation_id } = actual;
  assert.equal(JSON.stringify(actual), JSON.stringify({ ...expected, correlation_id }));
  return actual;
}

/// All of the above through one client. `connect(t, ...serverArguments)` gives a client that has listed the tools and is closed
/// when the test ends, however it ends.
export function conversation(connect) {
  test('every call gives the whole value it must, or fails with the whole envelope it must', async t => {
    const client = await connect(t);
    const ids = [];
    for (const call of calls)
      await t.test(call.says, async () => {
        const result = await client.callTool({ name: call.tool, arguments: call.with });
        if (call.fails) ids.push(assertFailure(result, call.fails).correlation_id);
        else assertSuccess(result, call.gives);
      });
    assert.equal(new Set(ids).size, calls.filter(call => call.fails).length, 'each failure has an id of its own');
  });

  for (const { down, says, gives, fails } of outages)
    test(says, async t => {
      const client = await connect(t, '--fixed-clock', ...down.flatMap(source => ['--down', source]));
      const result = await client.callTool({ name: 'desk_search', arguments: { words: 'kettle' } });
      if (fails) assertFailure(result, fails);
      else assertSuccess(result, gives);
    });

  test('unknown: a refund whose reply is lost says what to call, and that call finds it', async t => {
    const client = await connect(t, '--lose-replies', '1');
    const envelope = assertFailure(await client.callTool({ name: lost.tool, arguments: lost.with }), lost.fails);
    const { tool, arguments: key } = envelope.reconcile;
    assertSuccess(await client.callTool({ name: tool, arguments: key }), lost.thenGives);
    assertSuccess(await client.callTool({ name: lost.tool, arguments: lost.with }), lost.againGives);
  });

  test('an unknown tool is thrown as -32602 and names the nearest', async t => {
    const client = await connect(t);
    await assert.rejects(client.callTool({ name: unknownTool.tool, arguments: unknownTool.with }), error => {
      assert.equal(error.code, unknownTool.code);
      assert.ok(error.message.endsWith(unknownTool.data.message), error.message);
      assertEnvelope(error.data, unknownTool.data);
      return true;
    });
  });
}

const opening = { title: 'kettle leaks', customer_email: 'ada@example.com', idempotency_key: 'tk_1' };
const openingExample = 'Open the ticket "kettle leaks" for ada@example.com.';

/// A tool that needs a person's consent. `connect(t, { ask })` gives a client that answers each question by `ask(params)`, or one
/// without elicitation where there is no `ask`.
export function consent(connect) {
  const call = client => client.callTool({ name: 'tickets_create', arguments: opening });

  test('consent: the person is shown what would happen, agrees, and the ticket is opened once', async t => {
    const questions = [];
    const client = await connect(t, { ask: params => (questions.push(params.message), { action: 'accept', content: {} }) });
    assertSuccess(await call(client), { id: 'T-2001', title: 'kettle leaks', status: 'open' });
    assertSuccess(await call(client), { id: 'T-2001', title: 'kettle leaks', status: 'open', replayed: true });
    assert.deepEqual(questions, [openingExample]);
  });

  test('consent: a person who declines is not asked about the same call again', async t => {
    let questions = 0;
    const client = await connect(t, { ask: () => (++questions, { action: 'decline' }) });
    const denied = envelope('CONFIRMATION_DENIED', 'permission', 'abort', 'A person was asked about this call of tickets_create and said no.');
    assertFailure(await call(client), denied);
    assertFailure(await call(client), denied);
    assert.equal(questions, 1);
  });

  test('consent: a question that is closed leaves the call undone', async t => {
    const client = await connect(t, { ask: () => ({ action: 'cancel' }) });
    assert.equal(JSON.parse((await call(client)).content[0].text).error_code, 'CONFIRMATION_REQUIRED');
  });

  test('consent: a client that cannot ask is told so, with all it needs to go on', async t => {
    const client = await connect(t, {});
    const result = await call(client);
    const { ticket } = JSON.parse(result.content[0].text);
    assert.match(ticket, /^[0-9a-f]{32}$/);
    assertFailure(result, envelope('CONFIRMATION_REQUIRED', 'permission', 'escalate',
      'A person has to agree before this call of tickets_create may act. Nobody was asked, or nobody answered.', [],
      { needs_confirmation: true, preview: openingExample,
        how_to_proceed: 'Nothing has been done. Tell the user what was to be done; a client that supports elicitation can ask for consent.',
        ticket }));
  });
}
