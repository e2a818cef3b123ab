import { describe, expect, it } from 'vitest';
import { AdaptiveP, type Candidates } from '../../../processors/index.js';
import { createSampler, ProcessorChain } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { agreesWithPlainArrays, logitsAfter } from '../masks/plain-masks.js';
import { adapted } from './plain-rules.js';

const M = -Infinity;
/** q = 1/2, 1/4, 1/8, 1/8. */
const DYADIC = [2, 1, 0, 0].map((power) => power * Math.LN2);

describe('AdaptiveP', () => {
  it('gives the largest logit, 5, to an id on the target, and the same to equal q', () => {
    const [first, second, third, fourth] = logitsAfter(new AdaptiveP({ target: 0.25 }), DYADIC);
    expect(second).toBe(5);
    expect(first).toBeLessThan(5);
    expect(third).toBe(fourth);
  });

  it('falls as 10 d^2 / (1 + d), d the distance from the target in units of 0.3', () => {
    const d = 0.25 / 0.3;
    expect(logitsAfter(new AdaptiveP({ target: 0.5 }), DYADIC)[1]).toBe(5 - (10 * d * d) / (1 + d));
  });

  it.each([
    { state: { sum: 10, weight: 10 }, target: 0.4, best: 3, why: 'aims at 0 after ids that were too likely' },
    { state: { sum: 0, weight: 10 }, target: 0.6, best: 0, why: 'aims at 1 after ids that were too unlikely' },
    { state: { sum: 2.5, weight: 10 }, target: 0.25, best: 1, why: 'aims at the target where it is met' },
  ])('$why', ({ state, target, best }) => {
    const step = new AdaptiveP({ target });
    step.restore(state);
    const after = logitsAfter(
      step,
      [2, 1, 0, -1].map((power) => power * Math.LN2),
    ); // q = 8, 4, 2, 1 of 15
    expect(after.indexOf(Math.max(...after))).toBe(best);
  });

  agreesWithPlainArrays((random: Pcg32) => {
    const [target, sum, weight] = [random.uniform(), 10 * random.uniform(), 1 + 9 * random.uniform()];
    const step = new AdaptiveP({ target });
    step.restore({ sum, weight });
    return { step, rule: (l) => adapted(l, target, sum, weight) };
  });

  it('begins as if the target had always been met', () => {
    const [n, w] = [1 / (1 - 0.75), 0.3 / (1 - 0.75)];
    expect(new AdaptiveP({ target: 0.3, decay: 0.75 }).save()).toEqual({ sum: w, weight: n });
    expect(new AdaptiveP({ target: 0.3 }).options).toEqual({ target: 0.3, decay: 0.9 });
  });

  it('learns q of the id as it was before it, also where it was forced, and nothing where that is unknown', () => {
    const step = new AdaptiveP({ target: 0.5, decay: 0.5 });
    const third = { name: 'third', process: (c: Candidates) => c.keepIds((id) => id === 1) };
    const sampler = createSampler({ seed: 1 }, { chain: new ProcessorChain([step, third]) });
    sampler.sample(DYADIC);
    expect(step.save()).toEqual({ sum: 0.25 + 0.5 * 1, weight: 2 });
    sampler.accept(0);
    expect(step.save()).toEqual({ sum: 0.75, weight: 2 });
    sampler.distribution(DYADIC);
    sampler.accept(3);
    expect(step.save()).toEqual({ sum: 0.125 + 0.5 * 0.75, weight: 2 });
  });

  it.each([0.15, 0.3, 0.45])('comes near the target %d on average, where there are ids near it', (target) => {
    const sampler = createSampler({ seed: 5 }, { chain: new ProcessorChain([new AdaptiveP({ target })]) });
    const random = new Pcg32(8);
    let sum = 0;
    for (let n = 0; n < 1000; n++) {
      const logits = Float64Array.from({ length: 40 }, () => 20 * random.uniform());
      const total = logits.reduce((z, l) => z + Math.exp(l), 0);
      sum += Math.exp(logits[sampler.sample(logits).id] as number) / total;
    }
    expect(Math.abs(sum / 1000 - target)).toBeLessThan(0.12);
  });

  it('keeps K as it is', () => {
    expect(logitsAfter(new AdaptiveP({ target: 1 }), [0, M, 3]).map((l) => Number(l > M))).toEqual(
      Float64Array.of(1, 0, 1),
    );
  });

  it.each([
    [{}, 'AdaptiveP: `target` must be a number in [0, 1], got undefined'],
    [{ target: -1 }, 'AdaptiveP: `target` must be a number in [0, 1], got -1'],
    [{ target: 0.5, decay: 1 }, 'AdaptiveP: `decay` must be a number in [0, 0.99], got 1'],
    [{ target: 0.5, width: 1 }, 'AdaptiveP: `width` must be absent (the parameters are: target, decay), got 1'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new AdaptiveP(options as never)).toRefuse(message);
  });

  it.each([null, 7, {}, { sum: 1 }, { sum: -1, weight: 2 }, { sum: 1, weight: 0.5 }, { sum: '1', weight: 2 }])(
    'refuses the state %j and stays as it was',
    (state) => {
      const step = new AdaptiveP({ target: 0.5, decay: 0.5 });
      expect(() => step.restore(state as never)).toThrow(
        'AdaptiveP: `state` must be an object with the numbers `sum` >= 0 and `weight` >= 1, as `save` gave it, got ',
      );
      expect(step.save()).toEqual({ sum: 1, weight: 2 });
    },
  );
});
