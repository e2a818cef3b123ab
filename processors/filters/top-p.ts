import { type Candidates, Processor, processor } from '../contract.js';
import { positiveShare } from '../schema.js';
import * as z from '../zod.js';

export const topPOptions = z.strictObject({ p: positiveShare() });

/**
 * Top-p, the nucleus: keeps the fewest of the most likely ids whose probabilities reach p.
 *
 * With q the softmax over K, walk K in the order (l descending, id ascending) adding q to s; the ids up to and including
 * the first with s >= p stay. The id that crosses p stays, so K never empties. If rounding never reaches p, all stay.
 * p in (0, 1]; 1 is off.
 * Source: docs/SPEC.md, step 7; Holtzman et al. 2020, arXiv 1904.09751. Elsewhere: TopPLogitsWarper, nucleus sampling.
 * Differs from Hugging Face: the sum runs from the most likely id down, not from the least likely up. Differs from
 * candle and MLX: q is renormalized over what the steps before left.
 */
@processor({ name: 'top-p', options: topPOptions, stage: 'policy', leavesOne: true })
export class TopP extends Processor<typeof topPOptions> {
  override get active(): boolean {
    return this.options.p < 1;
  }

  process(candidates: Candidates): void {
    if (this.active) candidates.keepMass(this.options.p);
  }
}
