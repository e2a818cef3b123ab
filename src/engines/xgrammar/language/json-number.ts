/**
 * JSON's numbers between bounds, as grammars of their digits.
 *
 * A number without a bound has at most 15 digits before the point, one with a bound at most 9, and 6 behind it: so texts
 * compare as the doubles do that they are read as, and no run of digits goes on without end.
 */
import { choice, EMPTY, NOTHING, type Node, oneOf, optional, repeat, sequence, set, text } from './node.js';

export const MOST_DIGITS = 15;
export const BOUNDED_DIGITS = 9;
export const FRACTION_DIGITS = 6;

const DIGIT = set([[0x30, 0x39]]);
const SIGN = oneOf('+-');
const WHOLE = choice(text('0'), sequence(digits(1, 9), repeat(DIGIT, 0, MOST_DIGITS - 1)));

/** Any number; an exponent has one or two digits. */
export const NUMBER = sequence(
  optional(text('-')),
  WHOLE,
  optional(sequence(text('.'), repeat(DIGIT, 1, MOST_DIGITS))),
  optional(sequence(oneOf('eE'), optional(SIGN), repeat(DIGIT, 1, 2))),
);

/** A bound, not negative: digits before the point, digits behind it, and whether the bound itself is out. */
export interface Bound {
  readonly whole: bigint;
  readonly fraction: string;
  readonly strict: boolean;
}

/** The integers in [low, high], without a point. */
export function integers(low: bigint, high: bigint): Node {
  const options: Node[] = [];
  if (low < 0n) options.push(sequence(text('-'), naturals(high < 0n ? -high : 1n, -low)));
  if (high >= 0n) options.push(naturals(low > 0n ? low : 0n, high));
  return choice(...options);
}

/** The integers in [low, high], 0 <= low, without leading zeros. */
function naturals(low: bigint, high: bigint): Node {
  if (low > high) return NOTHING;
  const options: Node[] = [];
  for (let length = `${low}`.length; length <= `${high}`.length; length++) {
    const first = length === `${low}`.length ? `${low}` : `1${'0'.repeat(length - 1)}`;
    const last = length === `${high}`.length ? `${high}` : '9'.repeat(length);
    options.push(between(first, last));
  }
  return choice(...options);
}

/** The digit strings from `first` to `last`, all of one length. */
function between(first: string, last: string): Node {
  if (first === last) return text(first);
  if (/^0+$/.test(first) && /^9+$/.test(last)) return repeat(DIGIT, first.length, first.length);
  const [low, high] = [Number(first[0]), Number(last[0])];
  const [lower, upper] = [first.slice(1), last.slice(1)];
  if (low === high) return sequence(text(`${low}`), between(lower, upper));
  const options = [sequence(text(`${low}`), between(lower, '9'.repeat(lower.length)))];
  if (high - low > 1) options.push(sequence(digits(low + 1, high - 1), repeat(DIGIT, lower.length, lower.length)));
  options.push(sequence(text(`${high}`), between('0'.repeat(upper.length), upper)));
  return choice(...options);
}

/** The numbers from `low` to `high`, neither negative, without exponent. */
export function decimals(low: Bound, high: Bound): Node {
  if (low.whole > high.whole) return NOTHING;
  if (low.whole === high.whole) return sequence(text(`${low.whole}`), fraction(low, high));
  return choice(
    sequence(text(`${low.whole}`), fraction(low, undefined)),
    sequence(naturals(low.whole + 1n, high.whole - 1n), fraction(undefined, undefined)),
    sequence(text(`${high.whole}`), fraction(undefined, high)),
  );
}

/** Where the digits written so far leave a bound: what it has behind them. Undefined: it no longer binds. */
type Rest = Pick<Bound, 'fraction' | 'strict'> | undefined;

/** The point and digits behind it, or nothing. */
function fraction(low: Rest, high: Rest): Node {
  return choice(mayEnd(low, high) ? EMPTY : NOTHING, sequence(text('.'), more(low, high, FRACTION_DIGITS)));
}

/** Whether the number may end where the bounds have these digits left: it then goes on as zeros. */
function mayEnd(low: Rest, high: Rest): boolean {
  const aboveLow = low === undefined || (isZero(low.fraction) && !low.strict);
  return aboveLow && (high === undefined || !isZero(high.fraction) || !high.strict);
}

/** One digit or more. */
function more(low: Rest, high: Rest, room: number): Node {
  if (room === 0) return NOTHING;
  if (low === undefined && high === undefined) return repeat(DIGIT, 1, room);
  const least = low === undefined ? 0 : Number(low.fraction[0] ?? 0);
  const most = high === undefined ? 9 : Number(high.fraction[0] ?? 0);
  const options: Node[] = [];
  for (let digit = least; digit <= most; digit++) {
    const [lower, upper] = [digit === least ? behind(low) : undefined, digit === most ? behind(high) : undefined];
    const end = mayEnd(lower, upper) ? EMPTY : NOTHING;
    options.push(sequence(text(`${digit}`), choice(end, more(lower, upper, room - 1))));
  }
  return choice(...options, NOTHING);
}

function behind(rest: Rest): Rest {
  return rest && { fraction: rest.fraction.slice(1), strict: rest.strict };
}

function isZero(fractionDigits: string): boolean {
  return /^0*$/.test(fractionDigits);
}

function digits(low: number, high: number): Node {
  return set([[0x30 + low, 0x30 + high]]);
}
