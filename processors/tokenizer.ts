/**
 * What Lockstep needs of a tokenizer: ids for a text, bytes for an id.
 */
import type { Ids } from './plain-ids.js';

export interface Tokenizer {
  /** Who the tokenizer is, as `LanguageModel.id`: equal for equal vocabularies, another string for others. */
  readonly id?: string | undefined;
  /**
   * How many ids it has, special tokens included: at most the model's V. Where a model's vocabulary is padded, the ids from
   * here to V stand for no bytes, and the tokenizer is not asked about them.
   */
  readonly vocabSize: number;
  /** The ids of `text`, without begin or end tokens. A special token written out in the text is ordinary text. */
  encode(text: string): Ids;
  /**
   * The UTF-8 bytes that `id` stands for: often not whole characters, so that only the bytes of several tokens together
   * decode to text. Empty for special tokens. Throws for an id outside [0, vocabSize).
   */
  tokenBytes(id: number): Uint8Array;
}
