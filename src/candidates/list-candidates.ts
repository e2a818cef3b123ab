/**
 * The candidates as a list: ids in ascending order with their logits and exps, side by side.
 *
 * Order, maximum and probabilities are computed when asked for and remembered until something changes them. A filter
 * keeps the exps, which depend on the maximum alone, and the known ranks: steps after a filter cost O(|K|) and repeat
 * nothing. An id set to -Infinity leaves a hole that the next access by index closes; holes add exact zeros to a sum, so
 * they change no bit.
 */
import { InvalidValueError, NothingLeftError } from '../errors.js';
import { checkLogit, type Logits } from '../logits.js';
import { below, stepTable } from '../numerics/certified/below.js';
import { drawFromList, UNDECIDED } from '../numerics/certified/draw.js';
import { hasExactExp, type Numerics } from '../numerics/numerics.js';
import { RankOrder } from '../ranking/rank-order.js';
import { allows, type PackedMask, refuseMask } from './bit-mask.js';
import { findId } from './find-id.js';
import type { FoundList } from './found-list.js';
import type { PendingEdits } from './pending-edits.js';
import type { RowCandidates } from './row-candidates.js';

const OWNER = 'CandidateSet';

/** Ids ascending, and beside them logits and exps; longer than what is in use. */
interface ListArrays {
  readonly ids: Int32Array;
  readonly logits: Float64Array;
  readonly exps: Float64Array;
}

/** A list that is not written any more. */
export interface HeldList extends Pick<ListArrays, 'ids' | 'logits'> {
  readonly length: number;
}

export class ListCandidates {
  readonly #numerics: Numerics;
  readonly #ranks = new RankOrder();
  /** Positions in use: K and its holes. */
  #length = 0;
  #holes = 0;
  #arrays = allocate(0);
  #others: ListArrays | undefined;
  /** The arrays that the scores hold: they are written no more. */
  #held: ListArrays | undefined;
  #kept = new Int32Array(0);
  #places = new Int32Array(0);
  /** What `mapLogits` makes, until all of it is accepted. */
  #mapped = new Float64Array(0);
  #max = Number.NaN;
  /** The maximum that the exps were computed with; NaN when they are out of date. */
  #expsMax = Number.NaN;
  /** The maximum for which the v of certified/below.ts lie in the place of the exps; NaN where they do not. */
  #boundsMax = Number.NaN;
  /** Z; NaN when it is out of date. */
  #total = Number.NaN;

  constructor(numerics: Numerics) {
    this.#numerics = numerics;
  }

  /** Starts a token with `logits`, f64[V] after widening; `size` of them are above -Infinity. */
  load(logits: Logits, size: number): void {
    const { ids, logits: own } = this.#start(size);
    for (let id = 0, count = 0; id < logits.length; id++) {
      const l = logits[id] as number;
      if (l === -Infinity) continue;
      ids[count] = id;
      own[count++] = l;
    }
  }

  /** Starts with what was found in a row, the best of which is among it. */
  take({ ids, logits, masses, hasMasses, count }: FoundList): void {
    const own = this.#start(count);
    for (let i = 0; i < count; i++) {
      own.ids[i] = ids[i] as number;
      own.logits[i] = logits[i] as number;
    }
    if (!hasMasses) return;
    for (let i = 0; i < count; i++) own.exps[i] = masses[i] as number;
    this.#boundsMax = this.maxLogit();
  }

  /** Starts with all of a row, its logits divided by `divisor`. */
  takeRow(row: RowCandidates, divisor: number): void {
    const { ids, logits } = this.#start(row.size);
    row.copyIds(ids);
    row.copyLogits(logits, divisor);
  }

  /** Starts with a copy of `list`. */
  copy({ ids, logits, length }: HeldList): void {
    const own = this.#start(length);
    own.ids.set(ids.subarray(0, length));
    own.logits.set(logits.subarray(0, length));
    for (let i = 0; i < length; i++) if (logits[i] === -Infinity) this.#holes++;
  }

  get size(): number {
    return this.#length - this.#holes;
  }

  logit(id: number): number {
    const position = this.#find(id);
    return position < 0 ? -Infinity : (this.#arrays.logits[position] as number);
  }

  /** q of `id`, which is in K. */
  probability(id: number): number {
    return this.#probabilityOf(this.#find(id));
  }

  idAt(index: number): number {
    this.#closeHoles();
    return this.#arrays.ids[index] as number;
  }

  logitAt(index: number): number {
    this.#closeHoles();
    return this.#arrays.logits[index] as number;
  }

  probabilityAt(index: number): number {
    this.#closeHoles();
    return this.#probabilityOf(index);
  }

  idAtRank(rank: number): number {
    return this.#arrays.ids[this.#positionAtRank(rank)] as number;
  }

  probabilityAtRank(rank: number): number {
    return this.#probabilityOf(this.#positionAtRank(rank));
  }

  maxLogit(): number {
    if (Number.isNaN(this.#max)) {
      const { logits } = this.#arrays;
      let max = -Infinity;
      for (let i = 0; i < this.#length; i++) if ((logits[i] as number) > max) max = logits[i] as number;
      this.#max = max;
    }
    return this.#max;
  }

  copyIds(to: Int32Array): void {
    this.#closeHoles();
    to.set(this.#arrays.ids.subarray(0, this.#length));
  }

  copyLogits(to: Float64Array): void {
    this.#closeHoles();
    to.set(this.#arrays.logits.subarray(0, this.#length));
  }

  copyExps(to: Float64Array): void {
    this.#closeHoles();
    this.normalizer(); // brings the exps up to date
    to.set(this.#arrays.exps.subarray(0, this.#length));
  }

  /** Writes the best `ids.length`, which is at most the size, in rank order: ids, and logits beside them. */
  copyRanked(ids: Int32Array, logits: Float64Array): void {
    for (let rank = 0; rank < ids.length; rank++) {
      const position = this.#positionAtRank(rank);
      ids[rank] = this.#arrays.ids[position] as number;
      logits[rank] = this.#arrays.logits[position] as number;
    }
  }

  entropy(): number {
    const total = this.normalizer();
    const { exps } = this.#arrays;
    let h = 0;
    for (let i = 0; i < this.#length; i++) {
      const q = (exps[i] as number) / total;
      if (q > 0) h -= q * this.#numerics.log(q);
    }
    return h;
  }

  /** Gives ids of K other logits. */
  setLogits({ ids, values, count }: PendingEdits): void {
    const { logits } = this.#writable();
    for (let i = 0; i < count; i++) {
      const position = this.#find(ids[i] as number);
      const value = values[i] as number;
      if (value === -Infinity && (logits[position] as number) > -Infinity) this.#holes++;
      logits[position] = value;
    }
    this.#forget();
  }

  /** Sets every logit to what `adjust` makes of it; where one of them is refused, none is set. */
  mapLogits(adjust: (logit: number, id: number) => number): void {
    this.#closeHoles();
    const { ids, logits } = this.#arrays;
    if (this.#mapped.length < this.#length) this.#mapped = new Float64Array(logits.length);
    const mapped = this.#mapped.subarray(0, this.#length);
    let holes = 0;
    for (let i = 0; i < mapped.length; i++) {
      const l = checkLogit(adjust(logits[i] as number, ids[i] as number));
      mapped[i] = l;
      if (l === -Infinity) holes++;
    }
    if (holes === mapped.length) {
      throw new NothingLeftError(OWNER, 'adjust', 'above -Infinity for at least one id', '-Infinity for every id');
    }
    this.#writable().logits.set(mapped);
    this.#holes = holes;
    this.#forget();
  }

  /** `divisor` is finite, above 0, and does not make the largest logit overflow. */
  divideLogits(divisor: number): void {
    const max = this.maxLogit() / divisor;
    const { logits } = this.#writable();
    this.#holes = 0;
    for (let i = 0; i < this.#length; i++) {
      const l = (logits[i] as number) / divisor;
      logits[i] = l;
      if (l === -Infinity) this.#holes++;
    }
    this.#forget();
    this.#max = max; // division by a positive number keeps the order
  }

  /** `count` is at least 1. */
  keepBest(count: number): void {
    if (count >= this.size) return;
    this.#extendRanks(count);
    const max = this.maxLogit();
    this.#ranks.ascending(count, this.#kept, this.#length);
    this.#retain(this.#kept, count);
    this.#max = max;
  }

  /** Keeps the ids that `keep` accepts, asked with each id and its index in ascending id order. */
  keepIds(keep: (id: number, index: number) => boolean): void {
    this.#closeHoles();
    let count = 0;
    for (let i = 0; i < this.#length; i++) {
      const answer: unknown = keep(this.#arrays.ids[i] as number, i);
      if (answer === true) this.#kept[count++] = i;
      else if (answer !== false) throw new InvalidValueError(OWNER, 'keep', 'true or false for each id', answer);
    }
    if (count === 0) throw new NothingLeftError(OWNER, 'keep', 'true for at least one id', 'false for every id');
    this.#keepPositions(count);
  }

  /** Keeps the ids whose logit is at least `least`, which is at most the largest. */
  keepAtLeast(least: number): void {
    this.keepIds((_, index) => (this.#arrays.logits[index] as number) >= least);
  }

  keepMask(words: PackedMask): void {
    this.#closeHoles();
    let meets = false;
    for (let i = 0; i < this.#length && !meets; i++) meets = allows(words, this.#arrays.ids[i] as number);
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
    this.#closeHoles();
    const threshold = share * (1 / this.normalizer()); // exp(max - max) is 1
    let count = 0;
    for (let i = 0; i < this.#length; i++) if (this.#probabilityOf(i) >= threshold) this.#kept[count++] = i;
    if (count < least) this.keepBest(least);
    else this.#keepPositions(count);
  }

  /** Keeps `id`, which is in K, alone. */
  keepOnly(id: number): void {
    this.#kept[0] = this.#find(id);
    this.#retain(this.#kept, 1);
    this.#max = Number.NaN;
  }

  /** The id where the running sum of q, in ascending id order, first exceeds u; -1 where it never does. */
  walk(u: number): number {
    const { ids, exps } = this.#arrays;
    if (!this.#hasExps() && hasExactExp(this.#numerics)) {
      if (this.#boundsMax !== this.maxLogit()) this.#fillBounds();
      const index = drawFromList(exps, this.#length, u);
      if (index !== UNDECIDED) return ids[index] as number;
    }
    const total = this.normalizer();
    let c = 0;
    for (let i = 0; i < this.#length; i++) {
      c += (exps[i] as number) / total;
      if (u < c) return ids[i] as number;
    }
    return -1;
  }

  /** Gives the scores the ids and logits, as they stay from now on. */
  hold(): HeldList {
    this.#held = this.#arrays;
    return this.list;
  }

  /** The ids and logits, as they are until the next edit. */
  get list(): HeldList {
    return { ids: this.#arrays.ids, logits: this.#arrays.logits, length: this.#length };
  }

  /** Calls `visit` with the id, logit and q of each of K in ascending id order. */
  each(visit: (id: number, logit: number, q: number) => void): void {
    this.#closeHoles();
    const { ids, logits } = this.#arrays;
    for (let i = 0; i < this.#length; i++) visit(ids[i] as number, logits[i] as number, this.#probabilityOf(i));
  }

  /** Z, with the exps up to date. */
  normalizer(): number {
    if (!Number.isNaN(this.#total)) return this.#total;
    const max = this.maxLogit();
    const { logits, exps } = this.#arrays;
    if (this.#hasExps()) {
      let total = 0;
      for (let i = 0; i < this.#length; i++) total += exps[i] as number;
      this.#total = total;
    } else {
      this.#total = this.#numerics.expSum(logits, this.#length, max, exps);
      this.#expsMax = max;
      this.#boundsMax = Number.NaN;
    }
    return this.#total;
  }

  #fillBounds(): void {
    const { logits, exps } = this.#arrays;
    const max = this.maxLogit();
    stepTable();
    for (let i = 0; i < this.#length; i++) exps[i] = below((logits[i] as number) - max);
    this.#boundsMax = max;
  }

  #start(length: number): ListArrays {
    if (this.#arrays.ids.length < length) this.#grow(Math.max(length, 2 * this.#arrays.ids.length));
    this.#length = length;
    this.#holes = 0;
    this.#held = undefined;
    this.#forget();
    return this.#arrays;
  }

  /** Grows by doubling, so that lists that get longer now and then settle down. */
  #grow(room: number): void {
    this.#arrays = allocate(room);
    this.#others = undefined;
    this.#kept = new Int32Array(room);
    this.#places = new Int32Array(room);
  }

  /** After the logits changed. */
  #forget(): void {
    this.#max = Number.NaN;
    this.#expsMax = Number.NaN;
    this.#boundsMax = Number.NaN;
    this.#total = Number.NaN;
    this.#ranks.forget();
  }

  #hasExps(): boolean {
    return this.#expsMax === this.maxLogit();
  }

  #probabilityOf(position: number): number {
    const total = this.normalizer(); // brings the exps up to date
    return (this.#arrays.exps[position] as number) / total;
  }

  /** The position of `id`, or -1. */
  #find(id: number): number {
    return findId(this.#arrays.ids, this.#length, id);
  }

  #positionAtRank(rank: number): number {
    if (rank >= this.#ranks.known) this.#extendRanks(rank + 1);
    return this.#ranks.at(rank);
  }

  #extendRanks(count: number): void {
    this.#ranks.extend(count, this.#arrays.logits, this.#length, this.size);
  }

  /**
   * The arrays, to be written to. Copy on write, in this one place: those that the scores hold stay as they are, and the list
   * goes on in others.
   */
  #writable(): ListArrays {
    const from = this.#arrays;
    const to = this.#unheld();
    if (to !== from) {
      to.ids.set(from.ids.subarray(0, this.#length));
      to.logits.set(from.logits.subarray(0, this.#length));
    }
    return to;
  }

  /** As `writable`, with nothing in them where they are others. */
  #unheld(): ListArrays {
    if (this.#held === this.#arrays) {
      const others = this.#others ?? allocate(this.#arrays.ids.length);
      this.#others = this.#arrays;
      this.#arrays = others;
    }
    return this.#arrays;
  }

  #closeHoles(): void {
    if (this.#holes === 0) return;
    const { logits } = this.#arrays;
    let count = 0;
    for (let i = 0; i < this.#length; i++) if ((logits[i] as number) > -Infinity) this.#kept[count++] = i;
    this.#retain(this.#kept, count);
  }

  /** Keeps the first `count` of the positions in #kept, which are ascending; the maximum may go. */
  #keepPositions(count: number): void {
    if (count === this.#length) return;
    this.#retain(this.#kept, count);
    this.#max = Number.NaN;
  }

  /** Keeps the positions kept[0..count-1], ascending. The exps go along; Z is to be summed again. */
  #retain(kept: Int32Array, count: number): void {
    const from = this.#arrays;
    const to = this.#unheld();
    for (let i = 0; i < count; i++) {
      const position = kept[i] as number;
      to.ids[i] = from.ids[position] as number;
      to.logits[i] = from.logits[position] as number;
      to.exps[i] = from.exps[position] as number;
      this.#places[position] = i;
    }
    this.#ranks.filter(kept, count, this.#places);
    this.#length = count;
    this.#holes = 0;
    this.#total = Number.NaN;
  }
}

function allocate(length: number): ListArrays {
  return { ids: new Int32Array(length), logits: new Float64Array(length), exps: new Float64Array(length) };
}
