import { describe, expect, it } from 'vitest';
import { PresenceFrequency } from '../../processors/index.js';
import { expectSameBits } from '../support/bits.js';
import { apply } from './step.js';

const M = -Infinity;

describe('PresenceFrequency', () => {
  it.each([
    { options: { presence: 0.5, frequency: 0.25 }, history: [], after: 4, why: 'not generated' },
    { options: { presence: 0.5, frequency: 0.25 }, history: [0], after: 3.25, why: 'once' },
    { options: { presence: 0.5, frequency: 0.25 }, history: [0, 1, 0], after: 3, why: 'twice' },
    { options: { presence: 0.5 }, history: [0, 0, 0], after: 3.5, why: 'presence is flat' },
    { options: { frequency: 0.5 }, history: [0, 0, 0], after: 2.5, why: 'frequency is for each' },
    { options: { presence: -0.5, frequency: -0.25 }, history: [0, 0], after: 5, why: 'negative ones encourage' },
    { options: {}, history: [0, 0], after: 4, why: 'off' },
  ])('$options after $history: $after ($why)', ({ options, history, after }) => {
    const set = apply(new PresenceFrequency(options), [4, 9, 9], { history, prompt: [0, 0, 2] });
    expect(set.logit(0)).toBe(after);
    expect(set.logit(2)).toBe(9); // in the prompt only
  });

  it.each([
    { options: { presence: 0, frequency: 0 }, active: false },
    { options: { presence: -0, frequency: -0 }, active: false },
    { options: { presence: 5e-324 }, active: true },
    { options: { frequency: -5e-324 }, active: true },
    { options: { presence: 1, frequency: -1 }, active: true },
  ])('is active unless both are 0: $options', ({ options, active }) => {
    expect(new PresenceFrequency(options).active).toBe(active);
  });

  it('subtracts the frequency first', () => {
    const l = apply(new PresenceFrequency({ presence: 0.3, frequency: 0.3 }), [1.1, 0], { history: [0, 0, 0] }).logit(
      0,
    );
    expect(l).toBe(1.1 - 0.3 * 3 - 0.3);
    expect(l).not.toBe(1.1 - 0.3 - 0.3 * 3);
  });

  it('leaves a masked id masked, and removes what sinks to -Infinity', () => {
    expectSameBits(apply(new PresenceFrequency({ presence: -1 }), [M, 0], { history: [0] }).toLogits(), [M, 0]);
    expectSameBits(apply(new PresenceFrequency({ frequency: 1e308 }), [-1e308, 0], { history: [0] }).toLogits(), [
      M,
      0,
    ]);
  });

  it.each([
    {
      options: { presence: -1e308 },
      message: 'PresenceFrequency: `presence` must be small enough that no logit overflows, got -1e+308',
    },
    {
      options: { frequency: -1e308 },
      message: 'PresenceFrequency: `frequency` must be small enough that no logit overflows, got -1e+308',
    },
    {
      options: { presence: -1e308, frequency: -1e308 },
      message: 'PresenceFrequency: `frequency` must be small enough that no logit overflows, got -1e+308',
    },
  ])('refuses what overflows: $options', ({ options, message }) => {
    expect(() => apply(new PresenceFrequency(options), [1e308, 0], { history: [0, 0] })).toRefuse(message);
  });

  it('refuses a frequency that overflows by its count on a masked id, since that is no number', () => {
    const step = new PresenceFrequency({ frequency: -1e308 });
    expect(() => apply(step, [M, 0], { history: [0, 0] })).toRefuse(
      'PresenceFrequency: `frequency` must be small enough that no logit overflows, got -1e+308',
    );
  });
});
