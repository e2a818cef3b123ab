/**
 * log2(x), the logarithm to base 2, bit for bit what glibc 2.28 and later gives on x86-64 and aarch64 with FMA (Python's
 * math.log2, C's log2), over all float64, from + - * and bit patterns alone.
 *
 * Method: x = 2^k z with z in [0.6875, 1.375), c near the middle of z's interval of 64, r = z / c - 1;
 * log2(x) = k + log2(c) + r / ln 2 + r^2 P(r). Near one, where that would cancel, a polynomial in x - 1.
 * Error: below 0.55 units in the last place; log2 of a power of two is exact.
 * Special cases: log2(1) = 0, log2(0) = log2(-0) = -Infinity, log2(x < 0) = NaN, log2(Infinity) = Infinity.
 * Cost: about fifteen software fma, a few hundred nanoseconds: for a number a token, not for every id.
 * Source of the method and the figures: Arm Optimized Routines (MIT), Szabolcs Nagy 2018;
 * docs/EXACT-MATH.md, "log2 and pow".
 */
import { fromWords, highWord, lowWord, powerOfTwo } from './bits.js';
import { fmaInRange as fma } from './fma.js'; // every factor here is 0 or far from the ends of the range
import { LOG2_TABLE } from './log2-table.js';

const INV_LN2_HI = 1.4426950407214463; // 0x1.7154765200000p+0: 1 / ln 2, 28 bits of it
const INV_LN2_LO = 1.6751713164886512e-10; // 0x1.705fc2eefa200p-33
// biome-ignore format: one row
const A = [-0.7213475204444882, 0.4808983469629985, -0.36067375954075914, 0.2885390073180969, -0.2404693555628422, 0.2061202382173603] as const;
// biome-ignore format: one row
const B = [-0.7213475204444817, 0.48089834696298744, -0.360673760222145, 0.2885390081805197, -0.24044917405728863, 0.2060992861022954, -0.18033596705327856, 0.1603032746063156, -0.14483316576701266, 0.13046826811283835] as const;
const NEAR_ONE_FROM = 0.9576029777526855; // 1 - 0x1.5b51p-5
const NEAR_ONE_TO = 1.0442743301391602; // 1 + 0x1.6ab2p-5
const OFFSET_HIGH = 0x3fe60000; // high word of 0.6875
const TWO_52 = powerOfTwo(52);
const LEAST_NORMAL = powerOfTwo(-1022);

/** log2(x). */
export function log2(x: number): number {
  if (x >= NEAR_ONE_FROM && x < NEAR_ONE_TO) return log2NearOne(x);
  if (x > 0 && x < Infinity) return log2ByTable(x);
  if (x === 0) return -Infinity;
  return x > 0 ? x : Number.NaN;
}

function log2ByTable(x: number): number {
  const subnormal = x < LEAST_NORMAL;
  const scaled = subnormal ? x * TWO_52 : x;
  const high = highWord(scaled);
  const offset = (high - OFFSET_HIGH) | 0;
  const i = (offset >> 14) & 63;
  const k = (offset >> 20) - (subnormal ? 52 : 0);
  const z = fromWords(high - (offset & 0xfff00000), lowWord(scaled));
  const r = fma(z, LOG2_TABLE[2 * i] as number, -1);
  const t1 = r * INV_LN2_HI;
  const t2 = fma(r, INV_LN2_LO, fma(r, INV_LN2_HI, -t1));
  const t3 = k + (LOG2_TABLE[2 * i + 1] as number);
  const hi = t3 + t1;
  const lo = t3 - hi + t1 + t2;
  const r2 = r * r;
  const p = fma(r2 * r2, fma(r, A[5], A[4]), fma(r2, fma(r, A[3], A[2]), fma(r, A[1], A[0])));
  return fma(r2, p, lo) + hi;
}

function log2NearOne(x: number): number {
  const r = x - 1;
  const main = r * INV_LN2_HI;
  const r2 = r * r;
  const r4 = r2 * r2;
  const first = fma(r, B[1], B[0]);
  const y = fma(r2, first, main);
  const lo = fma(r, INV_LN2_LO, fma(r, INV_LN2_HI, -main)) + fma(r2, first, main - y);
  const middle = fma(r2, fma(r, B[5], B[4]), fma(r, B[3], B[2]));
  const last = fma(r2, fma(r, B[9], B[8]), fma(r, B[7], B[6]));
  return y + fma(r4, fma(r4, last, middle), lo);
}
