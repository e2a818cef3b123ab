/**
 * The candidates as a row: a logit for every id of the vocabulary, float32 as they came, edits beside them, and a temperature
 * that is stored and applied only when a value is computed. `RowSearch` finds what a filter keeps of them.
 */
import { refuseMasked, refuseNoLogit, refuseStale } from '../logits.js';
import { drawByEstimate, drawBySums, UNDECIDED } from '../numerics/certified/draw.js';
import { entropyOfRow } from '../numerics/certified/entropy.js';
import { Edits } from '../numerics/edits.js';
import { hasExactExp, type Numerics } from '../numerics/numerics.js';
import { BLOCK, largest, type RowKernel, updateMax } from '../numerics/row.js';
import { allows, type PackedMask } from './bit-mask.js';
import type { PendingEdits } from './pending-edits.js';

/** Temperatures for which no float32 logit over- or underflows, so that distinct logits stay distinct. */
const LEAST_DIVISOR = 1e-100;
const LARGEST_DIVISOR = 1e100;

/** Whose array each was. */
const lenders = new WeakMap<Float32Array, RowCandidates>();

export class RowCandidates {
  readonly length: number;
  readonly kernel: RowKernel;
  readonly edits: Edits;
  readonly #numerics: Numerics;
  readonly #isCertified: boolean;
  /** Lent for the next logits, until they come. */
  #lent: Float32Array | undefined;
  #size = 0;
  #divisor = 1;
  /** The largest undivided logit; NaN when out of date. */
  #max = Number.NaN;
  /** The divisor of the sums before the blocks, and of the exps; NaN when out of date. */
  #sumsDivisor = Number.NaN;
  #expsDivisor = Number.NaN;
  #total = Number.NaN;

  constructor(length: number, numerics: Numerics) {
    this.length = length;
    this.#numerics = numerics;
    this.#isCertified = hasExactExp(numerics);
    this.kernel = numerics.rowKernel(length);
    this.edits = new Edits(this.kernel.arrays);
  }

  /** Lends the array that the next logits are put in, f32[V], for them to be written there. */
  lend(): Float32Array {
    const lent = this.kernel.arrays.incoming.subarray(0, this.length);
    lenders.set(lent, this);
    this.#lent = lent;
    return lent;
  }

  /** Takes over `logits`, f32[V]. Where they are refused, naming `owner`, nothing changes. */
  load(logits: Float32Array, owner: string): void {
    const { arrays, said } = this.kernel;
    const lender = lenders.get(logits);
    if (lender !== undefined && lender.#lent !== logits) throw refuseStale(owner, logits);
    if (lender !== this) {
      this.#lent = undefined;
      arrays.incoming.set(logits);
    }
    if (!this.kernel.scan()) throw refuseNoLogit(owner, logits);
    if (said.masked === this.length) throw refuseMasked(owner);
    if (lender !== undefined) lender.#lent = undefined;
    this.edits.clear();
    this.kernel.accept();
    this.#size = this.length - said.masked;
    this.#divisor = 1;
    this.#changed();
    this.#max = said.largest;
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
    const l = shown > -Infinity ? shown : this.edits.valueOf(id);
    return divisor === 1 ? l : l / divisor;
  }

  /** q of `id`, which is in K. */
  probability(id: number): number {
    return this.expOf(id) / this.normalizer();
  }

  /** Writes the ids of K, ascending, to `to`, which is as long as K or longer. */
  copyIds(to: Int32Array): void {
    for (let id = 0, count = 0; id < this.length; id++) if (this.logit(id, 1) > -Infinity) to[count++] = id;
  }

  /** Writes l of K divided by `divisor`, by ascending id, likewise. */
  copyLogits(to: Float64Array, divisor = this.#divisor): void {
    for (let id = 0, count = 0; id < this.length; id++) {
      const l = this.logit(id, divisor);
      if (l > -Infinity) to[count++] = l;
    }
  }

  /** Writes exp(l - max) of K, likewise. */
  copyExps(to: Float64Array): void {
    const exps = this.#exps();
    for (let id = 0, count = 0; id < this.length; id++) {
      if (this.logit(id, 1) > -Infinity) to[count++] = exps[id] as number;
    }
  }

  /** Writes q of every id, 0 outside K, to `to`, f64[V]. */
  fillProbabilities(to: Float64Array): void {
    const exps = this.#exps();
    for (let id = 0; id < this.length; id++) to[id] = (exps[id] as number) / this.#total;
  }

  /** Gives ids of K other undivided logits; the divisor must be 1. */
  setLogits({ ids, values, count }: PendingEdits): void {
    const { edits } = this;
    const { copy, blockMax } = this.kernel.arrays;
    let max = this.#max;
    for (let i = 0; i < count; i++) {
      const id = ids[i] as number;
      const value = values[i] as number;
      const block = id >> 6;
      const shown = copy[id] as number;
      const before = shown > -Infinity ? shown : edits.valueOf(id);
      if (shown > -Infinity) {
        edits.add(id, value);
        copy[id] = -Infinity;
        if (shown === blockMax[block]) updateMax(copy, blockMax, block);
      } else edits.change(id, value);
      if (value > max) max = value;
      else if (before >= max) max = Number.NaN; // it may have been the largest
      if (value === -Infinity && before > -Infinity) this.#size--;
    }
    this.#max = max;
    this.#sumsDivisor = Number.NaN;
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
    this.#size -= this.edits.keepMask(words) + this.kernel.keepMask(words);
    this.#changed();
  }

  /** The largest l divided by `divisor`. */
  maxLogit(divisor = this.#divisor): number {
    if (Number.isNaN(this.#max)) {
      const { blockMax } = this.kernel.arrays;
      this.#max = Math.max(largest(blockMax, 0, blockMax.length), this.edits.largest());
    }
    return divisor === 1 ? this.#max : this.#max / divisor;
  }

  /** Divides every logit; false where that cannot be put off. */
  divide(divisor: number): boolean {
    if (this.#divisor !== 1 || divisor < LEAST_DIVISOR || divisor > LARGEST_DIVISOR) return false;
    if (!this.edits.canDivide(divisor)) return false;
    this.#divisor = divisor;
    return true;
  }

  /** Z over all ids for `divisor`. */
  normalizer(divisor = this.#divisor): number {
    if (this.#sumsDivisor !== divisor) {
      this.#total = this.kernel.sum(divisor, this.maxLogit(divisor));
      this.#sumsDivisor = divisor;
      this.#expsDivisor = Number.NaN;
    }
    return this.#total;
  }

  /** Whether Z is known for `divisor`. */
  hasNormalizer(divisor = this.#divisor): boolean {
    return this.#sumsDivisor === divisor;
  }

  /** exp(l - max) of `id` for `divisor`. */
  expOf(id: number, divisor = this.#divisor): number {
    if (this.#expsDivisor === divisor) return this.kernel.arrays.exps[id] as number;
    return this.#numerics.exp(this.logit(id, divisor) - this.maxLogit(divisor));
  }

  /** -sum of q ln q in ascending id order, in nats. */
  entropy(): number {
    if (this.#isCertified) {
      return entropyOfRow(this.kernel, this.#numerics, this.normalizer(), this.#divisor, this.maxLogit());
    }
    const exps = this.#exps();
    let h = 0;
    for (let id = 0; id < this.length; id++) {
      const q = (exps[id] as number) / this.#total;
      if (q > 0) h -= q * this.#numerics.log(q);
    }
    return h;
  }

  /** The first id, in ascending order, where the running sum of q exceeds u; -1 where none does. */
  walk(u: number): number {
    const id = this.#isCertified ? this.#certifiedWalk(u) : UNDECIDED;
    if (id !== UNDECIDED) return id;
    this.#exps();
    return this.kernel.walk(this.#total, u);
  }

  /** The id with the largest logit, ties to the lowest id; the divisor must be 1. */
  best(): number {
    const { blockMax, copy } = this.kernel.arrays;
    const max = this.maxLogit(1);
    const block = blockMax.indexOf(max); // both hold float32, so equality is exact; -1 where an edit is the largest
    const shown = block < 0 ? this.length : copy.indexOf(max, block * BLOCK);
    return Math.min(shown, this.edits.firstWith(max) ?? this.length);
  }

  #certifiedWalk(u: number): number {
    const max = this.maxLogit();
    return this.hasNormalizer() ? drawBySums(this, this.#divisor, max, u) : drawByEstimate(this, this.#divisor, max, u);
  }

  /** The exps, up to date for the divisor, with Z. */
  #exps(): Float64Array {
    const { exps } = this.kernel.arrays;
    if (this.#expsDivisor === this.#divisor) return exps;
    this.#total = this.kernel.expSum(this.#divisor, this.maxLogit());
    this.#sumsDivisor = this.#divisor;
    this.#expsDivisor = this.#divisor;
    return exps;
  }

  #changed(): void {
    this.#max = Number.NaN;
    this.#sumsDivisor = Number.NaN;
    this.#expsDivisor = Number.NaN;
  }
}
