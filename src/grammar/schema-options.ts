/**
 * Options of grammars for JSON, checked; the step `grammar` takes the same ones beside its schema.
 */
import { checkOptions } from '../../processors/schema.js';
import * as z from '../../processors/zod.js';
import type { SchemaOptions } from './language/schema/prepare-schema.js';

/** A field that may be absent, and what else it must be. */
const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.optional(z.enum(values, { error: `one of ${values.join(', ')}` }));

export const JSON_FIELDS = { whitespace: oneOf('compact', 'spaced', 'flexible') };
export const SCHEMA_FIELDS = {
  ...JSON_FIELDS,
  keys: oneOf('schema', 'sorted'),
  unsupported: oneOf('refuse', 'warn'),
};

const jsonOptions = z.strictObject(JSON_FIELDS);
const schemaOptions = z.strictObject(SCHEMA_FIELDS);

/** How JSON of any kind is written. */
export type JsonOptions = Pick<SchemaOptions, 'whitespace'>;

export function checkJsonOptions(owner: string, options: JsonOptions): JsonOptions {
  return checkOptions(owner, jsonOptions, options);
}

export function checkSchemaOptions(owner: string, options: SchemaOptions): SchemaOptions {
  return checkOptions(owner, schemaOptions, options);
}
