import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EXP_HEADS, EXP_TAILS } from '../../src/numerics/exp-table.js';
import { exp } from '../../src/numerics/index.js';
import { hex, nextDown, nextUp } from '../support/bits.js';

describe('exp', () => {
  it.each([
    { x: 0, y: 1, why: 'one at zero' },
    { x: -0, y: 1, why: 'one at minus zero' },
    { x: Number.NaN, y: Number.NaN, why: 'NaN goes through' },
    { x: Infinity, y: Infinity, why: 'infinity' },
    { x: -Infinity, y: 0, why: 'zero at minus infinity, and not minus zero' },
    { x: 1, y: Math.E, why: 'e' },
    { x: 5e-324, y: 1, why: 'the least positive double' },
    { x: -5e-324, y: 1, why: 'the greatest negative double' },
    { x: 2 ** -54, y: 1, why: 'one plus half a unit rounds to one' },
    { x: 2 ** -52, y: 1 + 2 ** -52, why: 'one unit above one' },
    { x: 709.782712893384, y: 1.7976931348622732e308, why: 'the last finite result' },
    { x: 709.7827128933841, y: Infinity, why: 'the first that overflows' },
    { x: 1023.9999999999999, y: Infinity, why: 'overflow by arithmetic' },
    { x: 1024, y: Infinity, why: 'overflow by the border' },
    { x: Number.MAX_VALUE, y: Infinity, why: 'far beyond' },
    { x: -708.3964185322641, y: 2.2250738585072626e-308, why: 'the last normal result' },
    { x: -708.3964185322642, y: 2.2250738585070097e-308, why: 'the first subnormal one' },
    { x: -744.4400719213812, y: 5e-324, why: 'the least positive result, near its upper end' },
    { x: -745.1332191019411, y: 5e-324, why: 'the least positive result, at its lower end' },
    { x: -745.1332191019412, y: 0, why: 'the first that underflows' },
    { x: -1023.9999999999999, y: 0, why: 'underflow by arithmetic' },
    { x: -1024, y: 0, why: 'underflow by the border' },
    { x: -Number.MAX_VALUE, y: 0, why: 'far beyond' },
  ])('exp($x) = $y: $why', ({ x, y }) => {
    expect(exp(x)).toBe(y);
  });

  it('is positive, finite and monotone from double to double over the arguments of a softmax', () => {
    fc.assert(
      fc.property(fc.double({ min: -745, max: 0, noNaN: true }), (x) => {
        expect(exp(x)).toBeGreaterThan(0);
        expect(exp(x)).toBeLessThanOrEqual(1);
        expect(exp(nextDown(x))).toBeLessThanOrEqual(exp(x));
      }),
    );
  });

  it('goes from one evaluation to the other at 512 without a step back', () => {
    for (const x of [512, -512]) {
      expect(exp(nextDown(x))).toBeLessThanOrEqual(exp(x));
      expect(exp(x)).toBeLessThanOrEqual(exp(nextUp(x)));
      expect(exp(nextUp(x)) / exp(nextDown(x))).toBeCloseTo(1, 12);
    }
  });

  it('has the 128 steps of 2^(k/128) in its table', () => {
    expect([EXP_HEADS.length, EXP_TAILS.length]).toEqual([128, 128]);
    expect(hex(EXP_HEADS[0] as number)).toBe('3ff0000000000000');
    expect(hex(EXP_TAILS[0] as number)).toBe('0000000000000000');
    expect(EXP_HEADS[64]).toBe(Math.SQRT2);
    EXP_HEADS.forEach((head, k) => {
      expect(head).toBeCloseTo(2 ** (k / 128), 14);
      expect(Math.abs(EXP_TAILS[k] as number)).toBeLessThan(2 ** -53);
    });
  });
});
