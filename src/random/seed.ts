/**
 * Seeds and what is derived from them. All arithmetic is modulo 2^64, in BigInt: it runs once a request.
 */
import { InvalidValueError } from '../errors.js';

/** An unsigned 64-bit integer: a `number` up to 2^53 - 1, a `bigint` up to 2^64 - 1. */
export type Seed = number | bigint;

/** What a stream of a seed is for; each purpose has a child seed and a PCG32 sequence of its own. */
export type Purpose = 'init' | 'dropout' | 'shuffle' | 'sample' | 'mutation';

/** The number of each purpose. Source: docs/SPEC.md, "PCG32 and streams". */
export const PURPOSES: Readonly<Record<Purpose, number>> = { init: 1, dropout: 2, shuffle: 3, sample: 4, mutation: 5 };

export const MASK_64 = (1n << 64n) - 1n;
const GOLDEN = 0x9e3779b97f4a7c15n;

/** Whether `value` is a seed. */
export function isSeed(value: unknown): value is Seed {
  if (typeof value === 'bigint') return value >= 0n && value <= MASK_64;
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

export const SEED_DOMAIN = 'an integer in [0, 2^53) or a bigint in [0, 2^64)';

/** The seed as a bigint in [0, 2^64). Throws for anything else. */
export function seedToBigInt(seed: Seed, owner: string, name = 'seed'): bigint {
  if (!isSeed(seed)) throw new InvalidValueError(owner, name, SEED_DOMAIN, seed);
  return BigInt(seed);
}

/** splitmix64's finalizer, a bijection of [0, 2^64). Source: Steele, Lea and Flood 2014; docs/SPEC.md, "PCG32 and streams". */
export function mix64(value: bigint): bigint {
  if (typeof value !== 'bigint') throw new InvalidValueError('mix64', 'value', 'a bigint', value);
  let z = value & MASK_64;
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK_64;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK_64;
  return z ^ (z >> 31n);
}

/** The seed of one purpose of a seed: mix64(seed + p * 0x9E3779B97F4A7C15). */
export function childSeed(seed: Seed, purpose: Purpose): bigint {
  if (typeof purpose !== 'string' || !Object.hasOwn(PURPOSES, purpose)) {
    throw new InvalidValueError('childSeed', 'purpose', `one of ${Object.keys(PURPOSES).join(', ')}`, purpose);
  }
  return mix64(seedToBigInt(seed, 'childSeed') + BigInt(PURPOSES[purpose]) * GOLDEN);
}

/** A seed from the platform's cryptographic randomness, uniform on [0, 2^53): a `number`, so that it fits in JSON. */
export function freshSeed(): number {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return ((words[0] as number) & 0x1fffff) * 4294967296 + (words[1] as number);
}
