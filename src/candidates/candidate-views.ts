/**
 * The candidates copied out for a step to read as arrays.
 *
 * Copies, as the arrays that the candidates work in are shared with the scores and remembered from step to step: a step that
 * wrote to them would change what later steps and logprobs see. The copies are lent, so that a token allocates nothing once
 * there is room: each is filled anew whenever it is asked for.
 */
import type { RankedCandidates } from '../../processors/contract.js';
import type { Numerics } from '../numerics/numerics.js';
import { KeptCandidates } from './kept-candidates.js';
import { lentFloats, lentIds } from './lent-array.js';
import type { WideCandidates } from './wide-candidates.js';

/** What is copied out: the whole vocabulary, or the list. */
type Source = WideCandidates | KeptCandidates;

export class CandidateViews {
  /** A list to sort the best of a whole vocabulary in, which stays whole. */
  readonly best: KeptCandidates;
  readonly #numerics: Numerics;
  readonly #ids = lentIds();
  readonly #logits = lentFloats();
  readonly #probabilities = lentFloats();
  readonly #logProbabilities = lentFloats();
  readonly #rankedIds = lentIds();
  readonly #rankedLogits = lentFloats();
  readonly #rankedProbabilities = lentFloats();

  constructor(numerics: Numerics) {
    this.#numerics = numerics;
    this.best = new KeptCandidates(numerics);
  }

  ids(source: Source): Int32Array {
    const ids = this.#ids(source.size);
    source.copyIds(ids);
    return ids;
  }

  logits(source: Source): Float64Array {
    const logits = this.#logits(source.size);
    source.copyLogits(logits);
    return logits;
  }

  probabilities(source: Source): Float64Array {
    const probabilities = this.#probabilities(source.size);
    source.copyExps(probabilities);
    return divideAll(probabilities, source.normalizer());
  }

  logProbabilities(source: Source): Float64Array {
    const logProbabilities = this.#logProbabilities(source.size);
    source.copyLogits(logProbabilities);
    const max = source.maxLogit();
    const logTotal = this.#numerics.log(source.normalizer());
    for (let i = 0; i < logProbabilities.length; i++) {
      logProbabilities[i] = (logProbabilities[i] as number) - max - logTotal;
    }
    return logProbabilities;
  }

  /** The best `count` of `list`, all where it has no more. */
  rankedList(count: number, list: KeptCandidates): RankedCandidates {
    const ranked = this.#ranked(Math.min(count, list.size));
    list.copyRanked(ranked.ids, ranked.logits);
    list.copyRankedExps(ranked.probabilities);
    divideAll(ranked.probabilities, list.normalizer());
    return ranked;
  }

  /** The best `count` of `row`, all where it has no more; `best` was handed them. */
  rankedRow(count: number, row: WideCandidates): RankedCandidates {
    const ranked = this.#ranked(Math.min(count, this.best.size));
    this.best.copyRanked(ranked.ids, ranked.logits);
    const total = row.normalizer(); // brings the exps up to date
    for (let rank = 0; rank < ranked.ids.length; rank++) {
      ranked.probabilities[rank] = row.expOf(ranked.ids[rank] as number) / total;
    }
    return ranked;
  }

  #ranked(count: number): RankedCandidates {
    return {
      ids: this.#rankedIds(count),
      logits: this.#rankedLogits(count),
      probabilities: this.#rankedProbabilities(count),
    };
  }
}

function divideAll(exps: Float64Array, total: number): Float64Array {
  for (let i = 0; i < exps.length; i++) exps[i] = (exps[i] as number) / total;
  return exps;
}
