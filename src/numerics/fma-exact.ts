/**
 * The same fma over exact integers: slow, plain, and right over the whole range. It serves the inputs whose
 * intermediates would overflow or underflow in floating point, and nothing else.
 */
import { highWord, lowWord, powerOfTwo } from './bits.js';

const LOWEST = -1074; // exponent of the last bit of a subnormal
const MANTISSA = 53n;

/** a * b + c for finite a, b, c with a and b not zero: the nearest double, ties to even; 0 where they cancel. */
export function fmaExact(a: number, b: number, c: number): number {
  const [am, ae] = decompose(a);
  const [bm, be] = decompose(b);
  const [cm, ce] = decompose(c);
  const pe = ae + be;
  const e = Math.min(pe, ce);
  const sum = ((am * bm) << BigInt(pe - e)) + (cm << BigInt(ce - e));
  return nearest(sum, e);
}

/** x = m * 2^e with an integer m. */
function decompose(x: number): [bigint, number] {
  const high = highWord(x);
  const exponent = (high >>> 20) & 0x7ff;
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(lowWord(x));
  const magnitude = exponent === 0 ? fraction : fraction | (1n << 52n);
  return [x < 0 ? -magnitude : magnitude, Math.max(exponent, 1) - 1075];
}

/** The double nearest to m * 2^e. */
function nearest(m: bigint, e: number): number {
  const negative = m < 0n;
  let magnitude = negative ? -m : m;
  const bits = BigInt(magnitude.toString(2).length);
  // the last bit kept: 53 bits of mantissa, but not below the last bit of a subnormal
  const drop = Math.max(Number(bits - MANTISSA), LOWEST - e);
  if (drop > 0) magnitude = shiftRightToEven(magnitude, BigInt(drop));
  const result = scale(Number(magnitude), drop > 0 ? e + drop : e);
  return negative ? -result : result;
}

function shiftRightToEven(m: bigint, drop: bigint): bigint {
  const kept = m >> drop;
  const rest = m - (kept << drop);
  const half = 1n << (drop - 1n);
  return rest > half || (rest === half && (kept & 1n) === 1n) ? kept + 1n : kept;
}

/** m * 2^e where the exact value is a double or overflows; m below 2^54. */
function scale(m: number, e: number): number {
  let result = m;
  let left = e;
  for (; left > 1023; left -= 1023) result *= powerOfTwo(1023);
  for (; left < -1022; left += 1022) result *= powerOfTwo(-1022);
  return result * powerOfTwo(left);
}
