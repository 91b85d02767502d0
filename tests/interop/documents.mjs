// SPDX-License-Identifier: MIT
// node documents.mjs DOCUMENTS [SEED [INSTANCES_PER_DOCUMENT]]: Checker, and SchemaValidator where Checker refuses, say of the
// real servers' schemas what ajv says, about sound values and single changes. Without arguments the same every time.
// Exit status 77, a visible skip, without TOOLCONTRACT_CORPUS.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

const [documents, seed = '20261130', perDocument = '90'] = process.argv.slice(2);
const worthRunning = 20_000;

// Formats are held against the official test suite, not against ajv. multipleOfPrecision: without it ajv takes 19.99 for no
// multiple of 0.01.
const options = { strict: false, multipleOfPrecision: 6, validateFormats: false };
const compile = document => new (document.$schema?.includes('draft-07') ? Ajv : Ajv2020)(options).compile(document);

const schemas = [];
const engines = {};
const distinct = new Set();
let compared = 0, disagreements = 0;

function compare(line) {
  const { schema, name, engine, document, accepts, instance } = JSON.parse(line);
  if (document !== undefined) {
    schemas[schema] = { name, engine, validate: compile(document) };
    engines[engine] ??= { documents: 0, accepted: 0, rejected: 0 };
    ++engines[engine].documents;
    return;
  }
  const asked = schemas[schema];
  ++compared;
  ++engines[asked.engine][accepts ? 'accepted' : 'rejected'];
  distinct.add(line);
  if (asked.validate(instance) === accepts) return;
  if (++disagreements <= 20) {
    console.log(`DISAGREEMENT, ${asked.name}: ${asked.engine} ${accepts ? 'accepts' : 'rejects'}\n  ${line}`);
    console.log(`  ajv: ${JSON.stringify(asked.validate.errors ?? [])}`);
  }
}

const child = spawn(documents, [seed, perDocument], { stdio: ['ignore', 'pipe', 'inherit'] });
const exit = new Promise(resolve => child.on('close', (code, signal) => resolve({ code, signal })));
for await (const line of createInterface({ input: child.stdout, crlfDelay: Infinity })) compare(line);
const { code, signal } = await exit;
if (code === 77) process.exit(77);

const failures = [];
const demand = (holds, what) => holds || failures.push(what);
console.log(`seed ${seed}, ${perDocument} instances a document\n`);
console.log('engine           documents  accepted  rejected');
for (const [name, { documents: count, accepted, rejected }] of Object.entries(engines)) {
  console.log(name.padEnd(15), ...[count, accepted, rejected].map(number => String(number).padStart(10)));
  demand(Math.min(accepted, rejected) * 10 >= accepted + rejected, `${name} hardly ever says one of its verdicts`);
}
console.log(`\ncompared ${compared} (${distinct.size} distinct), ${disagreements} disagreements`);
demand(code === 0, `the generator ended with ${signal ?? code}: our own ways to ask disagree, or it died`);
demand(Object.keys(engines).length === 2, 'one engine was never asked');
demand(Number(perDocument) < 90 || distinct.size >= worthRunning, `only ${distinct.size} instances, ${worthRunning} are asked for`);
demand(disagreements === 0, `${disagreements} disagreements`);
for (const failure of failures) console.log(`FAILED: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
