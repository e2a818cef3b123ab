/**
 * JSON schemas on their way to the engine: what is written with other keywords, what is refused and where, what is reported.
 */
import { describe, expect, it } from 'vitest';
import type { SchemaOptions } from '../../../src/grammar/language/schema/prepare-schema.js';
import { schemaSource } from '../../../src/grammar/language/source.js';
import { InvalidValueError } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { casesOf } from '../../support/cases.js';
import { Language, thrownBy } from './languages.js';

/** What the engine reads of a schema, but for its white space. */
function prepared(schema: unknown, options?: SchemaOptions): unknown {
  const { 'x-guidance': _, ...rest } = JSON.parse(schemaSource(schema, options).text);
  return rest;
}

const language = (schema: unknown, options?: SchemaOptions) => new Language(schemaSource(schema, options));
const absent = (name: string) => ({ properties: { [name]: false } });

describe('a schema', () => {
  it.each<[why: string, schema: unknown, expected: unknown]>([
    ['true allows everything', true, {}],
    ['text of JSON is read', '{"type":"null"}', { type: 'null' }],
    ['toJSON is asked', { toJSON: () => ({ type: 'null' }) }, { type: 'null' }],
    ['undefined members are left out', { type: 'null', title: undefined }, { type: 'null' }],
    ['not nothing', { not: false }, {}],
    ['not unique', { uniqueItems: false }, {}],
    ['unique, of one item', { uniqueItems: true, maxItems: 1 }, { maxItems: 1 }],
    ['if without then and else', { if: { type: 'null' } }, {}],
    ['then and else without if', JSON.parse('{"then":false,"else":false}'), {}],
    ['contains of no items', { contains: { type: 'null' }, minContains: 0 }, {}],
    ['counts without contains', { minContains: 2, maxContains: 3 }, {}],
    ['unevaluated properties of any kind', { unevaluatedProperties: true, unevaluatedItems: {} }, {}],
    [
      'no unevaluated properties where nothing else evaluates any',
      { properties: { a: true }, unevaluatedProperties: false },
      { properties: { a: true }, additionalProperties: false },
    ],
    ['an anchor for dynamic references that there are none of', { $dynamicAnchor: 'x' }, { $anchor: 'x' }],
    ['a format of other types', { type: 'integer', format: 'int64' }, { type: 'integer' }],
    ['white space that the request asks for', { type: 'null', 'x-guidance': { lenient: true } }, { type: 'null' }],
    ['any names', { propertyNames: true }, {}],
    ['names that are strings', { propertyNames: { type: 'string', title: 'Name' } }, {}],
    ['no names', { propertyNames: false }, { maxProperties: 0 }],
    [
      'listed names',
      {
        propertyNames: { enum: ['a', 'b'] },
        properties: { a: { type: 'null' }, c: true },
        additionalProperties: { type: 'integer' },
      },
      { properties: { a: { type: 'null' }, c: false, b: { type: 'integer' } }, additionalProperties: false },
    ],
    [
      'names of a pattern',
      { propertyNames: { pattern: '^x$' }, properties: { x: { type: 'null' }, b: true } },
      {
        properties: { x: { type: 'null' }, b: false },
        patternProperties: { '^(?:x)$': true },
        additionalProperties: false,
      },
    ],
    ['one name', { propertyNames: { const: 'a' } }, { properties: { a: true }, additionalProperties: false }],
    [
      'names of a definition',
      { propertyNames: { $ref: '#/$defs/n' }, $defs: { n: { enum: ['a'] } } },
      { $defs: { n: { enum: ['a'] } }, properties: { a: true }, additionalProperties: false },
    ],
    [
      'required together',
      { dependentRequired: { a: ['b'] } },
      { allOf: [{ anyOf: [absent('a'), { required: ['b'] }] }] },
    ],
    [
      "draft 7's dependencies",
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      {
        allOf: [{ anyOf: [absent('a'), { required: ['b'] }] }, { anyOf: [absent('c'), { required: ['d'] }] }],
      },
    ],
    [
      'a schema where a property is',
      { dependentSchemas: { a: { maxProperties: 1 } } },
      { allOf: [{ anyOf: [absent('a'), { maxProperties: 1 }] }] },
    ],
    [
      'not required',
      { type: 'object', not: { required: ['a', 'b'] } },
      { type: 'object', allOf: [{ anyOf: ['a', 'b'].map((name) => ({ type: 'object', ...absent(name) })) }] },
    ],
    [
      'one of other types',
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ],
    [
      'one of other values',
      { oneOf: [{ const: 1 }, { enum: [2, 'a'] }] },
      { anyOf: [{ const: 1 }, { enum: [2, 'a'] }] },
    ],
    [
      'one of, beside any of',
      { anyOf: [{}], oneOf: [{ type: 'null' }, { type: 'string' }] },
      { anyOf: [{}], allOf: [{ anyOf: [{ type: 'null' }, { type: 'string' }] }] },
    ],
  ])('%s', (_, schema, expected) => {
    expect(prepared(schema)).toEqual(expected);
  });

  it('is not changed, and no change of it afterwards changes the grammar', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', format: 'date' } },
      propertyNames: { enum: ['a'] },
    };
    const before = structuredClone(schema);
    const { text } = schemaSource(schema);
    expect(schema).toEqual(before);
    schema.properties.a.format = 'uuid';
    expect(schemaSource(before).text).toBe(text);
  });

  it('may have a property called __proto__', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"null"}},"required":["__proto__"]}');
    expect(language(schema).having(['{"__proto__":null}', '{"__proto__":1}', '{}'])).toEqual(['{"__proto__":null}']);
  });
});

describe('oneOf', () => {
  const kinds = (a: object, b: object) => ({ oneOf: [a, b] });
  const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });

  it.each<[why: string, schema: unknown]>([
    ['a property that tells them apart', kinds(object({ k: { const: 'a' } }), object({ k: { enum: ['b', 'c'] } }))],
    ['a nested one', kinds(object({ k: object({ l: { const: 1 } }) }), object({ k: object({ l: { const: 2 } }) }))],
    ['types of a property', kinds(object({ k: { type: 'string' } }), object({ k: { type: 'array' } }))],
    ['definitions', { ...kinds({ $ref: '#/$defs/a' }, { type: 'null' }), $defs: { a: { type: 'string' } } }],
    ['parts of allOf', kinds({ allOf: [{ type: 'string' }, { minLength: 1 }] }, { type: 'number' })],
    ['all options of anyOf', kinds({ anyOf: [{ const: 1 }, { const: 2 }] }, { const: 3 })],
    ['a property that the other forbids', kinds(object({ a: {} }), { type: 'object', properties: { a: false } })],
    ['a property that a closed one has not', kinds(object({ a: {} }), { type: 'object', additionalProperties: false })],
  ])('is enforced where the options are disjoint by %s', (_, schema) => {
    expect(schemaSource(schema).warnings).toEqual([]);
  });

  it.each<[why: string, schema: unknown]>([
    ['integers are numbers', kinds({ type: 'integer' }, { type: 'number' })],
    [
      'what is only optional tells nothing',
      kinds({ properties: { k: { const: 1 } } }, { properties: { k: { const: 2 } } }),
    ],
    ['constants may be equal', kinds({ const: [1] }, { const: [1.0] })],
    ['patterns may meet', kinds({ type: 'string', pattern: 'a' }, { type: 'string', pattern: 'b' })],
    ['an option may be a number', kinds({ anyOf: [{ const: 1 }, { type: 'number' }] }, { const: 3 })],
    [
      'a pattern may say the property',
      kinds(object({ a: {} }), { type: 'object', patternProperties: { a: {} }, additionalProperties: false }),
    ],
  ])('is refused where they may not be: %s', (_, schema) => {
    expect(thrownBy(() => schemaSource({ items: schema }))).toMatchObject({
      parameter: 'json_schema/items/oneOf',
      domain: 'schemas that are plainly disjoint (or `anyOf` is meant)',
    });
  });

  it('of required properties allows exactly one of them', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'null' }, b: { type: 'null' } },
      additionalProperties: false,
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    };
    expect(language(schema).having(['{}', '{"a":null}', '{"b":null}', '{"a":null,"b":null}'])).toEqual([
      '{"a":null}',
      '{"b":null}',
    ]);
  });
});

describe('a number', () => {
  /** Any bits of a double that stand for a number, small ones more often. */
  function randomNumber(random: Pcg32): number {
    if (random.below(2) === 0) return (random.uniform() - 0.5) * 10 ** random.below(24);
    const bits = Uint32Array.of(random.nextU32(), random.nextU32());
    return new Float64Array(bits.buffer)[0] as number;
  }

  it('is exactly that of the schema, whatever its digits', () => {
    const random = new Pcg32(9n, 9n);
    const values = Array.from({ length: casesOf(60, 300) }, () => randomNumber(random)).filter(Number.isFinite);
    const written = (value: number) => {
      const bytes = language({ const: value }).walk(([first, second]) => (second === undefined ? first : undefined));
      return Number(new TextDecoder().decode(bytes));
    };
    expect(values.filter((value) => written(value) !== value)).toEqual([]);
  });

  it('is bounded by exactly those of the schema, whatever their digits', () => {
    const bounds = [3701.7809106308364, 0.30000000000000004, 1990101.2293400534];
    for (const bound of bounds) {
      const [at, above] = [String(bound), `${bound}1`];
      expect(language({ type: 'number', maximum: bound }).having([at, above])).toEqual([at]);
      expect(language({ type: 'number', minimum: bound }).having([at, above])).toEqual([at, above]);
    }
  });
});

describe('conditions on properties, in texts', () => {
  const properties = { a: { type: 'null' }, b: { type: 'null' } };
  const TEXTS = ['{}', '{"a":null}', '{"b":null}', '{"a":null,"b":null}'];
  it.each<[why: string, keywords: object, indexes: number[]]>([
    ['dependentRequired', { dependentRequired: { a: ['b'] } }, [0, 2, 3]],
    ['dependencies', { dependencies: { a: ['b'], b: ['a'] } }, [0, 3]],
    ['dependentSchemas', { dependentSchemas: { a: { properties: { b: false } } } }, [0, 1, 2]],
    ['not required', { not: { required: ['a', 'b'] } }, [0, 1, 2]],
    ['propertyNames of a list', { propertyNames: { enum: ['a'] } }, [0, 1]],
    ['propertyNames of a pattern', { propertyNames: { pattern: '^[bc]$' } }, [0, 2]],
    ['propertyNames of lengths', { propertyNames: { maxLength: 1 } }, [0, 1, 2, 3]],
    ['minProperties', { minProperties: 1, additionalProperties: false }, [1, 2, 3]],
    ['required', { required: ['b'] }, [2, 3]],
  ])('%s', (_, keywords, indexes) => {
    const object = language({ type: 'object', properties, ...keywords });
    expect(object.having(TEXTS)).toEqual(indexes.map((i) => TEXTS[i]));
  });

  it('propertyNames of lengths hold for names that are not listed', () => {
    const object = language({ type: 'object', propertyNames: { minLength: 2, maxLength: 3 } });
    expect(object.having(['{"ab":1}', '{"é😀x":1}', '{"a":1}', '{"abcd":1}'])).toEqual(['{"ab":1}', '{"é😀x":1}']);
  });
});

describe('a name', () => {
  const integer = { type: 'integer' };

  it('cannot be written in escapes to get round what is said of it', () => {
    const open = language({ type: 'object', properties: { id: integer } });
    expect(open.having(['{"\\u0069d":"x"}', '{"id":1,"i\\u0064":"x"}', '{"id":"x"}'])).toEqual([]);
    expect(open.lacking(['{"id":1,"x\\n\\"\\\\":"\\n"}'])).toEqual([]);
    const pattern = language({ type: 'object', patternProperties: { '^x': integer } });
    expect(pattern.having(['{"\\u0078":"a"}', '{"x":"a"}', '{"x":1,"y":"a"}'])).toEqual(['{"x":1,"y":"a"}']);
    const one = language({ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] });
    expect(one.having(['{"a":1,"\\u0062":2}', '{"a":1,"b":2}', '{"a":1}'])).toEqual(['{"a":1}']);
    const both = {
      type: 'object',
      properties: { 'x\n': integer },
      patternProperties: { '^x': true },
      additionalProperties: false,
    };
    expect(language(both).having(['{"x\\u000a":"a"}', '{"x\\n":"a"}', '{"x\\n":1}'])).toEqual(['{"x\\n":1}']);
  });

  it('in a closed object leaves escapes of control characters to the strings', () => {
    const closed = language({ type: 'object', properties: { id: { type: 'string' } }, additionalProperties: false });
    expect(closed.having(['{"id":"\\u001b"}', '{"id":"\\u0041"}', '{"\\u0069d":"x"}'])).toEqual(['{"id":"\\u001b"}']);
  });

  it('that is listed is written once; others may come again, and a warning says where that counts', () => {
    const object = language({ type: 'object', properties: { id: integer } });
    expect(object.having(['{"id":1,"id":2}', '{"a":1,"a":2}'])).toEqual(['{"a":1,"a":2}']);
    expect(schemaSource({ type: 'object', minProperties: 2 }).warnings).toEqual([
      { keyword: 'minProperties', place: '/minProperties', reason: 'a name that comes twice counts twice' },
    ]);
    const listed = { properties: { a: true, b: true }, required: ['a', 'b'], minProperties: 2 };
    expect(schemaSource({ type: 'object', ...listed }).warnings).toEqual([]);
    expect(schemaSource({ type: 'object', minProperties: 1 }).warnings).toEqual([]);
  });
});

describe('a schema is refused', () => {
  const deep = (depth: number): object => (depth === 0 ? {} : { not: deep(depth - 1) });
  const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, true]));

  it.each<[parameter: string, schema: unknown, domain: RegExp]>([
    ['json_schema', false, /a schema that some finite value fits/],
    ['json_schema', 7, /a schema: an object, true or false/],
    ['json_schema', null, /a schema: an object/],
    ['json_schema', [], /a schema: an object/],
    ['json_schema', '{"type"', /JSON text \(/],
    ['json_schema/examples/0', { examples: [() => 1] }, /a JSON value/],
    ['json_schema/default', { default: Number.NaN }, /a JSON value/],
    ['json_schema', { enum: ['\ud800'] }, /without half a character/],
    ['json_schema/type', { type: 'text' }, /one of null, boolean, integer/],
    ['json_schema/enum', { enum: [] }, /a non-empty array/],
    ['json_schema/anyOf', { anyOf: [] }, /a non-empty array of schemas/],
    ['json_schema/allOf', { allOf: [7] }, /a non-empty array of schemas/],
    ['json_schema/required', { required: 'é'.repeat(100) }, /an array of strings/],
    ['json_schema/properties', { properties: { a: 7 } }, /an object of schemas/],
    ['json_schema/items', { items: 'a' }, /a schema, or an array of schemas/],
    ['json_schema/minLength', { minLength: -1 }, /an integer >= 0/],
    ['json_schema/maxItems', { maxItems: 1.5 }, /an integer >= 0/],
    ['json_schema/minimum', { minimum: '1' }, /a number/],
    ['json_schema/pattern', { pattern: 7 }, /a string/],
    ['json_schema/multipleOf', { multipleOf: 0 }, /a number > 0/],
    ['json_schema/$ref', { $ref: '#/$defs/none' }, /a reference to a part of this schema/],
    ['json_schema/$ref', { $ref: '#none' }, /a reference to a part of this schema/],
    ['json_schema/$ref', { $ref: 'http://json-schema.org/draft-07/schema#' }, /a reference to a part/],
    ['json_schema/anyOf/0/$id', { anyOf: [{ $id: 'http://a/b', $ref: '#' }] }, /absent beside `\$ref`/],
    ['json_schema/not', { not: { type: 'string' } }, /absent \(no grammar says it\)/],
    ['json_schema/if', JSON.parse('{"if":{},"then":false}'), /absent/],
    ['json_schema/contains', { contains: {} }, /absent/],
    ['json_schema/uniqueItems', { uniqueItems: true }, /absent/],
    ['json_schema/propertyNames', { propertyNames: { minLength: 1, pattern: 'a' } }, /absent/],
    ['json_schema/propertyNames', { propertyNames: { type: 'integer' } }, /absent/],
    ['json_schema/propertyNames/enum', { propertyNames: { enum: 'a' } }, /a non-empty array/],
    ['json_schema/propertyNames/minLength', { propertyNames: { minLength: 'a' } }, /an integer >= 0/],
    [
      'json_schema/propertyNames',
      { propertyNames: { pattern: '^x' }, properties: { xa: {} }, additionalProperties: { type: 'null' } },
      /absent/,
    ],
    ['json_schema/unevaluatedProperties', { unevaluatedProperties: false, allOf: [{}] }, /absent/],
    ['json_schema/unevaluatedItems', { unevaluatedItems: false }, /absent/],
    ['json_schema/$dynamicRef', { $dynamicRef: '#x' }, /absent/],
    ['json_schema/dependencies', { dependencies: [] }, /an object/],
    [
      'json_schema/properties/a~1b~0/items/not',
      { properties: { 'a/b~': { items: { not: { type: 'null' } } } } },
      /absent/,
    ],
    ['json_schema/x/not', { $ref: '#/x', x: { not: { type: 'null' } } }, /absent/],
    [`json_schema${'/not'.repeat(65)}`, deep(65), /at most 64 arrays and objects/],
    ['json_schema', { enum: Array.from({ length: 20_000 }, (_, i) => i) }, /at most 20000 values/],
    ['json_schema', { description: 'x'.repeat(1 << 20) }, /at most 1048576 characters/],
    ['json_schema/properties', { properties: names(1001) }, /at most 1000 members/],
    ['json_schema/required', { required: Object.keys(names(1001)) }, /at most 1000 entries/],
    ['json_schema/$defs', { $defs: names(1001) }, /at most 1000 members/],
    ['json_schema/patternProperties', { patternProperties: names(33) }, /at most 32 members/],
    ['json_schema/anyOf', { anyOf: Array.from({ length: 501 }, () => ({})) }, /at most 500 entries/],
    ['json_schema/enum', { enum: Array.from({ length: 5001 }, (_, i) => i) }, /at most 5000 entries/],
    ['json_schema/multipleOf', { multipleOf: 10_001 }, /at most 10000 without its decimal point/],
    ['json_schema/multipleOf', { multipleOf: 1.0001 }, /at most 10000 without its decimal point/],
    // of these two the engine would take 13.1072 for a common multiple
    ['json_schema', { multipleOf: 8192, allOf: [{ multipleOf: 0.8192 }] }, /common multiples.* below 4294967296/],
    ['json_schema', { properties: { a: { multipleOf: 7919 }, b: { multipleOf: 0.9973 } } }, /common multiples/],
    ['json_schema', { allOf: [7, 11, 13, 17, 19].map((multipleOf) => ({ multipleOf })) }, /common multiples/],
  ])('at %s', (parameter, schema, domain) => {
    const error = thrownBy(() => schemaSource(schema));
    expect(error).toBeInstanceOf(InvalidValueError);
    expect(error).toMatchObject({ owner: 'Grammars', parameter });
    expect(error.domain).toMatch(domain);
  });

  it('not just below each limit', () => {
    for (const schema of [
      { properties: names(1000) },
      { patternProperties: names(32) },
      { anyOf: Array.from({ length: 500 }, (_, i) => ({ const: i })) },
      { enum: Array.from({ length: 5000 }, (_, i) => i) },
      { multipleOf: 10_000 },
      { multipleOf: 0.9999 },
      { multipleOf: 0.01, allOf: [{ multipleOf: 1000 }] },
      { allOf: [0.25, 5, 12].map((multipleOf) => ({ multipleOf })) },
    ]) {
      expect(schemaSource(schema).warnings).toEqual([]);
    }
  });
});

describe('a schema that no finite value fits', () => {
  const requires = ($ref: string) => ({ type: 'object', properties: { a: { $ref } }, required: ['a'] });
  it.each<[why: string, schema: unknown, blamed: string]>([
    ['a reference to itself', { $ref: '#' }, 'json_schema'],
    ['a property that it requires', requires('#'), 'json_schema/properties/a'],
    ['an item that it needs', { type: 'array', items: { $ref: '#' }, minItems: 1 }, 'json_schema/items'],
    ['all of it', { allOf: [{ type: 'null' }, false] }, 'json_schema/allOf/1'],
    ['any option', { anyOf: [requires('#'), false] }, 'json_schema/anyOf/0/properties/a'],
  ])('is refused for %s', (_, schema, blamed) => {
    expect(thrownBy(() => schemaSource(schema))).toMatchObject({
      parameter: 'json_schema',
      domain: 'a schema that some finite value fits',
      value: expect.stringContaining(`none at ${blamed}`),
    });
  });

  it.each<[why: string, schema: unknown, text: string]>([
    ['an optional property', { type: 'object', properties: { a: { $ref: '#' } } }, '{"a":{"a":{}}}'],
    ['an array that may be empty', { type: 'array', items: { $ref: '#' } }, '[[],[[]]]'],
    ['another option', { anyOf: [{ type: 'null' }, requires('#')] }, '{"a":{"a":null}}'],
    ['another type', { ...requires('#'), type: ['object', 'null'] }, '{"a":null}'],
  ])('is taken with %s', (_, schema, text) => {
    expect(language(schema).has(text)).toBe(true);
  });
});

describe("unsupported: 'warn'", () => {
  it('leaves out what no grammar says, and reports each with its place', () => {
    const schema = {
      type: 'array',
      uniqueItems: true,
      items: JSON.parse('{"type":"object","if":{"required":["a"]},"then":{"required":["b"]},"oneOf":[{},{}]}'),
      contains: { type: 'null' },
      maxContains: 1,
    };
    const source = schemaSource(schema, { unsupported: 'warn' });
    expect(source.warnings).toEqual([
      { keyword: 'uniqueItems', place: '/uniqueItems', reason: 'not enforced' },
      { keyword: 'contains', place: '/contains', reason: 'not enforced' },
      { keyword: 'if', place: '/items/if', reason: 'not enforced' },
      { keyword: 'oneOf', place: '/items/oneOf', reason: 'enforced as anyOf' },
    ]);
    expect(new Language(source).having(['[{},{}]', '[1]'])).toEqual(['[{},{}]']);
  });

  it('says the place in the schema as it was given, also of what a reference led to, escaped as in JSON pointers', () => {
    const schema = {
      properties: { a: { $ref: '#/$defs/x~1y' }, b: { $ref: '#/elsewhere' } },
      elsewhere: { not: { type: 'null' } },
      $defs: { 'x/y': { type: 'array', uniqueItems: true } },
    };
    const { warnings } = schemaSource(schema, { unsupported: 'warn' });
    expect(warnings.map(({ place }) => place)).toEqual(['/elsewhere', '/$defs/x~1y/uniqueItems', '/elsewhere/not']);
  });

  it('refuses what is no schema all the same', () => {
    expect(() => schemaSource({ type: 'x' }, { unsupported: 'warn' })).toThrow(/json_schema\/type/);
  });

  it('reports keywords that nobody knows in any case: annotations, or slips of the pen', () => {
    expect(schemaSource({ type: 'string', maxLenght: 3 }).warnings).toEqual([
      { keyword: 'maxLenght', place: '/maxLenght', reason: 'no keyword of JSON schemas, so an annotation' },
    ]);
    expect(schemaSource({ type: 'string', title: 'a', 'x-order': 1, markdownDescription: 'b' }).warnings).toEqual([]);
  });
});

describe('the options', () => {
  const schema = { type: 'object', properties: { b: { type: 'array', items: {} }, a: true }, required: ['b', 'a'] };
  const compact = '{"b":[1,2],"a":1}';
  const spaced = '{"b": [1, 2], "a": 1}';
  const broken = '{ "b" : [\n 1,2 ] ,"a":1}';

  it.each([
    [undefined, [compact]],
    ['compact', [compact]],
    ['spaced', [spaced]],
    ['flexible', [compact, spaced, broken]],
  ] as const)('whitespace: %s', (whitespace, yes) => {
    const options = whitespace === undefined ? {} : { whitespace };
    expect(language(schema, options).having([compact, spaced, broken])).toEqual(yes);
  });

  it('keys: by name, or as they stand', () => {
    const sorted = '{"a":1,"b":[1,2]}';
    expect(language(schema, { keys: 'sorted' }).having([compact, sorted])).toEqual([sorted]);
    expect(language(schema, { keys: 'schema' }).having([compact, sorted])).toEqual([compact]);
  });
});
