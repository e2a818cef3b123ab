/**
 * Exclusive bounds of numbers, as inclusive ones.
 *
 * Between an exclusive bound that is an integer and another bound less than 1 away, the engine allows the integer itself:
 * `0` for `exclusiveMinimum: 0, maximum: 0.5`. It does so for bounds from which the numbers lead away from 0, and they may come
 * together from several parts of a schema; so each of those is written as an inclusive one a little further inwards.
 */
import { isOfIntegers, type Schema } from './keywords.js';

/** What stands for the least number above 0, and how many digits a bound has: a number holds that many in any case. */
const LEAST = 1e-22;
const DIGITS = 15;

export function includeBounds(schema: Schema): void {
  if (isOfIntegers(schema)) return; // their bounds are counted
  include(schema, 'minimum', 'exclusiveMinimum', 1);
  include(schema, 'maximum', 'exclusiveMaximum', -1);
}

/** @param inwards 1 where the numbers are above the bound, -1 where they are below */
function include(schema: Schema, key: 'minimum' | 'maximum', exclusive: string, inwards: 1 | -1): void {
  const { [exclusive]: given, [key]: other } = schema;
  const bound = given === true ? other : given; // as in draft 4: true is said of the other one
  if (!Number.isInteger(bound) || inwards * (bound as number) < 0) return;
  delete schema[exclusive];
  const next = inwards * above(inwards * (bound as number));
  schema[key] = typeof other === 'number' && inwards * other > inwards * next ? other : next;
}

/** A number a little above an integer >= 0. */
function above(integer: number): number {
  if (integer === 0) return LEAST;
  const decimals = DIGITS - String(integer).length;
  return decimals > 0 ? Number(`${integer}.${'1'.padStart(decimals, '0')}`) : integer + 1;
}
