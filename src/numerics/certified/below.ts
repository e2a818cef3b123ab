/**
 * An approximation of exp from below, with a proved bound: below(x) <= exp(x) <= below(x) * ABOVE, where exp is the exact one
 * (../exp.ts) and x is in [-690, 0].
 *
 * Method: x = k c + r with c = ln2 / 2048 and an integer k; v = s + s t, where s is the k-th power of 2^(1/2048), made smaller
 * by the share BETA = 3.8e-16, and t = r + r^2 (1/2 + r/6).
 * Proof, with u = 2^-53 and |r| < 2^-12.5:
 * - r: k HIGH is exact (21 and 30 bits). Left are the rounding of k LOW, below 2^-77.5, what LOW leaves of c, below 2^-78, and
 *   the rounding of the last sum, below 2^-66: together below 2^-65.9.
 * - t: the rounding of its last sum, below 2^-66 (those further in vanish beside it); the terms left out, r^4 / 24 and on, in
 *   [0, 3.42e-17].
 * - the table: u. s t: u |t|, below 2^-65.5. s + s t: u.
 * So v / e^x is in [1 - 6.364e-16, 1 - 1.579e-16]. The exact exp is within 0.511 units in the last place of e^x, a share of at
 * most 1.135e-16. So v is at most exp(x), with 4.4e-17 to spare, and v * ABOVE, rounded, at least exp(x), with 2.7e-17 to
 * spare. A product and the sum behind it are counted as two roundings each: where a processor fuses them there is one less,
 * and the bounds hold too. test/numerics/certified/bounds.test.ts derives these numbers with rational arithmetic.
 *
 * Sums: rounding to nearest is monotone. Where S0 <= s <= S1 and v <= e <= w, RN(S0 + v) <= RN(s + e) <= RN(S1 + w). Two sums
 * that start from the same number, one over the v and one over the v * ABOVE, enclose the sum of the exact exps at every step;
 * where they are equal, that is the sum of the exact exps, to the bit.
 */
import { powerOfTwo } from '../bits.js';
import { integerRoot, nearestShift, ONE, POINT } from '../fixed-point.js';

/** So many steps to a doubling. */
const STEPS = 2048;
/** What the table is smaller by, as a share: 38 in 10^17. */
const BETA = { of: 38n, in: 100000000000000000n };
/** 2048 / ln 2. */
const INVERSE = 2954.639443740597;
const SHIFT = 6755399441055744; // 1.5 * 2^52: adding and taking it away rounds to an integer
/** -ln2 / 2048 in two parts: 30 bits, so that a product with k is exact, and the rest. */
const HIGH = -0.0003384507717782981;
const LOW = 2.0512280628325608e-14;
const SIXTH = 1 / 6;
/** 1 + 2^-50. */
const ABOVE = 1.0000000000000009;
/** Below it x is taken for it: what is left is lost beside a sum of at least LEAST_SUM. */
const LEAST_X = -690;
const LEAST_SUM = 1e-270;

/** RN(2^(i / 2048) (1 - BETA)), i = 0..2047; filled when first needed, as it takes two milliseconds. */
const powers = new Float64Array(STEPS);
/** 2^e for e = -1000..0, at index e + 1000. */
const SCALES = Float64Array.from({ length: 1001 }, (_, i) => powerOfTwo(i - 1000));

/** The table, filled. */
export function stepTable(): Float64Array {
  if (powers[0] === 0) fillSteps();
  return powers;
}

function fillSteps(): void {
  let root = 2n * ONE;
  for (let i = 0; i < 11; i++) root = integerRoot(root << POINT);
  let power = ONE - (BETA.of * ONE) / BETA.in;
  for (let i = 0; i < STEPS; i++) {
    const bits = power >= ONE ? 52n : 53n; // behind the point, so that there are 53 in all
    powers[i] = Number(nearestShift(power, POINT - bits)) * powerOfTwo(-Number(bits));
    power = (power * root) >> POINT;
  }
}

/** v of x at most 0; below LEAST_X that of LEAST_X. Only after `stepTable`, which fills the table. */
export function below(x: number): number {
  const at = Math.max(x, LEAST_X);
  const kd = at * INVERSE + SHIFT - SHIFT;
  const k = kd | 0;
  const r = at + kd * HIGH + kd * LOW;
  const s = powers[k & (STEPS - 1)] as number;
  return (s + s * (r + r * r * (0.5 + r * SIXTH))) * (SCALES[(k >> 11) + 1000] as number);
}

/**
 * How far what `roughly` gives may be from the exp, as a share: the terms left out, below 8.1e-13; and the roundings of y, which
 * come to (2 |l / T| + |M / T| + |x|) 2^-53, below 6.5e-13.
 */
const ROUGH_ERROR = 1.8189894035458565e-12; // 2^-39
/** For maxima of l / T below it in size. */
const ROUGH_REACH = 1000;
const C1 = Math.LN2 / STEPS;
const C2 = (C1 * C1) / 2;
const LEAST_Y = -2000000;

/** About exp(x) for y = x INVERSE, by a polynomial of degree 2; below LEAST_Y that of LEAST_Y. Likewise after `stepTable`. */
export function roughly(y: number): number {
  const at = Math.max(y, LEAST_Y);
  const kd = at + SHIFT - SHIFT;
  const k = kd | 0;
  const f = at - kd;
  return (powers[k & (STEPS - 1)] as number) * (SCALES[(k >> 11) + 1000] as number) * (1 + f * (C1 + f * C2));
}

/** The constants, for those who prove or share them. Not exported one by one: V8 looks an exported one up at every use. */
export const BOUNDS = Object.freeze({
  steps: STEPS,
  beta: BETA,
  inverse: INVERSE,
  high: HIGH,
  low: LOW,
  above: ABOVE,
  /** How far v may be from the exp, as a share. */
  error: ABOVE - 1,
  leastX: LEAST_X,
  leastSum: LEAST_SUM,
  roughError: ROUGH_ERROR,
  roughReach: ROUGH_REACH,
});
