/** Each filter and each shaping step beside its rule over plain arrays: bits equal, on random rows with ties and masked ids. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DynamicTemperature,
  Epsilon,
  Eta,
  InvalidValueError,
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
import type { Pcg32 } from '../../../src/random/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, type PlainRule, stepContext } from '../masks/plain-masks.js';
import * as plain from './plain-filters.js';

type Pair = { step: LogitsProcessor; rule: PlainRule };

/** A step and its rule, with options from three uniforms. */
const PAIRS: Readonly<Record<string, (a: number, b: number, c: number) => Pair>> = {
  typical: (a, b) => {
    const options = { p: 1 - a, ...leastOf(b) };
    return { step: new Typical(options), rule: (l) => plain.typical(l, options.p, options.min_keep) };
  },
  epsilon: (a, b) => {
    const options = { epsilon: a ** 4, ...leastOf(b) };
    return { step: new Epsilon(options), rule: (l) => plain.epsilon(l, options.epsilon, options.min_keep) };
  },
  eta: (a, b) => {
    const options = { epsilon: a ** 2, ...leastOf(b) };
    return { step: new Eta(options), rule: (l) => plain.eta(l, options.epsilon, options.min_keep) };
  },
  'top-a': (a, b) => {
    const options = { a, ...leastOf(b) };
    return { step: new TopA(options), rule: (l) => plain.topA(l, a, options.min_keep) };
  },
  'tail-free': (a, b) => {
    const options = { z: a, ...leastOf(b) };
    return { step: new TailFree(options), rule: (l) => plain.tailFree(l, a, options.min_keep) };
  },
  'top-n-sigma': (a) => ({ step: new TopNSigma({ n: 3 * a + 1e-3 }), rule: (l) => plain.topNSigma(l, 3 * a + 1e-3) }),
  'top-h': (a) => ({ step: new TopH({ h: 1 - a }), rule: (l) => plain.topH(l, 1 - a) }),
  'p-less': () => ({ step: new PLess({}), rule: plain.pLess }),
  'p-less-norm': () => ({ step: new PLessNorm({}), rule: plain.pLessNorm }),
  'xtc-mixture': (a, b, c) => {
    const options = { probability: c < 0.1 ? 1 : 1 - a, threshold: (1 - c) / 4, ...leastOf(b), ...specialOf(a) };
    return { step: new XtcMixture(options), rule: (l) => plain.xtcMixture(l, options.probability, options) };
  },
  'dynamic-temperature': (a, b, c) => {
    const [low, high, exponent] = [a, a + 2 * b, 2 * c] as const;
    const step = new DynamicTemperature({ low, high, exponent });
    return { step, rule: (l) => plain.dynamicTemperature(l, low, high, exponent) };
  },
  'quadratic-smoothing': (a, b) => {
    const step = new QuadraticSmoothing({ factor: a + 1e-9, curve: 1 + 4 * b });
    return { step, rule: (l) => plain.quadraticSmoothing(l, a + 1e-9, 1 + 4 * b) };
  },
  'log-softmax': () => ({ step: new LogSoftmax({}), rule: plain.logSoftmax }),
};

function leastOf(b: number): { min_keep?: number } {
  return b < 0.5 ? {} : { min_keep: 1 + Math.floor(20 * (b - 0.5)) };
}

function specialOf(a: number): { special_ids?: number[] } {
  return a < 0.8 ? {} : { special_ids: [0] };
}

/** Logits with ties, masked ids, signed zeros and far ones; at least one is kept. */
const row = fc
  .array(
    fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(-Infinity, -0, -800, 700),
      fc.double({ min: -20, max: 20, noNaN: true }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .filter((l) => l.some((x) => x > -Infinity));
const uniform = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

function logitsAfter(step: LogitsProcessor, l: readonly number[], u?: number): Float64Array {
  const set = new CandidateSet();
  set.load(l);
  step.process(set, u === undefined ? stepContext() : { ...stepContext(), uniform: () => u });
  return set.toLogits();
}

describe.each(Object.entries(PAIRS))('%s', (_, make) => {
  agreesWithPlainArrays((random: Pcg32) => make(random.uniform(), random.uniform(), random.uniform()), 120);

  it('does what its rule says of any short row', () => {
    fc.assert(
      fc.property(row, uniform, uniform, uniform, (l, a, b, c) => {
        const { step, rule } = make(a, b, c);
        const expected = rule(l, { prompt: [], output: [] });
        if (step.active === false) return;
        if (expected === undefined) expect(() => logitsAfter(step, l)).toThrow(InvalidValueError);
        else expectSameBits(logitsAfter(step, l), expected, 'logits');
      }),
    );
  });
});

describe('xtc', () => {
  it('does what its rule says of any short row, for any uniform', () => {
    fc.assert(
      fc.property(row, uniform, uniform, uniform, uniform, (l, u, a, b, c) => {
        const options = { probability: 1 - a, threshold: (1 - c) / 4, ...leastOf(b), ...specialOf(a) };
        expectSameBits(logitsAfter(new Xtc(options), l, u), plain.xtc(l, options.probability, options, u), 'logits');
      }),
    );
  });

  it('is as likely on average as its mixture says', () => {
    fc.assert(
      fc.property(row, uniform, uniform, uniform, (l, a, b, c) => {
        const options = { probability: 1 - a, threshold: (1 - c) / 4, ...leastOf(b), ...specialOf(a) };
        const mixture = plain.softmax([...logitsAfter(new XtcMixture(options), l)]);
        const acting = plain.softmax([...logitsAfter(new Xtc({ ...options, probability: 1 }), l, 0)]);
        for (const [id, q] of plain.softmax(l).entries()) {
          const average = a * q + (1 - a) * (acting[id] as number);
          expect(Math.abs((mixture[id] as number) - average)).toBeLessThan(1e-13);
        }
      }),
    );
  });
});
