/**
 * The passes over a vocabulary in plain TypeScript: the reference, and the fallback where WebAssembly is missing.
 */
import { BOUNDS, below, stepTable } from './certified/below.js';
import {
  certifiedSum,
  collectRestRoughly,
  entropyFrom,
  estimateFinely,
  estimateRoughly,
  fitsRoughly,
} from './certified/plain-passes.js';
import { exp as exactExp } from './exp.js';
import {
  acceptIncoming,
  BLOCK,
  blocksOf,
  type EntropyScale,
  largest,
  nothingSaid,
  type RowArrays,
  type RowKernel,
} from './row.js';

/** Arrays of their own for V ids. */
function allocate(length: number): RowArrays {
  const blocks = blocksOf(length);
  const padded = blocks * BLOCK;
  return {
    incoming: new Float32Array(padded).fill(-Infinity),
    copy: new Float32Array(padded).fill(-Infinity),
    blockMax: new Float32Array(blocks),
    incomingMax: new Float32Array(blocks),
    exps: new Float64Array(padded),
    before: new Float64Array(blocks + 1),
    masses: new Float64Array(blocks),
    heads: new Int32Array(blocks),
    next: new Int32Array(padded),
    editIds: new Int32Array(padded),
    editValues: new Float64Array(padded),
    ids: new Int32Array(padded),
    listLogits: new Float64Array(padded),
    listMasses: new Float64Array(padded),
  };
}

/** A word of a mask that allows all of its ids, as a signed integer. */
const ALL = -1;
/** Below the key of every float32; a key orders like its float, the bits of negative ones turned over. */
const LEAST_KEY = -0x80000000;

export class PlainKernel implements RowKernel {
  readonly arrays: RowArrays;
  readonly said = nothingSaid();
  readonly #exp: (x: number) => number;
  /** Whether the bounds hold, which are those of the exact exp. */
  readonly #isExact: boolean;
  readonly #length: number;
  readonly #views = new Map<Float32Array, Int32Array>();

  /** @param length V @param exp e^x */
  constructor(length: number, exp: (x: number) => number) {
    this.arrays = allocate(length);
    this.#exp = exp;
    this.#isExact = exp === exactExp;
    this.#length = length;
    stepTable();
  }

  scan(): boolean {
    const { incoming, incomingMax } = this.arrays;
    const bits = this.#bits(incoming);
    const maxBits = this.#bits(incomingMax);
    let masked = 0;
    for (let block = 0; block < incomingMax.length; block++) {
      const from = block * BLOCK;
      const to = from + BLOCK;
      let max = LEAST_KEY | 0; // so that the engine keeps it as an integer
      let special = 0; // below 0 as soon as an exponent is all ones: infinite or NaN
      for (let i = from; i < to; i++) {
        const x = bits[i] as number;
        const key = x ^ ((x >> 31) & 0x7fffffff);
        if (key > max) max = key;
        special |= (x & 0x7f800000) + 0x00800000;
      }
      maxBits[block] = max ^ ((max >> 31) & 0x7fffffff);
      if (special >= 0) continue;
      const found = maskedIn(incoming, from);
      if (found === undefined) return false;
      masked += found;
    }
    this.said.masked = masked - (incoming.length - this.#length);
    this.said.largest = largest(incomingMax, 0, incomingMax.length);
    return true;
  }

  accept(): void {
    acceptIncoming(this.arrays);
  }

  /** The bits of `floats`, one of the arrays: as integers they compare twice as fast. */
  #bits(floats: Float32Array): Int32Array {
    let bits = this.#views.get(floats);
    if (bits === undefined) {
      bits = new Int32Array(floats.buffer, floats.byteOffset, floats.length);
      this.#views.set(floats, bits);
    }
    return bits;
  }

  keepMask(words: Int32Array | Uint32Array): number {
    const { copy, blockMax } = this.arrays;
    let removed = 0;
    for (let block = 0; block < blockMax.length; block++) {
      const low = ~(words[2 * block] as number);
      const high = ~(words[2 * block + 1] ?? ALL);
      if ((low | high) === 0) continue;
      const from = block * BLOCK;
      removed += mask(copy, from, low) + mask(copy, from + BLOCK / 2, high);
      blockMax[block] = largest(copy, from, from + BLOCK);
    }
    return removed;
  }

  collect(threshold: number): number {
    const { copy, blockMax, ids } = this.arrays;
    let count = 0;
    for (let block = 0; block < blockMax.length; block++) {
      if (!((blockMax[block] as number) >= threshold)) continue;
      const from = block * BLOCK;
      const to = from + BLOCK;
      for (let i = from; i < to; i++) if ((copy[i] as number) >= threshold) ids[count++] = i;
    }
    return count;
  }

  expSum(divisor: number, max: number): number {
    const { before, heads } = this.arrays;
    before[0] = 0;
    for (let block = 0; block < heads.length; block++) this.#addExps(block, divisor, max);
    return before[heads.length] as number;
  }

  sum(divisor: number, max: number): number {
    if (!this.#isExact) return this.expSum(divisor, max);
    return certifiedSum(this.arrays, divisor, max, (block) => this.#addExps(block, divisor, max));
  }

  estimate(fine: boolean, divisor: number, max: number): boolean {
    if (!this.#isExact || !(fine || fitsRoughly(divisor, max))) return false;
    this.said.unit = 1;
    this.said.error = BOUNDS.error;
    if (fine) estimateFinely(this.arrays, this.said, divisor, max);
    else estimateRoughly(this.arrays, this.said, divisor, max);
    return true;
  }

  collectRest(threshold: number, divisor: number, max: number): number {
    if (!this.#isExact || !fitsRoughly(divisor, max)) return -1;
    this.said.unit = 1;
    return collectRestRoughly(this.arrays, this.#length, this.said, threshold, divisor, max);
  }

  boundList(count: number, max: number): void {
    const { listLogits, listMasses } = this.arrays;
    for (let i = 0; i < count; i++) listMasses[i] = below((listLogits[i] as number) - max);
  }

  entropyFrom(block: number, sum: number, divisor: number, max: number, scale: EntropyScale): number {
    return entropyFrom(this.arrays, this.said, block, sum, divisor, max, scale);
  }

  walk(total: number, u: number): number {
    const { exps } = this.arrays;
    let c = 0;
    for (let i = 0; i < this.#length; i++) {
      c += (exps[i] as number) / total;
      if (u < c) return i;
    }
    return -1;
  }

  /** Writes the exps of a block, and the sum behind it. */
  #addExps(block: number, divisor: number, max: number): void {
    const { before, copy, exps, heads } = this.arrays;
    const from = block * BLOCK;
    const to = from + BLOCK;
    if (divisor === 1) for (let i = from; i < to; i++) exps[i] = this.#exp((copy[i] as number) - max);
    else for (let i = from; i < to; i++) exps[i] = this.#exp((copy[i] as number) / divisor - max);
    this.#placeEdits(heads[block] as number, divisor, max);
    let s = before[block] as number;
    for (let i = from; i < to; i++) s += exps[i] as number;
    before[block + 1] = s;
  }

  /** Writes the exps of a block's edits over those of the hidden entries. */
  #placeEdits(head: number, divisor: number, max: number): void {
    const { exps, next, editIds, editValues } = this.arrays;
    for (let edit = head; edit !== 0; edit = next[edit - 1] as number) {
      const id = editIds[edit - 1] as number;
      exps[id] = this.#exp((editValues[edit - 1] as number) / divisor - max);
    }
  }
}

/** How many entries of the block from `from` on are masked; undefined where one is no logit. */
function maskedIn(values: Float32Array, from: number): number | undefined {
  let masked = 0;
  for (let i = from; i < from + BLOCK; i++) {
    const x = values[i] as number;
    if (!(x < Infinity)) return undefined;
    if (x === -Infinity) masked++;
  }
  return masked;
}

/** Sets the entries from `from` on whose bits are set to -Infinity; how many were above it. */
function mask(values: Float32Array, from: number, bits: number): number {
  let masked = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) {
    const i = from + 31 - Math.clz32(rest & -rest);
    if ((values[i] as number) > -Infinity) masked++;
    values[i] = -Infinity;
  }
  return masked;
}
