/**
 * The library agrees with the oracle on random requests: ids, and the bits of everything else.
 *
 * ORACLE_REQUESTS says how many requests of V 1 to 300 (default 5000, in a long run 20000). 500 of them are a case; the
 * number of the case and of the request in it finds a request again.
 */
import { describe, expect, it } from 'vitest';
import { InvalidValueError } from '../../src/errors.js';
import { createSampler } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import {
  applyPenalties,
  processLogits,
  requestRng,
  sample,
  sampledEntropy,
  samplingDistribution,
  tokenLogprobs,
} from '../../src/spec.js';
import { firstDifference } from '../support/bits.js';
import { casesOf } from '../support/cases.js';
import { pick, randomRequest, type SampleRequest } from '../support/requests.js';
import { type OracleToken, oracleStream, oracleToken, Refused } from './oracle.js';

const REQUESTS = Number(process.env.ORACLE_REQUESTS ?? casesOf(5000, 20_000));
const EACH = Math.min(500, REQUESTS);
const CASES = Math.ceil(REQUESTS / EACH);
const LARGE = casesOf(50, 150);
const LARGEST = casesOf(15, 50);

/** What a run of requests had in it, so that a generator that has gone dull is noticed. */
interface Seen {
  sampled: number;
  greedy: number;
  refused: number;
}

describe('the oracle agrees, to the bit', () => {
  it.each(Array.from({ length: CASES }, (_, n) => n))(`on ${EACH} requests of V 1 to 300, case %i`, (n) => {
    const random = new Pcg32(n, 300);
    const seen: Seen = { sampled: 0, greedy: 0, refused: 0 };
    for (let i = 0; i < EACH; i++) {
      const V = random.below(4) === 0 ? 1 + random.below(8) : 1 + random.below(300);
      check(randomRequest(random, V, 2 + random.below(2)), `case ${n}, request ${i}`, seen);
    }
    if (EACH >= 400) {
      expect(seen.sampled).toBeGreaterThan(EACH);
      expect(seen.greedy).toBeGreaterThan(EACH / 50);
      expect(seen.refused).toBeGreaterThan(EACH / 100);
    }
  });

  it(`on ${LARGE} requests of V 301 to 20,000`, () => {
    const random = new Pcg32(150, 20);
    const seen: Seen = { sampled: 0, greedy: 0, refused: 0 };
    for (let i = 0; i < LARGE; i++) {
      const V = 301 + random.below(pick(random, [700, 4000, 19_700]));
      check(randomRequest(random, V, 1), `V ${V}, request ${i}`, seen);
    }
    expect(seen.sampled).toBeGreaterThan(0.4 * LARGE);
  });

  it(`on ${LARGEST} requests of V = 50,257`, () => {
    const random = new Pcg32(50, 257);
    const seen: Seen = { sampled: 0, greedy: 0, refused: 0 };
    for (let i = 0; i < LARGEST; i++) check(randomRequest(random, 50_257, 1), `V 50257, request ${i}`, seen);
    expect(seen.sampled).toBeGreaterThan(0.4 * LARGEST);
  });
});

/** The first token through the functions of the contract, all tokens through a sampler. */
function check(request: SampleRequest, name: string, seen: Seen): void {
  const stream = oracleStream(request.seed);
  const first = oracle(request, 0, request.history, () => stream.uniform());
  checkFunctions(request, first, name);
  checkSampler(request, first, stream, name, seen);
}

/** The oracle's token, undefined where it refuses. */
function oracle(
  request: SampleRequest,
  step: number,
  out: readonly number[],
  draw: () => number,
): OracleToken | undefined {
  try {
    return oracleToken(request.steps[step] as number[], request.params, out, request.prompt, draw);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

function checkFunctions(request: SampleRequest, expected: OracleToken | undefined, name: string): void {
  const { params, history, prompt } = request;
  const logits = request.steps[0] as number[];
  const before = Array.from(logits);
  const rng = requestRng(request.seed);
  const calls = [
    () => sample(logits, params, history, rng, prompt),
    () => processLogits(logits, params, history, prompt),
    () => samplingDistribution(logits, params, history, prompt),
    () => sampledEntropy(logits, params, history, prompt),
  ] as const;
  if (expected === undefined) {
    for (const call of calls) if (!refuses(call)) fail(request, name, 'the oracle refuses, the library does not');
    if (rng.uniform() !== requestRng(request.seed).uniform()) fail(request, name, 'a refused call drew');
    return;
  }
  same(request, name, 'sample', pair(calls[0]()), [expected.id, expected.logprob]);
  same(request, name, 'scores', applyPenalties(logits, params, history, prompt), expected.scores);
  same(request, name, 'logprobs', tokenLogprobs(logits, params, history, prompt), expected.logprobs);
  same(request, name, 'processed', calls[1](), expected.processed);
  same(request, name, 'q', calls[2](), expected.q);
  same(request, name, 'entropy', [calls[3]()], [expected.entropy]);
  same(request, name, 'logits afterwards', logits, before);
}

function checkSampler(
  request: SampleRequest,
  first: OracleToken | undefined,
  stream: Pcg32,
  name: string,
  seen: Seen,
): void {
  const { params, history, prompt, seed } = request;
  const create = () => createSampler({ ...params, seed }, { history, prompt });
  if (first === undefined && refuses(create)) {
    seen.refused++;
    return;
  }
  const sampler = create();
  const out = [...history];
  let expected = first;
  for (let step = 0; step < request.steps.length; step++) {
    if (step > 0) expected = oracle(request, step, out, () => stream.uniform());
    const logits = request.steps[step] as number[];
    if (expected === undefined) {
      seen.refused++;
      if (!refuses(() => sampler.sample(logits))) fail(request, name, `token ${step}: only the oracle refuses`);
      continue;
    }
    seen[params.temperature === 0 ? 'greedy' : 'sampled']++;
    same(request, name, `token ${step}`, pair(sampler.sample(logits)), [expected.id, expected.logprob]);
    same(request, name, `entropy ${step}`, [sampler.entropy()], [expected.entropy]);
    checkTop(request, sampler.topLogprobs(5), expected, `${name}, token ${step}`);
    out.push(expected.id);
  }
  same(request, name, 'history', sampler.history.output, out);
}

function checkTop(
  request: SampleRequest,
  top: readonly { id: number; logprob: number }[],
  expected: OracleToken,
  name: string,
): void {
  const ids = expected.ranking.slice(0, 5);
  same(
    request,
    name,
    'top ids',
    top.map((t) => t.id),
    ids,
  );
  same(
    request,
    name,
    'top logprobs',
    top.map((t) => t.logprob),
    ids.map((id) => expected.logprobs[id] as number),
  );
}

function pair(token: { id: number; logprob: number }): number[] {
  return [token.id, token.logprob];
}

function refuses(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch (error) {
    if (error instanceof InvalidValueError) return true;
    throw error;
  }
}

function same(
  request: SampleRequest,
  name: string,
  what: string,
  got: ArrayLike<number>,
  expected: ArrayLike<number>,
): void {
  const i = firstDifference(got, expected);
  if (i >= 0) fail(request, name, `${what}[${i}]: the library gives ${got[i]}, the oracle ${expected[i]}`);
}

function fail(request: SampleRequest, name: string, what: string): never {
  const { steps, ...rest } = request;
  const text = JSON.stringify(rest, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  expect.fail(`${name}: ${what}\nV = ${steps[0]?.length}, ${text}`);
}
