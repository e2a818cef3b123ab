import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Utf8Pieces } from '../../src/decode/text/utf8-pieces.js';

/** Bytes at the borders of the ranges that UTF-8 is made of. */
const BORDERS = [
  ...[0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee],
  ...[0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff, 0xbb],
];

/** The pieces of a streaming decoder, and what it gives at the end. */
function streamed(pieces: readonly Uint8Array[]): string[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return [...pieces.map((piece) => decoder.decode(piece, { stream: true })), decoder.decode()];
}

describe('Utf8Pieces', () => {
  it('gives piece by piece what a streaming decoder gives, for any bytes in any pieces', () => {
    const piece = fc.uint8Array({ maxLength: 5 });
    const border = fc.array(fc.constantFrom(...BORDERS), { maxLength: 5 }).map((bytes) => Uint8Array.from(bytes));
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, border), { maxLength: 8 }), (pieces) => {
        const decoder = new Utf8Pieces();
        expect([...pieces.map((bytes) => decoder.push(bytes)), decoder.end()]).toEqual(streamed(pieces));
      }),
      { numRuns: 3000 },
    );
  });

  it('does so for every sequence of three of the bytes at the borders, cut after each', () => {
    for (const a of BORDERS) {
      for (const b of BORDERS) {
        for (const c of BORDERS) {
          const pieces = [a, b, c].map((byte) => Uint8Array.of(byte));
          const decoder = new Utf8Pieces();
          expect([...pieces.map((bytes) => decoder.push(bytes)), decoder.end()]).toEqual(streamed(pieces));
        }
      }
    }
  });

  it('goes on from the bytes that it kept', () => {
    const first = new Utf8Pieces();
    expect(first.push(Uint8Array.of(0x61, 0xf0, 0x9f, 0xa6))).toBe('a');
    expect(first.rest).toEqual([0xf0, 0x9f, 0xa6]);
    const second = new Utf8Pieces(first.rest);
    expect(second.push(Uint8Array.of(0x8a))).toBe('🦊');
    expect(second.rest).toEqual([]);
    expect(second.end()).toBe('');
  });

  it('keeps a byte order mark, which is a character like others', () => {
    expect(new Utf8Pieces().push(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa');
  });
});
