/**
 * The bit pattern of a float64, read and written as two 32-bit halves through one shared buffer.
 *
 * Every function here is exact and allocates nothing.
 */
const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** Index of the half with the sign and the exponent in a Uint32Array laid over a Float64Array. */
export const HIGH = LITTLE_ENDIAN ? 1 : 0;
/** Index of the other half. */
export const LOW = 1 - HIGH;

/** The high 32 bits of `x` (sign, 11 exponent bits, 20 mantissa bits), as an unsigned integer. */
export function highWord(x: number): number {
  float[0] = x;
  return words[HIGH] as number;
}

/** The low 32 bits of `x`, as an unsigned integer. */
export function lowWord(x: number): number {
  float[0] = x;
  return words[LOW] as number;
}

/** The float64 with these two halves; both are taken modulo 2^32. */
export function fromWords(high: number, low: number): number {
  words[HIGH] = high;
  words[LOW] = low;
  return float[0] as number;
}

/** 2^e for an integer e in [-1022, 1023]. (`2 ** e` is Math.pow, whose bits differ from engine to engine.) */
export function powerOfTwo(e: number): number {
  return fromWords((1023 + e) << 20, 0);
}
