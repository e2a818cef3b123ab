/**
 * The filters of Hugging Face's beam sampling: as top-k, top-p and min-p, but never fewer than some ids stay, one more
 * than there are end ids, so that a beam can go on.
 * Source: transformers 5.24.0, `min_tokens_to_keep` of its warpers.
 */
import type { Candidates, LogitsProcessor } from '../../../processors/contract.js';

/** Top-k: the `k` best, at least `least`. */
export function topK(k: number, least: number): LogitsProcessor {
  return step('top-k', { k, least }, (candidates) => candidates.keepBest(Math.max(k, least)));
}

/** Top-p: the fewest of the best whose q, summed in rank order, reach `p`, at least `least`. */
export function topP(p: number, least: number): LogitsProcessor {
  return step('top-p', { p, least }, (candidates) => {
    let count = 0;
    let sum = 0;
    while (count < candidates.size && sum < p) sum += candidates.probabilityAtRank(count++);
    candidates.keepBest(Math.max(count, least));
  });
}

/** Min-p: the ids with q >= m * max q, at least `least`. */
export function minP(m: number, least: number): LogitsProcessor {
  return step('min-p', { m, least }, (candidates) => {
    const threshold = m * candidates.maxProbability();
    let count = 0;
    while (count < candidates.size && candidates.probabilityAtRank(count) >= threshold) count++;
    candidates.keepBest(Math.max(count, least));
  });
}

function step(name: string, options: object, process: (candidates: Candidates) => void): LogitsProcessor {
  return { name, stage: 'policy', options, process };
}
