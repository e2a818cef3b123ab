/**
 * Batches of 64 rows at V = 128,256, with their logprobs: by `sampleBatch` on one thread, and by `SamplerPool` with two.
 *
 *   npm run build && node bench/batches.mjs [--quick]
 *
 * Prints one line of JSON: tokens a second of either way, from the medians over the rounds, which alternate; the rows lie after
 * each other in one array, as an engine leaves them. The pool's time includes writing the rows to its shared memory. On one
 * core the threads would take turns, so the pool is left out, with the reason.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createSampler, sampleBatch } from 'lockstep';
import { SamplerPool } from 'lockstep/workers';
import { median } from './measure.mjs';
import { TARGET_SIZE } from './targets.mjs';
import { CONFIGURATIONS, logitsFor, makeWorkload } from './workload.mjs';

const ROWS = 64;
const THREADS = 2;
const ROUNDS = { full: 20, quick: 4 };
const WARMUP = { full: 5, quick: 1 };

/** f32[B, V]: the vectors of the workload in turn, each row in memory of its own. */
function matrixOf(vectors) {
  const matrix = new Float32Array(ROWS * TARGET_SIZE);
  for (let row = 0; row < ROWS; row++) matrix.set(vectors[row % vectors.length], row * TARGET_SIZE);
  return matrix;
}

/** One way to sample the batch: its tokens, later. */
async function makeWays(config, workload, isPooled) {
  const { prompt, history } = workload;
  const matrix = matrixOf(logitsFor(config, workload));
  const rowAt = (row) => matrix.subarray(row * TARGET_SIZE, (row + 1) * TARGET_SIZE);
  const params = (row) => ({ ...CONFIGURATIONS[config], seed: row });
  const samplers = Array.from({ length: ROWS }, (_, row) => createSampler(params(row), { prompt, history }));
  const batch = async () => sampleBatch(matrix, samplers);
  if (!isPooled) return { ways: { batch }, close: async () => {} };
  const pool = await SamplerPool.open({ vocabSize: TARGET_SIZE, rows: ROWS, threads: THREADS });
  for (let row = 0; row < ROWS; row++) await pool.start(row, params(row), { prompt, history });
  const pooled = () => {
    for (let row = 0; row < ROWS; row++) pool.logits(row).set(rowAt(row));
    return pool.sample();
  };
  return { ways: { batch, pool: pooled }, close: () => pool.close() };
}

/** Tokens a second by each way; the tokens of both are compared. */
async function measureBatches(config, workload, rounds, warmup, isPooled) {
  const { ways, close } = await makeWays(config, workload, isPooled);
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = -warmup; round < rounds; round++) {
    const seen = new Set();
    for (const [name, way] of Object.entries(ways)) {
      const begin = performance.now();
      const tokens = await way();
      if (round >= 0) times[name].push(performance.now() - begin);
      seen.add(JSON.stringify(tokens));
    }
    if (seen.size > 1) throw new Error(`${config}: the tokens differ`);
  }
  await close();
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, (1000 * ROWS) / median(list)]));
}

const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
const size = quick ? 'quick' : 'full';
const isPooled = availableParallelism() >= THREADS;
const workload = makeWorkload(TARGET_SIZE);
const rows = [];
for (const config of ['C', 'A']) {
  rows.push({ config, ...(await measureBatches(config, workload, ROUNDS[size], WARMUP[size], isPooled)) });
}
const reason = isPooled ? {} : { reason: `SamplerPool is left out: ${THREADS} threads would share one core` };
console.log(JSON.stringify({ rows: ROWS, threads: THREADS, configs: rows, ...reason }));
