/**
 * The tokens of a text in EBNF.
 */
import type { InvalidValueError } from '../../../errors.js';
import { type CodePoints, complement, EVERY, type Range, union } from './code-points.js';

export type Token = { readonly text: string; readonly place: string } & (
  | { readonly kind: 'name' | 'sign' | 'text' }
  | { readonly kind: 'class'; readonly set: CodePoints }
  | { readonly kind: 'count'; readonly least: number; readonly most: number }
);

/** What refuses the whole text: in words, what it must be. */
export type Refuse = (domain: string) => InvalidValueError;

/** What does not count, counts, names, texts, classes, and the other signs. */
const TOKEN =
  /(\s+|#[^\n]*)|([*+?]|\{\s*\d*\s*(?:,\s*\d*\s*)?\})|(\w[\w.-]*)|"((?:[^"\\\n]|\\.)*)"|\[((?:[^\]\\\n]|\\.)*)\]|(::=|\(=|[|().])/uy;
const COUNTS: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
};
const LETTERS: Readonly<Record<string, number>> = { '0': 0, a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 };
/** A character as it is, or escaped: by its number or by a letter. */
const CHARACTER = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|(.)/gsu;

export function readTokens(source: string, refuse: Refuse): Token[] {
  const tokens: Token[] = [];
  let [line, lineStart] = [1, 0];
  for (let at = 0; at < source.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(source);
    const place = `line ${line}, column ${at - lineStart + 1}`;
    if (match === null) throw refuse(`a grammar in EBNF (unknown sign at ${place})`);
    if (match[6] === '(=') throw refuse(`a grammar without lookahead (at ${place})`);
    if (match[1] === undefined) tokens.push(tokenOf(match, place, refuse));
    for (const { index } of match[0].matchAll(/\n/g)) [line, lineStart] = [line + 1, at + index + 1];
  }
  return tokens;
}

function tokenOf(match: RegExpExecArray, place: string, refuse: Refuse): Token {
  const [whole, , count, name, quoted, inside] = match;
  const read = (part: string) => characters(part, () => refuse(`a grammar in EBNF (unknown escape at ${place})`));
  if (count !== undefined) return { kind: 'count', text: whole, ...bounds(count), place };
  if (name !== undefined) return { kind: 'name', text: name, place };
  if (quoted !== undefined) {
    const text = read(quoted).map(({ code }) => String.fromCodePoint(code));
    return { kind: 'text', text: text.join(''), place };
  }
  if (inside !== undefined) return { kind: 'class', text: whole, set: classOf(inside, read, place, refuse), place };
  return whole === '.' ? { kind: 'class', text: whole, set: EVERY, place } : { kind: 'sign', text: whole, place };
}

function bounds(count: string): { least: number; most: number } {
  const known = COUNTS[count];
  if (known !== undefined) return { least: known[0], most: known[1] };
  const [least = '', most] = count
    .slice(1, -1)
    .split(',')
    .map((part) => part.trim());
  return { least: Number(least), most: most === undefined ? Number(least) : most === '' ? Infinity : Number(most) };
}

interface Character {
  readonly code: number;
  readonly isEscaped: boolean;
}

function characters(part: string, refuse: () => InvalidValueError): Character[] {
  return [...part.matchAll(CHARACTER)].map(([, byte, short, long, letter, plain]) => {
    if (plain !== undefined) return { code: plain.codePointAt(0) as number, isEscaped: false };
    const number = byte ?? short ?? long;
    const code = number === undefined ? escaped(letter as string) : Number.parseInt(number, 16);
    if (code === undefined || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) throw refuse();
    return { code, isEscaped: true };
  });
}

function escaped(letter: string): number | undefined {
  return LETTERS[letter] ?? (/[A-Za-z1-9]/.test(letter) ? undefined : letter.codePointAt(0));
}

function classOf(inside: string, read: (part: string) => Character[], place: string, refuse: Refuse): CodePoints {
  const isNegated = inside.startsWith('^');
  const listed = read(isNegated ? inside.slice(1) : inside);
  const ranges: Range[] = [];
  for (let i = 0; i < listed.length; i++) {
    const low = (listed[i] as Character).code;
    const dash = listed[i + 1];
    const high = dash?.code === 0x2d && !dash.isEscaped ? listed[i + 2]?.code : undefined;
    if (high !== undefined && high < low)
      throw refuse(`a grammar with ranges from low to high (in the class at ${place})`);
    ranges.push([low, high ?? low]);
    if (high !== undefined) i += 2;
  }
  return isNegated ? complement(union(ranges)) : union(ranges);
}
