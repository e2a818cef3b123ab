/**
 * A JSON schema as the engine takes it: checked where the engine would trap or not say where, and without what says nothing.
 *
 * What is left out: `propertyNames` that every name fits; `additionalItems` where there is no list of items for it to go
 * beyond; a format that the engine does not know beside the pattern that says it, and one of what is no string; options of the engine itself, which are
 * the caller's to set and not those of whoever wrote the schema. What cannot be held is refused with its place.
 */

import { InvalidValueError } from '../../errors.js';
import { translate } from '../regex/translate.js';
import { FORMAT_PATTERNS } from './format-patterns.js';
import { FORMATS, KINDS } from './keywords.js';
import { checkLimits } from './limits.js';
import { checkReferences } from './references.js';
import { type Place, refusal } from './refusal.js';

/** The engine's options, in a keyword of its own. */
const OPTIONS = 'x-guidance';
/** Without spaces, as `JSON.stringify` writes it. */
const COMPACT = { whitespace_flexible: false, item_separator: ',', key_separator: ':' };
/** Keywords of JSON schema that no grammar of the engine holds. */
const UNSUPPORTED = [
  ...['not', 'if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'uniqueItems', 'dependencies'],
  ...[
    'dependentRequired',
    'dependentSchemas',
    'unevaluatedItems',
    'unevaluatedProperties',
    '$dynamicRef',
    '$recursiveRef',
  ],
];
const STRING = 'a string';

type Schema = Readonly<Record<string, unknown>>;

/** The text that the engine compiles. Throws InvalidValueError with the place of what is refused. */
export function prepareSchema(schema: unknown): string {
  checkLimits(schema);
  checkReferences(schema);
  const prepared = prepare(schema, []);
  if (prepared === false) throw refusal([], 'a schema that something fits', schema);
  return JSON.stringify({ ...(prepared === true ? {} : prepared), [OPTIONS]: COMPACT });
}

function prepare(given: unknown, place: Place): Schema | boolean {
  if (typeof given === 'boolean') return given;
  if (!isObject(given)) throw refusal(place, 'a JSON schema: an object, true or false', given);
  const schema = withFormat(given);
  const kept = Object.entries(schema).filter(([keyword]) => saysSomething(keyword, schema));
  const values = kept.map(([keyword, value]) => [keyword, prepareValue(keyword, value, [...place, keyword])] as const);
  return { ...Object.fromEntries(values), ...(mayBeString(schema) ? {} : boundsOf(schema)) };
}

/** With a pattern in the place of a format that has one. */
function withFormat(schema: Schema): Schema {
  const pattern = FORMAT_PATTERNS.get(schema.format);
  if (pattern === undefined || !(schema.allOf === undefined || Array.isArray(schema.allOf))) return schema;
  const { format: _, allOf = [], ...rest } = schema;
  return mayBeString(schema) ? { ...rest, allOf: [...(allOf as unknown[]), pattern] } : schema;
}

function saysSomething(keyword: string, schema: Schema): boolean {
  switch (keyword) {
    case OPTIONS:
      return false;
    case 'propertyNames':
      return !fitsEveryName(schema.propertyNames);
    case 'additionalItems':
      return Array.isArray(schema.items);
    case 'format':
      return mayBeString(schema) && (FORMATS.has(schema.format as string) || typeof schema.pattern !== 'string');
    case 'uniqueItems':
      return schema.uniqueItems !== false;
    default:
      return true;
  }
}

function mayBeString({ type }: Schema): boolean {
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}

/** A format of numbers is OpenAPI's: `int32` has bounds, the others say how a number is stored. */
function boundsOf({ format, minimum = -Infinity, maximum = Infinity }: Schema): Schema {
  if (format !== 'int32' || typeof minimum !== 'number' || typeof maximum !== 'number') return {};
  return { minimum: Math.max(minimum, -0x80000000), maximum: Math.min(maximum, 0x7fffffff) };
}

function fitsEveryName(names: unknown): boolean {
  if (names === true) return true;
  return isObject(names) && Object.entries(names).every(([keyword, value]) => keyword === 'type' && value === 'string');
}

function prepareValue(keyword: string, value: unknown, place: Place): unknown {
  if (UNSUPPORTED.includes(keyword) && !isDefinition(place)) {
    throw refusal(place, 'absent: no grammar holds it', value);
  }
  switch (KINDS[keyword]) {
    case 'schema':
      return prepareSupported(keyword, value, place);
    case 'schemas':
      return prepareList(value, place);
    case 'schema or schemas':
      return Array.isArray(value) ? prepareList(value, place) : prepare(value, place);
    case 'schemas by name':
      return prepareNamed(value, place, keyword === 'patternProperties');
    default:
      checkValue(keyword, value, place);
      return keyword === 'pattern' ? preparePattern(value as string, place) : value;
  }
}

function prepareSupported(keyword: string, value: unknown, place: Place): Schema | boolean {
  if (keyword === 'propertyNames' && !isDefinition(place)) throw refusal(place, 'one that every name fits', value);
  return prepare(value, place);
}

function prepareList(value: unknown, place: Place): unknown[] {
  if (!Array.isArray(value)) throw refusal(place, 'an array of JSON schemas', value);
  return value.map((schema, i) => prepare(schema, [...place, i]));
}

function prepareNamed(value: unknown, place: Place, arePatterns: boolean): Schema {
  if (!isObject(value)) throw refusal(place, 'an object of JSON schemas', value);
  const entries = Object.entries(value).map(([name, schema]) => {
    const inner = [...place, name];
    return [arePatterns ? preparePattern(name, inner) : name, prepare(schema, inner)] as const;
  });
  return Object.fromEntries(entries);
}

/** As JavaScript reads it; in a definition that nothing may ever refer to, what cannot be read stays as it is. */
function preparePattern(pattern: string, place: Place): string {
  const refuse = (domain: string) => refusal(place, domain, pattern);
  try {
    return translate(pattern, refuse, { isStrict: false, keepsAnchors: true });
  } catch (error) {
    if (isDefinition(place) && error instanceof InvalidValueError) return pattern;
    throw error;
  }
}

function checkValue(keyword: string, value: unknown, place: Place): void {
  const kind = KINDS[keyword];
  if (kind === 'string' && typeof value !== 'string') throw refusal(place, STRING, value);
  if (kind === 'strings' && !isStrings(value)) throw refusal(place, 'an array of strings', value);
  if (kind === 'list' && !Array.isArray(value)) throw refusal(place, 'an array', value);
  if (kind === 'number' && !['number', 'boolean'].includes(typeof value)) throw refusal(place, 'a number', value);
  if (keyword === 'type' && typeof value !== 'string' && !isStrings(value)) {
    throw refusal(place, 'the name of a type, or an array of them', value);
  }
  if (keyword === 'format' && !FORMATS.has(value as string) && !isDefinition(place)) {
    throw refusal(place, `one of ${[...FORMATS].join(', ')}, or beside a pattern that says it`, value);
  }
}

/** Whether nothing may ever refer to it; the engine refuses what it does not hold where something does. */
function isDefinition(place: Place): boolean {
  return place.includes('$defs') || place.includes('definitions');
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
