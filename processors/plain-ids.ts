/**
 * Ids as people have them: plain arrays, and the typed arrays that tokenizers and tensors give.
 */
import { typedArrayName } from '../src/kinds.js';

/** Ids in an array or a typed array of numbers. */
export type Ids = ArrayLike<number> & Iterable<number>;

/**
 * A typed array as a plain one, so that it can be frozen and written as JSON; anything else as it is. The bigints of a
 * BigInt64Array stay bigints, which no check of ids takes.
 */
export function plainIds(input: unknown): unknown {
  return typedArrayName(input) === undefined ? input : Array.from(input as Int32Array);
}
