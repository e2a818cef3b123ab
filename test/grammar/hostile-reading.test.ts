/**
 * Grammars from anybody that take long to read, before the engine sees them: the steps are counted, and too many are
 * refused by name.
 */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/grammar/language/schema/copy-json.js';
import { prepareSchema } from '../../src/grammar/language/schema/prepare-schema.js';
import { checkProductive } from '../../src/grammar/language/schema/productive.js';
import { References } from '../../src/grammar/language/schema/references.js';
import { search } from '../../src/grammar/language/search.js';
import { choiceSource, ebnfSource, regexSource } from '../../src/grammar/language/source.js';
import { InvalidValueError } from '../../src/index.js';
import { Pcg32 } from '../../src/random/index.js';
import { CHARACTERS, randomRegex } from './language/random-regex.js';

const NULL = { type: 'null' };
const many = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));
const named = <T>(count: number, of: (i: number) => T) => Object.fromEntries(many(count, (i) => [`p${i}`, of(i)]));
const refTo = (name: string) => ({ $ref: `#/$defs/${name}` });

function refusal(read: () => unknown): InvalidValueError {
  try {
    read();
  } catch (error) {
    if (error instanceof InvalidValueError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Options within options within options, each a reference to the next. */
function wideReferences(width: number, depth: number) {
  const level = (i: number) => (i === 0 ? { type: 'string' } : { anyOf: many(width, () => refTo(`l${i - 1}`)) });
  return { $defs: Object.fromEntries(many(depth, (i) => [`l${i}`, level(i)])), oneOf: [refTo(`l${depth - 1}`), NULL] };
}

describe('a schema that takes long to read is refused', () => {
  it.each<[string, object, string, RegExp]>([
    ['oneOf with options within options', wideReferences(90, 4), '/oneOf', /told apart in 100000 comparisons/],
    [
      'oneOf of which each two are hard to tell apart',
      {
        oneOf: many(480, (i) => ({
          type: 'object',
          properties: { ...named(9, () => ({ type: 'string' })), z: { const: i } },
          required: [...Object.keys(named(9, () => 0)), 'z'],
        })),
      },
      '/oneOf',
      /comparisons/,
    ],
    [
      'oneOf with which each option grows by all others',
      { oneOf: many(300, (i) => ({ required: [`p${i}`] })) },
      '/oneOf',
      /plainly disjoint/,
    ],
    [
      'names that take a search of their pattern without end',
      { properties: { [`${'a'.repeat(60)}!`]: NULL }, propertyNames: { pattern: '^(?:(?:a+)+b?)+$', minLength: 1 } },
      '/propertyNames',
      /absent/,
    ],
    [
      'patterns that become long',
      { properties: named(50, (i) => ({ pattern: `${'\\s'.repeat(2400)}${i}` })) },
      '/properties/p4/pattern',
      /1000000 characters together/,
    ],
    ['groups within groups', { pattern: `${'('.repeat(251)}a${')'.repeat(251)}` }, '/pattern', /at most 250 groups/],
    [
      'one schema for many names',
      {
        propertyNames: { enum: many(1000, (i) => `n${i}`) },
        additionalProperties: { enum: many(100, (i) => i) },
      },
      '',
      /at most 60000 values for the engine/,
    ],
    ['ids of many characters', { $defs: { a: { $id: 'x'.repeat(2001) } } }, '', /ids of at most 2000 characters/],
    ['words that nobody knows', { properties: named(900, () => named(6, () => 1)) }, '', /at most 5000 warnings/],
  ])('for %s', (_, schema, place, domain) => {
    const error = refusal(() => prepareSchema(schema, 'json_schema'));
    expect(error.parameter).toBe(`json_schema${place}`);
    expect(error.domain).toMatch(domain);
  });
});

describe('a schema that looks as if it did', () => {
  it('is read: references of which each waits for the next', () => {
    const names = many(900, (i) => `d${i}`);
    const $defs = Object.fromEntries(
      names.map((name, i) => [name, i === 899 ? NULL : { allOf: [refTo(`d${i + 1}`)] }]),
    );
    const anyOf = many(450, (i) => refTo(`d${899 - i}`));
    const schema = { $defs, anyOf: [{ anyOf }, { anyOf: many(450, (i) => refTo(`d${449 - i}`)) }] };
    expect(prepareSchema(schema, 'json_schema').warnings).toEqual([]);
  });

  it('is read: large lists of constants beside one another', () => {
    const oneOf = many(4, (i) => ({ enum: many(4900, (j) => i * 4900 + j) }));
    expect(JSON.parse(prepareSchema({ oneOf }, 'json_schema').text).anyOf.length).toBe(4);
  });

  it('is read: a name of a million characters, with a warning for each word below it', () => {
    const name = 'k'.repeat(1_000_000);
    const { warnings } = prepareSchema({ properties: { [name]: named(4000, () => 1) } }, 'json_schema');
    expect(warnings.length).toBe(4000);
    expect(warnings[0]?.place.length).toBeLessThan(400);
  });

  it('has its listed names matched by the pattern of names', () => {
    const schema = { properties: { ab: NULL, b: NULL }, propertyNames: { pattern: '^a' } };
    expect(JSON.parse(prepareSchema(schema, 'json_schema').text).properties).toEqual({ ab: NULL, b: false });
  });
});

describe('the bounded search', () => {
  it('agrees with RegExp', () => {
    const random = new Pcg32(9n, 1n);
    const randomText = () => many(random.below(6), () => CHARACTERS[random.below(CHARACTERS.length)]).join('');
    let count = 0;
    for (let i = 0; i < 300; i++) {
      const pattern = `${random.below(3) === 0 ? '^' : ''}${randomRegex(random)}${random.below(3) === 0 ? '$' : ''}`;
      for (let j = 0; j < 20; j++) {
        const text = randomText();
        const found = search(pattern, text);
        expect({ pattern, text, found }).toEqual({ pattern, text, found: new RegExp(pattern, 'u').test(text) });
        count++;
      }
    }
    expect(count).toBe(6000);
  });

  it.each([
    ['^a', 'ba', false],
    ['a$', 'ba', true],
    ['^$', '', true],
    ['^(a|b)*c{2,3}$', 'ababcc', true],
    ['^(a?){3}$', 'aaaa', false],
    ['', 'x', true],
  ])('/%s/ in %j: %s', (pattern, text, expected) => {
    expect(search(pattern, text)).toBe(expected);
  });

  it.each(['(?=a)', '\\b', '(a)\\1', '[', `${'('.repeat(251)}${')'.repeat(251)}`, '(?:(?:a+)+)+b{0,4000}$'])(
    'says nothing of /%s/',
    (pattern) => {
      expect(search(pattern, 'a'.repeat(5000))).toBeUndefined();
    },
  );
});

describe('other grammars that take long to read are refused', () => {
  it.each<[string, () => unknown, RegExp]>([
    ['a regex of groups within groups', () => regexSource('('.repeat(2000)), /at most 250 groups within one another/],
    ['EBNF of groups within groups', () => ebnfSource(`root ::= ${'('.repeat(90_000)}`), /at most 250 groups/],
    ['EBNF of counts on counts', () => ebnfSource(`root ::= "a"${'*'.repeat(90_000)}`), /at most 1000 parts/],
    [
      'EBNF of rules within rules',
      () =>
        ebnfSource(
          many(1500, (i) => `${i === 0 ? 'root' : `r${i}`} ::= "a" ${i < 1499 ? `r${i + 1}` : ''}`).join('\n'),
        ),
      /at most 1000 parts within one another/,
    ],
    [
      'EBNF of many parts that may be absent',
      () => ebnfSource(`root ::= ${'"a"? '.repeat(299)}`),
      /read in 1000000 steps/,
    ],
    ['EBNF of a text of 190,000 characters', () => ebnfSource(`root ::= "${'a'.repeat(190_000)}"`), /steps/],
  ])('%s', (_, read, domain) => {
    expect(refusal(read).domain).toMatch(domain);
  });

  it('not those that are only long', () => {
    expect(ebnfSource(`root ::=\n${many(5000, () => '"a"').join('\n')}`).kind).toBe('lark');
    expect(ebnfSource('root ::= [a-z]{0,250} "-" ("x" | "y"){1,99}').text).toBe(
      'start: /(?:(?:[a-z]){0,250}\\x{2d}(?:(?:x|y)){1,99})/',
    );
    expect(ebnfSource(`root ::= ${many(500, (i) => `"k${i}" root`).join(' | ')} | "e"`).kind).toBe('lark');
    expect(choiceSource(many(5000, (i) => `k${i}`)).kind).toBe('lark');
  });
});

describe('what can end', () => {
  it('is found by looking at a part again only where one that it waits for can end since', () => {
    const root: Json = {
      type: 'object',
      properties: named(1000, () => ({ ...NULL })),
      required: many(1000, (i) => `p${i}`),
    };
    let looks = 0;
    class Counted extends References {
      override target(...given: Parameters<References['target']>) {
        looks++;
        return super.target(...given);
      }
    }
    checkProductive(root, new Counted(root), 'json_schema');
    expect(looks).toBeLessThanOrEqual(2 * 1001 + 1); // once to find all parts, and once for each
  });

  it('is found in EBNF too: 1,500 rules that one rule uses are within the steps', () => {
    const rules = [`root ::= ${many(1500, (i) => `r${i}`).join(' ')}`, ...many(1500, (i) => `r${i} ::= "a"`)];
    const { text } = ebnfSource(rules.join('\n'));
    expect(text).toMatch(/^start: /);
  });

  it('is read once where nothing is said many times: `a |||`', () => {
    expect(ebnfSource(`root ::= "a"${'|'.repeat(1000)}`).text).toBe(ebnfSource('root ::= "a" |').text);
  });
});
