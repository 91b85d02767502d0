// SPDX-License-Identifier: MIT
// node check.mjs CHECK: Checker::accepts against ajv's compiled validator, on the same documents and values, parsed
// beforehand on both sides; ratios of medians over interleaved rounds. Needs ajv in tests/interop (npm ci there).
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { Ajv2020 } = createRequire(new URL('../interop/', import.meta.url))('ajv/dist/2020.js');
const rounds = 21;

const child = spawn(process.argv[2], ['serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const ask = async question => (child.stdin.write(question + '\n'), (await lines.next()).value);

function nanoseconds(validate, value, count) {
  let right = true;
  const start = process.hrtime.bigint();
  for (let i = 0; i < count; ++i) right = validate(value) && right;
  const taken = Number(process.hrtime.bigint() - start) / count;
  if (!right) throw new Error('ajv gave a wrong answer');
  return taken;
}
const median = of => of.sort((a, b) => a - b)[of.length >> 1];

console.log(`yes or no about a value parsed beforehand; medians of ${rounds} interleaved rounds; Node ${process.version}`);
for (const [name, count] of [['60B', 50_000], ['1.4KB', 5_000], ['76KB', 100]]) {
  const [document, value] = await Promise.all([ask(`document ${name}`), ask(`value ${name}`)]).then(texts => texts.map(text => JSON.parse(text)));
  const validate = new Ajv2020({ strict: false, multipleOfPrecision: 6, validateFormats: false }).compile(document);
  for (let i = 0; i < 20; ++i) nanoseconds(validate, value, count);    // warm: compiled and optimised
  const ours = [], theirs = [];
  for (let round = 0; round < rounds; ++round) {
    ours.push(Number(await ask(`run ${name} ${count}`)));
    theirs.push(nanoseconds(validate, value, count));
  }
  const us = median(ours), them = median(theirs);
  const line = [`Checker::accepts, ${name}`.padEnd(34), us.toFixed(0).padStart(9), 'ns  ', "ajv's compiled validator".padEnd(34), them.toFixed(0).padStart(10), 'ns   ratio', (us / them).toFixed(3).padStart(6)];
  console.log(line.join(' '));
}
console.log('at most 0.9 is wanted');
child.stdin.end();
