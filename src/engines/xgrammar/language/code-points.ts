/**
 * Sets of Unicode code points as ranges, both ends included, ascending and apart from one another.
 */

export type Range = readonly [low: number, high: number];
export type CodePoints = readonly Range[];

/** Every character that UTF-8 can hold: all code points but the surrogates. */
export const UNICODE: CodePoints = [
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

export function intersect(a: CodePoints, b: CodePoints): CodePoints {
  const out: Range[] = [];
  for (const [low, high] of a) {
    for (const [from, to] of b) {
      if (from <= high && low <= to) out.push([Math.max(low, from), Math.min(high, to)]);
    }
  }
  return union(out);
}

/** The characters that are not in `set`. */
export function complement(set: CodePoints): CodePoints {
  const out: Range[] = [];
  let next = 0;
  for (const [low, high] of set) {
    if (low > next) out.push([next, low - 1]);
    next = high + 1;
  }
  if (next <= 0x10ffff) out.push([next, 0x10ffff]);
  return intersect(out, UNICODE);
}

export function contains(set: CodePoints, codePoint: number): boolean {
  return set.some(([low, high]) => low <= codePoint && codePoint <= high);
}
