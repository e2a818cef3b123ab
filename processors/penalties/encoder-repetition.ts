import type { Candidates, StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { positive } from '../schema.js';
import * as z from '../zod.js';
import { penalized } from './parts/penalized.js';

export const encoderRepetitionOptions = z.strictObject({ penalty: positive() });

/**
 * Encoder repetition penalty: keeps the output near the prompt, against inventions.
 *
 * With r = 1 / penalty, for each distinct id of the prompt: l = l / r if l > 0, else l * r. A penalty above 1 makes what the prompt
 * says more likely, one below 1 less; 1 is off. A masked id stays masked. Refused when a logit overflows.
 * Source: Hugging Face, EncoderRepetitionPenaltyLogitsProcessor, encoder_repetition_penalty (which some call the
 * hallucination penalty).
 * Differs from Hugging Face: where a model has no encoder, the prompt is what the encoder would read.
 * Example: { "use": "encoder-repetition", "penalty": 1.1 }
 */
@processor({ name: 'encoder-repetition', options: encoderRepetitionOptions, stage: 'scores', leavesOne: true })
export class EncoderRepetition extends Processor<typeof encoderRepetitionOptions> {
  override get active(): boolean {
    return this.options.penalty !== 1;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    if (!this.active) return;
    const { penalty } = this.options;
    const r = 1 / penalty;
    candidates.adjustLogits([...new Set(history.prompt)], (l) => {
      return penalized(l, r, 'EncoderRepetition', 'penalty', penalty);
    });
  }
}
