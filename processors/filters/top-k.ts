import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom } from '../schema.js';
import type { WireParams } from '../wire-params.js';
import * as z from '../zod.js';

export const topKOptions = z.strictObject({ k: integerFrom(0), min_keep: z.optional(integerFrom(1)) });

/** The parameter of a request that the step honours. */
export interface TopKParams {
  /** k: keeps the k most likely ids. An integer >= 0; default 0, which is off. */
  readonly top_k?: number | undefined;
}

const params: WireParams<TopKParams, typeof topKOptions> = {
  top_k: { option: 'k', off: 0, on: 40, help: 'keeps the k most likely' },
};

/**
 * Top-k: keeps the k most likely ids.
 *
 * In the order (l descending, id ascending) the first k stay, so that exactly k do whatever the ties; all stay when K
 * has no more than k. 0 is off. With `min_keep`, at least so many stay, in the same order.
 * Source: docs/SPEC.md, step 6; Fan et al. 2018, arXiv 1805.04833. Elsewhere: TopKLogitsWarper, llama.cpp top_k.
 * Differs from Hugging Face and vLLM: ties at the cut are not all kept.
 * Example: { "use": "top-k", "k": 40 }
 */
@processor({ name: 'top-k', options: topKOptions, stage: 'policy', leavesOne: true, params })
export class TopK extends Processor<typeof topKOptions> {
  override get active(): boolean {
    return this.options.k > 0;
  }

  process(candidates: Candidates): void {
    const { k, min_keep = 1 } = this.options;
    if (k > 0) candidates.keepBest(Math.max(k, min_keep));
  }
}
