/**
 * Memory of live requests at V = 128,256: what 1,000 of them in turn take above one, and what stays after 10,000 tokens.
 *
 *   npm run build && node --expose-gc bench/live-requests.mjs
 *
 * Prints one line of JSON: bytes on the heap and beside it (`external`, which counts arrays and the memories of
 * WebAssembly). The requests are short, and the model holds nothing but the number of ids, so that what is counted is what
 * Lockstep keeps. `history` is what histories alone keep of the same ids, `held` what a sampler driven by hand holds until
 * its next token or `release`, and `released` what the lender of the thread keeps of 20 that were released.
 */
import { createSampler, generateMany } from 'lockstep';
import { TokenHistory } from 'lockstep/core';
import { flatModel } from './flat-model.mjs';
import { TARGET_SIZE } from './targets.mjs';
import { CONFIGURATIONS, logitsFor, makeWorkload } from './workload.mjs';

const REQUESTS = 1_000;
const TOKENS = 10_000;
/** The most bytes that the requests may take above one. */
const LIVE_TARGET = 60e6;
/** Samplers that are driven by hand and not released, each with its arrays. */
const BY_HAND = 20;
const PROMPT = [1, 2, 3, 4, 5, 6, 7, 8];
/** What may stay of so many tokens beside the histories: their events, which a generation keeps for its result. */
const FLAT = 2e6;

const workload = makeWorkload(TARGET_SIZE);
const [logits] = logitsFor('A', workload);

const tokenizer = { vocabSize: TARGET_SIZE, encode: () => PROMPT, tokenBytes: () => Uint8Array.of(97) };

const model = flatModel(logits);

/** Bytes in use after a collection. */
async function used() {
  for (let i = 0; i < 4; i++) {
    await new Promise((resolve) => setTimeout(resolve)); // what ended in this turn is let go of
    globalThis.gc();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** `count` requests under way, a token of each in turn. */
function start(count) {
  const params = (seed) => ({ ...CONFIGURATIONS.A, seed, max_tokens: 500 });
  const requests = Array.from({ length: count }, (_, seed) => ({ prompt: PROMPT, params: params(seed) }));
  return generateMany(model, tokenizer, requests)[Symbol.asyncIterator]();
}

async function take(events, count) {
  for (let i = 0; i < count; i++) {
    const { value } = await events.next();
    if (value.type !== 'token') throw new Error(`an event of type ${value.type}: ${value.error}`);
  }
}

/** What is in use while `count` requests have a token each, and what stays after `tokens` more. */
async function measure(count, tokens = 0) {
  const before = await used();
  const events = start(count);
  await take(events, count);
  const live = (await used()) - before;
  await take(events, tokens);
  const growth = (await used()) - before - live;
  await events.return();
  return { live, growth };
}

async function historyGrowth() {
  const histories = Array.from({ length: REQUESTS }, () => new TokenHistory(PROMPT, [9]));
  const before = await used();
  for (let i = 0; i < TOKENS; i++) histories[i % REQUESTS].accept(100 + i);
  const after = await used();
  return histories.length === REQUESTS ? after - before : Number.NaN;
}

async function byHand() {
  const before = await used();
  const samplers = Array.from({ length: BY_HAND }, (_, seed) => createSampler({ ...CONFIGURATIONS.A, seed }));
  for (const sampler of samplers) sampler.sample(logits);
  const held = (await used()) - before;
  for (const sampler of samplers) sampler.release();
  const released = (await used()) - before;
  return { held: held / BY_HAND, released };
}

await measure(1); // what the measurement itself compiles and keeps, and the arrays of one
const one = await measure(1);
const many = await measure(REQUESTS, TOKENS);
const above = many.live - one.live;
const history = await historyGrowth();
console.log(
  JSON.stringify({
    requests: REQUESTS,
    above,
    request: above / REQUESTS,
    met: above <= LIVE_TARGET,
    tokens: TOKENS,
    growth: many.growth,
    history,
    flat: many.growth - history <= FLAT,
    ...(await byHand()),
  }),
);
