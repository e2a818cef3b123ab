import type { Candidates, StepContext } from '../contract.js';
import { Processor, processor } from '../processor.js';
import { topChoices } from './parts/top-choices.js';
import { checkSpecialIds, xtcOptions } from './parts/xtc-options.js';

/**
 * XTC, exclude top choices: now and then removes all likely ids but the least likely of them.
 *
 * One uniform u of the request's is drawn for every token, whatever the logits. Where u < probability: with q the softmax over
 * K, the choices are the ids with q >= threshold, one exactly on it included. Of two or more, all go but the last in the order
 * (l descending, id ascending). Nothing goes where fewer than `min_keep` would stay, or where one of `special_ids` (a newline,
 * the end) would go. probability in [0, 1]; 0 is off and draws nothing. threshold in (0, 0.5], default 0.1: no two ids are
 * above a half.
 * Source: Weidmann 2024, text-generation-webui, pull request 6335. Elsewhere: xtc_probability, xtc_threshold.
 * Differs from llama.cpp: the uniform is the request's, and drawn always. Differs from MLX: equality is a choice, of choices
 * tied at the end one stays, and a special id that would go keeps all. `xtc-mixture` is the same distribution without a draw.
 * Example: { "use": "xtc", "probability": 0.5, "threshold": 0.1 }
 */
@processor({ name: 'xtc', options: xtcOptions, stage: 'policy', leavesOne: true, draws: 1 })
export class Xtc extends Processor<typeof xtcOptions> {
  override get active(): boolean {
    return this.options.probability > 0;
  }

  process(candidates: Candidates, context: StepContext): void {
    if (!this.active) return;
    checkSpecialIds(candidates, this.options, 'Xtc');
    if (!(context.uniform() < this.options.probability)) return;
    const excluded = topChoices(candidates, this.options);
    if (excluded.length > 0) candidates.adjustLogits(excluded, () => -Infinity);
  }
}
