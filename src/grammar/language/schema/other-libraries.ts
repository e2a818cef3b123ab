/**
 * Schemas of other libraries as JSON schemas: zod 4's own, and those of every library that follows Standard JSON Schema.
 *
 * What is generated is what a value looks like after parsing (`io: 'output'`), where an object is closed and a default is
 * written out: a text of it is also accepted when it is parsed.
 */
import { type $ZodType, toJSONSchema } from 'zod/v4/core';
import { refusal } from '../refusal.js';

interface StandardJsonSchema {
  readonly jsonSchema?: { readonly output?: (options: { target: string }) => unknown };
}

/** `schema` as a JSON schema; what is none of a library's is given back as it is. */
export function asJsonSchema(schema: unknown, path: string): unknown {
  if (typeof schema !== 'object' && typeof schema !== 'function') return schema;
  if (schema === null) return schema;
  try {
    if ('_zod' in schema) return toJSONSchema(schema as unknown as $ZodType);
    const output = standardOf(schema)?.jsonSchema?.output;
    return output === undefined ? schema : output({ target: 'draft-2020-12' });
  } catch (error) {
    throw refusal(path, `a schema that JSON Schema can say (${(error as Error).message})`, schema);
  }
}

function standardOf(schema: object): StandardJsonSchema | undefined {
  return (schema as { '~standard'?: StandardJsonSchema })['~standard'];
}
