/**
 * What it costs to make a sampler: of plain parts, of a container, and of a container that opens a child for what a processor
 * asks for; and what memory a child takes while it is held.
 *
 *   npm run build && node --expose-gc bench/create-sampler.mjs [--before FOLDER]
 *
 * FOLDER is the `dist` of another build, whose plain and container samplers are timed in the same run. Rounds alternate;
 * microseconds of processor time a sampler, medians over the rounds. Prints one line of JSON.
 */
import { parseArgs } from 'node:util';
import { Container } from 'inversify';
import { createSampler } from 'lockstep';
import { createContainer, processorModule } from 'lockstep/container';
import { TOKENS } from 'lockstep/processors';

const ROUNDS = 40;
/** A round ends a turn: what a child refers to weakly stays until then. */
const CALLS = 200;
const HELD = 1_000;
const PARAMS = { seed: 1, temperature: 0.8, top_k: 40, top_p: 0.95 };
const NAMES = ['repetition-penalty', 'presence-frequency', 'temperature', 'top-k', 'top-p', 'min-p'];
const OPTIONS = [{ penalty: 1 }, {}, { temperature: 0.8 }, { k: 40 }, { p: 0.95 }, { m: 0 }];
const SPEC = NAMES.map((use, i) => ({ use, ...OPTIONS[i] }));

const { values } = parseArgs({ options: { before: { type: 'string' } } });
const tokenizer = { vocabSize: 1, encode: () => [0], tokenBytes: () => Uint8Array.of(97) };

/** A step that does nothing, and is made with or without asking for the tokenizer. */
const idle = (name, inject) => ({ name, inject, make: () => ({ name, stage: 'scores', process() {} }) });
const entries = [idle('asks', [TOKENS.tokenizer]), idle('asks-nothing', [])];
const container = createContainer(processorModule(...entries));
const chainWith = (use) => ({ container, tokenizer, chain: [{ use }, ...SPEC] });

const subjects = {
  plain: () => createSampler(PARAMS),
  container: () => createSampler(PARAMS, { container }),
  'chain, no child': () => createSampler({ seed: 1 }, chainWith('asks-nothing')),
  'chain, with child': () => createSampler({ seed: 1 }, chainWith('asks')),
};
if (values.before !== undefined) {
  const at = (path) => import(new URL(path, `file://${values.before}/`).href);
  const [old, { createContainer: oldContainer }] = [await at('src/index.js'), await at('src/container/index.js')];
  const own = oldContainer();
  subjects['plain, before'] = () => old.createSampler(PARAMS);
  subjects['container, before'] = () => old.createSampler(PARAMS, { container: own });
}

/** Microseconds of one call. */
function round(call) {
  const before = process.cpuUsage();
  for (let i = 0; i < CALLS; i++) call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

const turn = () => new Promise((resolve) => setTimeout(resolve));
const times = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
for (let n = -5; n < ROUNDS; n++) {
  for (const [name, call] of Object.entries(subjects)) {
    const time = round(call);
    if (n >= 0) times[name].push(time);
    await turn();
  }
}
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

/** Bytes of one of `HELD` things that `make` gives. */
async function bytesOf(make) {
  const used = async () => {
    for (let i = 0; i < 4; i++) {
      await turn();
      globalThis.gc();
    }
    return process.memoryUsage().heapUsed;
  };
  const before = await used();
  const held = [];
  for (let i = 0; i < HELD; i++) {
    held.push(make());
    if (i % 100 === 0) await turn();
  }
  const bytes = (await used()) - before;
  return Math.round(bytes / held.length);
}

const child = () => {
  const made = new Container({ parent: container });
  made.bind(TOKENS.tokenizer).toConstantValue(tokenizer);
  made.get(TOKENS.tokenizer);
  return made;
};
const bytes = {
  child: await bytesOf(child),
  'sampler, no child': await bytesOf(subjects['chain, no child']),
  'sampler, with child': await bytesOf(subjects['chain, with child']),
};
const microseconds = Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
console.log(JSON.stringify({ microseconds, bytes }));
