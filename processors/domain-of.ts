/**
 * The domain of a field, in the words that its schema carries.
 */
import * as z from './zod.js';

/** What `schema` says that a value must be, as in "a number in [0, 1]", also where it may be left out; '' if nothing. */
export function domainOf(schema: z.core.$ZodType): string {
  const said = z.globalRegistry.get(schema)?.description;
  if (said !== undefined) return said;
  const { innerType } = schema._zod.def as { readonly innerType?: z.core.$ZodType };
  return innerType === undefined ? '' : domainOf(innerType);
}
