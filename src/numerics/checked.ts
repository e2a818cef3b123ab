/**
 * exp, log, log2, pow, sqrt and fma for callers outside: of numbers only. The inner loops call the functions themselves,
 * where every input is a number.
 */
import { InvalidValueError } from '../errors.js';
import { exp as exactExp } from './exp.js';
import { fma as exactFma } from './fma.js';
import { log as exactLog } from './log.js';
import { log2 as exactLog2 } from './log2.js';
import { pow as exactPow } from './pow.js';

/** e^x, the same bits as glibc's, in every engine; x any number. */
export function exp(x: number): number {
  return exactExp(checkNumber('exp', 'x', x));
}

/** The natural logarithm of x, the same bits as glibc's, in every engine; x any number, NaN below 0. */
export function log(x: number): number {
  return exactLog(checkNumber('log', 'x', x));
}

/** The logarithm of x to base 2, the same bits as glibc's, in every engine; x any number, NaN below 0. */
export function log2(x: number): number {
  return exactLog2(checkNumber('log2', 'x', x));
}

/** The square root of x, correctly rounded, in every engine; x any number, NaN below 0. */
export function sqrt(x: number): number {
  return Math.sqrt(checkNumber('sqrt', 'x', x));
}

/** x^y, the same bits as glibc's, in every engine; x and y any numbers, NaN for a negative x and a y that is no integer. */
export function pow(x: number, y: number): number {
  return exactPow(checkNumber('pow', 'x', x), checkNumber('pow', 'y', y));
}

/** The double nearest to the real a * b + c. NaN, infinities and signed zeros follow IEEE 754. */
export function fma(a: number, b: number, c: number): number {
  return exactFma(checkNumber('fma', 'a', a), checkNumber('fma', 'b', b), checkNumber('fma', 'c', c));
}

function checkNumber(owner: string, name: string, x: unknown): number {
  if (typeof x === 'number') return x;
  throw new InvalidValueError(owner, name, 'a number', x);
}
