import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom, share } from '../schema.js';
import * as z from '../zod.js';

export const tailFreeOptions = z.strictObject({ z: share(), min_keep: z.optional(integerFrom(1)) });

/**
 * Tail-free: cuts where the curve of the sorted probabilities has become flat.
 *
 * With q_0 >= q_1 >= … the softmax over K in the order (l descending, id ascending) and n = |K|: d_i = |(q_{i+2} - q_{i+1}) -
 * (q_{i+1} - q_i)|, D the sum of all d_i, s_i the running sum of d_i / D, all by rising i. The best stays; rank j in [1, n - 2]
 * stays while s_{j-1} <= z; rank n - 1 goes. Where n < 3, or D = 0 (the curve is straight and has no tail), all stay. z in
 * [0, 1]; 1 is off. With `min_keep`, at least so many stay, in the same order.
 * Source: Bricken 2019, "Tail Free Sampling". Elsewhere: tfs of text-generation-webui, tfs_z of llama.cpp until 2024.
 * Differs from text-generation-webui: masked ids are no part of the curve; where D = 0 or n = 2, the last one stays too.
 * Example: { "use": "tail-free", "z": 0.95 }
 */
@processor({ name: 'tail-free', options: tailFreeOptions, stage: 'policy', leavesOne: true })
export class TailFree extends Processor<typeof tailFreeOptions> {
  override get active(): boolean {
    return this.options.z < 1;
  }

  process(candidates: Candidates): void {
    const { z: most, min_keep = 1 } = this.options;
    const { size } = candidates;
    if (!this.active || size < 3) return;
    const q = candidates.ranked(size).probabilities;
    let total = 0;
    for (let i = 0; i < size - 2; i++) total += bend(q, i);
    if (total === 0) return;
    let s = 0;
    let kept = 1;
    for (; kept < size - 1; kept++) {
      s += bend(q, kept - 1) / total;
      if (s > most) break;
    }
    candidates.keepBest(Math.max(kept, min_keep));
  }
}

/** The second difference of `q` at `i`, without its sign. */
function bend(q: Float64Array, i: number): number {
  const middle = q[i + 1] as number;
  return Math.abs((q[i + 2] as number) - middle - (middle - (q[i] as number)));
}
