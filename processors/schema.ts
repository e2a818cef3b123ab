/**
 * Option schemas: each field carries its domain in words, and every refusal is phrased from it.
 */
import { z } from 'zod';
import { InvalidValueError } from '../src/errors.js';

/** A number that `accepts` accepts; `domain` says in words what that is, as in "a number in [0, 1]". */
export function numberIn(domain: string, accepts: (x: number) => boolean): z.ZodNumber {
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

/** A plain object with known fields, each with a schema. */
export type OptionsSchema = z.ZodObject<z.ZodRawShape>;

/**
 * `input` checked against `schema`: complete (defaults filled in) and frozen.
 * Throws InvalidValueError, naming `owner`, the field, its domain and the value, for the first field that is wrong,
 * missing or unknown. `input` itself is not changed.
 */
export function checkOptions<S extends OptionsSchema>(owner: string, schema: S, input: unknown): Readonly<z.output<S>> {
  const result = schema.safeParse(input);
  if (result.success) return Object.freeze(result.data);
  throw refusal(owner, schema, input, result.error.issues[0] as z.core.$ZodIssue);
}

function refusal(owner: string, schema: OptionsSchema, input: unknown, issue: z.core.$ZodIssue): InvalidValueError {
  if (issue.code === 'unrecognized_keys') {
    const name = issue.keys[0] as string;
    const known = Object.keys(schema.shape).join(', ') || 'none';
    return new InvalidValueError(owner, name, `absent (the parameters are: ${known})`, valueAt(input, [name]));
  }
  if (issue.path.length === 0) return new InvalidValueError(owner, 'options', 'a plain object', input);
  return new InvalidValueError(owner, pathName(issue.path), issue.message, valueAt(input, issue.path));
}

/** `stop`, `stop[1]`, `bias.7`: a path as code would write it. */
function pathName(path: readonly PropertyKey[]): string {
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('');
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}
