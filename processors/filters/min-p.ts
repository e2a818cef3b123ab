import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom, share } from '../schema.js';
import type { WireParams } from '../wire-params.js';
import * as z from '../zod.js';

export const minPOptions = z.strictObject({ m: share(), min_keep: z.optional(integerFrom(1)) });

/** The parameter of a request that the step honours. */
export interface MinPParams {
  /** m: keeps the ids at least m times as likely as the most likely one. A number in [0, 1]; default 0, which is off. */
  readonly min_p?: number | undefined;
}

const params: WireParams<MinPParams, typeof minPOptions> = {
  min_p: { option: 'm', off: 0, on: 0.05, help: 'keeps those at least m times as likely as the best' },
};

/**
 * Min-p: keeps the ids that are at least m times as likely as the most likely one.
 *
 * With q the softmax over K, an id stays when q >= m * max q; one exactly on the threshold stays, so the most likely id
 * always does. m in [0, 1], a share of the largest probability; 0 is off, 1 keeps the ties of the largest. With `min_keep`, at
 * least so many stay, the most likely first, ties to the lowest id.
 * Source: docs/SPEC.md, step 8; Nguyen et al. 2024, arXiv 2407.01082. Elsewhere: MinPLogitsWarper, llama.cpp min_p.
 * Differs from mistral.rs: equality stays. Differs from llama.cpp: compares probabilities, not logits with max + ln m.
 * Example: { "use": "min-p", "m": 0.05 }
 */
@processor({ name: 'min-p', options: minPOptions, stage: 'policy', leavesOne: true, params })
export class MinP extends Processor<typeof minPOptions> {
  override get active(): boolean {
    return this.options.m > 0;
  }

  process(candidates: Candidates): void {
    const { m, min_keep } = this.options;
    if (this.active) candidates.keepLikely(m, min_keep);
  }
}
