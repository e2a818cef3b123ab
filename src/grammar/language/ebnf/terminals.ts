/**
 * Which parts of a grammar are terminals of the engine's lexer.
 *
 * The lexer takes the longest terminal that fits. That is the same as reading the grammar as it stands where, at every
 * place, one character tells which terminal has begun, and where nothing that may follow a terminal could also go on with
 * it. Regular parts, as large as they come, are terminals as long as that can be shown; one that it cannot be shown for
 * is taken apart, down to single characters, for which it always holds.
 */
import { overlap, type Range, union } from './code-points.js';
import { type Node, namesIn, ROOT, type Rules } from './node.js';
import { type Shape, shapeOf } from './positions.js';
import type { Spend } from './steps.js';

/** What comes first and last in a part, by terminals. */
interface Ends {
  readonly isNullable: boolean;
  readonly first: ReadonlySet<string>;
  readonly last: ReadonlySet<string>;
}

const NOTHING: Ends = { isNullable: true, first: new Set(), last: new Set() };

export class Terminals {
  readonly #rules: Rules;
  readonly #finite: ReadonlySet<string>;
  readonly #regex: (node: Node) => string | undefined;
  readonly #spend: Spend;
  /** Of texts that are taken apart. */
  readonly #characters = new Map<string, Node>();
  readonly #names = new Map<Node, string | undefined>();
  /** Parts that are no terminals though they are regular. */
  readonly #apart = new Set<string>();
  readonly #shapes = new Map<string, Shape>();
  readonly #nodes = new Map<string, Node>();
  #next = new Map<string, Set<string>>();

  /**
   * @param finite the rules that come to no rule that comes to itself
   * @param regex what a regular part is as a regular expression, the name that it goes by here; undefined where it is too
   * long for one
   */
  constructor(rules: Rules, finite: ReadonlySet<string>, regex: (node: Node) => string | undefined, spend: Spend) {
    this.#rules = rules;
    this.#finite = finite;
    this.#regex = regex;
    this.#spend = spend;
    while (this.#takeApart());
  }

  /** Whether `node` is one terminal. */
  has(node: Node): boolean {
    return this.#name(node) !== undefined;
  }

  #name(node: Node): string | undefined {
    if (!this.#names.has(node)) this.#names.set(node, this.#regularName(node));
    const name = this.#names.get(node);
    return name === undefined || this.#apart.has(name) ? undefined : name;
  }

  #regularName(node: Node): string | undefined {
    if (!namesIn(node).every((name) => this.#finite.has(name))) return undefined;
    if (node.kind === 'text' && node.text === '') return undefined;
    const name = this.#regex(node);
    if (name !== undefined) this.#nodes.set(name, node);
    return name;
  }

  #shape(name: string): Shape {
    let shape = this.#shapes.get(name);
    if (shape === undefined) {
      shape = shapeOf(this.#nodes.get(name) as Node, this.#rules, this.#spend);
      this.#shapes.set(name, shape);
    }
    return shape;
  }

  /** Takes apart what cannot be shown to be read right; whether there was any. */
  #takeApart(): boolean {
    const before = this.#apart.size;
    const start = this.#adjacency();
    for (const together of [start, ...this.#next.values()]) this.#checkTogether([...together]);
    for (const [name, following] of this.#next) {
      this.#spend(following.size);
      const after = union([...following].flatMap((next) => [...this.#shape(next).first]));
      if (overlap(this.#shape(name).extends, after)) this.#apart.add(name);
    }
    return this.#apart.size > before;
  }

  /** Terminals that may begin at one place: of two that begin alike, those of more than one character are taken apart. */
  #checkTogether(names: readonly string[]): void {
    const ranges = names.flatMap((name) => [...this.#shape(name).first]);
    this.#spend(ranges.length);
    const [lows, highs] = [0, 1].map((end) => Float64Array.from(ranges, (range) => range[end] as number).sort());
    const meet = ([low, high]: Range) =>
      countBelow(lows as Float64Array, high + 1) - countBelow(highs as Float64Array, low) > 1; // itself, and another one
    for (const name of names) {
      const { isSingle, first } = this.#shape(name);
      if (!isSingle && first.some(meet)) this.#apart.add(name);
    }
  }

  /** Fills in which terminals may follow each; gives those that a text may begin with. */
  #adjacency(): ReadonlySet<string> {
    this.#next = new Map();
    const ends = new Map<string, Ends>();
    for (let before = -1, size = 0; size > before; ) {
      before = size;
      for (const [name, node] of this.#rules) ends.set(name, this.#ends(node, ends));
      size = [...ends.values()].reduce(
        (sum, { first, last, isNullable }) => sum + first.size + last.size + Number(isNullable),
        1,
      );
    }
    return (ends.get(ROOT) as Ends).first;
  }

  #ends(node: Node, ends: ReadonlyMap<string, Ends>): Ends {
    this.#spend(1);
    const name = this.#name(node);
    if (name !== undefined) {
      if (!this.#next.has(name)) this.#next.set(name, new Set());
      return { isNullable: this.#shape(name).isNullable, first: new Set([name]), last: new Set([name]) };
    }
    switch (node.kind) {
      case 'rule':
        return ends.get(node.name) ?? { ...NOTHING, isNullable: false };
      case 'text':
        this.#spend(20 * node.text.length);
        return [...node.text]
          .map((one) => this.#ends(this.#character(one), ends))
          .reduce((a, b) => this.#join(a, b), NOTHING);
      case 'sequence':
        return node.parts.map((part) => this.#ends(part, ends)).reduce((a, b) => this.#join(a, b), NOTHING);
      case 'choice':
        return this.#either(node.options.map((option) => this.#ends(option, ends)));
      case 'repeat': {
        const part = this.#ends(node.part, ends);
        if (node.most > 1) this.#join(part, part);
        return { ...part, isNullable: part.isNullable || node.least === 0 };
      }
      case 'class':
        throw new Error('Terminals: a class is a single character and never taken apart');
    }
  }

  #character(text: string): Node {
    const known = this.#characters.get(text) ?? { kind: 'text', text };
    this.#characters.set(text, known);
    return known;
  }

  #join(a: Ends, b: Ends): Ends {
    this.#spend(a.last.size * b.first.size + a.first.size + b.last.size);
    for (const end of a.last) for (const start of b.first) (this.#next.get(end) as Set<string>).add(start);
    return {
      isNullable: a.isNullable && b.isNullable,
      first: a.isNullable ? new Set([...a.first, ...b.first]) : a.first,
      last: b.isNullable ? new Set([...a.last, ...b.last]) : b.last,
    };
  }

  #either(parts: readonly Ends[]): Ends {
    for (const { first, last } of parts) this.#spend(first.size + last.size);
    return {
      isNullable: parts.some((part) => part.isNullable),
      first: new Set(parts.flatMap((part) => [...part.first])),
      last: new Set(parts.flatMap((part) => [...part.last])),
    };
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
