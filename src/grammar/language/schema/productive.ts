/**
 * Whether some finite value fits a schema at all. One that requires itself has none, and a text of it would never end.
 *
 * The least solution: nothing has a value until something shows it. What is not looked into counts as having one, so
 * that only what surely has none is refused.
 */
import { refusal } from '../refusal.js';
import type { Json } from './copy-json.js';
import { isObject, type Schema, subschemas, typesOf } from './keywords.js';
import type { References } from './references.js';

/** Refuses `root` where no finite value fits it. */
export function checkProductive(root: Json, references: References, path: string): void {
  const productive = new Set<Schema>();
  const { found, users } = reachable(root, references);
  const open = new Set([...found].reverse()); // inner ones come first, as a rule, so that most are looked at once
  for (const schema of open) {
    open.delete(schema);
    if (!isProductive(schema, references, productive)) continue;
    productive.add(schema);
    for (const user of users.get(schema) as readonly Schema[]) if (!productive.has(user)) open.add(user); // it may have waited
  }
  if (!has(root, productive))
    throw refusal(path, 'a schema that some finite value fits', blameless(root, path, productive));
}

/** The place of an innermost schema without a value, for the message. */
function blameless(root: Json, path: string, productive: ReadonlySet<Schema>): string {
  let place = path;
  let schema: Json | undefined = root;
  const passed = new Set<Json>();
  while (isObject(schema) && !passed.has(schema)) {
    passed.add(schema);
    const next: readonly [Json, string] | undefined = [...subschemas(schema, place)].find(
      ([below]) => !has(below, productive),
    );
    if (next === undefined) break;
    [schema, place] = next;
  }
  return `none at ${place}`;
}

/** All schemas that `root` comes to, and for each those directly above it or referring to it. */
function reachable(root: Json, references: References) {
  const found = new Set<Schema>();
  const users = new Map<Schema, Schema[]>();
  const open: [Json, Schema?][] = [[root]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [schema, user] = next;
    if (!isObject(schema)) continue;
    if (!users.has(schema)) users.set(schema, []);
    if (user !== undefined) users.get(schema)?.push(user);
    if (found.has(schema)) continue;
    found.add(schema);
    for (const [below] of subschemas(schema, '')) open.push([below, schema]);
    const target = references.target(schema);
    if (target !== undefined) open.push([target, schema]);
  }
  return { found, users };
}

function has(schema: Json, productive: ReadonlySet<Schema>): boolean {
  return isObject(schema) ? productive.has(schema) : schema !== false;
}

function isProductive(schema: Schema, references: References, productive: ReadonlySet<Schema>): boolean {
  const { allOf, anyOf, oneOf } = schema;
  const target = references.target(schema);
  if (target !== undefined && !has(target, productive)) return false;
  if (Array.isArray(allOf) && !allOf.every((part) => has(part, productive))) return false;
  for (const options of [anyOf, oneOf]) {
    if (Array.isArray(options) && !options.some((option) => has(option, productive))) return false;
  }
  return typesOf(schema).some((type) => isTypeProductive(schema, type, productive));
}

function isTypeProductive(schema: Schema, type: Json, productive: ReadonlySet<Schema>): boolean {
  if (type === 'object') return requiredSchemas(schema).every((property) => has(property, productive));
  if (type === 'array') return neededItems(schema).every((item) => has(item, productive));
  return true;
}

function requiredSchemas({ required, properties, patternProperties, additionalProperties }: Schema): Json[] {
  if (!Array.isArray(required)) return [];
  const other = patternProperties === undefined ? (additionalProperties ?? true) : true;
  return required.map((name) =>
    isObject(properties) && Object.hasOwn(properties, name as string) ? (properties[name as string] as Json) : other,
  );
}

function neededItems({ minItems, prefixItems, items, additionalItems }: Schema): Json[] {
  if (typeof minItems !== 'number' || minItems === 0) return [];
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  return minItems > first.length ? [...first, rest ?? true] : first.slice(0, minItems);
}
