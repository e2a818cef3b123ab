/**
 * The text that ids stand for together: characters that are cut across tokens come whole.
 */
import type { Tokenizer } from '../model/tokenizer.js';
import { Utf8Pieces } from './utf8-pieces.js';

export function textOfIds(ids: readonly number[], tokenizer: Tokenizer): string {
  const pieces = new Utf8Pieces();
  return ids.map((id) => pieces.push(tokenizer.tokenBytes(id))).join('') + pieces.end();
}
