/**
 * Twenty schemas and regular expressions, and the judges of what is generated under them: ajv, and JavaScript's RegExp.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Grammar, GrammarOptions, Grammars } from '../../src/grammar/index.js';
import { FORMATS } from '../../src/grammar/language/schema/formats.js';

export interface Language {
  readonly name: string;
  /** The options of the step `grammar`. */
  readonly data: GrammarOptions;
  readonly grammar: (grammars: Grammars) => Grammar;
  /** Throws, or gives false, for a text that is not of the language. */
  readonly holds: (text: string) => boolean;
}

const ajv = new Ajv2020({ strict: false });
for (const [name, { pattern }] of Object.entries(FORMATS)) ajv.addFormat(name, new RegExp(`^(?:${pattern})$`, 'u'));

/** JSON under a schema: it must parse, and fit for ajv. */
export function schemaLanguage(name: string, schema: object | boolean): Language {
  const validate = ajv.compile(schema);
  return {
    name,
    data: { json_schema: schema as Record<string, unknown> | boolean },
    grammar: (grammars) => grammars.jsonSchema(schema),
    holds: (text) => validate(JSON.parse(text)) as boolean,
  };
}

export function regexLanguage(name: string, pattern: string): Language {
  const expected = new RegExp(`^(?:${pattern})$`, 'u');
  return {
    name,
    data: { regex: pattern },
    grammar: (grammars) => grammars.regex(pattern),
    holds: (text) => expected.test(text),
  };
}

const word = { type: 'string', minLength: 1, maxLength: 8 };

export const LANGUAGES: readonly Language[] = [
  schemaLanguage('an object', {
    type: 'object',
    properties: { name: word, age: { type: 'integer', minimum: 0, maximum: 969 }, king: { type: 'boolean' } },
    required: ['name', 'age', 'king'],
    additionalProperties: false,
  }),
  schemaLanguage('nested objects', {
    type: 'object',
    properties: {
      book: {
        type: 'object',
        properties: { title: word, chapter: { type: 'integer', minimum: 1 } },
        required: ['title'],
        additionalProperties: false,
      },
      verse: {
        type: 'object',
        properties: { at: { enum: ['begin', 'end'] } },
        required: ['at'],
        additionalProperties: false,
      },
    },
    required: ['book', 'verse'],
    additionalProperties: false,
  }),
  schemaLanguage('optional properties', {
    type: 'object',
    properties: { a: { type: 'null' }, b: word, c: { type: 'boolean' }, d: { const: 4 } },
    required: ['c'],
    additionalProperties: false,
  }),
  schemaLanguage('an array of integers', {
    type: 'array',
    items: { type: 'integer', exclusiveMinimum: -20, maximum: 300 },
    minItems: 1,
    maxItems: 4,
  }),
  schemaLanguage('an array of arrays', {
    type: 'array',
    items: { type: 'array', items: { type: 'boolean' }, maxItems: 2 },
    maxItems: 3,
  }),
  schemaLanguage('a tuple', {
    type: 'array',
    prefixItems: [{ enum: ['x', 'y'] }, { type: 'number', minimum: -1.5, maximum: 2.25 }],
    items: { type: 'null' },
    minItems: 2,
    maxItems: 3,
  }),
  schemaLanguage('an enum of every type', {
    enum: ['Moses', 'Ærø', 'a"b\\c\n', 7, -1.5, true, null, [1, 'x'], { k: 'v' }],
  }),
  schemaLanguage('strings of Unicode', { type: 'string', pattern: '^[α-ωא-ת😀-😏]{2,5}$' }),
  schemaLanguage('strings with escapes', { type: 'string', pattern: '^["\\\\\\n\\t/]{1,3}[^a-z]{0,4}$' }),
  schemaLanguage('a pattern anywhere in a string', { type: 'string', pattern: '^(?:and|but) [a-z]+ [0-9]$' }),
  schemaLanguage('numbers', { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 2 }),
  schemaLanguage('numbers between bounds', { type: 'number', exclusiveMinimum: 0.05, exclusiveMaximum: 12.5 }),
  schemaLanguage('anyOf', { anyOf: [word, { type: 'integer' }, { type: 'object', properties: {} }] }),
  schemaLanguage('oneOf told apart by a property', {
    oneOf: ['dove', 'raven'].map((kind, i) => ({
      type: 'object',
      properties: {
        kind: { const: kind },
        [i === 0 ? 'leaf' : 'days']: i === 0 ? { type: 'boolean' } : { type: 'integer' },
      },
      required: ['kind'],
      additionalProperties: false,
    })),
  }),
  schemaLanguage('formats', {
    type: 'object',
    properties: { day: { type: 'string', format: 'date' }, host: { type: 'string', format: 'ipv4' } },
    required: ['day', 'host'],
    additionalProperties: false,
  }),
  schemaLanguage('references and recursion', {
    $defs: {
      tree: {
        type: 'object',
        properties: { leaf: { type: 'integer', minimum: 0, maximum: 9 }, twig: { $ref: '#/$defs/tree' } },
        required: ['leaf'],
        additionalProperties: false,
      },
    },
    type: 'object',
    properties: { tree: { $ref: '#/$defs/tree' }, size: { type: ['integer', 'null'] } },
    required: ['tree'],
    additionalProperties: false,
  }),
  schemaLanguage('other properties', {
    type: 'object',
    properties: { a: { type: 'boolean' } },
    additionalProperties: { type: 'integer', minimum: 1, maximum: 99 },
  }),
  regexLanguage('a date', '[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])'),
  regexLanguage('words', '(?:[A-Z][a-z]{1,8}(?: (?:and|of|the) )?){1,3}[.!]'),
  regexLanguage('characters beyond ASCII', '(?:«[^»a-z]{1,4}»|[é-ü]{2,3}|😀|日本)(?:;\\d+)?'),
];
