import { describe, expect, it } from 'vitest';
import { ExponentialDecayLength } from '../../../processors/index.js';
import { pow } from '../../../src/numerics/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds } from '../masks/plain-masks.js';

const M = -Infinity;
const ones = (count: number) => new Array<number>(count).fill(1);

describe('ExponentialDecayLength', () => {
  it.each([
    { generated: 2, after: [3, -3, 5], why: 'up to start nothing' },
    { generated: 3, after: [6, 0, 5], why: 'one behind' },
    { generated: 5, after: [24, 18, 5], why: 'three behind' },
  ])('after $generated ids gives $after: $why', ({ generated, after }) => {
    const step = new ExponentialDecayLength({ start: 2, factor: 2, end_ids: [0, 1, 0] });
    expectSameBits(logitsAfter(step, [3, -3, 5], { prompt: ones(9), output: ones(generated) }), after);
  });

  it('leaves a masked id masked and 0 as it is, and below 1 makes the end less likely', () => {
    const step = new ExponentialDecayLength({ start: 0, factor: 0.5, end_ids: [0, 1, 2, 3] });
    expectSameBits(logitsAfter(step, [M, 0, 4, -4], { output: ones(2) }), [M, 0, 1, -7]);
    const large = new ExponentialDecayLength({ start: 0, factor: 1e300, end_ids: [0, 1] });
    expectSameBits(logitsAfter(large, [M, 0, 4], { output: ones(4) }), [M, 0, 4]);
  });

  it('is off at 1', () => {
    expect(new ExponentialDecayLength({ start: 0, factor: 1, end_ids: [0] }).active).toBe(false);
    expect(new ExponentialDecayLength({ start: 0, factor: 0.9, end_ids: [0] }).active).toBe(true);
  });

  agreesWithPlainArrays((random, V) => {
    const start = random.below(5);
    const factor = [1, 1.07, 0.93, 1e100][random.below(4)] as number;
    const end_ids = randomIds(random, Math.min(V, 5), 3, 1);
    return {
      step: new ExponentialDecayLength({ start, factor, end_ids }),
      rule: (l, { output }) => {
        const behind = output.length - start;
        if (factor === 1) return [...l];
        if (end_ids.some((id) => id >= V)) return undefined;
        if (behind <= 0) return [...l];
        const after = l.map((value, id) => {
          if (!end_ids.includes(id) || value === M || value === 0) return value;
          return value + Math.abs(value) * (pow(factor, behind) - 1);
        });
        return after.includes(Infinity) ? undefined : after;
      },
    };
  });

  it.each([
    [{ start: -1, factor: 2, end_ids: [0] }, '`start` must be an integer >= 0, got -1'],
    [{ start: 0, factor: 0, end_ids: [0] }, '`factor` must be a finite number > 0, got 0'],
    [{ start: 0, factor: 2, end_ids: [] }, '`end_ids` must be a non-empty array of ids, got []'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new ExponentialDecayLength(options)).toRefuse(`ExponentialDecayLength: ${message}`);
  });

  it('refuses what overflows and an end id that is not below V, and changes nothing', () => {
    const overflow = 'ExponentialDecayLength: `factor` must be such that no logit overflows, got 1e+300';
    const output = ones(2);
    expectUnchanged(new ExponentialDecayLength({ start: 0, factor: 1e300, end_ids: [0, 1] }), [0, 1], overflow, {
      output,
    });
    const beyond = 'ExponentialDecayLength: `end_ids[1]` must be an integer in [0, 2), got 2';
    expectUnchanged(new ExponentialDecayLength({ start: 9, factor: 2, end_ids: [0, 2] }), [0, 1], beyond);
  });
});
