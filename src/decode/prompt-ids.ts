/**
 * What a text goes on from.
 */
import { type Ids, plainIds } from '../../processors/plain-ids.js';
import { InvalidValueError } from '../errors.js';
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
  const ids = plainIds(prompt);
  if (!Array.isArray(ids)) throw new InvalidValueError(owner, 'prompt', 'a text or an array of ids', prompt);
  for (let i = 0; i < ids.length; i++) {
    const id: unknown = ids[i];
    if (Number.isInteger(id) && (id as number) >= 0 && (id as number) < vocabSize) continue;
    throw new InvalidValueError(owner, `prompt[${i}]`, `an integer in [0, ${vocabSize})`, id);
  }
  return [...ids];
}

function encoded(owner: string, text: string, tokenizer: CheckedTokenizer | undefined): readonly number[] {
  if (tokenizer !== undefined) return tokenizer.encode(text);
  throw new InvalidValueError(owner, 'tokenizer', 'given where the prompt is a text', tokenizer);
}
