import { type Candidates, InvalidValueError, NothingLeftError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom } from '../schema.js';
import * as z from '../zod.js';
import { keepPacked } from './parts/mask-keeper.js';
import { packMask } from './parts/pack-mask.js';

export const forcedBeginOptions = z.strictObject({ begin_id: integerFrom(0) });

/**
 * Forced begin: the first generated token is the begin id, such as that of the language to translate into.
 *
 * While the output is empty, K = {begin_id}; afterwards nothing. Its logit stays as it is, its logprob is then 0. It is a mask
 * and settles nothing: the token takes its uniform like any other. Refused when the begin id was removed before, as bringing it
 * back would break what removed it, and, at any token, for a begin id that is not below V.
 * Source: Hugging Face, ForcedBOSTokenLogitsProcessor, forced_bos_token_id.
 * Differs from Hugging Face, where it is forced behind exactly one id of prompt, comes back after a mask, and has the logit 0.
 * Example: { "use": "forced-begin", "begin_id": 5 }
 */
@processor({ name: 'forced-begin', options: forcedBeginOptions, stage: 'scores', leavesOne: true })
export class ForcedBegin extends Processor<typeof forcedBeginOptions> {
  process(candidates: Candidates, { history }: StepContext): void {
    const { begin_id } = this.options;
    const { vocabSize } = candidates;
    if (begin_id >= vocabSize) {
      throw new InvalidValueError('ForcedBegin', 'begin_id', `an integer in [0, ${vocabSize})`, begin_id);
    }
    if (history.output.length > 0) return;
    const words = packMask({ allow: [begin_id] }, vocabSize); // for one token
    const domain = 'one of the kept ids at the first token';
    keepPacked(candidates, words, () => new NothingLeftError('ForcedBegin', 'begin_id', domain, begin_id));
  }
}
