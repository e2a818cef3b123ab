import { describe, expect, it } from 'vitest';
import { createSampler, type SamplingParamsInput } from '../../src/index.js';
import { exp, log } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { processLogits, sample, sampledEntropy, samplingDistribution, tokenLogprobs } from '../../src/spec.js';
import { expectSameBits, firstDifference } from '../support/bits.js';
import { roughNormal } from '../support/requests.js';
import { Scripted } from '../support/scripted.js';

type Sum = (values: readonly number[]) => number;

const sequential: Sum = (values) => {
  let s = 0;
  for (const v of values) s += v;
  return s;
};

const descending: Sum = (values) => sequential([...values].reverse());
const smallestFirst: Sum = (values) => sequential([...values].sort((a, b) => a - b));
const largestFirst: Sum = (values) => sequential([...values].sort((a, b) => b - a));

/** Halves, down to single values. */
const pairwise: Sum = (values) => {
  if (values.length <= 2) return sequential(values);
  const middle = values.length >> 1;
  return pairwise(values.slice(0, middle)) + pairwise(values.slice(middle));
};

/** As numpy adds: eight sums side by side in blocks of at most 128, halves above. */
const blockwise: Sum = (values) => {
  const n = values.length;
  if (n < 8) return sequential(values);
  if (n > 128) {
    const middle = (n >> 1) - ((n >> 1) % 8);
    return blockwise(values.slice(0, middle)) + blockwise(values.slice(middle));
  }
  const r = values.slice(0, 8);
  let i = 8;
  for (; i < n - (n % 8); i += 8) for (let j = 0; j < 8; j++) r[j] = (r[j] as number) + (values[i + j] as number);
  const [a, b, c, d, e, f, g, h] = r as [number, number, number, number, number, number, number, number];
  return sequential([a + b + (c + d) + (e + f + (g + h)), ...values.slice(i)]);
};

/** Neumaier's compensated sum, as Python's sum() since 3.12. */
const compensated: Sum = (values) => {
  let s = 0;
  let lost = 0;
  for (const v of values) {
    const t = s + v;
    lost += Math.abs(s) >= Math.abs(v) ? s - t + v : v - t + s;
    s = t;
  }
  return s + lost;
};

const OTHERS: Record<string, Sum> = { descending, smallestFirst, largestFirst, pairwise, blockwise, compensated };

/** e over the kept ids, ascending. */
function exps(processed: ArrayLike<number>): number[] {
  const l = Array.from(processed).filter((x) => x !== -Infinity);
  const max = l.reduce((m, x) => Math.max(m, x), -Infinity);
  return l.map((x) => exp(x - max));
}

/** q over all ids, with `sum` for Z. */
function softmaxWith(sum: Sum, processed: ArrayLike<number>): number[] {
  const z = sum(exps(processed));
  const max = Array.from(processed).reduce((m, x) => Math.max(m, x), -Infinity);
  return Array.from(processed, (x) => (x === -Infinity ? 0 : exp(x - max) / z));
}

function logprobsWith(sum: Sum, scores: ArrayLike<number>): number[] {
  const max = Array.from(scores).reduce((m, x) => Math.max(m, x), -Infinity);
  const logZ = log(sum(exps(scores)));
  return Array.from(scores, (x) => x - max - logZ);
}

/** Normal logits for which `wanted` holds, the first found. */
function find(size: number, wanted: (logits: number[]) => boolean): number[] {
  const random = new Pcg32(size, 3);
  for (let n = 0; n < 5000; n++) {
    const logits = Array.from({ length: size }, () => Math.fround(1.5 * roughNormal(random)));
    if (wanted(logits)) return logits;
  }
  throw new Error(`no logits of ${size} found that tell the sums apart`);
}

/** Whether every other sum gives another Z, and another q of the top id or another log Z. */
function tellsApart(processed: ArrayLike<number>, value: (z: number) => number): boolean {
  const e = exps(processed);
  const own = value(sequential(e));
  return Object.values(OTHERS).every((sum) => value(sum(e)) !== own);
}

describe('test_sums_are_sequential_in_ascending_ids', () => {
  const CONFIGURATIONS = [
    { name: 'plain, V = 60', size: 60, params: {} },
    { name: 'plain, V = 300', size: 300, params: {} },
    { name: 'plain, V = 3000', size: 3000, params: {} },
    { name: 'tempered', size: 300, params: { temperature: 0.9 } },
    { name: 'after top-k', size: 400, params: { top_k: 250 } },
    { name: 'after top-k, few of many', size: 4000, params: { top_k: 90 } },
    { name: 'after top-p', size: 400, params: { top_p: 0.97 } },
    { name: 'after min-p', size: 400, params: { min_p: 0.001 } },
    { name: 'after all filters', size: 500, params: { temperature: 1.2, top_k: 400, top_p: 0.98, min_p: 0.002 } },
  ];

  it.each(CONFIGURATIONS)('$name: q is the plain loop, and no other sum has its bits', ({ size, params }) => {
    const logits = find(size, (l) => tellsApart(processLogits(l, params), (z) => 1 / z));
    const processed = processLogits(logits, params);
    const q = samplingDistribution(logits, params);
    expectSameBits(q, softmaxWith(sequential, processed));
    expectSameBits(samplingDistribution(Float32Array.from(logits), params), q, 'q of float32 logits');
    expectSameBits(qOfSampler(logits, params), q, 'q of a sampler');
    for (const [name, sum] of Object.entries(OTHERS)) {
      expect({ name, differs: firstDifference(softmaxWith(sum, processed), q) >= 0 }).toEqual({ name, differs: true });
    }
  });

  it.each([60, 300, 3000])('the logprobs are the plain loop, and no other sum has their bits, V = %i', (size) => {
    const logits = find(size, (l) => tellsApart(l, (z) => log(z)));
    const logprobs = tokenLogprobs(logits, { temperature: 0.3, top_k: 5 });
    expectSameBits(logprobs, logprobsWith(sequential, logits));
    const float32 = Float32Array.from(logits);
    expectSameBits(tokenLogprobs(float32, {}), logprobs, 'logprobs of float32 logits');
    const sampler = createSampler({ seed: 1, top_k: 5 });
    sampler.sample(float32);
    expectSameBits(
      logits.map((_, id) => sampler.logprob(id)),
      logprobs,
      'logprobs of a sampler',
    );
    for (const [name, sum] of Object.entries(OTHERS)) {
      const differs = firstDifference(logprobsWith(sum, logits), logprobs) >= 0;
      expect({ name, differs }).toEqual({ name, differs: true });
    }
    const token = createSampler({ temperature: 0 }).sample(Float32Array.from(logits));
    expect(token.logprob).toBe(logprobs[token.id]);
  });

  it('the running sum of top-p is plain: p one bit from the other sums tells them apart', () => {
    const size = 40;
    const plain = find(size, (l) => partialSums(l).some(isBelowOthers));
    const above = partialSums(plain).find(isBelowOthers) as PartialSum;
    // the plain sum does not reach p, the compensated one does: the plain walk keeps one id more
    expect(above.sum).toBeLessThan(above.other);
    expect(count(processLogits(plain, { top_p: above.other }))).toBe(above.ids + 1);
    expect(count(processLogits(plain, { top_p: above.sum }))).toBe(above.ids);
  });

  it('the walk of the inverse CDF adds q plainly', () => {
    const logits = find(200, (l) => {
      const q = [...samplingDistribution(l, {})];
      return q.some((_, i) => i > 2 && sequential(q.slice(0, i + 1)) !== compensated(q.slice(0, i + 1)));
    });
    const q = [...samplingDistribution(logits, {})];
    const float32 = Float32Array.from(logits);
    for (let i = 0; i < q.length - 1; i++) {
      const c = sequential(q.slice(0, i + 1));
      if (c === compensated(q.slice(0, i + 1))) continue;
      expect(sample(logits, {}, [], new Scripted([c])).id).toBe(i + 1);
      expect(sample(float32, {}, [], new Scripted([c])).id).toBe(i + 1);
    }
  });

  it('the entropy is the plain loop too', () => {
    const terms = (l: number[]) => [...samplingDistribution(l, {})].map((x) => x * log(x));
    const logits = find(300, (l) => tellsEntropyApart(terms(l)));
    expect(sampledEntropy(logits, {})).toBe(-sequential(terms(logits)));
  });
});

/** q as a sampler of float32 logits draws from it. */
function qOfSampler(logits: number[], params: SamplingParamsInput): Float64Array {
  let q: Float64Array = new Float64Array();
  createSampler({ ...params, seed: 1 }).sample(Float32Array.from(logits), {
    draw: (_, candidates) => {
      q = candidates.toProbabilities();
    },
  });
  return q;
}

interface PartialSum {
  ids: number;
  sum: number;
  other: number;
}

/** The sums of the most likely ids' q, plain and compensated. */
function partialSums(logits: number[]): PartialSum[] {
  const q = samplingDistribution(logits, {});
  const ranked = [...logits.keys()].sort((a, b) => (logits[b] as number) - (logits[a] as number) || a - b);
  const best = ranked.map((id) => q[id] as number);
  return best.map((_, i) => {
    const some = best.slice(0, i + 1);
    return { ids: i + 1, sum: sequential(some), other: compensated(some) };
  });
}

function isBelowOthers({ ids, sum, other }: PartialSum): boolean {
  return ids > 2 && ids < 39 && sum < other;
}

function count(processed: ArrayLike<number>): number {
  return Array.from(processed).filter((x) => x !== -Infinity).length;
}

function tellsEntropyApart(terms: number[]): boolean {
  return Object.values(OTHERS).every((sum) => sum(terms) !== sequential(terms));
}
