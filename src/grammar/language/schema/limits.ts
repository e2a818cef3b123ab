/**
 * What is too much for one schema: counted, so that every machine refuses the same, and low enough that nothing within
 * them takes the engine long. Of 10,281 real schemas three exceed them.
 */
import { at, refusal } from '../refusal.js';
import type { Json } from './copy-json.js';
import { isObject, type Schema } from './keywords.js';

const MOST: Readonly<Record<string, number>> = {
  ...{ properties: 1000, required: 1000, $defs: 1000, definitions: 1000, patternProperties: 32 },
  ...{ anyOf: 500, oneOf: 500, allOf: 500, prefixItems: 500, enum: 5000 },
};
/** The most characters of all patterns together in the syntax of Rust, where `\\s` has a hundred. */
export const MOST_PATTERN_CHARACTERS = 1_000_000;
export const MOST_WARNINGS = 5000;
/** The most values of a schema as the engine reads it: what is said in other words may be longer. */
const MOST_VALUES_WRITTEN = 60_000;

/** Refuses a schema that has more of something than the limits allow. */
export function checkLimits(schema: Schema, path: string): void {
  for (const [key, most] of Object.entries(MOST)) {
    const value = schema[key];
    if (typeof value !== 'object' || value === null) continue;
    const [count, parts] = [Object.keys(value).length, Array.isArray(value) ? 'entries' : 'members'];
    if (count > most) throw refusal(at(path, key), `at most ${most} ${parts}`, count);
  }
}

/** The most of the squares of the numbers of an object's properties, together: for them the engine counts no steps. */
const MOST_SQUARES = 1_500_000;

/** Refuses a schema that has become too large by being said in other words, or has many properties in many objects. */
export function checkSize(root: Json, path: string): void {
  const open = [root];
  let [count, squares] = [0, 0];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (++count > MOST_VALUES_WRITTEN)
      throw refusal(path, `at most ${MOST_VALUES_WRITTEN} values for the engine`, 'more');
    if (typeof value !== 'object' || value === null) continue;
    open.push(...Object.values(value));
    const { length } = isObject(value) && isObject(value.properties) ? Object.keys(value.properties) : [];
    squares += length * length;
    if (squares > MOST_SQUARES) {
      throw refusal(path, `at most ${MOST_SQUARES} as the sum of the squares of the numbers of properties`, 'more');
    }
  }
}
