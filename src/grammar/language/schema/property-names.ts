/**
 * `propertyNames` said by other keywords, which the engine enforces: names as properties, patterns as patternProperties.
 */
import { at } from '../refusal.js';
import { search } from '../search.js';
import type { Json } from './copy-json.js';
import { checkKeywords, isObject, type Schema } from './keywords.js';
import type { References } from './references.js';

/** Keywords that say nothing more of a name, where its type is that of all. */
const IDLE = ['type', 'title', 'description', '$comment'];

/** Says of the names of `schema` what it does with `propertyNames`; what cannot be said leaves it as it is. */
export function rewritePropertyNames(schema: Schema, references: References, path: string): void {
  const { propertyNames, ...rest } = schema;
  const names =
    isObject(propertyNames) && propertyNames.$ref !== undefined ? references.target(propertyNames) : propertyNames;
  if (isObject(names)) checkKeywords(names, at(path, 'propertyNames'));
  const rewritten = names === undefined ? undefined : rewrite(rest, names);
  if (rewritten === undefined) return;
  delete schema.propertyNames;
  Object.assign(schema, rewritten);
}

/** The keywords that take its place; undefined for what they cannot say. */
function rewrite(schema: Schema, names: Json): Schema | undefined {
  if (names === true) return {};
  if (names === false) return { maxProperties: 0 };
  if (!isObject(names) || (names.type ?? 'string') !== 'string') return undefined;
  const { minLength = 0, maxLength = '' } = names;
  const said = Object.keys(names).filter((key) => !IDLE.includes(key));
  switch (said.sort().join(' ')) {
    case '':
      return {};
    case 'const':
      return listedNames(schema, [names.const as Json]);
    case 'enum':
      return listedNames(schema, names.enum as Json[]);
    case 'pattern':
      return matchingNames(schema, names.pattern as string);
    case 'maxLength':
    case 'minLength':
    case 'maxLength minLength':
      return matchingNames(schema, `^[^]{${minLength},${maxLength}}$`);
    default:
      return undefined;
  }
}

function listedNames(schema: Schema, listed: readonly Json[]): Schema | undefined {
  const { additionalProperties = true } = schema;
  const names = listed.filter((name) => typeof name === 'string');
  const properties = keptProperties(schema, (name) => names.includes(name));
  if (properties === undefined) return undefined;
  const others = names.filter((name) => !Object.hasOwn(properties, name));
  const added = others.map((name) => [name, additionalProperties] as const);
  return { properties: { ...properties, ...Object.fromEntries(added) }, additionalProperties: false };
}

function matchingNames(schema: Schema, pattern: string): Schema | undefined {
  const { additionalProperties = true } = schema;
  const found = new Set<boolean | undefined>();
  const properties = keptProperties(schema, (name) => {
    const isMatching = search(pattern, name);
    found.add(isMatching);
    return isMatching === true;
  });
  if (properties === undefined || found.has(undefined)) return undefined;
  if (additionalProperties !== true && found.has(true)) return undefined; // the pattern would hold for listed names, too
  return { properties, patternProperties: { [pattern]: additionalProperties }, additionalProperties: false };
}

/** The properties, those whose name does not fit forbidden; undefined where patterns say others. */
function keptProperties(schema: Schema, fits: (name: string) => boolean): Schema | undefined {
  const { properties = {}, patternProperties } = schema;
  if (patternProperties !== undefined || !isObject(properties)) return undefined;
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, fits(name) ? value : false]));
}
