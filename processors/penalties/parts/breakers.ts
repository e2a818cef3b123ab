/**
 * Where repeats end: ids, and texts by the tokenizer of the request.
 */
import { type ListSchema, listOf } from '../../list-schema.js';
import { idsOfText } from '../../masks/parts/text-ids.js';
import type { Tokenizer } from '../../tokenizer.js';
import * as z from '../../zod.js';

const BREAKER = 'a non-empty text or an id, an integer >= 0';

function isBreaker(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : Number.isInteger(value) && (value as number) >= 0;
}

/** Texts and ids. */
export function breakerList(): ListSchema<string | number> {
  return listOf(z.custom<string | number>(isBreaker, { error: BREAKER }), 'an array of texts and ids');
}

/**
 * The id of each of `breakers`. A text is taken behind a letter, as tokenizers put a space in front of the first word, and its
 * last id is it.
 */
export function breakerIds(
  owner: string,
  breakers: readonly (string | number)[],
  tokenizer: Tokenizer | undefined,
): number[] {
  return breakers.map((one, i) => {
    if (typeof one === 'number') return one;
    return idsOfText(owner, `breakers[${i}]`, `a${one}`, tokenizer).at(-1) as number;
  });
}
