/**
 * Drafts by looking up: where the end of the text occurred before, what came after it there comes again.
 *
 * Of all earlier places whose last ids equal the last ids of prompt and output, the one with the longest such n-gram; of
 * equally long ones the latest. The draft copies on from there, over what it drafted itself where it gets that far, so
 * that a text that repeats itself is drafted in full. Deterministic: q is one-hot and nothing is drawn.
 * Source: Saxena 2023, "Prompt Lookup Decoding"; the copy over itself as in Ziv and Lempel 1977.
 * Differs from Hugging Face: there the earliest place, n-grams of up to 2 by default, and no copying over itself.
 */
import { InvalidValueError } from '../../errors.js';
import type { Drafter, DraftRequest, DraftSession, DraftToken } from './draft.js';

export interface PromptLookupOptions {
  /** The longest n-gram to match, an integer >= minNgram. Default 8. */
  readonly maxNgram?: number;
  /** The shortest, an integer >= 1: with a shorter match nothing is drafted. Default 2. */
  readonly minNgram?: number;
}

export class PromptLookupDrafter implements Drafter {
  readonly #maxNgram: number;
  readonly #minNgram: number;

  constructor({ maxNgram = 8, minNgram = Math.min(2, maxNgram) }: PromptLookupOptions = {}) {
    if (!(Number.isInteger(minNgram) && minNgram >= 1)) {
      throw new InvalidValueError('PromptLookupDrafter', 'minNgram', 'an integer >= 1', minNgram);
    }
    if (!(Number.isInteger(maxNgram) && maxNgram >= minNgram)) {
      throw new InvalidValueError('PromptLookupDrafter', 'maxNgram', `an integer >= ${minNgram}`, maxNgram);
    }
    this.#maxNgram = maxNgram;
    this.#minNgram = minNgram;
  }

  open({ prompt }: DraftRequest): DraftSession {
    const ids = [...prompt];
    return {
      propose: (count) => this.#propose(ids, count),
      accept: (accepted) => void ids.push(...accepted),
    };
  }

  #propose(ids: readonly number[], count: number): DraftToken[] {
    const from = continuation(ids, this.#minNgram, this.#maxNgram);
    if (from === undefined) return [];
    const all = [...ids];
    for (let i = 0; i < count; i++) all.push(all[from + i] as number);
    return all.slice(ids.length).map((id) => ({ id }));
  }
}

/** The index after the latest of the longest earlier occurrences of the end of `ids`; undefined where none is long enough. */
function continuation(ids: readonly number[], shortest: number, longest: number): number | undefined {
  let best: number | undefined;
  let bestLength = shortest - 1;
  for (let end = ids.length - 1; end > bestLength && bestLength < longest; end--) {
    const length = matchLength(ids, end, longest);
    if (length <= bestLength) continue;
    best = end;
    bestLength = length;
  }
  return best;
}

/** How many ids before `end` equal the last ones, at most `longest`. */
function matchLength(ids: readonly number[], end: number, longest: number): number {
  let n = 0;
  while (n < longest && n < end && ids[end - 1 - n] === ids[ids.length - 1 - n]) n++;
  return n;
}
