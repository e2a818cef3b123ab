/**
 * Random regular expressions with the flag u, of everything that grammars say.
 */
import type { Pcg32 } from '../../../src/random/index.js';

/** What random texts are made of: members of the classes below, and what is near to them in Unicode. */
export const CHARACTERS = [
  ...[
    'a',
    'b',
    'c',
    'x',
    'Z',
    '0',
    '7',
    '٣',
    '_',
    '-',
    ' ',
    '\t',
    '\n',
    '\r',
    '\u2028',
    '\u00a0',
    '\ufeff',
    'é',
    'ß',
    '😀',
  ],
  ...['𝒳', '.', '"', '\\', '/', '\u0085', '\u180e', '\v', 'ſ', 'K', '中', '\0', '\x7f', '\u200b', 'λ'],
];
const PLAIN = ['a', 'b', 'c', 'x', '0', '_', '-', ' ', 'é', '😀', '"', '#', '&', '~', ',', '<', '!'];
const ESCAPES = [
  ...[
    '\\d',
    '\\w',
    '\\s',
    '.',
    '\\D',
    '\\W',
    '\\S',
    '[^]',
    '\\u{1F600}',
    '\\u00e9',
    '\\xe9',
    '\\t',
    '\\n',
    '\\cJ',
    '\\0',
    '\\/',
  ],
  ...[
    '\\.',
    '\\ud83d\\ude00',
    '\\p{L}',
    '\\P{Lu}',
    '\\p{Script=Greek}',
    '\\p{ASCII}',
    '\\p{Any}',
    '\\p{Nd}',
    '\\p{sc=Han}',
  ],
  ...['\\p{White_Space}', '\\p{Alphabetic}', '\\p{gc=Lu}', '\\p{ID_Start}'],
];
const CLASSES = [
  ...[
    'a-c',
    '\\d_',
    '^\\w',
    '^a',
    '\\s\\d',
    '^\\s',
    'é-ü',
    '\\u{1F600}-\\u{1F64F}',
    'a\\-z',
    '\\]\\[',
    '^\\n',
    '\\b',
    '.',
    '&&b',
  ],
  ...['a&&b', '~~', '-x', '#', ' ', '\\W', '^\\W', '\\S\\s', '\\p{L}\\d', '^\\p{L}', '$^', '|'],
];
const COUNTS = ['', '', '', '', '', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '*?', '+?', '??', '{1,2}?', '{2,}'];

export function randomRegex(random: Pcg32, depth = 2): string {
  const pick = (from: readonly string[]) => from[random.below(from.length)] as string;
  const atom = () => {
    const kind = random.below(depth > 0 ? 11 : 8);
    if (kind < 3) return pick(PLAIN);
    if (kind < 6) return pick(ESCAPES);
    if (kind < 8) return `[${pick(CLASSES)}]`;
    const inside = randomRegex(random, depth - 1);
    return kind === 8 ? `(${inside})` : kind === 9 ? `(?:${inside})` : `(?:${inside}|${pick(PLAIN)})`;
  };
  const parts = Array.from({ length: 1 + random.below(3) }, () => atom() + pick(COUNTS));
  return random.below(6) === 0 ? `${parts.join('')}|${atom()}` : parts.join('');
}
