/**
 * Texts as ids, by the tokenizer of the request.
 */
import { readIds } from '../../../src/inputs.js';
import { hasFunction } from '../../../src/kinds.js';
import { InvalidValueError } from '../../contract.js';
import type { Tokenizer } from '../../tokenizer.js';

/**
 * The ids of `text`, at least one. Throws InvalidValueError, naming `owner`, where there is no tokenizer, and, naming the
 * option `name`, for a text without ids.
 */
export function idsOfText(owner: string, name: string, text: string, tokenizer: Tokenizer | undefined): number[] {
  if (!hasFunction(tokenizer, 'encode')) {
    const way = 'the option `tokenizer`, TOKENS.tokenizer bound in the container, or the second argument of the class';
    throw new InvalidValueError(owner, 'tokenizer', `there, as \`${name}\` is a text: ${way}`, tokenizer);
  }
  const ids = readIds('Tokenizer', 'encode()', (tokenizer as Tokenizer).encode(text));
  if (ids.length === 0) throw new InvalidValueError(owner, name, 'a text that the tokenizer has ids for', text);
  return ids;
}

/** What a step that has texts depends on beside them, as `version` of a step: whose ids they are. */
export function tokenizerVersion({ id, vocabSize }: Tokenizer): string {
  return `${id ?? 'a tokenizer without an id'}, ${vocabSize} ids`;
}
