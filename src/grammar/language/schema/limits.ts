/**
 * What is too much for one schema: counted, so that every machine refuses the same, and low enough that nothing within
 * them takes the engine long. Of 10,281 real schemas three exceed them.
 */
import { at, refusal } from '../refusal.js';
import type { Json } from './copy-json.js';
import { isObject, type Schema } from './keywords.js';

const MOST_NAMES = 1000;
const MOST_OPTIONS = 500;
const MOST_VALUES = 5000;
const MOST_PATTERNS = 32;
/** The most characters of all patterns together in the syntax of Rust, where `\\s` has a hundred. */
export const MOST_PATTERN_CHARACTERS = 1_000_000;
export const MOST_WARNINGS = 5000;
/** The most values of a schema as the engine reads it: what is said in other words may be longer. */
const MOST_VALUES_WRITTEN = 60_000;

/** Refuses a schema that has more of something than the limits allow. */
export function checkLimits(schema: Schema, path: string): void {
  for (const key of ['properties', '$defs', 'definitions'] as const) checkMembers(schema, key, MOST_NAMES, path);
  checkMembers(schema, 'patternProperties', MOST_PATTERNS, path);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) checkLength(schema, key, MOST_OPTIONS, path);
  checkLength(schema, 'enum', MOST_VALUES, path);
}

/** Refuses a schema that has become too large by being said in other words. */
export function checkSize(root: Json, path: string): void {
  const open = [root];
  let count = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (++count > MOST_VALUES_WRITTEN)
      throw refusal(path, `at most ${MOST_VALUES_WRITTEN} values for the engine`, 'more');
    if (typeof value === 'object' && value !== null) open.push(...Object.values(value));
  }
}

function checkMembers(schema: Schema, key: string, most: number, path: string): void {
  const value = schema[key];
  const count = isObject(value) ? Object.keys(value).length : 0;
  if (count > most) throw refusal(at(path, key), `at most ${most} members`, count);
}

function checkLength(schema: Schema, key: string, most: number, path: string): void {
  const value = schema[key];
  if (Array.isArray(value) && value.length > most)
    throw refusal(at(path, key), `at most ${most} entries`, value.length);
}
