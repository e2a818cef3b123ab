import { describe, expect, it } from 'vitest';
import { type History, PrefixAllowedTokens } from '../../../processors/index.js';
import { createSampler } from '../../../src/index.js';
import { processorLaws } from '../../../src/laws/index.js';
import { agreesWithPlainArrays, expectUnchanged, randomIds, without } from '../masks/plain-masks.js';

/** An id may follow its double. */
const nextTo = ({ sequence }: History) => [0, 2 * (sequence.at(-1) ?? 0)];

describe('PrefixAllowedTokens', () => {
  agreesWithPlainArrays((random, V) => {
    const byLength = Array.from({ length: 15 }, () => randomIds(random, V, V, 1));
    const allowed = ({ prompt, output }: History) => new Set(byLength[prompt.length + output.length]);
    return {
      step: new PrefixAllowedTokens(allowed),
      rule: (l, { prompt, output }) => {
        const ids = byLength[prompt.length + output.length] as number[];
        const others = l.map((_, id) => id).filter((id) => !ids.includes(id));
        return ids.some((id) => id >= V) ? undefined : without(l, others);
      },
    };
  });

  it('obeys the laws', () => {
    processorLaws(() => new PrefixAllowedTokens(({ output }) => [0, output.length === 0 ? 0 : (output[0] as number)]), {
      cases: 40,
    });
  });

  it('asks anew for each token, with the prompt in the history', () => {
    const sampler = createSampler({ seed: 2 }, { prompt: [1], before: [new PrefixAllowedTokens(nextTo)] });
    const ids = Array.from({ length: 3 }, () => sampler.sample([-900, 0, 0, 0, 0, 0, 0, 0, 0]).id);
    expect(ids).toEqual([2, 4, 8]);
  });

  it('refuses where nothing would be left, ids that are none, and what is no function', () => {
    const none =
      'PrefixAllowedTokens: `allowed` must be a function that allows at least one of the kept ids, got "none of them"';
    expectUnchanged(new PrefixAllowedTokens(() => []), [0, 0], none);
    expectUnchanged(
      new PrefixAllowedTokens(() => 7 as never),
      [0, 0],
      'PrefixAllowedTokens: `mask.allow` must be ids to iterate over, got 7',
    );
    expect(() => new PrefixAllowedTokens([1] as never)).toRefuse(
      'PrefixAllowedTokens: `allowed` must be a function of the history, got [1]',
    );
  });
});
