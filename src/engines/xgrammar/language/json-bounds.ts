/**
 * The numbers that a schema's bounds leave.
 */
import { at, refusal, type Schema } from './json-keywords.js';
import { BOUNDED_DIGITS, type Bound, decimals, FRACTION_DIGITS, integers, MOST_DIGITS, NUMBER } from './json-number.js';
import { choice, NOTHING, type Node, sequence, text } from './node.js';

/** A bound as the schema gives it. */
interface Limit {
  readonly value: number;
  readonly strict: boolean;
}

/** Integers within the bounds, of at most 15 digits. */
export function integerNode(schema: Schema, path: string): Node {
  const most = largest(MOST_DIGITS);
  const [lowest, highest] = limits(schema, path, most);
  const low = lowest.strict ? Math.floor(lowest.value) + 1 : Math.ceil(lowest.value);
  const high = highest.strict ? Math.ceil(highest.value) - 1 : Math.floor(highest.value);
  if (low > high) throw refusal(path, `a range with an integer of at most ${MOST_DIGITS} digits in it`, schema);
  return integers(BigInt(low), BigInt(high));
}

/** Any number, or those within the bounds that have at most 9 digits before the point and 6 behind it. */
export function numberNode(schema: Schema, path: string): Node {
  const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
  if (bounds.every((name) => schema[name] === undefined)) return NUMBER;
  const [low, high] = limits(schema, path, largest(BOUNDED_DIGITS));
  const zero = { value: 0, strict: false };
  const negative =
    low.value >= 0
      ? NOTHING
      : sequence(
          text('-'),
          decimals(toBound(high.value < 0 ? negate(high) : { value: 0, strict: true }), toBound(negate(low))),
        );
  const positive = high.value < 0 ? NOTHING : decimals(toBound(low.value < 0 ? zero : low), toBound(high));
  return choice(negative, positive);
}

/** The tightest bounds, and not beyond `most`. */
function limits(schema: Schema, path: string, most: number): readonly [Limit, Limit] {
  const lows = [limit(schema, 'minimum', path), limit(schema, 'exclusiveMinimum', path)];
  const highs = [limit(schema, 'maximum', path), limit(schema, 'exclusiveMaximum', path)];
  return [
    tightest([{ value: -most, strict: false }, ...lows], 1),
    tightest([{ value: most, strict: false }, ...highs], -1),
  ];
}

function tightest(candidates: readonly (Limit | undefined)[], direction: 1 | -1): Limit {
  const given = candidates.filter((candidate) => candidate !== undefined);
  const sorted = given.sort((a, b) => direction * (b.value - a.value) || Number(b.strict) - Number(a.strict));
  return sorted[0] as Limit;
}

function limit(schema: Schema, name: string, path: string): Limit | undefined {
  const value = schema[name];
  if (value === undefined) return undefined;
  const fits = typeof value === 'number' && Number.isFinite(value) && hasFewDecimals(value);
  if (!fits) throw refusal(at(path, name), `a finite number with at most ${FRACTION_DIGITS} decimals`, value);
  return { value, strict: name.startsWith('exclusive') };
}

function hasFewDecimals(value: number): boolean {
  const written = String(value);
  return !written.includes('e-') && (written.split('.')[1] ?? '').length <= FRACTION_DIGITS;
}

function negate({ value, strict }: Limit): Limit {
  return { value: -value, strict };
}

/** |value| < 10^9, so that it is written without exponent. */
function toBound({ value, strict }: Limit): Bound {
  const [whole = '0', fraction = ''] = String(Math.abs(value)).split('.');
  return { whole: BigInt(whole), fraction, strict };
}

/** The largest integer of so many digits. */
function largest(digits: number): number {
  return Number('9'.repeat(digits));
}
