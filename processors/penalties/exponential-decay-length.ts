import { type Candidates, InvalidValueError, type StepContext } from '../contract.js';
import { checkWithin, someIds } from '../masks/parts/ids.js';
import { Processor, processor } from '../processor.js';
import { integerFrom, positive } from '../schema.js';
import * as z from '../zod.js';

const OWNER = 'ExponentialDecayLength';

export const exponentialDecayLengthOptions = z.strictObject({
  start: integerFrom(0),
  factor: positive(),
  end_ids: someIds(),
});

/**
 * Exponential decay length: from a length on, the end becomes likelier with every token.
 *
 * With n generated ids, n > start: l = l + |l| * (factor^(n - start) - 1) for each end id in K; up to start nothing. The prompt
 * does not count. factor is finite and > 0: above 1 the end comes sooner, below 1 later; 1 is off. A logit of 0 stays 0. An end
 * id that is masked stays masked. Refused when a logit would overflow, and, at any token, for an end id that is not below V.
 * Source: Hugging Face, ExponentialDecayLengthPenalty, exponential_decay_length_penalty.
 * Differs from Hugging Face, where any factor is taken.
 * Example: { "use": "exponential-decay-length", "start": 50, "factor": 1.05, "end_ids": [2] }
 */
@processor({
  name: 'exponential-decay-length',
  options: exponentialDecayLengthOptions,
  stage: 'scores',
  leavesOne: true,
})
export class ExponentialDecayLength extends Processor<typeof exponentialDecayLengthOptions> {
  readonly #ids = [...new Set(this.options.end_ids)];

  override get active(): boolean {
    return this.options.factor !== 1;
  }

  process(candidates: Candidates, { history, numerics }: StepContext): void {
    const { start, factor, end_ids } = this.options;
    checkWithin(end_ids, candidates.vocabSize, OWNER, 'end_ids');
    const past = history.output.length - start;
    if (past <= 0) return;
    const growth = numerics.pow(factor, past) - 1;
    const raised = (l: number) => (l === 0 ? l : l + Math.abs(l) * growth);
    for (const id of this.#ids) {
      if (!candidates.has(id) || Number.isFinite(raised(candidates.logit(id)))) continue;
      throw new InvalidValueError(OWNER, 'factor', 'such that no logit overflows', factor);
    }
    candidates.adjustLogits(this.#ids, raised);
  }
}
