import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { log } from '../../src/numerics/index.js';
import { LOG_TABLE } from '../../src/numerics/log-table.js';
import { nextDown, nextUp } from '../support/bits.js';

describe('log', () => {
  it.each([
    { x: 1, y: 0, why: 'zero at one, and not minus zero' },
    { x: 0, y: -Infinity, why: 'minus infinity at zero' },
    { x: -0, y: -Infinity, why: 'minus infinity at minus zero' },
    { x: -1, y: Number.NaN, why: 'no logarithm of a negative number' },
    { x: -5e-324, y: Number.NaN, why: 'not even of the greatest one' },
    { x: -Infinity, y: Number.NaN, why: 'nor of minus infinity' },
    { x: Number.NaN, y: Number.NaN, why: 'NaN goes through' },
    { x: Infinity, y: Infinity, why: 'infinity' },
    { x: Math.E, y: 1, why: 'one at e' },
    { x: 2, y: Math.LN2, why: 'two' },
    { x: 10, y: Math.LN10, why: 'ten' },
    { x: 0.5, y: -Math.LN2, why: 'a half' },
    { x: 5e-324, y: -744.4400719213812, why: 'the least positive double' },
    { x: 2 ** -1022, y: -708.3964185322641, why: 'the least normal double' },
    { x: Number.MAX_VALUE, y: 709.782712893384, why: 'the largest double' },
    { x: 1 + 2 ** -52, y: 2.2204460492503128e-16, why: 'one unit above one' },
    { x: 1 - 2 ** -53, y: -1.1102230246251565e-16, why: 'one unit below one' },
  ])('log($x) = $y: $why', ({ x, y }) => {
    expect(log(x)).toBe(y);
  });

  it('is monotone from double to double', () => {
    fc.assert(
      fc.property(fc.double({ min: 5e-324, noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(log(nextUp(x))).toBeGreaterThanOrEqual(log(x));
      }),
    );
  });

  it.each([0.9375, 1.064697265625, 0.6875, 1.375])('goes over its border at %d without a step back', (x) => {
    expect(log(nextDown(x))).toBeLessThanOrEqual(log(x));
    expect(log(x)).toBeLessThanOrEqual(log(nextUp(x)));
    expect(log(nextUp(x)) - log(nextDown(x))).toBeLessThan(1e-15);
  });

  it('has 128 pairs in its table, each a reciprocal and the logarithm of the other', () => {
    expect(LOG_TABLE.length).toBe(256);
    for (let i = 0; i < 128; i++) {
      const [inverse, value] = LOG_TABLE.subarray(2 * i) as unknown as [number, number];
      expect(value).toBeCloseTo(-log(inverse), 12);
    }
  });

  it('has the table of Arm Optimized Routines, to the bit', () => {
    const bytes = new Uint8Array(LOG_TABLE.buffer);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      '0aa99d057e06495926d19ff3e165900a52b5a9f39043f5cea0ad35a9e5080b21',
    );
  });
});
