import { describe, expect, it } from 'vitest';
import { MinP } from '../../processors/index.js';
import { log } from '../../src/numerics/index.js';
import { nextDown, nextUp } from '../support/bits.js';
import { apply, kept } from './step.js';

const M = -Infinity;

describe('MinP', () => {
  const logits = [log(0.05), log(0.5), M, log(0.25), log(0.2)];

  it.each([
    { m: 0.09, ids: [0, 1, 3, 4], why: '0.05 is more than 0.09 of 0.5' },
    { m: 0.11, ids: [1, 3, 4], why: '0.05 is less than 0.11 of 0.5' },
    { m: 0.39, ids: [1, 3, 4], why: '0.2 is more than 0.39 of 0.5' },
    { m: 0.41, ids: [1, 3], why: '0.2 is less than 0.41 of 0.5' },
    { m: 0.49, ids: [1, 3], why: '0.25 is more than 0.49 of 0.5' },
    { m: 0.51, ids: [1], why: '0.25 is less than 0.51 of 0.5' },
    { m: 1, ids: [1], why: 'the largest alone' },
    { m: 0, ids: [0, 1, 3, 4], why: 'off' },
  ])('m = $m keeps $ids: $why', ({ m, ids }) => {
    expect(kept(apply(new MinP({ m }), logits))).toEqual(ids);
  });

  it('keeps an id exactly on the threshold, and drops it one bit above', () => {
    const set = apply(new MinP({ m: 0 }), [0, log(0.5)]);
    const [top, q] = [set.probabilityAt(0), set.probabilityAt(1)];
    let m = q / top;
    while (m * top > q) m = nextDown(m);
    while (nextUp(m) * top <= q) m = nextUp(m);
    expect(kept(apply(new MinP({ m }), [0, log(0.5)]))).toEqual([0, 1]);
    expect(kept(apply(new MinP({ m: nextUp(m) }), [0, log(0.5)]))).toEqual([0]);
  });

  it('keeps the ties of the largest at 1', () => {
    expect(kept(apply(new MinP({ m: 1 }), [1, 3, 3, 2.9999999]))).toEqual([1, 2]);
  });

  it('is off at 0 and active above, and off is not the same as a small m', () => {
    expect([0, 5e-324, 1].map((m) => new MinP({ m }).active)).toEqual([false, true, true]);
    expect(apply(new MinP({ m: 0 }), [0, -800]).size).toBe(2);
    expect(apply(new MinP({ m: 1e-300 }), [0, -800]).size).toBe(1);
  });
});
