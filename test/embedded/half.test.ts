import { describe, expect, it } from 'vitest';
import { halfToNumber } from '../../src/embedded/half.js';

const view = new DataView(new ArrayBuffer(4));

/** A normal half as a float32, by moving its fields. */
function byFields(bits: number): number {
  view.setUint32(0, ((bits & 0x8000) << 16) | ((((bits >> 10) & 31) + 112) << 23) | ((bits & 1023) << 13));
  return view.getFloat32(0);
}

describe('halfToNumber', () => {
  it.each([
    [0x0000, 0, 'zero'],
    [0x8000, -0, 'negative zero'],
    [0x0001, 1 / 16777216, 'the smallest subnormal, 2^-24'],
    [0x83ff, -1023 / 16777216, 'the largest subnormal, 1023 * 2^-24'],
    [0x0400, 1 / 16384, 'the smallest normal, 2^-14'],
    [0x3555, 0.333251953125, 'a third'],
    [0x3c00, 1, 'one'],
    [0x3c01, 1.0009765625, 'one and 2^-10'],
    [0xc000, -2, 'minus two'],
    [0x7bff, 65504, 'the largest'],
    [0x7c00, Infinity, 'infinity'],
    [0xfc00, -Infinity, 'minus infinity'],
    [0x7e00, Number.NaN, 'not a number'],
    [0x7c01, Number.NaN, 'not a number, with the last bit'],
  ])('gives for %i the number %d: %s', (bits, number) => {
    expect(halfToNumber(bits)).toBe(number);
  });

  it('gives every normal half the number of its fields', () => {
    for (let bits = 0; bits < 65536; bits++) {
      const exponent = (bits >> 10) & 31;
      if (exponent !== 0 && exponent !== 31 && halfToNumber(bits) !== byFields(bits))
        expect.fail(`0x${bits.toString(16)}`);
    }
  });

  it('gives every subnormal half its multiple of 2^-24', () => {
    for (let fraction = 0; fraction < 1024; fraction++) {
      expect(halfToNumber(fraction)).toBe(fraction / 16777216);
      expect(halfToNumber(0x8000 | fraction)).toBe(-fraction / 16777216);
    }
  });
});
