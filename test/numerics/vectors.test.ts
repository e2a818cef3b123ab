import { describe, expect, it } from 'vitest';
import { exp } from '../../src/numerics/exp.js';
import { fma } from '../../src/numerics/fma.js';
import { fmaExact } from '../../src/numerics/fma-exact.js';
import { log } from '../../src/numerics/log.js';
import { log2 } from '../../src/numerics/log2.js';
import { pow } from '../../src/numerics/pow.js';
import { cosine, sine } from '../../src/numerics/sincos.js';
import { hex } from '../support/bits.js';
import { differing, hardInputs, vectors } from './vectors.js';

describe('the committed vectors', () => {
  it('exp: every one is equal, bit for bit', () => {
    const rows = vectors('exp.txt');
    expect(rows.length).toBeGreaterThanOrEqual(20_000);
    expect(differing(rows, exp)).toEqual([]);
  });

  it('log: every one is equal, bit for bit', () => {
    const rows = vectors('log.txt');
    expect(rows.length).toBeGreaterThanOrEqual(20_000);
    expect(differing(rows, log)).toEqual([]);
  });

  it('log2: every one is equal, bit for bit', () => {
    const rows = vectors('log2.txt');
    expect(rows.length).toBeGreaterThanOrEqual(5_800);
    expect(differing(rows, log2)).toEqual([]);
  });

  it('pow: every one is equal, bit for bit', () => {
    const rows = vectors('pow.txt');
    expect(rows.length).toBeGreaterThanOrEqual(8_000);
    expect(differing(rows, pow)).toEqual([]);
  });

  it('fma: every one is equal, bit for bit', () => {
    const rows = vectors('fma.txt');
    expect(rows.length).toBeGreaterThanOrEqual(5_000);
    expect(differing(rows, fma)).toEqual([]);
  });

  it('sin and cos: every one is equal, bit for bit', () => {
    const rows = vectors('sincos.txt');
    expect(rows.length).toBeGreaterThanOrEqual(2_000);
    expect(differing(rows, sine, 2)).toEqual([]);
    expect(
      differing(
        rows.map(([x, , c]) => [x as number, c as number]),
        cosine,
      ),
    ).toEqual([]);
  });

  it('hold the inputs that show a slip in the formulas', () => {
    for (const [name, least] of Object.entries({ exp: 40, log: 40, log2: 25, pow: 15 })) {
      const known = new Set(vectors(`${name}.txt`).map((row) => row.slice(0, -1).map(hex).join(' ')));
      const hard = hardInputs(name).map((inputs) => inputs.map(hex).join(' '));
      expect(hard.length).toBeGreaterThanOrEqual(least);
      expect(hard.filter((inputs) => !known.has(inputs))).toEqual([]);
    }
  });

  it('fma over exact integers is the same function, wherever it is defined', () => {
    const rows = vectors('fma.txt').filter((row) => row.slice(0, 3).every((x) => Number.isFinite(x) && x !== 0));
    expect(rows.length).toBeGreaterThan(2_000);
    expect(differing(rows, fmaExact)).toEqual([]);
  });
});
