import { describe, expect, it } from 'vitest';
import { createChain, SuppressAtBegin } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds, without } from './plain-masks.js';

const M = -Infinity;

describe('SuppressAtBegin', () => {
  it.each([
    { ids: [1, 2], prompt: [], output: [], after: [1, M, M], why: 'nothing generated' },
    { ids: [1, 2], prompt: [1, 1], output: [], after: [1, M, M], why: 'the prompt does not count' },
    { ids: [1, 2], prompt: [], output: [0], after: [1, 2, 3], why: 'one was generated' },
    { ids: [], prompt: [], output: [], after: [1, 2, 3], why: 'off' },
  ])('$ids after $prompt and $output leaves $after: $why', ({ ids, prompt, output, after: expected }) => {
    const step = new SuppressAtBegin({ ids });
    expectSameBits(logitsAfter(step, [1, 2, 3], { prompt, output }), expected);
    expect(step.active).toBe(ids.length > 0);
  });

  agreesWithPlainArrays((random, V) => {
    const ids = randomIds(random, V, 5);
    return {
      step: new SuppressAtBegin({ ids }),
      rule: (l, { output }) => {
        if (ids.some((id) => id >= V)) return undefined;
        return output.length === 0 ? without(l, ids) : [...l];
      },
    };
  });

  it('refuses where nothing would be left, and changes nothing', () => {
    expectUnchanged(
      new SuppressAtBegin({ ids: [0, 2] }),
      [0, M, 0],
      'SuppressAtBegin: `ids` must be such that at least one of the kept ids remains, got [0, 2]',
    );
  });

  it('refuses an id that is not below V, also when something was generated', () => {
    const message = 'SuppressAtBegin: `ids[0]` must be an integer in [0, 2), got 2';
    for (const output of [[], [0]]) expectUnchanged(new SuppressAtBegin({ ids: [2] }), [0, 0], message, { output });
  });

  it('refuses what are no ids', () => {
    expect(() => new SuppressAtBegin({ ids: [1.5] })).toRefuse(
      'SuppressAtBegin: `ids[0]` must be an integer >= 0, got 1.5',
    );
  });

  it('is part of chains as data', () => {
    const data = [{ use: 'suppress-at-begin', ids: [3] }, { use: 'logprobs' }];
    expect(createChain(JSON.parse(JSON.stringify(createChain(data).toData()))).toData()).toEqual(data);
  });
});
