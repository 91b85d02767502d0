// SPDX-License-Identifier: MIT
// node claude_types.mjs EMIT_CLAUDE: tool definitions and results type-check against @anthropic-ai/sdk, and keep the rules
// of the API that its types do not show.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import ts from 'typescript';

const emitted = execFileSync(process.argv[2], { encoding: 'utf8' });
const literal = name => JSON.parse(emitted.match(new RegExp(`const ${name}[^=]*= (\\[[\\s\\S]*?\\]);\\n`))[1].replace(/,\n\]$/, ']'));
const tools = literal('tools'), results = literal('results');

/// What `tsc --noEmit --strict` says about files of these texts that lie here, beside node_modules: one list a text.
function complaints(...texts) {
  const files = new Map(texts.map((text, index) => [fileURLToPath(new URL(`emitted-${index}.ts`, import.meta.url)), text]));
  const options = { noEmit: true, strict: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext,
                    moduleResolution: ts.ModuleResolutionKind.NodeNext, skipLibCheck: true, types: [] };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = name => files.has(name) || fileExists.call(host, name);
  host.getSourceFile = (name, ...rest) =>
    files.has(name) ? ts.createSourceFile(name, files.get(name), options.target) : getSourceFile.call(host, name, ...rest);
  const program = ts.createProgram([...files.keys()], options, host);
  const general = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  assert.deepEqual(general.map(diagnostic => diagnostic.messageText), []);
  return [...files.keys()].map(file => ts.getPreEmitDiagnostics(program, program.getSourceFile(file))
    .map(diagnostic => ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')));
}

test('every definition is an Anthropic.Tool and every result a ToolResultBlockParam', () => {
  assert.ok(tools.length > 25 && results.length > 30);
  assert.deepEqual(complaints(emitted), [[]]);
});

test('tsc notices: a wrong, missing or misspelt member of a definition or a result fails', () => {
  const damages = [
    [/"input_schema":/, '"inputSchema":'], [/"input_schema":\{"type":"object"/, '"input_schema":{"type":"array"'],
    [/"description":"/, '"description":null,"title":"'], [/"input_examples":\[\{/, '"input_examples":[1,{'],
    [/"tool_use_id":/, '"toolUseId":'], [/"type":"tool_result"/, '"type":"tool_results"'], [/"is_error":true/, '"is_error":"true"'],
    [/"source":\{"type":"base64","media_type":"image\/png"/, '"source":{"type":"base64","media_type":"image/tiff"'],
    [/"type":"document"/, '"type":"documents"'], [/"title":"Customs/, '"titel":"Customs'],
    [/"is_error":false/, '"isError":false'], [/"content":\[\{"type":"text"/, '"content":[{"type":"txt"'],
  ];
  const damaged = damages.map(([from, to]) => emitted.replace(from, to));
  for (const [index, said] of complaints(...damaged).entries()) {
    assert.notEqual(damaged[index], emitted, `nothing matches ${damages[index][0]}`);
    assert.notDeepEqual(said, [], `${damages[index][1]} passes`);
  }
});

test('a definition keeps what the API demands beyond its types', () => {
  for (const { name, description, input_schema, input_examples = [] } of tools) {
    assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
    assert.ok(description.length > 0);
    assert.equal(input_schema.type, 'object');
    for (const key of ['anyOf', 'oneOf', 'allOf', '$schema']) assert.ok(!(key in input_schema), `${name} has ${key} at its root`);
    const validate = addFormats(new Ajv2020({ strict: false })).compile(input_schema);
    for (const input of input_examples) assert.ok(validate(input), `${name}: ${JSON.stringify(validate.errors)}`);
  }
  assert.ok(tools.some(tool => tool.input_examples), 'no tool has an example');
});

test('a result begins with a text block that is not empty; an error\'s is its envelope and its only one', () => {
  assert.equal(new Set(results.map(result => result.tool_use_id)).size, results.length);
  for (const { type, tool_use_id, content, is_error, ...rest } of results) {
    assert.equal(type, 'tool_result');
    assert.match(tool_use_id, /^[a-zA-Z0-9_-]+$/);
    assert.deepEqual(rest, {});
    assert.deepEqual(Object.keys(content[0]), ['type', 'text']);
    const value = JSON.parse(content[0].text);
    assert.equal(is_error, value?.error_code !== undefined);
    if (is_error) assert.equal(content.length, 1);
    for (const block of content) assert.ok(block.type !== 'text' || block.text.trim() !== '', 'the API refuses an empty text block');
  }
  const codes = new Set(results.filter(result => result.is_error).map(result => JSON.parse(result.content[0].text)).map(error => error.error_code));
  for (const code of ['INVALID_ARGUMENTS', 'UNKNOWN_TOOL', 'RATE_LIMITED', 'PARCEL_UNREADABLE', 'CONFLICT', 'FORBIDDEN', 'CONFIRMATION_REQUIRED',
                      'OUTCOME_UNKNOWN', 'RESULT_UNAVAILABLE', 'INTERNAL_ERROR'])
    assert.ok(codes.has(code), `no result has ${code}`);
});

test('attached images and documents come as the API takes them, and everything else in words', () => {
  const [result, ...others] = results.filter(result => result.content.length > 1);
  assert.deepEqual(others, []);
  const data = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0xff]).toString('base64');
  const text = text => ({ type: 'text', text });
  assert.deepEqual(result.content.slice(1), [
    text('The parcel from all sides, caf\ufffd.'),
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    text('Not shown here: an image (image/tiff, 10 bytes).'),
    text('Not shown here: a sound recording (audio/wav, 10 bytes).'),
    text('Link "k1" (text/html) to https://example.com/parcels/k1: Where it is now.'),
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: Buffer.from('%PDF-1.7').toString('base64') },
      title: 'Customs "declaration"' },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'k1,1.5\n' }, context: 'https://example.com/k1.csv' },
    text('Not shown here: a document "All of it" (application/zip, 10 bytes).'),
    text('Not shown here: an image (image/png, 0 bytes).'),
    text('Link "k1" to on my desk'),
  ]);
});
