/**
 * Code points as the bytes of UTF-8: a range becomes a few sequences of byte ranges, such as [c2-df][80-bf].
 *
 * A range is cut where the number of bytes changes, and then until in each part every byte but the first differing one runs
 * through all its values; so the parts hold well-formed UTF-8 and nothing else.
 */
import type { CodePoints, Range } from './code-points.js';

/** One byte range for each byte of a character. */
export type ByteSequence = readonly Range[];

/** Characters of 1, 2, 3 and 4 bytes, without the surrogates. */
const WIDTHS: CodePoints = [
  [0, 0x7f],
  [0x80, 0x7ff],
  [0x800, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x10ffff],
];

export function byteSequences(set: CodePoints): ByteSequence[] {
  const out: ByteSequence[] = [];
  for (const [low, high] of set) {
    for (const [from, to] of WIDTHS) {
      if (from <= high && low <= to) cut(Math.max(low, from), Math.min(high, to), out);
    }
  }
  return out;
}

/** Cuts a range of characters with the same number of bytes, at the bits that each last byte holds. */
function cut(low: number, high: number, out: ByteSequence[]): void {
  for (let bits = 6; high > 0x7f && bits < 24; bits += 6) {
    const mask = (1 << bits) - 1;
    if ((low & ~mask) === (high & ~mask)) break;
    const middle = (low & mask) !== 0 ? (low | mask) + 1 : (high & mask) !== mask ? high & ~mask : undefined;
    if (middle === undefined) continue;
    cut(low, middle - 1, out);
    cut(middle, high, out);
    return;
  }
  const ends = encode(high);
  out.push(encode(low).map((byte, i) => [byte, ends[i] as number]));
}

function encode(codePoint: number): number[] {
  return [...new TextEncoder().encode(String.fromCodePoint(codePoint))];
}
