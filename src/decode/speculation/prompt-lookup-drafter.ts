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
import { anyField } from '../../options/fields.js';
import { optionsOf } from '../../options/options-of.js';
import { checkDraftRequest, type Drafter, type DraftRequest, type DraftSession, type DraftToken } from './draft.js';
import { type Occurrence, Occurrences } from './occurrences.js';

export interface PromptLookupOptions {
  /** The longest n-gram to match, an integer >= minNgram. Default 8. */
  readonly maxNgram?: number;
  /** The shortest, an integer >= 1: with a shorter match nothing is drafted. Default 2, or 1 where maxNgram is 1. */
  readonly minNgram?: number;
}

const LOOKUP_OPTIONS = optionsOf<PromptLookupOptions>({ maxNgram: anyField, minNgram: anyField });

export class PromptLookupDrafter implements Drafter {
  readonly #maxNgram: number;
  readonly #minNgram: number;

  constructor(options: PromptLookupOptions = {}) {
    const own = LOOKUP_OPTIONS.check('PromptLookupDrafter', options);
    const { maxNgram = 8, minNgram: least = 1 } = own;
    if (!(Number.isInteger(least) && least >= 1)) {
      throw new InvalidValueError('PromptLookupDrafter', 'minNgram', 'an integer >= 1', least);
    }
    if (!(Number.isInteger(maxNgram) && maxNgram >= least)) {
      throw new InvalidValueError('PromptLookupDrafter', 'maxNgram', `an integer >= ${least}`, maxNgram);
    }
    this.#maxNgram = maxNgram;
    this.#minNgram = own.minNgram ?? Math.min(2, maxNgram);
  }

  open(request: DraftRequest): DraftSession {
    const { prompt, vocabSize } = checkDraftRequest('PromptLookupDrafter', request);
    const ids = [...prompt];
    const occurrences = new Occurrences(ids, this.#maxNgram, vocabSize);
    return {
      propose: (count) => this.#propose(ids, occurrences.find(), count),
      accept: (accepted) => void ids.push(...accepted),
    };
  }

  #propose(ids: readonly number[], found: Occurrence | undefined, count: number): DraftToken[] {
    if (found === undefined || found.length < this.#minNgram) return [];
    const draft: DraftToken[] = [];
    for (let at = found.end; draft.length < count; at++) {
      draft.push(at < ids.length ? { id: ids[at] as number } : (draft[at - ids.length] as DraftToken));
    }
    return draft;
  }
}
