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
  for (const key of ['const', 'enum', 'multipleOf'] as const) checkExact(schema[key], at(path, key));
}

/** The engine reads a number of more digits as one of its neighbours at times. */
function checkExact(value: Json | undefined, path: string): void {
  if (typeof value === 'number') {
    if (!isExact(value)) throw refusal(path, 'a number of at most 15 digits, or an integer of 64 bits', value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) checkExact(member, at(path, key));
  }
}

/** Integers of 64 bits are read as such; others by their digits and a power of ten, both without rounding up to here. */
function isExact(value: number): boolean {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return true;
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const decimals = digits.length > 1 ? digits.length - 2 : 0;
  return decimals < 15 && Math.abs(Number(exponent) - decimals) <= 22;
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
    if (Math.abs(bound) >= most || decimalsOf(bound) > MOST_DECIMALS) {
      throw refusal(at(path, key), `between -${most} and ${most}, with at most ${MOST_DECIMALS} decimals`, bound);
    }
    checkExact(bound, at(path, key));
  }
}

/** Whether a bound leaves all integers of 64 bits: then the engine writes those. */
function isWide({ type }: Schema, key: string, bound: number): boolean {
  const types = [type].flat();
  const isOfIntegers = types.includes('integer') && !types.includes('number');
  return isOfIntegers && Math.abs(bound) >= 2 ** 63 && key.endsWith('inimum') === bound < 0;
}
