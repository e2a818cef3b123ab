import type { Candidates, StepContext } from '../contract.js';
import { idList } from '../masks/parts/ids.js';
import { Processor, processor } from '../processor.js';
import { flag, integerFrom, positive } from '../schema.js';
import * as z from '../zod.js';
import { penalized } from './parts/penalized.js';

const OWNER = 'WindowedRepetition';

export const windowedRepetitionOptions = z.strictObject({
  penalty: positive(),
  window: integerFrom(1),
  decay: z.optional(integerFrom(0)),
  prompt: z.optional(flag()),
  exempt: z.optional(idList()),
});

/**
 * Repetition penalty over a window: only what was said lately counts, and less the longer ago it is.
 *
 * For each distinct id among the newest window + decay ids, by the place d of its newest occurrence, 0 being the last id: r is
 * `penalty` for d < window, and behind that fades in equal steps, r = 1 + (penalty - 1) (window + decay - d) / (decay + 1). Then
 * l = l / r if l > 0, else l * r. The prompt counts unless `prompt` is false; ids of `exempt`, such as the end of a turn, are
 * never penalized. `decay` 0, the default, ends at once; a penalty of 1 is off. A masked id stays masked. Refused when a logit
 * overflows.
 * Source: llama.cpp, repeat_last_n; exllamav2, token_repetition_range and token_repetition_decay. Elsewhere:
 * repetition_penalty_range, repetition_context_size, penalty_last_n.
 * Differs from llama.cpp: a window of 0 or -1 is refused; without a window it is `repetition-penalty`.
 * Example: { "use": "windowed-repetition", "penalty": 1.1, "window": 64 }
 */
@processor({ name: 'windowed-repetition', options: windowedRepetitionOptions, stage: 'scores', leavesOne: true })
export class WindowedRepetition extends Processor<typeof windowedRepetitionOptions> {
  readonly #exempt = new Set(this.options.exempt ?? []);

  override get active(): boolean {
    return this.options.penalty !== 1;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    if (!this.active) return;
    const { penalty, window, decay = 0, prompt = true } = this.options;
    const ids = prompt ? history.sequence : history.output;
    const ages = agesOf(ids, window + decay, this.#exempt);
    candidates.adjustLogits([...ages.keys()], (l, id) => {
      const age = ages.get(id) as number;
      const r = age < window ? penalty : 1 + ((penalty - 1) * (window + decay - age)) / (decay + 1);
      return penalized(l, r, OWNER, 'penalty', penalty);
    });
  }
}

/** How long ago each id of the last `count` occurred last, newest first. */
function agesOf(ids: readonly number[], count: number, exempt: ReadonlySet<number>): Map<number, number> {
  const ages = new Map<number, number>();
  const oldest = Math.max(ids.length - count, 0);
  for (let at = ids.length - 1; at >= oldest; at--) {
    const id = ids[at] as number;
    if (!ages.has(id) && !exempt.has(id)) ages.set(id, ids.length - 1 - at);
  }
  return ages;
}
