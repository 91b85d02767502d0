// SPDX-License-Identifier: MIT
// node differential.mjs GENERATE [SEED [INSTANCES_PER_TYPE]]: decode accepts exactly what the emitted schema accepts, by
// ajv's reading of it, and what encode writes fits the emitted output schema. Without arguments the same every time.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Ajv2020 } from 'ajv/dist/2020.js';

const [generate, seed = '20261130', perType = '4000'] = process.argv.slice(2);
const worthRunning = 50_000;

// validateFormats: formats are held against the official test suite, not against ajv. multipleOfPrecision: without it
// ajv takes 19.99 for no multiple of 0.01.
const compile = schema => new Ajv2020({ strict: false, allErrors: false, multipleOfPrecision: 6, validateFormats: false }).compile(schema);

const types = [];
const excluded = {};
let compared = 0, disagreements = 0, thirdAsked = 0, encodedAgain = 0, refusedByEncode = 0;
const distinct = new Set();

function disagree(what, type, instance, errors) {
  if (++disagreements > 20) return;
  console.log(`DISAGREEMENT, ${type.name}: ${what}\n  ${JSON.stringify(instance)}\n  ajv: ${JSON.stringify(errors ?? [])}`);
}

function compare(line) {
  const { schema, ...rest } = JSON.parse(line);
  if ('type' in rest) {
    const counts = { accepted: 0, rejected: 0, excluded: 0, third: 0 };
    types[schema] = { name: rest.type, input: compile(rest.input), output: compile(rest.output), ...counts };
    return;
  }
  const type = types[schema];
  const { accepts, excluded: rule, third, encoded, instance } = rest;
  if (rule !== null) {
    ++type.excluded;
    excluded[rule] = (excluded[rule] ?? 0) + 1;
    return;
  }
  ++compared;
  distinct.add(line);
  accepts ? ++type.accepted : ++type.rejected;
  if (type.input(instance) !== accepts) disagree(`decode ${accepts ? 'accepts' : 'rejects'}`, type, instance, type.input.errors);
  if (third !== null) {
    ++thirdAsked;
    ++type.third;
    if (third !== accepts) disagree(`valijson ${third ? 'accepts' : 'rejects'}, decode does not agree`, type, instance);
  }
  // Two items may differ by a member left out that has a default: decoded they are the same, and uniqueItems forbids them.
  if (encoded === 'INTERNAL_ERROR') ++refusedByEncode;
  else if (encoded !== null) {
    ++encodedAgain;
    if (!type.output(encoded)) disagree(`encode writes ${JSON.stringify(encoded)}`, type, instance, type.output.errors);
  }
}

const child = spawn(generate, [seed, perType], { stdio: ['ignore', 'pipe', 'inherit'] });
const exit = new Promise(resolve => child.on('close', (code, signal) => resolve({ code, signal })));
for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) compare(line);
const { code, signal } = await exit;

const failures = [];
const demand = (holds, what) => holds || failures.push(what);
console.log(`seed ${seed}, ${perType} instances a type\n`);
console.log('type          accepted  rejected  excluded  third voice');
for (const type of types) {
  console.log(type.name.padEnd(12), ...[type.accepted, type.rejected, type.excluded, type.third].map(count => String(count).padStart(9)));
  const substantial = (type.accepted + type.rejected) / 10;
  demand(type.accepted >= substantial, `${type.name} is hardly ever accepted`);
  demand(type.rejected >= substantial, `${type.name} is hardly ever rejected`);
}
console.log(`\ncompared ${compared} (${distinct.size} distinct), of these by valijson too ${thirdAsked}`);
console.log(`excluded ${JSON.stringify(excluded)}`);
console.log(`decoded and encoded again ${encodedAgain}, refused by encode ${refusedByEncode}`);
if (thirdAsked === 0) console.log('LEFT OUT: valijson as a third voice; it was not found when the build was configured');

demand(code === 0, `the generator ended with ${signal ?? code}: our own ways into decode disagree, or it died`);
demand(types.length >= 19, `only ${types.length} types`);
demand(Number(perType) < 4000 || compared >= worthRunning, `only ${compared} instances were compared, ${worthRunning} are asked for`);
demand(refusedByEncode * 20 < encodedAgain, `encode refuses ${refusedByEncode} of what decode took`);
demand(disagreements === 0, `${disagreements} disagreements`);
for (const failure of failures) console.log(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
