import { describe, expect, it } from 'vitest';
import { AllowedTokens, createChain, createSampler, SpecChain } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds, without } from './plain-masks.js';

const M = -Infinity;

describe('AllowedTokens', () => {
  it.each([
    { ids: [1, 3], after: [M, 2, M, 4], why: 'the listed ids stay' },
    { ids: [3, 1, 1], after: [M, 2, M, 4], why: 'order and number do not matter' },
    { ids: [0, 1, 2, 3], after: [1, 2, 3, 4], why: 'all may be listed' },
    { ids: [2], after: [M, M, 3, M], why: 'one is enough' },
  ])('$ids of [1, 2, 3, 4] leave $after: $why', ({ ids, after: expected }) => {
    expectSameBits(logitsAfter(new AllowedTokens({ ids }), [1, 2, 3, 4]), expected);
  });

  it('keeps what is masked masked', () => {
    expectSameBits(logitsAfter(new AllowedTokens({ ids: [0, 1] }), [M, 2, 3]), [M, 2, M]);
  });

  agreesWithPlainArrays((random, V) => {
    const ids = randomIds(random, V, 20, 1);
    return {
      step: new AllowedTokens({ ids }),
      rule: (l) =>
        ids.some((id) => id >= V)
          ? undefined
          : without(
              l,
              l.map((_, id) => id).filter((id) => !ids.includes(id)),
            ),
    };
  });

  it('refuses to leave nothing, and changes nothing', () => {
    expectUnchanged(
      new AllowedTokens({ ids: [1, 2] }),
      [0, M, M],
      'AllowedTokens: `ids` must be such that at least one of the kept ids remains, got [1, 2]',
    );
  });

  it('refuses an id that is not below V, at every V anew', () => {
    const step = new AllowedTokens({ ids: [1, 3] });
    expectSameBits(logitsAfter(step, [0, 0, 0, 0]), [M, 0, M, 0]);
    expectUnchanged(step, [0, 0, 0], 'AllowedTokens: `ids[1]` must be an integer in [0, 3), got 3');
    expectSameBits(logitsAfter(step, [0, 0, 0, 0, 0]), [M, 0, M, 0, M]);
  });

  it.each([
    { ids: [], message: '`ids` must be a non-empty array of ids, got []' },
    { ids: undefined, message: '`ids` must be a non-empty array of ids, got undefined' },
    { ids: 3, message: '`ids` must be a non-empty array of ids, got 3' },
    { ids: [1, -1], message: '`ids[1]` must be an integer >= 0, got -1' },
    { ids: [0.5], message: '`ids[0]` must be an integer >= 0, got 0.5' },
    { ids: ['1'], message: '`ids[0]` must be an integer >= 0, got "1"' },
  ])('refuses the ids $ids', ({ ids, message }) => {
    expect(() => new AllowedTokens({ ids } as never)).toRefuse(`AllowedTokens: ${message}`);
  });

  it('has frozen options of its own, and is part of chains as data', () => {
    const ids = [2, 1];
    const step = new AllowedTokens({ ids });
    ids.push(0);
    expect(step.options).toEqual({ ids: [2, 1] });
    expect([Object.isFrozen(step.options), Object.isFrozen(step.options.ids)]).toEqual([true, true]);
    const data = [{ use: 'allowed-tokens', ids: [2, 1] }, { use: 'logprobs' }];
    expect(createChain(JSON.parse(JSON.stringify(createChain(data).toData()))).toData()).toEqual(data);
  });

  it('in front of the spec chain renormalizes the logprobs', () => {
    const sampler = createSampler({ temperature: 0 }, { before: [new AllowedTokens({ ids: [0] })] });
    expect(sampler.sample([1, 9])).toEqual({ id: 0, logprob: 0 });
    expect(new SpecChain({}, { before: [new AllowedTokens({ ids: [0] })] }).tap).toBe(3);
  });
});
