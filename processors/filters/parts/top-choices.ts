/**
 * The ids that XTC excludes when it acts.
 */
import type { Candidates } from '../../contract.js';
import type { XtcOptions } from './xtc-options.js';

/** None where fewer than two ids are choices, fewer than `min_keep` would stay, or one of the special ids would go. */
export function topChoices(candidates: Candidates, options: XtcOptions): number[] {
  const { threshold, min_keep = 1, special_ids = [] } = options;
  const { size } = candidates;
  let choices = 0;
  while (choices < size && candidates.probabilityAtRank(choices) >= threshold) choices++;
  if (choices < 2 || size - (choices - 1) < min_keep) return [];
  const excluded = Array.from({ length: choices - 1 }, (_, rank) => candidates.idAtRank(rank));
  return excluded.some((id) => special_ids.includes(id)) ? [] : excluded;
}
