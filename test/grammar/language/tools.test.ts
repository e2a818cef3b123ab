/**
 * Calls of tools: one of those that are listed, with arguments that fit.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../../../src/grammar/language/schema/tools.js';
import { toolSource } from '../../../src/grammar/language/source.js';
import { InvalidValueError } from '../../../src/index.js';
import { Language, thrownBy } from './languages.js';

const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};
const sum = z.object({ a: z.int(), b: z.int() });
const call = (name: string, args: unknown) => JSON.stringify({ name, arguments: args });

describe('calls of tools', () => {
  it.each<[string, Tool[]]>([
    ["OpenAI's", [{ type: 'function', function: { name: 'weather', parameters: city } }]],
    ["OpenAI's responses", [{ type: 'function', name: 'weather', parameters: city }]],
    ["MCP's", [{ name: 'weather', description: 'Says it', inputSchema: city }]],
    ["Anthropic's", [{ name: 'weather', input_schema: city }]],
  ])('of %s list have a name and arguments', (_, tools) => {
    const language = new Language(toolSource(tools));
    expect(
      language.having([
        call('weather', { city: 'Bern' }),
        call('weather', {}),
        call('other', { city: 'Bern' }),
        '{"arguments":{"city":"Bern"},"name":"weather"}',
      ]),
    ).toEqual([call('weather', { city: 'Bern' })]);
  });

  it('each have the arguments of their own tool', () => {
    const language = new Language(
      toolSource([{ name: 'weather', parameters: city }, { name: 'sum', parameters: sum }, { name: 'now' }]),
    );
    const yes = [
      call('weather', { city: 'x' }),
      call('sum', { a: 1, b: 2 }),
      call('now', {}),
      call('now', { any: [1] }),
    ];
    expect(language.lacking(yes)).toEqual([]);
    expect(
      language.having([call('weather', { a: 1, b: 2 }), call('sum', { city: 'x' }), call('now', 1), '{}']),
    ).toEqual([]);
  });

  it('may refer to definitions of their own schema, which may have the same names', () => {
    const refers = (type: string) => ({
      type: 'object',
      properties: { v: { $ref: '#/$defs/v' } },
      required: ['v'],
      $defs: { v: { type } },
    });
    const language = new Language(
      toolSource([
        { name: 'a', parameters: refers('null') },
        { name: 'b', parameters: refers('boolean') },
        { name: 'c', parameters: { $id: 'http://e.com/c', ...refers('integer') } },
      ]),
    );
    const calls = ['a', 'b', 'c'].flatMap((name) => [null, true, 1].map((v) => call(name, { v })));
    expect(language.having(calls)).toEqual([call('a', { v: null }), call('b', { v: true }), call('c', { v: 1 })]);
  });

  it('may be spaced', () => {
    const language = new Language(toolSource([{ name: 'now' }], { whitespace: 'spaced' }));
    expect(language.has('{"name": "now", "arguments": {}}')).toBe(true);
  });

  it('are warned of at the place in the list as it was given', () => {
    const parameters = { properties: { a: { type: 'array', uniqueItems: true } } };
    const tools: Tool[] = [
      { name: 'a', inputSchema: parameters },
      { type: 'function', function: { name: 'b', parameters } },
    ];
    expect(toolSource(tools, { unsupported: 'warn' }).warnings).toEqual([
      { keyword: 'uniqueItems', place: '/0/inputSchema/properties/a/uniqueItems', reason: 'not enforced' },
      { keyword: 'uniqueItems', place: '/1/function/parameters/properties/a/uniqueItems', reason: 'not enforced' },
    ]);
  });

  it.each<[string, unknown, string, string]>([
    ['no list', {}, 'tools', 'a non-empty array of tools'],
    ['an empty list', [], 'tools', 'a non-empty array of tools'],
    ['a tool without a name', [{ parameters: city }], 'tools/0/name', 'a non-empty string'],
    ['a tool that is none', [{ name: 'a' }, null], 'tools/1/name', 'a non-empty string'],
    ['two of one name', [{ name: 'a' }, { name: 'b' }, { name: 'a' }], 'tools/2/name', 'another name'],
    ['two schemas of one tool', [{ name: 'a', parameters: city, inputSchema: city }], 'tools/0', 'a tool with one of'],
    [
      'a keyword that no grammar says',
      [{ name: 'a', parameters: { properties: { b: { not: { type: 'null' } } } } }],
      'tools/0/parameters/properties/b/not',
      'absent',
    ],
    ['a schema that JSON cannot say', [{ name: 'a', parameters: z.bigint() }], 'tools/0/parameters', 'BigInt'],
  ])('are refused for %s', (_, tools, parameter, domain) => {
    const error = thrownBy(() => toolSource(tools as Tool[]));
    expect(error).toBeInstanceOf(InvalidValueError);
    expect(error).toMatchObject({ owner: 'Grammars', parameter });
    expect(error.domain).toContain(domain);
  });
});
