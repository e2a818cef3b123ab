import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import * as z from '../zod.js';
import { keepFrom } from './parts/keep-from.js';
import { sumOfSquares } from './parts/sum-of-squares.js';

export const pLessOptions = z.strictObject({});

/**
 * P-less: keeps the ids whose probability is at least that of drawing the same id twice. It has no parameter.
 *
 * With q the softmax over K and c the sum of q^2 by ascending id, an id stays when q >= min(c, max q); one exactly on the
 * threshold stays. c is at most max q but for rounding (where all q are equal, say), so the most likely id always stays.
 * Source: Tan et al. 2025, arXiv 2509.23234. Elsewhere: p-less sampling, p_less.
 * Example: { "use": "p-less" }
 */
@processor({ name: 'p-less', options: pLessOptions, stage: 'policy', leavesOne: true })
export class PLess extends Processor<typeof pLessOptions> {
  process(candidates: Candidates): void {
    const threshold = sumOfSquares(candidates.probabilities());
    keepFrom(candidates, Math.min(threshold, candidates.maxProbability()));
  }
}
