/**
 * `oneOf` said by `anyOf`: where its options are disjoint, or where what others allow can be taken out of each.
 */
import type { Json } from './copy-json.js';
import type { Disjointness } from './disjoint.js';
import { isObject } from './keywords.js';
import { negation } from './rewrites.js';

/** The most conditions that are added to options to keep them apart. */
const MOST_CONDITIONS = 2000;

/**
 * `options`, each without what others of them allow; undefined where that cannot be said. `type` is that of the schema
 * they stand in.
 */
export function exclusiveOptions(
  options: readonly Json[],
  type: Json | undefined,
  disjointness: Disjointness,
): Json[] | undefined {
  const others = overlapping(options, type, disjointness);
  if (others.reduce((sum, some) => sum + some.length, 0) > MOST_CONDITIONS) return undefined;
  const exclusive = options.map((option, i) => {
    const excluded = (others[i] as Json[]).map(negation);
    if (excluded.includes(undefined)) return undefined;
    return excluded.length === 0 ? option : { allOf: [option, ...(excluded as Json[])] };
  });
  return exclusive.includes(undefined) ? undefined : (exclusive as Json[]);
}

/** For each option, those of the others that are not plainly disjoint with it, in their order. */
function overlapping(options: readonly Json[], type: Json | undefined, disjointness: Disjointness): Json[][] {
  const typed = options.map((option) => (isObject(option) && type !== undefined ? { type, ...option } : option));
  const others: Json[][] = options.map(() => []);
  for (let i = 0; i < options.length; i++) {
    for (let j = 0; j < i; j++) {
      if (disjointness.of(typed[i] as Json, typed[j] as Json)) continue;
      others[i]?.push(options[j] as Json);
      others[j]?.push(options[i] as Json);
    }
  }
  return others;
}
