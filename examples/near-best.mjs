/**
 * A processor of one's own, written against the public entry points alone: the file is its definition.
 *
 * Written in TypeScript, the call of `processor` at the end would be a decorator: `@processor({ … })`.
 */
import { nonNegative, Processor, processor } from 'lockstep/processors';
import { z } from 'zod';

/** The options: the check, the error text and the chain as data come from this schema. */
export const nearBestOptions = z.strictObject({ gap: nonNegative() });

/**
 * Near-best: keeps the ids whose logit is at most a gap below the largest one.
 *
 * An id stays when l >= max l - gap; one exactly on the threshold stays, and so the most likely id always does. gap is finite
 * and >= 0, in nats; 0 keeps the ties of the largest. It is min-p with m = exp(-gap), but for rounding.
 */
export class NearBest extends Processor {
  /** @param {import('lockstep/processors').Candidates} candidates */
  process(candidates) {
    candidates.keepAtLeast(candidates.maxLogit() - this.options.gap);
  }
}

processor({ name: 'near-best', options: nearBestOptions, stage: 'policy' })(NearBest);
