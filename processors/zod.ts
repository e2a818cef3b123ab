/**
 * The one door to zod: Lockstep makes its schemas with these, which are those of `zod/mini`, and imports them as
 * `import * as z from './zod.js'`. They are named one by one, so that a bundler leaves out all others, and the texts of
 * errors in fifty languages. A schema from outside may be of `zod` or of `zod/mini`.
 */
export {
  _default,
  array,
  boolean,
  type core,
  custom,
  describe,
  enum,
  extend,
  globalRegistry,
  type input,
  literal,
  minLength,
  NEVER,
  null,
  nullable,
  number,
  object,
  optional,
  type output,
  pipe,
  record,
  refine,
  regex,
  safeParse,
  strictObject,
  string,
  superRefine,
  transform,
  tuple,
  union,
  unknown,
  type ZodMiniBoolean,
  type ZodMiniLiteral,
  type ZodMiniNumber,
  type ZodMiniObject,
  type ZodMiniType,
} from 'zod/mini';
export { $ZodAsyncError } from 'zod/v4/core';
