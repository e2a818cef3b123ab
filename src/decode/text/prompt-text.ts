/**
 * The text of a prompt, for `echo`.
 */
import type { Tokenizer } from '../../../processors/tokenizer.js';
import type { Prompt } from '../prompt-ids.js';
import { type HeldText, NOTHING_HELD } from './text-stream.js';
import { Utf8Pieces } from './utf8-pieces.js';

export interface PromptText {
  /** A text as it was given; of ids the whole characters that they stand for. */
  readonly echo: string;
  /** The beginning of a character that the output may end, where the ids are cut within one. */
  readonly held: HeldText;
}

/** The text of `prompt`, whose ids are `ids`. */
export function promptText(prompt: Prompt, ids: readonly number[], tokenizer: Tokenizer): PromptText {
  const pieces = new Utf8Pieces();
  const text = ids.map((id) => pieces.push(tokenizer.tokenBytes(id))).join('');
  if (typeof prompt === 'string') return { echo: prompt, held: NOTHING_HELD };
  return { echo: text, held: { ...NOTHING_HELD, bytes: pieces.rest } };
}
