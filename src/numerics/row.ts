/**
 * The passes over a whole vocabulary, as one replaceable part: plain TypeScript, or WebAssembly with the same results.
 *
 * A row holds a float32 copy of the logits in blocks of 64, with the largest entry of each block, so that whoever looks
 * for large ones reads few blocks. Ids whose logit was edited are hidden in the copy (it holds -Infinity for them) and
 * kept beside it as float64.
 */

/** Entries in a block. */
export const BLOCK = 64;

/** The arrays of a row for V ids, padded to whole blocks; the kernels read and write them. */
export interface RowArrays {
  /** f32[padded]: where the next logits are put, until `accept`; -Infinity behind the last id. */
  incoming: Float32Array;
  /** f32[padded]: the logits accepted; -Infinity behind the last id. */
  copy: Float32Array;
  /** f32[blocks]: the largest entry of the copy in each block. */
  blockMax: Float32Array;
  /** f32[blocks]: the other one, for `incoming`. */
  incomingMax: Float32Array;
  /** f64[padded]: the result of `expSum`; `sum` may write to it. */
  readonly exps: Float64Array;
  /** f64[blocks + 1]: the sum of the exps before each block, the result of `expSum` and `sum`. */
  readonly before: Float64Array;
  /** f64[blocks]: the result of `masses`. */
  readonly masses: Float64Array;
  /** i32[blocks]: 1 + the last edit in each block, 0 for none. */
  readonly heads: Int32Array;
  /** i32[padded]: 1 + the edit before in the same block, for each edit. */
  readonly next: Int32Array;
  /** i32[padded]: the id of each edit. */
  readonly editIds: Int32Array;
  /** f64[padded]: the logit of each edit. */
  readonly editValues: Float64Array;
  /** i32[padded]: the result of `collect` and `collectRest`, with room to add ids that are edits. */
  readonly ids: Int32Array;
  /** f64[padded]: logits of a list of ids. */
  readonly listLogits: Float64Array;
  /** f64[padded]: the result of `boundList`. */
  readonly listMasses: Float64Array;
}

/** What a pass says beside its result, until the next one. */
export interface Said {
  /** Of `scan`: how many entries are masked. */
  masked: number;
  /** Of `scan`: the largest entry. */
  largest: number;
  /** Of `masses`, `collectRest` and `entropyFrom`: a sum. */
  sum: number;
  /** Of `masses` and `collectRest`: what an exp of 1 counts in that sum. */
  unit: number;
  /** Of `masses` and `collectRest`: how far, as a share of itself, any part of that sum may be from the true one. */
  error: number;
}

/** The loops over the arrays of a row. `max` is that of all l / divisor; a divisor of 1 divides nothing. */
export interface RowKernel {
  readonly arrays: RowArrays;
  readonly said: Readonly<Said>;
  /** Looks through `incoming`, and fills incomingMax; false where an entry is NaN or +Infinity. Says `masked`, `largest`. */
  scan(): boolean;
  /** Makes what came in the copy. */
  accept(): void;
  /**
   * Sets the entries of the copy whose bit in `words` is 0 (bit `id & 31` of word `id >> 5`, ceil(V / 32) words) to
   * -Infinity, and blockMax with them; how many of them were above it.
   */
  keepMask(words: Int32Array | Uint32Array): number;
  /** Writes the ids whose entry in the copy is at least `threshold`, a float32, to `ids`, ascending; their number. */
  collect(threshold: number): number;
  /**
   * Writes exp(l / divisor - max) of every id to exps, l being the edit or the copy's entry, and gives their sum in
   * ascending id order.
   */
  expSum(divisor: number, max: number): number;
  /** The sum that `expSum` gives, to the bit, without the exps: most of them are only bounded (certified/below.ts). */
  sum(divisor: number, max: number): number;
  /**
   * Writes about the sum of the exps of each block, edits left out, to `masses`: quickly with `fine` false, and false where
   * that is too inexact for these numbers; else with the bounds of certified/below.ts. Says `sum` of all, `unit`, `error`.
   */
  estimate(fine: boolean, divisor: number, max: number): boolean;
  /**
   * As `collect`, and says about the `sum` of the exps of all other ids, edits left out, with `unit` and `error`; -1 where
   * that is too inexact for these numbers.
   */
  collectRest(threshold: number, divisor: number, max: number): number;
  /** Writes the v of certified/below.ts for the first `count` list logits less `max` to listMasses. */
  boundList(count: number, max: number): void;
  /**
   * Adds the terms of the entropy to `sum`, block by block from `block` on, up to the first block that has edits or a likely
   * id, or whose terms the bounds leave open; that block. Says the `sum` before it. See certified/entropy.ts.
   */
  entropyFrom(block: number, sum: number, divisor: number, max: number, scale: EntropyScale): number;
  /** The first index where the running sum of exps[i] / total exceeds u; -1 where none does. */
  walk(total: number, u: number): number;
}

/** What turns an exp into its term of the entropy. */
export interface EntropyScale {
  /** ln Z, in nats. */
  readonly logTotal: number;
  /** 1 / Z, made smaller by so much that no term is above the true one; and larger, so that none is below. */
  readonly lower: number;
  readonly upper: number;
}

/** Makes the kernel of rows of V ids. */
export type RowKernelFactory = (length: number) => RowKernel;

/** Blocks of V ids. */
export function blocksOf(length: number): number {
  return Math.ceil(length / BLOCK);
}

/** The largest of the values from..to-1; -Infinity for none. */
export function largest(values: Float32Array, from: number, to: number): number {
  let max = -Infinity;
  for (let i = from; i < to; i++) if ((values[i] as number) > max) max = values[i] as number;
  return max;
}

/** Sets the largest entry of a block anew; not by `largest`, whose result would be boxed in the loop over a history. */
export function updateMax(copy: Float32Array, blockMax: Float32Array, block: number): void {
  const from = block * BLOCK;
  const to = from + BLOCK;
  let max = -Infinity;
  for (let i = from; i < to; i++) if ((copy[i] as number) > max) max = copy[i] as number;
  blockMax[block] = max;
}

/** Makes what came in the copy. */
export function acceptIncoming(arrays: RowArrays): void {
  const { copy, blockMax } = arrays;
  arrays.copy = arrays.incoming;
  arrays.blockMax = arrays.incomingMax;
  arrays.incoming = copy;
  arrays.incomingMax = blockMax;
}

/** Nothing said yet. */
export function nothingSaid(): Said {
  return { masked: 0, largest: -Infinity, sum: 0, unit: 1, error: Infinity };
}

/** Writes l / divisor - max of the entries of a block, edits in their places, to `to`, f64[64]. */
export function fillDistances(
  { copy, heads, next, editIds, editValues }: RowArrays,
  block: number,
  divisor: number,
  max: number,
  to: Float64Array,
): void {
  const from = block * BLOCK;
  for (let i = 0; i < BLOCK; i++) to[i] = (copy[from + i] as number) / divisor - max;
  for (let edit = heads[block] as number; edit !== 0; edit = next[edit - 1] as number) {
    to[(editIds[edit - 1] as number) - from] = (editValues[edit - 1] as number) / divisor - max;
  }
}
