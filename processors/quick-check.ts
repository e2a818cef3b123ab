/**
 * A short way for options that are right. Most are plain numbers, and a request makes half a dozen steps of them: to ask each
 * number's own condition takes a tenth of the way through zod.
 *
 * What is here only says yes, with what zod would give; whatever it does not know or does not like goes through zod, which
 * refuses it in words.
 */
import type { OptionsSchema } from './check-schema.js';
import * as z from './zod.js';

type Accepts = (x: number) => boolean;

/** One field: how to find its value out of what was given. `NOT_QUICK` where it is not right. */
type Quick = (given: unknown) => unknown;

const NOT_QUICK = Symbol('not quick');
const NUMBERS = new WeakMap<object, Accepts>();
const FIELDS = new WeakMap<object, ReadonlyMap<string, Quick> | undefined>();

/** Remembers that `schema` takes the finite numbers that `accepts` accepts, and nothing else. */
export function rememberNumber<S extends object>(schema: S, accepts: Accepts): S {
  NUMBERS.set(schema, accepts);
  return schema;
}

/** `given` as `schema` makes it; undefined where it takes the long way. */
export function quickly(schema: OptionsSchema, given: Readonly<Record<string, unknown>>): object | undefined {
  if (!FIELDS.has(schema)) FIELDS.set(schema, fieldsOf(schema));
  const fields = FIELDS.get(schema);
  try {
    return fields && valuesOf(fields, given);
  } catch {
    return undefined; // a condition that throws: zod's way says so
  }
}

function valuesOf(fields: ReadonlyMap<string, Quick>, given: Readonly<Record<string, unknown>>): object | undefined {
  const made: Record<string, unknown> = {};
  for (const [name, quick] of fields) {
    const value = quick(given[name]);
    if (value === NOT_QUICK) return undefined;
    if (value !== undefined || name in given) made[name] = value;
  }
  return made;
}

/** The fields of a strict object without conditions of its own; undefined where one of them is of another kind. */
function fieldsOf(schema: OptionsSchema): ReadonlyMap<string, Quick> | undefined {
  const { shape, catchall, checks = [] } = schema._zod.def;
  if (catchall?._zod.def.type !== 'never' || checks.length > 0) return undefined;
  const fields = new Map<string, Quick>();
  for (const [name, field] of Object.entries(shape)) {
    const quick = name === '__proto__' ? undefined : quickOf(field);
    if (quick === undefined) return undefined;
    fields.set(name, quick);
  }
  return fields;
}

interface Wrapper {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  /** Of a default; what a function gives is another one each time. */
  readonly defaultValue?: unknown;
  readonly checks?: readonly unknown[];
}

/** A number, or what may be left out or has a default. */
function quickOf(field: z.core.$ZodType): Quick | undefined {
  const accepts = NUMBERS.get(field);
  if (accepts !== undefined) return (given) => (isNumber(given) && accepts(given) ? given : NOT_QUICK);
  const definition = field._zod.def as Wrapper;
  const { type, innerType, checks = [] } = definition;
  if (innerType === undefined || checks.length > 0) return undefined;
  const inner = quickOf(innerType) ?? ((given: unknown) => throughZod(innerType, given));
  if (type === 'optional' && innerType._zod.optin === undefined)
    return (given) => (given === undefined ? undefined : inner(given));
  if (type === 'default') return (given) => (given === undefined ? definition.defaultValue : inner(given));
  return undefined;
}

function isNumber(given: unknown): given is number {
  return typeof given === 'number' && Number.isFinite(given);
}

function throughZod(schema: z.core.$ZodType, given: unknown): unknown {
  const result = z.safeParse(schema, given);
  return result.success && result.data !== undefined ? result.data : NOT_QUICK;
}
