/**
 * What kind of value each keyword has, as far as there are schemas in it or the engine relies on it unseen.
 */
type Kind = 'schema' | 'schemas' | 'schema or schemas' | 'schemas by name' | 'string' | 'strings' | 'number' | 'list';

export const KINDS: Readonly<Record<string, Kind>> = {
  additionalItems: 'schema',
  additionalProperties: 'schema',
  contains: 'schema',
  else: 'schema',
  if: 'schema',
  items: 'schema or schemas',
  not: 'schema',
  propertyNames: 'schema',
  // biome-ignore lint/suspicious/noThenProperty: the name of a keyword
  then: 'schema',
  unevaluatedItems: 'schema',
  unevaluatedProperties: 'schema',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  prefixItems: 'schemas',
  $defs: 'schemas by name',
  definitions: 'schemas by name',
  dependentSchemas: 'schemas by name',
  patternProperties: 'schemas by name',
  properties: 'schemas by name',
  $anchor: 'string',
  $id: 'string',
  $ref: 'string',
  format: 'string',
  pattern: 'string',
  required: 'strings',
  enum: 'list',
  exclusiveMaximum: 'number',
  exclusiveMinimum: 'number',
  maxItems: 'number',
  maxLength: 'number',
  maxProperties: 'number',
  maximum: 'number',
  minItems: 'number',
  minLength: 'number',
  minProperties: 'number',
  minimum: 'number',
  multipleOf: 'number',
};

/** Formats that the engine holds a text to. */
export const FORMATS: ReadonlySet<string> = new Set([
  ...['date', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'time', 'uri', 'uuid'],
]);
