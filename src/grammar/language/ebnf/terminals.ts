/**
 * Which parts of a grammar are terminals of the engine's lexer.
 *
 * The lexer takes the longest terminal that fits. That is the same as reading the grammar as it stands where, at every
 * place, one character tells which terminal has begun, and where nothing that may follow a terminal could also go on with
 * it. Regular parts, as large as they come, are terminals as long as that can be shown; one that it cannot be shown for
 * is taken apart, down to single characters, for which it always holds.
 */
import { overlap, union } from './code-points.js';
import { type Node, namesIn, ROOT, type Rules } from './node.js';
import { type Shape, shapeOf } from './positions.js';

/** What comes first and last in a part, by terminals. */
interface Ends {
  readonly isNullable: boolean;
  readonly first: ReadonlySet<string>;
  readonly last: ReadonlySet<string>;
}

const NOTHING: Ends = { isNullable: true, first: new Set(), last: new Set() };

export class Terminals {
  readonly #rules: Rules;
  readonly #recursive: ReadonlySet<string>;
  readonly #regex: (node: Node) => string | undefined;
  /** Parts that are no terminals though they are regular. */
  readonly #apart = new Set<string>();
  readonly #shapes = new Map<string, Shape>();
  readonly #nodes = new Map<string, Node>();
  #next = new Map<string, Set<string>>();

  /**
   * @param recursive the rules that come to a rule that comes to itself
   * @param regex what a regular part is as a regular expression, the name that it goes by here; undefined where it is too
   * long for one
   */
  constructor(rules: Rules, recursive: ReadonlySet<string>, regex: (node: Node) => string | undefined) {
    this.#rules = rules;
    this.#recursive = recursive;
    this.#regex = regex;
    while (this.#takeApart());
  }

  /** Whether `node` is one terminal. */
  has(node: Node): boolean {
    return this.#name(node) !== undefined;
  }

  #name(node: Node): string | undefined {
    if (namesIn(node).some((name) => this.#recursive.has(name))) return undefined;
    if (node.kind === 'text' && node.text === '') return undefined;
    const name = this.#regex(node);
    if (name === undefined || this.#apart.has(name)) return undefined;
    this.#nodes.set(name, node);
    return name;
  }

  #shape(name: string): Shape {
    let shape = this.#shapes.get(name);
    if (shape === undefined) {
      shape = shapeOf(this.#nodes.get(name) as Node, this.#rules);
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
      const after = union([...following].flatMap((next) => [...this.#shape(next).first]));
      if (overlap(this.#shape(name).extends, after)) this.#apart.add(name);
    }
    return this.#apart.size > before;
  }

  /** Terminals that may begin at one place: two that begin alike must both be single characters. */
  #checkTogether(names: readonly string[]): void {
    for (const [i, a] of names.entries()) {
      for (const b of names.slice(i + 1)) {
        const [first, second] = [this.#shape(a), this.#shape(b)];
        if ((first.isSingle && second.isSingle) || !overlap(first.first, second.first)) continue;
        if (!first.isSingle) this.#apart.add(a);
        if (!second.isSingle) this.#apart.add(b);
      }
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
    const name = this.#name(node);
    if (name !== undefined) {
      if (!this.#next.has(name)) this.#next.set(name, new Set());
      return { isNullable: this.#shape(name).isNullable, first: new Set([name]), last: new Set([name]) };
    }
    switch (node.kind) {
      case 'rule':
        return ends.get(node.name) ?? { ...NOTHING, isNullable: false };
      case 'text':
        return [...node.text]
          .map((text) => this.#ends({ kind: 'text', text }, ends))
          .reduce((a, b) => this.#join(a, b), NOTHING);
      case 'sequence':
        return node.parts.map((part) => this.#ends(part, ends)).reduce((a, b) => this.#join(a, b), NOTHING);
      case 'choice':
        return either(node.options.map((option) => this.#ends(option, ends)));
      case 'repeat': {
        const part = this.#ends(node.part, ends);
        if (node.most > 1) this.#join(part, part);
        return { ...part, isNullable: part.isNullable || node.least === 0 };
      }
      case 'class':
        throw new Error('Terminals: a class is a single character and never taken apart');
    }
  }

  #join(a: Ends, b: Ends): Ends {
    for (const end of a.last) for (const start of b.first) (this.#next.get(end) as Set<string>).add(start);
    return {
      isNullable: a.isNullable && b.isNullable,
      first: a.isNullable ? new Set([...a.first, ...b.first]) : a.first,
      last: b.isNullable ? new Set([...a.last, ...b.last]) : b.last,
    };
  }
}

function either(parts: readonly Ends[]): Ends {
  return {
    isNullable: parts.some((part) => part.isNullable),
    first: new Set(parts.flatMap((part) => [...part.first])),
    last: new Set(parts.flatMap((part) => [...part.last])),
  };
}
