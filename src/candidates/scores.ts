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
import { type HeldList, KeptCandidates } from './kept-candidates.js';
import type { WideSearch } from './wide-search.js';

/** One of the most likely ids, by logprob. */
export interface RankedLogprob {
  readonly id: number;
  /** Nats. */
  readonly logprob: number;
}

export class Scores {
  readonly #numerics: Numerics;
  /** For `best`: a list to sort in. */
  readonly #scratch: KeptCandidates;
  #search: WideSearch | undefined;
  #divisor = 1;
  #list: HeldList | undefined;
  #max = Number.NaN;
  #total = Number.NaN;
  #logTotal = Number.NaN;

  constructor(numerics: Numerics) {
    this.#numerics = numerics;
    this.#scratch = new KeptCandidates(numerics);
  }

  /** Takes a whole vocabulary as it is; its edits must not change from now on. */
  takeWide(search: WideSearch): void {
    this.clear();
    this.#search = search;
    this.#divisor = search.wide.divisor;
  }

  /** Takes a list as it is. */
  takeKept(kept: KeptCandidates): void {
    this.clear();
    this.#max = kept.maxLogit();
    this.#total = kept.normalizer(); // here, where the steps after may share the exps
    this.#list = kept.hold();
  }

  /** M, the largest score. */
  get max(): number {
    if (Number.isNaN(this.#max)) this.#max = this.#source().wide.maxLogit(this.#divisor);
    return this.#max;
  }

  /** Z, the sum of exp(l - M) over all ids in ascending order. */
  get total(): number {
    if (Number.isNaN(this.#total)) this.#total = this.#source().wide.normalizer(this.#divisor);
    return this.#total;
  }

  /**
   * Sums what a logprob needs before the draw, so that the exps of the draw stay for the entropy; later, where the row has
   * exps already that the draw can use.
   */
  sumBeforeDraw(): void {
    const wide = this.#search?.wide;
    const isUsed = wide !== undefined && wide.divisor !== this.#divisor && wide.hasExps(wide.divisor);
    if (!isUsed) this.#sum();
  }

  /** ln of the softmax over the scores: (l - M) - ln Z, in nats; -Infinity for an id that is masked. */
  logprob(id: number): number {
    this.#sum();
    return this.#logit(id) - this.max - this.#logTotal;
  }

  /** The `count` most likely ids, most likely first, ties to the lower id; fewer when fewer are not masked. */
  best(count: number): RankedLogprob[] {
    const scratch = this.#scratch;
    const list = this.#list;
    if (list !== undefined) scratch.copy(list);
    else if (!this.#source().handBest(count, scratch, this.#divisor)) {
      scratch.takeRow(this.#source().wide, this.#divisor);
    }
    return Array.from({ length: Math.min(count, scratch.size) }, (_, rank) => {
      const id = scratch.idAtRank(rank);
      return { id, logprob: this.logprob(id) };
    });
  }

  /** Lets go of what was taken. */
  clear(): void {
    this.#search = undefined;
    this.#list = undefined;
    this.#max = Number.NaN;
    this.#total = Number.NaN;
    this.#logTotal = Number.NaN;
  }

  #sum(): void {
    if (Number.isNaN(this.#logTotal)) this.#logTotal = this.#numerics.log(this.total);
  }

  #logit(id: number): number {
    if (this.#list === undefined) return this.#source().wide.logit(id, this.#divisor);
    const { ids, logits, length } = this.#list;
    const position = ids === undefined ? id : findId(ids, length, id);
    return position < 0 ? -Infinity : (logits[position] as number);
  }

  #source(): WideSearch {
    if (this.#search !== undefined) return this.#search;
    throw new InvalidValueError('Scores', 'logits', 'taken from the candidates first', undefined);
  }
}
