/**
 * Whether worker threads pay: a batch of eight rows by `sampleBatch` and by `SamplerPool`, in turn, and the ratio.
 *
 *   node bench/threads.mjs [THREADS]
 *
 * The pool's time includes writing the rows to its shared memory. Default: two threads. Not for one core.
 */
import { createSampler, sampleBatch } from 'lockstep';
import { SamplerPool } from 'lockstep/workers';
import { CONFIGURATIONS, logitsFor, makeWorkload } from './workload.mjs';

const ROWS = 8;
const ROUNDS = 60;
const WARMUP = 10;

/** The median milliseconds of both ways; their tokens are compared. */
async function compare(workload, name, threads) {
  const { vocabSize, prompt, history } = workload;
  const rows = Array.from({ length: ROWS }, (_, i) => logitsFor(name, workload)[i % 4]);
  const params = (row) => ({ ...CONFIGURATIONS[name], seed: row });
  const samplers = rows.map((_, row) => createSampler(params(row), { prompt, history }));
  const pool = await SamplerPool.open({ vocabSize, rows: ROWS, threads });
  for (const row of rows.keys()) await pool.start(row, params(row), { prompt, history });
  const times = { batch: [], pool: [] };
  for (let round = 0; round < WARMUP + ROUNDS; round++) {
    const start = performance.now();
    const tokens = sampleBatch(rows, samplers);
    const middle = performance.now();
    for (const [row, logits] of rows.entries()) pool.logits(row).set(logits);
    const same = await pool.sample();
    const end = performance.now();
    if (JSON.stringify(tokens) !== JSON.stringify(same)) throw new Error(`${name}: the tokens differ`);
    if (round >= WARMUP) {
      times.batch.push(middle - start);
      times.pool.push(end - middle);
    }
  }
  await pool.close();
  return { batch: median(times.batch), pool: median(times.pool) };
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

const threads = Number(process.argv[2] ?? 2);
console.log(`${ROWS} rows with logprobs, ${threads} threads, medians in milliseconds`);
for (const vocabSize of [32_000, 128_256]) {
  const workload = makeWorkload(vocabSize);
  for (const name of ['A', 'B', 'C']) {
    const { batch, pool } = await compare(workload, name, threads);
    console.log(
      `V = ${vocabSize}, ${name}: batch ${batch.toFixed(2)}, pool ${pool.toFixed(2)}, ratio ${(pool / batch).toFixed(2)}`,
    );
  }
}
