/**
 * Schemas that come from outside: of zod 4, whose older versions give schemas that look alike and work otherwise.
 */
import { InvalidValueError } from '../src/errors.js';
import { readable } from '../src/inputs.js';
import { hasFunction, isObject } from '../src/kinds.js';
import type { core } from './zod.js';

/** A plain object with known fields, each with a schema: `z.strictObject` or `z.object` of `zod` or `zod/mini`. */
export type OptionsSchema = core.$ZodObject & { readonly shape: core.$ZodShape };

const MAJOR = 4;
const CHECKED = new WeakSet<object>();

interface Definition {
  readonly type?: unknown;
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly [part: string]: unknown;
}

/** Refuses, naming `owner`, what is no schema of zod 4 for an object, or has a part that is none. */
export function checkSchema(owner: string, schema: unknown): asserts schema is OptionsSchema {
  if (isObject(schema) && CHECKED.has(schema)) return;
  const found = definitionOf(owner, 'options', schema);
  if (found.type !== 'object' || !isObject(found.shape)) {
    throw new InvalidValueError(owner, 'options', 'a schema of an object (z.strictObject)', schema);
  }
  for (const [name, part] of Object.entries(found.shape)) checkPart(owner, name, part, new Set());
  CHECKED.add(schema as object);
}

/** Follows what a schema is made of, as far as that is there now: what is made when asked for is left alone. */
function checkPart(owner: string, name: string, schema: unknown, seen: Set<unknown>): void {
  if (seen.has(schema)) return;
  seen.add(schema);
  const definition = definitionOf(owner, name, schema);
  const { innerType, element, in: first, out: second, keyType, valueType, options, items, shape } = definition;
  const parts = [innerType, element, first, second, keyType, valueType, ...listOf(options), ...listOf(items)];
  for (const part of parts) if (part !== undefined && part !== null) checkPart(owner, name, part, seen);
  if (isObject(shape)) for (const [key, part] of Object.entries(shape)) checkPart(owner, `${name}.${key}`, part, seen);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function definitionOf(owner: string, name: string, schema: unknown): Definition {
  return readable(owner, name, schema, () => coreDefinition(owner, name, schema));
}

function coreDefinition(owner: string, name: string, schema: unknown): Definition {
  const core = isObject(schema)
    ? (schema as { _zod?: { def?: Definition; version?: { major?: number } } })._zod
    : undefined;
  if (core?.def !== undefined && (core.version?.major ?? MAJOR) === MAJOR) return core.def;
  const isOther = core !== undefined || hasFunction(schema, 'safeParse');
  const mend = isOther ? '; this one is of another version: npm install zod@4' : '';
  throw new InvalidValueError(owner, name, `a schema of zod ${MAJOR}${mend}`, schema);
}
