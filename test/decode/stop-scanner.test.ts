import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopScanner } from '../../src/index.js';

/** All that a scanner releases of `pieces`, and what stopped it. */
function scan(pieces: readonly string[], stops: readonly string[]): { released: string[]; stop?: string } {
  const scanner = new StopScanner(stops);
  const released: string[] = [];
  for (const piece of pieces) {
    const { text, stop } = scanner.push(piece);
    released.push(text);
    if (stop !== undefined) return { released, stop };
  }
  released.push(scanner.flush());
  return { released };
}

describe('StopScanner', () => {
  it.each([
    { why: 'no stop string', pieces: ['ab', 'c'], stops: [], text: 'abc', stop: undefined },
    {
      why: 'split over pieces',
      pieces: ['he', 'llo ', 'E', 'N', 'D tail'],
      stops: ['END'],
      text: 'hello ',
      stop: 'END',
    },
    { why: 'the earliest of two', pieces: ['one<B>two<A>'], stops: ['<A>', '<B>'], text: 'one', stop: '<B>' },
    { why: 'held back and flushed', pieces: ['ca', 'us'], stops: ['user:'], text: 'caus', stop: undefined },
    { why: 'a prefix that turns out to be none', pieces: ['EN', 'X'], stops: ['END'], text: 'ENX', stop: undefined },
    { why: 'a prefix inside a prefix', pieces: ['aa', 'ab'], stops: ['aab'], text: 'a', stop: 'aab' },
    { why: 'one string begins another', pieces: ['xab'], stops: ['ab', 'a'], text: 'x', stop: 'ab' },
    { why: 'the whole text', pieces: ['END'], stops: ['END'], text: '', stop: 'END' },
  ])('gives $text for $pieces stopped by $stops: $why', ({ pieces, stops, text, stop }) => {
    const result = scan(pieces, stops);
    expect(result.released.join('')).toBe(text);
    expect(result.stop).toBe(stop);
  });

  it('releases what a search of the whole text gives, however the text is cut', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 30 });
    const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 1, maxLength: 4 }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 8 }), stops, (pieces, list) => {
        const { released, stop } = scan(pieces, list);
        const text = released.join('');
        // the first piece after which the text so far contains a stop string
        let seen = '';
        for (const piece of pieces) {
          seen += piece;
          const places = list.map((entry) => seen.indexOf(entry)).filter((place) => place >= 0);
          if (places.length > 0) {
            expect(text).toBe(seen.slice(0, Math.min(...places)));
            expect(list).toContain(stop);
            return;
          }
        }
        expect(text).toBe(seen);
        expect(stop).toBeUndefined();
      }),
    );
  });

  it('never releases what later becomes part of a stop string', () => {
    const scanner = new StopScanner(['STOP']);
    expect(scanner.push('xS').text).toBe('x');
    expect(scanner.push('TO').text).toBe('');
    expect(scanner.push('S').text).toBe('STO'); // decided: not a stop string, but its last letter may begin one
    expect(scanner.push('TOP')).toEqual({ text: '', stop: 'STOP' });
  });
});
