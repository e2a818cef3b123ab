/**
 * Option schemas: each field carries its domain in words, and every refusal is phrased from it.
 */
import { z } from 'zod';
import { InvalidValueError } from '../src/errors.js';
import { checkFunction, checkName } from '../src/inputs.js';

export { checkOptions } from './check-options.js';
export type { OptionsSchema } from './check-schema.js';

/** A number that `accepts` accepts; `domain` says in words what that is, as in "a number in [0, 1]". */
export function numberIn(domain: string, accepts: (x: number) => boolean): z.ZodNumber {
  checkName('numberIn', 'domain', domain);
  checkFunction('numberIn', 'accepts', accepts);
  return z.number({ error: domain }).refine(accepts, { error: domain }).describe(domain);
}

/** Any finite number, negative ones included. */
export function finite(): z.ZodNumber {
  return numberIn('a finite number', Number.isFinite);
}

/** A finite number greater than 0. */
export function positive(): z.ZodNumber {
  return numberIn('a finite number > 0', (x) => x > 0);
}

/** A finite number at least 0. */
export function nonNegative(): z.ZodNumber {
  return numberIn('a finite number >= 0', (x) => x >= 0);
}

/** An integer at least `least`. */
export function integerFrom(least: number): z.ZodNumber {
  if (typeof least !== 'number') throw new InvalidValueError('integerFrom', 'least', 'a number', least);
  return numberIn(`an integer >= ${least}`, (x) => Number.isInteger(x) && x >= least);
}

/** A share in [0, 1]. */
export function share(): z.ZodNumber {
  return numberIn('a number in [0, 1]', (x) => x >= 0 && x <= 1);
}

/** A share in (0, 1]. */
export function positiveShare(): z.ZodNumber {
  return numberIn('a number in (0, 1]', (x) => x > 0 && x <= 1);
}
