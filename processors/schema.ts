/**
 * Option schemas: each field carries its domain in words, and every refusal is phrased from it.
 */
import { InvalidValueError } from '../src/errors.js';
import { checkFunction, checkName } from '../src/inputs.js';
import { rememberNumber } from './quick-check.js';
import * as z from './zod.js';

export { checkOptions } from './check-options.js';
export type { OptionsSchema } from './check-schema.js';

const FLAG = 'true or false';

/** A number that `accepts` accepts; `domain` says in words what that is, as in "a number in [0, 1]". */
export function numberIn(domain: string, accepts: (x: number) => boolean): z.ZodMiniNumber<number> {
  checkName('numberIn', 'domain', domain);
  checkFunction('numberIn', 'accepts', accepts);
  const schema = z.number({ error: domain }).check(z.refine(accepts, { error: domain }), z.describe(domain));
  return rememberNumber(schema, accepts);
}

/** True or false. */
export function flag(): z.ZodMiniBoolean<boolean> {
  return z.boolean({ error: FLAG }).check(z.describe(FLAG));
}

/** Any finite number, negative ones included. */
export function finite(): z.ZodMiniNumber<number> {
  return numberIn('a finite number', Number.isFinite);
}

/** A finite number greater than 0. */
export function positive(): z.ZodMiniNumber<number> {
  return numberIn('a finite number > 0', (x) => x > 0);
}

/** A finite number at least 0. */
export function nonNegative(): z.ZodMiniNumber<number> {
  return numberIn('a finite number >= 0', (x) => x >= 0);
}

/** An integer at least `least`. */
export function integerFrom(least: number): z.ZodMiniNumber<number> {
  if (typeof least !== 'number') throw new InvalidValueError('integerFrom', 'least', 'a number', least);
  return numberIn(`an integer >= ${least}`, (x) => Number.isInteger(x) && x >= least);
}

/** A share in [0, 1]. */
export function share(): z.ZodMiniNumber<number> {
  return numberIn('a number in [0, 1]', (x) => x >= 0 && x <= 1);
}

/** A share in (0, 1]. */
export function positiveShare(): z.ZodMiniNumber<number> {
  return numberIn('a number in (0, 1]', (x) => x > 0 && x <= 1);
}
