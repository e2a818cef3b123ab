/** One step alone, on candidates of one's own. */

import type { LogitsProcessor } from '../../processors/index.js';
import { CandidateSet, TokenHistory } from '../../src/core.js';
import { exactNumerics } from '../../src/numerics/index.js';

export interface Ids {
  history?: readonly number[];
  prompt?: readonly number[];
}

/** The candidates after `step`. */
export function apply(
  step: LogitsProcessor,
  logits: readonly number[],
  { history = [], prompt = [] }: Ids = {},
): CandidateSet {
  const set = new CandidateSet();
  set.load(logits);
  step.process(set, {
    history: new TokenHistory(prompt, history),
    numerics: exactNumerics,
    uniform: () => {
      throw new Error('this step draws nothing');
    },
  });
  return set;
}

/** The ids that are left, ascending. */
export function kept(set: CandidateSet): number[] {
  return Array.from({ length: set.size }, (_, i) => set.idAt(i));
}
