/**
 * What bounds decide, beside the plain loops: the rows of `verify`, more of them, and the rows that once broke a bound.
 */
import { describe, expect, it } from 'vitest';
import { RowCandidates } from '../../../src/candidates/row-candidates.js';
import { drawByEstimate, drawBySums, UNDECIDED } from '../../../src/numerics/certified/draw.js';
import { engineNumerics, exactNumerics, type Numerics, wasmNumerics } from '../../../src/numerics/index.js';
import { type BoundsCount, boundsChecks, SOME_BOUNDS } from '../../../src/verify/bounds.js';
import { casesOf } from '../../support/cases.js';

const ROWS = casesOf(120, 2000);

const NUMERICS: [string, Numerics][] = [
  ['plain', exactNumerics],
  ['WebAssembly', wasmNumerics],
];

describe.each(NUMERICS)('with the %s passes', (_, numerics) => {
  it('the sums, draws, nuclei and entropies of many rows are those of the plain loops', () => {
    const count: BoundsCount = { exps: 0, draws: 0, undecidedDraws: 0, nuclei: 0, undecidedNuclei: 0 };
    const work = { ...SOME_BOUNDS, from: 1000, rows: ROWS, draws: 16, nuclei: 8, largest: 6000 };
    for (const { what, expected, got } of boundsChecks(numerics, work, count)) expect(got, what).toBe(expected);
    expect(count.exps).toBeGreaterThan(40_000);
    expect(count.undecidedDraws / count.draws).toBeLessThan(0.7); // half of them are made to be undecided
    expect(count.undecidedNuclei / count.nuclei).toBeLessThan(0.7);
  });

  it.each([
    [
      'which a bound without the roundings of our own sums decided wrongly',
      65,
      12.781952857971191,
      3.708846563199586e-8,
    ],
    ['whose sums are near ties', 63, 12.618575096130371, 5.8515524870017543e-8],
    ['whose sums are near ties, long', 70_000, 12.618575096130371, 5.8515524870017543e-8],
  ])('a row %s is right for each u that is a running sum', (_what, length, first, others) => {
    const row = rowOf(numerics, length, (id) => (id === 0 ? first : others));
    const exps = Array.from({ length }, (_value, id) => numerics.exp(row.logit(id) - row.maxLogit()));
    const total = exps.reduce((sum, e) => sum + e, 0);
    let c = 0;
    const sums = exps.map((e) => {
      c += e / total;
      return c;
    });
    const us = sums.filter((u, i) => u < 1 && (i < 70 || i % 997 === 0)).concat(0.999971894565971);
    const expected = (u: number) => sums.findIndex((sum) => u < sum);
    for (const u of us) expect([UNDECIDED, expected(u)]).toContain(drawByEstimate(row, 1, row.maxLogit(), u));
    expect(row.normalizer()).toBe(total);
    for (const u of us) expect([UNDECIDED, expected(u)]).toContain(drawBySums(row, 1, row.maxLogit(), u));
    for (const u of us) expect(row.walk(u)).toBe(expected(u));
  });

  it('a row that is open everywhere has its sum, block by block', () => {
    const row = rowOf(numerics, 5000, (id) => 760 * (id / 5000 - 1));
    const before = Array.from(row.kernel.arrays.before, () => 0);
    let sum = 0;
    for (let id = 0; id < 5000; id++) {
      if (id % 64 === 0) before[id / 64] = sum;
      sum += numerics.exp(row.logit(id) - row.maxLogit());
    }
    before[before.length - 1] = sum;
    expect(row.normalizer()).toBe(sum);
    expect([...row.kernel.arrays.before]).toEqual(before);
  });
});

it('exps that are not the exact ones are added one by one, as the bounds do not hold for them', () => {
  const row = rowOf(engineNumerics, 300, (id) => Math.sin(id));
  let sum = 0;
  for (let id = 0; id < 300; id++) sum += Math.exp(row.logit(id) - row.maxLogit());
  expect(row.normalizer()).toBe(sum);
  expect(row.kernel.estimate(false, 1, row.maxLogit())).toBe(false);
  expect(row.kernel.collectRest(0, 1, row.maxLogit())).toBe(-1);
});

function rowOf(numerics: Numerics, length: number, logit: (id: number) => number): RowCandidates {
  const row = new RowCandidates(length, numerics);
  row.load(
    Float32Array.from({ length }, (_, id) => logit(id)),
    'a test',
  );
  return row;
}
