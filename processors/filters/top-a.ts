import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom, share } from '../schema.js';
import * as z from '../zod.js';

export const topAOptions = z.strictObject({ a: share(), min_keep: z.optional(integerFrom(1)) });

/**
 * Top-a: keeps the ids whose probability is at least a times the square of the largest one.
 *
 * With q the softmax over K, an id stays when q >= a * max q * max q, from the left; one exactly on the threshold stays. As that
 * is at most max q, the most likely id always stays. a in [0, 1]; 0 is off. Where the model is sure little else stays, where it
 * is not nearly all does. With `min_keep`, at least so many stay, the most likely first, ties to the lowest id.
 * Source: BlinkDL, RWKV-LM; KoboldAI. Elsewhere: top_a of text-generation-webui and exllamav2.
 * Example: { "use": "top-a", "a": 0.2 }
 */
@processor({ name: 'top-a', options: topAOptions, stage: 'policy', leavesOne: true })
export class TopA extends Processor<typeof topAOptions> {
  override get active(): boolean {
    return this.options.a > 0;
  }

  process(candidates: Candidates): void {
    const { a, min_keep } = this.options;
    if (this.active) candidates.keepLikely(a * candidates.maxProbability(), min_keep);
  }
}
