/**
 * Random sequences of edits and looks, on a CandidateSet and on the plain model: whatever is remembered from before an
 * edit must not show after it. In three worlds: float64 logits, which are a list from the start, and float32 logits with
 * the plain passes and with those in WebAssembly.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CandidateSet, type Scores } from '../../src/core.js';
import { expectSameBits } from '../support/bits.js';
import { casesOf } from '../support/cases.js';
import { PlainCandidates } from './plain-candidates.js';
import { expectRanked, expectView, VIEWS } from './views.js';
import { WORLDS, type World } from './worlds.js';

type Step = (set: CandidateSet, plain: PlainCandidates) => void;

const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(-0, 5e-324, -745, 1e300, -1e300),
  fc.double({ min: -30, max: 30, noNaN: true }),
);

/** One of K, by a share of its size. */
function one(plain: PlainCandidates, share: number): number {
  const { ids } = plain;
  return ids[Math.floor(share * ids.length)] as number;
}

const edit: fc.Arbitrary<{ name: string; run: Step }> = fc.oneof(
  fc.tuple(at, value).map(([share, l]) => ({
    name: `set the id at ${share} to ${l}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      const id = one(plain, share);
      set.setLogit(id, l);
      plain.set(id, l);
    },
  })),
  fc.array(at, { minLength: 1, maxLength: 4 }).map((shares) => ({
    name: `remove the ids at ${shares}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      for (const share of shares) {
        if (plain.ids.length === 1) return;
        const id = one(plain, share);
        set.setLogit(id, -Infinity);
        plain.set(id, -Infinity);
      }
    },
  })),
  fc.constantFrom(2, 0.5, 0.7, 3, 1, 1e5).map((divisor) => ({
    name: `divide by ${divisor}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      if (!Number.isFinite(plain.max / divisor)) return;
      set.divideLogits(divisor);
      plain.divide(divisor);
    },
  })),
  fc.tuple(at, fc.nat(3)).map(([share, more]) => ({
    name: `keep the best at ${share}, + ${more}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      const count = 1 + Math.floor(share * plain.ids.length) + more;
      set.keepBest(count);
      plain.keep(plain.ranked.slice(0, count));
    },
  })),
  fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }).map((pattern) => ({
    name: `keep where ${pattern}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      const { ids } = plain;
      const keep = (_: number, index: number) => index === ids.length - 1 || pattern[index % pattern.length] === true;
      set.keepIds(keep);
      plain.keep(ids.filter(keep));
    },
  })),
  fc.tuple(at, fc.integer({ min: 2, max: 4 })).map(([share, n]) => ({
    name: `keep the ids that ${n} divides, and that at ${share}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      const one_ = one(plain, share);
      const keep = (id: number) => id % n === 0 || id === one_;
      set.keepIds(keep);
      plain.keep(plain.ids.filter(keep));
    },
  })),
  fc.tuple(at, fc.constantFrom(0, 2 ** -60, 1e-3, 2)).map(([share, below]) => ({
    name: `keep what is at least as the rank at ${share}, less ${below}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      const { ranked, logits } = plain;
      const least = (logits[ranked[Math.floor(share * ranked.length)] as number] as number) - below;
      set.keepAtLeast(least);
      plain.keep(plain.ids.filter((id) => (logits[id] as number) >= least));
    },
  })),
  fc.tuple(at, fc.constantFrom(-1, 0.1, 1), fc.integer({ min: 2, max: 5 })).map(([share, factor, n]) => ({
    name: `map by ${factor}, and remove what ${n} divides, but for that at ${share}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      const stays = one(plain, share);
      const adjust = (l: number, id: number) => (id % n === 0 && id !== stays ? -Infinity : factor * l + id);
      set.mapLogits(adjust);
      for (const id of plain.ids) plain.set(id, adjust(plain.logits[id] as number, id));
    },
  })),
  at.map((share) => ({
    name: `keep where q is at least ${share} of the largest`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      set.keepIds((_, index) => set.probabilityAt(index) >= share * set.maxProbability());
      plain.keep(plain.likely(share));
    },
  })),
  at.map((share) => ({
    name: `keep what is ${share} as likely as the best`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      set.keepLikely(share);
      plain.keep(plain.likely(share));
    },
  })),
  fc.oneof(at, fc.constantFrom(0, 1e-17, 1 - 2 ** -53)).map((missing) => ({
    name: `keep the mass ${1 - missing}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      const p = 1 - missing || Number.MIN_VALUE;
      set.keepMass(p);
      plain.keep(plain.nucleus(p));
    },
  })),
);

const look: fc.Arbitrary<{ name: string; run: Step }> = fc.oneof(
  fc.constant({
    name: 'look at size and maximum',
    run: (set: CandidateSet, plain: PlainCandidates) => {
      expect(set.size).toBe(plain.ids.length);
      expect(set.maxLogit() === plain.max).toBe(true); // -0 and 0 are the same maximum
    },
  }),
  at.map((share) => ({
    name: `look at the index at ${share}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      const id = one(plain, share);
      const index = plain.ids.indexOf(id);
      expect(set.probabilityAt(index)).toBe(plain.probabilities[id]);
      expect(set.logitAt(index)).toBe(plain.logits[id]);
      expect(set.idAt(index)).toBe(id);
    },
  })),
  at.map((share) => ({
    name: `look at the rank at ${share}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      const rank = Math.floor(share * plain.ids.length);
      const id = plain.ranked[rank] as number;
      expect(set.probabilityAtRank(rank)).toBe(plain.probabilities[id]);
      expect(set.idAtRank(rank)).toBe(id);
    },
  })),
  fc.constantFrom(...VIEWS).map((view) => ({
    name: `read ${view} at once`,
    run: (set: CandidateSet, plain: PlainCandidates) => expectView(set, plain, view),
  })),
  fc.oneof(at, fc.constantFrom(0.001, 2)).map((share) => ({
    name: `look at the best, ${share} of all`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      expectRanked(set, plain, Math.floor(share * plain.ids.length));
    },
  })),
  fc.constant({
    name: 'look at the first rank alone',
    run: (set: CandidateSet, plain: PlainCandidates) => {
      expect(set.idAtRank(0)).toBe(plain.ranked[0]);
    },
  }),
  fc.constant({
    name: 'look at the largest probability',
    run: (set: CandidateSet, plain: PlainCandidates) => {
      expect(set.maxProbability()).toBe(Math.max(...plain.probabilities));
    },
  }),
  at.map((u) => ({
    name: `walk to ${u}`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      expect(set.walk(u)).toBe(plain.walk(u));
    },
  })),
  fc.constant({
    name: 'look at the entropy',
    run: (set: CandidateSet, plain: PlainCandidates) => {
      expect(set.entropy()).toBe(plain.entropy);
    },
  }),
  at.map((share) => ({
    name: `look at the id at ${share} of V`,
    run: (set: CandidateSet, plain: PlainCandidates) => {
      const id = Math.floor(share * plain.logits.length);
      expect(set.has(id)).toBe((plain.logits[id] as number) > -Infinity);
      expect(set.logit(id)).toBe(plain.logits[id]);
    },
  })),
);

/** Everything. */
function checkAll(set: CandidateSet, plain: PlainCandidates): void {
  const { ids, ranked, probabilities } = plain;
  expect([set.vocabSize, set.size]).toEqual([plain.logits.length, ids.length]);
  expectSameBits(set.toLogits(), plain.logits, 'logits');
  expectSameBits(set.toProbabilities(), probabilities, 'q');
  const all = ids.map((_, i) => i);
  expect(all.map((rank) => set.idAtRank(rank))).toEqual(ranked);
  expect(all.map((index) => set.idAt(index))).toEqual(ids);
  expectSameBits(
    all.map((index) => set.probabilityAt(index)),
    ids.map((id) => probabilities[id] as number),
    'q by index',
  );
}

/** The scores that were taken, and what they were. */
interface Tap {
  scores: Scores;
  plain: PlainCandidates;
}

function checkTap({ scores, plain }: Tap): void {
  const { logprobs } = plain;
  expectSameBits(
    plain.logits.map((_, id) => scores.logprob(id)),
    logprobs,
    'logprobs',
  );
  expect([scores.max === plain.max, scores.total]).toEqual([true, plain.total]);
  const best = plain.ranked.slice(0, 3);
  expect(scores.best(3)).toEqual(best.map((id) => ({ id, logprob: logprobs[id] })));
}

const logits = fc
  .oneof(
    fc.array(value, { minLength: 1, maxLength: 12 }),
    fc.array(fc.oneof({ weight: 3, arbitrary: value }, fc.constant(-Infinity)), { minLength: 2, maxLength: 30 }),
    fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 250, maxLength: 330 }),
    fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: 260, maxLength: 600 }),
  )
  .filter((l) => l.some((x) => x > -Infinity));

const step = fc.oneof({ weight: 3, arbitrary: edit }, { weight: 2, arbitrary: look });
const token = fc.record({ logits, steps: fc.array(step, { maxLength: 12 }), tap: fc.nat(12) });

describe.each(Object.entries(WORLDS))('CandidateSet and the plain model agree, %s', (_, world: World) => {
  function start(l: readonly number[], set = new CandidateSet(world.numerics)): [CandidateSet, PlainCandidates] {
    const given = world.logits(l);
    set.load(given);
    return [set, new PlainCandidates(given)];
  }

  it('after any sequence of edits and looks, over several tokens in one set', () => {
    fc.assert(
      fc.property(fc.array(token, { minLength: 1, maxLength: 3 }), (tokens) => {
        let reused: CandidateSet | undefined;
        for (const { logits, steps, tap } of tokens) {
          const [set, plain] = start(logits, reused);
          reused = set;
          let taken: Tap | undefined;
          steps.forEach(({ run }, i) => {
            if (i === tap) taken = { scores: set.tapScores(), plain: new PlainCandidates(plain.logits) };
            run(set, plain);
          });
          if (taken !== undefined && tap % 2 === 0) checkTap(taken);
          checkAll(set, plain);
          if (taken !== undefined) checkTap(taken);
        }
      }),
      { numRuns: casesOf(200, 1000) },
    );
  });

  it('when nothing is looked at between the edits', () => {
    fc.assert(
      fc.property(logits, fc.array(edit, { minLength: 2, maxLength: 8 }), (l, steps) => {
        const [set, plain] = start(l);
        for (const { run } of steps) run(set, plain);
        checkAll(set, plain);
      }),
      { numRuns: casesOf(100, 500) },
    );
  });

  it('when everything is looked at after every edit', () => {
    fc.assert(
      fc.property(logits, fc.array(edit, { minLength: 2, maxLength: 8 }), (l, steps) => {
        const [set, plain] = start(l);
        for (const { run } of steps) {
          run(set, plain);
          checkAll(set, plain);
        }
      }),
      { numRuns: casesOf(75, 400) },
    );
  });

  it('when the token is settled', () => {
    fc.assert(
      fc.property(logits, fc.array(edit, { maxLength: 3 }), at, (l, steps, share) => {
        const [set, plain] = start(l);
        for (const { run } of steps) run(set, plain);
        const scores = set.tapScores();
        const { logprobs } = plain;
        const id = one(plain, share);
        set.settle(id);
        plain.keep([id]);
        expect(set.settled).toBe(id);
        checkAll(set, plain);
        expect(scores.logprob(id)).toBe(logprobs[id]);
      }),
      { numRuns: casesOf(50, 200) },
    );
  });
});
