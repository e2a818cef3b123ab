import type { Candidates, StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { topChoices } from './parts/top-choices.js';
import { checkSpecialIds, xtcOptions } from './parts/xtc-options.js';

/**
 * XTC without a draw: the ids that `xtc` would remove now and then become less likely, so that each has the probability that
 * it has with `xtc` on average.
 *
 * With P the probability, E the ids that `xtc` removes where it acts, q the softmax over K, and r the sum of q over the others
 * by ascending id: l = l + ((ln(1 - P) + ln r) - ln((1 - P) * r + P)) for each id of E, which goes where P = 1. The softmax is
 * then (1 - P) q + P q', q' that of `xtc` where it acts. It is meant to stand last: a filter behind it sees the mixture.
 * Options and their domains are those of `xtc`.
 * Source: exllamav3, SS_XTC. Elsewhere: xtc_probability, xtc_threshold.
 * Differs from exllamav3: special ids keep all, and equality is a choice.
 * Example: { "use": "xtc-mixture", "probability": 0.5, "threshold": 0.1 }
 */
@processor({ name: 'xtc-mixture', options: xtcOptions, stage: 'policy', leavesOne: true })
export class XtcMixture extends Processor<typeof xtcOptions> {
  override get active(): boolean {
    return this.options.probability > 0;
  }

  process(candidates: Candidates, { numerics }: StepContext): void {
    if (!this.active) return;
    checkSpecialIds(candidates, this.options, 'XtcMixture');
    const excluded = topChoices(candidates, this.options);
    if (excluded.length === 0) return;
    const P = this.options.probability;
    const rest = massOfOthers(candidates, excluded);
    const shift = numerics.log(1 - P) + numerics.log(rest) - numerics.log((1 - P) * rest + P);
    candidates.adjustLogits(excluded, (l) => l + shift);
  }
}

/** At least the threshold, which the least likely choice reaches. */
function massOfOthers(candidates: Candidates, excluded: readonly number[]): number {
  const ids = candidates.ids();
  const q = candidates.probabilities();
  const isExcluded = new Set(excluded);
  let sum = 0;
  for (let i = 0; i < ids.length; i++) if (!isExcluded.has(ids[i] as number)) sum += q[i] as number;
  return sum;
}
