import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { log, pow } from '../../src/numerics/index.js';
import { powTable } from '../../src/numerics/pow-table.js';

const { NaN: none } = Number;

describe('pow', () => {
  it.each([
    { x: 2, y: 10, z: 1024, why: 'an exact power' },
    { x: 3, y: 33, z: 5559060566555523, why: 'the largest exact one of three' },
    { x: 10, y: -3, z: 0.001, why: 'a negative exponent' },
    { x: 2, y: 0.5, z: Math.SQRT2, why: 'a root' },
    { x: 0.9, y: 128256, z: 0, why: 'underflow' },
    { x: 2, y: -1074, z: 5e-324, why: 'the least positive double' },
    { x: 2, y: -1075, z: 0, why: 'half of that, a tie, goes to zero' },
    { x: 2, y: 1023, z: 8.98846567431158e307, why: 'the largest power of two' },
    { x: 2, y: 1024, z: Infinity, why: 'overflow' },
    { x: -2, y: 1025, z: -Infinity, why: 'overflow keeps the sign' },
    { x: -2, y: -1075, z: -0, why: 'underflow keeps the sign' },
    { x: -2, y: 3, z: -8, why: 'an odd power of a negative number' },
    { x: -2, y: 4, z: 16, why: 'an even one' },
    { x: -2, y: 0.5, z: none, why: 'no root of a negative number' },
    { x: -2, y: 2 ** 53, z: Infinity, why: 'all doubles from 2^53 on are even' },
    { x: 0, y: 3, z: 0, why: 'zero' },
    { x: -0, y: 3, z: -0, why: 'minus zero to an odd power' },
    { x: -0, y: 2, z: 0, why: 'minus zero to an even one' },
    { x: -0, y: -3, z: -Infinity, why: 'its reciprocal' },
    { x: 0, y: -0.5, z: Infinity, why: 'the reciprocal of a root of zero' },
    { x: -Infinity, y: -1, z: -0, why: 'the reciprocal of minus infinity' },
    { x: -Infinity, y: 2.5, z: Infinity, why: 'minus infinity, as C has it' },
    { x: 0.5, y: Infinity, z: 0, why: 'what is below one goes down' },
    { x: 0.5, y: -Infinity, z: Infinity, why: 'or up' },
    { x: -1, y: Infinity, z: 1, why: 'as C has it, and JavaScript has not' },
    { x: 1, y: none, z: 1, why: 'as C has it, and JavaScript has not' },
    { x: none, y: 0, z: 1, why: 'whatever to the power of zero' },
    { x: none, y: 1, z: none, why: 'NaN goes through' },
    { x: 2, y: none, z: none, why: 'NaN goes through' },
    { x: 1 + 2 ** -52, y: 1e-300, z: 1, why: 'an exponent so small that nothing is left' },
    { x: 1 - 2 ** -53, y: -1.7e308, z: Infinity, why: 'one so large that everything is' },
  ])('pow($x, $y) = $z: $why', ({ x, y, z }) => {
    expect(pow(x, y)).toBe(z);
  });

  it('is exact where the power is an integer below 2^53', () => {
    for (let x = 2; x < 40; x++) {
      for (let y = 1; BigInt(x) ** BigInt(y) < 2n ** 53n; y++) {
        expect(pow(x, y)).toBe(Number(BigInt(x) ** BigInt(y)));
      }
    }
  });

  it('of one is the number, and of minus one its reciprocal', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (x) => {
        expect(pow(x, 1)).toBe(x);
        expect(Math.abs(pow(x, -1) / (1 / x) - 1) < 1e-15 || pow(x, -1) === 1 / x).toBe(true);
      }),
    );
  });

  it('has 128 rows in its table: a reciprocal of few bits, and the logarithm of the other in two parts', () => {
    const { inverses, logs, tails } = powTable();
    expect([inverses.length, logs.length, tails.length]).toEqual([128, 128, 128]);
    for (const [i, inverse] of inverses.entries()) {
      expect(Number.isInteger(inverse * 256)).toBe(true);
      expect(Number.isInteger((logs[i] as number) * 2 ** 43)).toBe(true);
      expect((logs[i] as number) + (tails[i] as number)).toBeCloseTo(-log(inverse), 15);
      expect(Math.abs(tails[i] as number)).toBeLessThanOrEqual(2 ** -44);
    }
  });
});
