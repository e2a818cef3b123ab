import { type Candidates, InvalidValueError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { nonNegative } from '../schema.js';
import * as z from '../zod.js';
import { GreenIds, greenScheme } from './parts/green-ids.js';

export const greenListOptions = z.strictObject({ ...greenScheme, bias: z._default(nonNegative(), 2) });

/**
 * Green list: a watermark that makes a part of the ids likelier, another part behind every context, which only the key tells.
 *
 * l = l + bias for the green ids. They follow from the key and the last `width` ids of prompt and output, x_1 the oldest: s =
 * mix64(key), s = mix64(s + x_i) for each in turn; id i is green when the i-th u32, from 0, of the PCG32 of seed s and sequence 54
 * is below ratio 2^32. So an id is green with the probability `ratio`, and another machine or language finds the same ones. With
 * fewer ids than `width` nothing happens. key in [0, 2^53); ratio in (0, 1), default 0.25; width at least 1, default 1; bias >=
 * 0 is finite, default 2; 0 is off. It is to stand last. Refused when a logit would overflow. `detectGreenList` finds the mark.
 * Source: Kirchenbauer et al. 2023, arXiv 2301.10226, algorithm 2. Elsewhere: WatermarkLogitsProcessor, watermarking_config,
 * greenlist_ratio, hashing_key, context_width.
 * Differs from Hugging Face: its green ids are the beginning of a permutation by torch, which differs from device to device, so
 * that its detector does not read this mark, nor ours that one; no `selfhash`.
 * Example: { "use": "green-list", "key": 15485863, "ratio": 0.25, "width": 1, "bias": 2 }
 */
@processor({ name: 'green-list', options: greenListOptions, stage: 'policy', leavesOne: true })
export class GreenList extends Processor<typeof greenListOptions> {
  override get active(): boolean {
    return this.options.bias > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    const { key, ratio, width, bias } = this.options;
    const { sequence } = history;
    if (!this.active || sequence.length < width) return;
    const green = new GreenIds(key, ratio, sequence.slice(sequence.length - width));
    candidates.mapLogits((l, id) => {
      if (!green.has(id)) return l;
      if (l + bias < Infinity) return l + bias;
      throw new InvalidValueError('GreenList', 'bias', 'small enough that no logit overflows', bias);
    });
  }
}
