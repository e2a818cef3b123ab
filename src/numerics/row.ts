/**
 * The passes over a whole vocabulary, as one replaceable part: plain TypeScript, or WebAssembly with the same bits.
 *
 * A row holds a float32 copy of the logits in blocks of 64, with the largest entry of each block, so that whoever looks
 * for large ones reads few blocks. Ids whose logit was edited are hidden in the copy (it holds -Infinity for them) and
 * kept beside it as float64.
 */

/** Entries in a block. */
export const BLOCK = 64;

/** How finely `massByDistance` tells distances from the maximum apart: buckets a unit. */
export const BUCKETS_PER_UNIT = 32;
/** Buckets of `massByDistance`; the last one holds everything from there on. */
export const BUCKETS = 1024;

/** The arrays of a row for V ids; the kernels read and write them. */
export interface RowArrays {
  /** f32[V] and up to a whole block of -Infinity. */
  readonly copy: Float32Array;
  /** f32[blocks]: the largest entry of the copy in each block. */
  readonly blockMax: Float32Array;
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
  /** f64[1024]: the result of `massByDistance`. */
  readonly masses: Float64Array;
}

/** The loops over the arrays of a row. */
export interface RowKernel {
  readonly arrays: RowArrays;
  /** Fills blockMax; the number of entries of the copy at -Infinity, or -1 - i for the first that is NaN or +Infinity. */
  scan(): number;
  /** Writes the ids whose entry in the copy is at least `threshold` to `ids`, ascending; their number. */
  collect(threshold: number, ids: Int32Array): number;
  /**
   * Writes exp(l / divisor - max) of every id to exps, l being the edit or the copy's entry, and gives their sum in
   * ascending id order. A divisor of 1 divides nothing.
   */
  expSum(divisor: number, max: number): number;
  /** The first index where the running sum of exps[i] / total exceeds u; -1 where none does. */
  walk(total: number, u: number): number;
  /**
   * masses[b] becomes about the sum of the exps of the copy's entries (not the edits) in bucket
   * b = min(floor(32 * (max - entry / divisor)), 1023).
   */
  massByDistance(divisor: number, max: number): void;
}

/** Makes the kernel of rows of V ids. */
export type RowKernelFactory = (length: number) => RowKernel;
