/**
 * Which parts of a grammar are terminals of the engine's lexer.
 *
 * The lexer takes the longest terminal that fits. That is the same as reading the grammar as it stands where, at every
 * place, one character tells which terminal has begun, and where nothing that may follow a terminal could also go on with
 * it. Regular parts, as large as they come, are terminals as long as that can be shown; one that it cannot be shown for
 * is taken apart, down to single characters, for which it always holds.
 */
import { overlap, type Range, union } from './code-points.js';
import { type Ends, Followers, NO_ENDS } from './ends.js';
import { type Node, ROOT, type Rules } from './node.js';
import { type Shape, shapeOf } from './positions.js';
import type { Spend } from './steps.js';

export class Terminals {
  readonly #rules: Rules;
  readonly #regex: (node: Node) => string | undefined;
  readonly #spend: Spend;
  /** Parts that are no terminals though they are regular. */
  readonly #apart = new Set<string>();
  readonly #shapes = new Map<string, Shape>();

  /**
   * @param regex what a part is as a regular expression, the name that it goes by here; undefined where it is not regular,
   * or too long for one
   */
  constructor(rules: Rules, regex: (node: Node) => string | undefined, spend: Spend) {
    this.#rules = rules;
    this.#regex = regex;
    this.#spend = spend;
    while (this.#takeApart());
  }

  /** The regular expression of `node` where it is one terminal. */
  regexOf(node: Node): string | undefined {
    const regex = this.#regex(node);
    if (regex === undefined || regex === '' || this.#apart.has(regex)) return undefined;
    if (!this.#shapes.has(regex)) this.#shapes.set(regex, shapeOf(node, this.#rules, this.#spend));
    return regex;
  }

  #shape(name: string): Shape {
    return this.#shapes.get(name) as Shape;
  }

  /** Takes apart what cannot be shown to be read right; whether there was any. */
  #takeApart(): boolean {
    const before = this.#apart.size;
    const { start, next } = this.#adjacency();
    for (const together of [start, ...next.values()]) this.#checkTogether([...together]);
    for (const [name, following] of next) {
      this.#spend(following.size);
      const after = union([...following].flatMap((other) => this.#shape(other).first));
      if (overlap(this.#shape(name).extends, after)) this.#apart.add(name);
    }
    return this.#apart.size > before;
  }

  /** Terminals that may begin at one place: of two that begin alike, those of more than one character are taken apart. */
  #checkTogether(names: readonly string[]): void {
    const ranges = names.flatMap((name) => this.#shape(name).first);
    this.#spend(ranges.length);
    const [lows, highs] = [0, 1].map((end) => Float64Array.from(ranges, (range) => range[end] as number).sort());
    const meet = ([low, high]: Range) =>
      countBelow(lows as Float64Array, high + 1) - countBelow(highs as Float64Array, low) > 1; // itself, and another one
    for (const name of names) {
      const { isSingle, first } = this.#shape(name);
      if (!isSingle && first.some(meet)) this.#apart.add(name);
    }
  }

  /** The terminals that a text may begin with, and those that may follow each. */
  #adjacency(): { start: ReadonlySet<string>; next: ReadonlyMap<string, ReadonlySet<string>> } {
    const ends = new Map<string, Ends<string>>();
    const read = (node: Node): Ends<string> | undefined => {
      if (node.kind === 'class') this.#spend(20); // so long does one take that stands by itself
      const name = this.regexOf(node);
      if (name !== undefined) return followers.atom(name, this.#shape(name).isNullable);
      return node.kind === 'rule' ? (ends.get(node.name) ?? { ...NO_ENDS, isNullable: false }) : undefined;
    };
    const followers: Followers<string> = new Followers(read, 1, this.#spend);
    for (let before = -1, size = 0; size > before; ) {
      before = size;
      for (const [name, node] of this.#rules) ends.set(name, followers.of(node));
      size = [...ends.values()].reduce(
        (sum, { first, last, isNullable }) => sum + first.size + last.size + Number(isNullable),
        1,
      );
    }
    return { start: (ends.get(ROOT) as Ends<string>).first, next: followers.next };
  }
}

/** How many of `ascending` are below `bound`. */
function countBelow(ascending: Float64Array, bound: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
