/**
 * The one place where a tokenizer from outside enters: its fields are checked when decoding begins, its results as they come.
 *
 * A model's vocabulary is often padded to a round number, so that it has ids that its tokenizer does not have. They stand
 * for no bytes, here as everywhere: the tokenizer is not asked about them.
 */

import type { Tokenizer } from '../../processors/tokenizer.js';
import { InvalidValueError } from '../errors.js';
import { readIds } from '../inputs.js';
import { hasFunction, isInstance, isUint8Array } from '../kinds.js';
import { checkedId } from './identity.js';

const OWNER = 'Tokenizer';

export class CheckedTokenizer implements Tokenizer {
  readonly vocabSize: number;
  readonly #given: Tokenizer;
  readonly #owner: string;

  /** Throws InvalidValueError, naming `owner`, for what is no tokenizer. */
  constructor(owner: string, given: Tokenizer) {
    const isTokenizer = hasFunction(given, 'encode') && hasFunction(given, 'tokenBytes');
    if (!isTokenizer) {
      throw new InvalidValueError(owner, 'tokenizer', 'a Tokenizer (with `encode` and `tokenBytes`)', given);
    }
    const { vocabSize } = given;
    if (!(Number.isSafeInteger(vocabSize) && vocabSize >= 1)) {
      throw new InvalidValueError(owner, 'tokenizer.vocabSize', 'an integer >= 1', vocabSize);
    }
    this.vocabSize = vocabSize;
    this.#given = given;
    this.#owner = owner;
  }

  get id(): string | undefined {
    return checkedId(this.#owner, 'tokenizer.id', this.#given.id);
  }

  encode(text: string): number[] {
    const given: unknown = this.#given.encode(text);
    return readIds(OWNER, 'encode()', given, this.vocabSize);
  }

  /** The bytes that `id` stands for: none for one that only the model has. */
  tokenBytes(id: number): Uint8Array {
    if (id >= this.vocabSize) return new Uint8Array();
    const bytes: unknown = this.#given.tokenBytes(id);
    if (isUint8Array(bytes)) return bytes;
    throw new InvalidValueError(OWNER, `tokenBytes(${id})`, 'a Uint8Array', bytes);
  }
}

/**
 * `given` as a tokenizer that is checked, beside a model of `vocabSize` ids where there is one. One with more ids than the
 * model is refused: it is most likely another model's.
 */
export function checkedTokenizer(
  owner: string,
  given: Tokenizer,
  vocabSize = Number.POSITIVE_INFINITY,
): CheckedTokenizer {
  const tokenizer = isInstance(given, CheckedTokenizer) ? given : new CheckedTokenizer(owner, given);
  if (tokenizer.vocabSize <= vocabSize) return tokenizer;
  const domain = `at most ${vocabSize}, the model's`;
  throw new InvalidValueError(owner, 'tokenizer.vocabSize', domain, tokenizer.vocabSize);
}
