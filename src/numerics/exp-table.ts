/**
 * The tables of `exp`: H[k] = 2^(k/128) rounded to the nearest double, T[k] = 2^(k/128) / H[k] - 1 rounded to the
 * nearest double, k = 0..127.
 *
 * Computed when the module loads, in exact integers: 2^(k/128) as a fixed-point number with 320 bits behind the point,
 * from seven square roots of two. Any engine gets the same 256 doubles. (They equal the table of Arm Optimized
 * Routines, which glibc carries as a list; the committed vectors of exp hold every entry.)
 */
import { powerOfTwo } from './bits.js';
import { integerRoot, nearestShift, ONE, POINT, toDouble } from './fixed-point.js';

/** 2^(1/128) in fixed point, to about 2^-318. */
function rootOfTwo(): bigint {
  let x = 2n * ONE;
  for (let i = 0; i < 7; i++) x = integerRoot(x << POINT);
  return x;
}

function fill(): { heads: Float64Array; tails: Float64Array } {
  const heads = new Float64Array(128);
  const tails = new Float64Array(128);
  const root = rootOfTwo();
  let power = ONE;
  for (let k = 0; k < 128; k++) {
    const mantissa = nearestShift(power, POINT - 52n);
    heads[k] = Number(mantissa) * powerOfTwo(-52);
    const head = mantissa << (POINT - 52n);
    tails[k] = toDouble(((power - head) << POINT) / head);
    power = (power * root) >> POINT;
  }
  return { heads, tails };
}

const tables = fill();

/** H[k] = RN(2^(k/128)), f64[128], in [1, 2). */
export const EXP_HEADS = tables.heads;
/** T[k] = RN(2^(k/128) / H[k] - 1), f64[128], |T| < 2^-53. */
export const EXP_TAILS = tables.tails;
