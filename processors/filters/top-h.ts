import type { Candidates, StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { positiveShare } from '../schema.js';
import * as z from '../zod.js';

/** So many of the best are looked at; all others go. */
const BEST = 100;

export const topHOptions = z.strictObject({ h: positiveShare() });

/**
 * Top-h: keeps the best ids as long as their part of the entropy is at most h of the whole.
 *
 * K becomes its 100 best in the order (l descending, id ascending). With q the softmax over them, walk them in that order and
 * add -q ln q to s (0 where q is 0); H is s at the end. An id stays when s, its own term included, is at most h * H; the first
 * always stays. h in (0, 1]; 1 keeps all 100, and so is not off.
 * Source: Potraghloo et al. 2025, arXiv 2509.02510. Elsewhere: TopHLogitsWarper, top_h.
 * Differs from Hugging Face, where a q that rounds to 0 makes the rest NaN.
 * Example: { "use": "top-h", "h": 0.4 }
 */
@processor({ name: 'top-h', options: topHOptions, stage: 'policy', leavesOne: true })
export class TopH extends Processor<typeof topHOptions> {
  process(candidates: Candidates, { numerics }: StepContext): void {
    candidates.keepBest(BEST);
    const q = candidates.ranked(BEST).probabilities;
    const sums = q; // lent, and so ours to write
    let s = 0;
    for (let rank = 0; rank < q.length; rank++) {
      const share = q[rank] as number;
      if (share > 0) s -= share * numerics.log(share);
      sums[rank] = s;
    }
    const most = this.options.h * s;
    const end = sums.findIndex((sum) => sum > most);
    if (end >= 0) candidates.keepBest(Math.max(end, 1));
  }
}
