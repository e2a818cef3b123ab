/**
 * JSON Schemas, as far as these are written here.
 */

/** A schema of draft 2020-12. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** The draft. */
export const DRAFT = 'https://json-schema.org/draft/2020-12/schema';
