/**
 * The scores: the logits as they were where logprobs are defined. Temperature and filters do not change them.
 *
 * They share the arrays of the `CandidateSet` that they were taken from; it writes elsewhere while they hold them.
 */
import { InvalidValueError } from '../errors.js';
import type { Numerics } from '../numerics/numerics.js';
import { findId } from './find-id.js';
import { RankOrder } from './rank-order.js';

/** One of the most likely ids, by logprob. */
export interface RankedLogprob {
  readonly id: number;
  /** Nats. */
  readonly logprob: number;
}

export class Scores {
  readonly #numerics: Numerics;
  readonly #ranks = new RankOrder();
  /** Ascending; undefined where position and id are the same. */
  #ids: Int32Array | undefined;
  #logits: Float64Array | undefined;
  #length = 0;
  #max = 0;
  #total = 0;
  #logTotal = 0;

  constructor(numerics: Numerics) {
    this.#numerics = numerics;
  }

  take(ids: Int32Array | undefined, logits: Float64Array, length: number, max: number, total: number): void {
    this.#ids = ids;
    this.#logits = logits;
    this.#length = length;
    this.#max = max;
    this.#total = total;
    this.#logTotal = this.#numerics.log(total);
    this.#ranks.forget();
  }

  /** M, the largest score. */
  get max(): number {
    return this.#max;
  }

  /** Z, the sum of exp(l - M) over all ids. */
  get total(): number {
    return this.#total;
  }

  clear(): void {
    this.#ids = undefined;
    this.#logits = undefined;
  }

  holdsIds(ids: Int32Array): boolean {
    return this.#ids === ids;
  }

  holdsLogits(logits: Float64Array): boolean {
    return this.#logits === logits;
  }

  /** ln of the softmax over the scores: (l - M) - ln Z, in nats; -Infinity for an id that is masked. */
  logprob(id: number): number {
    const position = this.#find(id);
    return position < 0 ? -Infinity : this.#logprobAt(position);
  }

  /** The `count` most likely ids, most likely first, ties to the lower id; fewer when fewer are not masked. */
  best(count: number): RankedLogprob[] {
    const logits = this.#held();
    let size = 0;
    for (let i = 0; i < this.#length; i++) if ((logits[i] as number) > -Infinity) size++;
    const wanted = Math.min(count, size);
    this.#ranks.extend(wanted, logits, this.#length, size);
    return Array.from({ length: wanted }, (_, rank) => {
      const position = this.#ranks.at(rank);
      return { id: this.#ids?.[position] ?? position, logprob: this.#logprobAt(position) };
    });
  }

  #logprobAt(position: number): number {
    return (this.#held()[position] as number) - this.#max - this.#logTotal;
  }

  #held(): Float64Array {
    if (this.#logits === undefined) {
      throw new InvalidValueError('Scores', 'logits', 'taken from the candidates first', undefined);
    }
    return this.#logits;
  }

  #find(id: number): number {
    return this.#ids === undefined ? id : findId(this.#ids, this.#length, id);
  }
}
