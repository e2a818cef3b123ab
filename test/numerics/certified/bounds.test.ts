/**
 * Every constant of a bound, held to its derivation in exact arithmetic: the derivation holds with the constant, and fails with
 * half of it (docs/CERTIFIED.md has the table). Shares are whole numbers of 10^-30.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { BOUNDS, below, roughly, stepTable } from '../../../src/numerics/certified/below.js';
import { SINGLE_ERROR, setSingles } from '../../../src/numerics/certified/singles.js';
import { exp } from '../../../src/numerics/exp.js';
import { Pcg32 } from '../../../src/random/index.js';

const ONE = 10n ** 30n;
/** A literal such as 6.364e-16 as a whole number of 10^-30. */
function units(text: string): bigint {
  const [, whole = '', fraction = '', exponent = '0'] = /^(\d+)(?:\.(\d+))?(?:e(-?\d+))?$/.exec(
    text,
  ) as RegExpExecArray;
  const digits = BigInt(whole + fraction);
  const power = 30 + Number(exponent) - fraction.length;
  return power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power) + 1n;
}

/** 2^-n, rounded up. */
const power = (n: bigint) => ONE / 2n ** n + 1n;
const U = power(53n);
/** A float64 as a whole number of 10^-30, rounded down. */
function exactly(x: number): bigint {
  let bits = 0n;
  let scaled = x;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    bits++;
  }
  return (BigInt(scaled) * ONE) / 2n ** bits;
}

/** The value of `name = number` in a file of the source. */
function constant(file: string, name: string): number {
  const path = fileURLToPath(new URL(`../../../src/numerics/certified/${file}`, import.meta.url));
  const found = new RegExp(`const ${name} = ([-\\d.e]+)`).exec(readFileSync(path, 'utf8'));
  if (found === null) throw new Error(`no ${name} in ${file}`);
  return Number(found[1]);
}

/** How far the exact exp is from e^x: 0.511 units in the last place, each at most 2 u. */
const EXACT = (2n * U * 511n) / 1000n;
/** Of v / e^x, without BETA: t (rounding, r, s t), table and last sum, and what the polynomial leaves out. */
const ROUNDED = power(66n) + units('1.457e-20') + power(65n) / 1n + units('1.9e-20') + 2n * U;
const LEFT_OUT = units('3.42e-17');
const beta = (BOUNDS.beta.of * ONE) / BOUNDS.beta.in;

/** Where v / e^x lies. */
const LEAST_V = (b: bigint) => ONE - b - ROUNDED - LEFT_OUT;
const MOST_V = (b: bigint) => ONE - b + ROUNDED;

const V = 151_936n;
const BLOCKS = (V + 63n) / 64n;

/** The true term of the entropy beside e^x W / Z, W = w / 2. */
const trueTerm = (w: bigint) => EXACT + U + LOG + U + (2n * (EXACT + U)) / w;
/** The exact log: 0.52 units in the last place. */
const LOG = (2n * U * 52n) / 100n;
const MOST_TERM = MOST_V(beta) + LOG + 5n * U;
const LEAST_TERM = LEAST_V(beta) - LOG - 5n * U;

interface Bound {
  readonly what: string;
  readonly value: bigint;
  readonly holds: (value: bigint) => boolean;
}

const DERIVED: readonly Bound[] = [
  { what: 'BETA: v is at most exp(x)', value: beta, holds: (b) => MOST_V(b) <= ONE - EXACT },
  {
    what: 'ABOVE: exp(x) is at most v ABOVE, rounded',
    value: exactly(BOUNDS.above - 1),
    holds: (a) => (LEAST_V(beta) * (ONE + a)) / ONE - U >= ONE + EXACT,
  },
  {
    what: 'LEAST_X: what is clamped there is lost beside LEAST_SUM',
    value: BigInt(-BOUNDS.leastX),
    holds: (x) => exp(-Number(x)) * 1.01 < BOUNDS.leastSum * 2 ** -54,
  },
  {
    what: 'a lost block: no exp reaches half a unit in the last place of the sum',
    value: 2n ** 54n,
    holds: (n) => n * ONE > 2n ** 53n * (ONE + units('1e-12')),
  },
  {
    what: 'the roundings of a draw, in u: 2 V + 4 of the spec, and ours',
    value: 2n * V + 2n * BLOCKS + 256n,
    holds: (n) => n >= 2n * V + 4n + 2n * (BLOCKS + 64n),
  },
  {
    what: 'the roundings of a nucleus, in u: 2 V + 4 of the spec, the list, and the total',
    value: 4n * V + 2n * BLOCKS + 256n,
    holds: (n) => n >= 2n * V + 4n + V + (V + 2n),
  },
  {
    what: 'TINY: what entries that are clamped come to, in the sum and in the total',
    value: exactly(constant('draw.ts', 'TINY') * 2 ** 40),
    holds: (t) => t >= exactly(2 * 2 ** 24 * exp(-constant('singles.ts', 'REACH')) * 2 ** 40),
  },
  {
    what: 'REACH: the same, by the exponent where they are clamped',
    value: BigInt(constant('singles.ts', 'REACH')),
    holds: (r) => 2 * 2 ** 24 * exp(-Number(r)) <= constant('draw.ts', 'TINY'),
  },
  {
    what: 'ROUGH_ERROR: the terms left out, and the roundings of y',
    value: exactly(BOUNDS.roughError),
    holds: (e) => {
      const f = exactly(Math.LN2 / 4096); // the largest |r|
      const leftOut = (f * f * f) / ONE / ONE / 6n;
      const reach = BigInt(BOUNDS.roughReach);
      return leftOut + U * (2n * (reach + 690n) + reach + 690n) + beta + 4n * U <= e;
    },
  },
  {
    what: 'LOWER: a term of the entropy is never above the true one',
    value: exactly(constant('entropy.ts', 'LOWER')),
    holds: (l) => MOST_TERM <= ONE + l - U - trueTerm(2n),
  },
  {
    what: 'UPPER: nor is it ever below',
    value: exactly(constant('entropy.ts', 'UPPER')),
    holds: (h) => LEAST_TERM + h - U >= ONE + trueTerm(2n),
  },
  {
    what: 'W: the least logarithm of a term that is only bounded, in halves',
    value: 2n,
    holds: (w) => trueTerm(w) <= units('6.77e-16'),
  },
];

describe('the derivation of a bound', () => {
  it.each(DERIVED)('holds, and fails with half of it: $what', ({ value, holds }) => {
    expect(holds(value)).toBe(true);
    expect(holds(value / 2n)).toBe(false);
  });
});

describe('the approximations', () => {
  const table = stepTable();
  const random = new Pcg32(2026, 12);

  it('are as far from the exp as their bounds say, at the ends of each step and between them', () => {
    const seen = { least: Infinity, most: -Infinity };
    const step = Math.LN2 / BOUNDS.steps;
    for (let n = 0; n < 200_000; n++) {
      const k = n % 4 === 0 ? random.below(996 * BOUNDS.steps) : random.below(30 * BOUNDS.steps);
      const x = Math.max(-(k + ([0, 0.5, -0.499999, random.uniform() - 0.5][n % 4] as number)) * step, BOUNDS.leastX);
      if (x > 0) continue;
      const off = (exp(x) / below(x) - 1) * 2 ** 52;
      seen.least = Math.min(seen.least, off);
      seen.most = Math.max(seen.most, off);
      expect(below(x) <= exp(x) && exp(x) <= below(x) * BOUNDS.above).toBe(true);
    }
    expect(table.length).toBe(BOUNDS.steps);
    expect(seen.least).toBeGreaterThan(0);
    expect(seen.most).toBeGreaterThan(2); // with half of ABOVE - 1, which is 2, an exp would be above it
  });

  it('of degree 2 are within theirs', () => {
    for (let n = 0; n < 50_000; n++) {
      const [max, l] = [1000 * random.uniform(), 1000 * random.uniform() - 30 * random.uniform()];
      const x = Math.min(l - max, 0);
      const about = roughly((x + max) * BOUNDS.inverse - max * BOUNDS.inverse);
      if (x > -600) expect(Math.abs(about / exp(x) - 1)).toBeLessThanOrEqual(BOUNDS.roughError);
    }
  });

  it('in float32 arithmetic are within SINGLE_ERROR, and a row shows that half of it would be too little', () => {
    let worst = 0;
    for (let n = 0; n < 40_000; n++) {
      const [divisor, top] = [2 ** (4 * random.uniform() - 2), (2 * random.uniform() - 1) * 30];
      const l = Math.fround(top - 40 * divisor * random.uniform());
      const off = Math.abs(massOfEqual(l, divisor, top) / exp(l / divisor - top / divisor) - 1);
      expect(off).toBeLessThanOrEqual(SINGLE_ERROR);
      worst = Math.max(worst, off);
    }
    expect(worst).toBeGreaterThan(SINGLE_ERROR / 2 - 2 * 2 ** -24); // the sums of a block may add two units to it
  });
});

/** exp(l / T - top / T) of one entry in float32 arithmetic, as assembly/certified.ts has it, in the unit of the exps. */
function massOfEqual(l: number, divisor: number, top: number): number {
  const singles = new Float32Array(12);
  const unit = setSingles(singles, divisor, top / divisor);
  const at = (index: number) => singles[index] as number;
  const f = Math.fround;
  const madd = (a: number, b: number, c: number) => f(f(a * b) + c);
  const x = f(Math.max(l, at(4)) - at(10));
  const z = madd(x, at(0), at(1));
  const k = f(z - at(1));
  const r = madd(k, at(3), madd(k, at(2), x));
  const r2 = f(r * r);
  const p = madd(r2, madd(r2, madd(r, at(9), at(8)), madd(r, at(7), at(6))), madd(r, at(5), 1));
  return (p * 2 ** (z - 12582912)) / unit;
}
