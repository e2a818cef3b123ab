import { describe, expect, it } from 'vitest';
import { lengthPower } from '../../../src/decode/beams/length-penalty.js';
import { exactNumerics, exp, log } from '../../../src/numerics/index.js';

describe('the power of the length', () => {
  it.each([
    [7, 0, 1],
    [7, 1, 7],
    [7, 3, 343],
    [4, -2, 0.0625],
    [3, -1, 1 / 3],
    [1, 64, 1],
    [2, 64, 2 ** 64],
  ])('%d^%d is a product', (length, penalty, power) => {
    expect(lengthPower(length, penalty, exactNumerics)).toBe(power);
  });

  it.each([
    [7, 0.5],
    [12, -1.5],
    [2, 65],
    [3, 1e-9],
  ])('%d^%d is an exponential of our own', (length, penalty) => {
    expect(lengthPower(length, penalty, exactNumerics)).toBe(exp(penalty * log(length)));
    expect(lengthPower(length, penalty, exactNumerics) / length ** penalty).toBeCloseTo(1, 12);
  });

  it('is 1 for one id, whatever the penalty', () => {
    for (const penalty of [0, 1, -3, 0.7, 1000.5, -1e300]) expect(lengthPower(1, penalty, exactNumerics)).toBe(1);
  });
});
