/**
 * fma(a, b, c): a * b + c with one rounding (to nearest, ties to even), over all float64, as IEEE 754 defines it.
 *
 * In the middle of the range: Dekker's exact product and an exact sum, whose two small parts are added up; where a
 * little more and a little less of these give the same result, it is that. Where they do not, two exact sums and a last
 * one whose inner part is rounded to odd, so that the outer rounding is the only one that counts. That algorithm needs
 * every intermediate to be free of overflow and underflow; inputs near the ends of the range go through exact integers
 * instead (`fma-exact.ts`).
 * Source: docs/EXACT-MATH.md, "Fused multiply-add"; Boldo and Melquiond, "Emulation of FMA and correctly rounded sums:
 * proved algorithms using rounding to odd", IEEE Trans. Computers 57 (2008).
 */
import { fromWords, highWord, lowWord, powerOfTwo } from './bits.js';
import { fmaExact } from './fma-exact.js';

const SPLIT = 134217729; // 2^27 + 1: Veltkamp's constant
const LARGE = /* @__PURE__ */ powerOfTwo(480); // below it, a factor splits and a product stays without overflow
const SMALL = /* @__PURE__ */ powerOfTwo(-900); // above it, the low half of a product (2^-106 of it) is a normal number
const LARGE_SUM = /* @__PURE__ */ powerOfTwo(960);
const ABOVE = 1 + powerOfTwo(-50);
const BELOW = 1 - powerOfTwo(-50);

/** The double nearest to the real a * b + c. NaN, infinities and signed zeros follow IEEE 754. */
export function fma(a: number, b: number, c: number): number {
  const inRange = Math.abs(a) < LARGE && Math.abs(b) < LARGE && Math.abs(c) < LARGE_SUM && Math.abs(a * b) > SMALL;
  return inRange ? fmaInRange(a, b, c) : fmaAtEdge(a, b, c, a * b);
}

/**
 * fma for |a|, |b| < 2^480, |c| < 2^960, and a * b 0 or above 2^-900 in magnitude, which the caller knows. A zero that
 * it gives may have the other sign.
 */
export function fmaInRange(a: number, b: number, c: number): number {
  const product = a * b;
  const as = SPLIT * a;
  const ah = as - (as - a);
  const al = a - ah;
  const bs = SPLIT * b;
  const bh = bs - (bs - b);
  const bl = b - bh;
  const productLow = ah * bh - product + ah * bl + al * bh + al * bl;
  // exact: a * b + c = sum + (lost + productLow); the last sum, rest, is rounded by at most 2^-53 of itself
  const sum = c + product;
  const s1 = sum - c;
  const rest = c - (sum - s1) + (product - s1) + productLow;
  const result = sum + rest * ABOVE;
  return result === sum + rest * BELOW ? result : fmaToOdd(product, productLow, c);
}

/** The number nearest to product + productLow + c, by rounding the inner sum to odd. */
function fmaToOdd(product: number, productLow: number, c: number): number {
  const th = c + productLow;
  const t1 = th - c;
  const tl = c - (th - t1) + (productLow - t1);
  const vh = product + th;
  const v1 = vh - product;
  const vl = product - (vh - v1) + (th - v1);
  return vh + addToOdd(tl, vl);
}

/** a + b rounded to odd: exact when representable, else the neighbour whose last mantissa bit is 1. */
function addToOdd(a: number, b: number): number {
  const sum = a + b;
  const s1 = sum - a;
  const error = a - (sum - s1) + (b - s1);
  if (error === 0) return sum;
  const low = lowWord(sum);
  if ((low & 1) === 1) return sum;
  // an even neighbour: step one unit towards the error
  const high = highWord(sum);
  const awayFromZero = error > 0 === sum > 0;
  if (awayFromZero) return fromWords(high, low | 1);
  return low === 0 ? fromWords(high - 1, 0xffffffff) : fromWords(high, low - 1);
}

function fmaAtEdge(a: number, b: number, c: number, product: number): number {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return product + c;
  if (!Number.isFinite(c)) return c;
  if (a === 0 || b === 0) return product + c;
  return fmaExact(a, b, c);
}
