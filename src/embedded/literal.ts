/**
 * A field of a file that must have one value.
 */
import * as z from '../../processors/zod.js';

export function literal<T extends string | boolean>(value: T): z.ZodMiniLiteral<T> {
  return z.literal(value, { error: JSON.stringify(value) });
}
