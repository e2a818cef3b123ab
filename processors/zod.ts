/**
 * The one door to zod: schemas are made with `z`, which is `zod/mini`. Schemas of all of zod work wherever one is taken.
 */

export * as z from 'zod/mini';
export {
  $ZodAsyncError,
  type $ZodIssue,
  type $ZodObject,
  type $ZodShape,
  type input,
  type output,
  safeParse,
} from 'zod/v4/core';
