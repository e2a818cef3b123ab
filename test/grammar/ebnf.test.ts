/**
 * Grammars in EBNF and GBNF: what is read, and what is refused and where.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGrammars, type Grammars } from '../../src/grammar/index.js';
import { InvalidValueError } from '../../src/index.js';
import { accepts, allowed, BYTE_TOKENIZER, END } from './byte-tokens.js';

let grammars: Grammars;

beforeAll(async () => {
  grammars = await createGrammars({ tokenizer: BYTE_TOKENIZER, endIds: [END] });
});

afterAll(() => grammars.dispose());

const CASES: [why: string, grammar: string, yes: string[], no: string[]][] = [
  ['a text', 'root ::= "ab"', ['ab'], ['', 'a', 'abc', 'b']],
  ['alternatives and groups', 'root ::= "a" ("b" | "c" "d") | "e"', ['ab', 'acd', 'e'], ['a', 'ac', 'abcd', 'ae']],
  ['repetitions', 'root ::= "a"* "b"+ "c"? [d]{2} "e"{1,2}', ['bdde', 'aabbcddee'], ['dde', 'bde', 'bddeee']],
  ['counts with an open end', 'root ::= "a"{2,}', ['aa', 'aaaaa'], ['', 'a']],
  ['spaces in a count', 'root ::= "a"{ 1 , 2 }', ['a', 'aa'], ['', 'aaa']],
  ['a repeated repetition', 'root ::= ("a"?)* "b"', ['b', 'aab'], ['', 'a']],
  ['classes', 'root ::= [a-c\\-\\]x-]', ['b', '-', ']', 'x'], ['d', 'w', '\\']],
  ['a class beyond ASCII', 'root ::= [а-яё]+', ['привет', 'ё'], ['a', 'Я', 'é']],
  ['a negated class', 'root ::= [^a"\\n]', ['b', 'é', '😀'], ['a', '"', '\n', '']],
  ['a negated class beyond ASCII', 'root ::= [^é-ж]', ['a', '😀'], ['é', 'Ж', 'ж']],
  ['escapes', 'root ::= "\\x41\\u00e9\\U0001f600\\n\\"\\\\" [\\x00-\\x1f]', ['Aé😀\n"\\\t'], ['Aé😀\n"\\ ']],
  ['any character', 'root ::= . .', ['ab', 'é😀', '\n\n'], ['a', 'abc']],
  ['an empty alternative', 'root ::= "a" | ', ['a', ''], ['b']],
  ['an empty group', 'root ::= "a" () | ""', ['a', ''], ['b']],
  ['comments and rules over lines', '# one\nroot ::= x # two\n  | "#"\nx ::= "a"\n', ['a', '#'], ['x']],
  ['rules of other names', 'root ::= root_1 x-y.z\nroot_1 ::= "a"\nx-y.z ::= "b" | root_1', ['ab', 'aa'], ['a', 'b']],
  ['recursion in the middle', 'root ::= "(" root ")" | ""', ['', '()', '((()))'], ['(', ')', '())']],
  ['recursion on the left', 'root ::= root "+" n | n\nn ::= [0-9]', ['1', '1+2+3'], ['+', '1+', '12']],
  ['recursion on the right', 'root ::= "a" root | "b"', ['b', 'aaab'], ['a', 'ba']],
  ['mutual recursion', 'root ::= "a" x\nx ::= "b" root | "c"', ['ac', 'abac'], ['ab', 'c']],
  ['what cannot end is left out', 'root ::= "a" | loop\nloop ::= "b" loop', ['a'], ['b', 'bb']],
  [
    'states that look alike',
    'root ::= (s "X" | t "Y")*\ns ::= [a-c] | "dx"\nt ::= [ac] | "dx"',
    ['bXdxY', 'aY'],
    ['bY'],
  ],
  ['a loop at the beginning', 'root ::= [a-z]* [a-z] "c" "d"', ['acd', 'abcd'], ['cd', 'acdd']],
];

describe('an EBNF grammar', () => {
  it.each(CASES)('reads %s', (_, grammar, yes, no) => {
    const constraint = grammars.ebnf(grammar).constraint();
    expect(yes.filter((text) => !accepts(constraint, text))).toEqual([]);
    expect(no.filter((text) => accepts(constraint, text))).toEqual([]);
  });

  it('with hundreds of alternatives allows these and no others', () => {
    const words = Array.from({ length: 400 }, (_, i) => `w${(i * 7919) % 1009}`);
    const constraint = grammars.ebnf(`root ::= ${words.map((word) => `"${word}"`).join(' | ')}`).constraint();
    const known = new Set(words);
    const wrong = Array.from({ length: 1009 }, (_, i) => `w${i}`).filter(
      (w) => accepts(constraint, w) !== known.has(w),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['an unknown rule', 'root ::= "a" foo', 'a grammar with a rule foo, which is used at line 1, column 14'],
    ['no root', 'a ::= "b"', 'a grammar with a rule named root'],
    ['a rule twice', 'root ::= "a"\nroot ::= "b"', 'a grammar with each rule once (root again at line 2, column 1)'],
    ['an open group', 'root ::= ("a"', 'a grammar with ) at the end'],
    ['an open text', 'root ::= "a', 'a grammar in EBNF (unknown sign at line 1, column 10)'],
    ['an open class', 'root ::= [a', 'a grammar in EBNF (unknown sign at line 1, column 10)'],
    ['a bad escape', 'root ::= "\\q"', 'a grammar in EBNF (unknown escape at line 1, column 10)'],
    [
      'a count backwards',
      'root ::= "a"{3,2}',
      'a grammar with a count with its least before its most at line 1, column 13',
    ],
    ['a count of nothing', 'root ::= *', 'a grammar with a text, a class, a rule or a group at line 1, column 10'],
    ['lookahead', 'root ::= a "b"\na ::= "a" (= "b")', 'a grammar without lookahead (at line 2, column 11)'],
    ['no rule at all', '"a"', 'a grammar with a rule named root'],
    ['text before the first rule', '"a" root ::= "b"', 'a grammar with name ::= at line 1, column 1'],
    ['a root without a text', 'root ::= "a" root', 'a grammar whose root has a text'],
    ['an empty class', 'root ::= []', 'a grammar whose root has a text'],
    ['no text', '', 'a grammar with a rule named root'],
    ['another value', 7 as unknown as string, 'a string'],
  ])('is refused for %s', (_, grammar, domain) => {
    let thrown: unknown;
    try {
      grammars.ebnf(grammar);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(InvalidValueError);
    expect(thrown).toMatchObject({ owner: 'Grammars', parameter: 'ebnf', domain, value: grammar });
    expect(accepts(grammars.ebnf('root ::= "good"').constraint(), 'good')).toBe(true);
  });

  it('that doubles with every rule is read, or refused by name, and others go on', () => {
    const doubling = Array.from({ length: 30 }, (_, i) => `r${i} ::= r${i + 1} "x" r${i + 1}`).join('\n');
    const other = grammars.ebnf('root ::= "ab"').constraint();
    other.advance(97);
    try {
      const constraint = grammars.ebnf(`root ::= r0\n${doubling}\nr30 ::= "a"`).constraint();
      expect(allowed(constraint)).toEqual([97]);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidValueError);
    }
    expect(allowed(other)).toEqual([98]);
  });
});
