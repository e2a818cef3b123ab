/** `min_keep` of the filters: at least so many ids stay, on and beside the boundaries of each rule. */
import { describe, expect, it } from 'vitest';
import { type LogitsProcessor, MinP, TopK, TopP } from '../../../processors/index.js';
import { CandidateSet, TokenHistory } from '../../../src/core.js';
import { exactNumerics } from '../../../src/numerics/index.js';

const context = { history: new TokenHistory(), numerics: exactNumerics, uniform: () => Number.NaN };

/** The ids that `step` keeps of four: q = 1/4 each, or of three and one far below. */
function kept(step: LogitsProcessor, logits: readonly number[]): number[] {
  const [wide, list] = [Float32Array.from(logits), [...logits]].map((row) => {
    const set = new CandidateSet();
    set.load(row);
    step.process(set, context);
    return [...set.ids()];
  });
  expect(wide).toEqual(list); // from float32 logits and from float64
  return list as number[];
}

const FLAT = [0, 0, 0, 0];
const TEN = new Array<number>(10).fill(0); // ten times 0.1 is 0.9999999999999999
const THREE = [0, -9, 0, 0];

describe('min_keep', () => {
  it.each([
    {
      step: new MinP({ m: 1, min_keep: 1 }),
      logits: THREE,
      ids: [0, 2, 3],
      why: 'min-p keeps what is exactly on the threshold (planted: without equality)',
    },
    {
      step: new MinP({ m: 1, min_keep: 1 }),
      logits: FLAT,
      ids: [0, 1, 2, 3],
      why: 'min-p keeps all ties of the largest',
    },
    {
      step: new MinP({ m: 1, min_keep: 1 }),
      logits: [0, -1e-9, 0, 0],
      ids: [0, 2, 3],
      why: 'min-p drops what is just below it',
    },
    { step: new MinP({ m: 1, min_keep: 4 }), logits: THREE, ids: [0, 1, 2, 3], why: 'min-p keeps at least so many' },
    { step: new MinP({ m: 1e-9, min_keep: 1 }), logits: THREE, ids: [0, 1, 2, 3], why: 'min-p keeps all above it' },
    { step: new TopP({ p: 0.5, min_keep: 1 }), logits: FLAT, ids: [0, 1], why: 'top-p stops where the sum is p' },
    {
      step: new TopP({ p: 0.5 + 2 ** -53, min_keep: 1 }),
      logits: FLAT,
      ids: [0, 1, 2],
      why: 'top-p goes on where it is below p',
    },
    { step: new TopP({ p: 0.1, min_keep: 1 }), logits: FLAT, ids: [0], why: 'top-p keeps the id that crosses p' },
    { step: new TopP({ p: 0.1, min_keep: 3 }), logits: FLAT, ids: [0, 1, 2], why: 'top-p keeps at least so many' },
    { step: new TopP({ p: 0.999999, min_keep: 1 }), logits: FLAT, ids: [0, 1, 2, 3], why: 'top-p keeps all' },
    {
      step: new TopP({ p: 1, min_keep: 1 }),
      logits: TEN,
      ids: [...TEN.keys()],
      why: 'top-p keeps all where their sum stays below p by rounding',
    },
    { step: new TopK({ k: 2, min_keep: 1 }), logits: THREE, ids: [0, 2], why: 'top-k keeps k, ties to the lower id' },
    { step: new TopK({ k: 1, min_keep: 2 }), logits: THREE, ids: [0, 2], why: 'top-k keeps at least so many' },
    {
      step: new TopK({ k: 9, min_keep: 1 }),
      logits: THREE,
      ids: [0, 1, 2, 3],
      why: 'top-k keeps no more than there are',
    },
  ])('$why', ({ step, logits, ids }) => {
    expect(kept(step, logits)).toEqual(ids);
  });

  it('is not in the options where it was not given', () => {
    const steps = [new TopK({ k: 2 }), new TopP({ p: 0.5 }), new MinP({ m: 0.1 })];
    expect(steps.map(({ options }) => options)).toEqual([{ k: 2 }, { p: 0.5 }, { m: 0.1 }]);
  });

  it.each([0, 1.5, -1, Number.NaN])('refuses %s', (min_keep) => {
    expect(() => new TopK({ k: 2, min_keep })).toRefuse(`TopK: \`min_keep\` must be an integer >= 1, got ${min_keep}`);
  });

  it('turns no filter on', () => {
    const steps = [new TopK({ k: 0, min_keep: 2 }), new TopP({ p: 1, min_keep: 2 }), new MinP({ m: 0, min_keep: 2 })];
    expect(steps.map(({ active }) => active)).toEqual([false, false, false]);
    for (const step of steps) expect(kept(step, FLAT)).toEqual([0, 1, 2, 3]);
  });
});
