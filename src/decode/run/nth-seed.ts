/**
 * The seeds of several texts of one request.
 */
import { InvalidValueError } from '../../errors.js';
import { MASK_64, type Seed, seedToBigInt } from '../../random/seed.js';

/** seed + n modulo 2^64: the first text has the seed itself. A `number` where it fits in one. */
export function nthSeed(seed: Seed, n: number): Seed {
  if (!(Number.isSafeInteger(n) && n >= 0)) throw new InvalidValueError('nthSeed', 'n', 'an integer >= 0', n);
  const value = (seedToBigInt(seed, 'nthSeed') + BigInt(n)) & MASK_64;
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}
