import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { log2 } from '../../src/numerics/index.js';
import { LOG2_TABLE } from '../../src/numerics/log2-table.js';
import { nextDown, nextUp } from '../support/bits.js';

describe('log2', () => {
  it.each([
    { x: 1, y: 0, why: 'zero at one, and not minus zero' },
    { x: 0, y: -Infinity, why: 'minus infinity at zero' },
    { x: -0, y: -Infinity, why: 'minus infinity at minus zero' },
    { x: -1, y: Number.NaN, why: 'no logarithm of a negative number' },
    { x: -Infinity, y: Number.NaN, why: 'nor of minus infinity' },
    { x: Number.NaN, y: Number.NaN, why: 'NaN goes through' },
    { x: Infinity, y: Infinity, why: 'infinity' },
    { x: 3, y: 1.584962500721156, why: 'three' },
    { x: 10, y: 3.321928094887362, why: 'ten' },
    { x: 5e-324, y: -1074, why: 'the least positive double' },
    { x: 3 * 2 ** -1074, y: -1072.4150374992789, why: 'a subnormal one' },
    { x: Number.MAX_VALUE, y: 1024, why: 'the largest double' },
    { x: 1 + 2 ** -52, y: 3.203426503814917e-16, why: 'one unit above one' },
    { x: 1 - 2 ** -53, y: -1.6017132519074588e-16, why: 'one unit below one' },
    { x: 0.957600405356383, y: -0.06250433190678305, why: 'just below what is near one, where the two ways differ' },
    { x: 1.0442736420871066, y: 0.06249980611571189, why: 'just within what is near one, where they differ too' },
  ])('log2($x) = $y: $why', ({ x, y }) => {
    expect(log2(x)).toBe(y);
  });

  it('is exact at every power of two', () => {
    let x = 2 ** -1074;
    for (let e = -1074; e < 1024; e++, x *= 2) expect(log2(x)).toBe(e);
  });

  it('is monotone from double to double', () => {
    fc.assert(
      fc.property(fc.double({ min: 5e-324, noNaN: true, noDefaultInfinity: true }), (x) => {
        expect(log2(nextUp(x))).toBeGreaterThanOrEqual(log2(x));
      }),
    );
  });

  it.each([1 - 0x15b51 * 2 ** -21, 1 + 0x16ab2 * 2 ** -21, 0.6875, 1.375])(
    'goes over its border at %d without a step back',
    (x) => {
      expect(log2(nextDown(x))).toBeLessThanOrEqual(log2(x));
      expect(log2(x)).toBeLessThanOrEqual(log2(nextUp(x)));
      expect(log2(nextUp(x)) - log2(nextDown(x))).toBeLessThan(2e-15);
    },
  );

  it('has 64 pairs in its table, each a reciprocal and the logarithm of the other', () => {
    expect(LOG2_TABLE.length).toBe(128);
    for (let i = 0; i < 64; i++) {
      const [inverse, value] = LOG2_TABLE.subarray(2 * i) as unknown as [number, number];
      expect(value).toBeCloseTo(-log2(inverse), 14);
    }
  });

  it('has the table of Arm Optimized Routines, to the bit', () => {
    const bytes = new Uint8Array(LOG2_TABLE.buffer);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      'c695fe84113db98c7d9cb94f61498e25234fcbcfbe8aeacc04e955d61285f806',
    );
  });
});
