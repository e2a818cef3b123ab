/**
 * Random small grammars, recursive ones among them, against a recogniser that only follows their definition.
 */
import { describe, expect, it } from 'vitest';
import { ebnfSource } from '../../../src/grammar/language/source.js';
import { InvalidValueError } from '../../../src/index.js';
import { Pcg32 } from '../../../src/random/index.js';
import { casesOf } from '../../support/cases.js';
import { Language } from './languages.js';

type Part =
  | { readonly text: string }
  | { readonly rule: number }
  | { readonly all: readonly Part[] }
  | { readonly any: readonly Part[] }
  | { readonly part: Part; readonly least: number; readonly most: number };

const GRAMMARS = casesOf(100, 1000);
const RULES = 3;
const TEXTS = ['a', 'b', 'ab', 'ba', 'aa', 'aab', '(', ')', ''];
const COUNTS = [
  [0, 1],
  [0, Infinity],
  [1, Infinity],
  [2, 2],
  [0, 2],
  [1, 3],
] as const;

function randomPart(random: Pcg32, depth: number): Part {
  const inner = () => randomPart(random, depth - 1);
  const parts = () => Array.from({ length: 2 + random.below(2) }, inner);
  switch (depth > 0 ? random.below(7) : random.below(3)) {
    case 0:
    case 1:
      return { text: TEXTS[random.below(TEXTS.length)] as string };
    case 2:
      return { rule: random.below(RULES) };
    case 3:
    case 4:
      return { all: parts() };
    case 5:
      return { any: parts() };
    default: {
      const [least, most] = COUNTS[random.below(COUNTS.length)] as (typeof COUNTS)[number];
      return { part: inner(), least, most };
    }
  }
}

function printed(part: Part): string {
  if ('text' in part) return `"${part.text}"`;
  if ('rule' in part) return nameOf(part.rule);
  if ('all' in part) return `(${part.all.map(printed).join(' ')})`;
  if ('any' in part) return `(${part.any.map(printed).join(' | ')})`;
  return `${printed(part.part)}{${part.least},${part.most === Infinity ? '' : part.most}}`;
}

const nameOf = (rule: number) => (rule === 0 ? 'root' : `r${rule}`);

/** Where texts of each part that begin at each place of `text` may end: the least sets that the definition asks for. */
class Recogniser {
  readonly #rules: readonly Part[];
  readonly #text: string;
  /** By rule and place. */
  readonly #ends: Set<number>[][];

  constructor(rules: readonly Part[], text: string) {
    this.#rules = rules;
    this.#text = text;
    this.#ends = rules.map(() => Array.from({ length: text.length + 1 }, () => new Set<number>()));
  }

  accepts(): boolean {
    for (let grew = true; grew; ) {
      grew = false;
      this.#rules.forEach((part, rule) => {
        this.#ends[rule]?.forEach((known, from) => {
          const before = known.size;
          for (const end of this.#endsOf(part, from)) known.add(end);
          grew ||= known.size > before;
        });
      });
    }
    return (this.#ends[0] as Set<number>[])[0]?.has(this.#text.length) === true;
  }

  #endsOf(part: Part, from: number): ReadonlySet<number> {
    if ('text' in part) return new Set(this.#text.startsWith(part.text, from) ? [from + part.text.length] : []);
    if ('rule' in part) return (this.#ends[part.rule] as Set<number>[])[from] as Set<number>;
    if ('any' in part) return new Set(part.any.flatMap((one) => [...this.#endsOf(one, from)]));
    if ('all' in part)
      return part.all.reduce<ReadonlySet<number>>((places, one) => this.#after(one, places), new Set([from]));
    return this.#repeated(part.part, part.least, part.most, from);
  }

  #after(part: Part, places: ReadonlySet<number>): Set<number> {
    return new Set([...places].flatMap((place) => [...this.#endsOf(part, place)]));
  }

  /** More times than there are characters say no more. */
  #repeated(part: Part, least: number, most: number, from: number): Set<number> {
    const ends = new Set<number>();
    let places: ReadonlySet<number> = new Set([from]);
    for (let times = 0; times <= Math.min(most, least + this.#text.length); times++) {
      if (times >= least) for (const place of places) ends.add(place);
      places = this.#after(part, places);
    }
    return ends;
  }
}

/** All texts of up to 4 of these characters. */
function shortTexts(): string[] {
  const letters = ['a', 'b', '(', ')'];
  const texts = [''];
  for (const text of texts) if (text.length < 4) texts.push(...letters.map((letter) => `${text}${letter}`)); // grows
  return texts;
}

describe('a random grammar', () => {
  it('has exactly the texts that its definition has', () => {
    const random = new Pcg32(41n, 7n);
    const texts = shortTexts();
    const differing: string[] = [];
    let empty = 0;
    let accepted = 0;
    for (let i = 0; i < GRAMMARS; i++) {
      const rules = Array.from({ length: RULES }, () => randomPart(random, 2));
      const grammar = rules.map((part, rule) => `${nameOf(rule)} ::= ${printed(part)}`).join('\n');
      const language = languageOf(grammar);
      if (language === undefined) empty++;
      for (const text of texts) {
        const expected = new Recogniser(rules, text).accepts();
        if (expected) accepted++;
        if ((language?.has(text) ?? false) !== expected)
          differing.push(`${grammar}\n${JSON.stringify(text)}: ${expected}`);
      }
      language?.dispose();
    }
    expect(differing.slice(0, 3)).toEqual([]);
    expect(accepted).toBeGreaterThan(1.2 * GRAMMARS);
    expect(empty).toBeLessThan(0.4 * GRAMMARS);
  });
});

/** Undefined where the grammar has no text at all. */
function languageOf(grammar: string): Language | undefined {
  try {
    return new Language(ebnfSource(grammar));
  } catch (error) {
    if (error instanceof InvalidValueError && error.domain === 'a grammar whose root has a text') return undefined;
    throw error;
  }
}
