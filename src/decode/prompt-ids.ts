/**
 * The ids of a prompt, given as ids or as text.
 */
import type { Ids } from '../../processors/plain-ids.js';
import { InvalidValueError } from '../errors.js';
import { readIds } from '../inputs.js';
import type { CheckedTokenizer } from '../model/checked-tokenizer.js';

/** A text, or ids in an array or a typed array, without the begin token. */
export type Prompt = string | Ids;

/** The ids of `prompt`, a copy. Throws InvalidValueError, naming `owner`, for what is no prompt of a model of V ids. */
export function promptIds(
  owner: string,
  prompt: Prompt,
  tokenizer: CheckedTokenizer | undefined,
  vocabSize: number,
): readonly number[] {
  if (typeof prompt === 'string') return encoded(owner, prompt, tokenizer);
  return readIds(owner, 'prompt', prompt, vocabSize, 'a text or an array of ids');
}

function encoded(owner: string, text: string, tokenizer: CheckedTokenizer | undefined): readonly number[] {
  if (tokenizer !== undefined) return tokenizer.encode(text);
  throw new InvalidValueError(owner, 'tokenizer', 'given where the prompt is a text', tokenizer);
}
