/**
 * Keywords that say nothing, and keywords that others can say.
 */
import { at, refusal } from '../refusal.js';
import type { Json } from './copy-json.js';
import { isObject, type Schema } from './keywords.js';

/** Takes out of `schema` the keywords that allow everything as they stand, and says `false` for those that allow nothing. */
export function dropEmptyKeywords(schema: Schema): void {
  const { uniqueItems, maxItems, not, contains } = schema;
  if (uniqueItems === false || (typeof maxItems === 'number' && maxItems <= 1)) delete schema.uniqueItems;
  if (not === false) delete schema.not;
  if (not !== undefined && allowsAll(not)) {
    delete schema.not;
    requireAll(schema, [false]);
  }
  const absent = not === undefined ? undefined : negation(not);
  if (absent !== undefined) {
    delete schema.not;
    requireAll(schema, [absent]);
  }
  if (schema.unevaluatedProperties === false && !hasApplicator(schema)) {
    schema.additionalProperties ??= false; // which evaluates them all where it stands
    delete schema.unevaluatedProperties;
  }
  if (contains === undefined || (schema.minContains === 0 && schema.maxContains === undefined)) delete schema.contains;
  if (schema.contains === undefined) for (const key of ['minContains', 'maxContains']) delete schema[key];
  if (schema.then === undefined && schema.else === undefined) delete schema.if;
  if (schema.if === undefined) for (const key of ['then', 'else']) delete schema[key];
  if (typeof schema.$dynamicAnchor === 'string' && schema.$anchor === undefined) {
    schema.$anchor = schema.$dynamicAnchor; // the same without a `$dynamicRef`, which is refused
    delete schema.$dynamicAnchor;
  }
  for (const key of ['unevaluatedProperties', 'unevaluatedItems', 'propertyNames'])
    if (allowsAll(schema[key])) delete schema[key];
}

function allowsAll(schema: Json | undefined): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

const APPLICATORS = ['allOf', 'anyOf', 'oneOf', '$ref', '$dynamicRef', '$recursiveRef', 'if', 'then', 'else', 'not'];
const hasApplicator = (schema: Schema) =>
  [...APPLICATORS, 'dependentSchemas', 'dependencies'].some((key) => schema[key] !== undefined);

/**
 * `dependentRequired`, `dependentSchemas` and draft 7's `dependencies`: where a property is there, a condition holds. That is,
 * the property is absent or the condition holds.
 */
export function rewriteDependencies(schema: Schema, path: string): void {
  for (const key of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const dependencies = schema[key];
    if (dependencies === undefined) continue;
    if (!isObject(dependencies)) throw refusal(at(path, key), 'an object', dependencies);
    const conditions = Object.entries(dependencies).map(([name, condition]) => ({
      anyOf: [{ properties: { [name]: false } }, Array.isArray(condition) ? { required: condition } : condition],
    }));
    delete schema[key];
    requireAll(schema, conditions);
  }
}

/** Says `anyOf` for `oneOf`, in its place: the order of keywords is the order of properties. */
export function sayAnyOf(schema: Schema, options: Json[]): void {
  if (schema.anyOf !== undefined) {
    delete schema.oneOf;
    requireAll(schema, [{ anyOf: options }]);
    return;
  }
  const entries = Object.entries(schema);
  for (const [key] of entries) delete schema[key];
  for (const [key, value] of entries) schema[key === 'oneOf' ? 'anyOf' : key] = key === 'oneOf' ? options : value;
}

/** Adds keywords to `schema`; those that it has already are required beside. */
export function addTo(schema: Schema, keywords: Schema): void {
  const taken = Object.keys(keywords).some((key) => schema[key] !== undefined);
  if (taken) requireAll(schema, [keywords]);
  else Object.assign(schema, keywords);
}

/** Requires `conditions` beside all that `schema` says, and behind it: what comes first sets the order of properties. */
export function requireAll(schema: Schema, conditions: readonly Json[]): void {
  if (conditions.length === 0) return;
  const { allOf } = schema;
  const keys = Object.keys(schema);
  const free =
    allOf === undefined ? 'allOf' : keys.at(-1) === 'allOf' ? undefined : keys.includes('anyOf') ? undefined : 'anyOf';
  if (free === 'allOf') schema.allOf = [...conditions];
  else if (free === 'anyOf') schema.anyOf = [{ allOf: [...conditions] }];
  else (allOf as Json[]).push(...conditions);
}

/**
 * What holds where `schema`, which only requires properties, does not: one of them is absent. What is no object has them
 * all. Undefined for any other schema.
 */
export function negation(schema: Json): Json | undefined {
  if (!isObject(schema) || !Array.isArray(schema.required)) return undefined;
  const { required, ...rest } = schema;
  if (Object.keys(rest).some((key) => key !== 'title' && key !== 'description')) return undefined;
  const absent = required.map((name) => ({ type: 'object', properties: { [String(name)]: false } }));
  return absent.length > 0 ? { anyOf: absent } : false;
}
