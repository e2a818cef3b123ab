import { describe, expect, it } from 'vitest';
import { RepetitionPenalty } from '../../processors/index.js';
import { expectSameBits } from '../support/bits.js';
import { apply } from './step.js';

const M = -Infinity;

describe('RepetitionPenalty', () => {
  it.each([
    { penalty: 2, l: 4, after: 2, why: 'a positive logit is divided' },
    { penalty: 2, l: 5e-324, after: 0, why: 'the least positive logit is divided (and rounds to 0)' },
    { penalty: 2, l: 0, after: 0, why: 'zero is multiplied' },
    { penalty: 2, l: -0, after: -0, why: 'minus zero is multiplied, and keeps its sign' },
    { penalty: 2, l: -5e-324, after: -1e-323, why: 'the least negative logit is multiplied' },
    { penalty: 2, l: -4, after: -8, why: 'a negative logit is multiplied' },
    { penalty: 0.5, l: 4, after: 8, why: 'r < 1 raises a positive logit' },
    { penalty: 0.5, l: -4, after: -2, why: 'r < 1 raises a negative logit' },
    { penalty: 2, l: M, after: M, why: 'a masked id stays masked' },
    { penalty: 1e308, l: -1e308, after: M, why: 'what sinks to -Infinity leaves K' },
  ])('r = $penalty turns $l into $after: $why', ({ penalty, l, after }) => {
    expectSameBits(apply(new RepetitionPenalty({ penalty }), [l, 1], { history: [0] }).toLogits(), [after, 1]);
  });

  it.each([
    { prompt: [0, 2], history: [], after: [2, 4, 2, 4], why: 'the prompt counts' },
    { prompt: [], history: [0, 2], after: [2, 4, 2, 4], why: 'the output counts' },
    { prompt: [0, 0], history: [0, 0], after: [2, 4, 4, 4], why: 'once, however often it occurred' },
    { prompt: [3], history: [1], after: [4, 2, 4, 2], why: 'both count' },
    { prompt: [], history: [], after: [4, 4, 4, 4], why: 'nothing occurred' },
  ])('$why', ({ prompt, history, after }) => {
    expectSameBits(apply(new RepetitionPenalty({ penalty: 2 }), [4, 4, 4, 4], { prompt, history }).toLogits(), after);
  });

  it.each([
    { penalty: 1, active: false },
    { penalty: 1 + 2 ** -52, active: true },
    { penalty: 1 - 2 ** -53, active: true },
  ])('is active unless r is 1: $penalty', ({ penalty, active }) => {
    expect(new RepetitionPenalty({ penalty }).active).toBe(active);
  });

  it('refuses an r so small that a logit overflows, and only then', () => {
    expect(() => apply(new RepetitionPenalty({ penalty: 1e-300 }), [1e10, 0], { history: [0] })).toRefuse(
      'RepetitionPenalty: `penalty` must be large enough that no logit overflows, got 1e-300',
    );
    expect(apply(new RepetitionPenalty({ penalty: 1e-300 }), [1e8, 1e10], { history: [0] }).logit(0)).toBe(
      1e8 / 1e-300,
    );
    expect(apply(new RepetitionPenalty({ penalty: 1e-300 }), [-1e10, 0], { history: [0] }).logit(0)).toBe(-1e-290);
  });

  it('passes over an id that a step before removed', () => {
    expectSameBits(apply(new RepetitionPenalty({ penalty: 2 }), [M, 4], { prompt: [0, 1] }).toLogits(), [M, 2]);
  });
});
