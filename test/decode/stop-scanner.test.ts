import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StopScanner } from '../../src/decode/index.js';

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
    { why: 'one string begins another', pieces: ['xab'], stops: ['ab', 'a'], text: 'x', stop: 'a' },
    { why: 'one string ends another', pieces: ['xab'], stops: ['b', 'ab'], text: 'x', stop: 'ab' },
    {
      why: 'the longer of two that end at one place, listed first',
      pieces: ['xEND'],
      stops: ['xEND', 'END'],
      text: '',
      stop: 'xEND',
    },
    {
      why: 'the longer of two that end at one place, listed last',
      pieces: ['xEND'],
      stops: ['END', 'xEND'],
      text: '',
      stop: 'xEND',
    },
    { why: 'one string lies in another', pieces: ['abc'], stops: ['abc', 'b'], text: 'a', stop: 'b' },
    { why: 'the whole text', pieces: ['END'], stops: ['END'], text: '', stop: 'END' },
  ])('gives $text for $pieces stopped by $stops: $why', ({ pieces, stops, text, stop }) => {
    const result = scan(pieces, stops);
    expect(result.released.join('')).toBe(text);
    expect(result.stop).toBe(stop);
  });

  it('releases what reading the text letter by letter gives, however it is cut', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 30 });
    const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 1, maxLength: 4 }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 8 }), stops, (pieces, list) => {
        const { released, stop } = scan(pieces, list);
        const text = released.join('');
        // the first letter after which the text so far ends with a stop string
        let seen = '';
        for (const letter of pieces.join('').split('')) {
          seen += letter;
          const ended = list.filter((entry) => seen.endsWith(entry)).sort((a, b) => b.length - a.length);
          if (ended[0] === undefined) continue;
          expect(stop).toBe(ended[0]);
          expect(text).toBe(seen.slice(0, seen.length - ended[0].length));
          return;
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
