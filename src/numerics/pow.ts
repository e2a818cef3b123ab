/**
 * pow(x, y) = x^y, bit for bit what glibc 2.28 and later gives on x86-64 and aarch64 with FMA (Python's math.pow and `**` of
 * floats, Rust's f64::powf, C's pow), over all float64, from + - * and bit patterns alone.
 *
 * Method: log(x) as hi + lo with about 68 bits, y log(x) as a sum of two doubles, exp of that sum as `exp` does it.
 * log(x): x = 2^k z, c near the middle of z's interval of 128, r = z / c - 1 without error;
 * log(x) = k ln2 + log(c) + r - r^2 / 2 + r^3 P(r), the leading terms with their roundings kept.
 * Error: below 0.52 units in the last place (0.505 where nothing over- or underflows), so all but a few in a thousand results
 * are the correctly rounded ones; exact powers (3^2, 2^-1074) are exact.
 * Special cases, as C has them: pow(x, +-0) = 1 and pow(1, y) = 1 whatever the other one, also NaN (where JavaScript's
 * Math.pow(1, NaN) is NaN), and pow(-1, +-Infinity) = 1; pow(x < 0, y) = NaN for a y that is no integer; a negative x keeps
 * its sign for odd y, also when it is 0 or infinite.
 * Cost: about twenty software fma, half a microsecond: for a number a token, not for every id.
 * Source of the method and the figures: Arm Optimized Routines (MIT), Szabolcs Nagy 2018;
 * docs/EXACT-MATH.md, "log2 and pow".
 */
import { fromWords, highWord, lowWord, powerOfTwo } from './bits.js';
import { expOfSum } from './exp.js';
import { fma } from './fma.js';
import { POW_START_HIGH, powTable } from './pow-table.js';

const LN2_HI = 0.6931471805598903; // 0x1.62e42fefa3800p-1: 43 bits, so a product with k is exact
const LN2_LO = 5.497923018708371e-14; // 0x1.ef35793c76730p-45
// biome-ignore format: one row
const A = [-0.5, -0.6666666666666679, 0.5000000000000007, 0.7999999995323976, -0.6666666663487739, -1.142909628459501, 1.0000415263675542] as const;
const TWO_52 = powerOfTwo(52);
const TWO_53 = powerOfTwo(53);
const LEAST_NORMAL = powerOfTwo(-1022);
/** Below it y log(x) cannot be told from 0; from the other one on x^y is 0, 1 or infinite. */
const LEAST_Y = powerOfTwo(-65);
const LARGEST_Y = powerOfTwo(63);

/** x^y. */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const size = Math.abs(x);
  if (size === 1) return ofMinusOne(y);
  if (size === 0 || size === Infinity || Math.abs(y) === Infinity) return atTheEnds(x, y);
  if (x > 0) return ofPositive(x, y);
  if (!isInteger(y)) return Number.NaN;
  return isOdd(y) ? -ofPositive(size, y) : ofPositive(size, y);
}

/** (-1)^y, y not 0. */
function ofMinusOne(y: number): number {
  if (!isInteger(y) && Math.abs(y) !== Infinity) return Number.NaN;
  return isOdd(y) ? -1 : 1;
}

/** x or y is infinite, or x is 0; |x| is not 1. */
function atTheEnds(x: number, y: number): number {
  const grows = Math.abs(x) > 1 === y > 0;
  const result = grows ? Infinity : 0;
  return isNegative(x) && isOdd(y) ? -result : result;
}

/** x^y for finite x > 0 but 1 and finite y but 0. */
function ofPositive(x: number, y: number): number {
  const size = Math.abs(y);
  if (size < LEAST_Y) return x > 1 ? 1 + y : 1 - y;
  if (size >= LARGEST_Y) return x > 1 === y > 0 ? Infinity : 0;
  const { hi, lo } = logInTwo(x);
  const product = y * hi;
  return expOfSum(product, fma(y, lo, fma(y, hi, -product)));
}

/** log(x) as hi + lo. */
function logInTwo(x: number): { hi: number; lo: number } {
  const subnormal = x < LEAST_NORMAL;
  const scaled = subnormal ? x * TWO_52 : x;
  const high = highWord(scaled);
  const offset = (high - POW_START_HIGH) | 0;
  const i = (offset >> 13) & 127;
  const k = (offset >> 20) - (subnormal ? 52 : 0);
  const z = fromWords(high - (offset & 0xfff00000), lowWord(scaled));
  const { inverses, logs, tails } = powTable();
  const r = fma(z, inverses[i] as number, -1);
  const t1 = k * LN2_HI + (logs[i] as number);
  const t2 = t1 + r;
  const ar = A[0] * r;
  const ar2 = r * ar;
  const hi = t2 + ar2;
  const rounded = fma(k, LN2_LO, tails[i] as number) + (t1 - t2 + r) + fma(ar, r, -ar2) + (t2 - hi + ar2);
  const p = fma(ar2, fma(ar2, fma(r, A[6], A[5]), fma(r, A[4], A[3])), fma(r, A[2], A[1]));
  const lo = fma(r * ar2, p, rounded);
  const y = hi + lo;
  return { hi: y, lo: hi - y + lo };
}

function isInteger(y: number): boolean {
  return Math.floor(y) === y && Math.abs(y) !== Infinity;
}

/** Whether y is an odd integer; from 2^53 on all are even. */
function isOdd(y: number): boolean {
  return Math.abs(y) < TWO_53 && Math.abs(y % 2) === 1;
}

function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}
