/**
 * How many references are followed one within another: the engine does so on its stack, whose size differs from machine to machine.
 */
import { refusal } from '../refusal.js';
import type { Json } from './copy-json.js';
import type { Schema } from './keywords.js';
import type { References } from './references.js';

/** Twice as many end the engine in Node; of ten thousand real schemas none has more. */
const MOST_REFERENCES = 150;

/** Throws InvalidValueError, naming `path`, where references within `root` lead further than that, each followed once. */
export function checkReferenceDepth(root: Json, references: References, path: string): void {
  const seen = new Set<Json>();
  const open = referringIn(root).map((schema) => ({ schema, depth: 1 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { schema, depth } = next;
    const target = references.target(schema);
    if (target === undefined || seen.has(target)) continue;
    seen.add(target);
    if (depth > MOST_REFERENCES) {
      throw refusal(path, `a schema with at most ${MOST_REFERENCES} references behind one another`, schema.$ref);
    }
    for (const inner of referringIn(target)) open.push({ schema: inner, depth: depth + 1 });
  }
}

/** What has a `$ref` in `value`, the first one last, outside definitions: those count where something refers to them. */
function referringIn(value: Json): Schema[] {
  const found: Schema[] = [];
  const open: Json[] = [value];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    if (!Array.isArray(part) && typeof part.$ref === 'string') found.push(part);
    for (const [key, inner] of Object.entries(part)) {
      if (key !== '$defs' && key !== 'definitions') open.push(inner);
    }
  }
  return found;
}
