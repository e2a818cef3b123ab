/**
 * JSON schemas: what fits them, what is refused and where, hostile ones. The kinds G1 to G11 of issue 10.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { createGrammars, type Grammars } from '../../src/grammar/index.js';
import { InvalidValueError } from '../../src/index.js';
import { accepts, BYTE_TOKENIZER, END } from './byte-tokens.js';

let grammars: Grammars;

beforeAll(async () => {
  grammars = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
});

function fits(schema: object | boolean | string, texts: readonly string[]): string[] {
  const constraint = grammars.jsonSchema(schema).constraint();
  const fitting = texts.filter((text) => accepts(constraint, text));
  constraint.dispose();
  return fitting;
}

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
/** `schema` within `depth` arrays. */
const nested = (depth: number, schema: object = NULL): object =>
  depth === 0 ? schema : { type: 'array', items: nested(depth - 1, schema) };
/** An object with `count` properties, each the schema. */
const wide = (count: number, schema: object = NULL) => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, schema])),
});

const embedded = {
  $defs: {
    x: NULL,
    in: {
      $id: 'http://e.com/in',
      $defs: { x: { type: 'boolean' } },
      type: 'object',
      properties: { v: { $ref: '#/$defs/x' } },
    },
  },
  $ref: '#/$defs/in',
};
const bounded = { type: 'object', properties: { a: { type: 'boolean' }, t: { type: 'number', minimum: 1e9 } } };
const discriminated = {
  oneOf: ['a', 'b'].map((kind) => ({ type: 'object', properties: { k: { const: kind } }, required: ['k'] })),
  discriminator: { propertyName: 'k' },
};
const UUID = '123e4567-e89b-12d3-a456-426614174000';

describe('a JSON schema', () => {
  it.each<[string, object | boolean | string, string[], string[]]>([
    ['G2 an embedded $id', embedded, ['{"v":true}'], ['{"v":null}']],
    [
      'G2 a $ref to the $id of the root',
      { $id: 'T', type: 'object', properties: { n: { $ref: 'T' } } },
      ['{"n":{}}'],
      ['{"n":1}'],
    ],
    [
      'G3 a long string in an object in an array',
      { type: 'array', items: wide(1, { type: 'string', maxLength: 255 }) },
      ['[{"p0":"a"}]'],
      [`["${'a'.repeat(256)}"]`],
    ],
    ['G3 arrays nested 20 deep', nested(20), ['[]', '[[[]]]'], ['[1]']],
    ['G3 a pattern with a count', { type: 'string', pattern: 'a.{10}b' }, ['"xa0123456789bz"'], ['"a012345678b"']],
    [
      'G4 a format beside a pattern',
      { type: 'string', format: 'uuid', pattern: '^[0-9a-f-]{36}$' },
      [`"${UUID}"`],
      [`"${'-'.repeat(36)}"`, `"${UUID.toUpperCase()}"`],
    ],
    [
      'G4 a format that is only known by its pattern',
      { type: 'string', format: 'lower', pattern: '^[a-z]+$' },
      ['"a"'],
      ['"A"'],
    ],
    [
      'G4 propertyNames that every name fits',
      { type: 'object', propertyNames: { type: 'string' }, additionalProperties: NULL },
      ['{"a":null}'],
      ['{"a":1}'],
    ],
    ['G4 minLength beside a pattern', { type: 'string', minLength: 2, pattern: '^a*$' }, ['"aa"'], ['"a"', '"bb"']],
    [
      'G4 additionalItems without a list of items',
      { type: 'array', items: NULL, additionalItems: false },
      ['[null]'],
      ['[1]'],
    ],
    ['G4 discriminator beside oneOf', discriminated, ['{"k":"a"}', '{"k":"b"}'], ['{"k":"c"}', '{}']],
    [
      'G4 annotations of anybody',
      { ...wide(1, { ...NULL, 'x-order': 1 }), 'x-order': 2 },
      ['{"p0":null}'],
      ['{"p0":1}'],
    ],
    ['G7 a name with a percent sign', { $ref: '#/$defs/100%25', $defs: { '100%': NULL } }, ['null'], ['1']],
    ['G7 a name with a slash', { $ref: '#/$defs/a~1b', $defs: { 'a/b': NULL } }, ['null'], ['1']],
    ['G8 any object', { type: 'object' }, ['{}', '{"a":[1,{"b":"c"}]}'], ['[]', '{"a"}']],
    ['G9 a large bound', bounded, ['{"t":1000000000}', '{"a":true}'], ['{"t":999999999}']],
    [
      'G10 names that are integers, which JavaScript puts first',
      '{"properties":{"b":{"type":"null"},"1":{"type":"null"}},"type":"object"}',
      ['{"1":null,"b":null}'],
      ['{"b":null,"1":null}'],
    ],
    [
      'G11 a property that may not be',
      { type: 'object', properties: { a: false, b: NULL } },
      ['{}', '{"b":null}'],
      ['{"a":1}'],
    ],
    [
      'a pattern as JavaScript reads it',
      { type: 'string', pattern: '^\\s.\\W$' },
      ['"\u00a0aé"', '"\ufeff😀-"'],
      ['" \u2028-"', '"aaa"', '" a_"'],
    ],
    [
      'a pattern anywhere in the text',
      { type: 'string', pattern: 'a|^b|c$' },
      ['"xay"', '"bx"', '"xc"'],
      ['"xb"', '"cx"'],
    ],
    ['a pattern that the flag u refuses', { type: 'string', pattern: '^[\\w\\-]+\\_$' }, ['"a-_"'], ['"a-"']],
    [
      'patterns of names',
      { patternProperties: { '^\\d$': NULL }, additionalProperties: false, type: 'object' },
      ['{"1":null}'],
      ['{"a":null}', '{"1":1}'],
    ],
    [
      'days of the calendar',
      { type: 'string', format: 'date' },
      ['"2024-02-29"', '"2000-02-29"', '"2021-12-31"', '"0001-04-30"'],
      ['"2021-02-29"', '"2100-02-29"', '"0100-02-29"', '"2021-04-31"', '"2021-13-01"', '"2021-00-10"', '"2021-01-00"'],
    ],
    [
      'times',
      { type: 'string', format: 'time' },
      ['"23:59:59Z"', '"00:00:00.5+23:59"'],
      ['"23:59:60Z"', '"24:00:00Z"', '"10:00:00"', '"10:00Z"'],
    ],
    [
      'a date with its time, beside a pattern',
      { type: 'string', format: 'date-time', pattern: 'Z$' },
      ['"2024-02-29T01:02:03Z"'],
      ['"2024-02-29T01:02:03+00:00"', '"2023-02-29T01:02:03Z"'],
    ],
    [
      'names of hosts',
      { type: 'string', format: 'hostname' },
      ['"a"', '"a-b.c1"', '"ab"', '"a-b"', '"ab-c"', '"a--b"', `"${'a'.repeat(63)}.b"`],
      ['"-a"', '"a-"', '"xn--x"', `"${'a'.repeat(64)}"`, '"a..b"', '""', `"${'ab.'.repeat(84)}ab"`],
    ],
    ['true: any JSON', true, ['1', '[{"a":null}]', '"é"'], ['', 'a']],
    ['no space', wide(2), ['{"p0":null,"p1":null}'], ['{"p0": null}', '{ "p0":null}', '{"p0":null, "p1":null}']],
    [
      'no space, whatever the schema asks for',
      { ...nested(1), 'x-guidance': { whitespace_flexible: true, lenient: true } },
      ['[null,null]'],
      ['[ null]'],
    ],
    ['the order of the schema', wide(2), ['{"p1":null}'], ['{"p1":null,"p0":null}']],
    ['a name of `properties` once', wide(1), ['{"p0":null,"a":1}'], ['{"p0":null,"p0":null}']],
    ['a name beyond `properties`, which may come twice', wide(1), ['{"a":1,"a":2}'], []],
    ['int32', { type: 'integer', format: 'int32' }, ['2147483647', '-2147483648'], ['2147483648', '-2147483649']],
    ['int32 within a bound', { type: 'integer', format: 'int32', minimum: 0 }, ['0'], ['-1', '2147483648']],
    [
      'a definition that nothing refers to',
      { ...NULL, $defs: { a: { not: {} }, b: { format: 'x' } } },
      ['null'],
      ['1'],
    ],
    [
      'a name such as __proto__',
      '{"type":"object","properties":{"__proto__":{"type":"null"}}}',
      ['{"__proto__":null}'],
      ['{"__proto__":1}'],
    ],
  ])('is held: %s', (_, schema, right, wrong) => {
    expect(fits(schema, [...right, ...wrong])).toEqual(right);
  });

  it.each<[string, unknown, string]>([
    ['G1 a bound that is no number of 64 bits', { type: 'number', minimum: 1.5e21 }, ''],
    ['G1 another', { type: 'number', minimum: 1e21 }, ''],
    ['not', wide(1, { not: NULL }), '/properties/p0/not'],
    ['uniqueItems', nested(1, { type: 'array', uniqueItems: true }), '/items/uniqueItems'],
    ['if', { anyOf: [NULL, { if: true }] }, '/anyOf/1/if'],
    ['a format that nobody knows', { properties: { 'a/b': { format: 'x' } } }, '/properties/a~1b/format'],
    ['propertyNames that some names do not fit', { propertyNames: { minLength: 2 } }, '/propertyNames'],
    ['G7 a $ref that is no address', { $ref: '#/$defs/100%', $defs: { '100%': NULL } }, ''],
    ['a $ref to nothing', { $ref: '#/$defs/a' }, ''],
    ['a $ref to itself', { $ref: '#' }, ''],
    ['false', false, ''],
    ['a number', 1, ''],
    ['an array', [], ''],
    ['a schema within itself', circular(), ''],
    ['text that is no JSON', '{', ''],
    ['a schema that is none', { items: 1 }, '/items'],
    ['names that are no list', { required: 'é'.repeat(100) }, '/required'],
    ['names that are no texts', { required: [1] }, '/required'],
    ['schemas that are no list', { anyOf: {} }, '/anyOf'],
    ['properties that are a list', { properties: [] }, '/properties'],
    ['a length that is a text', { maxLength: 'é'.repeat(100) }, '/maxLength'],
    ['a type that is a number', { type: 1 }, '/type'],
    ['an unknown type', { type: 'x' }, ''],
    ['a pattern with lookahead', wide(1, { pattern: '(?=a)' }), '/properties/p0/pattern'],
    ['a pattern of names that is none', { patternProperties: { '(': NULL } }, '/patternProperties/('],
    ['a pattern that means something else without the flag u', { pattern: '\\p{L}\\-' }, '/pattern'],
    ['a pattern that is a number', { pattern: 1 }, '/pattern'],
  ])('is refused, with its place: %s', (_, schema, place) => {
    expect(refusal(schema)).toMatchObject({ owner: 'Grammars', parameter: `json_schema${place}` });
  });
});

function circular(): object {
  const schema: Record<string, unknown> = {};
  schema.items = schema;
  return schema;
}

describe('a hostile schema', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => i);

  it.each<[string, unknown, string]>([
    ['is too long', { const: 'a'.repeat(2 ** 20) }, ''],
    ['has too many values', { const: many(20_000) }, ''],
    ['is too deep', nested(70), '/items'],
    ['has too many properties', wide(1001), '/properties'],
    ['has too many definitions', { $defs: wide(1001).properties }, '/$defs'],
    ['has too many patterns of names', { patternProperties: wide(33).properties }, '/patternProperties'],
    ['has too many alternatives', { anyOf: many(501) }, '/anyOf'],
    ['has too many values to choose from', { enum: many(5001) }, '/enum'],
    ['has too fine a multiple', { multipleOf: 999_983 }, '/multipleOf'],
    ['has too fine a fraction', { multipleOf: 0.010001 }, '/multipleOf'],
    ['has too large a multiple', { multipleOf: 1e300 }, '/multipleOf'],
    ['has too long a pattern', { pattern: 'a'.repeat(5001) }, '/pattern'],
    ['has too many references behind one another', objects(160), ''],
    ['has them without objects', chain(160), ''],
  ])('is refused before the engine sees it: it %s', (_, schema, place) => {
    const error = refusal(schema);
    expect(error.parameter.startsWith(`json_schema${place}`)).toBe(true);
    expect(error.domain).toMatch(/at most/);
  });

  it.each<[string, object]>([
    ['as many references as may be', chain(150)],
    ['as many objects behind one another', objects(150)],
    ['two objects that need one another without end', { $defs: { a: needs('b'), b: needs('a') }, $ref: '#/$defs/a' }],
    ['a pattern with many states', { type: 'string', pattern: '^(a|b)*a(a|b){200}$' }],
    ['counts within counts', { type: 'string', pattern: '^((a{1,100}){1,100}){1,100}$' }],
    ['many large enums', wide(20, { enum: many(900) })],
    ['as many properties as may be', wide(1000)],
    ['many patterns of names', { patternProperties: Object.fromEntries(many(32).map((i) => [`^.*${i}.*$`, NULL])) }],
    ['a multiple as fine as may be', { type: 'number', multipleOf: 0.9973 }],
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
});

function chain(length: number): object {
  const entries = Array.from({ length }, (_, i) => [`d${i}`, i + 1 < length ? { $ref: `#/$defs/d${i + 1}` } : NULL]);
  return { $defs: Object.fromEntries(entries), $ref: '#/$defs/d0' };
}

/** As `chain`, an object at each step. */
function objects(length: number): object {
  const entries = Array.from({ length }, (_, i) => [`d${i}`, i + 1 < length ? needs(`d${i + 1}`) : NULL]);
  return { $defs: Object.fromEntries(entries), $ref: '#/$defs/d0' };
}

function needs(name: string): object {
  return { type: 'object', properties: { [name]: { $ref: `#/$defs/${name}` } }, required: [name] };
}
