/**
 * Grammars as users compile them: kinds, options, warnings, what is kept, what is refused and how it is called.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import { grammarModule } from '../../src/container/index.js';
import { createGrammars, type Grammar, type Grammars, type SchemaOptions } from '../../src/grammar/index.js';
import { InvalidValueError } from '../../src/index.js';
import { accepts, allowed, BYTE_TOKENIZER, END } from '../support/byte-tokens.js';

let grammars: Grammars;

beforeAll(async () => {
  grammars = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
});

function refusal(act: () => unknown): InvalidValueError {
  try {
    act();
  } catch (error) {
    if (error instanceof InvalidValueError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function having(grammar: Grammar, texts: readonly string[]): string[] {
  const constraint = grammar.constraint();
  return texts.filter((text) => accepts(constraint, text));
}

const SCHEMA = {
  type: 'object',
  properties: { b: { type: 'null' }, a: { type: 'null' } },
  additionalProperties: false,
};
const WRITTEN = [
  '{"b":null,"a":null}',
  '{"b": null, "a": null}',
  '{ "b" :null,"a":null }',
  '{"a":null,"b":null}',
  '{"a": null, "b": null}',
];

describe('the grammar of a JSON schema', () => {
  it.each<[SchemaOptions, number[]]>([
    [{}, [0]],
    [{ whitespace: 'compact', keys: 'schema', unsupported: 'refuse' }, [0]],
    [{ whitespace: 'spaced' }, [1]],
    [{ whitespace: 'flexible' }, [0, 1, 2]],
    [{ keys: 'sorted' }, [3]],
    [{ keys: 'sorted', whitespace: 'spaced' }, [4]],
  ])('has the white space and the order of keys that %o says', (options, right) => {
    expect(having(grammars.jsonSchema(SCHEMA, options), WRITTEN)).toEqual(right.map((i) => WRITTEN[i]));
  });

  it('says what it does not enforce, each time, and a schema that reads alike without it says nothing', () => {
    const unique = { type: 'array', items: { type: 'null', minSize: 1 }, uniqueItems: true };
    for (let i = 0; i < 2; i++) {
      expect(grammars.jsonSchema(unique, { unsupported: 'warn' }).warnings).toEqual([
        { keyword: 'uniqueItems', place: '/uniqueItems', reason: 'not enforced' },
        { keyword: 'minSize', place: '/items/minSize', reason: 'no keyword of JSON schemas, so an annotation' },
      ]);
      expect(grammars.jsonSchema({ type: 'array', items: { type: 'null' } }).warnings).toEqual([]);
    }
    expect(refusal(() => grammars.jsonSchema(unique))).toMatchObject({ parameter: 'json_schema/uniqueItems' });
  });

  it('says what the engine does not enforce of a Lark grammar that asks it to be lenient', () => {
    const lark = (options: object) =>
      `start: %json ${JSON.stringify({ type: 'array', uniqueItems: true, ...options })}`;
    expect(refusal(() => grammars.lark(lark({}))).message).toContain('Unimplemented keys: ["uniqueItems"]');
    const { warnings } = grammars.lark(lark({ 'x-guidance': { lenient: true } }));
    expect(warnings).toMatchObject([{ keyword: 'lark', place: '' }]);
    expect(warnings[0]?.reason).toContain('Unimplemented keys: ["uniqueItems"]');
    expect(grammars.lark('start: "a"').warnings).toEqual([]);
  });

  it.each<[object, string, string]>([
    [{ whiteSpace: 'compact' }, 'whiteSpace', 'absent (did you mean `whitespace`?'],
    [{ whitespace: 'none' }, 'whitespace', 'one of compact, spaced, flexible'],
    [{ keys: 'name' }, 'keys', 'one of schema, sorted'],
    [{ unsupported: true }, 'unsupported', 'one of refuse, warn'],
    [null as unknown as object, 'options', 'a plain object'],
  ])('is refused with the options %o', (options, parameter, domain) => {
    for (const act of [() => grammars.jsonSchema(SCHEMA, options), () => grammars.tools([{ name: 'f' }], options)]) {
      const error = refusal(act);
      expect(error).toMatchObject({ owner: 'Grammars', parameter });
      expect(error.domain).toContain(domain);
    }
  });
});

describe('a grammar', () => {
  it('of any JSON, a choice, a call of a tool, a regular expression, EBNF and Lark takes their texts', () => {
    const texts = ['{"a":[1,2]}', '[1, 2]', 'yes', 'yesno', '{"name":"f","arguments":{"n":1}}', 'aaa', 'a+b'];
    const tool = { name: 'f', parameters: { type: 'object', properties: { n: { type: 'integer' } } } };
    const kinds = {
      json: having(grammars.json(), texts),
      flexible: having(grammars.json({ whitespace: 'flexible' }), texts),
      choice: having(grammars.choice(['yes', 'no']), texts),
      tools: having(grammars.tools([tool]), texts),
      regex: having(grammars.regex('a{3}'), texts),
      ebnf: having(grammars.ebnf('root ::= x ("+" x)*\nx ::= [a-c]'), texts),
      lark: having(grammars.lark('start: X ("+" X)*\nX: /[a-c]/'), texts),
    };
    expect(kinds).toEqual({
      json: [texts[0], texts[4]],
      flexible: [texts[0], texts[1], texts[4]],
      choice: ['yes'],
      tools: [texts[4]],
      regex: ['aaa'],
      ebnf: ['a+b'],
      lark: ['a+b'],
    });
  });

  it('is compiled once for each text', () => {
    expect(grammars.regex('a{2}')).toBe(grammars.regex('a{2}'));
    expect(grammars.jsonSchema('{"type":"boolean"}')).toBe(grammars.jsonSchema({ type: 'boolean' }));
    expect(grammars.json()).toBe(grammars.jsonSchema(true));
    expect(grammars.regex('a')).not.toBe(grammars.regex('b'));
  });

  it('is made no more after `dispose`, while constraints made before go on', async () => {
    const own = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
    const constraint = own.regex('[ab]+').constraint();
    constraint.advance(97);
    own.dispose();
    own.dispose();
    expect(allowed(constraint)).toEqual([97, 98, END]);
    const makers: Record<string, () => Grammar> = {
      json_schema: () => own.jsonSchema({}),
      json: () => own.json(),
      tools: () => own.tools([{ name: 'f' }]),
      regex: () => own.regex('[ab]+'),
      choice: () => own.choice(['a']),
      ebnf: () => own.ebnf('root ::= "a"'),
      lark: () => own.lark('start: "a"'),
    };
    for (const [parameter, make] of Object.entries(makers)) {
      expect(refusal(make)).toMatchObject({
        owner: 'Grammars',
        parameter,
        domain: 'compiled before `dispose`, not after',
      });
    }
  });
});

describe('what is no grammar at all', () => {
  it.each<[string, () => unknown, string]>([
    ['a Map for a schema', () => grammars.jsonSchema(new Map([['type', 'null']])), 'json_schema'],
    ['a Set in one', () => grammars.jsonSchema({ enum: new Set([1]) }), 'json_schema/enum'],
    ['nothing for a schema', () => grammars.jsonSchema(undefined as unknown as object), 'json_schema'],
    ['a number for a regular expression', () => grammars.regex(1 as unknown as string), 'regex'],
    ['a text for choices', () => grammars.choice('yes' as unknown as string[]), 'choice'],
    ['nothing for tools', () => grammars.tools(null as unknown as []), 'tools'],
    ['another object for grammars', () => grammarModule({} as Grammars), 'grammars'],
  ])('is refused by name: %s', (_, act, parameter) => {
    expect(refusal(act).parameter).toBe(parameter);
  });
});

describe('what the engine refuses', () => {
  const date = { type: 'string', format: 'date', maxLength: 3 };
  const names = { patternProperties: { '^\\d+$': { type: 'null' }, '^[0-4]': { type: 'string' } } };
  it.each<[string, () => unknown, RegExp]>([
    [
      'a pattern',
      () => grammars.jsonSchema({ type: 'string', pattern: '^\\d$', minLength: 2 }),
      /SearchRegex \/\^\\d\$\/\)/,
    ],
    ['a format', () => grammars.jsonSchema(date), /SearchRegex \/date\/\)/],
    ['patterns of names', () => grammars.jsonSchema(names), /regexes \/\^\\d\+\$\/ and \/\^\[0-4\]\/ are not disjoint/],
    [
      'a property of characters in a pattern',
      () => grammars.jsonSchema({ type: 'string', pattern: '\\p{Cs}' }),
      /not found: \\p/,
    ],
    [
      'a property of characters',
      () => grammars.regex('a|\\p{Cs}'),
      /\(Unicode property value not found: \\p\{gc=Cs\}\)/,
    ],
    ['a rule of Lark that is not there', () => grammars.lark('start: x'), /unknown name: "x"/],
  ])('is said in the words of whoever wrote it: %s', (_, act, reason) => {
    const { owner, domain } = refusal(act);
    expect(owner).toBe('Grammars');
    expect(domain).toMatch(reason);
    expect(domain).not.toContain('(?:');
  });

  it('is no pattern that means something else without the flag u, which it is not read without', () => {
    for (const pattern of ['\\p{L}\\-', '\\u{61}\\-', '(?<a>x)\\k<a>\\-']) {
      expect(refusal(() => grammars.jsonSchema({ type: 'string', pattern }))).toMatchObject({
        parameter: 'json_schema/pattern',
        value: pattern,
      });
    }
  });
});
