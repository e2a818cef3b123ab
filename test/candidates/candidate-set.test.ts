import { describe, expect, it } from 'vitest';
import { CandidateSet, type Scores } from '../../src/core.js';
import { exp, log, type Numerics } from '../../src/numerics/index.js';
import { exactNumerics } from '../../src/numerics/numerics.js';
import { expectSameBits } from '../support/bits.js';

const M = -Infinity;

function load(...logits: number[]): CandidateSet {
  const set = new CandidateSet();
  set.load(logits);
  return set;
}

function idsOf(set: CandidateSet): number[] {
  return Array.from({ length: set.size }, (_, i) => set.idAt(i));
}

describe('load', () => {
  it.each([
    ['f32[V]', Float32Array.of(0.1, -2, M)],
    ['f64[V]', Float64Array.of(0.1, -2, M)],
    ['numbers[V]', [0.1, -2, M]],
  ])('widens %s exactly and keeps a copy', (_, logits) => {
    const set = new CandidateSet();
    set.load(logits);
    expectSameBits(set.toLogits(), logits);
    const before = Array.from(logits);
    set.setLogit(0, 9);
    set.divideLogits(2);
    expectSameBits(logits, before);
    logits[1] = 7;
    expect(set.logit(1)).toBe(-1);
  });

  it('comes first: before it a set has no ids', () => {
    const set = new CandidateSet();
    expect([set.vocabSize, set.size, set.settled]).toEqual([0, 0, undefined]);
    expect(() => set.logit(0)).toRefuse('CandidateSet: `id` must be an integer in [0, 0), got 0');
    expect(() => set.idAt(0)).toRefuse('CandidateSet: `index` must be an integer in [0, 0), got 0');
    expect(() => set.idAtRank(0)).toRefuse('CandidateSet: `rank` must be an integer in [0, 0), got 0');
  });

  it('leaves masked ids out of K', () => {
    const set = load(M, 1, M, 0);
    expect([set.vocabSize, set.size]).toEqual([4, 2]);
    expect([0, 1, 2, 3].map((id) => set.has(id))).toEqual([false, true, false, true]);
    expect(idsOf(set)).toEqual([1, 3]);
  });

  it.each([0, 1, 63, 64, 129])('names the entry %i of float32 logits, and its value, when it is none', (index) => {
    for (const value of [Number.NaN, Infinity]) {
      const logits = new Float32Array(130);
      logits[index] = value;
      expect(() => new CandidateSet().load(logits, 'Somebody')).toRefuse(
        `Somebody: \`logits[${index}]\` must be a finite number or -Infinity, got ${value}`,
      );
    }
  });

  it('starts anew from float32 logits too: edits and divisor of the token before are gone', () => {
    const set = new CandidateSet();
    set.load(Float32Array.of(1, 5, 3));
    set.setLogit(0, 9);
    set.divideLogits(2);
    set.tapScores();
    set.settle(0);
    set.load(Float32Array.of(4, 4, 1));
    expect(set.settled).toBeUndefined();
    set.setLogit(2, 6);
    expectSameBits(set.toLogits(), [4, 4, 6]);
    expect([0, 1, 2].map((rank) => set.idAtRank(rank))).toEqual([2, 0, 1]);
  });

  it('starts anew: nothing of the token before is left', () => {
    const set = load(1, 5, 3);
    set.keepBest(2);
    set.tapScores();
    set.settle(1);
    set.load([4, 4, 1, M]);
    expect(set.settled).toBeUndefined();
    expect([set.vocabSize, set.size]).toEqual([4, 3]);
    expectSameBits(set.toLogits(), [4, 4, 1, M]);
    expect([0, 1, 2].map((rank) => set.idAtRank(rank))).toEqual([0, 1, 2]);
    expect(set.maxLogit()).toBe(4);
    set.load([2]);
    expect([set.vocabSize, set.size, set.maxProbability()]).toEqual([1, 1, 1]);
  });

  it.each([
    { logits: 'x', message: '`logits` must be a Float32Array, a Float64Array or an array of numbers, got "x"' },
    { logits: [], message: '`logits` must be not empty, got []' },
    { logits: new Float32Array(0), message: '`logits` must be not empty, got Float32Array(0)' },
    { logits: [1, Number.NaN], message: '`logits[1]` must be a finite number or -Infinity, got NaN' },
    { logits: [Infinity], message: '`logits[0]` must be a finite number or -Infinity, got Infinity' },
    { logits: [M, M], message: '`logits` must be finite for at least one id, got "-Infinity everywhere"' },
  ])('refuses $logits, and stays as it was', ({ logits, message }) => {
    const set = load(1, 5, 3);
    set.keepBest(2);
    expect(() => set.load(logits as number[])).toRefuse(`CandidateSet: ${message}`);
    expect(() => set.load(logits as number[], 'Somebody')).toRefuse(`Somebody: ${message}`);
    expectSameBits(set.toLogits(), [M, 5, 3]);
  });
});

describe('looking', () => {
  it('gives K by index, ascending, and by rank', () => {
    const set = load(1, 3, M, 3, -1);
    expect(idsOf(set)).toEqual([0, 1, 3, 4]);
    expect([0, 1, 2, 3].map((i) => set.logitAt(i))).toEqual([1, 3, 3, -1]);
    expect([0, 1, 2, 3].map((rank) => set.idAtRank(rank))).toEqual([1, 3, 0, 4]);
  });

  it('gives q by index and by rank, and the largest', () => {
    const set = load(1, 3, M, 3, -1);
    const z = exp(-2) + 1 + 1 + exp(-4);
    expectSameBits(
      [0, 1, 2, 3].map((i) => set.probabilityAt(i)),
      [exp(-2) / z, 1 / z, 1 / z, exp(-4) / z],
    );
    expectSameBits(
      [0, 1, 2, 3].map((rank) => set.probabilityAtRank(rank)),
      [1 / z, 1 / z, exp(-2) / z, exp(-4) / z],
    );
    expect(set.maxProbability()).toBe(1 / z);
    expectSameBits(set.toProbabilities(), [exp(-2) / z, 1 / z, 0, 1 / z, exp(-4) / z]);
  });

  it('gives q after a division and after a change of the maximum', () => {
    const set = load(2, 4);
    expect(set.probabilityAt(0)).toBe(exp(-2) / (exp(-2) + 1));
    set.divideLogits(2);
    expect(set.probabilityAt(0)).toBe(exp(-1) / (exp(-1) + 1));
    set.setLogit(1, 0);
    expect(set.probabilityAt(1)).toBe(exp(-1) / (1 + exp(-1)));
    set.keepIds((id) => id === 1);
    expect(set.probabilityAt(0)).toBe(1);
  });

  it('gives the entropy', () => {
    const q = [0.5, 0.25, 0.25].map(log);
    expect(load(...q).entropy()).toBeCloseTo(1.5 * log(2), 15);
    expect(load(1, M, M).entropy()).toBe(0);
    expect(load(0, -800).entropy()).toBe(0);
  });

  it.each([5, -1, 0.5, Number.NaN, 2 ** 32])('refuses the id %s', (id) => {
    const set = load(1, 2, 3, 4, 5);
    const message = `CandidateSet: \`id\` must be an integer in [0, 5), got ${id}`;
    expect(() => set.has(id)).toRefuse(message);
    expect(() => set.logit(id)).toRefuse(message);
    expect(() => set.setLogit(id, 1)).toRefuse(message);
    expect(() => set.settle(id)).toRefuse(message);
    set.keepBest(2);
    expect(() => set.has(id)).toRefuse(message);
  });

  it.each([3, -1, 0.5, Number.NaN, 2 ** 32, Infinity])('refuses the index and the rank %s', (i) => {
    const set = load(1, M, 3, 4, M);
    const message = (name: string) => `CandidateSet: \`${name}\` must be an integer in [0, 3), got ${i}`;
    expect(() => set.idAt(i)).toRefuse(message('index'));
    expect(() => set.logitAt(i)).toRefuse(message('index'));
    expect(() => set.probabilityAt(i)).toRefuse(message('index'));
    expect(() => set.idAtRank(i)).toRefuse(message('rank'));
    expect(() => set.probabilityAtRank(i)).toRefuse(message('rank'));
  });

  it('refuses a rank that the set no longer has', () => {
    const set = load(1, 2, 3, 4);
    expect(set.idAtRank(3)).toBe(0);
    set.keepBest(2);
    expect(set.idAtRank(1)).toBe(2);
    expect(() => set.idAtRank(2)).toRefuse('CandidateSet: `rank` must be an integer in [0, 2), got 2');
  });
});

describe('setLogit', () => {
  it('changes order, maximum and probabilities', () => {
    const set = load(1, 3, 2);
    expect(set.idAtRank(0)).toBe(1);
    set.setLogit(0, 5);
    expect(set.idAtRank(0)).toBe(0);
    expect(set.maxLogit()).toBe(5);
    expectSameBits(set.toLogits(), [5, 3, 2]);
  });

  it('removes an id with -Infinity', () => {
    const set = load(1, 3, 2);
    set.setLogit(1, M);
    expect([set.size, set.has(1), set.logit(1)]).toEqual([2, false, M]);
    expect(set.idAtRank(0)).toBe(2);
    expect(idsOf(set)).toEqual([0, 2]);
  });

  it('refuses an id outside K', () => {
    const message = 'CandidateSet: `id` must be one of the kept ids, got 1';
    expect(() => load(1, M).setLogit(1, 0)).toRefuse(message);
    const set = load(1, 2, 3);
    set.setLogit(1, M);
    expect(() => set.setLogit(1, 0)).toRefuse(message);
    const filtered = load(3, 1, 2);
    filtered.keepBest(2);
    expect(() => filtered.setLogit(1, 0)).toRefuse(message);
  });

  it.each([Infinity, Number.NaN, undefined])('refuses the value %s', (value) => {
    const set = load(1, 2);
    expect(() => set.setLogit(0, value as number)).toRefuse(
      `CandidateSet: \`value\` must be a number below Infinity, got ${value}`,
    );
    expectSameBits(set.toLogits(), [1, 2]);
  });

  it('refuses to remove the last id', () => {
    const set = load(1, M, 3);
    set.setLogit(0, M);
    expect(() => set.setLogit(2, M)).toRefuse(
      'CandidateSet: `value` must be above -Infinity for id 2, the last one kept, got -Infinity',
    );
    set.setLogit(2, -4);
    expectSameBits(set.toLogits(), [M, M, -4]);
  });
});

describe('divideLogits', () => {
  it('divides every logit, and not by a product', () => {
    const set = load(17, 19, M, -3);
    set.divideLogits(0.7);
    expectSameBits(set.toLogits(), [17 / 0.7, 19 / 0.7, M, -3 / 0.7]);
    expect(set.maxLogit()).toBe(19 / 0.7);
  });

  it('removes what sinks to -Infinity', () => {
    const set = load(-1e300, -1, -1e301);
    set.divideLogits(1e-100);
    expect([set.size, idsOf(set)]).toEqual([1, [1]]);
    expect(set.probabilityAt(0)).toBe(1);
  });

  it('ranks anew, since a division can make ties', () => {
    const set = load(5e-324, 1e-323);
    expect(set.idAtRank(0)).toBe(1);
    set.divideLogits(100);
    expect([set.idAtRank(0), set.idAtRank(1)]).toEqual([0, 1]);
  });

  it.each([0, -1, -0, Number.NaN, Infinity, 1e-309])('refuses the divisor %s', (divisor) => {
    const set = load(3, 1);
    const shown = Object.is(divisor, -0) ? '-0' : String(divisor);
    expect(() => set.divideLogits(divisor)).toRefuse(
      `CandidateSet: \`divisor\` must be finite, > 0 and large enough that no logit overflows, got ${shown}`,
    );
    expectSameBits(set.toLogits(), [3, 1]);
  });

  it('refuses a divisor that leaves nothing', () => {
    const set = load(-1e300, M);
    expect(() => set.divideLogits(1e-100)).toThrow('`divisor` must be');
    expectSameBits(set.toLogits(), [-1e300, M]);
  });
});

describe('keepBest', () => {
  it('keeps the first of the order, ties to the lower id', () => {
    const set = load(2, 3, 2, 3, 2);
    set.keepBest(3);
    expect(idsOf(set)).toEqual([0, 1, 3]);
    expectSameBits(set.toLogits(), [2, 3, M, 3, M]);
  });

  it('keeps all where there are no more', () => {
    const set = load(2, M, 3);
    set.keepBest(2);
    set.keepBest(3);
    set.keepBest(Number.MAX_SAFE_INTEGER);
    expect(set.size).toBe(2);
  });

  it('can follow itself, with ranks that are known already', () => {
    const set = load(5, 1, 4, 2, 3);
    set.keepBest(4);
    expect(set.idAtRank(3)).toBe(3);
    set.keepBest(2);
    expect(idsOf(set)).toEqual([0, 2]);
    expect([set.idAtRank(0), set.idAtRank(1)]).toEqual([0, 2]);
    expect(set.maxLogit()).toBe(5);
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])('refuses %s', (count) => {
    const set = load(2, 1);
    expect(() => set.keepBest(count)).toRefuse(`CandidateSet: \`count\` must be an integer >= 1, got ${count}`);
    expect(set.size).toBe(2);
  });
});

describe('keepIds', () => {
  it('asks for each id of K once, ascending, with its index, and keeps those accepted', () => {
    const set = load(1, M, 3, 4, 5);
    const asked: [number, number][] = [];
    set.keepIds((id, index) => {
      asked.push([id, index]);
      return index % 2 === 1;
    });
    expect(asked).toEqual([
      [0, 0],
      [2, 1],
      [3, 2],
      [4, 3],
    ]);
    expect(idsOf(set)).toEqual([2, 4]);
  });

  it('may look at the set while it decides', () => {
    const set = load(0, 1, M, 2, 1);
    set.keepIds((id, index) => set.logitAt(index) >= 1 && id !== set.idAtRank(0) && set.probabilityAt(index) > 0.1);
    expect(idsOf(set)).toEqual([1, 4]);
  });

  it('forgets the maximum when it goes', () => {
    const set = load(5, 3, 1);
    expect(set.maxProbability()).toBeLessThan(1);
    set.keepIds((_, index) => index > 0);
    expect(set.maxLogit()).toBe(3);
    expect(set.probabilityAt(0)).toBe(1 / (1 + exp(-2)));
    expect(set.idAtRank(0)).toBe(1);
  });

  it('refuses to keep nothing, and stays as it was', () => {
    const set = load(5, 3, 1);
    expect(() => set.keepIds(() => false)).toRefuse(
      'CandidateSet: `keep` must be true for at least one id, got "false for every id"',
    );
    expectSameBits(set.toLogits(), [5, 3, 1]);
  });

  it('stays as it was when the question throws', () => {
    const set = load(5, M, 3, 1);
    expect(() =>
      set.keepIds((_, index) => {
        if (index === 1) throw new Error('no answer');
        return true;
      }),
    ).toThrow('no answer');
    expectSameBits(set.toLogits(), [5, M, 3, 1]);
  });
});

describe('settle', () => {
  it('leaves one id, and says which', () => {
    const set = load(5, 3, M, 1);
    expect(set.settled).toBeUndefined();
    set.settle(1);
    expect(set.settled).toBe(1);
    expect([set.size, set.idAt(0), set.idAtRank(0), set.maxLogit()]).toEqual([1, 1, 1, 3]);
    expectSameBits(set.toLogits(), [M, 3, M, M]);
    expectSameBits(set.toProbabilities(), [0, 1, 0, 0]);
    expect(set.entropy()).toBe(0);
  });

  it('works in a filtered set and among holes', () => {
    const set = load(5, 4, 3, 2, 1);
    set.keepBest(4);
    set.setLogit(1, M);
    set.settle(3);
    expectSameBits(set.toLogits(), [M, M, M, 2, M]);
  });

  it('refuses an id outside K', () => {
    const set = load(5, M);
    expect(() => set.settle(1)).toRefuse('CandidateSet: `id` must be one of the kept ids, got 1');
    expect(set.settled).toBeUndefined();
    expect(set.size).toBe(1);
  });
});

describe('the scores', () => {
  it('stay what they were, whatever comes after', () => {
    const set = load(1, 3, M, 2);
    const scores = set.tapScores();
    const logZ = log(exp(-2) + 1 + exp(-1));
    const expected = [1 - 3 - logZ, 3 - 3 - logZ, M, 2 - 3 - logZ];
    const edits = [() => set.divideLogits(2), () => set.setLogit(0, 9), () => set.keepBest(2), () => set.settle(0)];
    for (const edit of [() => {}, ...edits]) {
      edit();
      expectSameBits(
        [0, 1, 2, 3].map((id) => scores.logprob(id)),
        expected,
      );
    }
    expect([scores.max, scores.total]).toEqual([3, exp(-2) + 1 + exp(-1)]);
  });

  it('stay what they were when an id is removed first', () => {
    const set = load(1, 3, 2, 0);
    set.keepBest(3);
    const scores = set.tapScores();
    const before = [0, 1, 2, 3].map((id) => scores.logprob(id));
    set.setLogit(1, M);
    set.keepBest(1);
    set.divideLogits(3);
    expectSameBits(
      [0, 1, 2, 3].map((id) => scores.logprob(id)),
      before,
    );
    expect(before[3]).toBe(M);
  });

  it('give the best, ties to the lower id, and only those that are not masked', () => {
    const set = load(2, 3, M, 3, 1);
    const scores = set.tapScores();
    set.keepBest(1);
    const pairs = (ids: number[]) => ids.map((id) => ({ id, logprob: scores.logprob(id) }));
    expect(scores.best(0)).toEqual([]);
    expect(scores.best(1)).toEqual(pairs([1]));
    expect(scores.best(3)).toEqual(pairs([1, 3, 0]));
    expect(scores.best(9)).toEqual(pairs([1, 3, 0, 4]));
    expect(scores.best(2)).toEqual(pairs([1, 3]));
  });

  it('give the best by id in a set that was filtered before', () => {
    const set = load(2, 9, 5, 3, 1);
    set.keepIds((id) => id !== 1);
    const scores = set.tapScores();
    expect(scores.best(2).map((s) => s.id)).toEqual([2, 3]);
  });

  it('are refused before they were taken', () => {
    const set = load(1, 2);
    const scores = set.tapScores();
    set.load([1, 2]);
    expect(() => scores.logprob(0)).toRefuse('Scores: `logits` must be taken from the candidates first, got undefined');
    expect(() => scores.best(1)).toRefuse('Scores: `logits` must be taken from the candidates first, got undefined');
  });
});

describe('the numerics', () => {
  it('are asked for each exp once a filter: what is kept keeps its exp', () => {
    let sums = 0;
    const counting: Numerics = {
      ...exactNumerics,
      expSum(logits, count, max, exps) {
        sums++;
        return exactNumerics.expSum(logits, count, max, exps);
      },
    };
    const set = new CandidateSet(counting);
    set.load([1, 2, 3, 4, 5]);
    set.keepBest(4);
    set.probabilityAt(0);
    set.keepBest(3);
    set.probabilityAtRank(2);
    set.keepIds((_, index) => index > 0);
    set.maxProbability();
    set.entropy();
    expect(sums).toBe(1);
    set.divideLogits(2);
    set.maxProbability();
    expect(sums).toBe(2);
    set.setLogit(4, 1);
    set.tapScores();
    expect(sums).toBe(3);
  });

  it('can be replaced', () => {
    const half: Numerics = { ...exactNumerics, log: () => 0.5, name: 'half' };
    const set = new CandidateSet(half);
    set.load([0, 0]);
    expect(set.tapScores().logprob(0)).toBe(-0.5);
    expect(set.entropy()).toBe(-0.5);
  });
});

describe('adjustLogits', () => {
  it.each([
    { kind: 'float32', logits: Float32Array.of(1, 2, -Infinity, 4) },
    { kind: 'float64', logits: Float64Array.of(1, 2, -Infinity, 4) },
  ])('changes the ids that are kept, once for each mention, and leaves masked ones, $kind', ({ logits }) => {
    const set = new CandidateSet();
    set.load(logits);
    const seen: number[] = [];
    set.adjustLogits([3, 2, 0, 3], (l, id) => {
      seen.push(id);
      return l - 1;
    });
    expect(seen).toEqual([3, 0, 3]);
    expect([0, 1, 2, 3].map((id) => set.logit(id))).toEqual([0, 2, -Infinity, 2]);
  });

  it('leaves the scores as they were taken', () => {
    const set = new CandidateSet();
    set.load(Float32Array.of(1, 1));
    const scores = set.tapScores();
    set.adjustLogits([0], () => 9);
    expect(scores.logprob(0)).toBe(scores.logprob(1));
    expect(set.logit(0)).toBe(9);
  });

  it('leaves the scores that were taken on its way', () => {
    const set = new CandidateSet();
    set.load(Float32Array.of(1, 1));
    const scores: Scores[] = [];
    set.adjustLogits([0, 1], () => {
      if (scores.length === 0) scores.push(set.tapScores());
      return 9;
    });
    expect(scores[0]?.logprob(0)).toBe(scores[0]?.logprob(1));
    expect(scores[0]?.max).toBe(1);
    expect([set.logit(0), set.logit(1)]).toEqual([9, 9]);
  });

  it('refuses an id outside the vocabulary, a logit that is none, and masking the last id', () => {
    const set = new CandidateSet();
    set.load(Float32Array.of(1, -Infinity));
    expect(() => set.adjustLogits([2], (l) => l)).toRefuse('CandidateSet: `id` must be an integer in [0, 2), got 2');
    expect(() => set.adjustLogits([0], () => Number.NaN)).toRefuse(
      'CandidateSet: `value` must be a number below Infinity, got NaN',
    );
    expect(() => set.adjustLogits([0], () => -Infinity)).toRefuse(
      'CandidateSet: `value` must be above -Infinity for id 0, the last one kept, got -Infinity',
    );
  });
});
