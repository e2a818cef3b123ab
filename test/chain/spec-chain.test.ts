import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../processors/index.js';
import { makeProcessor } from '../../src/chain/registry.js';
import { CandidateSet, TokenHistory } from '../../src/core.js';
import { ProcessorChain, SPEC_ORDER, SpecChain, TopK } from '../../src/index.js';
import { exactNumerics } from '../../src/numerics/index.js';
import { applyPenalties, processLogits, tokenLogprobs, validate } from '../../src/spec.js';
import { expectSameBits } from '../support/bits.js';
import { NAMES, note } from '../support/steps.js';

const ORDER = ['repetition-penalty', 'presence-frequency', 'temperature', 'top-k', 'top-p', 'min-p'];
const params = {
  temperature: 0.8,
  top_k: 12,
  top_p: 0.85,
  min_p: 0.05,
  repetition_penalty: 1.2,
  presence_penalty: 0.3,
  frequency_penalty: 0.1,
};

function noDraw(): number {
  throw new Error('nothing is to be drawn here');
}

describe('SpecChain', () => {
  it('holds the six in the mandated order, with logprobs after the penalties', () => {
    const chain = new SpecChain(params);
    expect(SPEC_ORDER).toEqual(ORDER);
    expect(Object.isFrozen(SPEC_ORDER)).toBe(true);
    expect(chain).toBeInstanceOf(ProcessorChain);
    expect(chain.toData()).toEqual([
      { use: 'repetition-penalty', penalty: 1.2 },
      { use: 'presence-frequency', presence: 0.3, frequency: 0.1 },
      { use: 'logprobs' },
      { use: 'temperature', temperature: 0.8 },
      { use: 'top-k', k: 12 },
      { use: 'top-p', p: 0.85 },
      { use: 'min-p', m: 0.05 },
    ]);
  });

  it('keeps its parameters, checked and complete', () => {
    expect(new SpecChain({ top_k: 3 }).params).toEqual(validate({ top_k: 3 }));
    const checked = validate(params);
    expect(new SpecChain(checked).params).toBe(checked);
    expect(() => new SpecChain({ top_k: -3 })).toRefuse('SamplingParams: `top_k` must be an integer >= 0, got -3');
  });

  it('skips every step whose parameter is off', () => {
    const ran: string[] = [];
    const set = new CandidateSet();
    set.load([1, 2, 3]);
    new SpecChain({}).process(
      set,
      { history: new TokenHistory([0], [1]), numerics: exactNumerics, uniform: noDraw },
      (_, { name }) => {
        ran.push(name);
      },
    );
    expect(ran).toEqual([]);
    expect(new SpecChain({}).steps.map((step) => step.active)).toEqual(Array(6).fill(false));
    expect(new SpecChain(params).steps.map((step) => step.active)).toEqual(Array(6).fill(true));
  });

  it('declares no draws', () => {
    expect(new SpecChain(params).draws).toBe(0);
  });

  it('accepts the mandated order when it is asked for', () => {
    expect(new SpecChain(params, { order: ORDER }).steps.map((step) => step.name)).toEqual(ORDER);
  });

  it.each([
    { order: [...ORDER].reverse(), why: 'reversed' },
    { order: ['temperature', ...ORDER.filter((name) => name !== 'temperature')], why: 'temperature first' },
    { order: ORDER.slice(0, 5), why: 'one left out' },
    { order: [...ORDER, 'top-k'], why: 'one more' },
    { order: [], why: 'none' },
  ])('refuses another order and names ProcessorChain: $why', ({ order }) => {
    expect(() => new SpecChain(params, { order })).toThrow(
      `SpecChain: \`order\` must be ${ORDER.join(', ')} (ProcessorChain takes any order), got [`,
    );
  });

  it('refuses an order that is none', () => {
    expect(() => new SpecChain(params, { order: 'spec' as never })).toRefuse(
      `SpecChain: \`order\` must be ${ORDER.join(', ')} (ProcessorChain takes any order), got "spec"`,
    );
  });

  describe('before', () => {
    const mask: LogitsProcessor = {
      name: 'no-zero',
      stage: 'scores',
      process: (candidates) => candidates.setLogit(0, -Infinity),
    };

    it('runs masks on the raw logits, and logprobs are of what they allow', () => {
      const chain = new SpecChain(params, { before: [mask] });
      expect(chain.tap).toBe(3);
      expect(chain.steps.map((step) => step.name)).toEqual(['no-zero', ...ORDER]);
      const set = new CandidateSet();
      set.load([9, 2, 3, 1]);
      const scores = chain.process(set, {
        history: new TokenHistory([0], [1]),
        numerics: exactNumerics,
        uniform: noDraw,
      });
      const masked = [-Infinity, 2, 3, 1];
      expectSameBits(set.toLogits(), processLogits(masked, params, [1], [0]));
      expectSameBits(
        [0, 1, 2, 3].map((id) => scores.logprob(id)),
        tokenLogprobs(masked, params, [1], [0]),
      );
    });

    it('stops at the scores where `score` is asked', () => {
      const set = new CandidateSet();
      set.load([9, 2, 3, 1]);
      new SpecChain(params, { before: [mask] }).score(set, {
        history: new TokenHistory([], [1]),
        numerics: exactNumerics,
        uniform: noDraw,
      });
      expectSameBits(set.toLogits(), applyPenalties([-Infinity, 2, 3, 1], params, [1]));
    });

    it.each([
      [new TopK({ k: 2 }), '"top-k"'],
      [note('plain', []), '"plain"'],
      [undefined, 'undefined'],
      [{}, '{}'],
    ])('refuses a step of policy: %o', (step, shown) => {
      expect(() => new SpecChain(params, { before: [mask, step as never] })).toRefuse(
        `SpecChain: \`before[1]\` must be a processor of stage \`scores\` (ProcessorChain takes any), got ${shown}`,
      );
    });
  });

  it('takes the six from a maker', () => {
    const made: [string, object][] = [];
    const chain = new SpecChain(params, {
      make: (name, options) => {
        made.push([name, options]);
        return makeProcessor(name, options);
      },
    });
    expect(made).toEqual([
      ['repetition-penalty', { penalty: 1.2 }],
      ['presence-frequency', { presence: 0.3, frequency: 0.1 }],
      ['temperature', { temperature: 0.8 }],
      ['top-k', { k: 12 }],
      ['top-p', { p: 0.85 }],
      ['min-p', { m: 0.05 }],
    ]);
    expect(chain.toData()).toEqual(new SpecChain(params).toData());
  });
});

describe('makeProcessor', () => {
  it('refuses a name that no processor has, and says which there are', () => {
    expect(() => makeProcessor('top-x', {})).toRefuse(
      `ProcessorChain: \`use\` must be one of ${NAMES.join(', ')}, got "top-x"`,
    );
  });
});
