/**
 * Regular expressions of grammars against JavaScript's own.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createGrammars, type Grammars } from '../../src/grammar/index.js';
import { InvalidValueError, Pcg32 } from '../../src/index.js';
import { accepts, BYTE_TOKENIZER, END } from './byte-tokens.js';

let grammars: Grammars;

beforeAll(async () => {
  grammars = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
});

function refused(pattern: unknown): InvalidValueError {
  try {
    grammars.regex(pattern as string);
  } catch (error) {
    if (error instanceof InvalidValueError) return error;
  }
  throw new Error(`${pattern} was not refused with an InvalidValueError`);
}

const PATTERNS_AT_RANDOM = Number(process.env.REGEXES ?? 150);
const TEXTS_EACH = 12;

/** Texts near the borders of every class and of UTF-8's widths. */
const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'ba',
  'aab',
  'abc',
  'aaaa',
  '0',
  '7',
  '42',
  '_',
  '-',
  '^',
  ']',
  '\\',
  '"',
  '.',
  'é',
  'ж',
]
  .concat([
    '\0',
    '\t',
    '\n',
    '\r',
    ' ',
    '\x7f',
    '\x80',
    '\xa0',
    '\xff',
    '\u07ff',
    '\u0800',
    '\u1680',
    '\u2028',
    '\u2029',
  ])
  .concat([
    '\u3000',
    '\ud7ff',
    '\ue000',
    '\ufeff',
    '\uffff',
    '😀',
    '😁',
    '\u{10ffff}',
    'aé😀',
    '日本',
    'a\nb',
    'x=1',
    'K',
    '#',
    '&',
    '&&',
    '~',
    '/',
    '//',
    'a/b',
    'Ω',
  ])
  .concat([
    'a.b',
    '"a"',
    '(a)',
    'a|b',
    '2024-02-29',
    'foo',
    'foofoo',
    'ééé',
    'aé😀日本aaa',
    'aé😀日本aaaa',
    'ééééééééb',
    '\u{10000}',
    '\u0100',
    '\u0400',
  ]);

const PATTERNS: [pattern: string, why: string][] = [
  ['', 'the empty text'],
  ['a|', 'an empty alternative'],
  ['a|b|', 'an empty last one'],
  ['()', 'an empty group'],
  ['^ab$', 'anchors around the whole'],
  ['^a|b$', 'anchors of single alternatives'],
  ['.', 'no line ends'],
  ['.+', 'a run of anything'],
  ['\\d+', 'digits'],
  ['\\w+', 'ASCII letters'],
  ['\\s', 'white space of Unicode'],
  ['\\S', 'all but that'],
  ['\\D', 'no digit'],
  ['\\W', 'no letter'],
  ['[^]', 'anything'],
  ['[^a]', 'a negated class has characters beyond ASCII'],
  ['[^é]', 'and may exclude them'],
  ['[^\\s\\d]', 'classes in a negated class'],
  ['[é-ж]', 'a range beyond ASCII'],
  ['[\\x7f-\\xa0]', 'a range across a width of UTF-8'],
  ['[\\u07ff-\\u0800]', 'another one'],
  ['[\\uffff-\\u{10000}]', 'and another one'],
  ['[\\ud000-\\uf000]', 'a range across the surrogates'],
  ['[😀-😁]', 'a range of emoji'],
  ['\\ud83d\\ude00', 'a pair of surrogates'],
  ['[\\u{1f600}]', 'a character in a class'],
  ['\\0', 'NUL'],
  ['[\\0-\\t]', 'control characters'],
  ['[\\b\\cA-]', 'escapes in a class, a hyphen at its end'],
  ['[\\]\\\\^-]', 'signs of the syntax in a class'],
  ['\\.|\\\\|\\^|"', 'signs of the syntax'],
  ['(?:ab)*', 'a group that repeats'],
  ['(?<n>a)b?', 'a named group'],
  ['a{2,3}b', 'from 2 to 3'],
  ['a{4}', 'exactly 4'],
  ['a{2,}', '2 or more'],
  ['a{0}b', 'none'],
  ['(?:a{0}|b){0,2}', 'none of some'],
  ['a+?b*?', 'lazy repetitions'],
  ['(?:a*)*b', 'repetitions of what may be empty'],
  ['(?:|a|ab)+c', 'alternatives that begin alike'],
  ['[0-9]{4}-(?:0[1-9]|1[0-2])-[0-3][0-9]', 'a date'],
  ['(foo){1,2}|日本|é{3}', 'words'],
  ['a/b|//|/', 'slashes, which end a regular expression in Lark'],
  ['#| |&&|[a&&b]|[~~-]', 'signs that Rust reads otherwise'],
  ['\\p{L}+', 'letters'],
  ['[^\\p{Lu}\\d]', 'properties in a class'],
  ['\\P{Script=Greek}', 'a script'],
  ['\\p{ASCII}|\\p{Any}', 'wide properties'],
  ['[]|a', 'a class of nothing'],
];

describe('regular expressions', () => {
  it.each(PATTERNS)('/%s/ is read as JavaScript reads it (%s)', (pattern) => {
    const expected = new RegExp(`^(?:${pattern})$`, 'u');
    const constraint = grammars.regex(pattern).constraint();
    const differing = TEXTS.filter((text) => accepts(constraint, text) !== expected.test(text));
    expect(differing).toEqual([]);
  });

  it('agree with JavaScript on random patterns and texts', () => {
    const random = new Pcg32(7n, 1n);
    const letters = ['a', 'b', 'é', '😀', '-'];
    const pick = <T>(from: readonly T[]): T => from[random.below(from.length)] as T;
    const atoms = ['a', 'b', 'é', '😀', '.', '[^b]', '[a-é]', '[^é-😀]', '\\w', '\\W', '-'];
    const pattern = (depth: number): string => {
      const kind = random.below(depth > 0 ? 5 : 1);
      if (kind === 0) return pick(atoms);
      if (kind === 1) return `(?:${pattern(depth - 1)}|${pattern(depth - 1)})`;
      if (kind === 2) return `(?:${pattern(depth - 1)})${pick(['*', '+', '?', '{2}', '{1,2}', '{0,3}', '{0,9}'])}`;
      return pattern(depth - 1) + pattern(depth - 1);
    };
    const differing: string[] = [];
    let matches = 0;
    for (let i = 0; i < PATTERNS_AT_RANDOM; i++) {
      const source = pattern(3);
      const expected = new RegExp(`^(?:${source})$`, 'u');
      const constraint = grammars.regex(source).constraint();
      for (let j = 0; j < TEXTS_EACH; j++) {
        const text = Array.from({ length: random.below(5) }, () => pick(letters)).join('');
        const matched = expected.test(text);
        if (matched) matches++;
        if (accepts(constraint, text) !== matched) differing.push(`/${source}/ ${JSON.stringify(text)} ${matched}`);
      }
      constraint.dispose();
    }
    expect(differing).toEqual([]);
    expect(matches).toBeGreaterThan(200);
  });

  it('never let malformed UTF-8 through', () => {
    const malformed = [[0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff], [0x80], [0xe0, 0x80, 0x80]];
    for (const pattern of ['[^]', '.', '[^a]', '\\W']) {
      const constraint = grammars.regex(pattern).constraint();
      for (const bytes of malformed) {
        constraint.restore([]);
        expect(() => {
          for (const byte of bytes) constraint.advance(byte);
        }).toThrow(InvalidValueError);
      }
    }
  });
});

describe('a regular expression is refused', () => {
  it.each([
    ['(?=a)b', 'lookahead and lookbehind'],
    ['(?!a)b', 'lookahead and lookbehind'],
    ['(?<=a)b', 'lookahead and lookbehind'],
    ['(?<!a)b', 'lookahead and lookbehind'],
    ['(a)\\1', 'back-references'],
    ['(?<n>a)\\k<n>', 'back-references'],
    ['\\bfoo', 'word boundaries'],
    ['\\B', 'word boundaries'],
    ['(?i:a)', 'flags within it'],
    ['a^b', '^ and $ but at its ends'],
    ['(^a)', '^ and $ but at its ends'],
    ['a$b', '^ and $ but at its ends'],
    ['(a$)', '^ and $ but at its ends'],
  ])('/%s/ for its %s', (pattern, what) => {
    const error = refused(pattern);
    expect(error).toMatchObject({ owner: 'Grammars', parameter: 'regex', value: pattern });
    expect(error.message).toContain(`without ${what}`);
  });

  it.each([['('], ['[a'], ['a**'], ['a{3,2}'], ['[b-a]'], ['\\q'], [']'], ['{']])(
    '/%s/ as JavaScript refuses it',
    (pattern) => {
      expect(refused(pattern)).toMatchObject({ owner: 'Grammars', parameter: 'regex', value: pattern });
    },
  );

  it('when no text matches it', () => {
    for (const pattern of ['[]', 'a[]', '\\ud800', '[\\ud800-\\udfff]+']) {
      expect(refused(pattern)).toMatchObject({ owner: 'Grammars', parameter: 'regex', value: pattern });
    }
  });

  it('when it is too long', () => {
    expect(refused('a'.repeat(5001)).domain).toBe('at most 5000 characters');
  });

  it('when it is no string', () => {
    expect(refused(/a/).message).toBe('Grammars: `regex` must be a regular expression as a string, got a RegExp');
  });
});
