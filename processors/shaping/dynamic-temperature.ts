import { type Candidates, InvalidValueError, type StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { nonNegative } from '../schema.js';
import * as z from '../zod.js';

export const dynamicTemperatureOptions = z.strictObject({
  low: nonNegative(),
  high: nonNegative(),
  exponent: z._default(nonNegative(), 1),
});

/**
 * Dynamic temperature: a low one where the model is sure, a high one where it is not.
 *
 * With H the entropy of the softmax over K and N = |K|: T = low + (high - low) * min(H / ln N, 1)^exponent, then l = l / T as
 * `temperature` does it: of T = 0 the largest l, ties to the lowest id, is the token. Where N = 1 there is nothing to do. low and
 * high are finite and >= 0, low at most high; exponent is finite and >= 0, default 1. Both 1 is off. Refused when T is so
 * small that a logit overflows.
 * Source: kalomaze 2023; llama.cpp, temp_ext. Elsewhere: dynatemp_low, dynatemp_high, dynatemp_range, dynatemp_exponent.
 * Differs from llama.cpp, which says low and high as temperature -/+ range, and counts masked ids in N.
 * Example: { "use": "dynamic-temperature", "low": 0.5, "high": 1.5 }
 */
@processor({ name: 'dynamic-temperature', options: dynamicTemperatureOptions, stage: 'policy', leavesOne: true })
export class DynamicTemperature extends Processor<typeof dynamicTemperatureOptions> {
  constructor(options: z.input<typeof dynamicTemperatureOptions>) {
    super(options);
    const { low, high } = this.options;
    if (low > high) throw new InvalidValueError('DynamicTemperature', 'low', `at most high, which is ${high}`, low);
  }

  override get active(): boolean {
    return this.options.low !== 1 || this.options.high !== 1;
  }

  process(candidates: Candidates, { numerics }: StepContext): void {
    const { low, high, exponent } = this.options;
    const { size } = candidates;
    if (!this.active || size === 1) return;
    const flatness = Math.min(candidates.entropy() / numerics.log(size), 1);
    const temperature = low + (high - low) * numerics.pow(flatness, exponent);
    if (temperature === 0) {
      candidates.settle(candidates.idAtRank(0));
      return;
    }
    if (!Number.isFinite(candidates.maxLogit() / temperature)) {
      throw new InvalidValueError('DynamicTemperature', 'low', 'large enough that no logit overflows', low);
    }
    candidates.divideLogits(temperature);
  }
}
