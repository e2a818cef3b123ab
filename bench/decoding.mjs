/**
 * The loop around the model: what a token costs behind a short text and behind a long one, what requests side by side cost
 * where the model waits, and what beams cost.
 *
 *   npm run build && node bench/decoding.mjs
 *
 * Prints one line of JSON. The parts take turns; the figures are medians over the rounds. The model of the loop does nothing,
 * so that what is timed is Lockstep's own; that of the requests answers each call after 20 ms, however many are under way.
 */
import { beamSearch, generate, generateMany } from 'lockstep';
import { loadEmbedded } from 'lockstep/embedded';
import { flatModel } from './flat-model.mjs';
import { median } from './measure.mjs';

const LENGTHS = [100, 10_000, 100_000];
const ROUNDS = 9;
const TOKENS = 500;
/** A token behind the longest text may take so many times one behind the shortest. */
const FLAT_TARGET = 1.3;
const WAIT = 20;
const REQUESTS = 8;
const REQUEST_TARGET = 1.3;
const BEAMS = 8;
const BEAM_TARGET = 8.5;
const BEAM_TOKENS = 100;

const V = 100;
const logits = Float32Array.from({ length: V }, (_, id) => Math.fround(((id * 37) % V) / 20));
const tokenizer = { vocabSize: V, encode: () => [1], tokenBytes: () => Uint8Array.of(97) };

/** Milliseconds of the processor, which other programs of a busy machine do not lengthen. */
async function processorTime(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function wallTime(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A text of `length` ids that goes on: a round takes some tokens of it. */
async function textOf(length) {
  const params = { seed: 1, max_tokens: ROUNDS * TOKENS * 2 };
  const events = generate(flatModel(logits), tokenizer, new Array(length).fill(1), params)[Symbol.asyncIterator]();
  const take = async (count) => {
    for (let i = 0; i < count; i++) await events.next();
  };
  await take(TOKENS);
  return {
    length,
    round: async () => (await processorTime(() => take(TOKENS))) / TOKENS,
    leave: () => events.return(),
  };
}

async function measureLoop() {
  const texts = await Promise.all(LENGTHS.map(textOf));
  const rounds = [];
  for (let i = 0; i < ROUNDS; i++) {
    const times = [];
    for (const text of texts) times.push(await text.round());
    rounds.push(times);
  }
  for (const text of texts) await text.leave();
  const ratio = median(rounds.map((times) => times.at(-1) / times[0]));
  return {
    tokens: LENGTHS.map((length, i) => ({ length, ms: median(rounds.map((times) => times[i])) })),
    ...verdict(ratio, FLAT_TARGET),
  };
}

async function measureRequests() {
  const model = flatModel(logits, { wait: () => new Promise((resolve) => setTimeout(resolve, WAIT)) });
  const run = (count) => {
    const requests = Array.from({ length: count }, (_, seed) => ({ prompt: 'a', params: { seed, max_tokens: 20 } }));
    return wallTime(() => generateMany(model, tokenizer, requests));
  };
  return { count: REQUESTS, wait: WAIT, ...(await compare(run, REQUESTS, 3, REQUEST_TARGET)) };
}

async function measureBeams() {
  const { model, tokenizer: its } = await loadEmbedded();
  const prompt = its.encode('In the beginning');
  const run = (num_beams) => {
    const params = { num_beams, num_return_sequences: 1, max_tokens: BEAM_TOKENS, eos_token_id: [] };
    return processorTime(() => beamSearch(model, prompt, params));
  };
  await run(BEAMS); // warm
  return { count: BEAMS, ...(await compare(run, BEAMS, 5, BEAM_TARGET)) };
}

/** The median over the rounds of `run(many)` beside `run(1)`, which take turns. */
async function compare(run, many, count, target) {
  await run(1); // warm
  const rounds = [];
  for (let i = 0; i < count; i++) rounds.push([await run(1), await run(many)]);
  const [one, all] = [0, 1].map((i) => median(rounds.map((times) => times[i])));
  return { one, all, ...verdict(median(rounds.map(([a, b]) => b / a)), target) };
}

function verdict(ratio, target) {
  return { ratio, target, met: ratio <= target };
}

const report = { loop: await measureLoop(), requests: await measureRequests(), beams: await measureBeams() };
console.log(JSON.stringify(report));
