/**
 * Bans of few ids: without a pass over the vocabulary.
 */
import type { Candidates, NothingLeftError } from '../../contract.js';

/**
 * Removes those of `ids` that are in K; each is named once, and all are below V. Where nothing would be left, throws what
 * `refusal` gives, and nothing changed.
 */
export function banIds(candidates: Candidates, ids: readonly number[], refusal: () => NothingLeftError): void {
  if (ids.length >= candidates.size && countKept(candidates, ids) === candidates.size) throw refusal();
  candidates.adjustLogits(ids, masked);
}

/** Not a finite number, however low: nothing later brings the id back. */
function masked(): number {
  return -Infinity;
}

function countKept(candidates: Candidates, ids: readonly number[]): number {
  let count = 0;
  for (const id of ids) if (candidates.has(id)) count++;
  return count;
}
