/**
 * What the parts of a grammar begin and end with, and what may follow what: Glushkov's construction, over any kind of atom.
 */
import type { Node } from './node.js';
import type { Spend } from './steps.js';

/** The most times beyond the least that are looked at one by one. */
const MOST_OPTIONAL = 4;

export interface Ends<T> {
  /** Whether the empty text is one of it. */
  readonly isNullable: boolean;
  readonly first: ReadonlySet<T>;
  readonly last: ReadonlySet<T>;
}

export const NO_ENDS: Ends<never> = { isNullable: true, first: new Set(), last: new Set() };

export class Followers<T> {
  /** The atoms that may follow each. */
  readonly next = new Map<T, Set<T>>();
  readonly #read: (node: Node) => Ends<T> | undefined;
  readonly #copies: number;
  readonly #spend: Spend;

  /**
   * @param read the ends of an atom, a class or a rule; undefined for what is to be taken apart
   * @param copies how many times a repeated part is read at most: 1 where it gives the same atoms each time
   */
  constructor(read: (node: Node) => Ends<T> | undefined, copies: number, spend: Spend) {
    this.#read = read;
    this.#copies = copies;
    this.#spend = spend;
  }

  atom(atom: T, isNullable = false): Ends<T> {
    if (!this.next.has(atom)) this.next.set(atom, new Set());
    const only = new Set([atom]);
    return { isNullable, first: only, last: only };
  }

  of(node: Node): Ends<T> {
    this.#spend(1);
    const read = this.#read(node);
    if (read !== undefined) return read;
    if (node.kind === 'sequence') return this.#sequence(node.parts.map((part) => this.of(part)));
    if (node.kind === 'choice') return this.#choice(node.options.map((option) => this.of(option)));
    if (node.kind === 'repeat') return this.#repeat(node.part, node.least, node.most);
    throw new Error(`Followers: a ${node.kind} is read as a whole`);
  }

  /**
   * One copy for each time that is counted, the last of which goes round where there is no end to them, or none in sight: then
   * a text may be followed by more than it is in truth, which is on the safe side.
   */
  #repeat(node: Node, least: number, most: number): Ends<T> {
    const count = Math.min(most - least > MOST_OPTIONAL ? Math.max(least, 1) : most, this.#copies);
    let whole: Ends<T> = NO_ENDS;
    for (let i = 0; i < count; i++) {
      const part = this.of(node);
      if (i === count - 1 && count < most) this.#join(part, part);
      whole = this.#join(whole, { ...part, isNullable: part.isNullable || i >= least });
      if (part.first.size === 0) break; // the empty text, however often
    }
    return whole;
  }

  #sequence(parts: readonly Ends<T>[]): Ends<T> {
    return parts.reduce((a, b) => this.#join(a, b), NO_ENDS);
  }

  #choice(parts: readonly Ends<T>[]): Ends<T> {
    for (const { first, last } of parts) this.#spend(first.size + last.size);
    return {
      isNullable: parts.some((part) => part.isNullable),
      first: new Set(parts.flatMap((part) => [...part.first])),
      last: new Set(parts.flatMap((part) => [...part.last])),
    };
  }

  #join(a: Ends<T>, b: Ends<T>): Ends<T> {
    this.#spend(a.last.size * b.first.size + (a.isNullable ? a.first.size : 0) + (b.isNullable ? b.last.size : 0));
    for (const end of a.last) for (const start of b.first) this.next.get(end)?.add(start);
    return {
      isNullable: a.isNullable && b.isNullable,
      first: a.isNullable ? new Set([...a.first, ...b.first]) : a.first,
      last: b.isNullable ? new Set([...a.last, ...b.last]) : b.last,
    };
  }
}
