/**
 * `keepMask` against plain arrays, and against a set that was loaded with -Infinity where the mask does not allow: whatever
 * came before it and whatever comes after it, every bit is the same. In three worlds, as the other edits.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allows, countBits, type PackedMask } from '../../src/candidates/bit-mask.js';
import { CandidateSet, type Scores } from '../../src/core.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { expectSameBits } from '../support/bits.js';
import { casesOf } from '../support/cases.js';
import { PlainCandidates } from './plain-candidates.js';
import { WORLDS, type World } from './worlds.js';

const M = -Infinity;

/** A random token and a random mask. */
interface Draft {
  V: number;
  seed: number;
  /** The share of the ids that the mask allows: one in `sparsity`, or all but one in `-sparsity`. */
  sparsity: number;
  shape: (typeof SHAPES)[number];
  signed: boolean;
}

const SHAPES = ['continuous', 'ties', 'masked', 'signed zeros'] as const;

const draft = fc.record({
  V: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(31, 32, 33, 63, 64, 65, 127, 128, 129, 257)),
  seed: fc.nat(),
  sparsity: fc.constantFrom(1, 2, 3, 7, 8, 9, 40, 200, -3, -20, -200),
  shape: fc.constantFrom(...SHAPES),
  signed: fc.boolean(),
});

function logitsOf({ V, seed, shape }: Draft): number[] {
  const random = new Pcg32(seed, 1);
  const spared = random.below(V);
  return Array.from({ length: V }, (_, id) => {
    const l = 12 * (random.uniform() + random.uniform() - 1);
    if (shape === 'ties') return Math.round(l / 3);
    if (shape === 'signed zeros') return Math.trunc(l / 8);
    return shape === 'masked' && id !== spared && random.below(3) === 0 ? M : l;
  });
}

/** A mask that allows one of `kept` at least; the bits beyond V are noise. */
function maskOf({ V, seed, sparsity, signed }: Draft, kept: readonly number[]): PackedMask {
  const random = new Pcg32(seed, 2);
  const words = signed ? new Int32Array(Math.ceil(V / 32)) : new Uint32Array(Math.ceil(V / 32));
  const set = (id: number) => {
    words[id >> 5] = (words[id >> 5] as number) | (1 << (id & 31));
  };
  for (let id = 0; id < 32 * words.length; id++) {
    const hit = random.below(Math.abs(sparsity)) === 0;
    if (hit === sparsity > 0) set(id);
  }
  if (!kept.some((id) => allows(words, id))) set(kept[random.below(kept.length)] as number);
  return words;
}

function maskPlain(plain: PlainCandidates, words: PackedMask): void {
  plain.keep(plain.ids.filter((id) => ((words[id >> 5] as number) & (1 << (id & 31))) !== 0));
}

/** What may happen before a mask or after it. */
type Step = (set: CandidateSet, plain: PlainCandidates, random: Pcg32) => void;

function one(plain: PlainCandidates, random: Pcg32): number {
  const { ids } = plain;
  return ids[random.below(ids.length)] as number;
}

const STEPS: Readonly<Record<string, Step>> = {
  penalties(set, plain, random) {
    const ids = Array.from({ length: 1 + random.below(5) }, () => random.below(plain.logits.length));
    const factor = 1 + random.uniform();
    set.adjustLogits(ids, (l) => (l > 0 ? l / factor : l * factor));
    for (const id of ids) {
      const l = plain.logits[id] as number;
      plain.set(id, l > 0 ? l / factor : l * factor);
    }
  },
  'one logit'(set, plain, random) {
    const id = one(plain, random);
    const value = [plain.max, plain.max + 1, -0, -1e300][random.below(4)] as number;
    set.setLogit(id, value);
    plain.set(id, value);
  },
  'one logit taken away'(set, plain, random) {
    const id = one(plain, random);
    if (plain.ids.length === 1) return;
    set.setLogit(id, M);
    plain.set(id, M);
  },
  division(set, plain, random) {
    const divisor = 0.5 + 2 * random.uniform();
    set.divideLogits(divisor);
    plain.divide(divisor);
  },
  'another mask'(set, plain, random) {
    const words = maskOf(
      { V: plain.logits.length, seed: random.below(1000), sparsity: 2, shape: 'ties', signed: true },
      plain.ids,
    );
    set.keepMask(words);
    maskPlain(plain, words);
  },
  'top-k'(set, plain, random) {
    const k = 1 + random.below(plain.ids.length + 1);
    set.keepBest(k);
    plain.keep(plain.ranked.slice(0, k));
  },
  'top-p'(set, plain, random) {
    const p = 1 - random.uniform();
    set.keepMass(p);
    plain.keep(plain.nucleus(p));
  },
  'min-p'(set, plain, random) {
    const share = random.uniform() / 2;
    set.keepLikely(share);
    plain.keep(plain.likely(share));
  },
  entropy(set, plain) {
    expect(set.entropy()).toBe(plain.entropy);
  },
  'the largest'(set, plain) {
    expect(set.maxLogit() === plain.max).toBe(true);
    expect(set.idAtRank(0)).toBe(plain.ranked[0]);
  },
  tap(set, plain) {
    expect(set.tapScores().total).toBe(plain.total);
  },
};
const steps = fc.array(fc.constantFrom(...Object.keys(STEPS)), { maxLength: 3 });

function take(names: readonly string[], set: CandidateSet, plain: PlainCandidates, random: Pcg32): void {
  for (const name of names) (STEPS[name] as Step)(set, plain, random);
}

/** Everything that can be seen of candidates. */
function checkAll(set: CandidateSet, plain: PlainCandidates): void {
  const { ids, ranked, probabilities } = plain;
  expect([set.vocabSize, set.size, set.maxLogit() === plain.max]).toEqual([plain.logits.length, ids.length, true]);
  expect(set.entropy()).toBe(plain.entropy);
  for (const u of [0, 0.25, 0.75, 1 - 2 ** -53]) expect(set.walk(u)).toBe(plain.walk(u));
  expectSameBits(set.toLogits(), plain.logits, 'logits');
  expectSameBits(set.toProbabilities(), probabilities, 'q');
  expect(ranked.map((_, rank) => set.idAtRank(rank))).toEqual(ranked);
  expect(ids.map((_, index) => set.idAt(index))).toEqual(ids);
}

function checkScores(scores: Scores, plain: PlainCandidates): void {
  const { logprobs } = plain;
  expectSameBits(
    plain.logits.map((_, id) => scores.logprob(id)),
    logprobs,
    'logprobs',
  );
  expect(scores.best(3)).toEqual(plain.ranked.slice(0, 3).map((id) => ({ id, logprob: logprobs[id] })));
}

function start(world: World, one: Draft, set = new CandidateSet(world.numerics)): [CandidateSet, PlainCandidates] {
  const given = world.logits(logitsOf(one));
  set.load(given);
  return [set, new PlainCandidates(given)];
}

describe.each(Object.entries(WORLDS))('keepMask, %s,', (_, world) => {
  it('keeps what a plain array keeps, whatever came before and whatever comes after', () => {
    fc.assert(
      fc.property(draft, steps, steps, (one, before, after) => {
        const [set, plain] = start(world, one);
        const random = new Pcg32(one.seed, 3);
        take(before, set, plain, random);
        const words = maskOf(one, plain.ids);
        const copy = words.slice();
        set.keepMask(words);
        maskPlain(plain, words);
        expect(words).toEqual(copy);
        take(after, set, plain, random);
        checkAll(set, plain);
      }),
      { numRuns: casesOf(150, 1000) },
    );
  });

  it('leaves what a set has that was loaded with -Infinity there, to the last bit', () => {
    fc.assert(
      fc.property(draft, steps, (one, names) => {
        const after = names.filter((name) => name !== 'tap'); // it would take the scores anew
        const [set, plain] = start(world, one);
        const words = maskOf(one, plain.ids);
        set.keepMask(words);
        maskPlain(plain, words);
        const loaded = new CandidateSet(world.numerics);
        loaded.load(world.logits(plain.logits));
        const taken = [set.tapScores(), loaded.tapScores()] as const;
        const again = new PlainCandidates(plain.logits);
        take(after, set, plain, new Pcg32(one.seed, 3));
        take(after, loaded, new PlainCandidates(again.logits), new Pcg32(one.seed, 3));
        expectSameBits(set.toLogits(), loaded.toLogits(), 'logits');
        expectSameBits(set.toProbabilities(), loaded.toProbabilities(), 'q');
        expect([set.entropy(), set.walk(0.5)]).toEqual([loaded.entropy(), loaded.walk(0.5)]);
        for (let rank = 0; rank < set.size; rank++) expect(set.idAtRank(rank)).toBe(loaded.idAtRank(rank));
        for (const scores of taken) checkScores(scores, again);
      }),
      { numRuns: casesOf(100, 500) },
    );
  });

  it('after the tap leaves the scores as they were', () => {
    fc.assert(
      fc.property(draft, steps, (one, before) => {
        const [set, plain] = start(world, one);
        take(before, set, plain, new Pcg32(one.seed, 3));
        const scores = set.tapScores();
        const tapped = new PlainCandidates(plain.logits);
        const words = maskOf(one, plain.ids);
        set.keepMask(words);
        maskPlain(plain, words);
        checkAll(set, plain);
        checkScores(scores, tapped);
      }),
      { numRuns: casesOf(100, 500) },
    );
  });

  it('shows nothing of the token before in one set', () => {
    const set = new CandidateSet(world.numerics);
    fc.assert(
      fc.property(fc.array(draft, { minLength: 2, maxLength: 4 }), fc.constantFrom(1, 64, 65, 200), (tokens, V) => {
        for (const token of tokens) {
          const [, plain] = start(world, { ...token, V }, set);
          const words = maskOf({ ...token, V }, plain.ids);
          set.keepMask(words);
          maskPlain(plain, words);
          if (token.seed % 2 === 0) take(['penalties', 'division'], set, plain, new Pcg32(token.seed, 3));
          checkAll(set, plain);
        }
      }),
      { numRuns: casesOf(50, 200) },
    );
  });

  it.each([
    { V: 4099, sparsity: 400 },
    { V: 4096, sparsity: 3 },
    { V: 20011, sparsity: 1000 },
    { V: 20000, sparsity: 6 },
    { V: 20032, sparsity: -500 },
  ])('keeps it for V = $V, one in $sparsity', ({ V, sparsity }) => {
    for (const shape of SHAPES) {
      const one: Draft = { V, seed: V + sparsity, sparsity, shape, signed: V % 2 === 0 };
      const [set, plain] = start(world, one);
      const random = new Pcg32(V, 3);
      take(['penalties'], set, plain, random);
      const words = maskOf(one, plain.ids);
      set.keepMask(words);
      maskPlain(plain, words);
      const scores = set.tapScores();
      expectSameBits(set.toLogits(), plain.logits, 'logits');
      const { logprobs } = plain;
      for (const id of plain.ids.slice(0, 20)) expect(scores.logprob(id)).toBe(logprobs[id]);
      take(['division', 'top-p'], set, plain, random);
      expect(set.entropy()).toBe(plain.entropy);
      expectSameBits(set.toProbabilities(), plain.probabilities, 'q');
    }
  });

  it('keeps everything by a mask that allows everything, and one id by a mask of one', () => {
    const all = start(world, { V: 70, seed: 1, sparsity: 1, shape: 'masked', signed: false });
    all[0].keepMask(new Uint32Array(3).fill(0xffffffff));
    checkAll(...all);
    for (const id of [0, 31, 32, 63, 64, 69]) {
      const [set, plain] = start(world, { V: 70, seed: 1, sparsity: 1, shape: 'ties', signed: false });
      const words = new Int32Array(3);
      words[id >> 5] = 1 << (id & 31);
      set.keepMask(words);
      plain.keep([id]);
      checkAll(set, plain);
    }
  });

  it.each([
    { words: new Int32Array(2), what: 'Int32Array(2)' },
    { words: new Uint32Array(4), what: 'Uint32Array(4)' },
    { words: new Float32Array(3), what: 'Float32Array(3)' },
    { words: new Uint8Array(9), what: 'Uint8Array(9)' },
    { words: [-1, -1, -1], what: '[-1, -1, -1]' },
    { words: undefined, what: 'undefined' },
  ])('refuses $what, and leaves everything as it was', ({ words, what }) => {
    for (const before of [[], ['penalties'], ['tap'], ['division'], ['top-k'], ['one logit taken away']]) {
      const [set, plain] = start(world, { V: 70, seed: 5, sparsity: 1, shape: 'ties', signed: false });
      take(before, set, plain, new Pcg32(7, 3));
      expect(() => set.keepMask(words as unknown as Int32Array)).toRefuse(
        `CandidateSet: \`mask\` must be an Int32Array or Uint32Array of 3 words, got ${what}`,
      );
      checkAll(set, plain);
    }
  });

  it('refuses to leave nothing, and leaves everything as it was', () => {
    for (const before of [[], ['penalties'], ['tap'], ['division'], ['top-k'], ['one logit taken away', 'entropy']]) {
      const [set, plain] = start(world, { V: 70, seed: 6, sparsity: 1, shape: 'masked', signed: false });
      take(before, set, plain, new Pcg32(8, 3));
      const nothing = new Uint32Array(3);
      const outside = new Uint32Array(3).fill(0xffffffff);
      for (const id of plain.ids) outside[id >> 5] = (outside[id >> 5] as number) & ~(1 << (id & 31));
      for (const words of [nothing, outside]) {
        expect(() => set.keepMask(words)).toRefuse(
          'CandidateSet: `mask` must be one that allows at least one of the kept ids, got "none of them"',
        );
        checkAll(set, plain);
      }
    }
  });
});

describe('countBits', () => {
  it('counts the bits of words of both kinds', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer(), fc.constantFrom(-1, 0, 1, -(2 ** 31)))), (list) => {
        const words = Int32Array.from(list);
        const bits = [...new Uint32Array(words.buffer)].map((word) => word.toString(2)).join('');
        const expected = bits.replaceAll('0', '').length;
        expect([countBits(words), countBits(new Uint32Array(words.buffer))]).toEqual([expected, expected]);
      }),
    );
  });
});

it('a mask of few ids gives the same bits as one of many', () => {
  const logits = Float32Array.from({ length: 640 }, (_, id) => (id % 7) - 3);
  const [few, many] = [new CandidateSet(exactNumerics), new CandidateSet(exactNumerics)];
  for (const set of [few, many]) set.load(logits);
  const words = new Uint32Array(20).fill(0x01010101); // one in eight, by the list
  const wide = words.map((word) => word | 0x02); // more than that, by the row
  few.keepMask(words);
  many.keepMask(wide);
  many.keepMask(words);
  expectSameBits(few.toLogits(), many.toLogits());
  expect([few.entropy(), few.idAtRank(5)]).toEqual([many.entropy(), many.idAtRank(5)]);
});
