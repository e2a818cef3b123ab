/**
 * JSON schemas: random texts of their grammars fit for ajv; bounds, lengths and escapes are exact.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGrammars, type GrammarConstraint, type Grammars } from '../../src/grammar/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { accepts, allowed, BYTE_TOKENIZER, END } from '../support/byte-tokens.js';
import { LANGUAGES, schemaLanguage } from './languages.js';

let grammars: Grammars;

beforeAll(async () => {
  grammars = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
});

afterAll(() => grammars.dispose());

/** A text that ends with probability 1/3 wherever it may; among the other bytes, quotes and brackets come often. */
function walk(constraint: GrammarConstraint, random: Pcg32): string | undefined {
  constraint.restore([]);
  const bytes: number[] = [];
  while (bytes.length < 400) {
    const ids = allowed(constraint);
    if (ids.length === 0) throw new Error(`a dead end after ${bytes}`);
    const closing = ids.filter((id) => id === END || '"]},'.includes(String.fromCharCode(id)));
    const from = closing.length > 0 && random.below(3) === 0 ? closing : ids;
    const id = from[random.below(from.length)] as number;
    constraint.advance(id);
    if (id === END) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
    bytes.push(id);
  }
  return undefined;
}

const MORE = [
  schemaLanguage('anything', true),
  schemaLanguage('an empty schema', { title: 'any', description: 'thing' }),
  schemaLanguage('any string', { type: 'string' }),
  schemaLanguage('a string of 2 characters', { type: 'string', minLength: 2, maxLength: 2 }),
  schemaLanguage('a long string', { type: 'string', minLength: 3 }),
  schemaLanguage('a pattern without anchors', { type: 'string', pattern: 'a.b|^[^x]$|\\s' }),
  schemaLanguage('an array of anything', { type: 'array', minItems: 2 }),
  schemaLanguage('an object of anything', { type: 'object', additionalProperties: true }),
  schemaLanguage('names like the declared ones', {
    type: 'object',
    properties: { ab: { type: 'null' }, abc: { type: 'null' }, 'é"': { type: 'null' }, '': { type: 'null' } },
    additionalProperties: { type: 'boolean' },
  }),
  schemaLanguage('a closed tuple', {
    type: 'array',
    prefixItems: [{ type: 'null' }, { type: 'boolean' }],
    items: false,
  }),
  schemaLanguage('negative numbers', { type: 'number', minimum: -31.25, exclusiveMaximum: -0.5 }),
  schemaLanguage('numbers around zero', { type: 'number', exclusiveMinimum: -2, maximum: 0.001 }),
  schemaLanguage('a single number', { type: 'number', minimum: 2.5, maximum: 2.5 }),
  schemaLanguage('large integers', { type: 'integer', minimum: 98, maximum: 9223372036854776000 }),
  schemaLanguage('negative integers', { type: 'integer', exclusiveMinimum: -1203, exclusiveMaximum: -7 }),
  schemaLanguage('integers between fractions', { type: 'integer', minimum: 0.5, maximum: 11.5 }),
  schemaLanguage('an enum cut by its type', { enum: [1, 1.5, 'a', null], type: ['integer', 'null'] }),
  schemaLanguage('the other formats', {
    type: 'array',
    prefixItems: ['time', 'date-time', 'uuid', 'email'].map((format) => ({ type: 'string', format })),
    items: false,
    minItems: 4,
  }),
  schemaLanguage('allOf of one', { allOf: [{ type: 'boolean' }] }),
  schemaLanguage('oneOf of other types', { oneOf: [{ type: 'integer' }, { type: 'null' }, { enum: ['a', 'b'] }] }),
  schemaLanguage('the whole again', {
    type: 'object',
    properties: { next: { $ref: '#' }, 'a/b~c': { $ref: '#/properties/n' }, n: { type: 'null' } },
  }),
];

describe('the grammar of a JSON schema', () => {
  it.each([...LANGUAGES, ...MORE].map((language) => [language.name, language] as const))(
    'for %s fits',
    (_, language) => {
      const random = new Pcg32(5n, 3n);
      const constraint = language.grammar(grammars).constraint();
      const texts = Array.from({ length: 40 }, () => walk(constraint, random)).filter((text) => text !== undefined);
      expect(texts.filter((text) => !language.holds(text))).toEqual([]);
      expect(texts.length).toBeGreaterThan(5);
    },
  );

  it('has numbers within the bounds and no others, also next to an exclusive one', () => {
    const numbers = [
      '-2',
      '-1.999999',
      '-1.5',
      '-1',
      '-0.000001',
      '0',
      '0.0',
      '0.000001',
      '-0.5',
      '0.5',
      '0.50',
      '0.499999',
      '0.500001',
    ].concat([
      '0.05',
      '1',
      '1.0',
      '9.99',
      '10',
      '10.000000',
      '10.000001',
      '11',
      '99',
      '100',
      '00',
      '01',
      '-0',
      '.5',
      '1.',
    ]);
    const bounds = [-1.5, -1, -0.5, 0, 0.000001, 0.05, 0.5, 1, 9.99, 10, 99];
    for (const low of bounds) {
      for (const high of bounds.filter((bound) => bound >= low)) {
        for (const [least, most] of [
          ['minimum', 'maximum'],
          ['exclusiveMinimum', 'exclusiveMaximum'],
        ] as const) {
          const isStrict = least === 'exclusiveMinimum';
          if (isStrict && low === high) continue;
          const constraint = grammars.jsonSchema({ type: 'number', [least]: low, [most]: high }).constraint();
          const isWithin = (value: number) => (isStrict ? low < value && value < high : low <= value && value <= high);
          const isPlain = (text: string) => String(Number(text)) === text && !/e/.test(text);
          const taken = numbers.filter((text) => accepts(constraint, text));
          expect({ low, high, wrong: taken.filter((text) => !isWithin(Number(text))) }).toMatchObject({ wrong: [] });
          const plain = numbers.filter((text) => isPlain(text) && isWithin(Number(text)));
          expect(taken).toEqual(expect.arrayContaining(plain));
          expect(taken.filter((text) => !/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text))).toEqual([]);
          constraint.dispose();
        }
      }
    }
  });

  it('has integers exactly within the bounds', () => {
    const bounds = [-120, -100, -99, -10, -9, -1, 0, 1, 9, 10, 99, 100, 120];
    for (const low of bounds) {
      for (const high of bounds.filter((bound) => bound >= low)) {
        const constraint = grammars.jsonSchema({ type: 'integer', minimum: low, maximum: high }).constraint();
        const wrong = [-121, ...bounds, ...bounds.map((bound) => bound + 1), 55, -55, 121, 1000].filter(
          (value) => accepts(constraint, `${value}`) !== (low <= value && value <= high),
        );
        expect({ low, high, wrong }).toEqual({ low, high, wrong: [] });
        constraint.dispose();
      }
    }
  });

  it('counts characters as JSON schema does: an escape is one, and one of two surrogates too', () => {
    const constraint = grammars.jsonSchema({ type: 'string', minLength: 2, maxLength: 2 }).constraint();
    const two = ['"ab"', '"é😀"', '"\\n\\""', '"\\\\/"', '"日\\t"'];
    expect(two.filter((text) => !accepts(constraint, text))).toEqual([]);
    const others = ['"a"', '"abc"', '"😀"', '"\\n"', '"\\u0041b"', '"\\ud83db"', '"a\n"', '"a\\x"'];
    expect(others.filter((text) => accepts(constraint, text))).toEqual([]);
  });

  it('writes escapes for what needs them, and no half of a surrogate pair', () => {
    const constraint = grammars.jsonSchema({ type: 'string' }).constraint();
    const whole = ['""', '"\\u0000\\u001f\\u007F"', '"\\b\\f\\n\\r\\t\\"\\\\"', '"é😀\u{10ffff}/"'];
    expect(whole.filter((text) => !accepts(constraint, text))).toEqual([]);
    const others = ['"\\ud83d"', '"\\ude00"', '"\\ud83d\\u0041"', '"\\u12"', '"\\x41"', '"\n"', '"\0"', '"""'];
    expect(others.filter((text) => accepts(constraint, text))).toEqual([]);
  });
});
