/**
 * The passes over a whole vocabulary, as one replaceable part: plain TypeScript, or WebAssembly with the same bits.
 *
 * A row holds a float32 copy of the logits in blocks of 64, with the largest entry of each block, so that whoever looks
 * for large ones reads few blocks. Ids whose logit was edited are hidden in the copy (it holds -Infinity for them) and
 * kept beside it as float64.
 */

/** Entries in a block. */
export const BLOCK = 64;

/** The arrays of a row for V ids; the kernels read and write them. */
export interface RowArrays {
  /** f32[V] and up to a whole block of -Infinity: where the next logits are put, until `scan` accepts them. */
  incoming: Float32Array;
  /** f32[V] and up to a whole block of -Infinity: the logits accepted. */
  copy: Float32Array;
  /** f32[blocks]: the largest entry of the copy in each block. */
  blockMax: Float32Array;
  /** f32[blocks]: the other one, for `incoming`. */
  incomingMax: Float32Array;
  /** f64[V]: the result of `expSum`. */
  readonly exps: Float64Array;
  /** i32[blocks]: 1 + the last edit in each block, 0 for none. */
  readonly heads: Int32Array;
  /** i32[V]: 1 + the edit before in the same block, for each edit. */
  readonly next: Int32Array;
  /** i32[V]: the id of each edit. */
  readonly editIds: Int32Array;
  /** f64[V]: the logit of each edit. */
  readonly editValues: Float64Array;
  /** i32[V]: the result of `collect`, with room to add ids that are edits. */
  readonly ids: Int32Array;
}

/** The loops over the arrays of a row. */
export interface RowKernel {
  readonly arrays: RowArrays;
  /**
   * Looks through `incoming`, and fills incomingMax: the number of entries at -Infinity, or -1 - i for the first that is
   * NaN or +Infinity.
   */
  scan(): number;
  /**
   * Sets the entries of the copy whose bit in `words` is 0 (bit `id & 31` of word `id >> 5`, ceil(V / 32) words) to
   * -Infinity, and blockMax with them; how many of them were above it.
   */
  keepMask(words: Int32Array | Uint32Array): number;
  /** Writes the ids whose entry in the copy is at least `threshold`, a float32, to `ids`, ascending; their number. */
  collect(threshold: number): number;
  /**
   * Writes exp(l / divisor - max) of every id to exps, l being the edit or the copy's entry, and gives their sum in
   * ascending id order. A divisor of 1 divides nothing.
   */
  expSum(divisor: number, max: number): number;
  /** The first index where the running sum of exps[i] / total exceeds u; -1 where none does. */
  walk(total: number, u: number): number;
}

/** Makes the kernel of rows of V ids. */
export type RowKernelFactory = (length: number) => RowKernel;

/** The largest of the values from..to-1; -Infinity for none. */
export function largest(values: Float32Array, from: number, to: number): number {
  let max = -Infinity;
  for (let i = from; i < to; i++) if ((values[i] as number) > max) max = values[i] as number;
  return max;
}

/** Makes what came in the copy. */
export function acceptIncoming(arrays: RowArrays): void {
  const { copy, blockMax } = arrays;
  arrays.copy = arrays.incoming;
  arrays.blockMax = arrays.incomingMax;
  arrays.incoming = copy;
  arrays.incomingMax = blockMax;
}
