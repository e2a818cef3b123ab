import { describe, expect, it } from 'vitest';
import { ForcedBegin } from '../../../processors/index.js';
import { createSampler } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, without } from './plain-masks.js';

const M = -Infinity;

describe('ForcedBegin', () => {
  it.each([
    { prompt: [], output: [], after: [M, 2, M], why: 'the first token' },
    { prompt: [0, 2], output: [], after: [M, 2, M], why: 'the prompt does not count' },
    { prompt: [], output: [0], after: [1, 2, 3], why: 'the second token' },
  ])('after $prompt and $output gives $after: $why', ({ prompt, output, after }) => {
    expectSameBits(logitsAfter(new ForcedBegin({ begin_id: 1 }), [1, 2, 3], { prompt, output }), after);
  });

  agreesWithPlainArrays((random, V) => {
    const begin_id = random.below(V + 1);
    return {
      step: new ForcedBegin({ begin_id }),
      rule: (l, { output }) => {
        const others = l.map((_, id) => id).filter((id) => id !== begin_id);
        if (begin_id >= V) return undefined;
        return output.length === 0 ? without(l, others) : [...l];
      },
    };
  });

  it('takes its uniform like any other token, and has the logprob 0', () => {
    const sampler = createSampler({ seed: 1 }, { before: [new ForcedBegin({ begin_id: 2 })] });
    expect(sampler.sample([5, 1, -3])).toMatchObject({ id: 2, logprob: 0 });
    expect(sampler.draws).toBe(1);
  });

  it('refuses an id that was removed before, one that is not below V, and what is no id', () => {
    const gone = 'ForcedBegin: `begin_id` must be one of the kept ids at the first token, got 1';
    expectUnchanged(new ForcedBegin({ begin_id: 1 }), [0, M, 0], gone);
    const beyond = 'ForcedBegin: `begin_id` must be an integer in [0, 3), got 3';
    expectUnchanged(new ForcedBegin({ begin_id: 3 }), [0, 0, 0], beyond, { output: [0] });
    const message = 'ForcedBegin: `begin_id` must be an integer >= 0, got 0.5';
    expect(() => new ForcedBegin({ begin_id: 0.5 })).toRefuse(message);
  });
});
