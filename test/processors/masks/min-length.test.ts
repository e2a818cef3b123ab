import { describe, expect, it } from 'vitest';
import { MinLength } from '../../../processors/index.js';
import { expectSameBits } from '../../support/bits.js';
import { agreesWithPlainArrays, expectUnchanged, logitsAfter, randomIds, without } from './plain-masks.js';

describe('MinLength', () => {
  it.each([
    { min_length: 3, prompt: [1], output: [1], banned: [0], why: 'one short' },
    { min_length: 3, prompt: [1], output: [1, 1], banned: [], why: 'exactly long enough' },
    { min_length: 3, prompt: [1, 1, 1], output: [], banned: [], why: 'the prompt counts' },
    { min_length: 1, prompt: [], output: [], banned: [0], why: 'an empty text' },
    { min_length: 0, prompt: [], output: [], banned: [], why: 'off' },
  ])('of $min_length after $prompt and $output bans $banned: $why', ({ min_length, prompt, output, banned }) => {
    const step = new MinLength({ min_length, end_ids: [0] });
    expectSameBits(logitsAfter(step, [3, 2, 1], { prompt, output }), without([3, 2, 1], banned));
    expect(step.active).toBe(min_length > 0);
  });

  agreesWithPlainArrays((random, V) => {
    const min_length = random.below(12);
    const end_ids = randomIds(random, V, 3, 1);
    return {
      step: new MinLength({ min_length, end_ids }),
      rule: (l, { prompt, output }) => {
        if (min_length > 0 && end_ids.some((id) => id >= V)) return undefined;
        return prompt.length + output.length < min_length ? without(l, end_ids) : [...l];
      },
    };
  });

  it.each([
    [{ min_length: -1, end_ids: [0] }, '`min_length` must be an integer >= 0, got -1'],
    [{ min_length: 1, end_ids: [] }, '`end_ids` must be a non-empty array of ids, got []'],
    [{ min_length: 1 }, '`end_ids` must be a non-empty array of ids, got undefined'],
  ])('refuses the options %j', (options, message) => {
    expect(() => new MinLength(options as never)).toRefuse(`MinLength: ${message}`);
  });

  it('refuses where nothing would be left, and an id that is not below V, and changes nothing', () => {
    const message = 'MinLength: `end_ids` must be such that at least one of the kept ids remains, got [1, 0]';
    expectUnchanged(new MinLength({ min_length: 9, end_ids: [1, 0] }), [0, 0, -Infinity], message);
    const beyond = 'MinLength: `end_ids[1]` must be an integer in [0, 3), got 3';
    expectUnchanged(new MinLength({ min_length: 1, end_ids: [1, 3] }), [0, 0, 0], beyond, { output: [0] });
  });
});
