/** When a search by Hugging Face's rules is over. */
import { describe, expect, it } from 'vitest';
import { bestAttainable, type EarlyStopping, type HfSettings } from '../../../src/decode/beams/hf-rules.js';
import { Hypothesis } from '../../../src/decode/beams/hypothesis.js';
import { scoreWith } from '../../../src/decode/beams/length-penalty.js';
import { beamSearch } from '../../../src/index.js';
import { exactNumerics } from '../../../src/numerics/index.js';
import { noiseModel } from './worlds.js';

const beam = Hypothesis.empty().extend(1, -3).extend(2, -3);

function settings(earlyStopping: EarlyStopping, lengthPenalty: number): HfSettings {
  const scoreOf = scoreWith(lengthPenalty, exactNumerics);
  return {
    ...{ numBeams: 2, maxTokens: 10, endIds: [] },
    endOf: () => undefined,
    choose: () => [],
    scoreOf,
    earlyStopping,
    lengthPenalty,
  };
}

describe('the best that a beam of two ids and logprob -6 is taken to come to', () => {
  it.each<[EarlyStopping, number, number]>([
    ['never', 1, -0.6], // divided by the greatest length
    ['never', 2, -0.06],
    ['never', 0, -6],
    ['never', -1, -12], // by the length now: a longer one scores less (planted: by the greatest)
    ['never', -2, -24],
    [false, 1, -3],
    [false, -1, -12],
    [true, 1, -3],
  ])('with early_stopping %s and length_penalty %d is %d', (earlyStopping, lengthPenalty, score) => {
    expect(bestAttainable(beam, settings(earlyStopping, lengthPenalty))).toBeCloseTo(score, 12);
  });
});

describe('a search with early_stopping "never"', () => {
  const params = { num_beams: 3, num_return_sequences: 3, max_tokens: 9 } as const;
  const found = (seed: number, length_penalty: number, early_stopping: EarlyStopping) =>
    beamSearch(noiseModel(5, [0], seed, 2), [1], { ...params, length_penalty, early_stopping }, { rules: 'hf' });

  it.each([-1, -0.5, 0])(
    'and length_penalty %d is one with false: longer is never better (planted)',
    async (penalty) => {
      for (let seed = 0; seed < 25; seed++) {
        expect(await found(seed, penalty, 'never')).toEqual(await found(seed, penalty, false));
      }
    },
  );

  it('and a positive one goes on for longer', async () => {
    const longer = [];
    for (let seed = 0; seed < 25; seed++) {
      longer.push((await found(seed, 1, 'never')).steps - (await found(seed, 1, false)).steps);
    }
    expect(Math.min(...longer)).toBe(0);
    expect(Math.max(...longer)).toBeGreaterThan(0);
  });
});
