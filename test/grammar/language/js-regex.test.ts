/**
 * Regular expressions as grammars against JavaScript's own, with the flag u.
 */
import { describe, expect, it } from 'vitest';
import { regexSource } from '../../../src/grammar/language/source.js';
import { InvalidValueError } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { casesOf } from '../../support/cases.js';
import { Language, thrownBy } from './languages.js';
import { CHARACTERS, randomRegex } from './random-regex.js';

const PATTERNS = [
  ...['', 'a|', 'a|b|', '()', '(?:)', '^ab$', '^a|b$', '^', '$', '^$', '$|a', 'a|^', '.', '.+', '.*', '[^]*', '[^]'],
  ...['\\d+', '\\D', '\\w+', '\\W', '\\s', '\\S', '\\S+', '[\\s\\S]', '[^\\s\\d]', '[\\W]', '[^\\W]', '[\\w.+-]+@\\w+'],
  ...[
    '[^a]',
    '[^é]',
    '[é-ж]',
    '[^é-😀]',
    '[^\\ud7ff\\ue000]',
    '[^\\ud000-\\ud7ff\\ue000-\\uf000]',
    '[😀-😁]',
    '[\\u{1f600}]',
    '\\ud83d\\ude00',
    '\\u{10FFFF}',
  ],
  ...['[\\x7f-\\xa0]', '[\\u07ff-\\u0800]', '[\\uffff-\\u{10000}]', '[\\ud000-\\uf000]', '[\\u{10000}-\\u{10FFFF}]'],
  ...[
    '\\0',
    '[\\0-\\t]',
    '[\\b\\cA-]',
    '\\cJ',
    '\\t\\n\\v\\f\\r',
    '[\\]\\\\^-]',
    '\\.|\\\\|\\^|"',
    '\\/',
    'a/b',
    '\\$\\{x\\}',
  ],
  ...[
    '[a-z&&[b]',
    'a&&b',
    '[~~#, ]',
    '[--0]',
    '(?:ab)*',
    '(?<n>a)b?',
    '(?<y>\\d{4})-(?<m>\\d{2})',
    'a{2,3}b',
    'a{4}',
    'a{2,}',
  ],
  ...[
    'a{0}b',
    '(?:a{0}|b){0,2}',
    'x{0}',
    '(?:a{0,0})b',
    'a+?b*?',
    '(?:a*)*b',
    '(?:|a|ab)+c',
    'b[]?',
    '[]|c',
    '[\\ud800]|d',
  ],
  ...[
    '\\p{L}+',
    '\\P{Lu}',
    '\\P{C}',
    '\\P{Co}',
    '[^\\P{L}]',
    '[\\p{L}\\d]',
    '[^\\p{L}]',
    '\\p{Script=Greek}',
    '\\p{sc=Han}',
    '\\p{Script_Extensions=Latin}',
  ],
  ...[
    '\\p{gc=Lu}',
    '\\p{General_Category=Decimal_Number}',
    '\\p{ASCII}',
    '\\p{Any}',
    '\\p{White_Space}',
    '\\p{Alphabetic}',
  ],
];

/** Near the borders of every class, of the widths of UTF-8 and of what case folding and Unicode's classes would add. */
const TEXTS = [
  ...[
    '',
    'a',
    'b',
    'ab',
    'ba',
    'aab',
    'abc',
    'aaaa',
    'aaab',
    '0',
    '7',
    '42',
    '٣',
    '_',
    '-',
    '^',
    ']',
    '\\',
    '"',
    '.',
    '$',
    '{x}',
  ],
  ...[
    'é',
    'ж',
    'ß',
    'ſ',
    'K',
    'λ',
    '中',
    '\0',
    '\x01',
    '\b',
    '\t',
    '\n',
    '\v',
    '\f',
    '\r',
    '\t\n\v\f\r',
    ' ',
    '\x7f',
    '\x80',
    '\x85',
  ],
  ...[
    '\xa0',
    '\xff',
    '\u07ff',
    '\u0800',
    '\u1680',
    '\u180e',
    '\u200b',
    '\u2028',
    '\u2029',
    '\u202f',
    '\u3000',
    '\ufeff',
  ],
  ...[
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
    '😀',
    '😁',
    '\u{10ffff}',
    'aé😀',
    '日本',
    'a\nb',
    'x',
    'c',
    'd',
    'a&&b',
    'a.b',
    '&',
    '~',
  ],
  ...['2024-02', 'a+b@c', 'a/b', '/', 'x=1', '|', 'b]', 'ac', 'Ab', '\\.', 'AA', '#', ','],
];

const RANDOM = casesOf(100, 1000);

describe('a regular expression', () => {
  it.each(PATTERNS)('/%s/ has the texts that JavaScript matches as a whole', (pattern) => {
    const expected = new RegExp(`^(?:${pattern})$`, 'u');
    const language = new Language(regexSource(pattern));
    expect(TEXTS.filter((text) => language.has(text) !== expected.test(text))).toEqual([]);
    language.dispose();
  });

  it(`of ${RANDOM} random ones agrees with JavaScript on 67 texts each`, () => {
    const random = new Pcg32(11n, 10n);
    const differing: string[] = [];
    let matched = 0;
    let compared = 0;
    for (let i = 0; i < RANDOM; i++) {
      const pattern = randomRegex(random);
      const expected = new RegExp(`^(?:${pattern})$`, 'u');
      const language = new Language(regexSource(pattern));
      for (let j = 0; j < 67; j++) {
        const text = j % 2 === 0 ? randomText(random) : changed(walked(language, random), random);
        const isMatch = expected.test(text);
        compared++;
        if (isMatch) matched++;
        if (language.has(text) !== isMatch) differing.push(`/${pattern}/ ${JSON.stringify(text)}: ${isMatch}`);
      }
      language.dispose();
    }
    expect(differing).toEqual([]);
    expect(compared).toBe(67 * RANDOM);
    expect(matched).toBeGreaterThan(compared / 4);
  });
});

function randomText(random: Pcg32): string {
  return Array.from({ length: random.below(5) }, () => CHARACTERS[random.below(CHARACTERS.length)]).join('');
}

/** A text of the grammar, or the beginning of one, without characters cut short. */
function walked(language: Language, random: Pcg32): string {
  let left = 24;
  const bytes = language.walk((allowed, mayEnd) => {
    if (allowed.length === 0 || left-- === 0 || (mayEnd && random.below(3) === 0)) return undefined;
    const plain = allowed.filter((byte) => byte < 128);
    const from = plain.length > 0 && random.below(2) === 0 ? plain : allowed;
    return from[random.below(from.length)];
  });
  return new TextDecoder().decode(bytes).replaceAll('\ufffd', '');
}

/** Half of the texts with one character put in the place of another. */
function changed(text: string, random: Pcg32): string {
  const characters = [...text];
  if (characters.length === 0 || random.below(2) === 0) return text;
  characters[random.below(characters.length)] = CHARACTERS[random.below(CHARACTERS.length)] as string;
  return characters.join('');
}

describe('a regular expression is refused', () => {
  it.each([
    ['(?=a)b', 'look-around'],
    ['(?!a)b', 'look-around'],
    ['(?<=a)b', 'look-around'],
    ['(?<!a)b', 'look-around'],
    ['(a)\\1', 'a back-reference'],
    ['(?<n>a)\\k<n>', 'a back-reference'],
    ['\\bfoo', 'a word boundary'],
    ['a\\B', 'a word boundary'],
    ['(?i:a)', 'modifiers'],
    ['a^b', 'an anchor inside'],
    ['a$b', 'an anchor inside'],
    ['(?:^a)*', 'an anchor inside'],
  ])('/%s/ for %s', (pattern, what) => {
    const error = thrownBy(() => regexSource(pattern));
    expect(error).toBeInstanceOf(InvalidValueError);
    expect(error).toMatchObject({ owner: 'Grammars', parameter: 'regex', value: pattern });
    expect(error.domain).toContain(`without ${what}`);
  });

  it.each(['(', '[a', 'a**', 'a{3,2}', '[b-a]', '\\q', ']', '{', '\\p{Nothing}', '(?<a>.)(?<a>.)'])(
    '/%s/ as JavaScript refuses it',
    (pattern) => {
      expect(() => new RegExp(pattern, 'u')).toThrow(SyntaxError);
      expect(thrownBy(() => regexSource(pattern))).toMatchObject({
        owner: 'Grammars',
        parameter: 'regex',
        value: pattern,
      });
    },
  );

  it('when it is too long, or no string', () => {
    expect(regexSource('a'.repeat(5000)).text).toContain('a'.repeat(5000));
    expect(thrownBy(() => regexSource('a'.repeat(5001)))).toMatchObject({
      domain: 'at most 5000 characters',
      value: 5001,
    });
    expect(thrownBy(() => regexSource(/a/ as unknown as string))).toMatchObject({ domain: 'a string' });
  });
});
