import { describe, expect, it } from 'vitest';
import { BannedTokens, createChain } from '../../../src/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds, without } from './plain-masks.js';

const M = -Infinity;

describe('BannedTokens', () => {
  it.each([
    { ids: [1, 3], after: [1, M, 3, M], why: 'the listed ids go' },
    { ids: [3, 1, 1], after: [1, M, 3, M], why: 'order and number do not matter' },
    { ids: [0, 1, 2], after: [M, M, M, 4], why: 'one is left' },
    { ids: [], after: [1, 2, 3, 4], why: 'none is off' },
  ])('$ids of [1, 2, 3, 4] leave $after: $why', ({ ids, after: expected }) => {
    const step = new BannedTokens({ ids });
    expectSameBits(logitsAfter(step, [1, 2, 3, 4]), expected);
    expect(step.active).toBe(ids.length > 0);
  });

  agreesWithPlainArrays((random, V) => {
    const ids = randomIds(random, V, 12);
    return {
      step: new BannedTokens({ ids }),
      rule: (l) => (ids.some((id) => id >= V) ? undefined : without(l, ids)),
    };
  });

  it('refuses to leave nothing, and changes nothing', () => {
    expectUnchanged(
      new BannedTokens({ ids: [0, 2] }),
      [0, M, 1],
      'BannedTokens: `ids` must be such that at least one of the kept ids remains, got [0, 2]',
    );
  });

  it('refuses an id that is not below V', () => {
    expectUnchanged(
      new BannedTokens({ ids: [9] }),
      [0, 0],
      'BannedTokens: `ids[0]` must be an integer in [0, 2), got 9',
    );
  });

  it.each([
    { ids: undefined, message: '`ids` must be an array of ids, got undefined' },
    { ids: new Set([1]), message: '`ids` must be an array of ids, got a Set' },
    { ids: [1, Number.NaN], message: '`ids[1]` must be an integer >= 0, got NaN' },
  ])('refuses the ids $ids', ({ ids, message }) => {
    expect(() => new BannedTokens({ ids } as never)).toRefuse(`BannedTokens: ${message}`);
  });

  it('has frozen options, and is part of chains as data', () => {
    expect(Object.isFrozen(new BannedTokens({ ids: [1] }).options.ids)).toBe(true);
    const data = [{ use: 'banned-tokens', ids: [2, 1] }, { use: 'logprobs' }];
    expect(createChain(JSON.parse(JSON.stringify(createChain(data).toData()))).toData()).toEqual(data);
  });
});
