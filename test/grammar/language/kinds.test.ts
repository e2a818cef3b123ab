/**
 * Kinds of faults that an engine for grammars had before this one, by their numbers.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ebnfSource, regexSource, schemaSource } from '../../../src/grammar/language/source.js';
import { InvalidValueError } from '../../../src/index.js';
import { Language, thrownBy } from './languages.js';

const language = (schema: unknown) => new Language(schemaSource(schema));
const refused = (schema: unknown) => thrownBy(() => schemaSource(schema));

describe('G1: bounds beyond the numbers of the engine', () => {
  it.each([
    [{ type: 'number', minimum: 1.5e21 }, 'minimum'],
    [{ type: 'number', minimum: 1e21 }, 'minimum'],
    [{ type: 'number', exclusiveMaximum: -1e18 }, 'exclusiveMaximum'],
    [{ type: 'number', maximum: 3.4e38 }, 'maximum'],
    [{ type: 'integer', minimum: 1e19, maximum: 2e19 }, 'minimum'],
    [{ type: 'integer', maximum: -1e19 }, 'maximum'],
    [{ type: 'integer', exclusiveMaximum: 2 ** 53 }, 'exclusiveMaximum'],
    [{ type: 'integer', exclusiveMinimum: -1e18 }, 'exclusiveMinimum'],
    [{ minimum: 5e-324 }, 'minimum'],
  ])('are refused: %j', (schema, key) => {
    expect(refused(schema)).toMatchObject({ parameter: `json_schema/${key}`, value: expect.any(Number) });
    expect(refused(schema)).toBeInstanceOf(InvalidValueError);
  });

  it('that all integers of 64 bits are within leave these', () => {
    const int64 = language({ type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 });
    expect(int64.lacking(['0', '-1', '9007199254740993', '9223372036854775807', '-9223372036854774784'])).toEqual([]);
    expect(int64.having(['9223372036854775808', '-9223372036854775809'])).toEqual([]);
    expect(language({ type: 'integer', minimum: 0, maximum: 1e30 }).having(['-1', '7'])).toEqual(['7']);
  });

  it('up to them are exact', () => {
    const small = language({ type: 'number', minimum: 1.5e-7, maximum: 0.3 });
    expect(small.having(['0.00000015', '0.00000014', '0.3', '0.30000000000000001', '0', '1'])).toEqual([
      '0.00000015',
      '0.3',
    ]);
    const large = language({ type: 'integer', minimum: 1e17, maximum: 2e17 });
    const largeTexts = ['99999999999999999', '100000000000000000', '200000000000000000', '200000000000000001'];
    expect(large.having(largeTexts)).toEqual(largeTexts.slice(1, 3));
    const below = language({ type: 'integer', exclusiveMaximum: 2 ** 53 - 1 });
    expect(below.having(['9007199254740990', '9007199254740991'])).toEqual(['9007199254740990']);
  });
});

describe('G2: an embedded $id', () => {
  it('is where the references within it begin', () => {
    const inner = {
      $id: 'http://e.com/in',
      $defs: { x: { type: 'boolean' } },
      type: 'object',
      properties: { v: { $ref: '#/$defs/x' } },
    };
    const both = language({ $defs: { x: { type: 'null' }, in: inner }, $ref: '#/$defs/in' });
    expect(both.having(['{"v":true}', '{"v":null}'])).toEqual(['{"v":true}']);
  });

  it('is what a reference may name, as is the id of the root, absolute and relative', () => {
    const schema = {
      $id: 'http://e.com/root',
      type: 'object',
      properties: {
        one: { $ref: 'item' },
        two: { $ref: 'http://e.com/item#/$defs/n' },
        next: { $ref: 'http://e.com/root' },
      },
      additionalProperties: false,
      $defs: { item: { $id: 'item', type: 'string', $defs: { n: { type: 'null' } } } },
    };
    expect(
      language(schema).having(['{"one":"a","two":null,"next":{"one":"b"}}', '{"one":1}', '{"next":{"two":1}}']),
    ).toEqual(['{"one":"a","two":null,"next":{"one":"b"}}']);
  });
});

describe('G3: schemas, patterns and arrays that grow', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'null' } : { type: 'array', items: nested(depth - 1) };
  const bounded = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { type: 'string', maxLength: 255 }]));

  it('are prepared and compiled all the same', () => {
    const rows = language({ type: 'array', items: { type: 'object', properties: bounded } });
    expect(rows.having([`[{"a":"${'x'.repeat(255)}"}]`, `[{"d":"${'x'.repeat(256)}"}]`])).toHaveLength(1);
    expect(language(nested(30)).has(`${'['.repeat(30)}null${']'.repeat(30)}`)).toBe(true);
    expect(language({ type: 'string', pattern: '^a.{10}b$' }).has('"a0123456789b"')).toBe(true);
    expect(language({ type: 'string', pattern: 'a.{10}b' }).has('"xa0123456789by"')).toBe(true);
  });

  it('by their counts end, too', () => {
    expect(new Language(regexSource('a{1,100000}')).having(['a'.repeat(300), '', 'ab'])).toHaveLength(1);
    expect(new Language(regexSource('(?:a{1,1000}){1,1000}b')).having(['aab', 'b', 'aa'])).toEqual(['aab']);
    expect(
      new Language(regexSource('[^]*a[^]{300}')).having([`ba${'x'.repeat(300)}`, `b${'x'.repeat(300)}`]),
    ).toHaveLength(1);
  });

  it('deeper than 64 are refused by name', () => {
    expect(refused(nested(65)).domain).toContain('arrays and objects within one another');
  });
});

describe('G4: what zod prints', () => {
  it.each([
    [
      { type: 'string', format: 'uuid', pattern: '^[0-9a-f-]{36}$' },
      '"2eb8aa08-aa98-11ea-b4aa-73b441d16380"',
      '"2eb8aa08"',
    ],
    [
      { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'null' } },
      '{"a":null}',
      '{"a":1}',
    ],
    [{ type: 'string', minLength: 2, pattern: '^a' }, '"ab"', '"a"'],
    [{ items: [{ type: 'null' }], additionalItems: false, type: 'array' }, '[null]', '[null,null]'],
    [
      {
        discriminator: { propertyName: 'k' },
        oneOf: ['a', 'b'].map((k) => ({ type: 'object', properties: { k: { const: k } }, required: ['k'] })),
      },
      '{"k":"b"}',
      '{"k":"c"}',
    ],
    [{ type: 'null', 'x-order': 3, 'x-guidance': { whitespace_flexible: true } }, 'null', ' null'],
  ])('%j is taken', (schema, yes, no) => {
    expect(language(schema).having([yes, no])).toEqual([yes]);
  });
});

describe('G5: EBNF', () => {
  it('has empty alternatives, and names that begin with a digit', () => {
    const words = new Language(ebnfSource('root ::= "a" ws 1st\nws ::= | " "\n1st ::= [0-9]'));
    expect(words.having(['a1', 'a 1', 'a  1', 'a'])).toEqual(['a1', 'a 1']);
  });
});

describe('G6: a class with a range backwards', () => {
  it('is refused with its line and column', () => {
    expect(thrownBy(() => ebnfSource('root ::= "a"\n  | [z-ac]')).domain).toBe(
      'a grammar with ranges from low to high (in the class at line 2, column 5)',
    );
    expect(thrownBy(() => regexSource('[z-a]')).domain).toContain('Range out of order');
  });
});

describe('G7: references that no one can follow', () => {
  it('with a percent sign that is no code name the definition of that name', () => {
    expect(language({ $ref: '#/$defs/100%25', $defs: { '100%': { type: 'null' } } }).having(['null', '1'])).toEqual([
      'null',
    ]);
    const schema = { $ref: '#/$defs/100%', $defs: { '100%': { type: 'null' } } };
    expect(thrownBy(() => language(schema).has('null'))).toBeInstanceOf(Error);
  });

  it('without an end are refused at their place', () => {
    const requires = (name: string) => ({
      type: 'object',
      properties: { x: { $ref: `#/$defs/${name}` } },
      required: ['x'],
    });
    expect(refused({ $ref: '#/$defs/a', $defs: { a: requires('b'), b: requires('a') } }).domain).toBe(
      'a schema that some finite value fits',
    );
    expect(refused({ properties: { a: { $ref: '#/$defs/none' } } }).parameter).toBe('json_schema/properties/a/$ref');
    expect(refused({ $ref: 'https://example.org/other' }).parameter).toBe('json_schema/$ref');
  });

  it('and objects too deep are refused at theirs', () => {
    let schema: object = { type: 'null' };
    for (let i = 0; i < 3000; i++) schema = { properties: { a: schema } };
    expect(refused(schema)).toBeInstanceOf(InvalidValueError);
    expect(refused(schema).parameter).toMatch(/^json_schema(\/properties\/a)+(\/properties)?$/);
  });
});

describe('G8: an object of which nothing is said', () => {
  it('may be any object', () => {
    expect(language({ type: 'object' }).lacking(['{}', '{"a":1}', '{"a":{"b":[]},"c":"d"}'])).toEqual([]);
  });
});

describe('G9: a property that no text can have', () => {
  it('is never written, and refused where it is required', () => {
    const large = { type: 'object', properties: { a: { type: 'boolean' }, t: { type: 'number', minimum: 1e9 } } };
    expect(language(large).having(['{"a":true,"t":1000000000}', '{"t":999999999}'])).toEqual([
      '{"a":true,"t":1000000000}',
    ]);
    const none = { a: { type: 'integer', minimum: 3, maximum: 2 } };
    expect(thrownBy(() => language({ type: 'object', properties: none, required: ['a'] })).message).toContain("'a'");
  });
});

describe('G10: names like integers', () => {
  it('come first, as in every object of JavaScript, also of a schema as text', () => {
    const text = '{"type":"object","properties":{"b":{"type":"null"},"1":{"type":"null"}},"required":["b","1"]}';
    for (const schema of [JSON.parse(text), text]) {
      expect(language(schema).having(['{"b":null,"1":null}', '{"1":null,"b":null}'])).toEqual(['{"1":null,"b":null}']);
    }
  });
});

describe('G11: a property that is false', () => {
  it('is absent', () => {
    const schema = { type: 'object', properties: { a: false, b: { type: 'null' } } };
    expect(language(schema).having(['{}', '{"b":null}', '{"a":1}', '{"a":null,"b":null}'])).toEqual([
      '{}',
      '{"b":null}',
    ]);
  });
});

describe('G12: the engine', () => {
  it('is loaded without making code of text', () => {
    const folder = join(import.meta.dirname, '../../../src/grammar');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    expect(files.length).toBeGreaterThan(20);
    const making = files.filter((name) => /\bnew Function\b|\beval\(/.test(readFileSync(join(folder, name), 'utf8')));
    expect(making).toEqual([]);
  });
});
