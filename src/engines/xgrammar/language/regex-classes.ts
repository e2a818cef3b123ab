/**
 * The character classes of JavaScript's regular expressions with the flag `u`, without `i`.
 */
import { type CodePoints, complement, intersect, UNICODE, union } from './code-points.js';

const DIGIT: CodePoints = [[0x30, 0x39]];
const WORD: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];
const SPACE: CodePoints = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
const LINE_END: CodePoints = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];

/** `.` */
export const DOT = complement(LINE_END);

const CLASSES: Readonly<Record<string, CodePoints>> = {
  d: DIGIT,
  D: complement(DIGIT),
  w: WORD,
  W: complement(WORD),
  s: SPACE,
  S: complement(SPACE),
};

/** The class that `\letter` stands for, if it stands for one. */
export function classEscape(letter: string): CodePoints | undefined {
  return CLASSES[letter];
}

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 };

/** The character that `\letter` stands for, if it is a control character with a letter of its own. */
export function controlEscape(letter: string): number | undefined {
  return CONTROLS[letter];
}

/** A class between brackets, from what it lists. */
export function bracketClass(listed: CodePoints, negated: boolean): CodePoints {
  const points = union(listed);
  return negated ? complement(points) : intersect(points, UNICODE);
}

/** A single character; none for a surrogate, which no text of UTF-8 holds. */
export function single(codePoint: number): CodePoints {
  return UNICODE.some(([low, high]) => low <= codePoint && codePoint <= high) ? [[codePoint, codePoint]] : [];
}
