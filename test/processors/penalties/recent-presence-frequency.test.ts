import { describe, expect, it } from 'vitest';
import { PresenceFrequency, RecentPresenceFrequency } from '../../../processors/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds } from '../masks/plain-masks.js';

const M = -Infinity;

describe('RecentPresenceFrequency', () => {
  it.each([
    { options: {}, output: [0, 1, 0], after: [5.5, 6.25, 8, 6.25], why: 'the whole text, the prompt too' },
    { options: { prompt: false }, output: [0, 1, 0], after: [5.5, 6.25, 8, 8], why: 'the output alone' },
    { options: { window: 2 }, output: [0, 1, 0], after: [6.25, 6.25, 8, 8], why: 'the last two' },
    { options: { window: 4 }, output: [0, 1, 0], after: [5.5, 6.25, 8, 6.25], why: 'exactly all' },
    {
      options: { window: 2, exempt_ids: [1] },
      output: [0, 0, 1],
      after: [6.25, 8, 8, 8],
      why: 'an exempt id is a place',
    },
    { options: { window: 0 }, output: [0], after: [8, 8, 8, 8], why: 'a window of none is off' },
  ])('$options after $output gives $after: $why', ({ options, output, after }) => {
    const step = new RecentPresenceFrequency({ presence: 1, frequency: 0.75, ...options });
    expectSameBits(logitsAfter(step, [8, 8, 8, 8], { prompt: [3], output }), after);
  });

  it.each([
    { options: {}, active: false },
    { options: { presence: 1, window: 0 }, active: false },
    { options: { presence: 1 }, active: true },
    { options: { frequency: -1, window: 1 }, active: true },
  ])('is active unless it does nothing: $options', ({ options, active }) => {
    expect(new RecentPresenceFrequency(options).active).toBe(active);
  });

  it('is the step of the spec where the prompt does not count and nothing else is given', () => {
    const history = { prompt: [5, 1, 1], output: [0, 5, 3, 5] };
    const logits = [1.1, M, 0.7, 1e-9, 3, -0.1];
    const both = { presence: 0.3, frequency: 0.3 };
    const spec = logitsAfter(new PresenceFrequency(both), logits, history);
    expectSameBits(logitsAfter(new RecentPresenceFrequency({ ...both, prompt: false }), logits, history), [...spec]);
  });

  agreesWithPlainArrays((random, V) => {
    const presence = [0, 0.3, -0.7, 1e308][random.below(4)] as number;
    const frequency = [0, 0.1, -1 / 3, 1e308, -1e308][random.below(5)] as number;
    const window = random.below(3) === 0 ? undefined : random.below(9);
    const prompt = random.below(2) === 0;
    const exempt_ids = randomIds(random, Math.min(V, 4), 2);
    const isOff = (presence === 0 && frequency === 0) || window === 0;
    return {
      step: new RecentPresenceFrequency({ presence, frequency, window, prompt, exempt_ids }),
      rule: (l, history) => {
        const text = prompt ? [...history.prompt, ...history.output] : [...history.output];
        const last = text.slice(Math.max(0, text.length - (window ?? text.length)));
        if (isOff) return [...l];
        if (exempt_ids.some((id) => id >= V)) return undefined;
        const after = l.map((value, id) => {
          const count = last.filter((one) => one === id).length;
          if (value === M || count === 0 || exempt_ids.includes(id)) return value;
          return value - frequency * count - presence;
        });
        return after.every((value) => value < Infinity) ? after : undefined;
      },
    };
  });

  it.each([
    [{ presence: Infinity }, '`presence` must be a finite number, got Infinity'],
    [{ frequency: 'x' }, '`frequency` must be a finite number, got "x"'],
    [{ window: 1.5 }, '`window` must be an integer >= 0, got 1.5'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new RecentPresenceFrequency(options as never)).toRefuse(`RecentPresenceFrequency: ${message}`);
  });

  it.each([
    [{ frequency: -1e308 }, '`frequency` must be small enough that no logit overflows, got -1e+308'],
    [{ frequency: 1e308 }, '`frequency` must be such that an id is left above -Infinity, got 1e+308'],
    [{ presence: 1, exempt_ids: [3] }, '`exempt_ids[0]` must be an integer in [0, 3), got 3'],
  ])('refuses %j on few ids, and changes nothing', (options, message) => {
    const output = [0, 1, 0, 1];
    const owner = 'RecentPresenceFrequency: ';
    expectUnchanged(new RecentPresenceFrequency(options), [0, 1, M], owner + message, { output });
  });
});
