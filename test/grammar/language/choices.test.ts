/**
 * One of some texts, and grammars in Lark.
 */
import { describe, expect, it } from 'vitest';
import { choiceSource, larkSource } from '../../../src/grammar/language/source.js';
import { InvalidValueError } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { Language, thrownBy } from './languages.js';

describe('a choice', () => {
  it.each<[string, string[]]>([
    ['words', ['yes', 'no']],
    ['one text', ['only']],
    ['texts that begin alike', ['a', 'ab', 'abc', 'abd']],
    [
      'texts with signs of every syntax',
      ['"', '\\', '/', '/a/', '|', '(a|b)', '[a-b]', '.*', '^$', '\n', '\r\n', '\0', '{2}', '%x', '<a>'],
    ],
    ['texts beyond ASCII', ['é', '日本', '😀', 'é', '\u2028', '\u{10ffff}']],
    ['the empty text, too', ['', 'a']],
    ['the same text twice', ['a', 'a', 'b']],
  ])('of %s is exactly these', (_, texts) => {
    const language = new Language(choiceSource(texts));
    const near = texts.flatMap((text) => [
      `${text}a`,
      text.slice(0, -1),
      text.toUpperCase(),
      ` ${text}`,
      `${text}${text}`,
    ]);
    const all = [...new Set([...texts, ...near])];
    expect(language.having(all)).toEqual(all.filter((text) => texts.includes(text)));
  });

  it('of random texts is exactly these', () => {
    const random = new Pcg32(3n, 5n);
    const text = () => Array.from({ length: random.below(6) }, () => 'ab"\\é'[random.below(5)]).join('');
    const texts = Array.from({ length: 2000 }, text);
    const language = new Language(choiceSource(texts));
    const others = Array.from({ length: 500 }, text);
    const all = [...new Set([...texts.slice(0, 300), ...others])];
    expect(all.filter((one) => language.has(one) !== texts.includes(one))).toEqual([]);
  });

  it('of 5,000 texts is taken, of more refused', () => {
    const texts = Array.from({ length: 5000 }, (_, i) => `w${(i * 7919) % 10_007}`);
    const language = new Language(choiceSource(texts));
    expect(language.having(['w0', 'w7919', 'w10006', 'w10007', 'x'])).toEqual(
      ['w0', 'w7919', 'w10006'].filter((text) => texts.includes(text)),
    );
    expect(new Language(choiceSource(['a'.repeat(200_000)])).has('a')).toBe(false);
    expect(thrownBy(() => choiceSource(['a'.repeat(100_001), 'b'.repeat(100_000)]))).toMatchObject({
      parameter: 'choice',
    });
    expect(thrownBy(() => choiceSource([...texts, 'more']))).toMatchObject({ parameter: 'choice' });
  });

  it.each<[string, unknown]>([
    ['nothing', []],
    ['no list', 'yes'],
    ['no texts', ['a', 1]],
    ['a hole', Object.assign(['a'], { 2: 'b' })],
    ['half a character', ['a', '\ud83d']],
  ])('of %s is refused', (_, texts) => {
    const error = thrownBy(() => choiceSource(texts as string[]));
    expect(error).toBeInstanceOf(InvalidValueError);
    expect(error).toMatchObject({
      owner: 'Grammars',
      parameter: 'choice',
      domain: expect.stringContaining('array of'),
    });
  });
});

describe('Lark', () => {
  it('goes to the engine as it is', () => {
    const language = new Language(larkSource('start: "a" b+\nb: /[0-9]/ | "x"i'));
    expect(language.having(['a1', 'aX0x', 'a', 'b1'])).toEqual(['a1', 'aX0x']);
  });

  it('is refused where it is no text, or too long', () => {
    expect(thrownBy(() => larkSource([] as unknown as string))).toMatchObject({
      parameter: 'lark',
      domain: 'a string',
    });
    expect(thrownBy(() => larkSource(' '.repeat(200_001)))).toMatchObject({ domain: 'at most 200000 characters' });
  });
});
