/**
 * The filters of CandidateSet where they are most easily wrong: p on a running sum of q and one bit beside it, a share on
 * a ratio of q and one bit beside it, counts at ties. On rows long enough that a row decides by bounds, in all worlds.
 */
import { describe, expect, it } from 'vitest';
import { CandidateSet } from '../../src/core.js';
import { Pcg32 } from '../../src/random/index.js';
import { expectSameBits, nextDown, nextUp } from '../support/bits.js';
import { casesOf } from '../support/cases.js';
import { pick, roughNormal } from '../support/requests.js';
import { PlainCandidates } from './plain-candidates.js';
import { WORLDS, type World } from './worlds.js';

const SIZES = [1, 64, 65, 300, 1500];
const SEEDS = Array.from({ length: casesOf(1, 4) }, (_, i) => i + 1);

/** How the logits of a row come about. */
const ROWS: Record<string, (random: Pcg32) => () => number> = {
  'normal logits': (random) => () => 3 * roughNormal(random),
  'a steep row': (random) => () => 40 * random.uniform() - 40,
  'few values': (random) => () => random.below(5) / 2,
  'one value': () => () => 1.25,
  'values that differ in the last bit': (random) => () => 1 + random.below(3) * 2 ** -23,
  'masked logits': (random) => () => (random.below(3) === 0 ? roughNormal(random) : -Infinity),
  'huge logits': (random) => () => pick(random, [3e38, -3e38, 2.9999e38, 1, 0]),
  'tiny logits': (random) => () => pick(random, [1e-45, -1e-45, 3e-39, 0, -0]),
  'one far above': (random) => () => (random.below(40) === 0 ? 30 : roughNormal(random)),
};

/** A set and its plain twin, after the same edits: a few logits set, sometimes a temperature. */
function prepare(world: World, size: number, make: (random: Pcg32) => () => number, seed: number) {
  const random = new Pcg32(seed, size);
  const next = make(random);
  const logits = world.logits(Array.from({ length: size }, (_, id) => (id === size - 1 ? 0.5 : next())));
  const edits = Array.from({ length: random.below(4) }, () => [random.below(size), 2 * roughNormal(random)] as const);
  const divisor = pick(random, [1, 1, 0.7, 1.8, 50, 1e-3, 1e120]);
  const start = () => {
    const set = new CandidateSet(world.numerics);
    set.load(logits);
    const plain = new PlainCandidates(logits);
    for (const [id, l] of edits) {
      if (!set.has(id)) continue;
      set.setLogit(id, l);
      plain.set(id, l);
    }
    if (divisor !== 1) {
      set.divideLogits(divisor);
      plain.divide(divisor);
    }
    return { set, plain };
  };
  return { start, random };
}

/** `x` and its neighbours. */
function around(x: number): number[] {
  return [nextDown(x), x, nextUp(x)];
}

function expectKept(set: CandidateSet, plain: PlainCandidates, ids: readonly number[], what: string): void {
  const kept = new PlainCandidates(plain.logits);
  kept.keep(ids);
  expect({ what, size: set.size }).toEqual({ what, size: ids.length });
  expectSameBits(set.toLogits(), kept.logits, `${what}: logits`);
  expectSameBits(set.toProbabilities(), kept.probabilities, `${what}: q`);
}

describe.each(Object.entries(WORLDS))('%s', (_, world) => {
  describe.each(Object.entries(ROWS))('%s', (_name, make) => {
    it.each(SIZES)('keepMass keeps the nucleus, to the bit of p, V = %i', (size) => {
      for (const seed of SEEDS) {
        const { start, random } = prepare(world, size, make, seed);
        const { plain } = start();
        const { probabilities, ranked } = plain;
        let s = 0;
        const sums = ranked.map((id) => {
          s += probabilities[id] as number;
          return s;
        });
        const chosen = [sums[0], sums[1], sums.at(-2), sums.at(-1), ...[1, 2, 3].map(() => pick(random, sums))];
        const ps = [5e-324, 0.5, 0.9, 1 - 2 ** -53, 1, ...chosen.flatMap((sum) => around(sum ?? 0.25))];
        for (const p of ps.filter((x) => x > 0 && x <= 1)) {
          const { set } = start();
          set.keepMass(p);
          expectKept(set, plain, plain.nucleus(p), `seed ${seed}, p = ${p}`);
        }
      }
    });

    it.each(SIZES)('keepLikely keeps what reaches the threshold, to the bit of the share, V = %i', (size) => {
      for (const seed of SEEDS) {
        const { start, random } = prepare(world, size, make, seed);
        const { plain } = start();
        const { probabilities, ids } = plain;
        const top = probabilities.reduce((max, q) => Math.max(max, q), 0);
        const shares = Array.from({ length: 4 }, () => (probabilities[pick(random, ids)] as number) / top);
        for (const share of [0, 5e-324, 1e-260, 1e-240, 0.05, 1, ...shares.flatMap(around)]) {
          if (share > 1 || share < 0) continue;
          const { set } = start();
          set.keepLikely(share);
          expectKept(set, plain, plain.likely(share), `seed ${seed}, share = ${share}`);
        }
      }
    });

    it.each(SIZES)('keepBest keeps the first of the order, ties to the lower id, V = %i', (size) => {
      for (const seed of SEEDS) {
        const { start } = prepare(world, size, make, seed);
        const { plain } = start();
        const { ranked } = plain;
        for (const count of [1, 2, 3, 4, 11, 12, 40, 63, 64, 65, 200, size - 1, size]) {
          if (count < 1) continue;
          const { set } = start();
          set.keepBest(count);
          expectKept(set, plain, ranked.slice(0, count), `seed ${seed}, count = ${count}`);
        }
      }
    });

    it.each(SIZES)('the first rank, the walk and the entropy need no list, V = %i', (size) => {
      for (const seed of SEEDS) {
        const { start, random } = prepare(world, size, make, seed);
        const { plain } = start();
        expect(start().set.idAtRank(0)).toBe(plain.ranked[0]);
        expect(start().set.entropy()).toBe(plain.entropy);
        const { probabilities } = plain;
        let c = 0;
        const sums = probabilities.map((q) => {
          c += q;
          return c;
        });
        const us = [0, 1 - 2 ** -53, random.uniform(), ...[1, 2, 3].flatMap(() => around(pick(random, sums)))];
        for (const u of us.filter((x) => x >= 0 && x < 1)) {
          const { set } = start();
          expect(set.walk(u)).toBe(sums.findIndex((sum) => u < sum));
        }
      }
    });
  });

  it('removes ids before, while and after the row is a list', () => {
    const set = new CandidateSet(world.numerics);
    set.load(world.logits(Array.from({ length: 200 }, (_, id) => id / 16)));
    const plain = new PlainCandidates(set.toLogits());
    set.load(world.logits(plain.logits));
    for (const id of [199, 198, 64, 0]) {
      set.setLogit(id, -Infinity);
      plain.set(id, -Infinity);
      expect([set.size, set.has(id), set.maxLogit()]).toEqual([plain.ids.length, false, plain.max]);
      expect(() => set.setLogit(id, 1)).toRefuse(`CandidateSet: \`id\` must be one of the kept ids, got ${id}`);
    }
    expect(set.idAtRank(0)).toBe(197);
    set.setLogit(3, 99);
    plain.set(3, 99);
    set.setLogit(3, 98);
    plain.set(3, 98);
    expect([set.idAtRank(0), set.logit(3), set.maxLogit()]).toEqual([3, 98, 98]);
    set.keepBest(50);
    plain.keep(plain.ranked.slice(0, 50));
    set.setLogit(3, -Infinity);
    plain.set(3, -Infinity);
    expectKept(set, plain, plain.ids, 'after the list');
  });

  it('gives ties between an edited and an unedited id to the lower one', () => {
    for (const [edited, best] of [
      [7, 7],
      [150, 100],
    ] as const) {
      const set = new CandidateSet(world.numerics);
      set.load(world.logits(Array.from({ length: 200 }, (_, id) => (id === 100 ? 5 : 0))));
      set.setLogit(edited, 5);
      expect(set.idAtRank(0)).toBe(best);
      set.keepBest(1);
      expect(set.idAt(0)).toBe(best);
    }
  });

  it('keeps the scores while the candidates go on', () => {
    const logits = world.logits(Array.from({ length: 300 }, (_, id) => ((id * 37) % 101) / 10));
    const set = new CandidateSet(world.numerics);
    set.load(logits);
    set.setLogit(5, 3.25);
    const scores = set.tapScores();
    const plain = new PlainCandidates(logits);
    plain.set(5, 3.25);
    set.divideLogits(0.5);
    set.setLogit(6, 99);
    set.keepMass(0.5);
    set.divideLogits(2);
    set.keepBest(3);
    expectSameBits(
      plain.logits.map((_, id) => scores.logprob(id)),
      plain.logprobs,
    );
    expect(scores.best(10).map(({ id }) => id)).toEqual(plain.ranked.slice(0, 10));
    expect(scores.best(300).map(({ id }) => id)).toEqual(plain.ranked);
    expect([scores.max, scores.total]).toEqual([plain.max, plain.total]);
  });

  it('keepMass keeps an edited id that lies among float32 logits far apart, whatever the first guess was', () => {
    // one id in 64 is at the top, so that a look at one id of each block takes the row for steeper than it is
    const top = 2 ** 20;
    const logits = world.logits(Array.from({ length: 20_000 }, (_, id) => (id % 64 === 0 ? top : top - 0.25)));
    const set = new CandidateSet(world.numerics);
    set.load(logits);
    const plain = new PlainCandidates(logits);
    for (const id of [64, 128, 7001]) {
      set.setLogit(id, top - 0.2); // behind the top, before all others
      plain.set(id, top - 0.2);
    }
    const nucleus = plain.nucleus(0.5);
    expect(nucleus).toEqual(expect.arrayContaining([64, 128, 7001]));
    set.keepMass(0.5);
    expectKept(set, plain, nucleus, 'the nucleus of 0.5');
  });

  it.each([0, -0, -0.5, 1 + 2 ** -52, Number.NaN, Infinity])('keepMass refuses %d', (p) => {
    const set = new CandidateSet(world.numerics);
    set.load(world.logits([1, 2]));
    expect(() => set.keepMass(p)).toRefuse(
      `CandidateSet: \`p\` must be a number in (0, 1], got ${Object.is(p, -0) ? '-0' : p}`,
    );
    expect(set.size).toBe(2);
  });

  it.each([-5e-324, 1 + 2 ** -52, Number.NaN, Infinity])('keepLikely refuses %d', (share) => {
    const set = new CandidateSet(world.numerics);
    set.load(world.logits([1, 2]));
    expect(() => set.keepLikely(share)).toRefuse(`CandidateSet: \`share\` must be a number in [0, 1], got ${share}`);
    expect(set.size).toBe(2);
  });

  it('stays as it was when logits are refused', () => {
    const set = new CandidateSet(world.numerics);
    set.load(world.logits([1, 5, 3]));
    for (const bad of [Float32Array.of(9, Number.NaN, 9), Float32Array.of(-Infinity, -Infinity, -Infinity)]) {
      expect(() => set.load(bad)).toThrow('CandidateSet: `logits');
      expectSameBits(set.toLogits(), [1, 5, 3]);
      set.load(world.logits([1, 5, 3]));
    }
  });
});
