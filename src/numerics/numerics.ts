/**
 * The functions that a value of the spec depends on, as one replaceable part.
 */
import { InvalidValueError } from '../errors.js';
import { checkFunction, checkName } from '../inputs.js';
import { hasFunction, isObject } from '../kinds.js';
import { exp } from './exp.js';
import { log } from './log.js';
import { PlainKernel } from './plain-kernel.js';
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

/** Numerics with the plain passes, from an exp and a log. */
export function plainNumerics(name: string, exp: (x: number) => number, log: (x: number) => number): Numerics {
  checkName('plainNumerics', 'name', name);
  checkFunction('plainNumerics', 'exp', exp);
  checkFunction('plainNumerics', 'log', log);
  return Object.freeze({
    name,
    values: name,
    exp,
    log,
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

const PARTS = ['exp', 'log', 'expSum', 'rowKernel'];
export const NUMERICS_DOMAIN = `numerics (an object with ${PARTS.join(', ')})`;

export function isNumerics(value: unknown): value is Numerics {
  return isObject(value) && PARTS.every((part) => hasFunction(value, part));
}

/** Refuses, naming `owner` and `name`, what are no numerics. */
export function checkNumerics(owner: string, name: string, value: unknown): asserts value is Numerics {
  if (!isNumerics(value)) throw new InvalidValueError(owner, name, NUMERICS_DOMAIN, value);
}

/** The spec's numerics: exp and log equal to glibc's, bit for bit, in every engine. */
export const exactNumerics: Numerics = plainNumerics('exact', exp, log);
