/**
 * The inverse of the cumulative distribution: maps a uniform to an id with probability q exactly.
 */
import type { CandidateSet } from '../candidates/candidate-set.js';
import { InvalidValueError } from '../errors.js';
import { hasFunction } from '../kinds.js';
import { isUniform } from '../random/uniform.js';

/**
 * Walks K in ascending id order adding q to c; the first id with u < c. If rounding leaves c <= u at the end, the
 * largest id with q > 0.
 * @param u in [0, 1)
 * Source: docs/SPEC.md, step 11.
 */
export function inverseCdf(candidates: CandidateSet, u: number): number {
  if (!hasFunction(candidates, 'walk')) {
    throw new InvalidValueError('inverseCdf', 'candidates', 'a CandidateSet', candidates);
  }
  if (!isUniform(u)) throw new InvalidValueError('inverseCdf', 'u', 'a number in [0, 1)', u);
  const id = candidates.walk(u);
  if (id >= 0) return id;
  let last = candidates.size - 1;
  while (candidates.probabilityAt(last) === 0) last--;
  return candidates.idAt(last);
}
