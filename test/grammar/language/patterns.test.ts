/**
 * `pattern` and `patternProperties` of JSON schemas: JavaScript's, matched anywhere in the string as JSON writes it.
 */
import { describe, expect, it } from 'vitest';
import { schemaSource } from '../../../src/grammar/language/source.js';
import { Language, thrownBy } from './languages.js';

const strings = (pattern: string) => new Language(schemaSource({ type: 'string', pattern }));

const TEXTS = [
  ...[
    '',
    'a',
    'b',
    'ab',
    'xa',
    'ax',
    'xax',
    'ba',
    'aa',
    'abab',
    'xaby',
    '1',
    'a1',
    '-',
    'é',
    'aé',
    '😀',
    'a😀b',
    '日本',
    '_',
  ],
  ...[
    '"',
    '\\',
    '\\\\',
    'a"b',
    'a\\b',
    '"a',
    'a\\',
    '/',
    '\n',
    'a\nb',
    '\t',
    '\r',
    '\b',
    '\f',
    '\x01',
    '\x1f',
    '\u2028',
    ' ',
    'a b',
  ],
];

/** As JSON.stringify writes it. */
const json = (text: string) => JSON.stringify(text);

describe('a pattern of a JSON schema', () => {
  it.each([
    ['anchored', '^a+$'],
    ['anchored at its beginning', '^a'],
    ['anchored at its end', 'a$'],
    ['not anchored', 'a'],
    ['not anchored, of several', 'ab'],
    ['of alternatives, each with its own anchors', '^a|b$'],
    ['of alternatives, one of them in the middle', '^x|ab'],
    ['of a group with anchors in it', '(^a|b$)'],
    ['of groups around everything', '((a|b)+)'],
    ['of the empty text', ''],
    ['of the empty text alone', '^$'],
    ['of an anchor alone', '^'],
    ['of an empty alternative', '^(|a)$'],
    ['of a group that may be empty at its beginning', '(?:b)?a$'],
    ['with a class', '[^a-z]'],
    ['without a quote', '^[^"]*$'],
    ['without a backslash', '^[^\\\\]+$'],
    ['without quotes and backslashes', '^[^"\\\\]*$'],
    ['without a quote, in two parts', '^[^"\\s](?:[^"]|\\s)*$'],
    ['without white space', '^\\S+$'],
    ['of any characters', '^.*$'],
    ['of really any characters', '^[^]{1,2}$'],
    ['of a quote', '"'],
    ['of backslashes', '\\\\'],
    ['of a line end', '\\n'],
    ['of control characters', '[\\x01-\\x1f]'],
    ['of characters beyond U+FFFF', '^a?.b?$'],
  ])('%s is matched as JavaScript does', (_, pattern) => {
    const expected = new RegExp(pattern, 'u');
    const language = strings(pattern);
    expect(TEXTS.filter((text) => language.has(json(text)) !== expected.test(text)).map(json)).toEqual([]);
  });

  it.each([
    ['a hyphen that is escaped', '^a\\-b$', ['a-b'], ['a b']],
    ['an escaped letter that means itself', '^\\y$', ['y'], ['\\y']],
    ['a bracket that closes nothing', '^a]$', ['a]'], ['a']],
    ['a brace that counts nothing', '^{a}$', ['{a}'], ['a']],
  ])('with %s, which only reads without the flag u, is read without it', (_, pattern, yes, no) => {
    expect(() => new RegExp(pattern, 'u')).toThrow(SyntaxError);
    const language = strings(pattern);
    expect(language.lacking(yes.map(json))).toEqual([]);
    expect(language.having(no.map(json))).toEqual([]);
  });

  it('with U+0000 in a class without a quote or a backslash never has it: the one character that is left out', () => {
    expect(strings('^[\\0-\\x1f]$').having([json('\0'), json('\x01')])).toEqual([json('\x01')]);
    expect(strings('^[^]$').has(json('\0'))).toBe(true);
  });

  it('leaves half a character out', () => {
    expect(strings('^.$').having(['"\\ud83d"', '"\\ude00"'])).toEqual([]);
  });

  it.each([
    ['^(?!a)', 'without look-around'],
    ['\\bfoo\\b', 'without a word boundary'],
    ['^(a)\\1$', 'without a back-reference'],
    ['a^b', 'without an anchor inside'],
    ['[z-a]', 'a regular expression with the flag u'],
    ['a'.repeat(5001), 'at most 5000 characters'],
  ])('/%.12s/ is refused at its place: %s', (pattern, domain) => {
    const error = thrownBy(() => schemaSource({ properties: { 'a/b': { type: 'string', pattern } } }));
    expect(error.parameter).toBe('json_schema/properties/a~1b/pattern');
    expect(error.domain).toContain(domain);
  });

  it('beside lengths narrows them', () => {
    const language = new Language(schemaSource({ type: 'string', pattern: '^a', minLength: 2, maxLength: 3 }));
    expect(language.having(['"a"', '"ab"', '"abc"', '"abcd"', '"bb"'])).toEqual(['"ab"', '"abc"']);
  });
});

describe('patternProperties', () => {
  it('are matched anywhere in the name', () => {
    const schema = { type: 'object', patternProperties: { n$: { type: 'integer' } }, additionalProperties: false };
    const language = new Language(schemaSource(schema));
    expect(language.lacking(['{}', '{"n":1}', '{"min":1,"n":2}', '{"a\\"n":1}'])).toEqual([]);
    expect(language.having(['{"no":1}', '{"n":"x"}'])).toEqual([]);
  });

  it('hold beside properties, and additionalProperties for the other names', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'integer' } },
      patternProperties: { '^x-': { type: 'string' } },
      additionalProperties: { type: 'null' },
    };
    const language = new Language(schemaSource(schema));
    expect(language.lacking(['{"id":1,"x-a":"b","other":null}', '{"x-a":"b"}', '{"other":null}'])).toEqual([]);
    expect(language.having(['{"x-a":1}', '{"other":1}', '{"id":null}'])).toEqual([]);
  });
});
