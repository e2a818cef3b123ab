/**
 * Rules that look at each id by itself; a refusal names the rule.
 */
import { type Candidates, NothingLeftError } from '../../contract.js';

/** Keeps the ids for which `keep` is true. Where nothing would be left, throws what `refusal` gives, and nothing changed. */
export function keepWhere(
  candidates: Candidates,
  keep: (id: number) => boolean,
  refusal: () => NothingLeftError,
): void {
  try {
    candidates.keepIds(keep);
  } catch (error) {
    throw error instanceof NothingLeftError ? refusal() : error;
  }
}
