/**
 * Schemas that come with a request, from anybody: what is too much is refused by name before the engine sees it, and what
 * the engine dies of leaves the others alone.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createGrammars, type Grammars } from '../../src/grammar/index.js';
import { InvalidValueError } from '../../src/index.js';
import { BYTE_TOKENIZER, END } from '../support/byte-tokens.js';

let grammars: Grammars;

beforeAll(async () => {
  grammars = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
});

function refusal(schema: unknown): InvalidValueError {
  try {
    grammars.jsonSchema(schema as object);
  } catch (error) {
    if (error instanceof InvalidValueError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

const NULL = { type: 'null' };
const many = (count: number) => Array.from({ length: count }, (_, i) => i);
/** `schema` within `depth` arrays. */
const nested = (depth: number, schema: object = NULL): object =>
  depth === 0 ? schema : { type: 'array', items: nested(depth - 1, schema) };
/** An object with `count` properties, each the schema. */
const wide = (count: number, schema: object = NULL) => ({
  type: 'object',
  properties: Object.fromEntries(many(count).map((i) => [`p${i}`, schema])),
});
const needs = (name: string) => ({
  type: 'object',
  properties: { [name]: { $ref: `#/$defs/${name}` } },
  required: [name],
});

/** Definitions that lead one to the next; in `objects` there is one at each step. */
function chain(length: number, link: (name: string) => object = (name) => ({ $ref: `#/$defs/${name}` })): object {
  const entries = many(length).map((i) => [`d${i}`, i + 1 < length ? link(`d${i + 1}`) : NULL]);
  return { $defs: Object.fromEntries(entries), $ref: '#/$defs/d0' };
}
const objects = (length: number) => chain(length, needs);
/** The last one first, so that nothing but the references leads from one to the next. */
function backwards(length: number): object {
  const { $defs, ...rest } = chain(length) as { $defs: object };
  return { $defs: Object.fromEntries(Object.entries($defs).reverse()), ...rest };
}

function circular(): object {
  const schema: Record<string, unknown> = {};
  schema.items = schema;
  return schema;
}

describe('a hostile schema', () => {
  it.each<[string, unknown, string]>([
    ['is too long', { const: 'a'.repeat(2 ** 20 + 1) }, ''],
    ['has too many values', { const: many(20_000) }, ''],
    ['is too deep', nested(70), '/items'],
    ['has no end', circular(), '/items'],
    ['has too many properties', wide(1001), '/properties'],
    ['has too many definitions', { $defs: wide(1001).properties }, '/$defs'],
    ['has too many patterns of names', { patternProperties: wide(33).properties }, '/patternProperties'],
    ['has too many alternatives', { anyOf: many(501).map(() => NULL) }, '/anyOf'],
    ['has too many values to choose from', { enum: many(5001) }, '/enum'],
    ['has too fine a multiple', { multipleOf: 999_983 }, '/multipleOf'],
    ['has too fine a fraction', { multipleOf: 0.010001 }, '/multipleOf'],
    ['has too large a multiple', { multipleOf: 1e300 }, '/multipleOf'],
    ['has too long a pattern', { pattern: 'a'.repeat(5001) }, '/pattern'],
    ['has too many references behind one another', chain(152), ''],
    ['has them in another order', backwards(152), ''],
    ['has them with objects between', objects(152), ''],
  ])('is refused before the engine sees it: it %s', (_, schema, place) => {
    const error = refusal(schema);
    expect(error.parameter.startsWith(`json_schema${place}`)).toBe(true);
    expect(error.domain).toMatch(/at most/);
  });

  it.each<[string, object]>([
    ['as many references as may be', chain(150)],
    ['as many in another order', backwards(150)],
    ['as many objects behind one another', objects(150)],
    ['two objects that need one another without end', { $defs: { a: needs('b'), b: needs('a') }, $ref: '#/$defs/a' }],
    ['a pattern with many states', { type: 'string', pattern: '^(a|b)*a(a|b){200}$' }],
    ['counts within counts', { type: 'string', pattern: '^((a{1,100}){1,100}){1,100}$' }],
    ['many large enums', wide(20, { enum: many(900) })],
    ['as many properties as may be', wide(1000)],
    ['many patterns of names', { patternProperties: Object.fromEntries(many(32).map((i) => [`^.*${i}.*$`, NULL])) }],
    ['a multiple as fine as may be', { type: 'number', multipleOf: 0.9973 }],
    ['names that are no list, of two bytes a character', { type: 'object', required: 'é'.repeat(100) }],
  ])('ends, and others go on: %s', (_, schema) => {
    const other = grammars.jsonSchema(nested(2)).constraint();
    other.advance(0x5b);
    const before = [...other.mask()];
    try {
      grammars.jsonSchema(schema).constraint().mask();
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidValueError);
    }
    other.restore([]);
    other.restore([0x5b]);
    expect([...other.mask()]).toEqual(before);
  });

  it.each<[string, () => unknown]>([
    ['many patterns at once', () => grammars.jsonSchema({ allOf: many(30).map((i) => ({ pattern: `a.{${i}}b` })) })],
    [
      'two multiples at once',
      () => grammars.jsonSchema({ type: 'integer', allOf: [{ multipleOf: 9973 }, { multipleOf: 9967 }] }),
    ],
    ['a schema within Lark', () => grammars.lark('start: %json {"type":"number","multipleOf":999983}')],
  ])('that takes the engine too many steps is refused, and others go on: %s', (_, compile) => {
    const other = grammars.jsonSchema(nested(2)).constraint();
    other.advance(0x5b);
    const before = [...other.mask()];
    expect(compile).toThrow(/takes more than 1000000 steps/);
    expect(compile).toThrow(InvalidValueError);
    other.restore([]);
    other.restore([0x5b]);
    expect([...other.mask()]).toEqual(before);
  });

  it('of many objects with many properties is refused', () => {
    const properties = Object.fromEntries(many(2).map((i) => [`q${i}`, wide(1000)]));
    expect(refusal({ properties }).domain).toBe(
      'at most 1500000 as the sum of the squares of the numbers of properties',
    );
  });

  it('does not shorten the texts of others: steps are counted for each id', () => {
    const constraint = grammars.lark('start: /[a-z]*/').constraint();
    const ids = Array.from({ length: 50_000 }, () => 0x61);
    constraint.restore(ids);
    expect(constraint.save()).toEqual(ids);
  });

  it('with as many references as may be is compiled', () => {
    for (const schema of [chain(150), backwards(150), objects(150)]) {
      expect(grammars.jsonSchema(schema).constraint().isComplete()).toBe(false);
    }
  });
});
