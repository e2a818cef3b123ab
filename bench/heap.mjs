/**
 * Memory over 10,000 tokens, at V = 128,256: what stays, and what is allocated a token and thrown away.
 *
 *   node --expose-gc bench/heap.mjs
 *
 * Prints one line of JSON. A request keeps the ids that it generated, so its history grows; a history alone that takes
 * the same ids is measured beside it, and what is above that is the sampler's.
 */
import { TokenHistory } from 'lockstep/core';
import { warmSampler } from './subjects.mjs';
import { TARGET_SIZE } from './targets.mjs';
import { CONFIGURATIONS, logitsFor, makeWorkload } from './workload.mjs';

const TOKENS = 10_000;
const WARMUP = 2_000;
/** Few enough that no collection runs meanwhile. */
const GARBAGE_TOKENS = 200;

/** Bytes that are in use after a collection, on the heap and in arrays beside it. */
function used() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function growthOf(run) {
  const before = used();
  run();
  return used() - before;
}

/** Bytes a token that the collector has to take back. */
function garbageOf(run) {
  used();
  const before = process.memoryUsage().heapUsed;
  run(GARBAGE_TOKENS);
  return (process.memoryUsage().heapUsed - before) / GARBAGE_TOKENS;
}

function historyGrowth({ prompt, output }, tokens) {
  const ids = output.slice(-tokens);
  const history = new TokenHistory(prompt, output.slice(0, -tokens));
  const grown = growthOf(() => {
    for (const id of ids) history.accept(id);
  });
  return history.output.length === output.length ? grown : Number.NaN;
}

function measureGrowth(config, method, workload, tokens) {
  const logits = logitsFor(config, workload);
  const sampler = warmSampler(CONFIGURATIONS[config], logits, workload);
  const run = (count) => {
    for (let i = 0; i < count; i++) sampler[method](logits[i % logits.length]);
  };
  run(WARMUP);
  const garbage = garbageOf(run);
  const growth = growthOf(() => run(tokens));
  return { config, method, tokens, growth, history: historyGrowth(sampler.history, tokens), garbage };
}

const workload = makeWorkload(TARGET_SIZE);
const measureBoth = (config, tokens) => {
  return ['sampleId', 'sample'].map((method) => measureGrowth(config, method, workload, tokens));
};
measureBoth('A', GARBAGE_TOKENS); // what the measurement itself compiles and keeps
const rows = ['A', 'C'].flatMap((config) => measureBoth(config, TOKENS));
console.log(JSON.stringify(rows));
