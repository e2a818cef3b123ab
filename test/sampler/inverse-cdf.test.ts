import { describe, expect, it } from 'vitest';
import { CandidateSet, inverseCdf } from '../../src/core.js';
import { nextDown } from '../support/bits.js';

describe('inverseCdf', () => {
  it.each([
    { logits: [0, 0, 0, 0], u: 0, id: 0, why: 'the first interval begins at 0' },
    { logits: [0, 0, 0, 0], u: nextDown(0.25), id: 0, why: 'just below its end' },
    { logits: [0, 0, 0, 0], u: 0.25, id: 1, why: 'its end belongs to the next' },
    { logits: [0, 0, 0, 0], u: nextDown(1), id: 3, why: 'the last' },
    { logits: [-Infinity, 0, -Infinity, 0], u: 0, id: 1, why: 'masked ids have no interval' },
    { logits: [-800, 0, 0, -800], u: 0, id: 1, why: 'nor have those with q = 0' },
    {
      logits: [...Array(10).fill(0), -800, -800],
      u: nextDown(1),
      id: 9,
      why: 'rounding leaves c at u: the largest with q > 0',
    },
  ])('maps $u to id $id: $why', ({ logits, u, id }) => {
    const set = new CandidateSet();
    set.load(logits);
    expect(inverseCdf(set, u)).toBe(id);
  });
});
