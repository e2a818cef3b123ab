/**
 * The candidates while they are the whole vocabulary: float32 logits as they came, edits beside them, and a temperature
 * that is stored and applied only when a value is computed. `WideSearch` finds what a filter keeps of them.
 */
import type { Numerics } from '../numerics/numerics.js';
import { acceptIncoming, BLOCK, largest, type RowKernel } from '../numerics/row.js';
import { allows, type PackedMask } from './bit-mask.js';
import { Edits } from './edits.js';
import { countUp } from './lent-array.js';

/** Temperatures for which no float32 logit over- or underflows, so that distinct logits stay distinct. */
const LEAST_DIVISOR = 1e-100;
const LARGEST_DIVISOR = 1e100;

export class WideCandidates {
  readonly length: number;
  readonly #numerics: Numerics;
  readonly kernel: RowKernel;
  readonly edits: Edits;
  #size = 0;
  #divisor = 1;
  /** The largest undivided logit; NaN when out of date. */
  #max = Number.NaN;
  /** The divisor that the exps were computed with; NaN when out of date. */
  #expsDivisor = Number.NaN;
  #total = Number.NaN;

  constructor(length: number, numerics: Numerics) {
    this.length = length;
    this.#numerics = numerics;
    this.kernel = numerics.rowKernel(length);
    this.edits = new Edits(length, this.kernel.arrays);
  }

  /**
   * Takes over `logits`, f32[V], and gives the number of finite ones. Without a finite one (0) and where entry i is NaN or
   * +Infinity (-1 - i) nothing changes.
   */
  load(logits: Float32Array): number {
    const { arrays } = this.kernel;
    arrays.incoming.set(logits);
    const masked = this.kernel.scan();
    if (masked < 0) return masked;
    if (masked === this.length) return 0;
    this.edits.clear();
    acceptIncoming(arrays);
    this.#size = this.length - masked;
    this.#divisor = 1;
    this.#max = Number.NaN;
    this.#expsDivisor = Number.NaN;
    return this.#size;
  }

  get size(): number {
    return this.#size;
  }

  get divisor(): number {
    return this.#divisor;
  }

  /** l of `id` divided by `divisor`. */
  logit(id: number, divisor = this.#divisor): number {
    const shown = this.kernel.arrays.copy[id] as number;
    const l = shown > -Infinity ? shown : this.#hidden(id);
    return divisor === 1 ? l : l / divisor;
  }

  /** Writes l of every id divided by `divisor` to its place in `to`, f64[V] or longer; -Infinity outside K. */
  fillLogits(to: Float64Array, divisor = this.#divisor): void {
    const { edits } = this;
    to.set(this.kernel.arrays.copy.subarray(0, this.length));
    if (divisor !== 1) for (let id = 0; id < this.length; id++) to[id] = (to[id] as number) / divisor;
    for (let i = 0; i < edits.count; i++) to[edits.idAt(i)] = edits.valueAt(i) / divisor;
  }

  copyIds(to: Int32Array): void {
    if (this.#size === this.length) countUp(to);
    else for (let id = 0, count = 0; id < this.length; id++) if (this.logit(id, 1) > -Infinity) to[count++] = id;
  }

  copyLogits(to: Float64Array): void {
    if (this.#size === this.length) this.fillLogits(to);
    else {
      for (let id = 0, count = 0; id < this.length; id++) {
        const l = this.logit(id);
        if (l > -Infinity) to[count++] = l;
      }
    }
  }

  copyExps(to: Float64Array): void {
    const { exps } = this.kernel.arrays;
    this.normalizer(); // brings the exps up to date
    if (this.#size === this.length) to.set(exps);
    else {
      for (let id = 0, count = 0; id < this.length; id++) {
        if (this.logit(id, 1) > -Infinity) to[count++] = exps[id] as number;
      }
    }
  }

  /** The undivided logit of an id that the copy shows as -Infinity. */
  #hidden(id: number): number {
    const edit = this.edits.find(id);
    return edit < 0 ? -Infinity : this.edits.valueAt(edit);
  }

  /** q of `id`, which is in K. */
  probability(id: number): number {
    const total = this.normalizer(); // brings the exps up to date
    return this.expOf(id) / total;
  }

  /** Gives `id`, which is in K, another undivided logit; the divisor must be 1. */
  setLogit(id: number, value: number): void {
    const { copy, blockMax } = this.kernel.arrays;
    const block = Math.floor(id / BLOCK);
    const shown = copy[id] as number;
    this.edits.set(id, value);
    copy[id] = -Infinity;
    if (shown === blockMax[block]) blockMax[block] = largest(copy, block * BLOCK, (block + 1) * BLOCK);
    if (value === -Infinity) this.#size--;
    this.#max = Number.NaN;
    this.#expsDivisor = Number.NaN;
  }

  /** Whether `words` allows one of K. */
  meets(words: PackedMask): boolean {
    for (let word = 0; word < words.length; word++) {
      if (words[word] === 0) continue;
      const to = Math.min(32 * (word + 1), this.length);
      for (let id = 32 * word; id < to; id++) if (allows(words, id) && this.logit(id) > -Infinity) return true;
    }
    return false;
  }

  /** Keeps what `words`, which meets K, allows; the divisor must be 1. */
  keepMask(words: PackedMask): void {
    this.#size -= this.#removeEdits(words) + this.kernel.keepMask(words);
    this.#max = Number.NaN;
    this.#expsDivisor = Number.NaN;
  }

  /** Removes the edited ids of K that `words` does not allow; how many they are. */
  #removeEdits(words: PackedMask): number {
    const { edits } = this;
    let removed = 0;
    for (let i = 0; i < edits.count; i++) {
      const id = edits.idAt(i);
      if (allows(words, id) || edits.valueAt(i) === -Infinity) continue;
      edits.set(id, -Infinity);
      removed++;
    }
    return removed;
  }

  /** The largest l divided by `divisor`. */
  maxLogit(divisor = this.#divisor): number {
    if (Number.isNaN(this.#max)) {
      const { blockMax } = this.kernel.arrays;
      let max = largest(blockMax, 0, blockMax.length);
      for (let i = 0; i < this.edits.count; i++) max = Math.max(max, this.edits.valueAt(i));
      this.#max = max;
    }
    return divisor === 1 ? this.#max : this.#max / divisor;
  }

  /** Divides every logit; false where that cannot be put off. */
  divide(divisor: number): boolean {
    if (this.#divisor !== 1 || divisor < LEAST_DIVISOR || divisor > LARGEST_DIVISOR) return false;
    for (let i = 0; i < this.edits.count; i++) {
      const value = this.edits.valueAt(i);
      if (value !== -Infinity && value / divisor === -Infinity) return false;
    }
    this.#divisor = divisor;
    return true;
  }

  /** Z over all ids, the exps up to date, both for `divisor`. */
  normalizer(divisor = this.#divisor): number {
    if (this.#expsDivisor !== divisor) {
      this.#total = this.kernel.expSum(divisor, this.maxLogit(divisor));
      this.#expsDivisor = divisor;
    }
    return this.#total;
  }

  /** exp(l - max) of `id`, for the divisor that `normalizer` was asked for last. */
  expOf(id: number): number {
    return this.kernel.arrays.exps[id] as number;
  }

  /** Whether the exps are those for `divisor`. */
  hasExps(divisor: number): boolean {
    return this.#expsDivisor === divisor;
  }

  /** -sum of q ln q in ascending id order, in nats. */
  entropy(): number {
    const total = this.normalizer();
    const { exps } = this.kernel.arrays;
    let h = 0;
    for (let id = 0; id < this.length; id++) {
      const q = (exps[id] as number) / total;
      if (q > 0) h -= q * this.#numerics.log(q);
    }
    return h;
  }

  /** The first id, in ascending order, where the running sum of q exceeds u; -1 where none does. */
  walk(u: number): number {
    return this.kernel.walk(this.normalizer(), u);
  }

  /** The id with the largest logit, ties to the lowest id; the divisor must be 1. */
  best(): number {
    const { blockMax, copy } = this.kernel.arrays;
    const max = this.maxLogit(1);
    const block = blockMax.indexOf(max); // both hold float32, so equality is exact; -1 where an edit is the largest
    let best = block < 0 ? this.length : copy.indexOf(max, block * BLOCK);
    for (let i = 0; i < this.edits.count; i++) {
      if (this.edits.valueAt(i) === max && this.edits.idAt(i) < best) best = this.edits.idAt(i);
    }
    return best;
  }
}
