/**
 * The tokens of an EBNF text.
 */
import type { InvalidValueError } from '../../../errors.js';
import { type CodePoints, type Range, UNICODE } from './code-points.js';
import { bracketClass } from './regex-classes.js';

export type EbnfToken = { readonly text: string; readonly place: string } & (
  | { readonly kind: 'name' | 'sign' | 'text' }
  | { readonly kind: 'class'; readonly set: CodePoints }
  | { readonly kind: 'count'; readonly least: number; readonly most: number }
);

/** What does not count, names, texts, classes, counts, and the other signs. */
const TOKEN =
  /(\s+|#[^\n]*)|([A-Za-z_][\w.-]*)|"((?:[^"\\\n]|\\.)*)"|\[((?:[^\]\\\n]|\\.)*)\]|([*+?]|\{\s*\d+\s*(?:,\s*\d*\s*)?\})|(::=|\(=|[|().])/uy;
const COUNTS: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
};
const LETTERS: Readonly<Record<string, number>> = { '0': 0, a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 };
/** A character as it is, or escaped: by its number or by a letter. */
const CHARACTER = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|(.)/gsu;

export function readTokens(source: string, refuse: (domain: string) => InvalidValueError): EbnfToken[] {
  const tokens: EbnfToken[] = [];
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(source);
    const place = placeOf(source, at);
    if (match === null) throw refuse(`a grammar in EBNF (unknown sign at ${place})`);
    if (match[6] === '(=') throw refuse(`a grammar without lookahead (at ${place})`);
    if (match[1] === undefined) tokens.push(tokenOf(match, place, refuse));
  }
  return tokens;
}

function tokenOf(match: RegExpExecArray, place: string, refuse: (domain: string) => InvalidValueError): EbnfToken {
  const [whole, , name, quoted, inside, count] = match;
  const read = (part: string) => characters(part, () => refuse(`a grammar in EBNF (unknown escape at ${place})`));
  if (name !== undefined) return { kind: 'name', text: name, place };
  if (quoted !== undefined) {
    return { kind: 'text', text: String.fromCodePoint(...read(quoted).map(({ code }) => code)), place };
  }
  if (inside !== undefined) return { kind: 'class', text: whole, set: classOf(inside, read), place };
  if (whole === '.') return { kind: 'class', text: whole, set: UNICODE, place };
  if (count === undefined) return { kind: 'sign', text: whole, place };
  const [least = '', most] = count.slice(1, -1).split(',');
  const bounds = COUNTS[count] ?? [
    Number(least),
    most === undefined ? Number(least) : most.trim() === '' ? Infinity : +most,
  ];
  return { kind: 'count', text: whole, least: bounds[0], most: bounds[1], place };
}

interface Character {
  readonly code: number;
  readonly isEscaped: boolean;
}

function characters(part: string, refuse: () => InvalidValueError): Character[] {
  return [...part.matchAll(CHARACTER)].map(([, byte, short, long, letter, plain]) => {
    const code = byte ?? short ?? long;
    const value = code === undefined ? undefined : Number.parseInt(code, 16);
    if (value !== undefined && value <= 0x10ffff) return { code: value, isEscaped: true };
    if (value === undefined && plain !== undefined) return { code: plain.codePointAt(0) as number, isEscaped: false };
    if (value === undefined && letter !== undefined && !/[A-Za-z1-9]/.test(letter)) {
      return { code: LETTERS[letter] ?? (letter.codePointAt(0) as number), isEscaped: true };
    }
    const known = letter === undefined ? undefined : LETTERS[letter];
    if (known === undefined) throw refuse();
    return { code: known, isEscaped: true };
  });
}

function classOf(inside: string, read: (part: string) => Character[]): CodePoints {
  const negated = inside.startsWith('^');
  const listed = read(negated ? inside.slice(1) : inside);
  const ranges: Range[] = [];
  for (let i = 0; i < listed.length; i++) {
    const low = (listed[i] as Character).code;
    const dash = listed[i + 1];
    const high = dash?.code === 0x2d && !dash.isEscaped ? listed[i + 2] : undefined;
    ranges.push([low, high?.code ?? low]);
    if (high !== undefined) i += 2;
  }
  return bracketClass(ranges, negated);
}

function placeOf(source: string, at: number): string {
  const lines = source.slice(0, at).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) as string).length + 1}`;
}
