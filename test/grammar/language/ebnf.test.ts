/**
 * Grammars in EBNF and GBNF: what is read, what is refused and where.
 */
import { describe, expect, it } from 'vitest';
import { ebnfSource } from '../../../src/grammar/language/source.js';
import { InvalidValueError } from '../../../src/index.js';
import { Language, thrownBy } from './languages.js';

const CASES: [why: string, grammar: string, yes: string[], no: string[]][] = [
  ['a text', 'root ::= "ab"', ['ab'], ['', 'a', 'abc', 'b']],
  ['alternatives and groups', 'root ::= "a" ("b" | "c" "d") | "e"', ['ab', 'acd', 'e'], ['a', 'ac', 'abcd', 'ae']],
  ['repetitions', 'root ::= "a"* "b"+ "c"? [d]{2} "e"{1,2}', ['bdde', 'aabbcddee'], ['dde', 'bde', 'bddeee']],
  ['counts with an open end', 'root ::= "a"{2,}', ['aa', 'aaaaa'], ['', 'a']],
  ['spaces in a count', 'root ::= "a"{ 1 , 2 }', ['a', 'aa'], ['', 'aaa']],
  ['a count of none', 'root ::= "a"{0} "b"{0,0} "c"', ['c'], ['ac', 'bc']],
  ['a repeated repetition', 'root ::= ("a"?)* "b"', ['b', 'aab'], ['', 'a']],
  ['repetitions behind one another', 'root ::= "a"{2}{2}', ['aaaa'], ['aa', 'aaa']],
  ['classes', 'root ::= [a-c\\-\\]x-]', ['b', '-', ']', 'x'], ['d', 'w', '\\']],
  ['a class beyond ASCII', 'root ::= [а-яё]+', ['привет', 'ё'], ['a', 'Я', 'é']],
  ['a negated class', 'root ::= [^a"\\n]', ['b', 'é', '😀'], ['a', '"', '\n', '']],
  ['a negated class beyond ASCII', 'root ::= [^é-ж]', ['a', '😀'], ['é', 'Ж', 'ж']],
  ['a range across the surrogates', 'root ::= [^\\ud7f0-\\ue010]', ['a', '\ud7ef', '\ue011'], ['\ud7ff', '\ue000']],
  ['escapes', 'root ::= "\\x41\\u00e9\\U0001f600\\n\\"\\\\" [\\x00-\\x1f]', ['Aé😀\n"\\\t'], ['Aé😀\n"\\ ']],
  ['any character', 'root ::= . .', ['ab', 'é😀', '\n\n'], ['a', 'abc']],
  ['signs of other syntaxes', 'root ::= "/a|b/[x]{2}.*^$" "%i" "<t>"', ['/a|b/[x]{2}.*^$%i<t>'], ['a']],
  ['an empty group', 'root ::= "a" () | ""', ['a', ''], ['b']],
  ['an empty alternative', 'root ::= "a" | ', ['a', ''], ['b', 'aa']],
  ['an empty alternative first', 'root ::= "a" ws "b"\nws ::= | " " ws', ['ab', 'a b', 'a   b'], ['a', ' ab']],
  ['an empty rule', 'root ::= "a" none "b"\nnone ::=\n', ['ab'], ['a b']],
  ['names that begin with a digit', 'root ::= 1st 2-nd\n1st ::= "a"\n2-nd ::= "b"', ['ab'], ['a', 'b']],
  ['comments and rules over lines', '# one\nroot ::= x # two\n  | "#"\nx ::= "a"\n', ['a', '#'], ['x']],
  ['rules of other names', 'root ::= root_1 x-y.z\nroot_1 ::= "a"\nx-y.z ::= "b" | root_1', ['ab', 'aa'], ['a', 'b']],
  ['rules that are named like words of Lark', 'root ::= start\nstart ::= "a" END\nEND ::= "b"', ['ab'], ['a']],
  ['recursion in the middle', 'root ::= "(" root ")" | ""', ['', '()', '((()))'], ['(', ')', '())']],
  ['recursion on the left', 'root ::= root "+" n | n\nn ::= [0-9]', ['1', '1+2+3'], ['+', '1+', '12']],
  ['recursion on the right', 'root ::= "a" root | "b"', ['b', 'aaab'], ['a', 'ba']],
  ['mutual recursion', 'root ::= "a" x\nx ::= "b" root | "c"', ['ac', 'abac'], ['ab', 'c']],
  ['recursion on both sides', 'root ::= root root | "a" | "b"', ['a', 'abba'], ['', 'c']],
  ['recursion without a sign between', 'root ::= x | "a"\nx ::= root | "b"', ['a', 'b'], ['ab', '']],
  ['repetitions of recursion', 'root ::= ("[" root? "]")+ | [0-9]{2}', ['[]', '[[][12]]', '34'], ['[1]', '5', ']']],
  ['what cannot end is left out', 'root ::= "a" | loop\nloop ::= "b" loop', ['a'], ['b', 'bb']],
  ['an empty class ends nothing', 'root ::= "a" | "b" []', ['a'], ['b']],
  [
    'states that look alike',
    'root ::= (s "X" | t "Y")*\ns ::= [a-c] | "dx"\nt ::= [ac] | "dx"',
    ['bXdxY', 'aY'],
    ['bY'],
  ],
  ['a loop at the beginning', 'root ::= [a-z]* [a-z] "c" "d"', ['acd', 'abcd'], ['cd', 'acdd']],
];

/** A lexer that takes the longest terminal reads these wrongly. */
const AMBIGUOUS: typeof CASES = [
  [
    'a longer text first, beside recursion',
    'root ::= ("ab" | "abc") ("cx" | "x") | "(" root ")"',
    ['abcx', 'abx', 'abccx', '(abcx)', '((abx))'],
    ['abc', 'abcxx', '(abcx'],
  ],
  ['an open word before a letter', 'root ::= [a-z]+ "b" | "(" root ")"', ['ab', 'abab', '(bb)'], ['a', 'b', '(a)']],
  [
    'a word and a keyword',
    'root ::= ("if" " " root | [a-z]+) | "(" root ")"',
    ['if a', 'if', 'iffy', '(if if x)'],
    ['if ', 'x a'],
  ],
  [
    'an optional part of the next',
    'root ::= "a" "b"? ("bc" | "c") | "<" root ">"',
    ['abc', 'ac', 'abbc', '<abc>'],
    ['ab', 'abb'],
  ],
  ['digits before digits', 'root ::= [0-9]{1,3} [0-9]{2} | "-" root', ['123', '12345', '-123'], ['12', '123456', '-']],
  [
    'a terminal that is the beginning of a rule',
    'root ::= "(" x ")"\nx ::= "(" | "()" x | "a"',
    ['(()', '(()a)', '(a)'],
    ['()', '((', '(())a'],
  ],
  [
    'two rules of the same text',
    'root ::= x "1" | y "2" | "(" root ")"\nx ::= "ab"\ny ::= "ab"',
    ['ab1', 'ab2', '(ab2)'],
    ['ab', 'ab3'],
  ],
  [
    'what may be empty between',
    'root ::= "a" e "a" | "(" root ")"\ne ::= "" | "a" e',
    ['aa', 'aaaaa', '(aaa)'],
    ['a', '(a)'],
  ],
];

describe('an EBNF grammar', () => {
  it.each([...CASES, ...AMBIGUOUS])('reads %s', (_, grammar, yes, no) => {
    const language = new Language(ebnfSource(grammar));
    expect(language.lacking(yes)).toEqual([]);
    expect(language.having(no)).toEqual([]);
  });

  it("reads llama.cpp's grammar of JSON", () => {
    const language = new Language(
      ebnfSource(String.raw`
root   ::= object
value  ::= object | array | string | number | ("true" | "false" | "null") ws
object ::= "{" ws ( string ":" ws value ("," ws string ":" ws value)* )? "}" ws
array  ::= "[" ws ( value ("," ws value)* )? "]" ws
string ::= "\"" ( [^"\\\x7F\x00-\x1F] | "\\" (["\\bfnrt] | "u" [0-9a-fA-F]{4}) )* "\"" ws
number ::= ("-"? ([0-9] | [1-9] [0-9]{0,15})) ("." [0-9]+)? ([eE] [-+]? [0-9] [1-9]{0,15})? ws
# Optional space: by convention, applied in this grammar after literal chars when allowed
ws ::= | " " | "\n" [ \t]{0,20}`),
    );
    const yes = ['{}', '{"a":1}', '{ "a" : [1, -2.5e+3, {"b": null}],\n\t"é\\u00e9\\n": true }'];
    expect(language.lacking(yes)).toEqual([]);
    expect(language.having(['[]', '{"a":01}', '{"a":1,}', "{'a':1}", '{"a"}', '{"a":"\n"}'])).toEqual([]);
  });

  it('with hundreds of alternatives allows these and no others', () => {
    const words = Array.from({ length: 400 }, (_, i) => `w${(i * 7919) % 1009}`);
    const language = new Language(ebnfSource(`root ::= ${words.map((word) => `"${word}"`).join(' | ')}`));
    const all = Array.from({ length: 1009 }, (_, i) => `w${i}`);
    expect(language.having(all)).toEqual(all.filter((word) => words.includes(word)));
  });

  it('that doubles with every rule is short for the engine', () => {
    const doubling = Array.from({ length: 30 }, (_, i) => `r${i} ::= r${i + 1} "x" r${i + 1}`).join('\n');
    const { text } = ebnfSource(`root ::= r0\n${doubling}\nr30 ::= "a"`);
    expect(text.length).toBeLessThan(10_000);
  });
});

describe('an EBNF grammar is refused', () => {
  it.each([
    ['an unknown rule', 'root ::= "a" foo', 'a grammar with a rule foo, which is used at line 1, column 14'],
    ['no root', 'a ::= "b"', 'a grammar with a rule named root'],
    ['a rule twice', 'root ::= "a"\nroot ::= "b"', 'a grammar with each rule once (root again at line 2, column 1)'],
    ['an open group', 'root ::= ("a"', 'a grammar with ) at the end'],
    ['a group that is not open', 'root ::= "a")', 'a grammar with name ::= at line 1, column 13'],
    ['an open text', 'root ::= "a', 'a grammar in EBNF (unknown sign at line 1, column 10)'],
    ['an open class', 'root ::= [a', 'a grammar in EBNF (unknown sign at line 1, column 10)'],
    ['a bad escape', 'root ::= "\\q"', 'a grammar in EBNF (unknown escape at line 1, column 10)'],
    ['half a character', 'root ::= "\\ud83d"', 'a grammar in EBNF (unknown escape at line 1, column 10)'],
    [
      'a range backwards',
      'root ::= "é" [z-a]',
      'a grammar with ranges from low to high (in the class at line 1, column 14)',
    ],
    [
      'a count backwards',
      'root ::= "a"{3,2}',
      'a grammar with a count with its least before its most at line 1, column 13',
    ],
    ['a large count', 'root ::= "a"{5001}', 'a grammar with counts up to 5000 at line 1, column 13'],
    ['a count of nothing', 'root ::= *', 'a grammar with a text, a class, a rule or a group at line 1, column 10'],
    ['lookahead', 'root ::= a "b"\na ::= "a" (= "b")', 'a grammar without lookahead (at line 2, column 11)'],
    ['no rule at all', '"a"', 'a grammar with a rule named root'],
    ['text before the first rule', '"a" root ::= "b"', 'a grammar with name ::= at line 1, column 1'],
    ['a root without a text', 'root ::= "a" root', 'a grammar whose root has a text'],
    ['an empty class', 'root ::= []', 'a grammar whose root has a text'],
    ['no text', '', 'a grammar with a rule named root'],
    ['another value', 7 as unknown as string, 'a string'],
  ])('for %s', (_, grammar, domain) => {
    const error = thrownBy(() => ebnfSource(grammar));
    expect(error).toBeInstanceOf(InvalidValueError);
    expect(error).toMatchObject({ owner: 'Grammars', parameter: 'ebnf', domain, value: grammar });
  });

  it('for more than 2,000 rules, or 200,000 characters', () => {
    const rules = Array.from({ length: 2000 }, (_, i) => `r${i} ::= "a"`).join('\n');
    expect(thrownBy(() => ebnfSource(`root ::= r0\n${rules}`)).domain).toBe('a grammar with at most 2000 rules');
    expect(thrownBy(() => ebnfSource(' '.repeat(200_001))).domain).toBe('at most 200000 characters');
  });
});
