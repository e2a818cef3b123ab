import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fmaExact } from '../../src/numerics/fma-exact.js';
import { fma } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';

const any = fc.double({ noNaN: true, noDefaultInfinity: true });
const middling = fc.double({ min: -1e3, max: 1e3, noNaN: true });

describe('fma', () => {
  it.each([
    { a: 2, b: 3, c: 4, y: 10, why: 'small integers' },
    { a: 0.1, b: 10, c: -1, y: 5.551115123125783e-17, why: 'the error of 0.1 that a product alone hides' },
    { a: 1 + 2 ** -30, b: 1 + 2 ** -30, c: -1, y: 2 ** -29 + 2 ** -60, why: 'the low bits of a product survive' },
    { a: 1, b: 1, c: 2 ** -53, y: 1, why: 'a tie goes to even, downwards' },
    { a: 1 + 2 ** -52, b: 1, c: 2 ** -53, y: 1 + 2 ** -51, why: 'a tie goes to even, upwards' },
    { a: 0, b: -5, c: 0, y: 0, why: 'minus zero plus zero' },
    { a: 0, b: -5, c: -0, y: -0, why: 'minus zero plus minus zero' },
    { a: 1, b: -1, c: 1, y: 0, why: 'an exact cancellation is plus zero' },
    { a: -1e-200, b: 1e-200, c: 0, y: -0, why: 'an underflowing product keeps its sign' },
    { a: 1e-200, b: 1e-200, c: -0, y: 0, why: 'an underflowing product keeps its sign, against minus zero' },
    { a: 5e-324, b: 0.5, c: 5e-324, y: 1e-323, why: 'a tie among subnormals goes to even' },
    { a: 5e-324, b: 0.5, c: 1e-323, y: 1e-323, why: 'a tie among subnormals goes to even, downwards' },
    {
      a: Number.MAX_VALUE,
      b: 2,
      c: -Number.MAX_VALUE,
      y: Number.MAX_VALUE,
      why: 'the product may overflow on the way',
    },
    { a: Number.MAX_VALUE, b: 2, c: 0, y: Infinity, why: 'a result that overflows' },
    { a: Infinity, b: 0, c: 1, y: Number.NaN, why: 'infinity times zero' },
    { a: Infinity, b: 1, c: -Infinity, y: Number.NaN, why: 'infinity minus infinity' },
    { a: Infinity, b: -1, c: 5, y: -Infinity, why: 'an infinite product' },
    { a: 1e308, b: 1e308, c: -Infinity, y: -Infinity, why: 'a finite product cannot reach an infinite sum' },
    { a: Number.NaN, b: 1, c: 1, y: Number.NaN, why: 'NaN goes through' },
    { a: 1, b: 1, c: Number.NaN, y: Number.NaN, why: 'NaN goes through the sum' },
  ])('fma($a, $b, $c) = $y: $why', ({ a, b, c, y }) => {
    expect(fma(a, b, c)).toBe(y);
  });

  it('is the exact value over integers, rounded once, in the middle of the range', () => {
    fc.assert(
      fc.property(middling, middling, middling, (a, b, c) => {
        if (a !== 0 && b !== 0 && c !== 0) expect(fma(a, b, c)).toBe(fmaExact(a, b, c));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the exact value over integers, rounded once, where product and sum nearly cancel', () => {
    fc.assert(
      fc.property(middling, middling, fc.integer({ min: -3, max: 3 }), (a, b, units) => {
        const c = -(a * b) * (1 + units * 2 ** -52);
        if (a !== 0 && b !== 0 && c !== 0) expect(fma(a, b, c)).toBe(fmaExact(a, b, c));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the exact value over integers, rounded once, over the whole range', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        if (a !== 0 && b !== 0 && c !== 0) expect(fma(a, b, c)).toBe(fmaExact(a, b, c));
      }),
      { numRuns: 2000 },
    );
  });

  it('is the exact value over integers, rounded once, at a tie and ever so little beside it', () => {
    const random = new Pcg32(53);
    for (let i = 1; i <= 52; i++) {
      for (let n = 0; n < 24; n++) {
        const exponent = random.below(200) - 100;
        const mantissa = 2 ** 52 + random.below(2 ** 31) * 2 ** 20 + random.below(2 ** 20);
        const c = mantissa * 2 ** exponent * (n % 2 === 0 ? 1 : -1);
        const half = 2 ** (exponent - 1) * (1 + 2 ** -i); // of the last bit of c, but for the second factor
        for (const b of [1 - 2 ** -i, 1 - 2 ** -i + 2 ** -53, 1 - 2 ** -i - 2 ** -53, 1, 1 / (1 + 2 ** -i)]) {
          for (const a of [half, -half, 3 * half]) expect(fma(a, b, c)).toBe(fmaExact(a, b, c));
        }
      }
    }
  });

  it('is the exact value over integers, rounded once, where c is the small one', () => {
    const random = new Pcg32(54);
    for (let i = 1; i <= 110; i++) {
      for (let n = 0; n < 12; n++) {
        const a = 2 ** 26 + random.below(2 ** 26) + 0.5 * random.below(2); // products of 53 and 54 bits: exact, or ties
        const b = 2 ** 26 + random.below(2 ** 26);
        for (const c of [2 ** -i, -(2 ** -i), 2 ** (53 - i) + 2 ** -i]) expect(fma(a, b, c)).toBe(fmaExact(a, b, c));
      }
    }
  });

  it.each([
    { a: 2 ** 480, b: 2 ** 100, c: 1 },
    { a: 2 ** 100, b: -(2 ** 480), c: 2 ** 500 + 2 ** 460 },
    { a: 3, b: 5, c: 2 ** 960 },
    { a: 2 ** -450 * (1 + 2 ** -52), b: 2 ** -450 * (1 + 2 ** -52), c: -(2 ** -900) },
    { a: 1 + 2 ** -52, b: 2 ** -1022, c: 2 ** -1074 },
    { a: 2 ** 1023, b: 1.75, c: 2 ** 1022 },
    { a: 2 ** -1074, b: 2 ** -1074, c: 2 ** -1074 },
    { a: 2 ** -1074, b: 0.5, c: -(2 ** -1074) },
  ])('is the exact value at the borders of the two ways: fma($a, $b, $c)', ({ a, b, c }) => {
    for (const sign of [1, -1]) expect(fma(sign * a, b, c)).toBe(fmaExact(sign * a, b, c));
  });

  it('is symmetric in its factors, and odd', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        expect(fma(b, a, c)).toBe(fma(a, b, c));
        expect(fma(-a, -b, c)).toBe(fma(a, b, c));
        if (fma(a, b, c) !== 0) expect(fma(-a, b, -c)).toBe(-fma(a, b, c));
      }),
      { numRuns: 1000 },
    );
  });
});
