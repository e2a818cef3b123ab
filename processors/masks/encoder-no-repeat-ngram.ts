import { type Candidates, NothingLeftError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom } from '../schema.js';
import * as z from '../zod.js';
import { banIds } from './parts/ban-ids.js';
import { followersOf } from './parts/followers.js';
import { LEAVES_ONE } from './parts/ids.js';

export const encoderNoRepeatNgramOptions = z.strictObject({ n: integerFrom(0) });

/**
 * No n-gram of the prompt: the output says no n ids in a row that the prompt says.
 *
 * Where the last n - 1 ids of the output stand in the prompt, the ids that follow them there leave K. n = 1 bans every id of the
 * prompt; n = 0 is off; while the output has fewer than n - 1 ids nothing is banned. Refused when nothing would remain.
 * Source: Hugging Face, EncoderNoRepeatNGramLogitsProcessor, encoder_no_repeat_ngram_size.
 * Differs from Hugging Face: where a model has no encoder, the prompt is what the encoder would read.
 * Example: { "use": "encoder-no-repeat-ngram", "n": 4 }
 */
@processor({ name: 'encoder-no-repeat-ngram', options: encoderNoRepeatNgramOptions, stage: 'scores', leavesOne: true })
export class EncoderNoRepeatNgram extends Processor<typeof encoderNoRepeatNgramOptions> {
  override get active(): boolean {
    return this.options.n > 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    if (!this.active) return;
    const { n } = this.options;
    const banned = followersOf(history.prompt, history.output, n - 1);
    banIds(candidates, banned, () => new NothingLeftError('EncoderNoRepeatNgram', 'n', LEAVES_ONE, n));
  }
}
