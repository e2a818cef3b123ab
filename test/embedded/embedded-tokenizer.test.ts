import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BYTE_CHARACTERS } from '../../src/embedded/byte-alphabet.js';
import { EmbeddedTokenizer } from '../../src/embedded/embedded-tokenizer.js';
import { concatenated } from '../support/safetensors-file.js';
import { fixtureJson } from './fixture-files.js';

const tokenizer = new EmbeddedTokenizer(fixtureJson('tokenizer.json'));
const utf8 = new TextEncoder();

function bytesOf(ids: readonly number[]): Uint8Array {
  return concatenated(ids.map((id) => tokenizer.tokenBytes(id)));
}

function expectRoundTrip(text: string): void {
  const ids = tokenizer.encode(text);
  expect(ids.every((id) => id > 1 && id < tokenizer.vocabSize)).toBe(true);
  expect(bytesOf(ids)).toEqual(utf8.encode(text));
}

describe('EmbeddedTokenizer', () => {
  it('counts the special tokens', () => {
    expect(tokenizer.vocabSize).toBe(1536);
  });

  // From the library that trained it: Tokenizer.from_file('tokenizer.json').encode(text, add_special_tokens=False).ids
  // of the Python package tokenizers 0.23.3.
  it.each([
    ['', []],
    ['In the beginning', [1132, 260, 813, 266, 1243]],
    [
      'In the beginning God created the heaven and the earth.\n',
      [1132, 260, 813, 266, 1243, 388, 281, 554, 284, 260, 735, 269, 260, 618, 15, 200],
    ],
    ['  two  spaces\n\n\tand a tab ', [222, 699, 222, 421, 1280, 200, 200, 199, 377, 261, 876, 222]],
    ["LORD's don't we'll", [45, 342, 500, 287, 285, 8, 85, 457, 8, 277]],
    ['1234567890', [18, 19, 20, 21, 22, 23, 24, 25, 26, 17]],
    [
      'naïve café — 日本語 🙂',
      [
        79, 66, 129, 109, 318, 468, 71, 129, 104, 222, 160, 224, 244, 222, 164, 247, 100, 164, 252, 107, 166, 105, 254,
        222, 174, 255, 249, 226,
      ],
    ],
  ])('encodes %j as the library that trained it does', (text, ids) => {
    expect(tokenizer.encode(text)).toEqual(ids);
    expect(bytesOf(ids)).toEqual(utf8.encode(text));
  });

  it.each(['<|begin|>', '<|end|>', 'a<|begin|>b', '<|begin|><|end|>', ' <|end|> '])(
    'takes a special token written out as ordinary text: %j',
    (text) => {
      expectRoundTrip(text);
    },
  );

  it.each([
    ['every ASCII character', String.fromCharCode(...Array.from({ length: 128 }, (_, i) => i))],
    ['control characters, each alone', '\u0000 \u0001\u0002 \u001b\u007f\u0085\u009f\ufeff'],
    ['emoji of several code points', '👩‍👩‍👧‍👦 🏳️‍🌈 🇬🇧 1️⃣'],
    ['the last code point', '\u{10ffff}'],
    ['the alphabet of the bytes', BYTE_CHARACTERS.join('')],
    ['a word of 10,000 letters', 'ab'.repeat(5000)],
    ['line ends', '\r\n\n\r\u2028\u2029'],
  ])('gives ids whose bytes are the text: %s', (_, text) => {
    expectRoundTrip(text);
  });

  it('gives ids whose bytes are the text, whatever the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('<|begin|>', '<|end|>', ' the', "'s", ' ', '\n', 'LORD', 'Ġ', '\u0000', '🙂', '\ufffd'),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expectRoundTrip(pieces.join(''));
      }),
      { numRuns: 500 },
    );
  });

  it('takes a lone surrogate for U+FFFD, as UTF-8 does', () => {
    for (const text of ['\ud800', 'a\udc00b', '\udc00\ud800', '🙂\ud83d 🙂']) expectRoundTrip(text);
  });

  it('has no bytes for special tokens and at least one for every other', () => {
    const lengths = Array.from({ length: tokenizer.vocabSize }, (_, id) => tokenizer.tokenBytes(id).length);
    expect(lengths.slice(0, 2)).toEqual([0, 0]);
    expect(Math.min(...lengths.slice(2))).toBe(1);
  });

  it('gives a new array each time', () => {
    const [id = 0] = tokenizer.encode('a');
    tokenizer.tokenBytes(id)[0] = 0;
    expect(tokenizer.tokenBytes(id)).toEqual(utf8.encode('a'));
  });

  it.each([-1, 1536, 0.5, Number.NaN])('refuses %d as an id', (id) => {
    expect(() => tokenizer.tokenBytes(id)).toRefuse(
      `EmbeddedTokenizer: \`id\` must be an integer in [0, 1536), got ${id}`,
    );
  });

  it('refuses what is not a text', () => {
    expect(() => tokenizer.encode(7 as unknown as string)).toRefuse(
      'EmbeddedTokenizer: `text` must be a string, got 7',
    );
  });
});

describe('EmbeddedTokenizer, given a tokenizer.json of another kind', () => {
  /** 256 bytes, `th`, and one special token. */
  function small() {
    const vocab: Record<string, number> = Object.fromEntries(BYTE_CHARACTERS.map((character, i) => [character, i]));
    return {
      added_tokens: [{ id: 257, content: '<end>', special: true }],
      normalizer: null as unknown,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
      model: {
        type: 'BPE',
        ignore_merges: false,
        vocab: { ...vocab, th: 256 } as Record<string, number>,
        merges: [['t', 'h']],
      },
    };
  }

  it('reads a small one, special tokens outside the vocabulary', () => {
    const it = new EmbeddedTokenizer(small());
    expect(it.vocabSize).toBe(258);
    expect(it.encode('th<end>')).toEqual([256, 0x3c, 0x65, 0x6e, 0x64, 0x3e]);
    expect(it.tokenBytes(257)).toHaveLength(0);
  });

  it.each<[string, (json: ReturnType<typeof small>) => void, string]>([
    [
      'another model',
      (j) => {
        j.model.type = 'WordPiece';
      },
      '`model.type` must be "BPE", got "WordPiece"',
    ],
    [
      'whole words looked up',
      (j) => {
        j.model.ignore_merges = true;
      },
      '`model.ignore_merges` must be false, got true',
    ],
    [
      'a normalizer',
      (j) => {
        j.normalizer = { type: 'NFC' };
      },
      '`normalizer` must be null, got { type: "NFC" }',
    ],
    [
      'another pre-tokenizer',
      (j) => {
        j.pre_tokenizer.type = 'Whitespace';
      },
      '`pre_tokenizer.type` must be "ByteLevel", got "Whitespace"',
    ],
    [
      'a prefix space',
      (j) => {
        j.pre_tokenizer.add_prefix_space = true;
      },
      '`pre_tokenizer.add_prefix_space` must be false, got true',
    ],
    [
      'an added token that is not special',
      (j) => {
        j.added_tokens = [{ id: 257, content: '<end>', special: false }];
      },
      '`added_tokens[0].special` must be true, got false',
    ],
    [
      'a byte without a token',
      (j) => {
        delete j.model.vocab.ÿ;
      },
      '`model.vocab` must be such that "ÿ" is an ordinary token, got "no token"',
    ],
    [
      'a merge without a token',
      (j) => {
        j.model.merges.push(['t', 'e']);
      },
      '`model.merges` must be such that "te" is an ordinary token, got "no token"',
    ],
    [
      'a merge to a special token',
      (j) => {
        j.added_tokens = [{ id: 256, content: 'th', special: true }];
      },
      '`model.merges` must be such that "th" is an ordinary token, got 256',
    ],
    [
      'a gap in the ids',
      (j) => {
        j.model.vocab.th = 300;
      },
      '`model.vocab` must be a numbering of 258 tokens from 0, got { th: 300 }',
    ],
    [
      'an id twice',
      (j) => {
        j.model.vocab.th = 5;
      },
      '`model.vocab` must be a numbering of 258 tokens from 0, got { th: 5 }',
    ],
    [
      'a token outside the alphabet',
      (j) => {
        j.model.vocab.日 = 258;
      },
      '`model.vocab` must be written in the byte alphabet, got "日"',
    ],
  ])('refuses %s', (_, change, message) => {
    const json = small();
    change(json);
    expect(() => new EmbeddedTokenizer(json)).toRefuse(`EmbeddedTokenizer: ${message}`);
  });

  it.each([null, 7, []])('refuses %j', (json) => {
    expect(() => new EmbeddedTokenizer(json)).toThrow(/^EmbeddedTokenizer: /);
  });
});
