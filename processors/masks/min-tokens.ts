import { type Candidates, NothingLeftError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom } from '../schema.js';
import * as z from '../zod.js';
import { banIds } from './parts/ban-ids.js';
import { checkWithin, LEAVES_ONE, someIds } from './parts/ids.js';

export const minTokensOptions = z.strictObject({ min_tokens: integerFrom(0), end_ids: someIds() });

/**
 * Min tokens: nothing ends before so many ids were generated.
 *
 * While the output has fewer than min_tokens ids, K = K \ end_ids; afterwards nothing. The prompt does not count. 0 is
 * off. Refused when only end ids are left in K, and, at any token, for an end id that is not below V.
 * Source: the vLLM reference, min_tokens. Elsewhere: MinNewTokensLengthLogitsProcessor, min_new_tokens.
 * Differs from MinLengthLogitsProcessor (min_length), where the prompt counts.
 * Example: { "use": "min-tokens", "min_tokens": 16, "end_ids": [50256] }
 */
@processor({ name: 'min-tokens', options: minTokensOptions, stage: 'scores', leavesOne: true })
export class MinTokens extends Processor<typeof minTokensOptions> {
  readonly #ids = [...new Set(this.options.end_ids)];

  override get active(): boolean {
    return this.options.min_tokens > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    const { min_tokens, end_ids } = this.options;
    checkWithin(end_ids, candidates.vocabSize, 'MinTokens', 'end_ids');
    if (history.output.length >= min_tokens) return;
    banIds(candidates, this.#ids, () => new NothingLeftError('MinTokens', 'end_ids', LEAVES_ONE, end_ids));
  }
}
