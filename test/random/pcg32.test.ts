import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stream } from '../../src/core.js';
import { childSeed, mix64, NormalSource, Pcg32, type Purpose, type Seed } from '../../src/random/index.js';
import { fromHex, hex } from '../support/bits.js';

interface GeneratorVector {
  seed: string;
  seq: number;
  state: string;
  inc: string;
  u32: number[];
  uniforms: string[];
  skip: { uniforms: string; state: string }[];
  below: { n: number; values: number[]; used: number[] }[];
  shuffle: number[];
  normals: string[];
}

interface StreamVector {
  seed: string;
  purpose: Purpose;
  child_seed: string;
  state: string;
  inc: string;
  uniforms: string[];
}

const path = new URL('../../fixtures/vectors/pcg32.json', import.meta.url);
const {
  mix64: mixes,
  generators,
  streams,
} = JSON.parse(readFileSync(path, 'utf8')) as {
  mix64: [string, string][];
  generators: GeneratorVector[];
  streams: StreamVector[];
};

const anySeed = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

describe('the published numbers', () => {
  it.each<[Seed, number[]]>([
    [42, [0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e]],
    [0, [1203932051, 3113183783, 2101201694, 4034269462]],
    [1, [2607537577, 204602440, 3466066159]],
  ])('PCG32(%s)', (seed, expected) => {
    const random = new Pcg32(seed);
    expect(expected.map(() => random.nextU32())).toEqual(expected);
    const named = new Pcg32(seed, 54);
    expect(expected.map(() => named.nextU32())).toEqual(expected);
  });

  it('the state after seeding PCG32(0)', () => {
    expect(new Pcg32(0).save()).toEqual({ state: '9ae4f7499ba72696', inc: '000000000000006d' });
  });

  it('the sample stream of seed 0', () => {
    expect(childSeed(0, 'sample')).toBe(0xf88bb8a8724c81ecn);
    expect(stream(0, 'sample').uniform().toFixed(11)).toBe('0.80209496611');
  });
});

describe.each(generators)('Pcg32, seed $seed on sequence $seq, by the vectors', (vector) => {
  const make = () => new Pcg32(BigInt(vector.seed), vector.seq);

  it('starts in the same state', () => {
    expect(make().save()).toEqual({ state: vector.state, inc: vector.inc });
  });

  it('takes a seed as a number too, where a number holds it', () => {
    const seed = BigInt(vector.seed);
    if (seed > 2n ** 53n - 1n) return;
    expect(new Pcg32(Number(seed), BigInt(vector.seq)).save()).toEqual(make().save());
  });

  it('draws the same 32-bit words', () => {
    const random = make();
    expect(vector.u32.map(() => random.nextU32())).toEqual(vector.u32);
  });

  it('draws the same uniforms', () => {
    const random = make();
    expect(vector.uniforms.map(() => hex(random.uniform()))).toEqual(vector.uniforms);
  });

  it.each(vector.skip)('skips $uniforms uniforms to the same state', ({ uniforms, state }) => {
    const random = make();
    random.skip(BigInt(uniforms));
    expect(random.save()).toEqual({ state, inc: vector.inc });
    const count = Number(uniforms);
    if (!Number.isSafeInteger(count)) return;
    const again = make();
    again.skip(count);
    expect(again.save()).toEqual(random.save());
  });

  it.each(vector.below)('draws the same integers below $n, with as many words', ({ n, values, used }) => {
    const random = make();
    const words = make();
    values.forEach((value, i) => {
      expect(random.below(n)).toBe(value);
      for (let k = 0; k < (used[i] as number); k++) words.nextU32();
      expect(random.save()).toEqual(words.save());
    });
  });

  it('shuffles in the same way', () => {
    const items = vector.shuffle.map((_, i) => i);
    make().shuffle(items);
    expect(items).toEqual(vector.shuffle);
  });

  it('gives the same normals', () => {
    const source = new NormalSource(make());
    expect(vector.normals.map(() => hex(source.normal()))).toEqual(vector.normals);
  });
});

describe('streams, by the vectors', () => {
  it.each(streams)('stream($seed, $purpose)', (vector) => {
    const seed = BigInt(vector.seed);
    expect(childSeed(seed, vector.purpose)).toBe(BigInt(`0x${vector.child_seed}`));
    const random = stream(seed, vector.purpose);
    expect(random.save()).toEqual({ state: vector.state, inc: vector.inc });
    expect(vector.uniforms.map(() => hex(random.uniform()))).toEqual(vector.uniforms);
  });

  it.each(mixes)('mix64(%s) = %s', (from, to) => {
    expect(mix64(BigInt(`0x${from}`))).toBe(BigInt(`0x${to}`));
  });

  it('mix64 reads its argument modulo 2^64', () => {
    expect(mix64(2n ** 64n + 1n)).toBe(mix64(1n));
    expect(mix64(-1n)).toBe(mix64(2n ** 64n - 1n));
  });
});

describe('skip', () => {
  it('is the same as drawing and throwing away', () => {
    fc.assert(
      fc.property(anySeed, fc.nat(200), (seed, n) => {
        const skipped = new Pcg32(seed, 4);
        const drawn = new Pcg32(seed, 4);
        skipped.skip(n);
        for (let i = 0; i < n; i++) drawn.uniform();
        expect(skipped.save()).toEqual(drawn.save());
      }),
    );
  });

  it('goes back where it came from', () => {
    fc.assert(
      fc.property(anySeed, fc.maxSafeInteger(), (seed, n) => {
        const random = new Pcg32(seed);
        const start = random.save();
        random.skip(n);
        if (n !== 0) expect(random.save()).not.toEqual(start);
        random.skip(-n);
        expect(random.save()).toEqual(start);
      }),
    );
  });

  it('adds up', () => {
    fc.assert(
      fc.property(anySeed, fc.maxSafeInteger(), fc.maxSafeInteger(), (seed, a, b) => {
        const twice = new Pcg32(seed);
        twice.skip(a);
        twice.skip(b);
        const once = new Pcg32(seed);
        once.skip(BigInt(a) + BigInt(b));
        expect(once.save()).toEqual(twice.save());
      }),
    );
  });

  it('of 0 stays, and 2^63 uniforms are the whole way round', () => {
    const random = new Pcg32(9);
    const start = random.save();
    random.skip(0);
    expect(random.save()).toEqual(start);
    random.skip(2n ** 63n);
    expect(random.save()).toEqual(start);
    random.skip(2n ** 62n);
    expect(random.save()).not.toEqual(start);
  });

  it.each([0.5, Number.NaN, Infinity, 2 ** 53, -(2 ** 53), '1', undefined, null])('refuses %s', (count) => {
    const random = new Pcg32(9);
    const start = random.save();
    const shown = typeof count === 'string' ? `"${count}"` : String(count);
    expect(() => random.skip(count as number)).toRefuse(
      `Pcg32.skip: \`count\` must be an integer in (-2^53, 2^53) or a bigint, got ${shown}`,
    );
    expect(random.save()).toEqual(start);
  });
});

describe('save and restore', () => {
  it('goes on with the same words, through JSON', () => {
    fc.assert(
      fc.property(anySeed, anySeed, fc.nat(20), (seed, sequence, n) => {
        const random = new Pcg32(seed, sequence);
        for (let i = 0; i < n; i++) random.nextU32();
        const restored = Pcg32.restore(JSON.parse(JSON.stringify(random.save())));
        expect(restored.save()).toEqual(random.save());
        for (let i = 0; i < 5; i++) expect(restored.nextU32()).toBe(random.nextU32());
        restored.skip(3);
        random.skip(3);
        expect(restored.uniform()).toBe(random.uniform());
      }),
    );
  });

  it('writes 16 digits however small the state', () => {
    const zero = Pcg32.restore({ state: '0000000000000000', inc: '0000000000000001' });
    expect(zero.save()).toEqual({ state: '0000000000000000', inc: '0000000000000001' });
    expect(zero.nextU32()).toBe(0);
    expect(zero.save()).toEqual({ state: '0000000000000001', inc: '0000000000000001' });
  });

  it('carries from the low half of the state to the high one', () => {
    // 1 * multiplier + inc, with a low half of exactly 2^32: 0x4c957f2d + 0xb36a80d3
    const random = Pcg32.restore({ state: '0000000000000001', inc: '00000000b36a80d3' });
    random.nextU32();
    expect(random.save().state).toBe('5851f42e00000000');
  });

  it('keeps an increment with its highest bit set', () => {
    const random = Pcg32.restore({ state: '0000000000000000', inc: 'ffffffff00000001' });
    random.nextU32();
    expect(random.save()).toEqual({ state: 'ffffffff00000001', inc: 'ffffffff00000001' });
  });

  const inc = '000000000000006d';
  const digits = (name: string, got: string) => `Pcg32.restore: \`${name}\` must be 16 hexadecimal digits, got ${got}`;
  it.each([
    { saved: { state: '9ae4f7499ba7269', inc }, message: digits('state', '"9ae4f7499ba7269"') },
    { saved: { state: '9ae4f7499ba726960', inc }, message: digits('state', '"9ae4f7499ba726960"') },
    { saved: { state: 'xae4f7499ba72696', inc }, message: digits('state', '"xae4f7499ba72696"') },
    { saved: { state: '9AE4F7499BA72696', inc }, message: digits('state', '"9AE4F7499BA72696"') },
    { saved: { state: '9ae4f7499ba72696\n', inc }, message: digits('state', '"9ae4f7499ba72696\\n"') },
    { saved: { state: 7, inc }, message: digits('state', '7') },
    { saved: { inc }, message: digits('state', 'undefined') },
    { saved: { state: inc, inc: '6d' }, message: digits('inc', '"6d"') },
    { saved: { state: inc, inc: null }, message: digits('inc', 'null') },
    {
      saved: { state: inc, inc: '000000000000006c' },
      message: 'Pcg32.restore: `inc` must be odd, got "000000000000006c"',
    },
  ])('refuses $saved', ({ saved, message }) => {
    expect(() => Pcg32.restore(saved as never)).toRefuse(message);
  });
});

describe('uniform', () => {
  it('has 53 bits: 27 of one word and 26 of the next', () => {
    const words = new Pcg32(17);
    const random = new Pcg32(17);
    for (let i = 0; i < 200; i++) {
      const a = words.nextU32() >>> 5;
      const b = words.nextU32() >>> 6;
      const u = random.uniform();
      expect(u).toBe(Number((BigInt(a) << 26n) | BigInt(b)) / 2 ** 53);
      expect(u).toBeGreaterThanOrEqual(0);
      expect(u).toBeLessThan(1);
    }
  });

  it('is evenly spread', () => {
    const random = new Pcg32(5);
    const counts = Array<number>(16).fill(0);
    for (let i = 0; i < 16_000; i++) {
      const cell = Math.floor(16 * random.uniform());
      counts[cell] = (counts[cell] as number) + 1;
    }
    const statistic = counts.reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
    expect(statistic).toBeLessThan(37.7); // 99.9 % of chi square with 15 degrees of freedom
  });
});

describe('below', () => {
  it('draws again below the threshold 2^32 mod n, and only there', () => {
    for (const n of [3, 5, 1000, 2 ** 31 + 1, 3 * 2 ** 30, 2 ** 32 - 1]) {
      const threshold = 2 ** 32 % n;
      const random = new Pcg32(99, 5);
      const words = new Pcg32(99, 5);
      for (let i = 0; i < 100; i++) {
        let word = words.nextU32();
        while (word < threshold) word = words.nextU32();
        expect(random.below(n)).toBe(word % n);
      }
    }
  });

  it('takes a word that is the threshold itself', () => {
    // 2^32 mod n is the threshold; an n for which the first word of this generator is just that
    const word = new Pcg32(0).nextU32();
    const n = 2 ** 32 - word;
    expect(2 ** 32 % n).toBe(word);
    expect(new Pcg32(0).below(n)).toBe(word % n);
  });

  it('gives every value of a small n about as often', () => {
    const random = new Pcg32(4);
    const counts = [0, 0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 14_000; i++) {
      const value = random.below(7);
      counts[value] = (counts[value] as number) + 1;
    }
    const statistic = counts.reduce((sum, n) => sum + (n - 2000) ** 2 / 2000, 0);
    expect(statistic).toBeLessThan(22.5); // 99.9 % of chi square with 6 degrees of freedom
  });

  it('takes 1 and 2^32, the borders', () => {
    const random = new Pcg32(1);
    const words = new Pcg32(1);
    expect(random.below(1)).toBe(0);
    words.nextU32();
    expect(random.below(2 ** 32)).toBe(words.nextU32());
  });

  it.each([0, -1, 0.5, 2 ** 32 + 1, Number.NaN, Infinity, '3', undefined])('refuses %s, and draws nothing', (n) => {
    const random = new Pcg32(1);
    const start = random.save();
    const shown = typeof n === 'string' ? `"${n}"` : String(n);
    expect(() => random.below(n as number)).toRefuse(
      `Pcg32.below: \`n\` must be an integer in [1, 2^32], got ${shown}`,
    );
    expect(random.save()).toEqual(start);
  });
});

describe('shuffle', () => {
  it('permutes, in place, from the last index down', () => {
    fc.assert(
      fc.property(anySeed, fc.array(fc.integer(), { maxLength: 50 }), (seed, items) => {
        const expected = [...items];
        const words = new Pcg32(seed);
        for (let i = expected.length - 1; i > 0; i--) {
          const j = words.below(i + 1);
          [expected[i], expected[j]] = [expected[j] as number, expected[i] as number];
        }
        const shuffled = [...items];
        const random = new Pcg32(seed);
        random.shuffle(shuffled);
        expect(shuffled).toEqual(expected);
        expect(random.save()).toEqual(words.save());
      }),
    );
  });

  it('takes a typed array, and draws nothing for none and one', () => {
    const random = new Pcg32(3);
    const start = random.save();
    random.shuffle([]);
    random.shuffle([7]);
    expect(random.save()).toEqual(start);
    const items = Float32Array.of(1, 2, 3, 4, 5);
    random.shuffle(items);
    expect([...items].sort()).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('normal', () => {
  it('takes two uniforms every other call', () => {
    const random = new Pcg32(2);
    const source = new NormalSource(random);
    const expected = new Pcg32(2);
    for (let i = 0; i < 6; i++) {
      source.normal();
      if (i % 2 === 0) expected.skip(2);
      else expect(random.save()).toEqual(expected.save());
    }
    source.normal();
    expected.skip(2);
    expect(random.save()).toEqual(expected.save());
  });

  it('has mean 0 and variance 1', () => {
    const source = new NormalSource(new Pcg32(8));
    const n = 4000;
    const values = Array.from({ length: n }, () => source.normal());
    const mean = values.reduce((s, x) => s + x, 0) / n;
    const variance = values.reduce((s, x) => s + (x - mean) ** 2, 0) / n;
    expect(Math.abs(mean)).toBeLessThan(4 / Math.sqrt(n));
    expect(Math.abs(variance - 1)).toBeLessThan(4 * Math.sqrt(2 / n));
  });

  it('is finite at both ends of the uniforms', () => {
    for (const u of [0, 1 - 2 ** -53]) {
      const source = new NormalSource({ uniform: () => u });
      const [c, s] = [source.normal(), source.normal()];
      expect(Number.isFinite(c) && Number.isFinite(s)).toBe(true);
    }
    const zero = new NormalSource({ uniform: () => 0 });
    expect(Math.abs(zero.normal())).toBe(0);
    expect(fromHex(hex(Math.abs(zero.normal())))).toBe(0);
  });
});
