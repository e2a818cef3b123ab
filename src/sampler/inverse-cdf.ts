/**
 * The inverse of the cumulative distribution: maps a uniform to an id with probability q exactly.
 */
import type { Candidates } from '../../processors/contract.js';

/**
 * Walks K in ascending id order adding q to c; the first id with u < c. If rounding leaves c <= u at the end, the
 * largest id with q > 0.
 * @param u in [0, 1)
 * Source: SPEC.md step 11.
 */
export function inverseCdf(candidates: Candidates, u: number): number {
  const { size } = candidates;
  let c = 0;
  for (let i = 0; i < size; i++) {
    c += candidates.probabilityAt(i);
    if (u < c) return candidates.idAt(i);
  }
  let last = size - 1;
  while (candidates.probabilityAt(last) === 0) last--;
  return candidates.idAt(last);
}
