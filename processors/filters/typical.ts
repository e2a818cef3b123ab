import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom, positiveShare } from '../schema.js';
import * as z from '../zod.js';
import { LowestFirst } from './parts/lowest-first.js';

export const typicalOptions = z.strictObject({ p: positiveShare(), min_keep: z.optional(integerFrom(1)) });

/** No probability: the mark of those that stay. */
const STAYS = -1;

/**
 * Typical: keeps the fewest ids whose surprise is nearest to the expected one and whose probabilities reach p.
 *
 * With q the softmax over K and H its entropy in nats, rank the ids by |(-ln q) - H| ascending, ties to the lowest id, ln q
 * being (l - max l) - ln Z. Walk them in that order adding q to s; the ids up to and including the first with s >= p stay, so K
 * never empties; if rounding never reaches p, all stay. The most likely id may go. p in (0, 1]; 1 is off. With `min_keep`,
 * at least so many stay, in the same order.
 * Source: Meister et al. 2022, arXiv 2202.00666. Elsewhere: TypicalLogitsWarper, typical_p, typ_p, locally typical sampling.
 * Differs from Hugging Face: ids as far from H as the last one do not stay with it. Differs from llama.cpp: a sum of exactly p
 * is enough, and a q of 0 has a rule.
 * Example: { "use": "typical", "p": 0.95 }
 */
@processor({ name: 'typical', options: typicalOptions, stage: 'policy', leavesOne: true })
export class Typical extends Processor<typeof typicalOptions> {
  override get active(): boolean {
    return this.options.p < 1;
  }

  process(candidates: Candidates): void {
    const { p, min_keep = 1 } = this.options;
    if (!this.active) return;
    const { size } = candidates;
    const h = candidates.entropy();
    const distance = candidates.logProbabilities();
    for (let i = 0; i < size; i++) distance[i] = Math.abs(-(distance[i] as number) - h);
    const q = candidates.probabilities();
    const order = new LowestFirst(distance, candidates.ids());
    let s = 0;
    let kept = 0;
    for (; kept < size && (kept < min_keep || !(s >= p)); kept++) {
      const index = order.next();
      s += q[index] as number;
      q[index] = STAYS;
    }
    if (kept < size) candidates.keepIds((_, index) => q[index] === STAYS);
  }
}
