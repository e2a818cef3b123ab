/**
 * A mask that stays the same for a whole request: packed once V is known.
 */

import type { TokenMask } from '../../constraints/constraint.js';
import { type Candidates, NothingLeftError } from '../../contract.js';
import { checkWithin, LEAVES_ONE } from './ids.js';
import { keepPacked } from './mask-keeper.js';
import { type PackedMask, packMask } from './pack-mask.js';

export class PackedIds {
  readonly #ids: readonly number[];
  readonly #mask: TokenMask;
  readonly #owner: string;
  #words: PackedMask = new Uint32Array(0);
  #vocabSize = 0;

  /**
   * @param form whether `ids` are those that stay or those that go
   * @param owner whom to name when `ids` do not fit the candidates
   */
  constructor(form: 'allow' | 'ban', ids: readonly number[], owner: string) {
    this.#ids = ids;
    this.#mask = form === 'allow' ? { allow: ids } : { ban: ids };
    this.#owner = owner;
  }

  /** Keeps what the mask allows. Refuses an id that is not below V, and to leave nothing; then nothing changed. */
  keep(candidates: Candidates): void {
    this.#fit(candidates.vocabSize);
    keepPacked(candidates, this.#words, () => new NothingLeftError(this.#owner, 'ids', LEAVES_ONE, this.#ids));
  }

  #fit(vocabSize: number): void {
    if (vocabSize === this.#vocabSize) return;
    checkWithin(this.#ids, vocabSize, this.#owner, 'ids');
    this.#words = packMask(this.#mask, vocabSize);
    this.#vocabSize = vocabSize;
  }
}
