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
const LARGEST_MULTIPLE = 10_000;
/** Beyond it the engine's numbers of 64 bits overflow. */
const LARGEST_BOUND = 1e18;
/** Beyond it the next number is not the next integer. */
const LARGEST_EXCLUSIVE_BOUND = 2 ** 53;
const MOST_DECIMALS = 30;

/** Refuses a schema that has more of something than the limits allow. */
export function checkLimits(schema: Schema, path: string): void {
  for (const key of ['properties', '$defs', 'definitions'] as const) checkMembers(schema, key, MOST_NAMES, path);
  checkMembers(schema, 'patternProperties', MOST_PATTERNS, path);
  for (const key of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) checkLength(schema, key, MOST_OPTIONS, path);
  checkLength(schema, 'enum', MOST_VALUES, path);
  checkMultiple(schema, path);
  checkBounds(schema, path);
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

/** The engine's automaton has a state for each remainder of the divisor, written without its decimal point. */
function checkMultiple({ multipleOf }: Schema, path: string): void {
  if (typeof multipleOf !== 'number') return;
  const divisor = Math.round(multipleOf * 10 ** decimalsOf(multipleOf));
  if (divisor <= LARGEST_MULTIPLE) return;
  throw refusal(at(path, 'multipleOf'), `at most ${LARGEST_MULTIPLE} without its decimal point`, multipleOf);
}

/** How many decimals a number has when it is written without an exponent. */
function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}

function checkBounds(schema: Schema, path: string): void {
  for (const key of ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'] as const) {
    const bound = schema[key];
    if (typeof bound !== 'number' || isWide(schema, key, bound)) continue;
    const most = key.startsWith('exclusive') ? LARGEST_EXCLUSIVE_BOUND : LARGEST_BOUND;
    if (Math.abs(bound) < most && decimalsOf(bound) <= MOST_DECIMALS) continue;
    throw refusal(at(path, key), `between -${most} and ${most}, with at most ${MOST_DECIMALS} decimals`, bound);
  }
}

/** Whether a bound leaves all integers of 64 bits: then the engine writes those. */
function isWide({ type }: Schema, key: string, bound: number): boolean {
  const types = [type].flat();
  const isOfIntegers = types.includes('integer') && !types.includes('number');
  return isOfIntegers && Math.abs(bound) >= 2 ** 63 && key.endsWith('inimum') === bound < 0;
}
