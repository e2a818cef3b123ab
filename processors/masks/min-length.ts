import { type Candidates, NothingLeftError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom } from '../schema.js';
import * as z from '../zod.js';
import { banIds } from './parts/ban-ids.js';
import { checkWithin, LEAVES_ONE, someIds } from './parts/ids.js';

export const minLengthOptions = z.strictObject({ min_length: integerFrom(0), end_ids: someIds() });

/**
 * Min length: nothing ends before prompt and output have so many ids together.
 *
 * While prompt and output have fewer than min_length ids, K = K \ end_ids; afterwards nothing. 0 is off. Refused when only end
 * ids are left in K, and, at any token, for an end id that is not below V.
 * Source: Hugging Face, MinLengthLogitsProcessor, min_length. Where the prompt is not to count: `min-tokens`.
 * Example: { "use": "min-length", "min_length": 20, "end_ids": [2] }
 */
@processor({ name: 'min-length', options: minLengthOptions, stage: 'scores', leavesOne: true })
export class MinLength extends Processor<typeof minLengthOptions> {
  readonly #ids = [...new Set(this.options.end_ids)];

  override get active(): boolean {
    return this.options.min_length > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    const { min_length, end_ids } = this.options;
    checkWithin(end_ids, candidates.vocabSize, 'MinLength', 'end_ids');
    if (history.sequence.length >= min_length) return;
    banIds(candidates, this.#ids, () => new NothingLeftError('MinLength', 'end_ids', LEAVES_ONE, end_ids));
  }
}
