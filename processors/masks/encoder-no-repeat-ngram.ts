import { type Candidates, NothingLeftError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom } from '../schema.js';
import * as z from '../zod.js';
import { banIds } from './parts/ban-ids.js';
import { followers } from './parts/followers.js';
import { checkWithin, LEAVES_ONE, someIds } from './parts/ids.js';

export const encoderNoRepeatNgramOptions = z.strictObject({ n: integerFrom(0), encoder_ids: z.optional(someIds()) });

/**
 * Encoder no repeated n-gram: no n ids in a row are taken over from the encoder's input.
 *
 * Where the last n - 1 ids of prompt and output occur in `encoder_ids`, the ids that follow them there leave K. Without
 * `encoder_ids` the prompt is the input, as a model without an encoder has it. n = 1 bans every id of the input; n = 0 is off;
 * with fewer than n - 1 ids nothing is banned. Refused when nothing would remain, and, at any token, for an encoder id that is
 * not below V.
 * Source: Hugging Face, EncoderNoRepeatNGramLogitsProcessor, encoder_no_repeat_ngram_size. For what was generated itself:
 * `no-repeat-ngram`.
 * Example: { "use": "encoder-no-repeat-ngram", "n": 3 }
 */
@processor({
  name: 'encoder-no-repeat-ngram',
  options: encoderNoRepeatNgramOptions,
  stage: 'scores',
  leavesOne: true,
})
export class EncoderNoRepeatNgram extends Processor<typeof encoderNoRepeatNgramOptions> {
  override get active(): boolean {
    return this.options.n > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    if (!this.active) return;
    const { n, encoder_ids } = this.options;
    if (encoder_ids) checkWithin(encoder_ids, candidates.vocabSize, 'EncoderNoRepeatNgram', 'encoder_ids');
    const banned = followers(encoder_ids ?? history.prompt, history.sequence, n - 1);
    banIds(candidates, banned, () => new NothingLeftError('EncoderNoRepeatNgram', 'n', LEAVES_ONE, n));
  }
}
