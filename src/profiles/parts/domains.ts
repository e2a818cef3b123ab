/**
 * Domains of parameters that several systems share.
 */
import { typedListOf } from '../../../processors/list-schema.js';
import { finite, flag, integerFrom, nonNegative, numberIn, positive, share } from '../../../processors/schema.js';
import * as z from '../../../processors/zod.js';

export { finite, flag, integerFrom, nonNegative, numberIn, positive, share };

/** What `schema` takes, or nothing given: then `value`. */
export function or<S extends z.core.$ZodType>(schema: S, value: z.output<S> & z.core.util.NoUndefined<z.output<S>>) {
  return z._default(schema as never, value as never) as unknown as z.ZodMiniDefault<z.ZodMiniType<z.output<S>>>;
}

/** Any integer. */
export function integer(): z.ZodMiniNumber<number> {
  return numberIn('an integer', Number.isInteger);
}

/** Ids, none by default. */
export function ids() {
  return z.optional(typedListOf(integerFrom(0), 'an array of ids'));
}

const BIAS = 'an object from ids to finite numbers';

/** Biases by id, as `logit-bias` takes them, which checks the entries. */
export function biasById() {
  const isBias = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return z.optional(z.custom<Readonly<Record<string, number>>>(isBias, { error: BIAS }).check(z.describe(BIAS)));
}
