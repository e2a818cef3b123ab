/**
 * The candidates copied out for a step to read as arrays.
 *
 * Copies, as the arrays that the candidates work in are shared with the scores and remembered from step to step: a step that
 * wrote to them would change what later steps and logprobs see. The copies are lent, so that a token allocates nothing once
 * there is room: each is filled anew whenever it is asked for.
 */
import type { RankedCandidates } from '../../processors/contract.js';
import type { Numerics } from '../numerics/numerics.js';
import { lentFloats, lentIds } from './lent-array.js';
import { ListCandidates } from './list-candidates.js';
import type { RowCandidates } from './row-candidates.js';

/** What is copied out. */
type Source = RowCandidates | ListCandidates;

export class CandidateViews {
  /** A list to sort the best of a row in, which stays as it is. */
  readonly best: ListCandidates;
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
    this.best = new ListCandidates(numerics);
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

  /** The best `count` of `source`, all where it has no more; `list` has them too, and may be `source` itself. */
  ranked(count: number, list: ListCandidates, source: Source): RankedCandidates {
    const size = Math.min(count, list.size);
    const ids = this.#rankedIds(size);
    const logits = this.#rankedLogits(size);
    const probabilities = this.#rankedProbabilities(size);
    list.copyRanked(ids, logits);
    for (let rank = 0; rank < size; rank++) probabilities[rank] = source.probability(ids[rank] as number);
    return { ids, logits, probabilities };
  }
}

function divideAll(exps: Float64Array, total: number): Float64Array {
  for (let i = 0; i < exps.length; i++) exps[i] = (exps[i] as number) / total;
  return exps;
}
