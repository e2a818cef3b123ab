/**
 * Applies masks to candidates; a refusal names the step that gave the mask.
 */

import type { TokenMask } from '../../constraints/constraint.js';
import { type Candidates, NothingLeftError } from '../../contract.js';
import { type PackedMask, packMask } from './pack-mask.js';

/**
 * Keeps what `words`, ceil(V / 32) of them, allows. Where nothing would be left, throws what `refusal` gives, and nothing
 * changed.
 */
export function keepPacked(candidates: Candidates, words: PackedMask, refusal: () => NothingLeftError): void {
  try {
    candidates.keepMask(words);
  } catch (error) {
    throw error instanceof NothingLeftError ? refusal() : error;
  }
}

/** Masks that come anew for every token: packed into one array, which is made once. */
export class MaskKeeper {
  readonly #owner: string;
  #words = new Uint32Array(0);

  /** @param owner whom to name when a mask is refused */
  constructor(owner: string) {
    this.#owner = owner;
  }

  /** Keeps what `mask` allows, with `refusal` as for `keepPacked`. */
  keep(candidates: Candidates, mask: TokenMask, refusal: () => NothingLeftError): void {
    const { vocabSize } = candidates;
    const length = Math.ceil(vocabSize / 32);
    if (this.#words.length !== length) this.#words = new Uint32Array(length);
    keepPacked(candidates, packMask(mask, vocabSize, this.#words, this.#owner), refusal);
  }
}
