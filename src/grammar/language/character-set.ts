/**
 * The sets of characters that JavaScript's regular expressions have a sign for, as classes of Rust's: each is spelled out, as
 * `\d`, `\w`, `\s` and `.` mean other characters there.
 */
import type { AST } from '@eslint-community/regexpp';

/** What a class escape holds, as the inside of a class. */
const ESCAPES: Readonly<Record<AST.EscapeCharacterSet['kind'], string>> = {
  digit: '0-9',
  word: '0-9A-Za-z_',
  space:
    '\\t\\n\\x{b}\\x{c}\\r\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}',
};
const NO_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

/** An escape such as `\w` or `\p{L}`, or `.`; as a class, which may stand inside another one. */
export function characterSet(node: AST.CharacterSet): string {
  if (node.kind === 'any') return NO_LINE_END;
  if (node.kind !== 'property') return `[${node.negate ? '^' : ''}${ESCAPES[node.kind]}]`;
  return `\\${node.negate ? 'P' : 'p'}{${propertyName(node.key, node.value)}}`;
}

const PROPERTY_KEYS: Readonly<Record<string, string>> = {
  Script: 'sc',
  sc: 'sc',
  Script_Extensions: 'scx',
  scx: 'scx',
};

function propertyName(key: string, value: string | null): string {
  return value === null ? key : `${PROPERTY_KEYS[key] ?? 'gc'}=${value}`;
}
