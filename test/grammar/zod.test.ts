/**
 * Schemas of zod: each text that the grammar takes is taken by zod, and zod's own examples are taken.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createGrammars, type Grammars } from '../../src/grammar/index.js';
import { accepts, BYTE_TOKENIZER, END } from './byte-tokens.js';

let grammars: Grammars;

beforeAll(async () => {
  grammars = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
});

const person = z.object({ name: z.string(), age: z.int().optional(), note: z.string().nullable().default(null) });
const shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), r: z.number().positive() }),
  z.object({ kind: z.literal('square'), a: z.number() }),
]);
interface Tree {
  readonly value: number;
  readonly children: readonly Tree[];
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ value: z.int(), children: z.array(tree) }));

describe('a schema of zod', () => {
  it.each<[string, z.ZodType, unknown[], unknown[]]>([
    [
      'an object with optional and default properties',
      person,
      [{ name: 'a' }, { name: 'a', age: 1, note: null }],
      [{}, { name: 1 }],
    ],
    [
      'a discriminated union',
      shape,
      [
        { kind: 'circle', r: 1 },
        { kind: 'square', a: 0 },
      ],
      [{ kind: 'circle', a: 1 }, { kind: 'x' }],
    ],
    ['a union', z.union([z.string(), z.int()]), ['a', 1], [true, null]],
    ['literals', z.literal(['a', 1, null]), ['a', 1, null], ['b', 2]],
    ['an enum', z.enum(['red', 'green']), ['red'], ['blue']],
    ['a record', z.record(z.string(), z.int()), [{}, { a: 1 }], [{ a: 'b' }]],
    ['a tuple', z.tuple([z.string(), z.int()]), [['a', 1]], [['a'], [1, 'a']]],
    ['an array with bounds', z.array(z.boolean()).min(1).max(2), [[true], [true, false]], [[], [true, true, true]]],
    ['a string with bounds', z.string().min(2).max(3), ['ab', 'abc'], ['a', 'abcd']],
    ['a regular expression', z.string().regex(/^\d{2}-\w+$/), ['12-a'], ['1-a', '12-']],
    ['a beginning', z.string().startsWith('ab.'), ['ab.', 'ab.c'], ['abc', '']],
    ['email', z.email(), ['a.b+c@d-e.org', "o'b@x.io"], ['.a@b.co', 'a..b@c.de', 'a.@b.co', 'a@b', "a'@b.co"]],
    ['uuid', z.uuid(), ['123e4567-e89b-42d3-a456-426614174000'], ['123e4567']],
    ['url', z.url(), ['https://a.org/b?c=d'], ['not a url']],
    ['date and time', z.iso.datetime(), ['2026-02-28T01:02:03Z'], ['2026-02-28', '2026-13-28T01:02:03Z']],
    ['date', z.iso.date(), ['2024-02-29'], ['2023-02-30', '24-02-29']],
    ['ipv4', z.ipv4(), ['127.0.0.1'], ['256.0.0.1']],
    ['base64', z.base64(), ['YWI=', ''], ['a', 'a===']],
    ['an integer', z.int(), [0, -5], [0.5]],
    ['a number with bounds', z.number().min(-1).lt(2.5), [-1, 2.4], [-1.5, 2.5]],
    ['a multiple', z.int().multipleOf(5), [0, 10], [3]],
    ['a recursion', tree, [{ value: 1, children: [{ value: 2, children: [] }] }], [{ value: 1 }]],
    ['any', z.any(), [1, { a: [null] }], []],
    ['unknown', z.object({ a: z.unknown() }), [{ a: 1 }], []],
  ])('is held: %s', (_, schema, right, wrong) => {
    const constraint = grammars.jsonSchema(schema).constraint();
    const values = [...right, ...wrong];
    expect(values.filter((value) => schema.safeParse(value).success)).toEqual(right);
    expect(values.filter((value) => accepts(constraint, JSON.stringify(value)))).toEqual(right);
  });

  it.each<[string, z.ZodType, RegExp]>([
    ['a date', z.date(), /a schema of zod that JSON schema can say/],
    ['a refusal of all', z.never(), /not/],
  ])('is refused with the reason: %s', (_, schema, reason) => {
    expect(() => grammars.jsonSchema(schema)).toThrow(reason);
  });
});

describe('a choice', () => {
  it('is one of the texts, whatever their characters mean elsewhere', () => {
    const texts = ['yes', 'no', 'a.b*c', '[x]/{1}', 'é\n"', '😀', '^$|\\'];
    const constraint = grammars.choice(texts).constraint();
    const others = ['', 'ye', 'axb', 'x', 'yesno', 'a.bbc'];
    expect([...texts, ...others].filter((text) => accepts(constraint, text))).toEqual(texts);
  });

  it.each([[[]], ['yes'], [[1]], [null]])('is refused without texts: %j', (texts) => {
    expect(() => grammars.choice(texts as unknown as string[])).toThrow(
      /^Grammars: `choice` must be a non-empty array of strings/,
    );
  });
});
