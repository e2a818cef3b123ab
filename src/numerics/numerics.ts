/**
 * The functions that a value of the spec depends on, as one replaceable part.
 */
import { InvalidValueError } from '../errors.js';
import { checkFunction, checkName, readable } from '../inputs.js';
import { hasFunction, isObject, isPlainObject } from '../kinds.js';
import { exp } from './exp.js';
import { log } from './log.js';
import { log2 as exactLog2 } from './log2.js';
import { PlainKernel } from './plain-kernel.js';
import { pow as exactPow } from './pow.js';
import type { RowKernel } from './row.js';

export interface Numerics {
  /** Short name, as reports show it. */
  readonly name: string;
  /** Which values they give: numerics with equal ones give equal bits. Default: `name`. */
  readonly values?: string;
  /** e^x. */
  exp(x: number): number;
  /** The natural logarithm of x >= 0. */
  log(x: number): number;
  /** x^y. Default: the exact one. No value of the spec depends on it; steps of one's own may. */
  pow?(x: number, y: number): number;
  /** The logarithm of x >= 0 to base 2, likewise. */
  log2?(x: number): number;
  /** The square root, which is the same in every engine. Default: Math.sqrt. */
  sqrt?(x: number): number;
  /**
   * Writes exp(logits[i] - max) to exps[i] for i = 0..count-1 and gives their sum, added in that order.
   * `exps` is written in place; an entry of -Infinity gives 0.
   */
  expSum(logits: Float64Array, count: number, max: number, exps: Float64Array): number;
  /** The passes over a vocabulary of `length` ids. */
  rowKernel(length: number): RowKernel;
  /** Which passes `rowKernel` makes, for reports; absent where they are of another make. */
  readonly passes?: 'plain' | 'WebAssembly';
}

/** Numerics that leave nothing out. */
export type CompleteNumerics = Numerics & Required<Pick<Numerics, 'pow' | 'log2' | 'sqrt'>>;

/** The functions of one number or two. */
export type ScalarNumerics = Pick<CompleteNumerics, 'exp' | 'log' | 'pow' | 'log2' | 'sqrt'>;

/** Numerics with the plain passes, from an exp and a log; pow and log2 are the exact ones where there are no others. */
export function plainNumerics(
  name: string,
  exp: (x: number) => number,
  log: (x: number) => number,
  others: Pick<Numerics, 'pow' | 'log2'> = {},
): CompleteNumerics {
  checkName('plainNumerics', 'name', name);
  checkFunction('plainNumerics', 'exp', exp);
  checkFunction('plainNumerics', 'log', log);
  const { pow = exactPow, log2 = exactLog2 } = checkedOthers(others);
  checkFunction('plainNumerics', 'pow', pow);
  checkFunction('plainNumerics', 'log2', log2);
  return Object.freeze({
    name,
    values: name,
    exp,
    log,
    pow,
    log2,
    sqrt: Math.sqrt,
    expSum(logits: Float64Array, count: number, max: number, exps: Float64Array): number {
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const e = exp((logits[i] as number) - max);
        exps[i] = e;
        sum += e;
      }
      return sum;
    },
    rowKernel: (length: number) => new PlainKernel(length, exp),
    passes: 'plain',
  });
}

/** Whether the exps are those of the spec, so that the bounds of certified/ hold for them. */
export function hasExactExp(numerics: Numerics): boolean {
  return numerics.exp === exp;
}

const PARTS = ['exp', 'log', 'expSum', 'rowKernel'];
const OTHERS = ['pow', 'log2', 'sqrt'] as const;
export const NUMERICS_DOMAIN = `numerics (an object with ${PARTS.join(', ')})`;

export function isNumerics(value: unknown): value is Numerics {
  return (
    isObject(value) && PARTS.every((part) => hasFunction(value, part)) && OTHERS.every((part) => mayHave(value, part))
  );
}

/** Whether `value` has a function under this name, or nothing. */
function mayHave(value: object, name: string): boolean {
  return (value as Record<string, unknown>)[name] === undefined || hasFunction(value, name);
}

/** The functions of `numerics`, with the exact ones in the place of what they leave out. */
export function scalarNumerics(numerics: Numerics): ScalarNumerics {
  if (isComplete(numerics)) return numerics;
  return {
    exp: (x) => numerics.exp(x),
    log: (x) => numerics.log(x),
    pow: numerics.pow?.bind(numerics) ?? exactPow,
    log2: numerics.log2?.bind(numerics) ?? exactLog2,
    sqrt: numerics.sqrt?.bind(numerics) ?? Math.sqrt,
  };
}

function isComplete(numerics: Numerics): numerics is CompleteNumerics {
  return numerics.pow !== undefined && numerics.log2 !== undefined && numerics.sqrt !== undefined;
}

/** Refuses, naming `owner` and `name`, what are no numerics. */
export function checkNumerics(owner: string, name: string, value: unknown): asserts value is Numerics {
  if (!isNumerics(value)) throw new InvalidValueError(owner, name, NUMERICS_DOMAIN, value);
}

/** The spec's numerics: exp and log equal to glibc's, bit for bit, in every engine. */
export const exactNumerics: CompleteNumerics = plainNumerics('exact', exp, log);

/** Throws InvalidValueError for what is no plain object, and for what it has beside `pow` and `log2`. */
function checkedOthers(others: Pick<Numerics, 'pow' | 'log2'>): Pick<Numerics, 'pow' | 'log2'> {
  if (!isPlainObject(others)) throw new InvalidValueError('plainNumerics', 'others', 'an object', others);
  return readable('plainNumerics', 'others', others, () => {
    const own: Readonly<Record<string, unknown>> & typeof others = { ...others };
    const unknown = Object.keys(own).find((name) => name !== 'pow' && name !== 'log2');
    if (unknown === undefined) return own;
    throw new InvalidValueError('plainNumerics', unknown, 'absent (the functions are: pow, log2)', own[unknown]);
  });
}
