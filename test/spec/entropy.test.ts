import { describe, expect, it } from 'vitest';
import { createSampler } from '../../src/index.js';
import { log } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { sampledEntropy, samplingDistribution } from '../../src/spec.js';
import { roughNormal } from '../support/requests.js';

function entropyOf(q: ArrayLike<number>): number {
  let h = 0;
  for (let i = 0; i < q.length; i++) {
    const p = q[i] as number;
    if (p > 0) h -= p * log(p);
  }
  return h;
}

const random = new Pcg32(31, 4);
const logits = Array.from({ length: 80 }, () => Math.fround(2 * roughNormal(random)));

describe('test_entropy_of_the_sampling_distribution', () => {
  it.each([
    {},
    { temperature: 0.6 },
    { temperature: 2 },
    { top_k: 7 },
    { top_p: 0.8 },
    { min_p: 0.1 },
    { temperature: 0.8, top_k: 20, top_p: 0.9, min_p: 0.05 },
    { repetition_penalty: 1.5, frequency_penalty: 0.5, top_k: 30 },
  ])('with %j it is H(q) of what is left after the filters, bit for bit', (params) => {
    const history = [3, 3, 9];
    const expected = entropyOf(samplingDistribution(logits, params, history, [1]));
    expect(sampledEntropy(logits, params, history, [1])).toBe(expected);
    const sampler = createSampler({ ...params, seed: 1 }, { history, prompt: [1] });
    sampler.sample(logits);
    expect(sampler.entropy()).toBe(expected);
  });

  it('is not that of the unfiltered softmax', () => {
    const filtered = sampledEntropy(logits, { top_k: 5 });
    expect(filtered).toBeLessThan(sampledEntropy(logits, {}));
    expect(filtered).toBeLessThanOrEqual(log(5));
  });

  it.each([2, 4, 8])('is ln %i for as many equal ids', (n) => {
    expect(sampledEntropy(Array(n).fill(1), {})).toBeCloseTo(log(n), 14);
  });

  it('is 0, and not -0, when greedy', () => {
    expect(sampledEntropy(logits, { temperature: 0 })).toBe(0);
    const sampler = createSampler({ temperature: 0 });
    sampler.sample(logits);
    expect(sampler.entropy()).toBe(0);
  });

  it('is 0 where one id is left', () => {
    expect(sampledEntropy(logits, { top_k: 1 })).toBe(0);
    expect(sampledEntropy([-Infinity, 3], {})).toBe(0);
  });

  it('takes an id with q = 0 for nothing', () => {
    expect(sampledEntropy([0, -800, 0], {})).toBe(entropyOf([0.5, 0, 0.5]));
  });
});
