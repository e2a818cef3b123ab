import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findId } from '../../src/candidates/find-id.js';
import { CandidateSet } from '../../src/core.js';
import { wasmNumerics } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { LogitSorter } from '../../src/ranking/logit-sorter.js';
import { RankOrder } from '../../src/ranking/rank-order.js';
import { pick, roughNormal } from '../support/requests.js';
import { PlainCandidates } from './plain-candidates.js';

/** Positions of what is above -Infinity, by (logit descending, position ascending). */
function fullSort(logits: ArrayLike<number>): number[] {
  return new PlainCandidates(logits).ranked;
}

type Shape = (random: Pcg32, size: number) => number[];

const SHAPES: Record<string, Shape> = {
  normal: (random, size) => Array.from({ length: size }, () => Math.fround(3 * roughNormal(random))),
  'float64 normal': (random, size) => Array.from({ length: size }, () => 3 * roughNormal(random)),
  'few values': (random, size) => Array.from({ length: size }, () => random.below(3)),
  'two values, the high one rare': (random, size) =>
    Array.from({ length: size }, () => (random.below(50) === 0 ? 1 : 0)),
  'all equal': (_, size) => Array(size).fill(-2),
  ascending: (_, size) => Array.from({ length: size }, (_, i) => i / 8),
  descending: (_, size) => Array.from({ length: size }, (_, i) => -i / 8),
  'up and down': (_, size) => Array.from({ length: size }, (_, i) => Math.min(i, size - i)),
  'signed zeros': (random, size) => Array.from({ length: size }, () => pick(random, [0, -0])),
  masked: (random, size) =>
    Array.from({ length: size }, (_, i) => (i > 0 && random.below(2) === 0 ? -Infinity : random.below(100))),
  'extreme doubles': (random, size) =>
    Array.from({ length: size }, () =>
      pick(random, [1.7e308, -1.7e308, 5e-324, -5e-324, 0, -0, 1, 1 + 2 ** -52, -1, -1 - 2 ** -52, 1e-40, -1e-40]),
    ),
};

const SIZES = [1, 2, 3, 63, 64, 65, 127, 128, 129, 255, 256, 257, 258, 511, 513, 2047, 2048, 2049, 5000];

describe.each(Object.entries(SHAPES))('ranks of %s logits', (_, shape) => {
  it.each([257, 2049, 5000])('are those of a full sort from a row of float32 logits, V = %i', (size) => {
    const logits = Float32Array.from(
      shape(new Pcg32(size, 9), size).map((x) => (Math.abs(x) < 1e38 ? x : Math.sign(x))),
    );
    const expected = fullSort(logits);
    const set = new CandidateSet(wasmNumerics);
    for (const depth of [1, 2, 10, 30, 64, 2048, expected.length].filter((d) => d <= expected.length)) {
      set.load(logits);
      set.keepBest(depth);
      expect(Array.from({ length: depth }, (_value, rank) => set.idAtRank(rank))).toEqual(expected.slice(0, depth));
      set.load(logits);
      expect(
        set
          .tapScores()
          .best(depth)
          .map(({ id }) => id),
      ).toEqual(expected.slice(0, depth));
    }
  });

  it.each(SIZES)('are those of a full sort, V = %i', (size) => {
    const random = new Pcg32(size, 9);
    const logits = shape(random, size);
    const expected = fullSort(logits);
    const set = new CandidateSet();
    const depths = [1, 2, 63, 64, 65, 128, 129, 2047, 2048, 2049, expected.length];
    for (const depth of depths.filter((d) => d <= expected.length)) {
      set.load(logits);
      expect(set.idAtRank(depth - 1)).toBe(expected[depth - 1]); // straight to it
      set.load(logits);
      set.keepBest(depth);
      const kept = Array.from({ length: depth }, (_, i) => set.idAt(i));
      expect(kept).toEqual(expected.slice(0, depth).sort((a, b) => a - b));
    }
    set.load(logits);
    expect(expected.map((_, rank) => set.idAtRank(rank))).toEqual(expected); // a walk
  });

  it.each([8191, 8192, 8193, 20_000])(
    'are those of a full sort where a walk takes two selections first, V = %i',
    (size) => {
      const logits = shape(new Pcg32(size, 9), size);
      const expected = fullSort(logits);
      const set = new CandidateSet();
      set.load(logits);
      expect(expected.map((_, rank) => set.idAtRank(rank))).toEqual(expected);
      set.load(logits);
      set.keepBest(Math.min(3000, expected.length));
      const kept = Array.from({ length: set.size }, (_, rank) => set.idAtRank(rank));
      expect(kept).toEqual(expected.slice(0, 3000));
    },
  );
});

describe('RankOrder', () => {
  const size = 10_000;
  const logits = Float64Array.from(SHAPES.normal?.(new Pcg32(1, 1), size) ?? []);
  const expected = fullSort(logits);

  function known(order: RankOrder): number[] {
    return Array.from({ length: order.known }, (_, rank) => order.at(rank));
  }

  it('knows nothing until it is asked, then no more than it needs', () => {
    const order = new RankOrder();
    expect(order.known).toBe(0);
    const asked: [number, number][] = [
      [1, 64],
      [64, 64],
      [65, 2048],
      [2048, 2048],
      [2049, size],
      [size, size],
    ];
    for (const [count, knows] of asked) {
      order.extend(count, logits, size, size);
      expect(order.known).toBe(knows);
      expect(known(order)).toEqual(expected.slice(0, knows));
    }
    order.forget();
    expect(order.known).toBe(0);
  });

  it('meets a first request as it is', () => {
    const order = new RankOrder();
    order.extend(300, logits, size, size);
    expect(order.known).toBe(300);
    expect(known(order)).toEqual(expected.slice(0, 300));
  });

  it('goes on from a first request of 64 or more', () => {
    const order = new RankOrder();
    order.extend(300, logits, size, size);
    order.extend(301, logits, size, size);
    expect(order.known).toBe(2048);
    const large = new RankOrder();
    large.extend(2100, logits, size, size);
    expect(large.known).toBe(2100);
    large.extend(2101, logits, size, size);
    expect(large.known).toBe(size);
  });

  it.each([255, 256, 257])('sorts all where four times the depth is no less than the size, V = %i', (small) => {
    const order = new RankOrder();
    order.extend(1, logits, small, small);
    expect(order.known).toBe(small <= 256 ? small : 64);
  });

  it('counts what is above -Infinity, and not the length', () => {
    const holed = logits.map((l, i) => (i % 50 === 0 ? l : -Infinity));
    const order = new RankOrder();
    order.extend(1, holed, size, 200);
    expect(known(order)).toEqual(fullSort(holed));
    const few = new RankOrder();
    few.extend(5, holed, size, 200);
    expect(few.known).toBe(200);
  });

  it('keeps the known ranks of what a filter keeps', () => {
    const order = new RankOrder();
    order.extend(100, logits, size, size);
    const kept = Int32Array.from(expected.slice(0, 400).sort((a, b) => a - b)).filter((_, i) => i % 3 !== 0);
    const places = new Int32Array(size).fill(0);
    kept.forEach((position, place) => {
      places[position] = place;
    });
    order.filter(kept, kept.length, places);
    const stay = expected.slice(0, 100).filter((position) => kept.includes(position));
    expect(known(order)).toEqual(stay.map((position) => kept.indexOf(position)));
  });

  it('does not take a stale place for a kept one', () => {
    const order = new RankOrder();
    order.extend(3, Float64Array.of(3, 2, 1), 3, 3);
    order.filter(Int32Array.of(0, 9), 1, Int32Array.of(0, 1, 0)); // 1 points beyond the kept ones, 2 at another's place
    expect(known(order)).toEqual([0]);
  });
});

describe('LogitSorter', () => {
  const bitPatterns = fc.double({ noNaN: true, maxExcluded: false, noDefaultInfinity: true });

  it.each([1, 2, 256, 257, 300, 1000])('sorts %i positions, stable among ties', (count) => {
    const sorter = new LogitSorter();
    fc.assert(
      fc.property(fc.array(bitPatterns, { minLength: count, maxLength: count }), fc.nat(3), (values, dull) => {
        const logits = Float64Array.from(values, (x, i) => (i % (dull + 1) === 0 ? x : Math.sign(x) * dull));
        const positions = Int32Array.from({ length: count }, (_, i) => i);
        sorter.sort(positions, count, logits);
        expect(Array.from(positions)).toEqual(fullSort(logits));
      }),
      { numRuns: 30 },
    );
  });

  it('tells apart neighbours in every one of the 64 bits', () => {
    const view = new DataView(new ArrayBuffer(8));
    const values = Array.from({ length: 300 }, (_, i) => {
      view.setBigUint64(0, (0x3ff5555555555555n ^ (1n << BigInt(i % 62))) & 0xffffffffffffffffn);
      return i % 2 === 0 ? view.getFloat64(0) : -view.getFloat64(0);
    });
    const logits = Float64Array.from(values);
    const positions = Int32Array.from({ length: 300 }, (_, i) => i);
    new LogitSorter().sort(positions, 300, logits);
    expect(Array.from(positions)).toEqual(fullSort(logits));
  });

  it('sorts a choice of positions, and leaves the rest of the buffer alone', () => {
    const logits = Float64Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1000);
    for (const count of [100, 400]) {
      const positions = Int32Array.from({ length: 500 }, (_, i) => 2 * i);
      new LogitSorter().sort(positions, count, logits);
      const some = Array.from({ length: count }, (_, i) => 2 * i);
      some.sort((a, b) => (logits[b] as number) - (logits[a] as number));
      expect(Array.from(positions.subarray(0, count))).toEqual(some);
      expect(positions[count]).toBe(2 * count);
    }
  });
});

describe('findId', () => {
  it('finds every id of an ascending list, and no other', () => {
    const ids = Int32Array.of(0, 3, 4, 9, 20, 21, 1000, 7, 8); // only the first seven count
    for (let length = 1; length <= 7; length++) {
      for (const id of [0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 19, 20, 21, 22, 999, 1000, 1001]) {
        expect(findId(ids, length, id)).toBe([...ids.subarray(0, length)].indexOf(id));
      }
    }
  });
});
