import { type Candidates, Processor, processor } from '../contract.js';
import { integerFrom } from '../schema.js';
import * as z from '../zod.js';

export const topKOptions = z.strictObject({ k: integerFrom(0) });

/**
 * Top-k: keeps the k most likely ids.
 *
 * In the order (l descending, id ascending) the first k stay, so that exactly k do whatever the ties; all stay when K
 * has no more than k. 0 is off.
 * Source: docs/SPEC.md, step 6; Fan et al. 2018, arXiv 1805.04833. Elsewhere: TopKLogitsWarper, llama.cpp top_k.
 * Differs from Hugging Face and vLLM: ties at the cut are not all kept.
 */
@processor({ name: 'top-k', options: topKOptions, stage: 'policy', leavesOne: true })
export class TopK extends Processor<typeof topKOptions> {
  override get active(): boolean {
    return this.options.k > 0;
  }

  process(candidates: Candidates): void {
    if (this.active) candidates.keepBest(this.options.k);
  }
}
