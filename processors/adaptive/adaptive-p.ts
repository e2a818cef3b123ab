import { isPlainObject } from '../../src/kinds.js';
import { type AcceptInfo, type Candidates, InvalidValueError, type JsonValue } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { numberIn, share } from '../schema.js';
import * as z from '../zod.js';
import { toldProbability } from './parts/told-probability.js';

/** How far from the target q may lie and stay likely, the logit on the target, and how steeply it falls. */
const WIDTH = 0.3;
const PEAK = 5;
const SHARPNESS = 10;
const STATE = 'an object with the numbers `sum` >= 0 and `weight` >= 1, as `save` gave it';

export const adaptivePOptions = z.strictObject({
  target: share(),
  decay: z._default(
    numberIn('a number in [0, 0.99]', (x) => x >= 0 && x <= 0.99),
    0.9,
  ),
});

/**
 * Adaptive-p: makes ids likely whose probability is near a target, which moves so that the chosen ones are near it on average.
 *
 * With q as the step finds it: l = 5 - 10 d d / (1 + d), d = |q - t| / 0.3, t = 2 target - W / N, held to [0, 1]. W and N begin at
 * target / (1 - decay) and 1 / (1 - decay); an id that comes with probability q at this step's place, before it, moves them: W =
 * q + decay W, N = 1 + decay N. Of an id whose q is not known nothing is learned. K stays, equal q give equal l, and the
 * sampler draws once, as ever. target in [0, 1]; decay in [0, 0.99], default 0.9. It must stand last: what it gives is no order
 * by likelihood any more, so that a filter behind it, or a temperature of 0, would mean something else.
 * Source: llama.cpp, pull request 17927. Elsewhere: adaptive_p, adaptive_target, adaptive_decay; power-law sampling.
 * Differs from llama.cpp: W and N move with every id that comes from a known distribution, forced ones among them, not only
 * with the one that it drew itself; there a target below 0 is off.
 * Example: { "use": "adaptive-p", "target": 0.55, "decay": 0.9 }
 */
@processor({ name: 'adaptive-p', options: adaptivePOptions, stage: 'policy', leavesOne: true })
export class AdaptiveP extends Processor<typeof adaptivePOptions> {
  readonly feedback = 'own';
  #sum = this.options.target / (1 - this.options.decay);
  #weight = 1 / (1 - this.options.decay);

  process(candidates: Candidates): void {
    const t = Math.min(Math.max(2 * this.options.target - this.#sum / this.#weight, 0), 1);
    const q = candidates.probabilities();
    let index = 0;
    candidates.mapLogits(() => {
      const d = Math.abs((q[index++] as number) - t) / WIDTH;
      return PEAK - (SHARPNESS * d * d) / (1 + d); // from the left, as its inventor computes it
    });
  }

  accept(id: number, info?: AcceptInfo): void {
    const q = toldProbability('AdaptiveP', id, info);
    if (q === undefined) return;
    const { decay } = this.options;
    this.#sum = q + decay * this.#sum;
    this.#weight = 1 + decay * this.#weight;
  }

  save(): JsonValue {
    return { sum: this.#sum, weight: this.#weight };
  }

  restore(state: JsonValue): void {
    const { sum, weight } = isPlainObject(state) ? state : {};
    const isState = isFrom(sum, 0) && isFrom(weight, 1);
    if (!isState) throw new InvalidValueError('AdaptiveP', 'state', STATE, state);
    this.#sum = sum;
    this.#weight = weight;
  }
}

function isFrom(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= least;
}
