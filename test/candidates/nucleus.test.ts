/**
 * What `Nucleus` itself answers: over a sorted list of plain sums, beside the sums and a doubt away from them. That a
 * wrong answer would be made good by the plain way behind it is not good enough here.
 */
import { describe, expect, it } from 'vitest';
import { Nucleus, TOO_SHORT, UNDECIDED } from '../../src/candidates/nucleus.js';
import { WideCandidates } from '../../src/candidates/wide-candidates.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { roughNormal } from '../support/requests.js';

const V = 2000;

const ROWS: Record<string, (random: Pcg32, id: number) => number> = {
  'normal logits': (random) => 3 * roughNormal(random),
  'a flat row': (random) => roughNormal(random) / 50,
  'a steep row': (random) => 30 * random.uniform() - 30,
  'few values': (random) => random.below(5) / 2,
  'one value': () => 1.25,
  'ties across a bucket': (random) => (random.below(2) === 0 ? 0 : -1 / 64),
  'masked logits': (random, id) => (id % 3 === 0 ? -Infinity : roughNormal(random)),
};

/** A row with its exps, the list of its ids with l >= least, and the same ids by rank with their running sums. */
function prepare(logits: readonly number[], { divisor = 1, least = -Number.MAX_VALUE } = {}) {
  const wide = new WideCandidates(logits.length, exactNumerics);
  wide.load(Float32Array.from(logits));
  wide.divide(divisor);
  const z = wide.normalizer();
  const all = Array.from(logits, (_, id) => ({ id, l: wide.logit(id), e: wide.expOf(id) }));
  const listed = all.filter(({ l }) => l >= least);
  const ids = new Int32Array(logits.length);
  const values = new Float64Array(logits.length);
  const nucleus = new Nucleus(wide, ids, values);
  const list = () => {
    for (const [i, { id, l }] of listed.entries()) {
      ids[i] = id;
      values[i] = l;
    }
    return listed.length;
  };
  const ranked = [...listed].sort((a, b) => b.l - a.l || a.id - b.id);
  let sum = 0;
  const sums = ranked.map(({ e }) => {
    sum += e;
    return sum;
  });
  const cut = (goal: number) => {
    const count = nucleus.cut(list(), goal);
    return count > 0 ? Array.from({ length: count }, (_, i) => ({ id: ids[i], l: values[i] })) : count;
  };
  const best = (count: number) =>
    ranked
      .slice(0, count)
      .sort((a, b) => a.id - b.id)
      .map(({ id, l }) => ({ id, l }));
  const doubt = (logits.length + 64) * 2 ** -52 * z;
  return { wide, nucleus, list, all, listed, ranked, sums, cut, best, doubt, z };
}

function row(make: (random: Pcg32, id: number) => number, seed: number, size = V): number[] {
  const random = new Pcg32(seed, size);
  return Array.from({ length: size }, (_, id) => Math.fround(make(random, id)));
}

describe.each(Object.entries(ROWS))('cut of %s', (_, make) => {
  it.each([1, 0.7, 1.9])('keeps up to the id that crosses the goal, divided by %d', (divisor) => {
    const logits = row(make, 1);
    const { ranked, sums, cut, best } = prepare(logits, { divisor });
    const far = ranked.filter(({ e }, i) => e > 1e-9 * (sums[i] ?? 0)).length;
    for (const k of new Set([1, 2, 3, 63, 64, 65, 66, 129, 400, far >> 1, far - 1, far])) {
      if (k <= far) expect(cut(((sums[k - 2] ?? 0) + (sums[k - 1] as number)) / 2)).toEqual(best(k));
    }
  });

  it('has no answer within the doubt of a running sum, and one beyond it', () => {
    const { sums, cut, best, doubt } = prepare(row(make, 2));
    for (const k of [1, 2, 5, 64, 100, 333]) {
      const at = (shift: number) => cut((sums[k - 1] as number) + shift * doubt);
      expect([at(-0.9), at(0), at(0.9)]).toEqual([UNDECIDED, UNDECIDED, UNDECIDED]);
      expect(at(-1.1)).toEqual(best(k));
      expect(at(1.1)).toEqual(best(k + 1));
    }
  });

  it('says where the list does not reach the goal beyond doubt', () => {
    const logits = row(make, 3);
    const least = [...logits].sort((a, b) => b - a)[200] as number;
    const { cut, best, sums, doubt, listed } = prepare(logits, { least });
    const at = (shift: number) => cut((sums.at(-1) as number) + shift * doubt);
    expect([at(0.5), at(-0.5), at(-0.9), at(1e9)]).toEqual([TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT]);
    expect(at(-1.1)).toEqual(best(listed.length));
  });
});

describe('cut', () => {
  it('has no answer so far out that one exp is less than the doubt', () => {
    const { cut, sums } = prepare(Array.from({ length: V }, (_, id) => (id === 7 ? 0 : -33)));
    expect(cut(((sums[998] as number) + (sums[999] as number)) / 2)).toBe(UNDECIDED);
  });
});

describe.each(Object.entries(ROWS))('guess of %s', (_, make) => {
  it.each([
    [1, 1],
    [1, 0.7],
    [16, 1],
    [16, 1.9],
  ])(
    'is the far end of the bucket where sums of every %i. run of 8 reach the goal, divided by %d',
    (stride, divisor) => {
      const logits = row(make, 5);
      const least = prepare(logits, { divisor }).nucleus.headFrom;
      const { nucleus, wide, all, listed, list, z } = prepare(logits, { divisor, least });
      const max = wide.maxLogit();
      expect(least).toBe(max - 6);
      const sums = new Map<number, number>();
      const add = (l: number, e: number) => {
        const bucket = Math.min(1023, Math.floor((max - l) * 32));
        sums.set(bucket, (sums.get(bucket) ?? 0) + e);
      };
      for (const { l, e } of listed) add(l, e);
      for (const { id, l, e } of all)
        if (Math.floor(id / 8) % stride === 0 && Math.floor((max - l) * 32) >= 192) add(l, e * stride);
      for (const p of [0.01, 0.3, 0.7, 0.95, 0.999, 1.5]) {
        let sum = 0;
        let bucket = -1;
        while (bucket < 1023 && sum < p * z) sum += sums.get(++bucket) ?? 0;
        const spare = stride === 1 ? 1.001 : 14;
        expect(nucleus.guess(p * z, list(), stride)).toBe(max - (bucket + spare) / 32);
      }
    },
  );
});
