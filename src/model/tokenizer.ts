/**
 * What Lockstep needs of a tokenizer: ids for a text, bytes for an id.
 */
export interface Tokenizer {
  /** V, special tokens included. */
  readonly vocabSize: number;
  /** The ids of `text`, without begin or end tokens. A special token written out in the text is ordinary text. */
  encode(text: string): number[];
  /**
   * The UTF-8 bytes that `id` stands for: often not whole characters, so that only the bytes of several tokens together
   * decode to text. Empty for special tokens. Throws for an id outside [0, V).
   */
  tokenBytes(id: number): Uint8Array;
}
