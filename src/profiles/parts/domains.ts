/**
 * Domains of parameters that several systems share.
 */
import { listOf, typedListOf } from '../../../processors/list-schema.js';
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

/** The surprise that mirostat aims at, in bits. */
export function bits(): z.ZodMiniNumber<number> {
  return numberIn('a number in [0, 1024]', (x) => x >= 0 && x <= 1024);
}

/** Ids, none by default. */
export function ids() {
  return z.optional(typedListOf(integerFrom(0), 'an array of ids'));
}

const TEXTS = 'an array of non-empty texts, or one as JSON with or without its brackets';

/** Where repeats end: texts, as an array, or as JSON as a program's settings have them. */
export function breakers() {
  const text = z.string({ error: TEXTS }).check(z.minLength(1, { error: TEXTS }));
  const read = z.transform((given: unknown) => (typeof given === 'string' ? parsed(given) : given));
  const list = z.pipe(z.pipe(z.unknown(), read), listOf(text, TEXTS) as never).check(z.describe(TEXTS));
  return z.optional(list) as unknown as z.ZodMiniType<readonly string[] | undefined>;
}

/** What the JSON of `text` says, the brackets of a list added; `text` itself where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trimStart().startsWith('[') ? text : `[${text}]`);
  } catch {
    return text;
  }
}

const BIAS = 'an object from ids to finite numbers';

/** Biases by id, as `logit-bias` takes them, which checks the entries. */
export function biasById() {
  const isBias = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return z.optional(z.custom<Readonly<Record<string, number>>>(isBias, { error: BIAS }).check(z.describe(BIAS)));
}
