import { type Candidates, InvalidValueError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { finite } from '../schema.js';
import type { WireParams } from '../wire-params.js';
import * as z from '../zod.js';
import { leavesNothing } from './leaves-nothing.js';

const OWNER = 'PresenceFrequency';

export const presenceFrequencyOptions = z.strictObject({
  presence: z._default(finite(), 0),
  frequency: z._default(finite(), 0),
});

/** The parameters of a request that the step honours. */
export interface PresenceFrequencyParams {
  /**
   * a_p: taken from the logits of ids that were generated. A finite number; default 0, which is off; below 0 encourages
   * them.
   */
  readonly presence_penalty?: number | undefined;
  /**
   * a_f: taken once for each time that an id was generated. A finite number; default 0, which is off; below 0 encourages
   * them.
   */
  readonly frequency_penalty?: number | undefined;
}

const params: WireParams<PresenceFrequencyParams, typeof presenceFrequencyOptions> = {
  presence_penalty: { option: 'presence', off: 0, on: 0.5, help: 'taken from the logits of ids generated before' },
  frequency_penalty: {
    option: 'frequency',
    off: 0,
    on: 0.5,
    help: 'taken once for each time that an id was generated',
  },
};

/**
 * Presence and frequency penalties: a flat cost for an id that was generated before, and a cost for each time it was.
 *
 * For each id that occurs c > 0 times in the output (the prompt does not count): l = l - a_f * c - a_p, evaluated in
 * that order. Negative penalties encourage repetition. Both 0 is off. Refused when a logit overflows,
 * or when no id is left above -Infinity.
 * Source: docs/SPEC.md, step 3; the OpenAI API reference, presence_penalty and frequency_penalty.
 * Differs from mistral.rs and web-llm: comes after the repetition penalty. Differs from llama.cpp: the whole output
 * counts, and not the prompt.
 * Example: { "use": "presence-frequency", "presence": 0.5, "frequency": 0.2 }
 */
@processor({ name: 'presence-frequency', options: presenceFrequencyOptions, stage: 'scores', leavesOne: true, params })
export class PresenceFrequency extends Processor<typeof presenceFrequencyOptions> {
  override get active(): boolean {
    return this.options.presence !== 0 || this.options.frequency !== 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    const { presence, frequency } = this.options;
    for (const id of history.generated) {
      const l = candidates.logit(id);
      const penalized = l - frequency * history.outputCount(id) - presence;
      if (!(penalized < Infinity)) throw this.#overflow();
      if (l === -Infinity) continue;
      if (penalized === -Infinity && candidates.size === 1) throw leavesNothing(OWNER, ...this.#blamed());
      candidates.setLogit(id, penalized);
    }
  }

  #overflow(): InvalidValueError {
    const [name, value] = this.#blamed();
    return new InvalidValueError(OWNER, name, 'small enough that no logit overflows', value);
  }

  /** The penalty that an error names, where both may have part in it. */
  #blamed(): [name: string, value: number] {
    const { presence, frequency } = this.options;
    return frequency !== 0 ? ['frequency', frequency] : ['presence', presence];
  }
}
