/**
 * The candidates as a list: ids in ascending order with their logits and exps, side by side.
 *
 * Order, maximum and probabilities are computed when asked for and remembered until something changes them. A filter
 * keeps the exps, which depend on the maximum alone, and the known ranks: steps after a filter cost O(|K|) and repeat
 * nothing. An id set to -Infinity leaves a hole that the next access by index closes; holes add exact zeros to a sum, so
 * they change no bit.
 */
import { InvalidValueError, NothingLeftError } from '../errors.js';
import type { Numerics } from '../numerics/numerics.js';
import { allows, type PackedMask, refuseMask } from './bit-mask.js';
import { findId } from './find-id.js';
import { countUp } from './lent-array.js';
import { checkLogit } from './logits.js';
import { RankOrder } from './rank-order.js';
import type { WideCandidates } from './wide-candidates.js';

const OWNER = 'CandidateSet';

/** A list that is not written any more: ids ascending, undefined where every id has its own position. */
export interface HeldList {
  readonly ids: Int32Array | undefined;
  readonly logits: Float64Array;
  readonly length: number;
}

export class KeptCandidates {
  readonly #numerics: Numerics;
  readonly #ranks = new RankOrder();
  /** Positions in use: K and its holes. */
  #length = 0;
  #holes = 0;
  /** While true, position and id are the same and #ids is not filled in. */
  #dense = true;
  #ids = new Int32Array(0);
  #spareIds = new Int32Array(0);
  #logits = new Float64Array(0);
  #spareLogits = new Float64Array(0);
  #kept = new Int32Array(0);
  #places = new Int32Array(0);
  /** What `mapLogits` makes, until all of it is accepted. */
  #mapped = new Float64Array(0);
  #max = Number.NaN;
  #exps = new Float64Array(0);
  /** The maximum that #exps was computed with; NaN when it is out of date. */
  #expsMax = Number.NaN;
  /** Z; NaN when it is out of date. */
  #total = Number.NaN;
  /** Arrays that the scores hold: they are written no more. */
  #heldIds: Int32Array | undefined;
  #heldLogits: Float64Array | undefined;

  constructor(numerics: Numerics) {
    this.#numerics = numerics;
  }

  /** Starts a token with a logit for every id, f64[V] after widening; `size` of them are above -Infinity. */
  load(logits: ArrayLike<number>, size: number): void {
    this.#start(logits.length);
    this.#logits.set(logits);
    this.#holes = logits.length - size;
    this.#dense = true;
  }

  /** Starts with the first `count` of `ids`, ascending, their logits, and the exps in `wide` where it has them. */
  take(ids: Int32Array, logits: Float64Array, count: number, wide: WideCandidates, divisor: number): void {
    this.#start(count);
    for (let i = 0; i < count; i++) {
      this.#ids[i] = ids[i] as number;
      this.#logits[i] = logits[i] as number;
    }
    if (!wide.hasExps(divisor)) return;
    for (let i = 0; i < count; i++) this.#exps[i] = wide.expOf(ids[i] as number);
    this.#expsMax = wide.maxLogit(divisor);
  }

  /** Starts with all of `wide`, its logits divided by `divisor`: position and id are the same. */
  takeRow(wide: WideCandidates, divisor: number): void {
    this.#start(wide.length);
    wide.fillLogits(this.#logits, divisor);
    this.#holes = wide.length - wide.size;
    this.#dense = true;
    if (!wide.hasExps(divisor)) return;
    this.#exps.set(wide.kernel.arrays.exps);
    this.#expsMax = wide.maxLogit(divisor);
    this.#total = wide.normalizer(divisor);
  }

  /** Starts with a copy of `list`. */
  copy({ ids, logits, length }: HeldList): void {
    this.#start(length);
    for (let i = 0; i < length; i++) {
      this.#ids[i] = ids?.[i] ?? i;
      this.#logits[i] = logits[i] as number;
      if (logits[i] === -Infinity) this.#holes++;
    }
  }

  get size(): number {
    return this.#length - this.#holes;
  }

  logit(id: number): number {
    const position = this.#find(id);
    return position < 0 ? -Infinity : (this.#logits[position] as number);
  }

  /** q of `id`, which is in K. */
  probability(id: number): number {
    const total = this.normalizer(); // brings the exps up to date
    return (this.#exps[this.#find(id)] as number) / total;
  }

  idAt(index: number): number {
    this.#checkIndex(index, 'index');
    return this.#dense ? index : (this.#ids[index] as number);
  }

  logitAt(index: number): number {
    this.#checkIndex(index, 'index');
    return this.#logits[index] as number;
  }

  probabilityAt(index: number): number {
    this.#checkIndex(index, 'index');
    const total = this.normalizer(); // brings the exps up to date
    return (this.#exps[index] as number) / total;
  }

  idAtRank(rank: number): number {
    const position = this.#positionAtRank(rank);
    return this.#dense ? position : (this.#ids[position] as number);
  }

  probabilityAtRank(rank: number): number {
    const total = this.normalizer();
    return (this.#exps[this.#positionAtRank(rank)] as number) / total;
  }

  maxLogit(): number {
    if (Number.isNaN(this.#max)) {
      let max = -Infinity;
      for (let i = 0; i < this.#length; i++) {
        if ((this.#logits[i] as number) > max) max = this.#logits[i] as number;
      }
      this.#max = max;
    }
    return this.#max;
  }

  maxProbability(): number {
    return 1 / this.normalizer(); // exp(max - max) is 1
  }

  copyIds(to: Int32Array): void {
    this.#closeHoles();
    if (this.#dense) countUp(to);
    else to.set(this.#ids.subarray(0, this.#length));
  }

  copyLogits(to: Float64Array): void {
    this.#closeHoles();
    to.set(this.#logits.subarray(0, this.#length));
  }

  copyExps(to: Float64Array): void {
    this.#closeHoles();
    this.normalizer(); // brings the exps up to date
    to.set(this.#exps.subarray(0, this.#length));
  }

  /** Writes the best `ids.length`, which is at most the size, in rank order: ids, and logits beside them. */
  copyRanked(ids: Int32Array, logits: Float64Array): void {
    this.#ranks.extend(ids.length, this.#logits, this.#length, this.size);
    for (let rank = 0; rank < ids.length; rank++) {
      const position = this.#ranks.at(rank);
      ids[rank] = this.#idOf(position);
      logits[rank] = this.#logits[position] as number;
    }
  }

  /** Writes the exps of the best `to.length`, which is at most the size, in rank order. */
  copyRankedExps(to: Float64Array): void {
    this.normalizer();
    this.#ranks.extend(to.length, this.#logits, this.#length, this.size);
    for (let rank = 0; rank < to.length; rank++) to[rank] = this.#exps[this.#ranks.at(rank)] as number;
  }

  entropy(): number {
    const total = this.normalizer();
    let h = 0;
    for (let i = 0; i < this.#length; i++) {
      const q = (this.#exps[i] as number) / total;
      if (q > 0) h -= q * this.#numerics.log(q);
    }
    return h;
  }

  /** `id` must be in K and `value` below Infinity; -Infinity is not for the last one. */
  setLogit(id: number, value: number): void {
    const position = this.#find(id);
    this.#thawLogits(true);
    this.#logits[position] = value;
    if (value === -Infinity) this.#holes++;
    this.#forget();
  }

  /** Sets every logit to what `adjust` makes of it; where one of them is refused, none is set. */
  mapLogits(adjust: (logit: number, id: number) => number): void {
    this.#closeHoles();
    if (this.#mapped.length < this.#length) this.#mapped = new Float64Array(this.#logits.length);
    const mapped = this.#mapped.subarray(0, this.#length);
    let holes = 0;
    for (let i = 0; i < mapped.length; i++) {
      const l = checkLogit(adjust(this.#logits[i] as number, this.#idOf(i)));
      mapped[i] = l;
      if (l === -Infinity) holes++;
    }
    if (holes === mapped.length) {
      throw new NothingLeftError(OWNER, 'adjust', 'above -Infinity for at least one id', '-Infinity for every id');
    }
    this.#thawLogits(false);
    this.#logits.set(mapped);
    this.#holes = holes;
    this.#forget();
  }

  /** `divisor` is finite, above 0, and does not make the largest logit overflow. */
  divideLogits(divisor: number): void {
    const max = this.maxLogit() / divisor;
    const from = this.#logits;
    this.#thawLogits(false);
    const to = this.#logits;
    let holes = 0;
    for (let i = 0; i < this.#length; i++) {
      const l = (from[i] as number) / divisor;
      to[i] = l;
      if (l === -Infinity) holes++;
    }
    this.#holes = holes;
    this.#forget();
    this.#max = max; // division by a positive number keeps the order
  }

  /** `count` is at least 1. */
  keepBest(count: number): void {
    if (count >= this.size) return;
    this.#ranks.extend(count, this.#logits, this.#length, this.size);
    const max = this.maxLogit();
    this.#retain(this.#ascendingBest(count), count);
    this.#max = max;
  }

  /** Keeps the ids that `keep` accepts, asked with each id and its index in ascending id order. */
  keepIds(keep: (id: number, index: number) => boolean): void {
    this.#closeHoles();
    const kept = this.#kept;
    let count = 0;
    for (let i = 0; i < this.#length; i++) {
      const answer: unknown = keep(this.#idOf(i), i);
      if (answer === true) kept[count++] = i;
      else if (answer !== false) throw new InvalidValueError(OWNER, 'keep', 'true or false for each id', answer);
    }
    if (count === 0) throw new NothingLeftError(OWNER, 'keep', 'true for at least one id', 'false for every id');
    this.#keepPositions(count);
  }

  /** Keeps the ids whose logit is at least `least`, which is at most the largest. */
  keepAtLeast(least: number): void {
    this.#closeHoles();
    const kept = this.#kept;
    const logits = this.#logits;
    let count = 0;
    for (let i = 0; i < this.#length; i++) if ((logits[i] as number) >= least) kept[count++] = i;
    this.#keepPositions(count);
  }

  keepMask(words: PackedMask): void {
    this.#closeHoles();
    let meets = false;
    for (let i = 0; i < this.#length && !meets; i++) meets = allows(words, this.#idOf(i));
    if (!meets) throw refuseMask(OWNER);
    this.keepIds((id) => allows(words, id));
  }

  /** Keeps the fewest of the best, at least `least`, whose q, summed in rank order, reach p; all where rounding never does. */
  keepMass(p: number, least: number): void {
    const { size } = this;
    let kept = 0;
    let s = 0;
    while (kept < size && !(s >= p)) s += this.probabilityAtRank(kept++);
    this.keepBest(Math.max(kept, least));
  }

  /** Keeps what is at least `share` times as likely as the best, or the `least` best where that is more. */
  keepLikely(share: number, least: number): void {
    const threshold = share * this.maxProbability();
    if (least > 1 && this.#countFrom(threshold) < least) this.keepBest(least);
    else this.keepIds((_, index) => this.probabilityAt(index) >= threshold);
  }

  /** How many ids have q >= `threshold`. */
  #countFrom(threshold: number): number {
    this.#closeHoles();
    let count = 0;
    for (let i = 0; i < this.#length; i++) if (this.probabilityAt(i) >= threshold) count++;
    return count;
  }

  /** Keeps `id`, which is in K, alone. */
  keepOnly(id: number): void {
    this.#kept[0] = this.#find(id);
    this.#retain(this.#kept, 1);
    this.#max = Number.NaN;
  }

  /** The id where the running sum of q, in ascending id order, first exceeds u; -1 where it never does. */
  walk(u: number): number {
    const total = this.normalizer();
    let c = 0;
    for (let i = 0; i < this.#length; i++) {
      c += (this.#exps[i] as number) / total;
      if (u < c) return this.#idOf(i);
    }
    return -1;
  }

  /** Gives the scores the ids (undefined where every id has its own position) and logits, as they stay from now on. */
  hold(): HeldList {
    const { list } = this;
    this.#heldIds = list.ids;
    this.#heldLogits = list.logits;
    return list;
  }

  /** The ids (undefined where every id has its own position) and logits, as they are until the next edit. */
  get list(): HeldList {
    return { ids: this.#dense ? undefined : this.#ids, logits: this.#logits, length: this.#length };
  }

  /** Calls `visit` with the id, logit and q of each of K in ascending id order. */
  each(visit: (id: number, logit: number, q: number) => void): void {
    const total = this.normalizer();
    for (let i = 0; i < this.#length; i++) {
      const l = this.#logits[i] as number;
      if (l > -Infinity) visit(this.#idOf(i), l, (this.#exps[i] as number) / total);
    }
  }

  #start(length: number): void {
    this.#reserve(length);
    this.#length = length;
    this.#holes = 0;
    this.#dense = false;
    this.#heldIds = undefined;
    this.#heldLogits = undefined;
    this.#forget();
  }

  /** Grows by doubling, so that lists that get longer now and then settle down. */
  #reserve(length: number): void {
    if (this.#logits.length >= length) return;
    const room = Math.max(length, 2 * this.#logits.length);
    this.#ids = new Int32Array(room);
    this.#spareIds = new Int32Array(room);
    this.#logits = new Float64Array(room);
    this.#spareLogits = new Float64Array(room);
    this.#kept = new Int32Array(room);
    this.#places = new Int32Array(room);
    this.#exps = new Float64Array(room);
  }

  /** After the logits changed. */
  #forget(): void {
    this.#max = Number.NaN;
    this.#expsMax = Number.NaN;
    this.#total = Number.NaN;
    this.#ranks.forget();
  }

  #idOf(position: number): number {
    return this.#dense ? position : (this.#ids[position] as number);
  }

  /** The position of `id`, or -1. */
  #find(id: number): number {
    return this.#dense ? id : findId(this.#ids, this.#length, id);
  }

  #checkIndex(index: number, name: string): void {
    if (this.#holes > 0) this.#closeHoles();
    if (index >>> 0 !== index || index >= this.#length) {
      throw new InvalidValueError(OWNER, name, `an integer in [0, ${this.#length})`, index);
    }
  }

  #positionAtRank(rank: number): number {
    if (rank >= this.#ranks.known || rank >>> 0 !== rank) {
      this.#checkIndex(rank, 'rank');
      this.#ranks.extend(rank + 1, this.#logits, this.#length, this.size);
    }
    return this.#ranks.at(rank);
  }

  /** Z, with the exps up to date. */
  normalizer(): number {
    if (!Number.isNaN(this.#total)) return this.#total;
    const max = this.maxLogit();
    if (this.#expsMax !== max) {
      this.#total = this.#numerics.expSum(this.#logits, this.#length, max, this.#exps);
      this.#expsMax = max;
      return this.#total;
    }
    let total = 0;
    for (let i = 0; i < this.#length; i++) total += this.#exps[i] as number;
    this.#total = total;
    return total;
  }

  /** Before the logits are written: leaves those that the scores hold as they are. */
  #thawLogits(copy: boolean): void {
    if (this.#heldLogits !== this.#logits) return;
    const held = this.#logits;
    this.#logits = this.#spareLogits;
    this.#spareLogits = held;
    if (copy) this.#logits.set(held);
  }

  #closeHoles(): void {
    if (this.#holes === 0) return;
    const kept = this.#kept;
    let count = 0;
    for (let i = 0; i < this.#length; i++) {
      if ((this.#logits[i] as number) > -Infinity) kept[count++] = i;
    }
    this.#retain(kept, count);
  }

  /** Keeps the first `count` of the positions in #kept, which are ascending; the maximum may go. */
  #keepPositions(count: number): void {
    if (count === this.#length) return;
    this.#retain(this.#kept, count);
    this.#max = Number.NaN;
  }

  /** The positions of the first `count` ranks, ascending: by sorting when they are few, else by marking. */
  #ascendingBest(count: number): Int32Array {
    const kept = this.#kept;
    const places = this.#places;
    if (count * 32 < this.#length) {
      for (let rank = 0; rank < count; rank++) kept[rank] = this.#ranks.at(rank);
      kept.subarray(0, count).sort();
      return kept;
    }
    places.fill(0, 0, this.#length);
    for (let rank = 0; rank < count; rank++) places[this.#ranks.at(rank)] = 1;
    let next = 0;
    for (let i = 0; i < this.#length; i++) {
      if (places[i] === 1) kept[next++] = i;
    }
    return kept;
  }

  /** Keeps the positions kept[0..count-1], ascending. The exps go along; Z is to be summed again. */
  #retain(kept: Int32Array, count: number): void {
    const ids = this.#ids;
    const logits = this.#logits;
    const dense = this.#dense;
    if (this.#heldIds === ids) [this.#ids, this.#spareIds] = [this.#spareIds, ids];
    this.#thawLogits(false);
    for (let i = 0; i < count; i++) {
      const position = kept[i] as number;
      this.#ids[i] = dense ? position : (ids[position] as number);
      this.#logits[i] = logits[position] as number;
      this.#exps[i] = this.#exps[position] as number;
      this.#places[position] = i;
    }
    this.#ranks.filter(kept, count, this.#places);
    this.#dense = false;
    this.#length = count;
    this.#holes = 0;
    this.#total = Number.NaN;
  }
}
