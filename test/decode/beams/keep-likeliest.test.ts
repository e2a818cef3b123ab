/** The filters of beam sampling, on and beside their boundaries. */
import { describe, expect, it } from 'vitest';
import type { LogitsProcessor } from '../../../processors/index.js';
import { CandidateSet, TokenHistory } from '../../../src/core.js';
import { minP, topK, topP } from '../../../src/decode/beams/keep-likeliest.js';
import { exactNumerics } from '../../../src/numerics/index.js';

const context = { history: new TokenHistory(), numerics: exactNumerics, uniform: () => Number.NaN };

/** The ids that `step` keeps of four: q = 1/4 each, or of three and one far below. */
function kept(step: LogitsProcessor, logits: readonly number[]): number[] {
  const set = new CandidateSet();
  set.load([...logits]);
  step.process(set, context);
  return Array.from({ length: set.size }, (_, i) => set.idAt(i));
}

const FLAT = [0, 0, 0, 0];
const TEN = new Array<number>(10).fill(0); // ten times 0.1 is 0.9999999999999999
const THREE = [0, -9, 0, 0];

describe('the filters of beam sampling', () => {
  it.each([
    {
      step: minP(1, 1),
      logits: THREE,
      ids: [0, 2, 3],
      why: 'min-p keeps what is exactly on the threshold (planted: without equality)',
    },
    { step: minP(1, 1), logits: FLAT, ids: [0, 1, 2, 3], why: 'min-p keeps all ties of the largest' },
    { step: minP(1, 1), logits: [0, -1e-9, 0, 0], ids: [0, 2, 3], why: 'min-p drops what is just below it' },
    { step: minP(1, 4), logits: THREE, ids: [0, 1, 2, 3], why: 'min-p keeps at least so many' },
    { step: minP(1e-9, 1), logits: THREE, ids: [0, 1, 2, 3], why: 'min-p keeps all above it' },
    { step: topP(0.5, 1), logits: FLAT, ids: [0, 1], why: 'top-p stops where the sum is p' },
    { step: topP(0.5 + 2 ** -53, 1), logits: FLAT, ids: [0, 1, 2], why: 'top-p goes on where it is below p' },
    { step: topP(0.1, 1), logits: FLAT, ids: [0], why: 'top-p keeps the id that crosses p' },
    { step: topP(0.1, 3), logits: FLAT, ids: [0, 1, 2], why: 'top-p keeps at least so many' },
    { step: topP(0.999999, 1), logits: FLAT, ids: [0, 1, 2, 3], why: 'top-p keeps all' },
    {
      step: topP(1, 1),
      logits: TEN,
      ids: [...TEN.keys()],
      why: 'top-p keeps all where their sum stays below p by rounding',
    },
    { step: topK(2, 1), logits: THREE, ids: [0, 2], why: 'top-k keeps k, ties to the lower id' },
    { step: topK(1, 2), logits: THREE, ids: [0, 2], why: 'top-k keeps at least so many' },
    { step: topK(9, 1), logits: THREE, ids: [0, 1, 2, 3], why: 'top-k keeps no more than there are' },
  ])('$why', ({ step, logits, ids }) => {
    expect(kept(step, logits)).toEqual(ids);
  });

  it('say their names, options and stage', () => {
    expect([topK(2, 1), topP(0.5, 2), minP(0.1, 3)].map(({ name, stage, options }) => [name, stage, options])).toEqual([
      ['top-k', 'policy', { k: 2, least: 1 }],
      ['top-p', 'policy', { p: 0.5, least: 2 }],
      ['min-p', 'policy', { m: 0.1, least: 3 }],
    ]);
  });
});
