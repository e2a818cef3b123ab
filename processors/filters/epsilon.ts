import type { Candidates } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { cutoffOptions } from './parts/cutoff-options.js';
import { keepFrom } from './parts/keep-from.js';

/**
 * Epsilon: keeps the ids whose probability is at least epsilon.
 *
 * With q the softmax over K, an id stays when q >= epsilon; one exactly on it stays. Where these are fewer than `min_keep`
 * (default 1), the `min_keep` best stay in the order (l descending, id ascending), so that K never empties. epsilon in [0, 1);
 * 0 is off. Usual values are 3e-4 to 9e-4.
 * Source: Hewitt et al. 2022, arXiv 2210.15191. Elsewhere: EpsilonLogitsWarper, epsilon_cutoff.
 * Differs from Hugging Face: of ids that are tied at the last place of `min_keep`, the lowest stay and not all.
 * Example: { "use": "epsilon", "epsilon": 0.0003 }
 */
@processor({ name: 'epsilon', options: cutoffOptions, stage: 'policy', leavesOne: true })
export class Epsilon extends Processor<typeof cutoffOptions> {
  override get active(): boolean {
    return this.options.epsilon > 0;
  }

  process(candidates: Candidates): void {
    const { epsilon, min_keep } = this.options;
    if (this.active) keepFrom(candidates, epsilon, min_keep);
  }
}
