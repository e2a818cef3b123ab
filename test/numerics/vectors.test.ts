import { describe, expect, it } from 'vitest';
import { exp } from '../../src/numerics/exp.js';
import { fma } from '../../src/numerics/fma.js';
import { fmaExact } from '../../src/numerics/fma-exact.js';
import { log } from '../../src/numerics/log.js';
import { cosine, sine } from '../../src/numerics/sincos.js';
import { hex } from '../oracle/bits.js';
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
    for (const name of ['exp', 'log'] as const) {
      const known = new Set(vectors(`${name}.txt`).map(([x]) => hex(x as number)));
      const hard = hardInputs(name);
      expect(hard.length).toBeGreaterThan(40);
      expect(hard.filter((x) => !known.has(hex(x)))).toEqual([]);
    }
  });

  it('fma over exact integers is the same function, wherever it is defined', () => {
    const rows = vectors('fma.txt').filter((row) => row.slice(0, 3).every((x) => Number.isFinite(x) && x !== 0));
    expect(rows.length).toBeGreaterThan(2_000);
    expect(differing(rows, fmaExact)).toEqual([]);
  });
});
