import { describe, expect, it } from 'vitest';
import { createChain, createSampler, ForcedEnd, MinTokens } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, without } from './plain-masks.js';

const M = -Infinity;

describe('ForcedEnd', () => {
  it.each([
    { max_tokens: 3, output: [0], after: [1, 2, 3], why: 'there is room for two' },
    { max_tokens: 3, output: [0, 0], after: [M, 2, M], why: 'there is room for one' },
    { max_tokens: 3, output: [0, 0, 0], after: [M, 2, M], why: 'there is none left' },
    { max_tokens: 1, output: [], after: [M, 2, M], why: 'the first token is the last' },
    { max_tokens: 2, output: [], after: [1, 2, 3], why: 'the second token is the last' },
  ])('max_tokens $max_tokens after $output leaves $after: $why', ({ max_tokens, output, after: expected }) => {
    const context = { output, prompt: [0, 0, 0, 0] };
    expectSameBits(logitsAfter(new ForcedEnd({ max_tokens, end_id: 1 }), [1, 2, 3], context), expected);
  });

  agreesWithPlainArrays((random, V) => {
    const end_id = random.below(V + (random.below(12) === 0 ? 1 : 0));
    const max_tokens = 1 + random.below(8);
    return {
      step: new ForcedEnd({ max_tokens, end_id }),
      rule: (l, { output }) => {
        if (end_id >= V) return undefined;
        const others = l.map((_, id) => id).filter((id) => id !== end_id);
        return output.length >= max_tokens - 1 ? without(l, others) : [...l];
      },
    };
  });

  it('refuses an end id that was removed before, and changes nothing', () => {
    expectUnchanged(
      new ForcedEnd({ max_tokens: 1, end_id: 1 }),
      [0, M, 0],
      'ForcedEnd: `end_id` must be one of the kept ids when max_tokens is reached, got 1',
    );
    const before = [new MinTokens({ min_tokens: 2, end_ids: [1] }), new ForcedEnd({ max_tokens: 1, end_id: 1 })];
    expect(() => createSampler({}, { before }).sample([0, 0, 0])).toRefuse(
      'ForcedEnd (step 2 of 8): `end_id` must be one of the kept ids when max_tokens is reached, got 1',
    );
  });

  it('refuses an end id that is not below V from the first token on', () => {
    const message = 'ForcedEnd: `end_id` must be an integer in [0, 2), got 2';
    expectUnchanged(new ForcedEnd({ max_tokens: 9, end_id: 2 }), [0, 0], message);
  });

  it('takes the uniform of its token, and gives the logprob 0', () => {
    const sampler = createSampler({ seed: 3 }, { before: [new ForcedEnd({ max_tokens: 3, end_id: 1 })] });
    const tokens = [0, 1, 2].map(() => sampler.sample([9, 0, 9, 9]));
    expect(tokens[2]).toEqual({ id: 1, logprob: 0 });
    expect(sampler.draws).toBe(3);
  });

  it.each([
    { options: { max_tokens: 0, end_id: 1 }, message: '`max_tokens` must be an integer >= 1, got 0' },
    { options: { max_tokens: 1, end_id: -1 }, message: '`end_id` must be an integer >= 0, got -1' },
    { options: { max_tokens: 1 }, message: '`end_id` must be an integer >= 0, got undefined' },
    { options: { end_id: 1 }, message: '`max_tokens` must be an integer >= 1, got undefined' },
  ])('refuses $options', ({ options, message }) => {
    expect(() => new ForcedEnd(options as never)).toRefuse(`ForcedEnd: ${message}`);
  });

  it('is part of chains as data', () => {
    const data = [{ use: 'forced-end', max_tokens: 3, end_id: 2 }, { use: 'logprobs' }];
    expect(createChain(JSON.parse(JSON.stringify(createChain(data).toData()))).toData()).toEqual(data);
  });
});
