/**
 * What an author of a processor has for all ids at once: the arrays that are copied out, the filters by id and by logit, and
 * a map over the logits. On rows of several lengths, steep, flat and full of ties, masked and edited, in all worlds.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { packMask } from '../../processors/index.js';
import { CandidateSet } from '../../src/core.js';
import { NothingLeftError } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { expectSameBits, nextDown, nextUp } from '../support/bits.js';
import { pick, roughNormal } from '../support/requests.js';
import { PlainCandidates } from './plain-candidates.js';
import { expectRanked, expectView, VIEWS } from './views.js';
import { WORLDS } from './worlds.js';

const SIZES = [1, 64, 65, 400];

const ROWS: Record<string, (random: Pcg32) => () => number> = {
  'normal logits': (random) => () => 3 * roughNormal(random),
  'few values': (random) => () => random.below(5) / 2,
  'one value': () => () => 1.25,
  'masked logits': (random) => () => (random.below(3) === 0 ? roughNormal(random) : -Infinity),
  'logits so far apart that q underflows': (random) => () => pick(random, [3e38, -3e38, 1, -0, 0]),
};

/** What is done before somebody looks. */
const BEFORE: Record<string, (set: CandidateSet, plain: PlainCandidates) => void> = {
  nothing: () => {},
  'a few edits': (set, plain) => {
    for (const id of [0, 5, 62].filter((n) => n < set.vocabSize && set.has(n))) {
      set.setLogit(id, id / 3);
      plain.set(id, id / 3);
    }
  },
  'a removal': (set, plain) => {
    if (set.size === 1) return;
    const [id = 0] = plain.ids;
    set.setLogit(id, -Infinity);
    plain.set(id, -Infinity);
  },
  'a temperature': (set, plain) => {
    if (!Number.isFinite(plain.max / 0.7)) return;
    set.divideLogits(0.7);
    plain.divide(0.7);
  },
  'a mask and a temperature': (set, plain) => {
    const allowed = plain.ids.filter((id) => id % 3 !== 1 || id === plain.ids[0]);
    set.keepMask(packMask({ allow: allowed }, set.vocabSize));
    plain.keep(allowed);
    if (!Number.isFinite(plain.max / 1.8)) return;
    set.divideLogits(1.8);
    plain.divide(1.8);
  },
  'a filter': (set, plain) => {
    const count = Math.ceil(plain.ids.length / 2);
    set.keepBest(count);
    plain.keep(plain.ranked.slice(0, count));
  },
  'a filter and a removal': (set, plain) => {
    const count = Math.ceil(plain.ids.length / 2) + 1;
    set.keepBest(count);
    plain.keep(plain.ranked.slice(0, count));
    if (set.size === 1) return;
    const [id = 0] = plain.ids;
    set.setLogit(id, -Infinity);
    plain.set(id, -Infinity);
  },
};

/** `answer`, after `ask`. */
function asked<T>(ask: () => void, answer: T): T {
  ask();
  return answer;
}

describe.each(Object.entries(WORLDS))('%s', (_, world) => {
  const set = new CandidateSet(world.numerics);
  let plain = new PlainCandidates([]);
  const load = (...logits: number[]) => {
    set.load(world.logits(logits));
    plain = new PlainCandidates(world.logits(logits));
  };

  describe.each(Object.entries(ROWS))('%s', (_row, make) => {
    describe.each(Object.entries(BEFORE))('after %s', (_before, edit) => {
      it.each(SIZES)('all arrays, the order, keepAtLeast, keepIds and mapLogits are as plain, V = %i', (size) => {
        const start = () => {
          const random = new Pcg32(7, size);
          const next = make(random);
          load(...Array.from({ length: size }, (_value, id) => (id === size - 1 ? 0.5 : next())));
          edit(set, plain);
          return random;
        };
        const random = start();
        for (const view of VIEWS) expectView(set, plain, view);
        for (const count of [0, 1, 3, 20, size, size + 1]) expectRanked(set, plain, count);
        const logits = [plain.max, ...[1, 2, 3].map(() => plain.logits[pick(random, plain.ids)] as number), -Infinity];
        for (const least of logits.flatMap((l) => [nextDown(l), l, nextUp(l)])) {
          if (!(least <= plain.max)) continue;
          start();
          set.keepAtLeast(least);
          expectSameBits(
            set.toLogits(),
            plain.logits.map((l) => (l >= least ? l : -Infinity)),
            `at least ${least}`,
          );
        }
        start();
        const [first] = plain.ids;
        set.keepIds((id) => id === first || id % 2 === 1);
        plain.keep(plain.ids.filter((id) => id === first || id % 2 === 1));
        for (const view of VIEWS) expectView(set, plain, view);
        start();
        const adjust = (l: number, id: number) => (id % 5 === 0 && id !== first ? -Infinity : l / 2 - id);
        set.mapLogits(adjust);
        plain.logits = plain.logits.map(adjust);
        for (const view of VIEWS) expectView(set, plain, view);
        expectRanked(set, plain, 4);
      });
    });
  });

  describe('the arrays', () => {
    beforeEach(() => load(1, 3, -Infinity, 3, -1));

    it('change nothing of the candidates when they are written to', () => {
      for (const narrow of [false, true]) {
        load(1, 3, -Infinity, 3, -1);
        if (narrow) set.keepBest(3);
        const before = [set.toLogits(), set.toProbabilities()].map((values) => [...values]);
        const scores = set.tapScores();
        const logprobs = [0, 1, 2, 3, 4].map((id) => scores.logprob(id));
        const { ids, logits, probabilities } = set.ranked(2);
        for (const array of [...VIEWS.map((view) => set[view]()), ids, logits, probabilities]) array.fill(7);
        expectView(set, new PlainCandidates(before[0] as number[]), 'probabilities');
        expect(set.idAtRank(0)).toBe(1);
        expect(set.ranked(1).ids[0]).toBe(1);
        expect([[...set.toLogits()], [...set.toProbabilities()]]).toEqual(before);
        expectSameBits(
          [0, 1, 2, 3, 4].map((id) => scores.logprob(id)),
          logprobs,
        );
      }
    });

    it('stay as they are at an edit, and are new when they are asked for again', () => {
      const logits = set.logits();
      set.divideLogits(2);
      expect([...logits]).toEqual([1, 3, 3, -1]);
      expect([...set.logits()]).toEqual([0.5, 1.5, 1.5, -0.5]);
    });

    it('are as long as the candidates, whatever was longer before', () => {
      expect(set.probabilities()).toHaveLength(4);
      load(2, 1);
      expect(VIEWS.map((view) => set[view]().length)).toEqual([2, 2, 2, 2]);
      expect(set.ranked(9).ids).toHaveLength(2);
    });

    it('leave a whole vocabulary whole: the same token comes, to the bit', () => {
      const look = (looked: boolean) => {
        load(...Array.from({ length: 200 }, (_value, id) => ((id * 37) % 101) / 16));
        if (looked) for (const view of VIEWS) set[view]();
        if (looked) set.ranked(2);
        set.keepMass(0.4);
        return [...set.toProbabilities()];
      };
      expectSameBits(look(true), look(false));
    });
  });

  describe('keepIds', () => {
    it('asks by id, also behind a mask', () => {
      load(0, 1, 2, 3, 4, 5, 6, 7);
      set.keepMask(packMask({ ban: [0, 2, 3] }, 8));
      set.keepIds((id) => id === 4 || id === 7);
      expect([...set.ids()]).toEqual([4, 7]);
    });

    it.each([1, 0, undefined, 'yes', {}, Promise.resolve(true)])('refuses %s for an answer', (answer) => {
      load(1, 2, 3);
      expect(() => set.keepIds(() => answer as boolean)).toThrow(
        'CandidateSet: `keep` must be true or false for each id, got',
      );
      expect(set.size).toBe(3);
    });
  });

  describe('keepAtLeast', () => {
    it.each([undefined, Number.NaN, '1'])('refuses %s', (least) => {
      load(1, 2);
      expect(() => set.keepAtLeast(least as number)).toThrow('CandidateSet: `logit` must be a number, got');
    });

    it.each([2.5, Infinity])('refuses %d, which no logit reaches', (least) => {
      load(1, 2);
      expect(() => set.keepAtLeast(least)).toThrow(NothingLeftError);
      expect(() => set.keepAtLeast(least)).toRefuse(
        `CandidateSet: \`logit\` must be at most 2, the largest one kept, got ${least}`,
      );
      expect(set.size).toBe(2);
    });
  });

  describe('mapLogits', () => {
    it.each([Number.NaN, Infinity, undefined])('refuses the logit %s, and sets none', (value) => {
      load(1, 2, 3);
      expect(() => set.mapLogits((l, id) => (id === 2 ? (value as number) : l + 1))).toRefuse(
        `CandidateSet: \`value\` must be a number below Infinity, got ${value}`,
      );
      expect([...set.logits()]).toEqual([1, 2, 3]);
    });

    it('refuses to remove every id, and sets none', () => {
      load(1, 2, 3);
      expect(() => set.mapLogits(() => -Infinity)).toThrow(NothingLeftError);
      expect(() => set.mapLogits(() => -Infinity)).toRefuse(
        'CandidateSet: `adjust` must be above -Infinity for at least one id, got "-Infinity for every id"',
      );
      expect([...set.logits()]).toEqual([1, 2, 3]);
    });

    it('leaves the scores as they were taken', () => {
      load(1, 2, 3);
      const scores = set.tapScores();
      const before = scores.logprob(0);
      set.mapLogits((l) => -l);
      expect([scores.logprob(0), set.idAtRank(0)]).toEqual([before, 0]);
    });
  });

  describe('a function that an edit asks', () => {
    const edits: Record<string, (ask: () => void) => void> = {
      keepIds: (ask) => set.keepIds(() => asked(ask, true)),
      mapLogits: (ask) => set.mapLogits((l) => asked(ask, l)),
      adjustLogits: (ask) => set.adjustLogits([0, 1], (l) => asked(ask, l)),
    };
    const within: Record<string, () => void> = {
      setLogit: () => set.setLogit(0, 1),
      adjustLogits: () => set.adjustLogits([0], (l) => l),
      mapLogits: () => set.mapLogits((l) => l),
      divideLogits: () => set.divideLogits(2),
      keepBest: () => set.keepBest(1),
      keepMass: () => set.keepMass(0.5),
      keepLikely: () => set.keepLikely(0.5),
      keepAtLeast: () => set.keepAtLeast(0),
      keepIds: () => set.keepIds(() => true),
      keepMask: () => set.keepMask(Uint32Array.of(1)),
      settle: () => set.settle(0),
    };

    it.each(Object.keys(edits))('of %s may look, and may not edit', (name) => {
      for (const [method, call] of Object.entries(within)) {
        load(1, 2, 3);
        expect(() => edits[name]?.(call)).toRefuse(
          `CandidateSet: \`${method}\` must be called after the edit before, got "a call from within ${name}"`,
        );
        expect([...set.logits()]).toEqual([1, 2, 3]);
      }
      edits[name]?.(() => [set.idAt(0), set.idAtRank(1), set.probabilities(), set.ranked(2), set.entropy()]);
      expect([...set.logits()]).toEqual([1, 2, 3]);
    });

    it('of adjustLogits may look at an index: what it gives afterwards is set all the same', () => {
      load(1, 2, 3);
      set.adjustLogits([0, 1, 2], (l) => l + set.logitAt(2));
      expect([...set.logits()]).toEqual([4, 5, 6]);
    });
  });
});
