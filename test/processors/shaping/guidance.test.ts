import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Guidance, SECOND_LOGITS, type SecondLogits } from '../../../processors/index.js';
import { createContainer, processorModule } from '../../../src/container/index.js';
import { createSampler, ProcessorChain } from '../../../src/index.js';
import { processorLaws } from '../../../src/laws/index.js';
import type { Pcg32 } from '../../../src/random/index.js';
import { tokenLogprobs } from '../../../src/spec.js';
import { expectSameBits } from '../../support/bits.js';
import { logSoftmax } from '../filters/plain-filters.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter } from '../masks/plain-masks.js';

const M = -Infinity;

/** Logits that depend on the ids so far. */
const second: SecondLogits = (sequence, vocabSize) =>
  Float64Array.from({ length: vocabSize }, (_, id) => ((id * 7 + 3 * sequence.length) % 11) / 3 - 1);

function plain(l: readonly number[], scale: number, sequence: readonly number[]): number[] {
  const c = logSoftmax(l);
  const u = logSoftmax(Array.from(second(sequence, l.length)));
  return l.map((x, id) => (x === M ? M : scale * ((c[id] as number) - (u[id] as number)) + (u[id] as number)));
}

describe('Guidance', () => {
  agreesWithPlainArrays((random: Pcg32) => {
    const scale = 6 * random.uniform() - 2;
    return {
      step: new Guidance({ scale }, second),
      rule: (l, { prompt, output }) => plain(l, scale, [...prompt, ...output]),
    };
  }, 120);

  it('obeys the laws', () => {
    processorLaws((random) => new Guidance({ scale: 3 * random.uniform() }, second));
  });

  it('gives the same for logits that were set as for a function', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 9 }), (l) => {
        const step = new Guidance({ scale: 1.5 });
        step.set(second([], l.length));
        expectSameBits(logitsAfter(step, l), logitsAfter(new Guidance({ scale: 1.5 }, second), l), 'logits');
      }),
    );
  });

  it('leaves the second logits alone at a scale of 0, and is off at 1', () => {
    expect(new Guidance({ scale: 1 }).active).toBe(false);
    const l = [1, 2, 3];
    expect([...logitsAfter(new Guidance({ scale: 1 }), l)]).toEqual(l);
    expectSameBits(logitsAfter(new Guidance({ scale: 0 }, () => [0, 5, 1]), l), logSoftmax([0, 5, 1]), 'logits');
  });

  it('changes nothing where both are the same but the normalizer', () => {
    const after = logitsAfter(new Guidance({ scale: 4 }, () => [11, 12, 13]), [1, 2, 3]);
    for (const [id, lp] of logSoftmax([1, 2, 3]).entries()) expect(after[id]).toBeCloseTo(lp, 14);
  });

  it('takes what was set for one token, and not for the next', () => {
    const step = new Guidance({ scale: 2 });
    const sampler = createSampler({ seed: 3 }, { before: [step] });
    expect(() => sampler.sample([1, 2, 3])).toThrow('`logits` must be set before each token, got undefined');
    step.set([3, 2, 1]);
    sampler.distribution([1, 2, 3]); // looked at, and sampled then
    sampler.sample([1, 2, 3]);
    expect(() => sampler.sample([1, 2, 3])).toThrow('`logits` must be set before each token, got undefined');
    step.set([3, 2, 1]);
    sampler.sample([1, 2, 3]);
  });

  it('copies what is set', () => {
    const step = new Guidance({ scale: 2 });
    const given = Float32Array.of(3, 2, 1);
    step.set(given);
    given.fill(Number.NaN);
    expectSameBits(
      logitsAfter(step, [1, 2, 3]),
      logitsAfter(new Guidance({ scale: 2 }, () => [3, 2, 1]), [1, 2, 3]),
      'l',
    );
  });

  it('goes back to the token that the logits were set for', () => {
    const step = new Guidance({ scale: 2 });
    step.set([0, 0, 1]);
    const place = step.save();
    step.accept();
    expect(() => logitsAfter(step, [1, 2, 3])).toThrow('set before each token');
    step.restore(place);
    expect(logitsAfter(step, [1, 2, 3])).toHaveLength(3);
  });

  it('changes logprobs', () => {
    const sampler = createSampler({ seed: 3 }, { before: [new Guidance({ scale: 2 }, () => [0, 0, 5])] });
    const { id, logprob } = sampler.sample([1, 2, 3]);
    expect(logprob).toBe(tokenLogprobs(plainOf([1, 2, 3], [0, 0, 5], 2), {})[id]);
  });

  it('is part of chains as data, with a function that a container binds', () => {
    const container = createContainer(processorModule(Guidance));
    container.bind(SECOND_LOGITS).toConstantValue(second as never);
    const data = [{ use: 'guidance', scale: 1.5 }];
    const one = createSampler({ seed: 5 }, { chain: data, container });
    const two = createSampler({ seed: 5 }, { chain: new ProcessorChain([new Guidance({ scale: 1.5 }, second)]) });
    for (let n = 0; n < 20; n++) expect(one.sample([1, 2, 3, 4])).toEqual(two.sample([1, 2, 3, 4]));
  });

  it.each([
    [{ scale: Number.NaN }, undefined, 'Guidance: `scale` must be a finite number, got NaN'],
    [{ scale: Infinity }, undefined, 'Guidance: `scale` must be a finite number, got Infinity'],
    [{}, undefined, 'Guidance: `scale` must be a finite number, got undefined'],
    [{ scale: 2, u: 1 }, undefined, 'Guidance: `u` must be absent (the parameters are: scale), got 1'],
    [{ scale: 2 }, [1], 'Guidance: `source` must be a function or undefined, got [1]'],
  ])('refuses %j and %j', (options, source, message) => {
    expect(() => new Guidance(options as never, source as never)).toRefuse(message);
  });

  it.each([
    [undefined, 'Guidance: `logits` must be an array, a Float32Array or a Float64Array, got undefined'],
    [{ length: 1 }, 'Guidance: `logits` must be an array, a Float32Array or a Float64Array, got { length: 1 }'],
    [[1, Number.NaN], 'Guidance: `logits[1]` must be numbers below Infinity, at least one above -Infinity, got NaN'],
    [[Infinity], 'Guidance: `logits[0]` must be numbers below Infinity, at least one above -Infinity, got Infinity'],
    [['1'], 'Guidance: `logits[0]` must be numbers below Infinity, at least one above -Infinity, got "1"'],
    [[M], 'Guidance: `logits` must be numbers below Infinity, at least one above -Infinity, got [-Infinity]'],
  ])('refuses to set %j, and keeps what was set', (logits, message) => {
    const step = new Guidance({ scale: 2 });
    step.set([0, 1, 0]);
    const before = logitsAfter(step, [1, 2, 3]);
    expect(() => step.set(logits as never)).toRefuse(message);
    expectSameBits(logitsAfter(step, [1, 2, 3]), before, 'logits');
  });

  it.each([
    [[1, 2], 'Guidance: `logits.length` must be V, which is 3, got 2'],
    [[1, 2, 3, 4], 'Guidance: `logits.length` must be V, which is 3, got 4'],
    [[1, M, 1], 'Guidance: `logits` must be above -Infinity for each of the kept ids, got "-Infinity for 1"'],
  ])('refuses %j from a function, and changes nothing', (logits, message) => {
    expectUnchanged(new Guidance({ scale: 2 }, () => logits), [1, 2, 3], message);
  });

  it('may be -Infinity where the id is masked', () => {
    const after = logitsAfter(new Guidance({ scale: 2 }, () => [0, M, 0]), [1, M, 1]);
    expect([...after].map(Number.isFinite)).toEqual([true, false, true]);
  });

  it('refuses to set where there is a function', () => {
    expect(() => new Guidance({ scale: 2 }, second).set([1])).toRefuse(
      'Guidance: `logits` must be left to the function that the step was made with, got [1]',
    );
  });

  it.each([null, -1, 0.5, '1', 2 ** 53])('refuses the state %j', (state) => {
    const step = new Guidance({ scale: 2 });
    expect(() => step.restore(state)).toThrow('Guidance: `state` must be an integer >= 0, as `save` gave it, got ');
    expect(step.save()).toBe(0);
  });
});

function plainOf(l: number[], other: number[], scale: number): number[] {
  const [c, u] = [logSoftmax(l), logSoftmax(other)];
  return c.map((x, id) => scale * (x - (u[id] as number)) + (u[id] as number));
}
