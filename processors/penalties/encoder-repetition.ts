import type { Candidates, StepContext } from '../contract.js';
import { checkWithin, someIds } from '../masks/parts/ids.js';
import { Processor, processor } from '../processor.js';
import { positive } from '../schema.js';
import * as z from '../zod.js';
import { adjustOrRefuse } from './parts/adjust-or-refuse.js';

const OWNER = 'EncoderRepetition';

export const encoderRepetitionOptions = z.strictObject({ penalty: positive(), encoder_ids: z.optional(someIds()) });

/**
 * Encoder repetition penalty: makes the ids of the encoder's input likelier, so that less is made up.
 *
 * Once for each distinct id of `encoder_ids`, with r the penalty: l = l * r if l > 0, else l = l / r, the reverse of the
 * repetition penalty. Without `encoder_ids` the prompt is the input, as a model without an encoder has it. r > 1 favours the
 * input, 0 < r < 1 avoids it; 1 is off. A masked id stays masked. Refused when a logit overflows or no id is left above
 * -Infinity, and, at any token, for an encoder id that is not below V.
 * Source: Hugging Face, EncoderRepetitionPenaltyLogitsProcessor, encoder_repetition_penalty; also text-generation-webui.
 * Differs from Hugging Face, which multiplies by r as a division by 1 / r, rounded twice.
 * Example: { "use": "encoder-repetition", "penalty": 1.2 }
 */
@processor({ name: 'encoder-repetition', options: encoderRepetitionOptions, stage: 'scores', leavesOne: true })
export class EncoderRepetition extends Processor<typeof encoderRepetitionOptions> {
  override get active(): boolean {
    return this.options.penalty !== 1;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    if (!this.active) return;
    const { penalty, encoder_ids } = this.options;
    if (encoder_ids) checkWithin(encoder_ids, candidates.vocabSize, OWNER, 'encoder_ids');
    const ids = [...new Set(encoder_ids ?? history.prompt)];
    const remedy = penalty < 1 ? 'large' : 'small';
    const blamed = { owner: OWNER, name: 'penalty', value: penalty, remedy } as const;
    adjustOrRefuse(candidates, ids, (l) => (l > 0 ? l * penalty : l / penalty), blamed);
  }
}
