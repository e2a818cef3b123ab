/**
 * Schemas of zod, as they are and as zod prints them: what their grammars have is what they parse, and to itself.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemaSource } from '../../../src/grammar/language/source.js';
import { InvalidValueError } from '../../../src/index.js';
import { Language, thrownBy } from './languages.js';

const Node = z.object({
  value: z.int(),
  get next() {
    return Node.nullable();
  },
  get children() {
    return z.array(Node);
  },
});

/** Each with JSON that fits it, in the schema's order of keys, and JSON that does not. */
const CASES: Record<string, readonly [schema: z.ZodType, yes: readonly unknown[], no: readonly unknown[]]> = {
  object: [z.object({ a: z.string(), b: z.boolean() }), [{ a: 'x', b: true }], [{ a: 'x' }, { a: 1, b: true }, 'x']],
  optional: [z.object({ a: z.int().optional() }), [{}, { a: 1 }], [{ a: null }]],
  nullable: [z.string().nullable(), ['x', null], [1]],
  nullish: [z.object({ a: z.int().nullish() }), [{}, { a: null }, { a: 1 }], [{ a: 'x' }]],
  default: [z.object({ a: z.int().default(3) }), [{ a: 3 }, { a: 4 }], [{ a: 'x' }]],
  union: [z.union([z.string(), z.int()]), ['x', 1], [true, 1.5]],
  'discriminated union': [
    z.discriminatedUnion('k', [z.object({ k: z.literal('a'), x: z.int() }), z.object({ k: z.literal('b') })]),
    [{ k: 'a', x: 1 }, { k: 'b' }],
    [{ k: 'a' }, { k: 'c' }],
  ],
  xor: [z.xor([z.string(), z.number()]), ['x', 1], [true]],
  intersection: [
    z.intersection(z.object({ a: z.int() }), z.object({ b: z.int() })),
    [{ a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
  ],
  literal: [z.literal(['a', 1, true, null]), ['a', 1, true, null], ['b', 2, false]],
  enum: [z.enum(['a', 'b']), ['a', 'b'], ['c', '']],
  record: [z.record(z.string(), z.int()), [{}, { x: 1, 'y"': 2 }], [{ x: 'a' }, []]],
  'record of an enum': [z.record(z.enum(['a', 'b']), z.int()), [{ a: 1, b: 2 }], [{ a: 1 }, { a: 1, b: 2, c: 3 }]],
  'partial record': [z.partialRecord(z.enum(['a', 'b']), z.int()), [{}, { b: 2 }], [{ c: 3 }]],
  'record of a pattern': [z.record(z.string().regex(/^x-/), z.int()), [{ 'x-a': 1 }], [{ a: 1 }]],
  tuple: [z.tuple([z.string(), z.int()]), [['a', 1]], [['a'], ['a', 1, 2], [1, 'a']]],
  'tuple with a rest': [z.tuple([z.string()], z.int()), [['a'], ['a', 1, 2]], [[], ['a', 'b']]],
  'array with bounds': [z.array(z.int()).min(1).max(2), [[1], [1, 2]], [[], [1, 2, 3]]],
  'string with bounds': [z.string().min(2).max(3), ['ab', 'abc', 'é😀'], ['a', 'abcd', '😀']],
  length: [z.string().length(2), ['ab'], ['a', 'abc']],
  regex: [z.string().regex(/^a\d+$/), ['a1', 'a22'], ['a', 'b1', 'a1b']],
  startsWith: [z.string().startsWith('a.b'), ['a.b', 'a.bc'], ['axb', 'ca.b']],
  endsWith: [z.string().endsWith('z'), ['z', 'az'], ['za']],
  includes: [z.string().includes('mid'), ['mid', 'amidst'], ['md']],
  'lower case': [z.string().lowercase(), ['ab1é'], ['aB']],
  email: [z.email(), ['a.b+c@example.com'], ['a@', 'a@b', 'é@b.com']],
  uuid: [z.uuid(), ['2eb8aa08-aa98-11ea-b4aa-73b441d16380'], ['2eb8aa08-aa98-01ea-b4aa-73b441d16380', 'x']],
  'uuid of version 4': [z.uuidv4(), ['2eb8aa08-aa98-41ea-b4aa-73b441d16380'], ['2eb8aa08-aa98-11ea-b4aa-73b441d16380']],
  url: [z.url(), ['https://a.b/c?d#e', 'mailto:a@b.c'], ['a.b', '/c']],
  datetime: [
    z.iso.datetime(),
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.123Z'],
    ['2023-02-29T12:00:00Z', '2024-01-01'],
  ],
  'datetime with an offset': [
    z.iso.datetime({ offset: true }),
    ['2024-02-29T12:00:00+05:30'],
    ['2024-02-29T12:00:00+0530'],
  ],
  date: [z.iso.date(), ['2024-02-29'], ['2023-02-29', '2024-1-1']],
  time: [z.iso.time(), ['12:00', '12:00:00', '12:00:00.5'], ['24:00', '12:00:00Z']],
  duration: [z.iso.duration(), ['P1DT2H', 'PT5M', 'P2W'], ['P', '1D', 'P1W2D']],
  ipv4: [z.ipv4(), ['192.168.0.1'], ['256.0.0.1', '1.2.3']],
  ipv6: [z.ipv6(), ['::1', '1:2:3:4:5:6:7:8'], ['::1::', '1:2']],
  hostname: [z.hostname(), ['a.example.com', 'localhost'], ['-a.com', 'a_b']],
  base64: [z.base64(), ['', 'YQ==', 'YWI=', 'YWJj'], ['YQ', 'Y===', '*']],
  base64url: [z.base64url(), ['YQ', '_-0a'], ['YQ==', '+/']],
  nanoid: [z.nanoid(), ['V1StGXR8_Z5jdHi6B-myT'], ['V1StGXR8']],
  template: [z.templateLiteral(['v', z.int()]), ['v12', 'v-3'], ['v', '12']],
  int: [z.int(), [0, -5, 9007199254740991], [1.5, 9007199254740992, '1']],
  int32: [z.int32(), [2147483647, -2147483648], [2147483648]],
  'number with bounds': [z.number().min(-1.5).max(2), [-1.5, 0, 1.25, 2], [-1.6, 2.01]],
  'number with open bounds': [z.number().gt(0).lt(1), [0.5, 0.001, 0.999], [0, 1]],
  multipleOf: [z.number().multipleOf(0.25), [0.25, 1, 7.75], [0.3]],
  positive: [z.int().positive(), [1], [0, -1]],
  boolean: [z.boolean(), [true, false], [0]],
  null: [z.null(), [null], [0]],
  any: [z.any(), [null, { a: [1, 'b'] }], []],
  unknown: [z.unknown(), ['x', [{}]], []],
  json: [z.json(), [{ a: [1, null, { b: 'c' }] }], []],
  recursion: [
    Node,
    [{ value: 1, next: { value: 2, next: null, children: [] }, children: [{ value: 3, next: null, children: [] }] }],
    [
      { value: 1, next: null },
      { value: 1, next: 2, children: [] },
    ],
  ],
  'strict object': [z.strictObject({ a: z.int() }), [{ a: 1 }], [{ a: 1, b: 2 }]],
  'loose object': [z.looseObject({ a: z.int() }), [{ a: 1, b: [2] }], [{ b: 2 }]],
  catchall: [z.object({ a: z.int() }).catchall(z.string()), [{ a: 1, b: 'x' }], [{ a: 1, b: 2 }]],
  'optional never': [z.object({ a: z.never().optional() }), [{}], [{ a: 1 }]],
  meta: [z.string().meta({ title: 'T', 'x-order': 1, examples: ['a'] }), ['a'], [1]],
};

describe('a schema of zod', () => {
  it.each(Object.entries(CASES))('%s: what its grammar has is what it parses to itself', (_, [schema, yes, no]) => {
    const language = new Language(schemaSource(schema));
    expect(yes.filter((value) => !language.has(JSON.stringify(value)))).toEqual([]);
    expect(no.filter((value) => language.has(JSON.stringify(value)))).toEqual([]);
    expect(yes.map((value) => schema.parse(value))).toEqual(yes);
    language.dispose();
  });

  it('is the same as what zod prints of it', () => {
    const differing = Object.entries(CASES).filter(([, [schema]]) => {
      return schemaSource(schema).text !== schemaSource(z.toJSONSchema(schema)).text;
    });
    expect(differing.map(([name]) => name)).toEqual([]);
  });

  it('is what comes out of it: a default is written, a pipe is its end', () => {
    expect(new Language(schemaSource(z.object({ a: z.int().default(3) }))).has('{}')).toBe(false);
    expect(new Language(schemaSource(z.string().pipe(z.string().min(2)))).having(['"a"', '"ab"'])).toEqual(['"ab"']);
  });

  it.each<[string, z.ZodType, string, string]>([
    ['a transform', z.string().transform(Number), 'json_schema', 'Transforms cannot be represented'],
    ['a Date', z.object({ d: z.date() }), 'json_schema', 'Date cannot be represented'],
    ['a bigint', z.bigint(), 'json_schema', 'BigInt cannot be represented'],
    ['a Map', z.map(z.string(), z.int()), 'json_schema', 'Map cannot be represented'],
    ['undefined', z.undefined(), 'json_schema', 'Undefined cannot be represented'],
    ['a custom check of a type', z.instanceof(Date), 'json_schema', 'Custom types cannot be represented'],
    ['nothing', z.never(), 'json_schema', 'a schema that some finite value fits'],
    ['a JWT, of which zod prints no pattern', z.jwt(), 'json_schema/format', 'or beside a `pattern`'],
    ['a file', z.file(), 'json_schema/format', 'or beside a `pattern`'],
    ['an emoji, whose pattern looks ahead', z.emoji(), 'json_schema/pattern', 'without look-around'],
    ['a regular expression that looks ahead', z.string().regex(/^(?!a)/), 'json_schema/pattern', 'without look-around'],
    ['numbers of 32 bits with a point', z.float32(), 'json_schema/minimum', 'between -999999999999999900 and'],
  ])('is refused for %s', (_, schema, parameter, domain) => {
    const error = thrownBy(() => schemaSource(schema));
    expect(error).toBeInstanceOf(InvalidValueError);
    expect(error).toMatchObject({ owner: 'Grammars', parameter });
    expect(error.domain).toContain(domain);
  });
});
