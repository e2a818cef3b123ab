/**
 * Times the sampler, from raw float32 logits to an id and its logprob, beside other systems and beside the limits.
 *
 *   node bench/sampler.mjs [--quick] [--json FILE] [--peers all|none] [--no-install] [--before FOLDER]
 *
 * Configurations: G greedy with repetition penalty 1.1; A repetition 1.1, T 0.8, k 40, p 0.95, m 0.05; B p 0.9 alone, on
 * flat logits; C nothing; D m 0.05 alone. Prompt of 512 ids, 256 generated. Progress goes to stderr. BENCH_PYTHON names
 * the Python that has numpy, CC the C compiler. FOLDER is the `dist` of an older build, which the fallback is measured beside.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadBefore } from './before.mjs';
import { measureSize, ROUNDS } from './cell.mjs';
import { closePeers, findPeers } from './peers.mjs';
import { render } from './render.mjs';
import { summarize } from './report.mjs';
import { VOCAB_SIZES } from './workload.mjs';

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  json: { type: 'string' },
  peers: { type: 'string', default: 'all' },
  'no-install': { type: 'boolean', default: false },
  before: { type: 'string' },
};

function readArguments() {
  try {
    const { values } = parseArgs({ options: OPTIONS });
    if (values.peers === 'all' || values.peers === 'none') return values;
    throw new Error(`\`--peers\` must be all or none, got ${values.peers}`);
  } catch (error) {
    refuse(error);
  }
}

/** The older build, where one is given. */
async function readBefore(folder) {
  try {
    return folder === undefined ? undefined : await loadBefore(folder);
  } catch (error) {
    refuse(error);
  }
}

function refuse(error) {
  console.error(`bench: ${error.message}`);
  process.exit(2);
}

/** One core, one process: every subject takes its turn. */
async function measureAll(quick, peers, before) {
  const rounds = quick ? ROUNDS.quick : ROUNDS.full;
  const cells = [];
  for (const vocabSize of VOCAB_SIZES) cells.push(...(await measureSize(vocabSize, rounds, peers, before)));
  return cells;
}

/** Collects garbage when told to, and no sooner. */
const COLLECTING = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** What a program of its own says in a line of JSON. */
function measureApart(name, engineOptions = ['--expose-gc'], ...options) {
  console.error(`${name} ...`);
  const script = fileURLToPath(new URL(name, import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [...engineOptions, script, ...options], { encoding: 'utf8' }));
}

function measureAllApart(quick) {
  const few = quick ? ['--quick'] : [];
  return {
    heap: measureApart('heap.mjs', COLLECTING, ...few),
    live: measureApart('live-requests.mjs'),
    batches: measureApart('batches.mjs', [], ...few),
    decoding: measureApart('decoding.mjs'),
  };
}

async function run({ quick, json, peers: wanted, 'no-install': noInstall, before: folder }) {
  const before = await readBefore(folder);
  const shared = mkdtempSync(join(tmpdir(), 'lockstep-bench-'));
  const peers = wanted === 'none' ? undefined : await findPeers(shared, !noInstall);
  try {
    for (const line of peers?.skipped ?? []) console.error(line);
    const cells = await measureAll(quick, peers, before);
    const report = summarize(cells, { quick, peers, before: folder, ...measureAllApart(quick) });
    console.log(render(report));
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    closePeers(peers);
    rmSync(shared, { recursive: true });
  }
}

await run(readArguments());
