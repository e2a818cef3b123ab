/**
 * A schema as a caller has it, as plain JSON: an object or a boolean, JSON text of one, or a schema of zod 4.
 */
import * as z from 'zod';
import { MOST_CHARACTERS } from './limits.js';
import { refusal } from './refusal.js';

/** A copy, so that nobody can change it later. Throws InvalidValueError for what JSON cannot say, and for what is too long. */
export function readSchema(schema: unknown): unknown {
  const text = typeof schema === 'string' ? schema : jsonOf(schema);
  if (text.length > MOST_CHARACTERS) throw refusal([], `at most ${MOST_CHARACTERS} characters as JSON`, text.length);
  try {
    return JSON.parse(text);
  } catch {
    throw refusal([], 'a JSON schema, or JSON text of one', schema);
  }
}

function jsonOf(schema: unknown): string {
  const plain = isZod(schema) ? fromZod(schema) : schema;
  try {
    const text: string | undefined = JSON.stringify(plain);
    if (text !== undefined) return text;
  } catch {
    // a schema within itself, say: refused below
  }
  throw refusal([], 'a JSON schema, or JSON text of one', schema);
}

function isZod(schema: unknown): schema is z.core.$ZodType {
  return typeof schema === 'object' && schema !== null && '_zod' in schema;
}

/** What a text has to be so that the schema takes it once it is parsed: its input. */
function fromZod(schema: z.core.$ZodType): unknown {
  try {
    return z.toJSONSchema(schema, { io: 'input' });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refusal([], `a schema of zod that JSON schema can say (${reason})`, schema);
  }
}
