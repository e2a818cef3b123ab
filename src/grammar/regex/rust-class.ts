/**
 * Classes of characters as Rust's regular expressions write them. There, strings are Unicode scalar values: a lone surrogate,
 * which JavaScript's can hold and no text in UTF-8 does, is in no class.
 */
import type { AST } from '@eslint-community/regexpp';

const SURROGATES = [0xd800, 0xdfff] as const;
/** What no character is in. */
export const NOTHING = '[a&&b]';
const ANYTHING = '[\\x{0}-\\x{10ffff}]';
/** The classes of JavaScript, as the inside of a class. */
const INSIDE = {
  digit: '0-9',
  word: '0-9A-Za-z_',
  space:
    '\\t\\n\\x{b}\\x{c}\\r\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}',
} as const;

/** One character, a lone surrogate included. */
export function character(code: number): string {
  if (isSurrogate(code)) return NOTHING;
  const text = String.fromCodePoint(code);
  return /[A-Za-z0-9_]/.test(text) ? text : `\\x{${code.toString(16)}}`;
}

/** `.`, `\d`, `\p{L}` and their like, where they stand alone. */
export function characterSet(set: AST.CharacterSet): string {
  if (set.kind === 'any') return '[^\\n\\r\\x{2028}\\x{2029}]';
  return set.kind === 'property' || set.negate ? inside(set) : `[${inside(set)}]`;
}

/** `[…]`. */
export function characterClass({ elements, negate }: AST.CharacterClass): string {
  const parts = elements.map((element) => {
    if (element.type === 'Character') return isSurrogate(element.value) ? '' : character(element.value);
    if (element.type === 'CharacterClassRange') return range(element.min.value, element.max.value);
    return inside(element as AST.EscapeCharacterSet | AST.UnicodePropertyCharacterSet);
  });
  const text = parts.join('');
  if (text === '') return negate ? ANYTHING : NOTHING;
  return `[${negate ? '^' : ''}${text}]`;
}

function inside(set: AST.EscapeCharacterSet | AST.UnicodePropertyCharacterSet): string {
  if (set.kind !== 'property') return set.negate ? `[^${INSIDE[set.kind]}]` : INSIDE[set.kind];
  const name = set.value === null ? set.key : `${propertyKey(set.key)}=${set.value}`;
  return `\\${set.negate ? 'P' : 'p'}{${name}}`;
}

function propertyKey(key: string): string {
  if (key === 'Script' || key === 'sc') return 'sc';
  return key === 'Script_Extensions' || key === 'scx' ? 'scx' : 'gc';
}

/** The range without the surrogates. */
function range(min: number, max: number): string {
  const from = isSurrogate(min) ? SURROGATES[1] + 1 : min;
  const to = isSurrogate(max) ? SURROGATES[0] - 1 : max;
  return from > to ? '' : `${character(from)}-${character(to)}`;
}

function isSurrogate(code: number): boolean {
  return code >= SURROGATES[0] && code <= SURROGATES[1];
}
