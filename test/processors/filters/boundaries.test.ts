/** The filters and shaping steps on, and on both sides of, each boundary, on distributions that are made by hand. */
import { describe, expect, it } from 'vitest';
import {
  DynamicTemperature,
  Epsilon,
  Eta,
  type LogitsProcessor,
  LogSoftmax,
  PLess,
  PLessNorm,
  QuadraticSmoothing,
  TailFree,
  TopA,
  TopH,
  TopNSigma,
  Typical,
  Xtc,
  XtcMixture,
} from '../../../processors/index.js';
import { CandidateSet } from '../../../src/core.js';
import { log } from '../../../src/numerics/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { nextDown, nextUp } from '../../support/bits.js';
import { logitsAfter, stepContext } from '../masks/plain-masks.js';
import { kept as idsOfSet } from '../step.js';
import { epsilon, softmax } from './plain-filters.js';

const M = -Infinity;
const FLAT = [0, 0, 0, 0];
/** q = 1/2, 1/4, 1/8, 1/8, exactly. */
const DYADIC = [0, -1, -2, -2].map((bits) => bits * Math.LN2);

const EXACT = softmax(DYADIC);

/** The ids that are left of float64 logits, and of float32 logits where they are the same numbers. */
function kept(step: LogitsProcessor, logits: readonly number[], u?: number): number[] {
  const context = u === undefined ? stepContext() : { ...stepContext(), uniform: () => u };
  const isFloat32 = logits.every((x) => Object.is(Math.fround(x), x));
  const [list, wide] = [[...logits], Float32Array.from(logits)].slice(0, isFloat32 ? 2 : 1).map((row) => {
    const set = new CandidateSet();
    set.load(row);
    step.process(set, context);
    return idsOfSet(set);
  });
  if (isFloat32) expect(wide).toEqual(list);
  return list as number[];
}

interface Case {
  readonly step: LogitsProcessor;
  readonly logits: readonly number[];
  readonly ids: readonly number[];
  readonly why: string;
}

const CASES: readonly Case[] = [
  // epsilon
  { step: new Epsilon({ epsilon: 0.25 }), logits: FLAT, ids: [0, 1, 2, 3], why: 'epsilon keeps what is exactly on it' },
  {
    step: new Epsilon({ epsilon: nextUp(0.25) }),
    logits: FLAT,
    ids: [0],
    why: 'epsilon keeps the best, ties to the lowest id',
  },
  {
    step: new Epsilon({ epsilon: 0.99 }),
    logits: [0, 3, M, 3],
    ids: [1],
    why: 'epsilon keeps the best where none reaches it',
  },
  {
    step: new Epsilon({ epsilon: 0.99, min_keep: 2 }),
    logits: [0, 3, M, 3],
    ids: [1, 3],
    why: 'epsilon keeps min_keep',
  },
  {
    step: new Epsilon({ epsilon: 0.99, min_keep: 9 }),
    logits: [0, 3, M, 3],
    ids: [0, 1, 3],
    why: 'epsilon keeps no more than there are',
  },
  { step: new Epsilon({ epsilon: 0 }), logits: [0, -800], ids: [0, 1], why: 'epsilon is off at 0' },
  { step: new Epsilon({ epsilon: 5e-324 }), logits: [0, -800], ids: [0], why: 'epsilon is not off just above 0' },
  // eta: of four alike the entropy is ln 4, so sqrt(eps) / 4
  { step: new Eta({ epsilon: 0.9 }), logits: FLAT, ids: [0, 1, 2, 3], why: 'eta keeps all where the entropy is high' },
  {
    step: new Eta({ epsilon: 0.5 }),
    logits: [0, -20],
    ids: [0],
    why: 'eta drops the unlikely where the model is sure',
  },
  { step: new Eta({ epsilon: 0.3 }), logits: [0, M, M], ids: [0], why: 'eta keeps one id' },
  {
    step: new Eta({ epsilon: 0.001, min_keep: 2 }),
    logits: [0, -20, -20],
    ids: [0, 1],
    why: 'eta keeps min_keep, ties to the lowest id',
  },
  // top-a
  {
    step: new TopA({ a: 0.5 }),
    logits: DYADIC,
    ids: [0, 1, 2, 3],
    why: 'top-a keeps what is exactly on the threshold',
  },
  { step: new TopA({ a: nextUp(0.5) }), logits: DYADIC, ids: [0, 1], why: 'top-a drops what is just below it' },
  { step: new TopA({ a: 1 }), logits: DYADIC, ids: [0, 1], why: 'top-a at 1 keeps q >= (max q)^2' },
  {
    step: new TopA({ a: 1, min_keep: 3 }),
    logits: DYADIC,
    ids: [0, 1, 2],
    why: 'top-a keeps min_keep, ties to the lowest id',
  },
  { step: new TopA({ a: 0 }), logits: [0, -800], ids: [0, 1], why: 'top-a is off at 0' },
  // top-n-sigma: mean 0, sigma 1
  {
    step: new TopNSigma({ n: 2 }),
    logits: [1, -1, 1, -1],
    ids: [0, 1, 2, 3],
    why: 'top-n-sigma keeps what is exactly on the threshold',
  },
  {
    step: new TopNSigma({ n: nextDown(2) }),
    logits: [1, -1, 1, -1],
    ids: [0, 2],
    why: 'top-n-sigma drops what is below it',
  },
  {
    step: new TopNSigma({ n: 5e-324 }),
    logits: [1, -1, 1, M],
    ids: [0, 2],
    why: 'top-n-sigma keeps the ties of the largest',
  },
  {
    step: new TopNSigma({ n: 2 }),
    logits: [1, M, -1, M],
    ids: [0, 2],
    why: 'top-n-sigma divides by the number of kept ids',
  },
  {
    step: new TopNSigma({ n: 1e-3 }),
    logits: FLAT,
    ids: [0, 1, 2, 3],
    why: 'top-n-sigma keeps all where all are alike',
  },
  {
    step: new TopNSigma({ n: 1 }),
    logits: [1e300, 0, -1e300],
    ids: [0, 1, 2],
    why: 'top-n-sigma keeps all where the variance overflows',
  },
  // p-less: the sum of q^2 is 1/4 + 1/16 + 1/64 + 1/64 = 0.34375
  { step: new PLess({}), logits: DYADIC, ids: [0], why: 'p-less drops what is below the sum of squares' },
  { step: new PLess({}), logits: FLAT, ids: [0, 1, 2, 3], why: 'p-less keeps what is exactly on it' },
  {
    step: new PLess({}),
    logits: new Array(10).fill(0),
    ids: [...new Array(10).keys()],
    why: 'p-less keeps all of a flat row that rounds',
  },
  { step: new PLess({}), logits: [0, 0, M, -9], ids: [0, 1], why: 'p-less keeps ties of the largest' },
  // p-less-norm: (4 * 0.34375 - 1) / 3 = 0.125
  {
    step: new PLessNorm({}),
    logits: DYADIC,
    ids: [0, 1, 2, 3],
    why: 'p-less-norm keeps what is exactly on its threshold',
  },
  { step: new PLessNorm({}), logits: [...DYADIC, M], ids: [0, 1], why: 'p-less-norm counts masked ids in V' },
  { step: new PLessNorm({}), logits: [3], ids: [0], why: 'p-less-norm keeps the only id' },
  { step: new PLessNorm({}), logits: [M, 3], ids: [1], why: 'p-less-norm keeps the only kept id' },
  // top-h: the terms of the entropy are 1/2, 1/2, 3/8 and 3/8 of a bit, 1.75 altogether
  { step: new TopH({ h: 1 }), logits: DYADIC, ids: [0, 1, 2, 3], why: 'top-h keeps all of the entropy at 1' },
  { step: new TopH({ h: 0.99 }), logits: DYADIC, ids: [0, 1, 2], why: 'top-h drops the last, ties to the lowest id' },
  { step: new TopH({ h: 0.58 }), logits: DYADIC, ids: [0, 1], why: 'top-h keeps what is within h' },
  { step: new TopH({ h: 0.57 }), logits: DYADIC, ids: [0], why: 'top-h drops the id that would cross h' },
  { step: new TopH({ h: 1e-9 }), logits: [0, 3, 3, M], ids: [1], why: 'top-h keeps the first always' },
  { step: new TopH({ h: 1 }), logits: [0, -800], ids: [0, 1], why: 'top-h takes a q of 0 for no entropy' },
  {
    step: new TopH({ h: 1 }),
    logits: new Array(120).fill(0),
    ids: [...new Array(100).keys()],
    why: 'top-h keeps the 100 best at most',
  },
  // tail-free: q = 1/2, 1/4, 1/8, 1/8: second differences 1/8, 1/8
  { step: new TailFree({ z: 0.5 }), logits: DYADIC, ids: [0, 1], why: 'tail-free keeps where the sum is exactly z' },
  {
    step: new TailFree({ z: nextDown(0.5) }),
    logits: DYADIC,
    ids: [0],
    why: 'tail-free drops where the sum is above z',
  },
  { step: new TailFree({ z: nextDown(1) }), logits: DYADIC, ids: [0, 1], why: 'tail-free drops where the sum is 1' },
  {
    step: new TailFree({ z: nextDown(1) }),
    logits: [1, 2, 0, 0, 1],
    ids: [0, 1, 2, 4],
    why: 'tail-free drops the last where rounding keeps the sum at z',
  },
  { step: new TailFree({ z: 1 }), logits: DYADIC, ids: [0, 1, 2, 3], why: 'tail-free is off at 1' },
  {
    step: new TailFree({ z: 0 }),
    logits: [0, M, 0, M, 0],
    ids: [0, 2, 4],
    why: 'tail-free keeps all of a straight curve',
  },
  { step: new TailFree({ z: 0 }), logits: [9, M, 0], ids: [0, 2], why: 'tail-free keeps two ids, which have no curve' },
  { step: new TailFree({ z: 0 }), logits: [0, 9, 8], ids: [1], why: 'tail-free keeps the best at 0' },
  {
    step: new TailFree({ z: 0, min_keep: 3 }),
    logits: DYADIC,
    ids: [0, 1, 2],
    why: 'tail-free keeps min_keep, ties to the lowest id',
  },
  // typical: the surprises are 1, 2, 3, 3 bits, the entropy is 1.75
  {
    step: new Typical({ p: 0.25 }),
    logits: DYADIC,
    ids: [1],
    why: 'typical takes the nearest first, and not the most likely',
  },
  { step: new Typical({ p: 0.26 }), logits: DYADIC, ids: [0, 1], why: 'typical then takes the next' },
  { step: new Typical({ p: 0.8 }), logits: DYADIC, ids: [0, 1, 2], why: 'typical takes of ties the lowest id' },
  { step: new Typical({ p: 0.9 }), logits: DYADIC, ids: [0, 1, 2, 3], why: 'typical takes all' },
  { step: new Typical({ p: 0.5 }), logits: FLAT, ids: [0, 1], why: 'typical stops where the sum is p' },
  { step: new Typical({ p: nextUp(0.5) }), logits: FLAT, ids: [0, 1, 2], why: 'typical goes on where it is below p' },
  { step: new Typical({ p: 0.01, min_keep: 3 }), logits: FLAT, ids: [0, 1, 2], why: 'typical keeps min_keep' },
  {
    step: new Typical({ p: 0.01, min_keep: 9 }),
    logits: [0, M, 0],
    ids: [0, 2],
    why: 'typical keeps no more than there are',
  },
  { step: new Typical({ p: 0.9 }), logits: [0, -800, M], ids: [0], why: 'typical has a place for a q of 0' },
  { step: new Typical({ p: 1 }), logits: [0, -800], ids: [0, 1], why: 'typical is off at 1' },
];

describe('the filters', () => {
  it('stand on exact numbers here', () => {
    expect(EXACT).toEqual([0.5, 0.25, 0.125, 0.125]);
  });

  it.each(CASES)('$why', ({ step, logits, ids }) => {
    if (step.active === false) expect([...logitsAfter(step, logits)]).toEqual(logits);
    else expect(kept(step, logits)).toEqual(ids);
  });

  it.each([{ least: 1 }, { least: 280 }, { least: 400 }, { least: 1000 }])(
    'with a threshold compare beyond the 256 best: at least $least of 500',
    ({ least }) => {
      const random = new Pcg32(5);
      const logits = Array.from({ length: 500 }, () => Math.fround(2 * random.uniform()));
      for (const threshold of [1e-6, 0.0012, 0.002, 0.9]) {
        const step = new Epsilon({ epsilon: threshold, min_keep: least });
        const expected = epsilon(logits, threshold, least);
        expect([...logitsAfter(step, logits)]).toEqual(expected);
      }
    },
  );
});

it('a threshold keeps what is exactly on it beyond the 256 best', () => {
  const row = [...new Array<number>(256).fill(0), ...new Array<number>(512).fill(-Math.LN2)]; // q = 2^-9 and 2^-10
  expect(kept(new Epsilon({ epsilon: 2 ** -9 }), row)).toEqual([...new Array(256).keys()]);
  expect(kept(new Epsilon({ epsilon: nextDown(2 ** -9) }), row)).toHaveLength(256);
  expect(kept(new Epsilon({ epsilon: 2 ** -10 }), row)).toHaveLength(768);
});

describe('Xtc', () => {
  const always = { probability: 1, threshold: 0.125 };

  it.each<[string, object, readonly number[], number, number[]]>([
    ['removes all choices but the last', always, DYADIC, 0.999, [3]],
    ['of ties at the end keeps the highest id', { ...always, threshold: 0.1 }, FLAT, 0, [3]],
    ['counts a choice that is exactly on the threshold', { ...always, threshold: 0.25 }, DYADIC, 0, [1, 2, 3]],
    ['counts none just below it', { ...always, threshold: nextUp(0.25) }, DYADIC, 0, [0, 1, 2, 3]],
    ['takes two halves for choices', { ...always, threshold: 0.5 }, [0, M, 0], 0, [2]],
    ['does nothing with one choice', { ...always, threshold: 0.3 }, DYADIC, 0, [0, 1, 2, 3]],
    ['acts where u is below the probability', { probability: 0.5, threshold: 0.25 }, DYADIC, nextDown(0.5), [1, 2, 3]],
    ['does not where u is equal to it', { probability: 0.5, threshold: 0.25 }, DYADIC, 0.5, [0, 1, 2, 3]],
    ['does nothing where fewer than min_keep would stay', { ...always, min_keep: 2 }, DYADIC, 0, [0, 1, 2, 3]],
    ['acts where min_keep stay', { ...always, threshold: 0.25, min_keep: 3 }, DYADIC, 0, [1, 2, 3]],
    ['does nothing where a special id would go', { ...always, special_ids: [1] }, DYADIC, 0, [0, 1, 2, 3]],
    ['acts where a special id stays', { ...always, special_ids: [3] }, DYADIC, 0, [3]],
    ['has a threshold of 0.1 by default', { probability: 1 }, DYADIC, 0, [3]],
  ])('%s', (_, options, logits, u, ids) => {
    expect(kept(new Xtc(options as never), logits, u)).toEqual(ids);
  });

  it.each([
    [[3], 'one id'],
    [[0, -20, M], 'one choice'],
    [FLAT, 'four choices'],
  ])('draws once from %j: %s', (logits) => {
    for (const probability of [1e-9, 0.5, 1]) {
      let drawn = 0;
      const set = new CandidateSet();
      set.load(logits);
      const step = new Xtc({ probability });
      step.process(set, { ...stepContext(), uniform: () => [0.3, Number.NaN][drawn++] as number });
      expect([drawn, step.draws]).toEqual([1, 1]);
    }
  });

  it('is off at 0, and its mixture too', () => {
    expect([new Xtc({ probability: 0 }).active, new XtcMixture({ probability: 0 }).active]).toEqual([false, false]);
    expect(new XtcMixture({ probability: 1 }).draws).toBe(0);
  });

  it('as a mixture at 1 removes what it would remove', () => {
    expect(kept(new XtcMixture({ probability: 1 }), DYADIC)).toEqual([3]);
  });

  it('as a mixture has the probability of acting in it', () => {
    const [a, b, c, d] = softmax([...logitsAfter(new XtcMixture({ probability: 0.5, threshold: 0.25 }), DYADIC)]);
    for (const [q, expected] of [
      [a, 0.25],
      [b, 0.125 + 0.25],
      [c, 0.0625 + 0.125],
      [d, 0.0625 + 0.125],
    ]) {
      expect(q).toBeCloseTo(expected as number, 14);
    }
  });

  it('as a mixture is right where the threshold is tiny', () => {
    const step = new XtcMixture({ probability: 0.5, threshold: 1e-305 });
    for (const q of softmax([...logitsAfter(step, [0, -700])])) expect(q).toBeCloseTo(0.5, 12);
  });
});

describe('the shaping steps', () => {
  it.each([
    { low: 0.5, high: 2, logits: FLAT, T: 2, why: 'high where all are alike' },
    { low: 0.5, high: 2, logits: [0, -800], T: 0.5, why: 'low where one is sure' },
    { low: 0.5, high: 0.5, logits: DYADIC, T: 0.5, why: 'both alike is a temperature' },
    { low: 1, high: 3, logits: DYADIC, T: 1 + 2 * 0.875, why: 'of 1.75 bits out of 2' },
    { low: 1, high: 3, exponent: 2, logits: DYADIC, T: 1 + 2 * 0.875 ** 2, why: 'to the power of two' },
    { low: 1, high: 3, exponent: 0, logits: DYADIC, T: 3, why: 'to the power of none' },
    { low: 2, high: 3, logits: [M, 7], T: 1, why: 'one id has nothing to be divided for' },
  ])('DynamicTemperature is $why', ({ T, logits, why, ...options }) => {
    const after = logitsAfter(new DynamicTemperature(options), logits);
    for (const [id, l] of logits.entries()) if (l > M) expect(after[id]).toBeCloseTo(l / T, 12);
    expect(why).not.toBe('');
  });

  it('DynamicTemperature never goes above high, also where the entropy of five alike is more than ln 5 by rounding', () => {
    const logits = [1, 1, 1, 1, 1];
    expect([...logitsAfter(new DynamicTemperature({ low: 0, high: 1 }), logits)]).toEqual(logits);
  });

  it('DynamicTemperature is greedy where it comes to 0, ties to the lowest id', () => {
    const set = new CandidateSet();
    set.load([M, 800, 0, 800]);
    new DynamicTemperature({ low: 0, high: 0 }).process(set, stepContext());
    expect([set.settled, idsOfSet(set)]).toEqual([1, [1]]);
    expect(kept(new DynamicTemperature({ low: 0, high: 5 }), [0, -800])).toEqual([0]);
  });

  it('DynamicTemperature refuses to overflow', () => {
    const step = new DynamicTemperature({ low: 5e-324, high: 1 });
    expect(() => logitsAfter(step, [800, 0])).toRefuse(
      'DynamicTemperature: `low` must be large enough that no logit overflows, got 5e-324',
    );
  });

  it.each([
    [0.5, 1, [2, 0, M, 1], [2, 2 - 0.5 * 4, M, 2 - 0.5]],
    [0.5, 3, [2, 0, M, 1], [2, 2 - 0.5 * 8, M, 2 - 0.5]],
    [0.5, 2, [2, 0, M, 1], [2, 2 - 0.25 * 4 - 0.25 * 8, M, 2 - 0.25 - 0.25]],
    [1, 1, [1e200, 0], [1e200, M]],
  ])('QuadraticSmoothing with the factor %d and the curve %d makes %j into %j', (factor, curve, logits, expected) => {
    expect([...logitsAfter(new QuadraticSmoothing({ factor, curve }), logits)]).toEqual(expected);
  });

  it('LogSoftmax gives logprobs of what is kept', () => {
    expect([...logitsAfter(new LogSoftmax({}), [...FLAT, M])]).toEqual([...FLAT.map(() => -log(4)), M]);
    expect([...logitsAfter(new LogSoftmax({}), [M, 900])]).toEqual([M, 0]);
  });
});

describe('wrong options', () => {
  const below1 = 'a number in [0, 1)';
  const share = 'a number in [0, 1]';
  const positiveShare = 'a number in (0, 1]';
  const count = 'an integer >= 1';
  const nonNegative = 'a finite number >= 0';
  const half = 'a number in (0, 0.5]';

  it.each<[new (options: never) => unknown, object, string, string, unknown]>([
    [Epsilon, { epsilon: 1 }, 'epsilon', below1, 1],
    [Epsilon, { epsilon: -5e-324 }, 'epsilon', below1, -5e-324],
    [Epsilon, {}, 'epsilon', below1, undefined],
    [Epsilon, { epsilon: 0.1, min_keep: 0 }, 'min_keep', count, 0],
    [Eta, { epsilon: 1 }, 'epsilon', below1, 1],
    [Eta, { epsilon: Number.NaN }, 'epsilon', below1, Number.NaN],
    [Eta, { epsilon: 0.1, min_keep: 1.5 }, 'min_keep', count, 1.5],
    [TopA, { a: 1.1 }, 'a', share, 1.1],
    [TopA, { a: -0.1 }, 'a', share, -0.1],
    [TopA, { a: 0.1, min_keep: -1 }, 'min_keep', count, -1],
    [TailFree, { z: 2 }, 'z', share, 2],
    [TailFree, {}, 'z', share, undefined],
    [TailFree, { z: 0, min_keep: 0 }, 'min_keep', count, 0],
    [TopNSigma, { n: 0 }, 'n', 'a finite number > 0', 0],
    [TopNSigma, { n: -1 }, 'n', 'a finite number > 0', -1],
    [TopNSigma, { n: Infinity }, 'n', 'a finite number > 0', Infinity],
    [TopH, { h: 0 }, 'h', positiveShare, 0],
    [TopH, { h: 1.5 }, 'h', positiveShare, 1.5],
    [Typical, { p: 0 }, 'p', positiveShare, 0],
    [Typical, { p: nextUp(1) }, 'p', positiveShare, nextUp(1)],
    [Typical, { p: 0.5, min_keep: 0 }, 'min_keep', count, 0],
    [Xtc, { probability: 1.5 }, 'probability', share, 1.5],
    [Xtc, {}, 'probability', share, undefined],
    [Xtc, { probability: 1, threshold: 0 }, 'threshold', half, 0],
    [Xtc, { probability: 1, threshold: 0.6 }, 'threshold', half, 0.6],
    [Xtc, { probability: 1, special_ids: [-1] }, 'special_ids[0]', 'an integer >= 0', -1],
    [XtcMixture, { probability: -1 }, 'probability', share, -1],
    [XtcMixture, { probability: 1, threshold: nextUp(0.5) }, 'threshold', half, nextUp(0.5)],
    [DynamicTemperature, { low: -1, high: 1 }, 'low', nonNegative, -1],
    [DynamicTemperature, { low: 1 }, 'high', nonNegative, undefined],
    [DynamicTemperature, { low: 1, high: 2, exponent: -1 }, 'exponent', nonNegative, -1],
    [DynamicTemperature, { low: 2, high: 1 }, 'low', 'at most high, which is 1', 2],
    [QuadraticSmoothing, { factor: -1 }, 'factor', nonNegative, -1],
    [QuadraticSmoothing, { factor: 1, curve: 0.5 }, 'curve', 'a finite number >= 1', 0.5],
  ])('of %o are refused: %j', (target, options, name, domain, value) => {
    const make = () => new target(options as never);
    expect(make).toRefuse(`${target.name}: \`${name}\` must be ${domain}, got ${value}`);
  });

  it.each([
    [new Xtc({ probability: 1, special_ids: [0, 4] }), 'Xtc'],
    [new XtcMixture({ probability: 1, special_ids: [0, 4] }), 'XtcMixture'],
  ])('of %o are refused when V is known: an id that is not below it', (step, name) => {
    const uniform = () => expect.fail('it draws');
    const context = { ...stepContext(), uniform };
    const set = new CandidateSet();
    set.load(FLAT);
    expect(() => step.process(set, context)).toRefuse(
      `${name}: \`special_ids[1]\` must be an integer in [0, 4), got 4`,
    );
    expect(idsOfSet(set)).toEqual([0, 1, 2, 3]);
  });
});
