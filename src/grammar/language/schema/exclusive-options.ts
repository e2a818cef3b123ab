/**
 * `oneOf` said by `anyOf`: where its options are disjoint, or where what others allow can be taken out of each.
 */
import type { Json } from './copy-json.js';
import type { Disjointness } from './disjoint.js';
import { isObject } from './keywords.js';
import { negation } from './rewrites.js';

/**
 * `options`, each without what others of them allow; undefined where that cannot be said. `type` is that of the schema
 * they stand in.
 */
export function exclusiveOptions(
  options: readonly Json[],
  type: Json | undefined,
  disjointness: Disjointness,
): Json[] | undefined {
  const typed = options.map((option) => (isObject(option) && type !== undefined ? { type, ...option } : option));
  const exclusive = options.map((option, i) => {
    const others = options.filter((_, j) => i !== j && !disjointness.ofAll([typed[i] as Json, typed[j] as Json]));
    const excluded = others.map(negation);
    if (excluded.includes(undefined)) return undefined;
    return excluded.length === 0 ? option : { allOf: [option, ...(excluded as Json[])] };
  });
  return exclusive.includes(undefined) ? undefined : (exclusive as Json[]);
}
