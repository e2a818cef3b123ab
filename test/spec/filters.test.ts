import { describe, expect, it } from 'vitest';
import { exp, log } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { processLogits, sample, samplingDistribution } from '../../src/spec.js';
import { expectSameBits, nextDown, nextUp } from '../support/bits.js';
import { roughNormal } from '../support/requests.js';

/** The ids that are left; float32 logits must leave the same, where float32 holds them. */
function kept(logits: readonly number[], params: object): number[] {
  const processed = processLogits(logits, params);
  const float32 = Float32Array.from(logits);
  if (logits.every((l, id) => l === float32[id])) expectSameBits(processLogits(float32, params), processed);
  return [...processed.entries()].filter(([, l]) => l !== -Infinity).map(([id]) => id);
}

/** Logits whose softmax is close to `q`. */
function logitsOf(...q: number[]): number[] {
  return q.map(log);
}

describe('test_top_p_keeps_the_crossing_token', () => {
  const flat = [0, 0, 0, 0]; // q = 1/4 each, and 1/4, 1/2, 3/4, 1 are exact sums

  it.each([
    { p: 0.25, ids: [0], why: 'the first reaches p exactly' },
    { p: nextUp(0.25), ids: [0, 1], why: 'the first does not reach p by one bit' },
    { p: nextDown(0.25), ids: [0], why: 'the first passes p' },
    { p: 0.5, ids: [0, 1], why: 'two reach p exactly' },
    { p: nextUp(0.5), ids: [0, 1, 2], why: 'the third crosses p' },
    { p: nextDown(0.5), ids: [0, 1], why: 'the second crosses p' },
    { p: 0.75, ids: [0, 1, 2], why: 'three reach p exactly' },
    { p: nextUp(0.75), ids: [0, 1, 2, 3], why: 'the last crosses p' },
    { p: 1 - 2 ** -53, ids: [0, 1, 2, 3], why: 'the largest p below one' },
    { p: 1, ids: [0, 1, 2, 3], why: 'off' },
    { p: 5e-324, ids: [0], why: 'the smallest p: the most likely id stays' },
  ])('p = $p keeps $ids: $why', ({ p, ids }) => {
    expect(kept(flat, { top_p: p })).toEqual(ids);
  });

  it('keeps the one id that passes p at once', () => {
    expect(kept([0, 9, 0], { top_p: 0.5 })).toEqual([1]);
    expect(kept([0, 9, 0], { top_p: 5e-324 })).toEqual([1]);
  });

  it('walks from the most likely id down', () => {
    expect(kept(logitsOf(0.1, 0.2, 0.3, 0.4), { top_p: 0.6 })).toEqual([2, 3]);
    expect(kept(logitsOf(0.1, 0.2, 0.3, 0.4), { top_p: 0.8 })).toEqual([1, 2, 3]);
  });

  it('breaks ties to the lowest id', () => {
    expect(kept([1, 2, 1, 2, 1], { top_p: 0.6 })).toEqual([1, 3]);
    expect(kept([1, 2, 1, 2, 1], { top_p: 0.7 })).toEqual([0, 1, 3]);
  });

  it('keeps all when rounding never reaches p', () => {
    const n = Array.from({ length: 200 }, (_, i) => i + 1).find((size) => {
      let s = 0;
      for (let i = 0; i < size; i++) s += 1 / size;
      return s < 1 - 2 ** -53;
    }) as number;
    expect(n).toBeGreaterThan(1);
    expect(kept(Array(n).fill(0), { top_p: 1 - 2 ** -53 })).toHaveLength(n);
  });

  it('adds q in the order of rank, not of id', () => {
    const { logits, p, count } = sumThatDependsOnTheOrder();
    expect(kept(logits, { top_p: p })).toHaveLength(count);
  });
});

/** Logits with a partial sum of q that only the walk by rank reaches, one bit above the walk by id over the same ids. */
function sumThatDependsOnTheOrder(): { logits: number[]; p: number; count: number } {
  const random = new Pcg32(7, 1);
  for (;;) {
    const logits = Array.from({ length: 20 }, () => roughNormal(random));
    const q = samplingDistribution(logits, {});
    const ranked = [...logits.keys()].sort((a, b) => (logits[b] as number) - (logits[a] as number));
    for (let count = 3; count < 20; count++) {
      const best = ranked.slice(0, count);
      const byRank = best.reduce((s, id) => s + (q[id] as number), 0);
      const byId = best.sort((a, b) => a - b).reduce((s, id) => s + (q[id] as number), 0);
      if (byRank > byId) return { logits, p: byRank, count };
    }
  }
}

describe('test_top_k_ties_go_to_the_lowest_id', () => {
  it.each([
    { k: 1, ids: [1], why: 'the first of two equal ones' },
    { k: 2, ids: [1, 3], why: 'both' },
    { k: 3, ids: [0, 1, 3], why: 'the first of three at the cut' },
    { k: 4, ids: [0, 1, 2, 3], why: 'the first two of three at the cut' },
    { k: 5, ids: [0, 1, 2, 3, 4], why: 'exactly the number of finite logits' },
    { k: 6, ids: [0, 1, 2, 3, 4], why: 'more than there are' },
    { k: 0, ids: [0, 1, 2, 3, 4], why: 'off' },
  ])('k = $k keeps $ids: $why', ({ k, ids }) => {
    expect(kept([2, 3, 2, 3, 2], { top_k: k })).toEqual(ids);
  });

  it.each([1, 2, 63, 64, 65, 127, 128, 129, 256, 257, 299, 300, 301])('keeps the %i lowest of 300 equal ids', (k) => {
    const ids = Array.from({ length: Math.min(k, 300) }, (_, i) => i);
    expect(kept(Array(300).fill(-1.5), { top_k: k })).toEqual(ids);
  });

  it('takes -0 and 0 for equal', () => {
    expect(kept([-0, 0, -0, 0], { top_k: 2 })).toEqual([0, 1]);
    expect(kept([0, -0, 0, -0], { top_k: 2 })).toEqual([0, 1]);
  });

  it('keeps exactly k of many ties, in a large vocabulary', () => {
    const random = new Pcg32(11, 2);
    const logits = Array.from({ length: 5000 }, () => random.below(4));
    const threes = [...logits.keys()].filter((id) => logits[id] === 3);
    for (const k of [5, 100, 700, threes.length - 1]) expect(kept(logits, { top_k: k })).toEqual(threes.slice(0, k));
  });

  it('never keeps a masked id', () => {
    expect(kept([-Infinity, 1, -Infinity, 0], { top_k: 3 })).toEqual([1, 3]);
    expect(kept([-Infinity, 1, -Infinity, 0], { top_k: 1 })).toEqual([1]);
  });
});

describe('test_min_p_is_relative_to_the_top', () => {
  it('compares with m times the largest probability', () => {
    const logits = logitsOf(0.3, 0.3, 0.3, 0.05, 0.015, 0.035);
    expect(kept(logits, { min_p: 0.1 })).toEqual([0, 1, 2, 3, 5]);
    expect(samplingDistribution(logits, {})[3]).toBeLessThan(0.1);
  });

  it.each([0.5, 0.25, 0.1, 0.03, 1e-3])(
    'keeps an id exactly on the threshold and drops it one bit above (%d)',
    (share) => {
      const logits = logitsOf(1, share, share / 2);
      const q = samplingDistribution(logits, {});
      const [top, second] = [q[0] as number, q[1] as number];
      let m = second / top;
      while (m * top > second) m = nextDown(m);
      while (nextUp(m) * top <= second) m = nextUp(m);
      expect(kept(logits, { min_p: m })).toEqual([0, 1]);
      expect(kept(logits, { min_p: nextUp(m) })).toEqual([0]);
    },
  );

  it('is met with equality by an exact product', () => {
    expect(samplingDistribution([0, 0, 0, 0], {})[0]).toBe(0.25);
    expect(kept([0, 0, 0, 0], { min_p: 1 })).toEqual([0, 1, 2, 3]);
  });

  it.each([
    { m: 0, ids: [0, 1, 2, 3], why: 'off' },
    { m: 5e-324, ids: [0, 1, 2, 3], why: 'the smallest m: the threshold rounds to 0, which q = 0 reaches' },
    { m: 1e-300, ids: [0, 1, 2], why: 'a small m drops only what has no probability at all' },
    { m: 1, ids: [1, 2], why: 'one keeps the ties of the top' },
    { m: 1 - 2 ** -53, ids: [1, 2], why: 'the largest m below one' },
  ])('m = $m keeps $ids: $why', ({ m, ids }) => {
    expect(kept([0, 1, 1, -800], { min_p: m })).toEqual(ids);
  });

  it('keeps few where the model is confident and many where it is not', () => {
    expect(kept([9, 0, 0, 0], { min_p: 0.05 })).toEqual([0]);
    expect(kept([1, 0, 0, 0], { min_p: 0.05 })).toEqual([0, 1, 2, 3]);
  });
});

describe('test_filters_compose_in_spec_order', () => {
  const logits = logitsOf(0.4, 0.3, 0.2, 0.1);

  it('gives top-p the distribution that top-k left', () => {
    expect(kept(logits, { top_k: 2, top_p: 0.55 })).toEqual([0]); // 0.4 / 0.7 = 0.57 reaches p
    expect(kept(logits, { top_p: 0.55 })).toEqual([0, 1]);
  });

  it('gives min-p the distribution that top-p left', () => {
    // min-p first would leave 0.57, 0.43, and top-p then id 0 alone
    expect(kept(logits, { top_p: 0.55, min_p: 0.6 })).toEqual([0, 1]);
  });

  it('puts top-k before top-p', () => {
    // top-p first would keep 0, 1, 2 and top-k then two of them
    expect(kept(logits, { top_k: 2, top_p: 0.75 })).toEqual([0, 1]);
    expect(kept(logits, { top_k: 3, top_p: 0.43 })).toEqual([0]);
    expect(kept(logits, { top_p: 0.43 })).toEqual([0, 1]);
  });

  it('puts temperature before the filters', () => {
    expect(kept(logits, { top_p: 0.55 })).toEqual([0, 1]);
    expect(kept(logits, { temperature: 0.5, top_p: 0.5 })).toEqual([0]); // 0.16 / 0.30 = 0.53
    expect(kept(logits, { temperature: 0.5, min_p: 0.3 })).toEqual([0, 1]); // 0.09 / 0.16 = 0.56, 0.04 / 0.16 = 0.25
    expect(kept(logits, { min_p: 0.3 })).toEqual([0, 1, 2]);
  });

  it('gives what is left the softmax over it', () => {
    const params = { temperature: 0.5, top_k: 3, top_p: 0.9, min_p: 0.3 };
    const l = logits.map((x) => x / 0.5);
    const e = [1, exp((l[1] as number) - (l[0] as number))] as const;
    const z = e[0] + e[1];
    expectSameBits(processLogits(logits, params), [l[0] as number, l[1] as number, -Infinity, -Infinity]);
    expectSameBits(samplingDistribution(logits, params), [e[0] / z, e[1] / z, 0, 0]);
  });
});

describe('test_masked_logits_are_never_sampled', () => {
  const M = -Infinity;
  const masked = [M, 1, M, 0.5, 2, M, -3, M];
  const CONFIGURATIONS = [
    {},
    { temperature: 0 },
    { temperature: 50 },
    { temperature: 1e-3 },
    { top_k: 100 },
    { top_k: 5 },
    { top_p: 1 - 2 ** -53 },
    { min_p: 5e-324 },
    { repetition_penalty: 0.5, presence_penalty: -3, frequency_penalty: -2 },
    { temperature: 50, top_k: 8, top_p: 0.99999, min_p: 1e-9, repetition_penalty: 50 },
  ];

  it.each(CONFIGURATIONS)('with %j a masked id has q = 0 and stays at -Infinity', (params) => {
    const history = [0, 2, 5, 1, 0];
    const l = processLogits(masked, params, history, [7]);
    const q = samplingDistribution(masked, params, history, [7]);
    for (const id of [0, 2, 5, 7]) {
      expect(l[id]).toBe(M);
      expect(q[id]).toBe(0);
    }
  });

  it.each(CONFIGURATIONS)('with %j no uniform reaches a masked id', (params) => {
    const us = [0, 5e-324, 0.1, 0.5, 0.9, 0.999999, 1 - 2 ** -53, ...Array.from({ length: 200 }, (_, i) => i / 200)];
    for (const u of us) expect([1, 3, 4, 6]).toContain(sample(masked, params, [0, 1], { uniform: () => u }, [2]).id);
  });

  it('puts removed ids at -Infinity, and not at a large negative number', () => {
    for (const params of [{ top_k: 1 }, { top_p: 0.1 }, { min_p: 0.9 }]) {
      expectSameBits(processLogits([0, 3, 1], params), [M, 3, M]);
    }
  });

  it('samples the one id that is left', () => {
    for (const u of [0, 0.5, 1 - 2 ** -53]) {
      expect(sample([M, M, -700, M], {}, [], { uniform: () => u })).toEqual({ id: 2, logprob: 0 });
    }
  });
});
