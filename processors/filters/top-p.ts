import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom, positiveShare } from '../schema.js';
import type { WireParams } from '../wire-params.js';
import * as z from '../zod.js';

export const topPOptions = z.strictObject({ p: positiveShare(), min_keep: z.optional(integerFrom(1)) });

/** The parameter of a request that the step honours. */
export interface TopPParams {
  /** p: keeps the fewest of the most likely ids that together reach p. A number in (0, 1]; default 1, which is off. */
  readonly top_p?: number | undefined;
}

const params: WireParams<TopPParams, typeof topPOptions> = {
  top_p: { option: 'p', off: 1, on: 0.95, help: 'keeps the most likely that together reach p' },
};

/**
 * Top-p, the nucleus: keeps the fewest of the most likely ids whose probabilities reach p.
 *
 * With q the softmax over K, walk K in the order (l descending, id ascending) adding q to s; the ids up to and including
 * the first with s >= p stay. The id that crosses p stays, so K never empties. If rounding never reaches p, all stay.
 * p in (0, 1]; 1 is off. With `min_keep`, at least so many stay, in the same order.
 * Source: docs/SPEC.md, step 7; Holtzman et al. 2020, arXiv 1904.09751. Elsewhere: TopPLogitsWarper, nucleus sampling.
 * Differs from Hugging Face: the sum runs from the most likely id down, not from the least likely up. Differs from
 * candle and MLX: q is renormalized over what the steps before left.
 * Example: { "use": "top-p", "p": 0.95 }
 */
@processor({ name: 'top-p', options: topPOptions, stage: 'policy', leavesOne: true, params })
export class TopP extends Processor<typeof topPOptions> {
  override get active(): boolean {
    return this.options.p < 1;
  }

  process(candidates: Candidates): void {
    const { p, min_keep } = this.options;
    if (this.active) candidates.keepMass(p, min_keep);
  }
}
