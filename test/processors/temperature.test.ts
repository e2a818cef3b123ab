import { describe, expect, it } from 'vitest';
import { Temperature } from '../../processors/index.js';
import { expectSameBits } from '../support/bits.js';
import { apply, kept } from './step.js';

const M = -Infinity;

describe('Temperature', () => {
  it.each([
    { temperature: 2, after: [2, -1, M], why: 'flattens above 1' },
    { temperature: 0.5, after: [8, -4, M], why: 'sharpens below 1' },
    { temperature: 1, after: [4, -2, M], why: 'is off at 1' },
    { temperature: 3, after: [4 / 3, -2 / 3, M], why: 'divides' },
    { temperature: 1e300, after: [4 / 1e300, -2 / 1e300, M], why: 'may be large' },
    { temperature: 1e-300, after: [4 / 1e-300, -2 / 1e-300, M], why: 'may be small' },
  ])('T = $temperature $why', ({ temperature, after }) => {
    expectSameBits(apply(new Temperature({ temperature }), [4, -2, M]).toLogits(), after);
  });

  it.each([
    { logits: [1, 3, 2], id: 1, why: 'the largest' },
    { logits: [3, 3, 2], id: 0, why: 'the lowest of equal ones' },
    { logits: [M, -9, -9], id: 1, why: 'the lowest that is not masked' },
    { logits: [-0, 0], id: 0, why: '-0 and 0 are equal' },
  ])('T = 0 settles the token: $why', ({ logits, id }) => {
    for (const temperature of [0, -0]) {
      const set = apply(new Temperature({ temperature }), logits);
      expect(set.settled).toBe(id);
      expect(kept(set)).toEqual([id]);
      expect(set.logit(id)).toBe(logits[id]);
    }
  });

  it('does not settle it at the smallest T above 0', () => {
    const set = apply(new Temperature({ temperature: 5e-324 }), [0, 0]);
    expect(set.settled).toBeUndefined();
    expect(set.size).toBe(2);
  });

  it.each([
    { temperature: 1, active: false },
    { temperature: 1 + 2 ** -52, active: true },
    { temperature: 1 - 2 ** -53, active: true },
    { temperature: 0, active: true },
  ])('is active unless T is 1: $temperature', ({ temperature, active }) => {
    expect(new Temperature({ temperature }).active).toBe(active);
  });

  it.each([
    { logits: [4, 1], temperature: 1e-308, why: 'the largest overflows' },
    { logits: [-4, -5], temperature: 1e-308, why: 'all sink to -Infinity' },
    { logits: [5e-324, 0], temperature: 5e-324, why: '' },
  ])('refuses T = $temperature where $why', ({ logits, temperature, why }) => {
    const step = new Temperature({ temperature });
    if (why === '') expect(apply(step, logits).logit(0)).toBe(1);
    else {
      expect(() => apply(step, logits)).toRefuse(
        'Temperature: `temperature` must be large enough that no logit overflows, got 1e-308',
      );
    }
  });

  it('lets go of what sinks to -Infinity', () => {
    const set = apply(new Temperature({ temperature: 1e-308 }), [1, -4, 0]);
    expectSameBits(set.toLogits(), [1e308, M, 0]);
    expect(kept(set)).toEqual([0, 2]);
  });
});
