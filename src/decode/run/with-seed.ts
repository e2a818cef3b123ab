/**
 * Results that report a seed, as JSON too.
 */
import type { Seed } from '../../random/seed.js';

/** `result`, which JSON.stringify can write: a seed that is a bigint as decimal digits, which `BigInt` reads. */
export function withSeed<R extends { readonly seed?: Seed }>(result: R): R {
  const { seed } = result;
  if (typeof seed !== 'bigint') return result;
  return Object.defineProperty(result, 'toJSON', { value: () => ({ ...result, seed: String(seed) }) });
}
