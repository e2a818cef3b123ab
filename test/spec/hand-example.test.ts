import { describe, expect, it } from 'vitest';
import { stream } from '../../src/core.js';
import { createSampler } from '../../src/index.js';
import { exp, log } from '../../src/numerics/index.js';
import { childSeed, Pcg32 } from '../../src/random/index.js';
import {
  applyPenalties,
  processLogits,
  requestRng,
  sample,
  samplingDistribution,
  tokenLogprobs,
} from '../../src/spec.js';
import { expectSameBits, hex } from '../support/bits.js';

const logits = [1, 3, 2, 3, -1];
const params = { temperature: 1, top_k: 3, top_p: 0.8, seed: 0 };
const MASKED = -Infinity;

describe('test_hand_example', () => {
  it('gives id 3 with logprob -0.92487', () => {
    const token = sample(logits, params, [], requestRng(0));
    expect(token.id).toBe(3);
    expect(token.logprob).toBeCloseTo(-0.92487, 5);
    expect(token.logprob).toBe(-log(exp(-2) + 1 + exp(-1) + 1 + exp(-4)));
  });

  it('keeps ids 1 and 3, each with probability one half', () => {
    expectSameBits(processLogits(logits, params), [MASKED, 3, MASKED, 3, MASKED]);
    expectSameBits(samplingDistribution(logits, params), [0, 0.5, 0, 0.5, 0]);
  });

  it.each([
    ['numbers', logits],
    ['f32[V]', Float32Array.from(logits)],
    ['f64[V]', Float64Array.from(logits)],
  ])('gives the same token from a sampler, for %s', (_, given) => {
    const sampler = createSampler(params);
    expect(sampler.sample(given)).toEqual({ id: 3, logprob: tokenLogprobs(logits, params)[3] });
    expect(sampler.draws).toBe(1);
  });

  it('takes the uniform 0.80209…, which is beyond id 1 at c = 0.5', () => {
    expect(requestRng(0).uniform()).toBeCloseTo(0.80209, 5);
    expect(sample(logits, params, [], { uniform: () => 0.49999999999999994 }).id).toBe(1);
    expect(sample(logits, params, [], { uniform: () => 0.5 }).id).toBe(3);
  });
});

describe('test_hand_example_intermediates', () => {
  it('has q = 0.42232, 0.15536, 0.42232 over what top-k keeps', () => {
    const z = 1 + exp(-1) + 1;
    const q = samplingDistribution(logits, { top_k: 3 });
    expectSameBits(q, [0, 1 / z, exp(-1) / z, 1 / z, 0]);
    expect(q[1]).toBeCloseTo(0.42232, 5);
    expect(q[2]).toBeCloseTo(0.15536, 5);
  });

  it('has the logprobs of the whole softmax: M = 3, Z = 2.52153', () => {
    const z = exp(-2) + 1 + exp(-1) + 1 + exp(-4);
    expect(z).toBeCloseTo(2.52153, 5);
    expectSameBits(
      tokenLogprobs(logits, params),
      logits.map((x) => x - 3 - log(z)),
    );
  });

  it.each([
    ['temperature 0.5', { temperature: 0.5 }],
    ['temperature 2', { temperature: 2 }],
    ['temperature 0', { temperature: 0 }],
    ['top-k 1', { top_k: 1 }],
    ['top-p 0.1', { top_p: 0.1 }],
    ['min-p 1', { min_p: 1 }],
    ['all of them', { temperature: 3, top_k: 2, top_p: 0.4, min_p: 0.9 }],
  ])('has the same logprobs whatever the policy: %s', (_, policy) => {
    expectSameBits(tokenLogprobs(logits, policy), tokenLogprobs(logits, {}));
    const { id, logprob } = sample(logits, policy, [], requestRng(5));
    expect(logprob).toBe(tokenLogprobs(logits, {})[id]);
  });

  it('takes the logprobs after the penalties and before temperature', () => {
    const penalties = { repetition_penalty: 2, presence_penalty: 0.25, frequency_penalty: 0.5 };
    const scores = [1, 3 / 2 - 0.5 * 2 - 0.25, 2, 3 / 2, -1];
    const hot = { ...penalties, temperature: 2 };
    expectSameBits(applyPenalties(logits, hot, [1, 1], [3]), scores);
    expectSameBits(tokenLogprobs(logits, hot, [1, 1], [3]), tokenLogprobs(scores, {}));
    const token = sample(logits, hot, [1, 1], { uniform: () => 0.9 }, [3]);
    expect(token).toEqual({ id: 3, logprob: tokenLogprobs(scores, {})[3] });
  });

  it('divides by the temperature after the penalties', () => {
    const tempered = processLogits(logits, { temperature: 2, presence_penalty: 1 }, [1]);
    expectSameBits(tempered, [0.5, (3 - 1) / 2, 1, 1.5, -0.5]);
    const repeated = processLogits(
      logits,
      { temperature: 0.5, repetition_penalty: 3, frequency_penalty: 0.75 },
      [4, 1],
    );
    expectSameBits(repeated, [2, (3 / 3 - 0.75) / 0.5, 4, 6, (-1 * 3 - 0.75) / 0.5]);
  });

  it('divides, and does not multiply by 1 / T', () => {
    const t = 0.7;
    const l = [3, 5, 17, 19, 13];
    expect(l.some((x) => x / t !== x * (1 / t))).toBe(true);
    expectSameBits(
      processLogits(l, { temperature: t }),
      l.map((x) => x / t),
    );
  });
});

describe('test_request_rng_is_the_sample_stream', () => {
  it('has the child seed F88BB8A8724C81EC and the first uniform 0.80209496611… for seed 0', () => {
    expect(childSeed(0, 'sample')).toBe(0xf88bb8a8724c81ecn);
    const u = requestRng(0).uniform();
    expect(hex(u)).toBe('3fe9aac30ff7d566');
    expect(u.toFixed(11)).toBe('0.80209496611');
  });

  it.each([0, 1, 42, 2 ** 53 - 1, 2n ** 64n - 1n, 0xdeadbeefcafef00dn])('is stream(%s, sample)', (seed) => {
    const expected = new Pcg32(childSeed(seed, 'sample'), 4);
    expect(requestRng(seed).save()).toEqual(expected.save());
    expect(stream(seed, 'sample').save()).toEqual(expected.save());
    expect(requestRng(seed).save()).not.toEqual(new Pcg32(seed).save());
  });

  it('is what a sampler draws from', () => {
    const flat = new Float32Array(97);
    const sampler = createSampler({ seed: 2026 });
    const rng = requestRng(2026);
    for (let n = 0; n < 50; n++) {
      const expected = sample(flat, {}, [], rng);
      expect(sampler.sample(flat)).toEqual(expected);
    }
  });
});
