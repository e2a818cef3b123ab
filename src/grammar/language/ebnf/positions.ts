/**
 * A regular part of a grammar by its positions (Glushkov's automaton): which characters it begins with, and which may
 * go on behind a text that is complete already.
 */
import { type CodePoints, EVERY, overlap, type Range, union } from './code-points.js';
import type { Node, Rules } from './node.js';
import type { Spend } from './steps.js';

/** The most positions that are looked at; of a larger part nothing is known. */
const MOST_POSITIONS = 300;
/** The most times beyond the least that are looked at one by one. */
const MOST_OPTIONAL = 4;

export interface Shape {
  /** Whether every text of it is one character long. */
  readonly isSingle: boolean;
  readonly isNullable: boolean;
  /** What a text of it begins with. */
  readonly first: CodePoints;
  /** What may follow a text of it within a longer one. */
  readonly extends: CodePoints;
}

interface Part {
  readonly isNullable: boolean;
  readonly first: readonly number[];
  readonly last: readonly number[];
}

const EMPTY: Part = { isNullable: true, first: [], last: [] };

/** The shape of `node`, whose rules never come to themselves. */
export function shapeOf(node: Node, rules: Rules, spend: Spend): Shape {
  return new Positions(rules, spend).shape(node);
}

class Positions {
  readonly #rules: Rules;
  readonly #spend: Spend;
  readonly #sets: CodePoints[] = [];
  readonly #follow: Set<number>[] = [];

  constructor(rules: Rules, spend: Spend) {
    this.#rules = rules;
    this.#spend = spend;
  }

  shape(node: Node): Shape {
    const part = this.#part(node);
    const first = this.#union(part.first);
    if (this.#sets.length > MOST_POSITIONS) {
      return { isSingle: false, isNullable: part.isNullable, first: EVERY, extends: EVERY };
    }
    const isSingle = !part.isNullable && part.first.every((at) => this.#follow[at]?.size === 0);
    return { isSingle, isNullable: part.isNullable, first, extends: this.#extensions(part) };
  }

  /** Every two positions that one text leads to: where one of them may end, the other may go on. */
  #extensions({ isNullable, first, last }: Part): CodePoints {
    const ends = new Set(last);
    const goesOn = new Set<number>(isNullable ? first : []);
    const seen = new Set<number>();
    const open: [number, number][] = [];
    const reach = (a: number, b: number) => {
      const key = a * MOST_POSITIONS + b;
      if (seen.has(key) || !overlap(this.#sets[a] as CodePoints, this.#sets[b] as CodePoints)) return;
      seen.add(key);
      open.push([a, b]);
    };
    for (const a of first) for (const b of first) reach(a, b);
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      const [a, b] = pair;
      this.#spend(1 + (this.#follow[a] as Set<number>).size * (this.#follow[b] as Set<number>).size);
      if (ends.has(a)) for (const next of this.#follow[b] as Set<number>) goesOn.add(next);
      for (const x of this.#follow[a] as Set<number>) for (const y of this.#follow[b] as Set<number>) reach(x, y);
    }
    return this.#union([...goesOn]);
  }

  #union(positions: readonly number[]): CodePoints {
    return union(positions.flatMap((at) => [...(this.#sets[at] as readonly Range[])]));
  }

  #part(node: Node): Part {
    this.#spend(1);
    if (this.#sets.length > MOST_POSITIONS) return EMPTY;
    switch (node.kind) {
      case 'class':
        return this.#position(node.set);
      case 'text':
        return [...node.text].map((one) => this.#position(charSet(one))).reduce((a, b) => this.#join(a, b), EMPTY);
      case 'rule':
        return this.#part(this.#rules.get(node.name) as Node);
      case 'sequence':
        return node.parts.map((part) => this.#part(part)).reduce((a, b) => this.#join(a, b), EMPTY);
      case 'choice':
        return this.#either(node.options.map((option) => this.#part(option)));
      case 'repeat':
        return this.#repeat(node.part, node.least, node.most);
    }
  }

  #position(set: CodePoints): Part {
    const at = this.#sets.push(set) - 1;
    this.#follow.push(new Set());
    return { isNullable: false, first: [at], last: [at] };
  }

  #join(a: Part, b: Part): Part {
    this.#spend(1 + a.last.length * b.first.length);
    for (const end of a.last) for (const start of b.first) this.#follow[end]?.add(start);
    return {
      isNullable: a.isNullable && b.isNullable,
      first: a.isNullable ? [...a.first, ...b.first] : a.first,
      last: b.isNullable ? [...a.last, ...b.last] : b.last,
    };
  }

  #either(parts: readonly Part[]): Part {
    return {
      isNullable: parts.some((part) => part.isNullable),
      first: parts.flatMap((part) => part.first),
      last: parts.flatMap((part) => part.last),
    };
  }

  /**
   * One copy for each time that is counted, and one that goes round where there is no end to them, or none in sight: then
   * a text may be followed by more than it is in truth, which is on the safe side.
   */
  #repeat(node: Node, least: number, most: number): Part {
    const isEndless = most - least > MOST_OPTIONAL;
    const count = isEndless ? Math.max(least, 1) : most;
    let whole = EMPTY;
    for (let i = 0; i < count && this.#sets.length <= MOST_POSITIONS; i++) {
      const part = this.#part(node);
      if (isEndless && i === count - 1) this.#join(part, part);
      whole = this.#join(whole, i < least ? part : { ...part, isNullable: true });
    }
    return whole;
  }
}

function charSet(one: string): CodePoints {
  const code = one.codePointAt(0) as number;
  return [[code, code]];
}
