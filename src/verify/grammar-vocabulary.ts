/**
 * The vocabulary of the group `grammars`: every byte, pieces of JSON and of words, and an end. It stays as it is when the
 * embedded model changes.
 */
import type { Tokenizer } from '../../processors/tokenizer.js';

/** Beside the bytes, so that a token may begin, hold and end several parts of a text, and half a character. */
const PIECES = [
  ...['{"', '":', '":"', '","', '",', '"}', '"]', '["', '[{"', '{}', '[]', '[[', ']]', '}}', '}]', ']}', '},{"', '],"'],
  ...['": ', '", "', ': "', ', "', '  ', '\n', ' {', ' [', '":[', '":{"', '":null', ':true', 'true', 'false', 'null'],
  ...['0', '00', '12', '1e', 'e5', '.5', '-1', '-0', '20', '2026', '-12-', ':0', ':00', 'T0', '00Z', '19', '99', '100'],
  ...[
    'th',
    'he',
    'in',
    'er',
    'an',
    're',
    'on',
    'the',
    'and',
    'ing',
    ' the',
    ' and',
    'name',
    'age',
    'value',
    'children',
  ],
  ...[
    'yes',
    'no',
    'perhaps',
    'No',
    'ah',
    'Ada',
    'ab',
    'aa',
    'aaa',
    'aaaa',
    'ba',
    'bb',
    '\\n',
    '\\u',
    '\\"',
    '\\\\',
    'é',
  ],
  ...['ü', 'ß', 'Ж', 'λό', 'γος', '日', '日本', '€', '🕊', '🕊️', '()', '(1', '+', '*(', ')*', '1.', '255', '@', '.com'],
];
/** Parts of characters: of é and €, and of two that begin alike. */
const PARTS = [
  Uint8Array.of(0x22, 0xc3),
  Uint8Array.of(0xa9, 0x22),
  Uint8Array.of(0xe2, 0x82),
  Uint8Array.of(0xf0, 0x9f),
];
const BYTES = 256;

/** The bytes of each id, none for the special ones at the end; each sequence once. */
function makeTokens(): Uint8Array[] {
  const encoder = new TextEncoder();
  const words = PIECES.map((piece) => encoder.encode(piece)).filter(({ length }) => length > 1);
  const bytes = Array.from({ length: BYTES }, (_, byte) => Uint8Array.of(byte));
  return [...bytes, ...words, ...PARTS, new Uint8Array(), new Uint8Array()];
}

/** Cuts a text into the longest pieces, from its beginning on. */
export class VerifyTokenizer implements Tokenizer {
  readonly #tokens = makeTokens();

  get vocabSize(): number {
    return this.#tokens.length;
  }

  /** The last id; the one before it is a special token that no text has. */
  get endId(): number {
    return this.#tokens.length - 1;
  }

  encode(text: string): number[] {
    const bytes = new TextEncoder().encode(text);
    const ids: number[] = [];
    for (let at = 0; at < bytes.length; at += this.tokenBytes(ids.at(-1) as number).length) {
      ids.push(this.#longest(bytes, at));
    }
    return ids;
  }

  tokenBytes(id: number): Uint8Array {
    return this.#tokens[id] as Uint8Array;
  }

  #longest(bytes: Uint8Array, at: number): number {
    let best = bytes[at] as number;
    for (let id = BYTES; id < this.#tokens.length; id++) {
      const token = this.tokenBytes(id);
      if (token.length <= this.tokenBytes(best).length) continue;
      if (token.every((byte, i) => byte === bytes[at + i])) best = id;
    }
    return best;
  }
}
