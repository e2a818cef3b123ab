import { describe, expect, it } from 'vitest';
import { TopP } from '../../processors/index.js';
import { nextDown, nextUp } from '../support/bits.js';
import { apply, kept } from './step.js';

const M = -Infinity;
const eighths = Array(8).fill(-3); // q = 1/8 each: every partial sum is exact

describe('TopP', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])('keeps %i of eight at p = that many eighths, and one more a bit above', (n) => {
    const p = n / 8;
    expect(apply(new TopP({ p: nextDown(p) }), eighths).size).toBe(n);
    expect(apply(new TopP({ p }), eighths).size).toBe(n);
    expect(apply(new TopP({ p: nextUp(p) }), eighths).size).toBe(n + 1);
  });

  it.each([
    { p: 0.24, ids: [3], why: 'the first crosses 0.24 already' },
    { p: 0.26, ids: [3], why: 'and 0.26' },
    { p: 0.5, ids: [3], why: 'and 0.5: q = 0.64' },
    { p: 0.64, ids: [3], why: 'just below its q' },
    { p: 0.65, ids: [1, 3], why: 'just above it' },
    { p: 0.88, ids: [1, 3], why: 'just below the sum of two' },
    { p: 0.89, ids: [0, 1, 3], why: 'just above it' },
    { p: 0.9999, ids: [0, 1, 2, 3], why: 'nearly all' },
    { p: 1, ids: [0, 1, 2, 3], why: 'off' },
    { p: 5e-324, ids: [3], why: 'never empty' },
  ])('p = $p keeps $ids: $why', ({ p, ids }) => {
    expect(kept(apply(new TopP({ p }), [1, 2, 0, 3, M]))).toEqual(ids);
  });

  it('gives ties to the lowest ids', () => {
    expect(kept(apply(new TopP({ p: 0.3 }), [0, 5, 5, 5, 5]))).toEqual([1, 2]);
  });

  it('keeps all where rounding never reaches p', () => {
    const n = 7; // 7 times 1/7, added up, stays below the largest p
    let s = 0;
    for (let i = 0; i < n; i++) s += 1 / n;
    expect(s).toBeLessThan(nextDown(1));
    expect(apply(new TopP({ p: nextDown(1) }), Array(n).fill(0)).size).toBe(n);
  });

  it('is off at 1 and active below', () => {
    expect([1, nextDown(1), 0.5, 5e-324].map((p) => new TopP({ p }).active)).toEqual([false, true, true, true]);
  });

  it('changes nothing where it is off, although rounding would', () => {
    expect(apply(new TopP({ p: 1 }), [0, -40, -800]).size).toBe(3);
    expect(apply(new TopP({ p: nextDown(1) }), [0, -40, -800]).size).toBe(1);
  });
});
