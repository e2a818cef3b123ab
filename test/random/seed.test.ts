import { describe, expect, it, vi } from 'vitest';
import { stream } from '../../src/core.js';
import { childSeed, freshSeed, Pcg32, PURPOSES, type Purpose, type Seed } from '../../src/random/index.js';
import { isSeed } from '../../src/random/seed.js';

const DOMAIN = 'an integer in [0, 2^53) or a bigint in [0, 2^64)';

describe('seeds', () => {
  it.each<[unknown, boolean, string]>([
    [0, true, 'the least'],
    [-0, true, 'zero too'],
    [2 ** 53 - 1, true, 'the largest number'],
    [2 ** 53, false, 'a number that may stand for two integers'],
    [0n, true, 'the least bigint'],
    [2n ** 53n, true, 'a bigint beyond the numbers'],
    [2n ** 64n - 1n, true, 'the largest'],
    [2n ** 64n, false, 'one beyond the largest'],
    [-1, false, 'a negative number'],
    [-1n, false, 'a negative bigint'],
    [0.5, false, 'a fraction'],
    [Number.NaN, false, 'NaN'],
    [Infinity, false, 'infinity'],
    ['1', false, 'a string'],
    [true, false, 'a boolean'],
    [null, false, 'null'],
    [undefined, false, 'undefined'],
  ])('%s: %s (%s)', (value, valid) => {
    expect(isSeed(value)).toBe(valid);
    if (valid) expect(() => new Pcg32(value as Seed)).not.toThrow();
    else expect(() => new Pcg32(value as Seed)).toThrow(`Pcg32: \`seed\` must be ${DOMAIN}, got `);
  });

  it.each([-1, 1.5, 2n ** 64n])('refuses %s by its name, wherever it is given', (value) => {
    const shown = typeof value === 'bigint' ? `${value}n` : `${value}`;
    expect(() => new Pcg32(0, value)).toRefuse(`Pcg32: \`sequence\` must be ${DOMAIN}, got ${shown}`);
    expect(() => childSeed(value, 'sample')).toRefuse(`childSeed: \`seed\` must be ${DOMAIN}, got ${shown}`);
    expect(() => stream(value, 'init')).toRefuse(`childSeed: \`seed\` must be ${DOMAIN}, got ${shown}`);
  });

  it('are the same as number and as bigint', () => {
    expect(new Pcg32(5).save()).toEqual(new Pcg32(5n).save());
    expect(stream(5, 'sample').save()).toEqual(stream(5n, 'sample').save());
  });
});

describe('purposes', () => {
  it('have their numbers', () => {
    expect(PURPOSES).toEqual({ init: 1, dropout: 2, shuffle: 3, sample: 4, mutation: 5 });
  });

  it('have streams of their own', () => {
    const states = Object.keys(PURPOSES).map((purpose) => stream(7, purpose as Purpose).save());
    expect(new Set(states.map((s) => s.state)).size).toBe(5);
    expect(states.map((s) => Number.parseInt(s.inc, 16))).toEqual([3, 5, 7, 9, 11]);
  });

  it.each(['draft', '', undefined])('refuses %s', (purpose) => {
    const shown = purpose === undefined ? 'undefined' : JSON.stringify(purpose);
    expect(() => stream(0, purpose as Purpose)).toRefuse(
      `childSeed: \`purpose\` must be one of init, dropout, shuffle, sample, mutation, got ${shown}`,
    );
  });

  it.each(['toString', 'constructor', '__proto__'])('refuses %s, a name that every object inherits', (purpose) => {
    expect(() => stream(0, purpose as Purpose)).toRefuse(
      `childSeed: \`purpose\` must be one of init, dropout, shuffle, sample, mutation, got "${purpose}"`,
    );
  });
});

describe('freshSeed', () => {
  it('is an integer in [0, 2^53) that a JSON number holds', () => {
    for (let i = 0; i < 200; i++) {
      const seed = freshSeed();
      expect(Number.isSafeInteger(seed) && seed >= 0).toBe(true);
      expect(isSeed(JSON.parse(JSON.stringify(seed)))).toBe(true);
    }
  });

  it('has the 21 low bits of one word and the 32 of the next', () => {
    const words = [0xffffffff, 0x80000001];
    const given = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
      (array as unknown as Uint32Array).set(words);
      return array;
    });
    expect(freshSeed()).toBe(0x1fffff * 2 ** 32 + 0x80000001);
    given.mockRestore();
  });

  it('is another one each time, over the whole range', () => {
    const seeds = Array.from({ length: 200 }, freshSeed);
    expect(new Set(seeds).size).toBe(200);
    expect(Math.max(...seeds)).toBeGreaterThan(2 ** 52);
    expect(seeds.some((seed) => seed % 2 === 1)).toBe(true);
    expect(seeds.some((seed) => seed % 2 === 0)).toBe(true);
  });
});
