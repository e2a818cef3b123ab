/**
 * The keywords of JSON schemas, draft 4 to 2020-12: what the value of each must be, which the engine enforces, and which
 * only describe.
 */
import { at, refusal } from '../refusal.js';
import type { Json } from './copy-json.js';

export type Schema = { [key: string]: Json };

/** Whether a value is an object and no array. */
export function isObject(value: Json | undefined): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Check = readonly [domain: string, accepts: (value: Json) => boolean];

const isCount = (value: Json) => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: Json) => typeof value === 'string';
const isTexts = (value: Json) => Array.isArray(value) && value.every(isText);
const isSchema = (value: Json) => typeof value === 'boolean' || isObject(value);
const isSchemas = (value: Json) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap = (value: Json) => isObject(value) && Object.values(value).every(isSchema);

const COUNT: Check = ['an integer >= 0', isCount];
const NUMBER: Check = ['a number', (value) => typeof value === 'number'];
const BOUND: Check = ['a number (or, as in draft 4, true or false)', (value) => /number|boolean/.test(typeof value)];
const SCHEMA: Check = ['a schema: an object, true or false', isSchema];
const SCHEMAS: Check = ['a non-empty array of schemas', isSchemas];
const SCHEMA_MAP: Check = ['an object of schemas', isSchemaMap];

export const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
const isType = (value: Json) => (TYPES as readonly Json[]).includes(value);

/** What is enforced, and what the value of each keyword must be. */
const ENFORCED: Readonly<Record<string, Check>> = {
  type: [
    `one of ${TYPES.join(', ')}, or several`,
    (value) => isType(value) || (isTexts(value) && (value as Json[]).every(isType)),
  ],
  enum: ['a non-empty array of values', (value) => Array.isArray(value) && value.length > 0],
  const: ['a value', () => true],
  anyOf: SCHEMAS,
  oneOf: SCHEMAS,
  allOf: SCHEMAS,
  $ref: ['a string', isText],
  items: [
    'a schema, or an array of schemas',
    (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
  ],
  additionalItems: SCHEMA,
  prefixItems: ['an array of schemas', (value) => Array.isArray(value) && value.every(isSchema)],
  minItems: COUNT,
  maxItems: COUNT,
  properties: SCHEMA_MAP,
  patternProperties: SCHEMA_MAP,
  additionalProperties: SCHEMA,
  required: ['an array of strings', isTexts],
  minProperties: COUNT,
  maxProperties: COUNT,
  minLength: COUNT,
  maxLength: COUNT,
  pattern: ['a string', isText],
  format: ['a string', isText],
  minimum: NUMBER,
  maximum: NUMBER,
  exclusiveMinimum: BOUND,
  exclusiveMaximum: BOUND,
  multipleOf: ['a number > 0', (value) => typeof value === 'number' && value > 0],
};

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** What constrains and cannot be said by a grammar here. Each is looked at before: what it says may be nothing. */
export const UNSUPPORTED = wordsOf(
  'not if dependentSchemas dependentRequired dependencies contains uniqueItems propertyNames ' +
    'unevaluatedItems unevaluatedProperties $dynamicRef $recursiveRef',
);

/** What describes and constrains nothing: not worth a warning. */
const DESCRIBING = wordsOf(
  '$schema $id id $anchor $comment $defs definitions $vocabulary $dynamicAnchor $recursiveAnchor ' +
    'title description default example examples deprecated readOnly writeOnly ' +
    'contentMediaType contentEncoding contentSchema discriminator then else minContains maxContains ' +
    'externalDocs xml strict markdownDescription enumNames enumDescriptions errorMessage',
);

/** Whether `key` is an unknown keyword: an annotation, or a typing error. */
export function isUnknown(key: string): boolean {
  return !(Object.hasOwn(ENFORCED, key) || UNSUPPORTED.has(key) || DESCRIBING.has(key) || key.startsWith('x-'));
}

/** Refuses a keyword whose value is not what it must be. */
export function checkKeywords(schema: Schema, path: string): void {
  for (const [key, value] of Object.entries(schema)) {
    const check = Object.hasOwn(ENFORCED, key) ? ENFORCED[key] : undefined;
    if (check !== undefined && !check[1](value)) throw refusal(at(path, key), check[0], value);
  }
}

/** Keywords whose value is a schema, an array of schemas, or an object of schemas. */
const OF_SCHEMAS = [
  'items',
  'additionalItems',
  'additionalProperties',
  'anyOf',
  'oneOf',
  'allOf',
  'prefixItems',
] as const;
const OF_NAMED_SCHEMAS = ['properties', 'patternProperties', '$defs', 'definitions'] as const;

/** Each schema directly below `schema`, with its path. */
export function* subschemas(schema: Schema, path: string): Generator<readonly [Json, string]> {
  for (const key of OF_SCHEMAS) {
    const value = schema[key];
    if (value === undefined) continue;
    const place = at(path, key);
    if (Array.isArray(value)) for (const [i, entry] of value.entries()) yield [entry, at(place, i)];
    else yield [value, place];
  }
  for (const key of OF_NAMED_SCHEMAS) {
    const value = schema[key];
    if (!isObject(value)) continue;
    const place = at(path, key);
    for (const name of Object.keys(value)) yield [value[name] as Json, at(place, name)];
  }
}

/** The types that `schema` names, or all. */
export function typesOf({ type }: Schema): readonly Json[] {
  return type === undefined ? TYPES : [type].flat();
}

/** Whether all its numbers are integers. */
export function isOfIntegers(schema: Schema): boolean {
  return typesOf(schema).includes('integer') && !typesOf(schema).includes('number');
}
