/**
 * `propertyNames` said by other keywords, which the engine enforces: names as properties, patterns as patternProperties.
 */
import { search } from '../search.js';
import type { Json } from './copy-json.js';
import { isObject, type Schema } from './keywords.js';
import type { References } from './references.js';

const KNOWN = new Set([
  'type',
  'pattern',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'title',
  'description',
  '$comment',
]);

/** Whether `schema` says of its names what it did with `propertyNames`; what cannot be said leaves it as it is. */
export function rewritePropertyNames(schema: Schema, references: References): boolean {
  const names = target(schema.propertyNames as Json, references);
  if (names === undefined) return false;
  const { propertyNames: _, ...rest } = schema;
  const rewritten = rewrite(rest, names);
  if (rewritten === undefined) return false;
  delete schema.propertyNames;
  Object.assign(schema, rewritten);
  return true;
}

function target(names: Json, references: References): Json | undefined {
  return isObject(names) && names.$ref !== undefined ? references.target(names) : names;
}

/** The keywords that take its place; undefined for what they cannot say. */
function rewrite(schema: Schema, names: Json): Schema | undefined {
  if (names === true) return {};
  if (names === false) return { maxProperties: 0 };
  if (!isObject(names) || Object.keys(names).some((key) => !KNOWN.has(key))) return undefined;
  if (names.type !== undefined && names.type !== 'string') return undefined;
  const listed = names.const === undefined ? names.enum : [names.const];
  const { pattern, minLength, maxLength } = names;
  const isSized = minLength !== undefined || maxLength !== undefined;
  const kinds = [listed !== undefined, pattern !== undefined, isSized].filter(Boolean).length;
  if (kinds > 1) return undefined;
  if (Array.isArray(listed)) return listedNames(schema, listed);
  if (pattern !== undefined) return matchingNames(schema, pattern as string);
  return isSized ? matchingNames(schema, `^[^]{${minLength ?? 0},${maxLength ?? ''}}$`) : {};
}

function listedNames(schema: Schema, listed: readonly Json[]): Schema | undefined {
  const { properties = {}, additionalProperties = true, patternProperties } = schema;
  if (patternProperties !== undefined || !isObject(properties)) return undefined;
  const all = new Set(listed.filter((name) => typeof name === 'string'));
  const kept = Object.entries(properties).map(([name, value]) => [name, all.has(name) ? value : false] as const);
  const others = [...all].filter((name) => !Object.hasOwn(properties, name));
  const added = others.map((name) => [name, additionalProperties] as const);
  return { properties: Object.fromEntries([...kept, ...added]), additionalProperties: false };
}

function matchingNames(schema: Schema, pattern: string): Schema | undefined {
  const { properties = {}, additionalProperties = true, patternProperties } = schema;
  if (patternProperties !== undefined || !isObject(properties)) return undefined;
  const listed = Object.entries(properties);
  const matching = listed.map(([name]) => search(pattern, name));
  if (matching.includes(undefined)) return undefined;
  const isFree = additionalProperties === true || !matching.includes(true);
  if (!isFree) return undefined; // the pattern would hold for listed names, too
  const kept = listed.map(([name, value], i) => [name, matching[i] ? value : false] as const);
  return {
    properties: Object.fromEntries(kept),
    patternProperties: { [pattern]: additionalProperties },
    additionalProperties: false,
  };
}
