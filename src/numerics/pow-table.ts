/**
 * The table of `pow`: for each of 128 intervals, c near its middle, the values 1/c, log(c) and what log(c) was rounded by.
 *
 * Computed at the first call, in exact integers; any engine gets the same 384 doubles. (They equal the table of Arm
 * Optimized Routines, which glibc carries as a list; the committed vectors of pow hold every entry.)
 * 1/c has few bits: the multiple of 1/128 next to 1 over the middle of the interval, of 1/256 below one. So z / c - 1 is a
 * double for every z of the interval. log(c) is rounded to a multiple of 2^-43, so that k ln2 + log(c) is exact.
 */
import { fromWords } from './bits.js';
import { nearestShift, ONE, POINT, toDouble } from './fixed-point.js';

/** High and low word of where the intervals begin: about 0.7056. */
export const POW_START_HIGH = 0x3fe69555;
const SIZE = 128;
const LOG_BITS = 43n;

export interface PowTable {
  /** 1/c, f64[128]. */
  readonly inverses: Float64Array;
  /** log(c), f64[128], multiples of 2^-43. */
  readonly logs: Float64Array;
  /** log(c) less that, f64[128]. */
  readonly tails: Float64Array;
}

let table: PowTable | undefined;

export function powTable(): PowTable {
  table ??= fill();
  return table;
}

function fill(): PowTable {
  const all = { inverses: new Float64Array(SIZE), logs: new Float64Array(SIZE), tails: new Float64Array(SIZE) };
  const logarithms = logarithmsTo(256);
  for (let i = 0; i < SIZE; i++) {
    const middle = (startOf(i) + startOf(i + 1)) / 2;
    const unit = middle < 1 ? SIZE : 2 * SIZE;
    const multiple = Math.round(unit / middle);
    const log = (logarithms[unit] as bigint) - (logarithms[multiple] as bigint);
    const rounded = nearestShift(log, POINT - LOG_BITS) << (POINT - LOG_BITS);
    all.inverses[i] = multiple / unit;
    all.logs[i] = toDouble(rounded);
    all.tails[i] = toDouble(log - rounded);
  }
  return all;
}

/** Where interval i begins. */
function startOf(i: number): number {
  return fromWords(POW_START_HIGH + (i << 13), 0);
}

/** ln n for n = 1..largest, in fixed point: each from the one before, as ln((n + 1) / n) = 2 artanh(1 / (2 n + 1)). */
function logarithmsTo(largest: number): bigint[] {
  const logarithms = [0n, 0n];
  for (let n = 1; n < largest; n++)
    logarithms.push((logarithms[n] as bigint) + 2n * artanhOfOneOver(2n * BigInt(n) + 1n));
  return logarithms;
}

/** The series x + x^3 / 3 + x^5 / 5 + … at x = 1 / n. */
function artanhOfOneOver(n: bigint): bigint {
  let sum = 0n;
  let degree = 1n;
  for (let power = ONE / n; power !== 0n; power /= n * n) {
    sum += power / degree;
    degree += 2n;
  }
  return sum;
}
