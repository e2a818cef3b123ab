/**
 * The candidates of one token, and all the cleverness that processors need not have.
 *
 * K is kept as parallel arrays in ascending id order: ids, logits, exps. Order, maximum and probabilities are computed
 * when asked for and remembered until something changes them: a filter keeps the exps (they depend on the maximum alone)
 * and the known ranks, so that steps after a filter cost O(|K|) and repeat nothing. An id set to -Infinity leaves a hole
 * that the next access by index closes; holes add exact zeros to a sum, so they change no bit.
 *
 * One set serves a whole request: `load` starts a token, and no array is allocated after the first.
 */

import type { Candidates } from '../../processors/contract.js';
import { InvalidValueError } from '../errors.js';
import { exactNumerics, type Numerics } from '../numerics/numerics.js';
import { findId } from './find-id.js';
import { checkLogits, type Logits } from './logits.js';
import { RankOrder } from './rank-order.js';
import { Scores } from './scores.js';

const OWNER = 'CandidateSet';

export class CandidateSet implements Candidates {
  readonly #numerics: Numerics;
  readonly #ranks = new RankOrder();
  readonly #scores: Scores;
  #vocabSize = 0;
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
  #max = Number.NaN;
  #exps = new Float64Array(0);
  /** The maximum that #exps was computed with; NaN when it is out of date. */
  #expsMax = Number.NaN;
  /** Z; NaN when it is out of date. */
  #total = Number.NaN;
  #settled: number | undefined;

  constructor(numerics: Numerics = exactNumerics) {
    this.#numerics = numerics;
    this.#scores = new Scores(numerics);
  }

  /**
   * Starts a token: widens `logits`, f32[V] or f64[V], exactly. They are not modified and not kept.
   * Refused, naming `owner`: not a flat vector, empty, NaN, +Infinity, or -Infinity everywhere.
   */
  load(logits: Logits, owner = OWNER): void {
    const size = checkLogits(logits, owner);
    this.#reserve(logits.length);
    this.#logits.set(logits);
    this.#vocabSize = logits.length;
    this.#length = logits.length;
    this.#holes = logits.length - size;
    this.#dense = true;
    this.#settled = undefined;
    this.#scores.clear();
    this.#forget();
  }

  get vocabSize(): number {
    return this.#vocabSize;
  }

  get size(): number {
    return this.#length - this.#holes;
  }

  /** The id that a step decided on; undefined while the token is to be drawn. */
  get settled(): number | undefined {
    return this.#settled;
  }

  has(id: number): boolean {
    return this.logit(id) > -Infinity;
  }

  logit(id: number): number {
    const position = this.#find(id);
    return position < 0 ? -Infinity : (this.#logits[position] as number);
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
    const total = this.#normalizer(); // brings the exps up to date
    return (this.#exps[index] as number) / total;
  }

  idAtRank(rank: number): number {
    const position = this.#positionAtRank(rank);
    return this.#dense ? position : (this.#ids[position] as number);
  }

  probabilityAtRank(rank: number): number {
    const total = this.#normalizer();
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
    return 1 / this.#normalizer(); // exp(max - max) is 1
  }

  entropy(): number {
    const total = this.#normalizer();
    let h = 0;
    for (let i = 0; i < this.#length; i++) {
      const q = (this.#exps[i] as number) / total;
      if (q > 0) h -= q * this.#numerics.log(q);
    }
    return h;
  }

  setLogit(id: number, value: number): void {
    const position = this.#find(id);
    if (!this.has(id)) throw new InvalidValueError(OWNER, 'id', 'one of the kept ids', id);
    if (!(value < Infinity)) throw new InvalidValueError(OWNER, 'value', 'a number below Infinity', value);
    if (value === -Infinity && this.size === 1) throw refuseEmpty(id);
    this.#thawLogits(true);
    this.#logits[position] = value;
    if (value === -Infinity) this.#holes++;
    this.#forget();
  }

  divideLogits(divisor: number): void {
    const max = this.maxLogit() / divisor;
    if (!(Number.isFinite(divisor) && divisor > 0 && Number.isFinite(max))) {
      throw new InvalidValueError(OWNER, 'divisor', 'finite, > 0 and large enough that no logit overflows', divisor);
    }
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

  keepBest(count: number): void {
    if (!(Number.isSafeInteger(count) && count >= 1)) {
      throw new InvalidValueError(OWNER, 'count', 'an integer >= 1', count);
    }
    if (count >= this.size) return;
    this.#ranks.extend(count, this.#logits, this.#length, this.size);
    const max = this.maxLogit();
    this.#retain(this.#ascendingBest(count), count);
    this.#max = max;
  }

  keepWhere(keep: (index: number) => boolean): void {
    this.#closeHoles();
    const kept = this.#kept;
    let count = 0;
    for (let i = 0; i < this.#length; i++) {
      if (keep(i)) kept[count++] = i;
    }
    if (count === 0) throw new InvalidValueError(OWNER, 'keep', 'true for at least one id', 'false for every id');
    if (count === this.#length) return;
    this.#retain(kept, count);
    this.#max = Number.NaN;
  }

  settle(id: number): void {
    if (!this.has(id)) throw new InvalidValueError(OWNER, 'id', 'one of the kept ids', id);
    const position = this.#find(id);
    this.#kept[0] = position;
    this.#retain(this.#kept, 1);
    this.#max = Number.NaN;
    this.#settled = id;
  }

  /** Where logprobs are defined: what the candidates are now, whatever later steps do. */
  tapScores(): Scores {
    const total = this.#normalizer();
    this.#scores.take(this.#dense ? undefined : this.#ids, this.#logits, this.#length, this.maxLogit(), total);
    return this.#scores;
  }

  /** l of K by id, -Infinity elsewhere: a new f64[V]. */
  toLogits(): Float64Array {
    const out = new Float64Array(this.#vocabSize).fill(-Infinity);
    for (let i = 0; i < this.#length; i++) out[this.#idOf(i)] = this.#logits[i] as number;
    return out;
  }

  /** q of K by id, 0 elsewhere: a new f64[V]. */
  toProbabilities(): Float64Array {
    const total = this.#normalizer();
    const out = new Float64Array(this.#vocabSize);
    for (let i = 0; i < this.#length; i++) out[this.#idOf(i)] = (this.#exps[i] as number) / total;
    return out;
  }

  #reserve(length: number): void {
    if (this.#logits.length >= length) return;
    this.#ids = new Int32Array(length);
    this.#spareIds = new Int32Array(length);
    this.#logits = new Float64Array(length);
    this.#spareLogits = new Float64Array(length);
    this.#kept = new Int32Array(length);
    this.#places = new Int32Array(length);
    this.#exps = new Float64Array(length);
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

  /** The position of `id`, or -1. Refuses what is no id of the vocabulary. */
  #find(id: number): number {
    if (!(Number.isInteger(id) && id >= 0 && id < this.#vocabSize)) {
      throw new InvalidValueError(OWNER, 'id', `an integer in [0, ${this.#vocabSize})`, id);
    }
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

  /** Z, with #exps up to date. */
  #normalizer(): number {
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
    if (!this.#scores.holdsLogits(this.#logits)) return;
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
    if (this.#scores.holdsIds(ids)) [this.#ids, this.#spareIds] = [this.#spareIds, ids];
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

function refuseEmpty(id: number): InvalidValueError {
  return new InvalidValueError(OWNER, 'value', `above -Infinity for id ${id}, the last one kept`, -Infinity);
}
