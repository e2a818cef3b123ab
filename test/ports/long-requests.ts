/**
 * Requests of many tokens, for the hand-off, and the golden ones.
 */
import { readFileSync } from 'node:fs';
import type { SamplingParamsInput } from '../../src/params/sampling-params.js';
import { Pcg32 } from '../../src/random/pcg32.js';
import { roughNormal } from '../support/requests.js';
import type { PortRequest } from './request.js';

const TOKENS = 40;
const V = 300;

const POLICIES: readonly (readonly [why: string, params: SamplingParamsInput, seed: number | bigint])[] = [
  ['nothing on', {}, 0],
  ['every filter', { temperature: 0.8, top_k: 40, top_p: 0.9, min_p: 0.02 }, 7],
  [
    'penalties that read the whole history',
    { repetition_penalty: 1.2, presence_penalty: 0.3, frequency_penalty: 0.2 },
    42,
  ],
  [
    'every parameter',
    {
      temperature: 1.3,
      top_k: 100,
      top_p: 0.95,
      min_p: 0.01,
      repetition_penalty: 1.1,
      presence_penalty: -0.2,
      frequency_penalty: 0.7,
    },
    2n ** 64n - 1n,
  ],
  ['greedy, which draws nothing', { temperature: 0, repetition_penalty: 1.5, frequency_penalty: 0.1 }, 3],
];

/** What is in it, and the request. */
export const LONG_REQUESTS: readonly (readonly [why: string, request: PortRequest])[] = POLICIES.map(
  ([why, params, seed], n) => {
    const rest = { history: [], prompt: [5, 5, n, 17], skip: 0, tokens: TOKENS, digest: true };
    return [why, { params, seed, logits: logits(new Pcg32(n, 40)), ...rest }];
  },
);

/** As a model's, with ties, and every seventh id masked. */
function logits(random: Pcg32): Float32Array {
  const quarters = () => Math.round(4 * 3 * roughNormal(random)) / 4;
  return Float32Array.from({ length: V }, (_, id) => (id % 7 === 3 ? -Infinity : quarters()));
}

interface GoldenCase {
  readonly logits: readonly (number | '-inf')[];
  readonly params: SamplingParamsInput;
  readonly prompt: readonly number[];
  readonly seed: number;
  readonly ids: readonly number[];
  readonly logprob_bits: readonly string[];
}

export interface GoldenRequest {
  readonly request: PortRequest;
  readonly ids: readonly number[];
  readonly logprob_bits: readonly string[];
}

/** The golden cases, as requests for all of their tokens. */
export function goldenRequests(): GoldenRequest[] {
  const file = readFileSync(new URL('../../fixtures/sampler_golden.json', import.meta.url), 'utf8');
  const { cases } = JSON.parse(file) as { cases: readonly GoldenCase[] };
  return cases.map(({ logits, params, prompt, seed, ids, logprob_bits }) => {
    const values = logits.map((x) => (x === '-inf' ? -Infinity : x));
    const request = { logits: values, params, prompt, seed, history: [], skip: 0, tokens: ids.length, digest: true };
    return { request, ids, logprob_bits };
  });
}
