/**
 * Numbers as integers with 320 bits behind the point: exact arithmetic for tables that are computed once, and for the
 * few functions where being right matters and speed does not.
 */
import { powerOfTwo } from './bits.js';

/** Bits behind the point. */
export const POINT = 320n;
/** The number one. */
export const ONE = 1n << POINT;
const HALF_SCALE = powerOfTwo(-160); // ONE is 2^320, so two factors bring a mantissa back into range

/** floor(sqrt(n)), n > 0, by Newton's method from above. */
export function integerRoot(n: bigint): bigint {
  let x = 1n << BigInt((bitLength(n) >> 1) + 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/** The integer nearest to n / 2^bits, n >= 0, bits >= 1; a tie goes up (irrational numbers have none). */
export function nearestShift(n: bigint, bits: bigint): bigint {
  return (n + (1n << (bits - 1n))) >> bits;
}

/** The double nearest to a fixed-point number of magnitude 0 or [2^-260, 2^700), ties to even. */
export function toDouble(n: bigint): number {
  return Number(n) * HALF_SCALE * HALF_SCALE;
}

function bitLength(n: bigint): number {
  return n.toString(2).length;
}
