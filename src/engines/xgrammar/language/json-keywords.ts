/**
 * The keywords of JSON schemas (draft 2020-12): which are understood, and which only describe.
 */
import { InvalidValueError } from '../../../errors.js';

export type Schema = Readonly<Record<string, unknown>>;

/** They constrain nothing. */
const DESCRIBING = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** What may stand beside `type`, for each type. */
export const TYPE_KEYWORDS = {
  null: [],
  boolean: [],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
} as const satisfies Record<string, readonly string[]>;

export type TypeName = keyof typeof TYPE_KEYWORDS;

/** The keywords of `schema` that constrain. */
export function constraining(schema: Schema): string[] {
  return Object.keys(schema).filter((key) => !DESCRIBING.has(key));
}

/** Refuses a keyword that is not among `known`: it would be ignored. */
export function checkOnly(schema: Schema, known: readonly string[], path: string): void {
  const other = constraining(schema).find((key) => !known.includes(key));
  if (other === undefined) return;
  throw refusal(at(path, other), `absent (supported here: ${known.join(', ') || 'nothing more'})`, schema[other]);
}

/** A schema that is an object, after `true` and `false` were dealt with. */
export function checkSchema(schema: unknown, path: string): asserts schema is Schema {
  if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return;
  throw refusal(path, 'a JSON schema: an object, true or false', schema);
}

/** The keyword `name`, an integer >= 0, or `fallback` where it is absent. */
export function count(schema: Schema, name: string, path: string, fallback: number): number {
  const value = schema[name];
  if (value === undefined) return fallback;
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw refusal(at(path, name), 'an integer >= 0', value);
}

/** Refuses a least count above the most. */
export function checkCounts(least: number, most: number, name: string, path: string): void {
  if (least > most) throw refusal(at(path, name), `at most ${most} (else nothing fits)`, least);
}

/** The path of `key` below `path`, a JSON pointer behind the parameter's name. */
export function at(path: string, key: string | number): string {
  return `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

export function refusal(path: string, domain: string, value: unknown): InvalidValueError {
  return new InvalidValueError('Grammars', path, domain, value);
}
