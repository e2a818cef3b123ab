import { type Candidates, Processor, processor } from '../contract.js';
import { share } from '../schema.js';
import * as z from '../zod.js';

export const minPOptions = z.strictObject({ m: share() });

/**
 * Min-p: keeps the ids that are at least m times as likely as the most likely one.
 *
 * With q the softmax over K, an id stays when q >= m * max q; one exactly on the threshold stays, so the most likely id
 * always does. m in [0, 1], a share of the largest probability; 0 is off, 1 keeps the ties of the largest.
 * Source: docs/SPEC.md, step 8; Nguyen et al. 2024, arXiv 2407.01082. Elsewhere: MinPLogitsWarper, llama.cpp min_p.
 * Differs from mistral.rs: equality stays. Differs from llama.cpp: compares probabilities, not logits with max + ln m.
 */
@processor({ name: 'min-p', options: minPOptions, stage: 'policy', leavesOne: true })
export class MinP extends Processor<typeof minPOptions> {
  override get active(): boolean {
    return this.options.m > 0;
  }

  process(candidates: Candidates): void {
    if (this.active) candidates.keepLikely(this.options.m);
  }
}
