import { describe, expect, it } from 'vitest';
import { TopK } from '../../processors/index.js';
import { apply, kept } from './step.js';

const M = -Infinity;

describe('TopK', () => {
  it.each([
    { k: 1, ids: [3], why: 'the most likely' },
    { k: 2, ids: [0, 3], why: 'and the next' },
    { k: 3, ids: [0, 2, 3], why: 'and the next, ascending' },
    { k: 4, ids: [0, 2, 3, 4], why: 'all that are not masked' },
    { k: 5, ids: [0, 2, 3, 4], why: 'one more than there are' },
    { k: 1e300, ids: [0, 2, 3, 4], why: 'many more than there are' },
    { k: 0, ids: [0, 2, 3, 4], why: 'off' },
  ])('k = $k keeps $ids: $why', ({ k, ids }) => {
    expect(kept(apply(new TopK({ k }), [3, M, 2, 9, -1]))).toEqual(ids);
  });

  it.each([
    { k: 1, ids: [1] },
    { k: 2, ids: [1, 2] },
    { k: 3, ids: [1, 2, 4] },
    { k: 4, ids: [0, 1, 2, 4] },
  ])('gives ties at the cut to the lowest ids: k = $k keeps $ids', ({ k, ids }) => {
    expect(kept(apply(new TopK({ k }), [1, 2, 2, 1, 2]))).toEqual(ids);
  });

  it('is off at 0 and active from 1 on', () => {
    expect([0, 1, 2].map((k) => new TopK({ k }).active)).toEqual([false, true, true]);
  });
});
