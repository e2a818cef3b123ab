import { type Candidates, InvalidValueError, NothingLeftError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { positive } from '../schema.js';
import type { WireParams } from '../wire-params.js';
import * as z from '../zod.js';
import { leavesNothing } from './leaves-nothing.js';

export const repetitionPenaltyOptions = z.strictObject({ penalty: positive() });

/** The parameter of a request that the step honours. */
export interface RepetitionPenaltyParams {
  /**
   * r: divides the logits above 0 of ids that occurred in prompt or output, and multiplies the others; above 1 makes
   * them less likely. A finite number > 0; default 1, which is off.
   */
  readonly repetition_penalty?: number | undefined;
}

const params: WireParams<RepetitionPenaltyParams, typeof repetitionPenaltyOptions> = {
  repetition_penalty: {
    option: 'penalty',
    off: 1,
    on: 1.1,
    help: 'divides or multiplies the logits of ids seen before',
  },
};

/**
 * Repetition penalty: makes every id that occurred before, in the prompt or in the output, less likely.
 *
 * Once for each distinct id, however often it occurred: l = l / r if l > 0, else l = l * r. Dividing a negative logit
 * would raise it, hence the product. r > 1 discourages repetition, 0 < r < 1 encourages it; 1 is off. A masked id stays
 * masked. Refused when r is so small that a logit overflows, or so large that no id is left above -Infinity.
 * Source: docs/SPEC.md, step 2; Keskar et al. 2019, "CTRL", arXiv 1909.05858. Elsewhere: RepetitionPenaltyLogitsProcessor,
 * repeat_penalty.
 * Differs from llama.cpp: no window, the whole history counts. Differs from web-llm: the prompt counts.
 * Example: { "use": "repetition-penalty", "penalty": 1.1 }
 */
@processor({ name: 'repetition-penalty', options: repetitionPenaltyOptions, stage: 'scores', leavesOne: true, params })
export class RepetitionPenalty extends Processor<typeof repetitionPenaltyOptions> {
  override get active(): boolean {
    return this.options.penalty !== 1;
  }

  process(candidates: Candidates, { history }: StepContext): void {
    const { penalty } = this.options;
    try {
      candidates.adjustLogits(history.seen, (l) => {
        const penalized = l > 0 ? l / penalty : l * penalty;
        if (penalized < Infinity) return penalized;
        throw new InvalidValueError('RepetitionPenalty', 'penalty', 'large enough that no logit overflows', penalty);
      });
    } catch (error) {
      throw error instanceof NothingLeftError ? leavesNothing('RepetitionPenalty', 'penalty', penalty) : error;
    }
  }
}
