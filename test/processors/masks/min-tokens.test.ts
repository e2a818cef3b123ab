import { describe, expect, it } from 'vitest';
import { createChain, MinTokens } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds, without } from './plain-masks.js';

const M = -Infinity;

describe('MinTokens', () => {
  it.each([
    { min_tokens: 2, output: [], after: [1, M, M, 4], why: 'nothing generated' },
    { min_tokens: 2, output: [0], after: [1, M, M, 4], why: 'one too few' },
    { min_tokens: 2, output: [0, 3], after: [1, 2, 3, 4], why: 'enough' },
    { min_tokens: 2, output: [0, 0, 0], after: [1, 2, 3, 4], why: 'more than enough' },
    { min_tokens: 0, output: [], after: [1, 2, 3, 4], why: 'off' },
  ])('min_tokens $min_tokens after $output leaves $after: $why', ({ min_tokens, output, after: expected }) => {
    const step = new MinTokens({ min_tokens, end_ids: [1, 2] });
    expectSameBits(logitsAfter(step, [1, 2, 3, 4], { output, prompt: [1, 1, 1, 1, 1] }), expected);
    expect(step.active).toBe(min_tokens > 0);
  });

  agreesWithPlainArrays((random, V) => {
    const end_ids = randomIds(random, V, 3, 1);
    const min_tokens = random.below(8);
    return {
      step: new MinTokens({ min_tokens, end_ids }),
      rule: (l, { output }) => {
        if (min_tokens > 0 && end_ids.some((id) => id >= V)) return undefined;
        return output.length < min_tokens ? without(l, end_ids) : [...l];
      },
    };
  });

  it('refuses where only end ids are left, and changes nothing', () => {
    expectUnchanged(
      new MinTokens({ min_tokens: 1, end_ids: [2, 0, 2] }),
      [0, M, 0],
      'MinTokens: `end_ids` must be such that at least one of the kept ids remains, got [2, 0, 2]',
    );
  });

  it('refuses an end id that is not below V, also when enough was generated', () => {
    const message = 'MinTokens: `end_ids[1]` must be an integer in [0, 2), got 2';
    for (const output of [[], [0], [0, 0]]) {
      expectUnchanged(new MinTokens({ min_tokens: 1, end_ids: [1, 2] }), [0, 0], message, { output });
    }
  });

  it.each([
    { options: { min_tokens: 1, end_ids: [] }, message: '`end_ids` must be a non-empty array of ids, got []' },
    { options: { min_tokens: -1, end_ids: [1] }, message: '`min_tokens` must be an integer >= 0, got -1' },
    { options: { min_tokens: 1.5, end_ids: [1] }, message: '`min_tokens` must be an integer >= 0, got 1.5' },
    { options: { min_tokens: 1, end_ids: [-2] }, message: '`end_ids[0]` must be an integer >= 0, got -2' },
    { options: { min_tokens: 1 }, message: '`end_ids` must be a non-empty array of ids, got undefined' },
  ])('refuses $options', ({ options, message }) => {
    expect(() => new MinTokens(options as never)).toRefuse(`MinTokens: ${message}`);
  });

  it('is part of chains as data', () => {
    const data = [{ use: 'min-tokens', min_tokens: 3, end_ids: [2] }, { use: 'logprobs' }];
    expect(createChain(JSON.parse(JSON.stringify(createChain(data).toData()))).toData()).toEqual(data);
  });
});
