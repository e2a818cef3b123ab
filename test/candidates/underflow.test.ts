/**
 * Temperatures so small that a logit underflows to -Infinity: it leaves K, in a row as in a list.
 */
import { describe, expect, it } from 'vitest';
import { CandidateSet } from '../../src/core.js';
import { expectSameBits } from '../support/bits.js';
import { PlainCandidates } from './plain-candidates.js';
import { WORLDS, type World } from './worlds.js';

describe.each(Object.entries(WORLDS))('a division, %s', (_, world: World) => {
  function start(values: readonly number[]): [CandidateSet, PlainCandidates] {
    const set = new CandidateSet(world.numerics);
    const logits = world.logits(values);
    set.load(logits);
    return [set, new PlainCandidates(logits)];
  }

  function expectSame(set: CandidateSet, plain: PlainCandidates): void {
    expect(set.size).toBe(plain.ids.length);
    expectSameBits(set.toLogits(), plain.logits, 'logits');
    expectSameBits(set.toProbabilities(), plain.probabilities, 'q');
  }

  it.each([1e-300, 1e-270, 1e-200])('by %s leaves a logit that underflows out of K', (divisor) => {
    const [set, plain] = start([0, -3e38]);
    set.divideLogits(divisor);
    plain.divide(divisor);
    expect(set.size).toBe(divisor === 1e-200 ? 2 : 1);
    expectSame(set, plain);
  });

  it.each([0.5, 1e-4])('by %s leaves an edited logit that underflows out of K', (divisor) => {
    const [set, plain] = start([0, 1, 2, ...Array.from({ length: 300 }, (_value, i) => -i / 100)]);
    for (const [id, l] of [
      [1, -1.5e308],
      [200, -1e308],
      [7, -1.7e305],
    ] as const) {
      set.setLogit(id, l);
      plain.set(id, l);
    }
    set.divideLogits(divisor);
    plain.divide(divisor);
    expect(set.size).toBe(divisor === 0.5 ? 301 : 300);
    expect([set.has(1), set.has(200), set.has(7)]).toEqual([false, false, divisor === 0.5]);
    expectSame(set, plain);
  });
});
