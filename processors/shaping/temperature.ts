import { type Candidates, InvalidValueError } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { nonNegative } from '../schema.js';
import type { WireParams } from '../wire-params.js';
import * as z from '../zod.js';

export const temperatureOptions = z.strictObject({ temperature: nonNegative() });

/** The parameter of a request that the step honours. */
export interface TemperatureParams {
  /**
   * T: divides the logits, below 1 to sharpen and above 1 to flatten. A finite number >= 0; default 1, which is off; 0 is
   * greedy.
   */
  readonly temperature?: number | undefined;
}

const params: WireParams<TemperatureParams, typeof temperatureOptions> = {
  temperature: { option: 'temperature', off: 1, on: 0.7, help: 'divides the logits; 0 is greedy' },
};

/**
 * Temperature: sharpens (T < 1) or flattens (T > 1) the distribution; T = 0 is greedy.
 *
 * T > 0: l = l / T, a division and not a product with 1 / T, which has other bits. T = 1 is off. T = 0: the id with the
 * largest l, ties to the lowest id, is the token; the steps after it are skipped and nothing is drawn. Refused when T
 * is so small that a logit overflows, or that all of them do.
 * Source: docs/SPEC.md, steps 4 and 5. Elsewhere: TemperatureLogitsWarper (refuses 0), llama.cpp temp.
 * Differs from vLLM: no threshold below which it turns greedy, and no clamp.
 * Example: { "use": "temperature", "temperature": 0.7 }
 */
@processor({ name: 'temperature', options: temperatureOptions, stage: 'policy', leavesOne: true, params })
export class Temperature extends Processor<typeof temperatureOptions> {
  override get active(): boolean {
    return this.options.temperature !== 1;
  }

  process(candidates: Candidates): void {
    const { temperature } = this.options;
    if (temperature === 0) {
      candidates.settle(candidates.idAtRank(0));
      return;
    }
    if (!Number.isFinite(candidates.maxLogit() / temperature)) {
      throw new InvalidValueError('Temperature', 'temperature', 'large enough that no logit overflows', temperature);
    }
    candidates.divideLogits(temperature);
  }
}
