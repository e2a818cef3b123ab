/**
 * How many references are followed one within another: the engine does so on its stack, whose size is the machine's affair.
 */
import { refusal } from './refusal.js';

/** Twice as many end the engine in Node; of ten thousand real schemas none has more. */
const MOST_REFERENCES = 150;

/** Throws InvalidValueError where `$ref`s within the schema lead further than that, each followed once. */
export function checkReferences(schema: unknown): void {
  const seen = new Set<string>();
  /** References still to be followed, with how many led there. */
  const open = referencesIn(schema).map((name) => ({ name, depth: 1 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, depth } = next;
    if (seen.has(name)) continue;
    seen.add(name);
    if (depth > MOST_REFERENCES) {
      throw refusal([], `a schema with at most ${MOST_REFERENCES} references behind one another`, name);
    }
    for (const inner of referencesIn(resolve(schema, name))) open.push({ name: inner, depth: depth + 1 });
  }
}

/** The values of `$ref` in it, the first one last, outside definitions: those count where something refers to them. */
function referencesIn(value: unknown): string[] {
  const found: string[] = [];
  const open = [value];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    for (const [key, inner] of Object.entries(part)) {
      if (key === '$ref' && typeof inner === 'string') found.push(inner);
      else if (key !== '$defs' && key !== 'definitions') open.push(inner);
    }
  }
  return found;
}

/** What a pointer such as `#/$defs/a` leads to; undefined for other references and for nothing. */
function resolve(schema: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let value = schema;
  for (const key of reference.slice(2).split('/')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[nameOf(key)];
  }
  return value;
}

/** A key of a JSON pointer in an address: `~1` is a slash, `~0` a tilde. */
function nameOf(key: string): string {
  try {
    return decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return key; // no address; the engine says so
  }
}
