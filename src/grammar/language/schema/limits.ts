/**
 * What is too much for one schema: counted, so that every machine refuses the same, and low enough that nothing within
 * them takes the engine long. Of 10,281 real schemas three exceed them.
 */
import { at, refusal } from '../refusal.js';
import { isObject, type Schema } from './keywords.js';

const MOST_NAMES = 1000;
const MOST_OPTIONS = 500;
const MOST_VALUES = 5000;
const MOST_PATTERNS = 32;

/** Refuses a schema that has more of something than the limits allow. */
export function checkLimits(schema: Schema, path: string): void {
  for (const key of ['properties', '$defs', 'definitions'] as const) checkMembers(schema, key, MOST_NAMES, path);
  checkMembers(schema, 'patternProperties', MOST_PATTERNS, path);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) checkLength(schema, key, MOST_OPTIONS, path);
  checkLength(schema, 'enum', MOST_VALUES, path);
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
