import { describe, expect, it } from 'vitest';
import { CandidateSet } from '../../../src/core.js';
import { createChain, createSampler, LogitBias, restoreSampler, saveSampler } from '../../../src/index.js';
import { show } from '../../../src/show.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter } from './plain-masks.js';

const M = -Infinity;

describe('LogitBias', () => {
  it.each([
    { bias: { 1: 2 }, after: [1, 2, -0], why: 'it is added' },
    { bias: { 1: -2, 0: 0.5 }, after: [1.5, -2, -0], why: 'to each listed id' },
    { bias: { 2: -0 }, after: [1, 0, -0], why: 'minus zero plus minus zero keeps its sign' },
    { bias: { 2: 0 }, after: [1, 0, 0], why: 'a listed 0 is added too' },
    { bias: {}, after: [1, 0, -0], why: 'nothing listed is off' },
  ])('$bias on [1, 0, -0] gives $after: $why', ({ bias, after: expected }) => {
    const step = new LogitBias({ bias });
    expectSameBits(logitsAfter(step, [1, 0, -0]), expected);
    expect(step.active).toBe(Object.keys(bias).length > 0);
  });

  it('leaves a masked id masked', () => {
    expectSameBits(logitsAfter(new LogitBias({ bias: { 0: 5, 1: 1 } }), [M, 2]), [M, 3]);
  });

  it.each([
    { form: 'string keys', bias: JSON.parse('{"1": 2, "0": -1}') },
    { form: 'numeric keys', bias: { 1: 2, 0: -1 } },
    { form: 'a Map with numbers', bias: new Map([[1, 2]]).set(0, -1) },
    { form: 'a Map with strings', bias: new Map([['1', 2]]).set('0', -1) },
    { form: 'an object without a prototype', bias: Object.assign(Object.create(null), { 1: 2, 0: -1 }) },
  ])('takes $form', ({ bias }) => {
    const step = new LogitBias({ bias });
    expectSameBits(logitsAfter(step, [1, 0]), [0, 2]);
    expect(step.options).toEqual({ bias: { 0: -1, 1: 2 } });
    expect([Object.isFrozen(step.options), Object.isFrozen(step.options.bias)]).toEqual([true, true]);
    expect(new LogitBias(JSON.parse(JSON.stringify(step.options))).options).toEqual(step.options);
  });

  agreesWithPlainArrays((random, V) => {
    const beyond = random.below(12) === 0 ? 1 : 0;
    const values = () => [random.uniform() * 8 - 4, -0, 0, 1e308, 5e-324, -1e300][random.below(random.below(3) + 1)];
    const entries = Array.from(
      { length: random.below(6) },
      () => [random.below(V + beyond), values() as number] as const,
    );
    const bias = new Map(entries);
    return {
      step: new LogitBias({ bias: random.below(2) === 0 ? bias : Object.fromEntries(bias) }),
      rule: (l) => {
        const biased = l.map((x, id) => (bias.has(id) ? x + (bias.get(id) as number) : x));
        const outside = [...bias.keys()].some((id) => id >= V);
        return outside || biased.some((x, id) => !Number.isFinite(x) && (l[id] as number) > M) ? undefined : biased;
      },
    };
  });

  it.each([
    { l: 1e308, b: 1e308, why: 'to Infinity' },
    { l: -1e308, b: -1e308, why: 'to -Infinity' },
  ])('refuses a logit that overflows $why, and changes none', ({ l, b }) => {
    const set = new CandidateSet();
    set.load([0, l]);
    expect(() => new LogitBias({ bias: { 0: 1, 1: b } }).process(set)).toRefuse(
      `LogitBias: \`bias.1\` must be small enough that no logit overflows, got ${show(b)}`,
    );
    expectSameBits(set.toLogits(), [0, l]);
    expectSameBits(logitsAfter(new LogitBias({ bias: { 0: 1, 1: -b } }), [0, l]), [1, 0]);
  });

  it.each([4, 7])('refuses the id %i, which is not below V = 4, and changes no logit', (id) => {
    expectUnchanged(
      new LogitBias({ bias: { 0: 1, [id]: -100 } }),
      [0, 0, 0, 0],
      `LogitBias: \`bias.${id}\` must be absent (the ids are those in [0, 4)), got -100`,
    );
  });

  it.each([
    { bias: { '-1': 5 }, message: '`bias.-1` must be absent (the keys are ids, integers >= 0), got 5' },
    { bias: { 1.5: 1 }, message: '`bias.1.5` must be absent (the keys are ids, integers >= 0), got 1' },
    { bias: { '01': 1 }, message: '`bias.01` must be absent (the keys are ids, integers >= 0), got 1' },
    { bias: { x: 1 }, message: '`bias.x` must be absent (the keys are ids, integers >= 0), got 1' },
    { bias: { '': 1 }, message: '`bias.` must be absent (the keys are ids, integers >= 0), got 1' },
    { bias: { ' 1': 1 }, message: '`bias. 1` must be absent (the keys are ids, integers >= 0), got 1' },
    { bias: { '1e3': 1 }, message: '`bias.1e3` must be absent (the keys are ids, integers >= 0), got 1' },
    {
      bias: { '9007199254740993': 1 },
      message: '`bias.9007199254740993` must be absent (the keys are ids, integers >= 0), got 1',
    },
    {
      bias: JSON.parse('{"__proto__": 1}'),
      message: '`bias.__proto__` must be absent (the keys are ids, integers >= 0), got 1',
    },
    { bias: new Map([[-1, 5]]), message: '`bias.-1` must be absent (the keys are ids, integers >= 0), got 5' },
    {
      bias: new Map([[Number.NaN, 5]]),
      message: '`bias.NaN` must be absent (the keys are ids, integers >= 0), got 5',
    },
    { bias: new Map([[1n, 5]]), message: '`bias` must be keyed by ids, got 1n' },
    {
      bias: new Map<unknown, number>([[1, 5]]).set('1', 6),
      message: '`bias.1` must be there once, as a number or as a string, got 5',
    },
    { bias: { 1: Number.NaN }, message: '`bias.1` must be a finite number, got NaN' },
    { bias: { 1: -Infinity }, message: '`bias.1` must be a finite number, got -Infinity' },
    { bias: { 1: '2' }, message: '`bias.1` must be a finite number, got "2"' },
    { bias: { 1: null }, message: '`bias.1` must be a finite number, got null' },
    { bias: new Map([[3, Infinity]]), message: '`bias.3` must be a finite number, got Infinity' },
    { bias: [1, 2], message: '`bias` must be an object or a Map from ids to finite numbers, got [1, 2]' },
    { bias: null, message: '`bias` must be an object or a Map from ids to finite numbers, got null' },
    { bias: undefined, message: '`bias` must be an object or a Map from ids to finite numbers, got undefined' },
    { bias: 5, message: '`bias` must be an object or a Map from ids to finite numbers, got 5' },
    {
      bias: new Set([1]),
      message: '`bias` must be an object or a Map from ids to finite numbers, got a Set',
    },
  ])('refuses $bias', ({ bias, message }) => {
    expect(() => new LogitBias({ bias } as never)).toRefuse(`LogitBias: ${message}`);
  });

  it('leaves the map that was given alone, and does not see it change', () => {
    const bias = new Map([[1, 2]]);
    const step = new LogitBias({ bias });
    bias.set(0, 9);
    expectSameBits(logitsAfter(step, [1, 0]), [1, 2]);
    expect(bias.size).toBe(2);
  });

  it('is part of chains as data and of saved requests, whatever form it came in', () => {
    const data = [{ use: 'logit-bias', bias: new Map([[2, 50]]) }, { use: 'logprobs' }];
    const sampler = createSampler({ seed: 1 }, { chain: data });
    expect(sampler.sample([0, 0, 0]).id).toBe(2);
    const state = JSON.parse(JSON.stringify(saveSampler(sampler)));
    expect(state.chain[0]).toEqual({ use: 'logit-bias', bias: { 2: 50 } });
    expect(restoreSampler(state).sample([0, 0, 0])).toEqual(sampler.sample([0, 0, 0]));
    expect(createChain(createChain(data).toData()).toData()).toEqual(createChain(data).toData());
  });
});
