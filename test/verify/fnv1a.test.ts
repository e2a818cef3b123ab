import { describe, expect, it } from 'vitest';
import { digestBytes, digestDoubles, digestText, hex } from '../../src/verify/fnv1a.js';

describe('FNV-1a', () => {
  it.each([
    { text: '', digest: 'cbf29ce484222325' },
    { text: 'a', digest: 'af63dc4c8601ec8c' },
    { text: 'foobar', digest: '85944171f73967e8' },
  ])('of "$text" is the published one', ({ text, digest }) => {
    expect(digestText(text)).toBe(digest);
  });

  it('of doubles is that of their bytes, the highest first', () => {
    expect(digestDoubles([-2, 0.1])).toBe(digestBytes(Buffer.from('c0000000000000003fb999999999999a', 'hex')));
    expect(digestDoubles([])).toBe(digestBytes([]));
  });

  it('tells signed zeros apart and takes every NaN for one', () => {
    const [negative] = new Float64Array(new BigUint64Array([0xfff8000000000001n]).buffer);
    expect(digestDoubles([-0])).not.toBe(digestDoubles([0]));
    expect(digestDoubles([negative as number])).toBe(digestDoubles([Number.NaN]));
    expect(hex(negative as number)).toBe('7ff8000000000000');
  });

  it('comes with the bits of a double as text', () => {
    expect([1, -0, 5e-324, -Infinity].map(hex)).toEqual([
      '3ff0000000000000',
      '8000000000000000',
      '0000000000000001',
      'fff0000000000000',
    ]);
  });
});
