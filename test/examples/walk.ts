/**
 * What an example should draw, from plain arrays: `q` is a distribution over the kept ids, by ascending id.
 */
import { requestRng } from '../../src/spec.js';

export type Kept = readonly { readonly id: number; readonly weight: number }[];

/** The id that the uniform `u` falls on. */
export function idAt(kept: Kept, u: number): number {
  const total = kept.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  for (const { id, weight } of kept) {
    sum += weight / total;
    if (u < sum) return id;
  }
  throw new Error(`the weights do not reach ${u}`);
}

/** The ids of the first `count` tokens of a request with `seed`, when every token has the same distribution. */
export function idsOf(kept: Kept, seed: number, count: number): string {
  const uniforms = requestRng(seed);
  return Array.from({ length: count }, () => idAt(kept, uniforms.uniform())).join(' ');
}

/** The ids that `keep` accepts, each with the weight e^(l / temperature). */
export function weigh(logits: ArrayLike<number>, temperature: number, keep: (id: number) => boolean): Kept {
  return Array.from(logits, (l, id) => ({ id, weight: Math.exp(l / temperature) })).filter(({ id }) => keep(id));
}
