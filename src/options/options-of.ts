/**
 * The options of a function, from the interface that documents them: each of its fields has a check here, and no other.
 */
import { checkOptions } from '../../processors/check-options.js';
import type { OptionsSchema } from '../../processors/check-schema.js';
import * as z from '../../processors/zod.js';

/** What a field must be; made by `field` and `required`. */
export type Field = z.ZodMiniType;

/** Says in words what a field must be where it is wrong. */
type Domain = string | ((value: unknown) => string);

export interface Options<T> {
  readonly schema: OptionsSchema;
  /** `input`, frozen. Throws InvalidValueError, naming `owner` and the field, for what is wrong, missing or unknown. */
  check(owner: string, input: unknown, name?: string): Readonly<T>;
}

/** Options with these fields. */
export function optionsOf<T extends object>(shape: { readonly [Name in keyof Required<T>]: Field }): Options<T> {
  const schema = z.strictObject(shape) as unknown as OptionsSchema;
  return { schema, check: (owner, input, name) => checkOptions(owner, schema, input, name) as Readonly<T> };
}

/** A field that may be left out. */
export function field(domain: Domain, accepts: (value: unknown) => boolean): Field {
  return z.optional(required(domain, accepts));
}

/** A field that may not. */
export function required(domain: Domain, accepts: (value: unknown) => boolean): Field {
  const error = typeof domain === 'string' ? domain : ({ input }: { readonly input?: unknown }) => domain(input);
  return z.custom<unknown>(accepts, { error }) as Field;
}
