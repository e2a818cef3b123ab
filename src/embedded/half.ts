/**
 * Half-precision numbers (IEEE 754 binary16): 1 sign bit, 5 exponent bits, 10 fraction bits.
 */
import { powerOfTwo } from '../numerics/bits.js';

/** 2^e of each exponent field: a half is its significand, an integer below 2^11, times this. */
const UNITS = Float64Array.from({ length: 31 }, (_, exponent) => powerOfTwo(Math.max(exponent, 1) - 25));

/** The number with the bit pattern `bits`, an integer in [0, 2^16). Exact: every half is a float32 and a float64. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  const significand = exponent === 0 ? fraction : fraction + 1024;
  return sign * significand * (UNITS[exponent] as number);
}
