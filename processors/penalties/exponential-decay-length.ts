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
 * Exponential decay of length: from some length on, the end becomes more likely with each token.
 *
 * When the output has t > start ids, for each end id: l = l + |l| (factor^(t - start) - 1). A factor above 1 raises the end ids,
 * one below 1 lowers them; 1 is off. A masked id stays masked. Refused when a logit overflows, and, at any token, for an end id
 * that is not below V.
 * Source: Hugging Face, ExponentialDecayLengthPenalty, exponential_decay_length_penalty.
 * Differs from Hugging Face: the power is exact, and start counts generated ids, as there after the prompt was added to it.
 * Example: { "use": "exponential-decay-length", "start": 100, "factor": 1.02, "end_ids": [2] }
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
    const over = history.output.length - start;
    if (!this.active || over <= 0) return;
    const raised = numerics.pow(factor, over) - 1;
    candidates.adjustLogits(this.#ids, (l) => {
      const result = l + Math.abs(l) * raised;
      if (Number.isFinite(result)) return result;
      throw new InvalidValueError(OWNER, 'factor', `such that no logit overflows after ${over} more tokens`, factor);
    });
  }
}
