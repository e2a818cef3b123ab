/**
 * A pool of candidate sets: a request borrows one for a token, and has none between two tokens.
 *
 * A set holds some 50 bytes for each id of the vocabulary, with a WebAssembly memory of its own, which no request needs
 * before its next token. A borrower has its set alone until it gives it back, however many others sample meanwhile; a set
 * that is never given back is garbage-collected with its borrower. The pool is bounded: beyond `most` sets, the one that
 * was unused longest is dropped.
 */

import { CandidateSet } from '../candidates/candidate-set.js';
import { InvalidValueError } from '../errors.js';
import type { Logits } from '../logits.js';
import type { Numerics } from '../numerics/numerics.js';

export class CandidateLender {
  readonly #most: number;
  /** Those given back, the latest last. */
  readonly #free: CandidateSet[] = [];
  readonly #lent = new WeakSet<CandidateSet>();
  /** The one that served last, lent or not. */
  #latest: CandidateSet | undefined;

  /** @param most sets kept for the next borrower, an integer >= 0 */
  constructor(most: number) {
    this.#most = most;
  }

  /** How many sets lie here. */
  get size(): number {
    return this.#free.length;
  }

  /** A set of one's own for logits as long as these, which are not loaded: one that lies here, or a new one. */
  borrow(numerics: Numerics, logits: Logits): CandidateSet {
    const set = this.#take(numerics, logits) ?? new CandidateSet(numerics);
    this.#lent.add(set);
    this.#latest = set;
    return set;
  }

  /** The array for the next logits, in the set that served last where it fits. */
  buffer(numerics: Numerics, vocabSize: number): Float32Array {
    const fits = (set: CandidateSet | undefined) => set?.vocabSize === vocabSize && set.numerics === numerics;
    let set = fits(this.#latest) ? this.#latest : this.#free.findLast(fits);
    if (set === undefined) {
      set = new CandidateSet(numerics);
      this.#keep(set);
    }
    this.#latest = set;
    return set.lendBuffer(vocabSize);
  }

  /** Takes back a set that the borrower reads no more, once. One that never took logits holds no arrays and is dropped. */
  giveBack(set: CandidateSet): void {
    if (!this.#lent.delete(set)) throw new InvalidValueError('CandidateLender', 'set', 'one that is lent', set);
    if (set.vocabSize > 0) this.#keep(set);
  }

  #keep(set: CandidateSet): void {
    this.#free.push(set);
    if (this.#free.length > this.#most) this.#free.shift();
  }

  /** Lends a set for as long as `use` runs. */
  lend<T>(numerics: Numerics, logits: Logits, use: (candidates: CandidateSet) => T): T {
    const set = this.borrow(numerics, logits);
    try {
      return use(set);
    } finally {
      this.giveBack(set);
    }
  }

  /** Takes out the set that fits and came back last. */
  #take(numerics: Numerics, logits: Logits): CandidateSet | undefined {
    const vocabSize = (logits as Logits | undefined)?.length; // what is no vector is refused by `load`
    let at = this.#free.length - 1;
    while (at >= 0 && !(this.#free[at]?.vocabSize === vocabSize && this.#free[at]?.numerics === numerics)) at--;
    return at < 0 ? undefined : this.#free.splice(at, 1)[0];
  }
}

/** How many sets a thread keeps: requests are sampled one after another, so one is enough but for several vocabularies. */
const MOST = 4;

/** The lender of this thread. */
export const threadLender = new CandidateLender(MOST);
