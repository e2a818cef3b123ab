import { describe, expect, it } from 'vitest';
import type { CandidateSet } from '../../src/candidates/candidate-set.js';
import { exactNumerics, type Numerics } from '../../src/numerics/index.js';
import { CandidateLender, threadLender } from '../../src/sampler/candidate-lender.js';
import { samplingDistribution } from '../../src/spec.js';

const other: Numerics = { ...exactNumerics, name: 'other' };

/** Borrows a set for V ids and takes a token over in it. */
function borrow(lender: CandidateLender, vocabSize: number, numerics: Numerics = exactNumerics): CandidateSet {
  const logits = new Float32Array(vocabSize);
  const set = lender.borrow(numerics, logits);
  set.load(logits);
  return set;
}

describe('CandidateLender', () => {
  it('lends no set to two borrowers', () => {
    const lender = new CandidateLender(4);
    const all = Array.from({ length: 6 }, () => borrow(lender, 10));
    expect(new Set(all).size).toBe(6);
    lender.giveBack(all[0] as CandidateSet);
    const again = borrow(lender, 10);
    expect(again).toBe(all[0]);
    expect(all).not.toContain(borrow(lender, 10));
  });

  it('lends a set again to whoever has the numerics and the vocabulary of before', () => {
    const lender = new CandidateLender(4);
    const set = borrow(lender, 10);
    lender.giveBack(set);
    expect(borrow(lender, 11)).not.toBe(set);
    expect(borrow(lender, 10, other)).not.toBe(set);
    expect(borrow(lender, 10)).toBe(set);
  });

  it('keeps a bounded number, those that came back last', () => {
    const lender = new CandidateLender(3);
    const sets = [1, 2, 3, 4, 5].map((vocabSize) => borrow(lender, vocabSize));
    for (const set of sets) lender.giveBack(set);
    expect(lender.size).toBe(3);
    expect([3, 4, 5].map((vocabSize) => borrow(lender, vocabSize))).toEqual(sets.slice(2));
    expect(lender.size).toBe(0);
    expect(sets).not.toContain(borrow(lender, 1));
  });

  it('does not keep a set that never took logits', () => {
    const lender = new CandidateLender(3);
    for (const logits of [[], [Number.NaN], null, undefined, 3]) {
      const set = lender.borrow(exactNumerics, logits as never);
      expect(() => set.load(logits as never)).toThrow('must be');
      lender.giveBack(set);
      expect(lender.size).toBe(0);
    }
  });

  it('refuses a set that it has not lent, or that came back already', () => {
    const lender = new CandidateLender(3);
    const set = borrow(lender, 5);
    lender.giveBack(set);
    for (const wrong of [set, borrow(new CandidateLender(1), 5)]) {
      expect(() => lender.giveBack(wrong)).toRefuse(
        'CandidateLender: `set` must be one that is lent, got a CandidateSet',
      );
    }
    expect(lender.size).toBe(1);
  });

  it('takes a set back from a use that throws', () => {
    const lender = new CandidateLender(3);
    const fail = (set: CandidateSet) => {
      set.load([1, 2]);
      throw new Error('blown');
    };
    expect(() => lender.lend(exactNumerics, [1, 2], fail)).toThrow('blown');
    expect(lender.size).toBe(1);
    expect(lender.lend(exactNumerics, [1, 2], (set) => set.vocabSize)).toBe(2);
    expect(lender.size).toBe(1);
  });
});

describe('the lender of a thread', () => {
  it('keeps few sets, whatever vocabularies come', () => {
    for (let vocabSize = 2; vocabSize < 60; vocabSize++) samplingDistribution(new Float32Array(vocabSize), {});
    expect(threadLender.size).toBe(4);
  });
});
