/**
 * The scores: the logits as they were where logprobs are defined. Temperature and filters do not change them.
 *
 * They read the arrays of the candidates that they were taken from, which write elsewhere from then on
 * (docs/ARCHITECTURE.md, "The tap and copy-on-write"). Over a whole vocabulary the sum is taken only when a logprob is asked
 * for.
 */
import { InvalidValueError } from '../errors.js';
import type { Numerics } from '../numerics/numerics.js';
import { findId } from './find-id.js';
import { type HeldList, ListCandidates } from './list-candidates.js';
import type { RowCandidates } from './row-candidates.js';
import type { RowSearch } from './row-search.js';

/** One of the most likely ids, by logprob. */
export interface RankedLogprob {
  readonly id: number;
  /** Nats. */
  readonly logprob: number;
}

export class Scores {
  readonly #numerics: Numerics;
  /** For `best`: a list to sort in. */
  readonly #scratch: ListCandidates;
  #row: RowCandidates | undefined;
  #search: RowSearch | undefined;
  #divisor = 1;
  #list: HeldList | undefined;
  #max = Number.NaN;
  #total = Number.NaN;
  #logTotal = Number.NaN;

  constructor(numerics: Numerics) {
    this.#numerics = numerics;
    this.#scratch = new ListCandidates(numerics);
  }

  /** Takes a row as it is; its edits must not change from now on. */
  takeRow(row: RowCandidates, search: RowSearch): void {
    this.clear();
    this.#row = row;
    this.#search = search;
    this.#divisor = row.divisor;
  }

  /** Takes a list as it is. */
  takeList(list: ListCandidates): void {
    this.clear();
    this.#max = list.maxLogit();
    this.#total = list.normalizer(); // here, where the steps after may share the exps
    this.#list = list.hold();
  }

  /** M, the largest score. */
  get max(): number {
    if (Number.isNaN(this.#max)) this.#max = this.#taken().maxLogit(this.#divisor);
    return this.#max;
  }

  /** Z, the sum of exp(l - M) over all ids in ascending order. */
  get total(): number {
    if (Number.isNaN(this.#total)) this.#total = this.#taken().normalizer(this.#divisor);
    return this.#total;
  }

  /** Takes the sum that logprobs need, if it was not taken. */
  sum(): void {
    if (Number.isNaN(this.#logTotal)) this.#logTotal = this.#numerics.log(this.total);
  }

  /** ln of the softmax over the scores: (l - M) - ln Z, in nats; -Infinity for an id that is masked. */
  logprob(id: number): number {
    this.sum();
    return this.#logit(id) - this.max - this.#logTotal;
  }

  /** The `count` most likely ids, most likely first, ties to the lower id; fewer when fewer are not masked. */
  best(count: number): RankedLogprob[] {
    const scratch = this.#scratch;
    const found = this.#search?.best(count, this.#divisor);
    if (this.#list !== undefined) scratch.copy(this.#list);
    else if (found !== undefined) scratch.take(found);
    else scratch.takeRow(this.#taken(), this.#divisor);
    return Array.from({ length: Math.min(count, scratch.size) }, (_, rank) => {
      const id = scratch.idAtRank(rank);
      return { id, logprob: this.logprob(id) };
    });
  }

  /** Lets go of what was taken. */
  clear(): void {
    this.#row = undefined;
    this.#search = undefined;
    this.#list = undefined;
    this.#max = Number.NaN;
    this.#total = Number.NaN;
    this.#logTotal = Number.NaN;
  }

  #logit(id: number): number {
    if (this.#list === undefined) return this.#taken().logit(id, this.#divisor);
    const { ids, logits, length } = this.#list;
    const position = findId(ids, length, id);
    return position < 0 ? -Infinity : (logits[position] as number);
  }

  #taken(): RowCandidates {
    if (this.#row !== undefined) return this.#row;
    throw new InvalidValueError('Scores', 'logits', 'taken from the candidates first', undefined);
  }
}
