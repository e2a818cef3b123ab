/**
 * A processor of one's own, written against the public entry points alone: the file is its definition.
 *
 * Written in TypeScript, the call of `processor` at the end would be a decorator: `@processor({ … })`.
 */
import { Processor, processor, share } from 'lockstep/processors';
import { z } from 'zod';

/** The options: the check, the error text and the chain as data come from this schema. */
export const topAOptions = z.strictObject({ a: share() });

/**
 * Top-a: keeps the ids whose probability is at least a times the square of the largest one.
 *
 * With q the softmax over K, an id stays when q >= a * (max q)^2; one exactly on the threshold stays. Where the model is
 * sure, little else stays; where it is not, nearly all does. a in [0, 1]; 0 is off. As a (max q)^2 <= max q, the most
 * likely id always stays.
 * Elsewhere: top_a in text-generation-webui and exllamav2.
 */
export class TopA extends Processor {
  get active() {
    return this.options.a > 0;
  }

  /** @param {import('lockstep/processors').Candidates} candidates */
  process(candidates) {
    const q = candidates.probabilities();
    const top = candidates.maxProbability();
    const threshold = this.options.a * top * top;
    candidates.keepIds((_id, index) => q[index] >= threshold);
  }
}

processor({ name: 'top-a', options: topAOptions, stage: 'policy' })(TopA);
