/**
 * What the writer and the detector of a SynthID mark share: the keys, and the bit that each gives an id behind a context.
 */
import { listOf } from '../../list-schema.js';
import { integerFrom, numberIn } from '../../schema.js';
import * as z from '../../zod.js';
import { synthTable } from './synth-table.js';

export const synthScheme = {
  keys: listOf(
    numberIn('an integer in [0, 2^53)', (x) => Number.isSafeInteger(x) && x >= 0),
    'a non-empty array of keys',
    1,
  ),
  ngram_len: integerFrom(2),
  context_history_size: z._default(integerFrom(1), 1024),
};

/** The multiplier 6364136223846793005 modulo 2^16: no higher bit of the hash reaches the table. */
const MULTIPLIER = 0x7f2d;

/** The hash of a text that `x` is added to, modulo 2^16. */
export function hashOn(hash: number, x: number): number {
  return (Math.imul(hash + (x % 65536), MULTIPLIER) + 1) & 0xffff;
}

/** The hash of `context`, the oldest id first, modulo 2^16. */
export function hashOf(context: readonly number[]): number {
  return context.reduce(hashOn, 1);
}

/** g of `key`, 0 or 1, for the id that `hash` was led on by. */
export function gValue(hash: number, key: number): number {
  return synthTable()[hashOn(hash, key)] as number;
}
