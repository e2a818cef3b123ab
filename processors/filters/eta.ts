import type { Candidates, StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { cutoffOptions } from './parts/cutoff-options.js';
import { keepFrom } from './parts/keep-from.js';

/**
 * Eta: keeps the ids whose probability is at least a threshold that falls where the distribution is flat.
 *
 * With q the softmax over K and H its entropy in nats, an id stays when q >= min(epsilon, sqrt(epsilon) * exp(-H)); one exactly
 * on it stays. Where these are fewer than `min_keep` (default 1), the `min_keep` best stay in the order (l descending, id
 * ascending), so that K never empties. epsilon in [0, 1); 0 is off. Usual values are 3e-4 to 4e-3.
 * Source: Hewitt et al. 2022, arXiv 2210.15191. Elsewhere: EtaLogitsWarper, eta_cutoff.
 * Differs from Hugging Face: of ids that are tied at the last place of `min_keep`, the lowest stay and not all.
 * Example: { "use": "eta", "epsilon": 0.002 }
 */
@processor({ name: 'eta', options: cutoffOptions, stage: 'policy', leavesOne: true })
export class Eta extends Processor<typeof cutoffOptions> {
  override get active(): boolean {
    return this.options.epsilon > 0;
  }

  process(candidates: Candidates, { numerics }: StepContext): void {
    if (!this.active) return;
    const { epsilon, min_keep } = this.options;
    const flat = numerics.sqrt(epsilon) * numerics.exp(-candidates.entropy());
    keepFrom(candidates, Math.min(epsilon, flat), min_keep);
  }
}
