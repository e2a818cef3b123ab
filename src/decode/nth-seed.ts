/**
 * The seeds of several texts of one request.
 */
import { MASK_64, type Seed } from '../random/seed.js';

/** seed + n modulo 2^64: the first text has the seed itself. A `number` where it fits in one. */
export function nthSeed(seed: Seed, n: number): Seed {
  const value = (BigInt(seed) + BigInt(n)) & MASK_64;
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
