/**
 * What takes too long for `npm test`: the tests with all their random cases; then random requests through the plain and the
 * WebAssembly passes, step by step: every id and every bit of the logprob and the entropy must agree; then what bounds decide,
 * beside the plain loops, in rows of any size.
 * `npm run long-run -- STEPS SEED BOUND_ROWS`; the default is a million steps, and 10,000 rows: 10^8 exps, 10^6 draws by each
 * way and 10^6 nuclei with each of the two passes.
 */

import { ContainerModule } from 'inversify';
import { createSampler } from 'lockstep';
import { createContainer, PARTS } from 'lockstep/container';
import { exactNumerics, wasmNumerics } from 'lockstep/numerics';
import { Pcg32 } from 'lockstep/random';
import { verify } from 'lockstep/verify';
import { runAllCases } from './all-cases.mjs';

const STEPS_A_REQUEST = 8;
const KINDS = [
  (u) => Math.fround(u * 8 - 4),
  (u) => Math.floor(u * 6) - 3,
  (u) => (u < 0.3 ? -Infinity : Math.fround(u * 12 - 6)),
  (u) => Math.fround((u * 2 - 1) * 1e30),
  (u) => Math.fround((u * 2 - 1) * 1e-40),
  (u) => (u < 0.5 ? -0 : 0),
  (u) => Math.fround(u * 0.4),
];

/** A container with these numerics. */
function bound(numerics) {
  return createContainer(
    new ContainerModule(({ rebind }) => {
      rebind(PARTS.numerics).toConstantValue(numerics);
    }),
  );
}

const CONTAINERS = [bound(exactNumerics), bound(wasmNumerics)];

function randomRequest(random) {
  const pick = (values) => values[random.below(values.length)];
  const size = 1 + random.below(pick([8, 64, 130, 300, 300, 3000]));
  const kind = pick(KINDS);
  const logits = Float32Array.from({ length: size }, () => kind(random.uniform()));
  logits[random.below(size)] = Math.fround(random.uniform());
  const ids = (n) => Array.from({ length: random.below(n) }, () => random.below(size));
  const params = {
    temperature: pick([0, 0.5, 1, 1, 1.7, 1e-3]),
    top_k: pick([0, 0, 1, 7, 40]),
    top_p: pick([1, 1, 0.9, 0.5, random.uniform() || 1]),
    min_p: pick([0, 0, 0.05, 1, random.uniform()]),
    repetition_penalty: pick([1, 1.1, 0.7, 2]),
    presence_penalty: pick([0, 0.5, -1]),
    frequency_penalty: pick([0, 0.1, -0.3]),
    seed: random.nextU32(),
  };
  return { logits, params, prompt: ids(20), history: ids(20) };
}

/** The first step at which the two differ, or undefined. */
function firstDifference({ logits, params, prompt, history }) {
  const [plain, wasm] = CONTAINERS.map((container) => createSampler(params, { prompt, history, container }));
  for (let step = 0; step < STEPS_A_REQUEST; step++) {
    const [a, b] = [plain, wasm].map((sampler) => [...Object.values(sampler.sample(logits)), sampler.entropy()]);
    if (!a.every((value, i) => Object.is(value, b[i]))) return { step, a, b };
  }
  for (const sampler of [plain, wasm]) sampler.release(); // so that requests of one V work in arrays that others used
  return undefined;
}

const failed = runAllCases();
if (failed !== 0) process.exit(failed);

const steps = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? Date.now());
const random = new Pcg32(seed);
const started = performance.now();
for (let done = 0; done < steps; done += STEPS_A_REQUEST) {
  const request = randomRequest(random);
  const difference = firstDifference(request);
  if (difference !== undefined) {
    console.log(JSON.stringify({ seed, done, ...difference, request: { ...request, logits: [...request.logits] } }));
    process.exit(1);
  }
  if (done % 100_000 < STEPS_A_REQUEST && done > 0) console.error(`${done} steps`);
}
console.log(`${steps} steps of seed ${seed}: no difference (${((performance.now() - started) / 1000).toFixed(0)} s)`);

const boundRows = Number(process.argv[4] ?? 10_000);
const report = await verify({ groups: ['bounds'], boundRows });
console.log(JSON.stringify(report.groups));
if (!report.ok) process.exit(1);
