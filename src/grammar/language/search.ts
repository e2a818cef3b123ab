/**
 * Whether a regular expression matches somewhere in a text, in a bounded number of steps: JavaScript's own search takes
 * exponentially many for some patterns, and those here come from anybody.
 *
 * Not one match is followed after the other, but all at once: the places in the text that the pattern so far may end at.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { DEEPEST, depthOf } from './js-regex.js';

/** Places that are looked at, in all parts of the pattern together. */
const MOST_STEPS = 20_000;

/** As `new RegExp(pattern, 'u').test(text)`; undefined for what is no such pattern, looks around or takes too many steps. */
export function search(pattern: string, text: string): boolean | undefined {
  if (depthOf(pattern) > DEEPEST) return undefined;
  try {
    const { alternatives } = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(pattern, 0, pattern.length, true);
    const searcher = new Searcher(text);
    return searcher.ends(alternatives, searcher.everywhere()).size > 0;
  } catch (error) {
    if (error instanceof Unsearchable || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What is not searched for. */
class Unsearchable extends Error {}

type Places = ReadonlySet<number>;

class Searcher {
  readonly #text: readonly string[];
  readonly #sets = new Map<string, RegExp>();
  #left = MOST_STEPS;

  constructor(text: string) {
    this.#text = [...text];
  }

  everywhere(): Places {
    return new Set([...this.#text, ''].keys());
  }

  /** Where the pattern may end that begins at one of `places`. */
  ends(alternatives: readonly AST.Alternative[], places: Places): Places {
    return new Set(
      alternatives.flatMap(({ elements }) => [...elements.reduce((from, element) => this.#go(element, from), places)]),
    );
  }

  #go(element: AST.Element, places: Places): Places {
    this.#left -= 1 + places.size;
    if (this.#left < 0) throw new Unsearchable('too many steps');
    switch (element.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return new Set([...places].filter((at) => this.#isOf(element.raw, at)).map((at) => at + 1));
      case 'Group':
      case 'CapturingGroup':
        if ('modifiers' in element && element.modifiers !== null) throw new Unsearchable('modifiers');
        return this.ends(element.alternatives, places);
      case 'Quantifier':
        return this.#repeat(element, places);
      case 'Assertion':
        return new Set([...places].filter((at) => at === this.#anchor(element)));
      default:
        throw new Unsearchable(element.type);
    }
  }

  #repeat({ element, min, max }: AST.Quantifier, places: Places): Places {
    const reached = new Set(min === 0 ? places : []);
    let here = places;
    for (let times = 1; times <= max && here.size > 0; times++) {
      const next = this.#go(element, here);
      here = new Set([...next].filter((at) => times < min || !reached.has(at)));
      if (times >= min) for (const at of here) reached.add(at);
    }
    return reached;
  }

  #anchor({ kind }: AST.Assertion): number {
    if (kind !== 'start' && kind !== 'end') throw new Unsearchable(kind);
    return kind === 'start' ? 0 : this.#text.length;
  }

  #isOf(raw: string, at: number): boolean {
    const set = this.#sets.get(raw) ?? new RegExp(`^${raw}$`, 'u');
    this.#sets.set(raw, set);
    return at < this.#text.length && set.test(this.#text[at] as string);
  }
}
