import { type Candidates, InvalidValueError, NothingLeftError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom } from '../schema.js';
import * as z from '../zod.js';
import { keepPacked } from './parts/mask-keeper.js';
import { packMask } from './parts/pack-mask.js';

export const forcedEndOptions = z.strictObject({ max_tokens: integerFrom(1), end_id: integerFrom(0) });

/**
 * Forced end: the last token that there is room for is the end id.
 *
 * From max_tokens - 1 generated ids on, K = {end_id}; before, nothing. Its logit stays as it is, its logprob is then 0. It
 * is a mask and settles nothing: the token takes its uniform like any other, so that a stream's position is known from the
 * number of tokens. Refused when the end id was removed before (by min-tokens, say, or a grammar in the middle of a word):
 * bringing it back would break what removed it. And, at any token, for an end id that is not below V.
 * Source: Hugging Face, ForcedEOSTokenLogitsProcessor, forced_eos_token_id.
 * Differs from Hugging Face: the prompt does not count, and it goes on after max_tokens - 1; there the end id comes back
 * after a mask, with the logit 0.
 * Example: { "use": "forced-end", "max_tokens": 256, "end_id": 50256 }
 */
@processor({ name: 'forced-end', options: forcedEndOptions, stage: 'scores', leavesOne: true })
export class ForcedEnd extends Processor<typeof forcedEndOptions> {
  process(candidates: Candidates, { history }: StepContext): void {
    const { max_tokens, end_id } = this.options;
    const { vocabSize } = candidates;
    if (end_id >= vocabSize) {
      throw new InvalidValueError('ForcedEnd', 'end_id', `an integer in [0, ${vocabSize})`, end_id);
    }
    if (history.output.length < max_tokens - 1) return;
    const words = packMask({ allow: [end_id] }, vocabSize); // for one token, or a few
    const domain = 'one of the kept ids when max_tokens is reached';
    keepPacked(candidates, words, () => new NothingLeftError('ForcedEnd', 'end_id', domain, end_id));
  }
}
