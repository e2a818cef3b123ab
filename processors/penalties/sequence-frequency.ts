import { type Candidates, InvalidValueError, NothingLeftError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { finite } from '../schema.js';
import * as z from '../zod.js';
import { leavesNothing } from './leaves-nothing.js';

const OWNER = 'SequenceFrequency';

export const sequenceFrequencyOptions = z.strictObject({ presence: finite(), frequency: finite() });

/**
 * Presence and frequency penalties over prompt and output: a flat cost for an id that occurred, and a cost for each time.
 *
 * For each id that occurs c > 0 times in prompt and output: l = l - a_f * c - a_p, evaluated in that order. Both 0 is off; negative
 * ones encourage repetition. A masked id stays masked. Each token counts the whole history. Refused when a logit overflows, or
 * when no id is left above -Infinity.
 * Source: PVML's sampling rules, frequency over the whole sequence. Elsewhere: presence_penalty and frequency_penalty of
 * text-generation-webui, where the prompt counts.
 * Differs from `presence-frequency`, the spec's step, where the prompt does not count.
 * Example: { "use": "sequence-frequency", "presence": 0, "frequency": 0.2 }
 */
@processor({ name: 'sequence-frequency', options: sequenceFrequencyOptions, stage: 'scores', leavesOne: true })
export class SequenceFrequency extends Processor<typeof sequenceFrequencyOptions> {
  override get active(): boolean {
    return this.options.presence !== 0 || this.options.frequency !== 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    if (!this.active) return;
    const { presence, frequency } = this.options;
    const [name, value] = frequency !== 0 ? (['frequency', frequency] as const) : (['presence', presence] as const);
    const counts = new Map<number, number>();
    for (const id of history.sequence) counts.set(id, (counts.get(id) ?? 0) + 1);
    try {
      candidates.adjustLogits([...counts.keys()], (l, id) => {
        const penalized = l - frequency * (counts.get(id) as number) - presence;
        if (penalized < Infinity) return penalized;
        throw new InvalidValueError(OWNER, name, 'small enough that no logit overflows', value);
      });
    } catch (error) {
      throw error instanceof NothingLeftError ? leavesNothing(OWNER, name, value) : error;
    }
  }
}
