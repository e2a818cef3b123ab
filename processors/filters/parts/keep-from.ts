/**
 * What the filters with a threshold share: which ids are likely enough.
 */
import type { Candidates } from '../../contract.js';

/** So many of the best are looked at first: more often than not the threshold is among them. */
const FIRST = 256;

/** Keeps the ids with q >= `threshold`; where these are fewer than `least`, an integer >= 1, the `least` best. */
export function keepFrom(candidates: Candidates, threshold: number, least = 1): void {
  const { probabilities } = candidates.ranked(FIRST);
  const end = probabilities.findIndex((q) => q < threshold); // q falls by rank, also where it is rounded
  if (end >= 0) candidates.keepBest(Math.max(end, least));
  else if (probabilities.length < candidates.size) keepAmongAll(candidates, threshold, least);
}

function keepAmongAll(candidates: Candidates, threshold: number, least: number): void {
  const q = candidates.probabilities();
  let count = 0;
  for (let i = 0; i < q.length; i++) if ((q[i] as number) >= threshold) count++;
  if (count < least) candidates.keepBest(least);
  else if (count < q.length) candidates.keepIds((_, index) => (q[index] as number) >= threshold);
}
