import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import * as z from '../zod.js';
import { keepFrom } from './parts/keep-from.js';
import { sumOfSquares } from './parts/sum-of-squares.js';

export const pLessNormOptions = z.strictObject({});

/**
 * P-less-norm: p-less with a lower threshold, which is 0 where all ids are equally likely. It has no parameter.
 *
 * With q the softmax over K and c the sum of q^2 by ascending id, an id stays when q >= min((V * c - 1) / (V - 1), max q); one
 * exactly on the threshold stays. It is the probability of drawing the same id twice less that of drawing, by chance, another
 * one. V counts masked ids too. Where V = 1, the one id stays.
 * Source: Tan et al. 2025, arXiv 2509.23234. Elsewhere: p-less-norm sampling, p_less_norm.
 * Example: { "use": "p-less-norm" }
 */
@processor({ name: 'p-less-norm', options: pLessNormOptions, stage: 'policy', leavesOne: true })
export class PLessNorm extends Processor<typeof pLessNormOptions> {
  process(candidates: Candidates): void {
    const { vocabSize, size } = candidates;
    if (size === 1) return;
    const threshold = (vocabSize * sumOfSquares(candidates.probabilities()) - 1) / (vocabSize - 1);
    keepFrom(candidates, Math.min(threshold, candidates.maxProbability()));
  }
}
