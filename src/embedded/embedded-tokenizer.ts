/**
 * The embedded model's tokenizer: byte-level BPE, over @huggingface/tokenizers.
 *
 * The library is given the vocabulary and the merges without the special tokens, so that one written out in a text has
 * no meaning to it. The ids of any text stand for the text's bytes, all of them and no others. Where a text is cut before
 * merging depends on the engine's Unicode tables (what is a letter), so a character that an engine's tables do not know
 * yet may give other ids there, for the same bytes.
 */
import { Tokenizer as BpeTokenizer } from '@huggingface/tokenizers';
import type { Tokenizer } from '../../processors/tokenizer.js';
import { InvalidValueError } from '../errors.js';
import { sha256 } from '../sha256.js';
import { byteOf } from './byte-alphabet.js';
import { readTokenizerJson, type TokenizerData } from './tokenizer-json.js';

const OWNER = 'EmbeddedTokenizer';

/** What is used of the library; its own declarations cannot be resolved as an ES module's. */
interface BpeEncoder {
  encode(text: string, options: { add_special_tokens: boolean }): { ids: number[] };
}

export class EmbeddedTokenizer implements Tokenizer {
  readonly vocabSize: number;
  readonly #encoder: BpeEncoder;
  readonly #bytes: readonly Uint8Array[];
  readonly #data: TokenizerData;
  #id: string | undefined;

  /**
   * `json` is the value of a tokenizer.json. Throws InvalidValueError for one that is not a byte-level BPE without
   * normalizer and prefix space, or that lacks a byte.
   */
  constructor(json: unknown) {
    const data = readTokenizerJson(json);
    this.#data = data;
    this.vocabSize = data.tokens.length;
    this.#encoder = createEncoder(data);
    this.#bytes = data.tokens.map((token, id) => (data.special.has(id) ? new Uint8Array() : bytesOf(token)));
  }

  /** SHA-256 of the tokens, the special ones and the merges; worked out when first asked for. */
  get id(): string {
    const { tokens, special, merges } = this.#data;
    this.#id ??= `sha256:${sha256(JSON.stringify([tokens, [...special], merges]))}`;
    return this.#id;
  }

  /** The ids of `text`: no special token among them, whatever the text. A lone surrogate counts as U+FFFD. */
  encode(text: string): number[] {
    if (typeof text !== 'string') throw new InvalidValueError(OWNER, 'text', 'a string', text);
    return this.#encoder.encode(text, { add_special_tokens: false }).ids;
  }

  /** The bytes that `id` stands for, a new array; empty for a special token. Throws for an id outside [0, V). */
  tokenBytes(id: number): Uint8Array {
    const bytes = Number.isInteger(id) ? this.#bytes[id] : undefined;
    if (bytes === undefined) throw new InvalidValueError(OWNER, 'id', `an integer in [0, ${this.vocabSize})`, id);
    return bytes.slice();
  }
}

function createEncoder({ vocab, merges }: TokenizerData): BpeEncoder {
  const json = {
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
    model: { type: 'BPE', vocab, merges },
    post_processor: null,
    decoder: null,
  };
  return new BpeTokenizer(json, {});
}

function bytesOf(token: string): Uint8Array {
  return Uint8Array.from(token, (character) => {
    const byte = byteOf(character);
    if (byte !== undefined) return byte;
    throw new InvalidValueError(OWNER, 'model.vocab', 'written in the byte alphabet', token);
  });
}
