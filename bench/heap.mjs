/**
 * Memory over many tokens, at V = 128,256: what stays, and what is allocated a token and thrown away.
 *
 *   npm run build && node --expose-gc --min-semi-space-size=64 --max-semi-space-size=64 bench/heap.mjs [--quick]
 *
 * Prints one line of JSON. A request keeps the ids that it generated, so its history grows; a history alone that takes
 * the same ids is measured beside it, and what is above that is the sampler's.
 *
 * Garbage is what a collection takes back after tokens among which none ran: the sizes above leave room for them, and a
 * collection meanwhile is an error. It depends on what the engine has compiled, so that it is counted after as many tokens
 * as it takes to settle down.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { TokenHistory } from 'lockstep/core';
import { median } from './measure.mjs';
import { warmSampler } from './subjects.mjs';
import { GARBAGE_TARGET, TARGET_SIZE } from './targets.mjs';
import { CONFIGURATIONS, logitsFor, makeWorkload } from './workload.mjs';

/** Tokens: untimed ones before; rounds of garbage, and the tokens of one; tokens that something may stay of. */
const COUNTS = {
  full: { warmup: 3_000, rounds: 3, garbage: 1_000, growth: 10_000 },
  quick: { warmup: 1_000, rounds: 2, garbage: 300, growth: 1_000 },
};
/** The configurations whose growth is measured. */
const GROWING = ['A', 'C'];

/** When collections began, in milliseconds. */
const collections = [];
new PerformanceObserver((list) => {
  collections.push(...list.getEntries().map(({ startTime }) => startTime));
}).observe({ entryTypes: ['gc'] });

function collect() {
  for (let i = 0; i < 4; i++) globalThis.gc();
}

/** Bytes that are in use after a collection, on the heap and in arrays beside it. */
function used() {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function growthOf(run) {
  const before = used();
  run();
  return used() - before;
}

/** Bytes a token that the collector has to take back, in one round. */
async function garbageOf(run, tokens) {
  collect();
  const begin = performance.now();
  run(tokens);
  const { heapUsed } = process.memoryUsage();
  const end = performance.now();
  collect();
  const garbage = heapUsed - process.memoryUsage().heapUsed;
  await new Promise((resolve) => setTimeout(resolve)); // the observer is told in a turn of its own
  if (collections.some((time) => time >= begin && time < end)) throw new Error('a collection ran meanwhile');
  return garbage / tokens;
}

function historyGrowth({ prompt, output }, tokens) {
  const ids = output.slice(-tokens);
  const history = new TokenHistory(prompt, output.slice(0, -tokens));
  const grown = growthOf(() => {
    for (const id of ids) history.accept(id);
  });
  return history.output.length === output.length ? grown : Number.NaN;
}

async function measureMemory(config, method, workload, counts) {
  const logits = logitsFor(config, workload);
  const sampler = warmSampler(CONFIGURATIONS[config], logits, workload);
  const run = (count) => {
    for (let i = 0; i < count; i++) sampler[method](logits[i % logits.length]);
  };
  run(counts.warmup);
  const rounds = [];
  for (let round = 0; round < counts.rounds; round++) rounds.push(await garbageOf(run, counts.garbage));
  const garbage = median(rounds);
  const row = { config, method, garbage, met: garbage <= GARBAGE_TARGET };
  if (!GROWING.includes(config)) return row;
  const growth = growthOf(() => run(counts.growth));
  return { ...row, tokens: counts.growth, growth, history: historyGrowth(sampler.history, counts.growth) };
}

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
const counts = quick ? COUNTS.quick : COUNTS.full;
const workload = makeWorkload(TARGET_SIZE);
await measureMemory('A', 'sample', workload, COUNTS.quick); // what the measurement itself compiles and keeps
const rows = [];
for (const config of Object.keys(CONFIGURATIONS)) {
  for (const method of ['sampleId', 'sample']) rows.push(await measureMemory(config, method, workload, counts));
}
console.log(JSON.stringify(rows));
