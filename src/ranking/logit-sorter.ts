/**
 * Sorts positions by (logit descending, position ascending) in time linear in their number.
 *
 * Least-significant-digit radix sort on the 64 bits of each logit, in six digits of 11 bits; a digit that is the same
 * everywhere is skipped (a float32 logit leaves two or three of them zero). It is stable, so positions that come in
 * ascending order keep it among ties. Short runs are sorted by insertion. Logits hold no NaN; -0 and 0 are a tie.
 */
import { HIGH, LOW } from '../numerics/bits.js';

const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const DIGITS = 6;
const SHORT = 256;

/** Room for sorting; grows to the largest run asked for and is then reused. */
export class LogitSorter {
  #keys = new Float64Array(0);
  #words = new Uint32Array(0);
  #lows = new Uint32Array(0);
  #highs = new Uint32Array(0);
  #indices = new Uint32Array(0);
  #spareIndices = new Uint32Array(0);
  #sorted = new Int32Array(0);
  readonly #counts = new Uint32Array(DIGITS * BUCKETS);

  /** Sorts positions[0..count-1] in place; they must be in ascending order. */
  sort(positions: Int32Array, count: number, logits: Float64Array): void {
    if (count <= SHORT) insertionSort(positions, count, logits);
    else this.#radixSort(positions, count, logits);
  }

  #radixSort(positions: Int32Array, count: number, logits: Float64Array): void {
    this.#reserve(count);
    this.#makeKeys(positions, count, logits);
    this.#countDigits(count);
    let from = this.#indices;
    let to = this.#spareIndices;
    for (let i = 0; i < count; i++) from[i] = i;
    for (let digit = 0; digit < DIGITS; digit++) {
      if (this.#isConstant(digit, count)) continue;
      this.#scatter(digit, count, from, to);
      [from, to] = [to, from];
    }
    const sorted = this.#sorted;
    for (let i = 0; i < count; i++) sorted[i] = positions[from[i] as number] as number;
    for (let i = 0; i < count; i++) positions[i] = sorted[i] as number;
  }

  #reserve(count: number): void {
    if (this.#indices.length >= count) return;
    this.#keys = new Float64Array(count);
    this.#words = new Uint32Array(this.#keys.buffer);
    this.#lows = new Uint32Array(count);
    this.#highs = new Uint32Array(count);
    this.#indices = new Uint32Array(count);
    this.#spareIndices = new Uint32Array(count);
    this.#sorted = new Int32Array(count);
  }

  /** The bits of each logit, turned so that unsigned order is descending order of the logits. */
  #makeKeys(positions: Int32Array, count: number, logits: Float64Array): void {
    const keys = this.#keys;
    const words = this.#words;
    for (let i = 0; i < count; i++) keys[i] = (logits[positions[i] as number] as number) + 0; // -0 + 0 is 0
    for (let i = 0; i < count; i++) {
      const high = words[2 * i + HIGH] as number;
      const low = words[2 * i + LOW] as number;
      const negative = high >>> 31 === 1;
      this.#highs[i] = negative ? high : ~high & 0x7fffffff;
      this.#lows[i] = negative ? low : ~low;
    }
  }

  #digit(i: number, digit: number): number {
    const shift = digit * DIGIT_BITS;
    if (shift >= 32) return ((this.#highs[i] as number) >>> (shift - 32)) & (BUCKETS - 1);
    const low = (this.#lows[i] as number) >>> shift;
    return (shift + DIGIT_BITS <= 32 ? low : low | ((this.#highs[i] as number) << (32 - shift))) & (BUCKETS - 1);
  }

  #countDigits(count: number): void {
    const counts = this.#counts.fill(0);
    for (let i = 0; i < count; i++) {
      for (let digit = 0; digit < DIGITS; digit++) {
        const at = digit * BUCKETS + this.#digit(i, digit);
        counts[at] = (counts[at] as number) + 1;
      }
    }
  }

  #isConstant(digit: number, count: number): boolean {
    return this.#counts[digit * BUCKETS + this.#digit(0, digit)] === count;
  }

  #scatter(digit: number, count: number, from: Uint32Array, to: Uint32Array): void {
    const starts = this.#counts;
    const base = digit * BUCKETS;
    let start = 0;
    for (let b = base; b < base + BUCKETS; b++) {
      const size = starts[b] as number;
      starts[b] = start;
      start += size;
    }
    for (let i = 0; i < count; i++) {
      const index = from[i] as number;
      const at = base + this.#digit(index, digit);
      const place = starts[at] as number;
      to[place] = index;
      starts[at] = place + 1;
    }
  }
}

function insertionSort(positions: Int32Array, count: number, logits: Float64Array): void {
  for (let i = 1; i < count; i++) {
    const position = positions[i] as number;
    const logit = logits[position] as number;
    let j = i - 1;
    while (j >= 0 && (logits[positions[j] as number] as number) < logit) {
      positions[j + 1] = positions[j] as number;
      j--;
    }
    positions[j + 1] = position;
  }
}
