/**
 * The constants of exp in float32 arithmetic, for the masses of blocks: exp((l - M) / T) of a float32 l, in a unit of the row,
 * within a share of SINGLE_ERROR = 2^-21 for each l above M - 86 T, in sums of four.
 *
 * Method: x = max(l, M - 86 T) - base; z = x (log2 e / T) + (1.5 * 2^23 - k0); k = z - (1.5 * 2^23 - k0);
 * r = x - k T ln 2 in two parts, the first of 15 bits; a polynomial of degree 5 in r whose coefficients c_j / T^j are made in
 * float64, once for a row, so that the division by the temperature costs nothing; the exponent of the result is k.
 * base is 0 where |M / T| < 260, else M as a float32: then l - base is exact for the l that matter.
 * Errors in units of 2^-24, |k| at most 500: reduction 0.73, coefficients 0.42, polynomial 1.26, evaluation 2.61, the two
 * sums of float32 that follow 2: together 7.02, and 8 is what SINGLE_ERROR allows.
 * Entries below M - 86 T count as that: together they are below 2^-60 of the whole, which the callers leave room for.
 */
import { highWord, powerOfTwo } from '../bits.js';
import { exp } from '../exp.js';

export const SINGLE_ERROR = 4.76837158203125e-7;

/** Of exp(r) = 1 + c1 r + c2 r^2 + ... in [-ln2 / 2, ln2 / 2], with the least largest error, divided by the first one. */
const FIRST = 1.0000000716589434;
const COEFFICIENTS = [
  0.9999996919735352, 0.4999889480716393, 0.16667574759941342, 0.04191538697445214, 0.008297654775202624,
].map((c) => c / FIRST);
const SHIFT = 12582912; // 1.5 * 2^23
/** Exponents far enough from the ends of float32. */
const NO_BASE = 260;
const REACH = 86;

/** Whether a row with these numbers can be estimated in float32 arithmetic. */
export function fitsSingles(divisor: number, max: number): boolean {
  return Math.abs(max) < 1e6 && Math.abs(max * divisor) < 1e30 && divisor > 1e-3 && divisor < 1e6;
}

/** Sets the constants of a row, f32[12], in the order of assembly/certified.ts; what an exp of 1 counts in its sums. */
export function setSingles(singles: Float32Array, divisor: number, max: number): number {
  const top = max * divisor;
  const base = Math.abs(max) < NO_BASE ? 0 : Math.fround(top);
  const rise = (top - base) / divisor;
  const steps = Math.round(rise * Math.LOG2E);
  const step = Math.LN2 * divisor;
  const unit = powerOfTwo(((highWord(step) >>> 20) & 0x7ff) - 1023 - 14);
  const high = Math.round(step / unit) * unit;
  singles[0] = Math.LOG2E / divisor;
  singles[1] = SHIFT - steps;
  singles[2] = -high;
  singles[3] = high - step;
  singles[4] = top - REACH * divisor;
  let power = divisor;
  for (let j = 0; j < 5; j++, power *= divisor) singles[5 + j] = (COEFFICIENTS[j] as number) / power;
  singles[10] = base;
  singles[11] = 1;
  return exp(rise - steps * Math.LN2) / FIRST;
}
