import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSampler, type SamplingParamsInput } from '../../src/index.js';
import { requestRng, sample } from '../../src/spec.js';
import { expectSameBits, fromHex } from '../support/bits.js';

interface GoldenCase {
  name: string;
  logits: (number | '-inf')[];
  params: SamplingParamsInput;
  prompt: number[];
  seed: number;
  ids: number[];
  logprobs: number[];
  logprob_bits: string[];
}

const path = new URL('../../fixtures/sampler_golden.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: GoldenCase[] };

const NAMES = [
  'plain',
  'temperature_0.7',
  'hot',
  'top_k_5',
  'top_p_0.9',
  'min_p_0.1',
  'all_filters',
  'repetition_1.3',
  'presence_frequency',
  'penalties_and_filters',
  'greedy_penalized',
  'masked',
];

describe('test_golden_ids_and_logprobs', () => {
  it('has the 12 cases of 12 tokens, in order', () => {
    expect(cases.map((c) => c.name)).toEqual(NAMES);
    for (const { ids, logprobs, logprob_bits } of cases) {
      expect([ids.length, logprobs.length, logprob_bits.length]).toEqual([12, 12, 12]);
      expectSameBits(logprobs, logprob_bits.map(fromHex));
    }
  });

  it('has the published numbers', () => {
    const [plain, filters] = [cases[0] as GoldenCase, cases[6] as GoldenCase];
    expect(plain.ids).toEqual([18, 36, 24, 20, 0, 9, 45, 45, 47, 18, 18, 0]);
    expect(plain.logprobs[0]).toBe(-3.0901819879198946);
    expect(filters.ids).toEqual([11, 43, 11, 19, 2, 19, 11, 28, 2, 43, 11, 11]);
    expect(filters.logprobs[0]).toBe(-2.0319696162702927);
  });

  it.each(cases)('$name: `sample` gives the same ids and the same bits', (golden) => {
    const logits = read(golden.logits);
    const rng = requestRng(golden.seed);
    const history: number[] = [];
    golden.ids.forEach((id, n) => {
      const token = sample(logits, golden.params, history, rng, golden.prompt);
      expect(token.id).toBe(id);
      expect(token.logprob).toBe(golden.logprobs[n]); // Object.is
      history.push(token.id);
    });
  });

  it.each(cases)('$name: a sampler gives the same ids and the same bits', (golden) => {
    const logits = Float32Array.from(read(golden.logits));
    const sampler = createSampler({ ...golden.params, seed: golden.seed }, { prompt: golden.prompt });
    const tokens = golden.ids.map(() => sampler.sample(logits));
    expect(tokens.map((t) => t.id)).toEqual(golden.ids);
    expectSameBits(
      tokens.map((t) => t.logprob),
      golden.logprobs,
    );
  });
});

function read(logits: readonly (number | '-inf')[]): number[] {
  return logits.map((x) => (x === '-inf' ? -Infinity : x));
}
