/**
 * log(x), the natural logarithm, bit for bit what glibc 2.28 and later gives on x86-64 and aarch64 with FMA, over all
 * float64, from + - * and bit patterns alone.
 *
 * Method: x = 2^k z with z in [0.6875, 1.375), c near the middle of z's interval of 128, r = z / c - 1;
 * log(x) = k ln2 + log(c) + log1p(r). Near one, where that would cancel, a polynomial in x - 1.
 * Error: below 0.52 units in the last place.
 * Special cases: log(1) = 0, log(0) = log(-0) = -Infinity, log(x < 0) = NaN, log(Infinity) = Infinity.
 * Source of the method and the figures: Arm Optimized Routines (MIT), Szabolcs Nagy 2018; docs/EXACT-MATH.md, "log".
 */
import { fromWords, highWord, lowWord, powerOfTwo } from './bits.js';
import { fmaInRange as fma } from './fma.js'; // every factor here is 0 or far from the ends of the range
import { LOG_TABLE } from './log-table.js';

const LN2_HI = 0.6931471805598903; // 0x1.62e42fefa3800p-1
const LN2_LO = 5.497923018708371e-14; // 0x1.ef35793c76730p-45
const A0 = -0.5000000000000001;
const A1 = 0.33333333331825593;
const A2 = -0.2499999999622955;
const A3 = 0.20000304511814496;
const A4 = -0.16667054827627667;
// biome-ignore format: one row
const B = [-0.5, 0.3333333333333352, -0.24999999999998432, 0.19999999999320328, -0.16666666669929706, 0.14285715076560868, -0.12499997863982555, 0.11110712032936046, -0.10000486757818193, 0.09181994006195467, -0.08328363062289341] as const;
const NEAR_ONE_FROM = 0.9375; // 1 - 2^-4
const NEAR_ONE_TO = 1.064697265625; // 1 + 0x1.09p-4
const OFFSET_HIGH = 0x3fe60000; // high word of 0.6875
const TWO_52 = powerOfTwo(52);
const LEAST_NORMAL = powerOfTwo(-1022);
const DELTA = powerOfTwo(-67);
const SPLIT = 134217729; // 2^27 + 1: Veltkamp's constant

/** log(x) in nats. */
export function log(x: number): number {
  if (x >= NEAR_ONE_FROM && x < NEAR_ONE_TO) return logNearOne(x);
  if (x > 0 && x < Infinity) return logByTable(x);
  if (x === 0) return -Infinity;
  return x > 0 ? x : Number.NaN;
}

/**
 * The fused form with plain * and + where that provably does not matter, else with the software fma.
 *
 * r is the exact product z / c less one, rounded once, as fused: the leading part of the product is near one, so taking
 * one away is exact. k * LN2_HI is exact too. What the fused form spares after that are one rounding in each of the two
 * sums that make p; |p| < 2^-16.9 is a multiple of at most 2^-69, so each moves it by at most 2^-69, and the roundings
 * further in by less than 2^-75. So the fused p lies within 2^-67.9 of this one, and where hi + (p + 2^-67) and
 * hi + (p - 2^-67), whose inner sums are rounded by at most 2^-70, give one number, that is the result.
 */
function logByTable(x: number): number {
  const subnormal = x < LEAST_NORMAL;
  const scaled = subnormal ? x * TWO_52 : x;
  const high = highWord(scaled);
  const offset = (high - OFFSET_HIGH) | 0;
  const i = (offset >> 13) & 127;
  const k = (offset >> 20) - (subnormal ? 52 : 0);
  const z = fromWords(high - (offset & 0xfff00000), lowWord(scaled));
  const r = timesLessOne(z, LOG_TABLE[2 * i] as number);
  const w = k * LN2_HI + (LOG_TABLE[2 * i + 1] as number);
  const hi = w + r;
  const rest = w - hi + r;
  const r2 = r * r;
  const p = rest + k * LN2_LO + r2 * A0 + r * r2 * (A1 + r * A2 + r2 * (A3 + r * A4));
  const result = hi + (p + DELTA);
  return result === hi + (p - DELTA) ? result : fusedTail(r, k, rest) + hi;
}

/** z * inverse - 1 with one rounding, for a product near one. */
function timesLessOne(z: number, inverse: number): number {
  const product = z * inverse;
  const zs = SPLIT * z;
  const zh = zs - (zs - z);
  const zl = z - zh;
  const vs = SPLIT * inverse;
  const vh = vs - (vs - inverse);
  const vl = inverse - vh;
  return product - 1 + (zh * vh - product + zh * vl + zl * vh + zl * vl);
}

/** log1p(r) - r and the small parts of k ln2, as the fused form rounds them. */
function fusedTail(r: number, k: number, rest: number): number {
  const r2 = r * r;
  const inner = fma(r2, fma(r, A4, A3), fma(r, A2, A1));
  return fma(r * r2, inner, fma(r2, A0, fma(k, LN2_LO, rest)));
}

function logNearOne(x: number): number {
  const r = x - 1;
  const r2 = r * r;
  const r3 = r * r2;
  const w = r * 134217728; // 2^27: splits r into a high half whose square is exact, and the rest
  const rh = fma(r, 134217728, r) - w;
  const rl = r - rh;
  const square = rh * rh * B[0];
  const hi = r + square;
  const lo = fma(B[0] * rl, rh + r, r - hi + square);
  return fma(r3, nearOnePolynomial(r, r2, r3), lo) + hi;
}

function nearOnePolynomial(r: number, r2: number, r3: number): number {
  const p7 = fma(r3, B[10], fma(r2, B[9], fma(r, B[8], B[7])));
  const p4 = fma(r3, p7, fma(r2, B[6], fma(r, B[5], B[4])));
  return fma(r3, p4, fma(r2, B[3], fma(r, B[2], B[1])));
}
