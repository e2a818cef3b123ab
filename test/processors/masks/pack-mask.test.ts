import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packMask, type TokenMask } from '../../../processors/index.js';

/** A mask of V ids as booleans, and the same in every other form. */
function formsOf(allowed: boolean[]): Record<string, TokenMask> {
  const ids = (want: boolean) => [...allowed.keys()].filter((id) => allowed[id] === want);
  return {
    booleans: allowed,
    'allowed ids': { allow: ids(true) },
    'banned ids': { ban: ids(false) },
    'a set of allowed ids': { allow: new Set(ids(true)) },
    'a generator of banned ids': { ban: ids(false).values() },
    'banned ids, and a field that is undefined': { allow: undefined, ban: ids(false) } as unknown as TokenMask,
    'allowed ids in any order, more than once': { allow: [...ids(true).reverse(), ...ids(true)] },
  };
}

/** Bit `id & 31` of word `id >> 5`, as text. */
function bitsOf(words: Int32Array | Uint32Array): string {
  return [...words].map((word) => (word >>> 0).toString(2).padStart(32, '0').split('').reverse().join('')).join('');
}

const masks = fc.oneof(
  fc.array(fc.boolean(), { minLength: 1, maxLength: 100 }),
  fc.constantFrom(31, 32, 33, 64, 96).chain((V) => fc.array(fc.boolean(), { minLength: V, maxLength: V })),
);

describe('packMask', () => {
  it('makes the same words of every form, with no bit beyond V', () => {
    fc.assert(
      fc.property(masks, (allowed) => {
        const expected = allowed
          .map(Number)
          .join('')
          .padEnd(32 * Math.ceil(allowed.length / 32), '0');
        for (const [form, mask] of Object.entries(formsOf(allowed))) {
          expect(bitsOf(packMask(mask, allowed.length)), form).toBe(expected);
        }
      }),
    );
  });

  it('writes to the target, whatever was in it', () => {
    fc.assert(
      fc.property(masks, fc.integer(), (allowed, noise) => {
        const length = Math.ceil(allowed.length / 32);
        const expected = packMask(allowed, allowed.length);
        for (const mask of Object.values(formsOf(allowed))) {
          const target = new Uint32Array(length).fill(noise);
          expect(packMask(mask, allowed.length, target)).toBe(target);
          expect(target).toEqual(expected);
        }
      }),
    );
  });

  it.each([new Int32Array([-1, 5]), new Uint32Array([7, 0xffffffff])])(
    'gives a packed one back as it is: %o',
    (mask) => {
      const copy = mask.slice();
      expect(packMask(mask, 40)).toBe(mask);
      expect(packMask(mask, 33, new Uint32Array(2))).toBe(mask);
      expect(mask).toEqual(copy);
    },
  );

  it.each<[unknown, number, string]>([
    [new Int32Array(1), 40, '`mask.length` must be 2 (words of 32 ids each, for 40 ids), got 1'],
    [new Uint32Array(3), 64, '`mask.length` must be 2 (words of 32 ids each, for 64 ids), got 3'],
    [[true], 2, '`mask.length` must be 2 (a boolean for each id), got 1'],
    [[true, false, true], 2, '`mask.length` must be 2 (a boolean for each id), got 3'],
    [[], 1, '`mask.length` must be 1 (a boolean for each id), got 0'],
    [[true, 1], 2, '`mask[1]` must be true or false, got 1'],
    [new Array(2), 2, '`mask[0]` must be true or false, got undefined'],
    [{ allow: [0, 2] }, 2, '`mask.allow[1]` must be an integer in [0, 2), got 2'],
    [{ ban: [0, 1, 5] }, 2, '`mask.ban[2]` must be an integer in [0, 2), got 5'],
    [{ ban: [-1] }, 2, '`mask.ban[0]` must be an integer in [0, 2), got -1'],
    [{ allow: [0.5] }, 2, '`mask.allow[0]` must be an integer in [0, 2), got 0.5'],
    [{ allow: '1' }, 2, '`mask.allow` must be ids to iterate over, got "1"'],
    [{ ban: 1 }, 2, '`mask.ban` must be ids to iterate over, got 1'],
    [{ allow: null }, 2, '`mask.allow` must be ids to iterate over, got null'],
  ])('refuses %o for V = %d', (mask, V, message) => {
    expect(() => packMask(mask as TokenMask, V)).toRefuse(`packMask: ${message}`);
  });

  it.each([undefined, null, 5, 'allow', {}, { allow: [1], ban: [2] }, new Uint8Array(1), new Float64Array(1)])(
    'refuses %o, which has none of the forms',
    (mask) => {
      expect(() => packMask(mask as never, 8)).toThrow(
        'packMask: `mask` must be an array of booleans, an Int32Array or Uint32Array, or { allow } or { ban } with ids, got ',
      );
    },
  );

  it('refuses a V that is none, and a target of another length', () => {
    expect(() => packMask([], 0)).toRefuse('packMask: `vocabSize` must be an integer >= 1, got 0');
    expect(() => packMask([true], 1.5)).toRefuse('packMask: `vocabSize` must be an integer >= 1, got 1.5');
    expect(() => packMask([true], 1, new Uint32Array(2))).toRefuse(
      'packMask: `target` must be a Uint32Array of 1 words, got Uint32Array(2)',
    );
    expect(() => packMask({ ban: [] }, 40, new Int32Array(2) as never)).toRefuse(
      'packMask: `target` must be a Uint32Array of 2 words, got Int32Array(2)',
    );
  });

  it('names another owner where it works for one', () => {
    expect(() => packMask([true], 2, undefined, 'Mine')).toRefuse(
      'Mine: `mask.length` must be 2 (a boolean for each id), got 1',
    );
  });
});
