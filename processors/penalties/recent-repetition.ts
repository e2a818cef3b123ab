import { type Candidates, InvalidValueError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { integerFrom, positive } from '../schema.js';
import * as z from '../zod.js';
import { adjustOrRefuse } from './parts/adjust-or-refuse.js';
import { countedText, Exempt, recentFields } from './parts/recent.js';

const OWNER = 'RecentRepetition';

export const recentRepetitionOptions = z.strictObject({
  penalty: positive(),
  sustain: z.optional(integerFrom(0)),
  decay: z._default(integerFrom(0), 0),
  ...recentFields,
});

/**
 * Recent repetition: the repetition penalty over the last ids of the text, which may fade.
 *
 * Each distinct id once, by its newest occurrence, which is d ids before the end (the last id has d = 0): with r the penalty,
 * r_d = r for d < sustain, r_d = r + (1 - r) * ((d - sustain) / decay) for d < sustain + decay, none for older ones; l = l / r_d
 * if l > 0, else l = l * r_d. sustain and decay count ids, integers >= 0; sustain left out is the whole text, and then decay must
 * be 0, its default. The prompt counts unless `prompt` is false; ids of `exempt_ids`, such as ends of turns, are passed over, and
 * count as places. A penalty of 1 is off, and so is a window of 0 ids. A masked id stays masked. Refused when a logit overflows
 * or no id is left above -Infinity, and, at any token, for an exempt id that is not below V.
 * Source: exllamav2, token_repetition_penalty with token_repetition_range and token_repetition_decay. Elsewhere:
 * repeat_last_n, penalty_last_n of llama.cpp, repetition_context_size of mlx-lm, repetition_penalty_range of
 * text-generation-webui, prompt_ignore_length of Hugging Face.
 * Differs from `repetition-penalty`, the spec's step, which has the whole history and no options beside the penalty.
 * Example: { "use": "recent-repetition", "penalty": 1.1, "sustain": 64 }
 */
@processor({ name: 'recent-repetition', options: recentRepetitionOptions, stage: 'scores', leavesOne: true })
export class RecentRepetition extends Processor<typeof recentRepetitionOptions> {
  readonly #exempt = new Exempt(this.options.exempt_ids, OWNER);

  constructor(options: z.input<typeof recentRepetitionOptions>) {
    super(options);
    const { sustain, decay } = this.options;
    if (sustain === undefined && decay > 0) {
      throw new InvalidValueError(
        OWNER,
        'decay',
        '0 where `sustain` is left out, as the whole text is sustained',
        decay,
      );
    }
  }

  override get active(): boolean {
    const { penalty, sustain, decay } = this.options;
    return penalty !== 1 && (sustain !== 0 || decay > 0);
  }

  process(candidates: Candidates, { history }: StepContext): void {
    if (!this.active) return;
    this.#exempt.check(candidates.vocabSize);
    const { penalty, prompt } = this.options;
    const penalties = this.#penalties(countedText(history, prompt));
    const penalized = (l: number, id: number) => {
      const r = penalties.get(id) as number;
      return l > 0 ? l / r : l * r;
    };
    const remedy = penalty < 1 ? 'large' : 'small';
    adjustOrRefuse(candidates, [...penalties.keys()], penalized, {
      owner: OWNER,
      name: 'penalty',
      value: penalty,
      remedy,
    });
  }

  /** r_d of each id that counts, by its newest occurrence. */
  #penalties(text: readonly number[]): Map<number, number> {
    const { penalty, sustain = text.length, decay } = this.options;
    const penalties = new Map<number, number>();
    const window = Math.min(text.length, sustain + decay);
    for (let d = 0; d < window; d++) {
      const id = text[text.length - 1 - d] as number;
      if (penalties.has(id) || this.#exempt.has(id)) continue;
      penalties.set(id, d < sustain ? penalty : penalty + (1 - penalty) * ((d - sustain) / decay));
    }
    return penalties;
  }
}
