/**
 * Sets of the characters that UTF-8 holds, as ranges with both ends, ascending and apart from one another.
 */
import { rustCharacter, rustRange } from '../rust-class.js';

export type Range = readonly [low: number, high: number];
export type CodePoints = readonly Range[];

/** Every character: all code points but the surrogates. */
export const EVERY: CodePoints = [
  [0, 0xd7ff],
  [0xe000, 0x10ffff],
];

/** The set of `ranges` in any order. */
export function union(ranges: readonly Range[]): CodePoints {
  const out: Range[] = [];
  for (const [low, high] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last !== undefined && low <= last[1] + 1) out[out.length - 1] = [last[0], Math.max(last[1], high)];
    else out.push([low, high]);
  }
  return out;
}

/** The characters that are not in `set`. */
export function complement(set: CodePoints): CodePoints {
  const out: Range[] = [];
  let next = 0;
  for (const [low, high] of [...set, [0xd800, 0xdfff] as const].sort((a, b) => a[0] - b[0])) {
    if (low > next) out.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= 0x10ffff) out.push([next, 0x10ffff]);
  return out;
}

export function overlap(a: CodePoints, b: CodePoints): boolean {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const [x, y] = [a[i] as Range, b[j] as Range];
    if (x[0] <= y[1] && y[0] <= x[1]) return true;
    if (x[1] < y[1]) i++;
    else j++;
  }
  return false;
}

/** A set as a class of Rust's regexes. */
export function rustClass(set: CodePoints): string {
  const [[low, high] = [0, -1], ...others] = set;
  if (low === high && others.length === 0) return rustCharacter(low);
  return `[${set.map(([low, high]) => rustRange(low, high)).join('')}]`;
}
