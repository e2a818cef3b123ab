import type { Candidates, StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { finite, integerFrom } from '../schema.js';
import * as z from '../zod.js';
import { adjustOrRefuse } from './parts/adjust-or-refuse.js';
import { countedText, Exempt, recentFields } from './parts/recent.js';

const OWNER = 'RecentPresenceFrequency';

export const recentPresenceFrequencyOptions = z.strictObject({
  presence: z._default(finite(), 0),
  frequency: z._default(finite(), 0),
  window: z.optional(integerFrom(0)),
  ...recentFields,
});

/**
 * Recent presence and frequency: both penalties over the last ids of the text, the prompt counted.
 *
 * With c the number of times that an id is among the last `window` ids: l = l - frequency * c - presence where c > 0, the
 * frequency first. window counts ids, an integer >= 0, and is the whole text where it is left out. The prompt counts unless
 * `prompt` is false; ids of `exempt_ids`, such as ends of turns, are passed over, and count as places. Negative penalties
 * encourage; both 0 is off, and so is a window of 0 ids. A masked id stays masked. Refused when a logit overflows or no id is
 * left above -Infinity, and, at any token, for an exempt id that is not below V.
 * Source: llama.cpp, penalties with penalty_last_n. Elsewhere: repeat_last_n, presence_context_size and frequency_context_size
 * of mlx-lm, presence_penalty and frequency_penalty of text-generation-webui with repetition_penalty_range.
 * Differs from `presence-frequency`, the spec's step, which counts all of the output and nothing of the prompt.
 * Example: { "use": "recent-presence-frequency", "frequency": 0.5, "window": 64 }
 */
@processor({
  name: 'recent-presence-frequency',
  options: recentPresenceFrequencyOptions,
  stage: 'scores',
  leavesOne: true,
})
export class RecentPresenceFrequency extends Processor<typeof recentPresenceFrequencyOptions> {
  readonly #exempt = new Exempt(this.options.exempt_ids, OWNER);

  override get active(): boolean {
    const { presence, frequency, window } = this.options;
    return (presence !== 0 || frequency !== 0) && window !== 0;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    if (!this.active) return;
    this.#exempt.check(candidates.vocabSize);
    const { presence, frequency, prompt } = this.options;
    const counts = this.#counts(countedText(history, prompt));
    const penalized = (l: number, id: number) => l - frequency * (counts.get(id) as number) - presence;
    const blamed = frequency !== 0 ? { name: 'frequency', value: frequency } : { name: 'presence', value: presence };
    adjustOrRefuse(candidates, [...counts.keys()], penalized, { owner: OWNER, ...blamed });
  }

  #counts(text: readonly number[]): Map<number, number> {
    const { window = text.length } = this.options;
    const counts = new Map<number, number>();
    for (let at = Math.max(0, text.length - window); at < text.length; at++) {
      const id = text[at] as number;
      if (!this.#exempt.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }
}
