/**
 * A part of JSON-Schema-Test-Suite: no invalid instance is accepted, and no valid one rejected but those listed here.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EngineRefusal } from '../../../src/grammar/engine/instance.js';
import { schemaSource } from '../../../src/grammar/language/source.js';
import { InvalidValueError } from '../../../src/index.js';
import { Language } from './languages.js';

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const FOLDER = join(import.meta.dirname, '../../../fixtures/json-schema-test-suite/draft2020-12');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const groups = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Group[];

/** Valid instances that are rejected: a constant's keys stay in its own order. */
const NARROWED = ['const with object: same object with different property order is valid'];

/** How many schemas of a file are refused, and why. */
const REFUSED: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'allOf.json': [2, 'nothing fits'],
  'anyOf.json': [1, 'nothing fits'],
  'enum.json': [1, 'an empty enum: nothing fits'],
  'multipleOf.json': [1, 'a divisor of nine digits'],
  'not.json': [7, 'of other schemas than required properties'],
  'oneOf.json': [8, 'options that are not plainly disjoint, or nothing fits'],
  'patternProperties.json': [3, 'patterns that one name may match both of'],
  'ref.json': [10, 'references to other documents, and $id beside $ref'],
};

/** JSON of an instance, with the keys of objects in each order where there are few. */
function orders(data: unknown): string[] {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [JSON.stringify(data)];
  const all = permutations(Object.keys(data)).map((keys) =>
    keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify((data as Record<string, unknown>)[key])}`),
  );
  return all.map((members) => `{${members.join(',')}}`);
}

function permutations(keys: readonly string[]): string[][] {
  if (keys.length <= 1 || keys.length > 4) return [[...keys]];
  return keys.flatMap((key) => permutations(keys.filter((other) => other !== key)).map((rest) => [key, ...rest]));
}

function languageOf(schema: unknown): Language | undefined {
  try {
    return new Language(schemaSource(schema));
  } catch (error) {
    if (error instanceof InvalidValueError || error instanceof EngineRefusal) return undefined;
    throw error;
  }
}

describe('JSON-Schema-Test-Suite, draft 2020-12', () => {
  it.each(FILES)('%s: nothing invalid is accepted', (file) => {
    const wrong: string[] = [];
    let refused = 0;
    for (const { description, schema, tests } of groups(file)) {
      const language = languageOf(schema);
      if (language === undefined) refused++;
      for (const test of language === undefined ? [] : tests) {
        const isAccepted = orders(test.data).some((text) => language?.has(text));
        if (isAccepted !== test.valid) wrong.push(`${description}: ${test.description}`);
      }
      language?.dispose();
    }
    expect(wrong.filter((name) => !NARROWED.includes(name))).toEqual([]);
    expect([file, refused]).toEqual([file, REFUSED[file]?.[0] ?? 0]);
  });
});
