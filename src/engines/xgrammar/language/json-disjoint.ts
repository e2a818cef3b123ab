/**
 * Whether two schemas can be told apart: then `oneOf` means the same as `anyOf`, which a grammar can say.
 */
import { constraining, type Schema } from './json-keywords.js';

/** Follows `$ref`. */
type Resolve = (schema: unknown) => unknown;

/** Whether it is plain to see that no value fits both: other types, other constants, or another property that tells. */
export function areDisjoint(a: unknown, b: unknown, resolve: Resolve): boolean {
  const [left, right] = [resolve(a), resolve(b)];
  if (!isObject(left) || !isObject(right)) return false;
  const [values, others] = [constants(left), constants(right)];
  if (values !== undefined && others !== undefined) return !values.some((value) => others.includes(value));
  const [types, otherTypes] = [typesOf(left), typesOf(right)];
  if (types === undefined || otherTypes === undefined) return false;
  if (!types.some((type) => otherTypes.includes(type))) return true;
  return [...types, ...otherTypes].every((type) => type === 'object') && tellingProperty(left, right, resolve);
}

/** A property that both require and whose schemas are disjoint. */
function tellingProperty(a: Schema, b: Schema, resolve: Resolve): boolean {
  const { properties: left, required: leftRequired } = a;
  const { properties: right, required: rightRequired } = b;
  if (!isObject(left) || !isObject(right) || !Array.isArray(leftRequired) || !Array.isArray(rightRequired))
    return false;
  const shared = leftRequired.filter((name) => rightRequired.includes(name));
  return shared.some((name) => areDisjoint(left[name], right[name], resolve));
}

/** The values of `const` and `enum`, where they are all that constrains and are no arrays or objects. */
function constants(schema: Schema): readonly unknown[] | undefined {
  const only = constraining(schema).every((key) => ['const', 'enum', 'type'].includes(key));
  const values = 'const' in schema ? [schema.const] : schema.enum;
  return only && Array.isArray(values) && values.every((value) => value === null || typeof value !== 'object')
    ? values
    : undefined;
}

/** The types that values can have; numbers for integers. */
function typesOf(schema: Schema): readonly unknown[] | undefined {
  const values = constants(schema);
  if (values !== undefined) return values.map((value) => (value === null ? 'null' : typeof value));
  if (schema.type === undefined) return undefined;
  const types: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => (type === 'integer' ? 'number' : type));
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
