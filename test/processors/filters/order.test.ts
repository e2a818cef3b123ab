/**
 * What the order of filters changes and what it does not: facts of algebra, on random logits. Where rounding could decide, the
 * options lie between two logits, away from every boundary.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LogitsProcessor,
  LogSoftmax,
  MinP,
  PLess,
  QuadraticSmoothing,
  Temperature,
  TopA,
  TopK,
  TopNSigma,
  TopP,
} from '../../../processors/index.js';
import { CandidateSet } from '../../../src/core.js';
import { pow } from '../../../src/numerics/index.js';
import { stepContext } from '../masks/plain-masks.js';
import { idsOf, softmax } from './plain-filters.js';

/** The logits after `steps`. */
function through(logits: readonly number[], ...steps: readonly LogitsProcessor[]): number[] {
  const set = new CandidateSet();
  set.load(logits);
  for (const step of steps) if (step.active !== false) step.process(set, stepContext());
  return [...set.toLogits()];
}

const kept = (logits: readonly number[], ...steps: readonly LogitsProcessor[]) => idsOf(through(logits, ...steps));

/** Logits with ties, a third of them masked, at least one kept. */
const rows = fc
  .array(fc.oneof({ weight: 2, arbitrary: fc.integer({ min: -40, max: 40 }) }, fc.constant(-Infinity)), {
    minLength: 1,
    maxLength: 30,
  })
  .map((row) => row.map((x) => x / 8))
  .filter((row) => row.some((x) => x > -Infinity));
const ks = fc.integer({ min: 1, max: 12 });
const shares = fc.integer({ min: 1, max: 99 }).map((n) => n / 100 + 1e-5);
const temperatures = fc.constantFrom(0.25, 0.5, 0.8, 1.3, 2, 4);

/** Whether a threshold of `share` times the largest q, or of q summed by rank, may be decided by rounding. */
const isNear = (a: number, b: number) => Math.abs(a - b) <= 1e-12 * Math.max(a, b);

function isClear(logits: readonly number[], m: number): boolean {
  const q = softmax(logits);
  const max = Math.max(...q);
  return q.every((x) => !isNear(x, m * max));
}

const isSubset = (a: readonly number[], b: readonly number[]) => a.every((id) => b.includes(id));

describe('the order of filters', () => {
  it('of temperature and top-k does not matter', () => {
    fc.assert(
      fc.property(rows, ks, temperatures, (row, k, temperature) => {
        const [T, top] = [new Temperature({ temperature }), new TopK({ k })];
        expect(through(row, T, top)).toEqual(through(row, top, T));
      }),
    );
  });

  it('of top-k and a greedy temperature does not matter', () => {
    fc.assert(
      fc.property(rows, ks, (row, k) => {
        const [T, top] = [new Temperature({ temperature: 0 }), new TopK({ k })];
        expect(kept(row, top, T)).toEqual(kept(row, T));
      }),
    );
  });

  it('of temperature and top-p does', () => {
    const [T, top] = [new Temperature({ temperature: 4 }), new TopP({ p: 0.8 })];
    expect([kept([4, 2, 0], T, top), kept([4, 2, 0], top, T)]).toEqual([[0, 1], [0]]);
  });

  it('of temperature and min-p is that of m and m^T', () => {
    fc.assert(
      fc.property(rows, shares, temperatures, (row, m, temperature) => {
        const T = new Temperature({ temperature });
        fc.pre(isClear(through(row, T), m));
        expect(kept(row, T, new MinP({ m }))).toEqual(kept(row, new MinP({ m: pow(m, temperature) }), T));
      }),
    );
  });

  it('of temperature and min-p is exact up to the threshold: one id on either side', () => {
    // T = 2 and m = 1/4: before the temperature the threshold is 1/16 of the largest
    for (const [bit, ids] of [
      [0.001, [0, 1]],
      [-0.001, [0]],
    ] as const) {
      const row = [0, -4 * Math.LN2 + bit];
      const T = new Temperature({ temperature: 2 });
      expect(kept(row, T, new MinP({ m: 1 / 4 }))).toEqual(ids);
      expect(kept(row, new MinP({ m: 1 / 16 }), T)).toEqual(ids);
    }
  });

  it('of top-k and min-p does not matter', () => {
    fc.assert(
      fc.property(rows, ks, shares, (row, k, m) => {
        fc.pre(isClear(row, m));
        const [top, min] = [new TopK({ k }), new MinP({ m })];
        expect(through(row, top, min)).toEqual(through(row, min, top));
      }),
    );
  });

  it('leaves min-p the same where the logits are renormalized before', () => {
    fc.assert(
      fc.property(rows, shares, (row, m) => {
        fc.pre(isClear(row, m));
        expect(kept(row, new LogSoftmax({}), new MinP({ m }))).toEqual(kept(row, new MinP({ m })));
      }),
    );
  });

  it('of vLLM (min-p, top-k, top-p) keeps a part of what the order of the spec keeps', () => {
    let differ = 0;
    fc.assert(
      fc.property(rows, ks, shares, shares, (row, k, p, m) => {
        fc.pre(isClear(row, m));
        const [min, top, nucleus] = [new MinP({ m }), new TopK({ k }), new TopP({ p })];
        const [theirs, ours] = [kept(row, min, top, nucleus), kept(row, top, nucleus, min)];
        expect(isSubset(theirs, ours)).toBe(true);
        if (theirs.length < ours.length) differ++;
      }),
      { numRuns: 300 },
    );
    expect(differ).toBeGreaterThan(0);
  });

  it('of top-k before top-p keeps a part of what the other order keeps', () => {
    let differ = 0;
    fc.assert(
      fc.property(rows, ks, shares, (row, k, p) => {
        const [top, nucleus] = [new TopK({ k }), new TopP({ p })];
        const [first, last] = [kept(row, top, nucleus), kept(row, nucleus, top)];
        expect(isSubset(first, last)).toBe(true);
        if (first.length < last.length) differ++;
      }),
      { numRuns: 300 },
    );
    expect(differ).toBeGreaterThan(0);
  });

  it('of temperature and top-n-sigma does not matter', () => {
    fc.assert(
      fc.property(rows, temperatures, fc.constantFrom(0.31, 0.77, 1.13, 2.41), (row, temperature, n) => {
        const values = idsOf(row).map((id) => row[id] as number);
        const mean = values.reduce((s, x) => s + x, 0) / values.length;
        const sigma = Math.sqrt(values.reduce((s, x) => s + (x - mean) ** 2, 0) / values.length);
        const cut = Math.max(...values) - n * sigma;
        fc.pre(values.every((x) => Math.abs(x - cut) > 1e-9));
        const [T, top] = [new Temperature({ temperature }), new TopNSigma({ n })];
        expect(kept(row, T, top)).toEqual(kept(row, top, T));
      }),
    );
  });

  it('of quadratic smoothing and top-k does not matter up to a curve of 3', () => {
    fc.assert(
      fc.property(rows, ks, fc.constantFrom(1, 1.7, 3), (row, k, curve) => {
        const [smooth, top] = [new QuadraticSmoothing({ factor: 0.3, curve }), new TopK({ k })];
        expect(kept(row, smooth, top)).toEqual(kept(row, top, smooth));
      }),
    );
  });

  it('leaves p-less and top-a within min-p of what they compare with', () => {
    fc.assert(
      fc.property(rows, shares, (row, a) => {
        const max = Math.max(...softmax(row));
        fc.pre(isClear(row, a * max));
        expect(kept(row, new TopA({ a }))).toEqual(kept(row, new MinP({ m: a * max })));
        const collision = softmax(row).reduce((s, q) => s + q * q, 0);
        fc.pre(isClear(row, Math.min(collision / max, 1)));
        expect(kept(row, new PLess({}))).toEqual(kept(row, new MinP({ m: Math.min(collision / max, 1) })));
      }),
    );
  });
});
