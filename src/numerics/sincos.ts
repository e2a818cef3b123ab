/**
 * sin and cos of an angle in [0, 8) radians, correctly rounded, from exact integers: the same bits in every engine.
 *
 * The angle is reduced by multiples of pi/2 and put through the Taylor series with 320 bits behind the point; the error
 * is below 2^-300, so a wrong rounding would take a result that agrees with a tie in 190 bits. Slow (microseconds):
 * only `normal` needs it, never a token. glibc's sin and cos are not correctly rounded: they agree with these in all
 * but a few results in a thousand.
 */
import { highWord, lowWord } from './bits.js';
import { ONE, POINT, toDouble } from './fixed-point.js';

// pi: 3 and 320 bits of its hexadecimal fraction
const PI = (0x3243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89n << 64n) | 0x452821e638d01377n;
const HALF_PI = PI >> 1n;

/** sin(x) for x in [0, 8). */
export function sine(x: number): number {
  const { quarter, rest } = reduce(x);
  return quarterValue(quarter, rest);
}

/** cos(x) for x in [0, 8). */
export function cosine(x: number): number {
  const { quarter, rest } = reduce(x);
  return quarterValue(quarter + 1, rest);
}

/** x = quarter * pi/2 + rest with |rest| <= pi/4, exact to the last bit of PI. */
function reduce(x: number): { quarter: number; rest: bigint } {
  const fixed = toFixed(x);
  const quarter = (2n * fixed + HALF_PI) / (2n * HALF_PI);
  return { quarter: Number(quarter), rest: fixed - quarter * HALF_PI };
}

/** sin(quarter * pi/2 + rest). */
function quarterValue(quarter: number, rest: bigint): number {
  const series = quarter % 2 === 0 ? taylor(rest, rest, 1n) : taylor(rest, ONE, 0n);
  return toDouble(quarter % 4 >= 2 ? -series : series);
}

/** The alternating series whose first term, of degree `degree`, is `first`. */
function taylor(x: bigint, first: bigint, degree: bigint): bigint {
  const square = (x * x) >> POINT;
  let sum = 0n;
  let n = degree;
  for (let term = first; term !== 0n; n += 2n) {
    sum += term;
    term = -((term * square) >> POINT) / ((n + 1n) * (n + 2n));
  }
  return sum;
}

/** A double in [0, 8) as a fixed-point number; bits below 2^-320 are dropped, and so all of zero and a subnormal. */
function toFixed(x: number): bigint {
  const high = highWord(x);
  const exponent = (high >>> 20) & 0x7ff;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(lowWord(x));
  return (fraction | (1n << 52n)) << (BigInt(exponent - 1075) + POINT); // to the right where that is negative
}
