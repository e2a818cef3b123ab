/**
 * The grammars of the group `grammars`, with the texts that they are followed along.
 */
import type { Grammar, Grammars } from '../grammar/index.js';

export interface GrammarCase {
  readonly name: string;
  readonly compile: (grammars: Grammars) => Grammar;
  /** Texts of the grammar. */
  readonly texts: readonly string[];
}

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 12 },
    age: { type: 'integer', minimum: 0, maximum: 150 },
    mood: { enum: ['yes', 'no', 'perhaps', 17, null] },
    tags: { type: 'array', items: { type: 'string', pattern: '^\\p{Lu}[a-zß-ü]*(-\\d{1,3})?$' }, maxItems: 3 },
  },
  required: ['name', 'age'],
  additionalProperties: false,
};
const TREE = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
      required: ['value'],
    },
  },
};
const FORMATS = {
  type: 'array',
  prefixItems: [
    { type: 'string', format: 'date-time' },
    { type: 'string', format: 'uuid' },
    { type: 'string', format: 'email' },
    { type: 'string', format: 'ipv4' },
  ],
  items: { type: 'number', exclusiveMinimum: -1.5, maximum: 100, multipleOf: 0.25 },
  minItems: 4,
  maxItems: 6,
};
const UNION = {
  oneOf: [
    {
      type: 'object',
      properties: { kind: { const: 'dove' }, wings: { type: 'boolean' } },
      required: ['kind', 'wings'],
    },
    { type: 'object', properties: { kind: { const: 'ark' }, length: { type: 'integer' } }, required: ['kind'] },
  ],
};
const TOOLS = [
  { name: 'add', parameters: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
  {
    name: 'name',
    inputSchema: { type: 'object', properties: { value: { type: 'string' } }, additionalProperties: false },
  },
];
const SUMS = `root ::= product ("+" product)*
product ::= value ("*" value)*
value ::= [0-9]+ | "(" root ")" | [a-z] [a-z0-9]{0,3}`;

export const GRAMMAR_CASES: readonly GrammarCase[] = [
  {
    name: 'a closed object',
    compile: (grammars) => grammars.jsonSchema(PERSON),
    texts: ['{"name":"Noah é🕊","age":150,"mood":"perhaps","tags":["Ada-12","Über"]}', '{"name":"\\"\\n","age":0}'],
  },
  {
    name: 'a recursive object',
    compile: (grammars) => grammars.jsonSchema(TREE),
    texts: ['{"value":-1.5e-3,"children":[{"value":0,"children":[]}],"日本":[null,{}]}'],
  },
  {
    name: 'formats and numbers, spaced',
    compile: (grammars) => grammars.jsonSchema(FORMATS, { whitespace: 'spaced' }),
    texts: [
      '["2026-12-01T05:06:07Z", "00ab12cd-0000-4000-8000-0123456789ab", "ada@b.com", "192.0.2.255", -1.25, 99.50]',
    ],
  },
  {
    name: 'a union, keys sorted',
    compile: (grammars) => grammars.jsonSchema(UNION, { keys: 'sorted' }),
    texts: ['{"kind":"dove","wings":true}', '{"kind":"ark","length":300}'],
  },
  {
    name: 'any JSON, with white space',
    compile: (grammars) => grammars.json({ whitespace: 'flexible' }),
    texts: ['{"a" :\n[ 1,2.50e5, {"é":"\\u001b"} ]}', '"λόγος"'],
  },
  {
    name: 'calls of tools',
    compile: (grammars) => grammars.tools(TOOLS),
    texts: ['{"name":"add","arguments":{"a":-12}}', '{"name":"name","arguments":{"value":"the ark"}}'],
  },
  {
    name: 'a regular expression',
    compile: (grammars) => grammars.regex('(\\d{1,3}\\.){3}\\d{1,3}|\\p{Script=Greek}+€?|(a|b)*abb[^a-z]?'),
    texts: ['100.20.0.255', 'λόγος€', 'aababaaabb日'],
  },
  {
    name: 'sums in EBNF',
    compile: (grammars) => grammars.ebnf(SUMS),
    texts: ['12*(x1+((200)*the))+7'],
  },
  {
    name: 'a choice',
    compile: (grammars) => grammars.choice(['yes', 'no', 'nothing', 'perhaps', 'perhaps not', '€', '日本語', '']),
    texts: ['nothing', 'perhaps not', '日本語', ''],
  },
  {
    name: 'brackets in Lark',
    compile: (grammars) => grammars.lark('start: "a" start "b" | "€" | /c{2,4}/'),
    texts: ['aaaacccbbbb', 'a€b'],
  },
];

/** A grammar whose texts are ended within so many ids. */
export const CLOSING_CASES: readonly { readonly name: string; readonly schema: object; readonly within: number }[] = [
  { name: 'an object', schema: PERSON, within: 20 },
  { name: 'a union', schema: UNION, within: 14 },
];

/** Takes more steps than the engine's limits allow. */
export const HOSTILE_SCHEMA = { type: 'string', pattern: '^(?:\\S+\\s+){0,99}\\S+$', maxLength: 500 };
