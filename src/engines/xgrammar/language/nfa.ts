/**
 * The nondeterministic automaton of a rule, over bytes and the names of called rules.
 *
 * It is built from its end: `build(node, next)` is the state from which the text of `node` leads to `next`. So what follows
 * is shared where it is the same, and rules that are put in the place of their names do not multiply.
 */
import { InvalidValueError } from '../../../errors.js';
import { type CodePoints, intersect, type Range } from './code-points.js';
import type { Node, Rules } from './node.js';
import { byteSequences } from './utf8-ranges.js';

/** The most states; a grammar with more would take minutes to compile. */
const MOST_STATES = 200_000;
/** From so many copies on, what is beyond ASCII in a set is called: else each copy had the states of its bytes. */
const MANY = 8;
const ASCII: CodePoints = [[0, 0x7f]];
const BEYOND: CodePoints = [[0x80, 0x10ffff]];

export interface ByteEdge {
  readonly low: number;
  readonly high: number;
  readonly to: number;
}

export interface CallEdge {
  readonly name: string;
  readonly to: number;
}

export interface State {
  readonly empty: number[];
  readonly bytes: ByteEdge[];
  readonly calls: CallEdge[];
}

/** The state in which a text may end. */
export const FINAL = 0;

export class Nfa {
  readonly states: State[] = [{ empty: [], bytes: [], calls: [] }];
  readonly start: number;
  readonly #grammar: Rules;
  readonly #calledSet: (points: CodePoints) => string;
  /** How many copies of what is being built there will be. */
  #copies = 1;
  /** States of rules by name and what follows. */
  readonly #shared = new Map<string, number>();

  /** @param calledSet gives the name of a called rule for one character of a set */
  constructor(node: Node, grammar: Rules, calledSet: (points: CodePoints) => string) {
    this.#grammar = grammar;
    this.#calledSet = calledSet;
    this.start = this.#build(node, FINAL);
  }

  #build(node: Node, next: number): number {
    switch (node.kind) {
      case 'text':
        return this.#text(node.text, next);
      case 'set':
        return this.#set(node.set, next);
      case 'sequence':
        return node.parts.reduceRight((to, part) => this.#build(part, to), next);
      case 'choice':
        return this.#add({ empty: node.options.map((option) => this.#build(option, next)) });
      case 'repeat':
        return this.#repeat(node, next);
      case 'rule':
        return this.#rule(node.name, next);
    }
  }

  #text(value: string, next: number): number {
    return [...new TextEncoder().encode(value)].reduceRight(
      (to, byte) => this.#add({ bytes: [{ low: byte, high: byte, to }] }),
      next,
    );
  }

  #set(points: CodePoints, next: number): number {
    const beyond = this.#copies < MANY ? [] : intersect(points, BEYOND);
    const calls = beyond.length > 0 ? [{ name: this.#calledSet(beyond), to: next }] : [];
    const written = beyond.length > 0 ? intersect(points, ASCII) : points;
    const bytes = byteSequences(written).map(([first, ...rest]) => {
      const to = rest.reduceRight((state, [low, high]) => this.#add({ bytes: [{ low, high, to: state }] }), next);
      const [low, high] = first as Range;
      return { low, high, to };
    });
    return this.#add({ bytes, calls });
  }

  #repeat({ part, least, most }: Node & { kind: 'repeat' }, next: number): number {
    const copies = most === Infinity ? least : most;
    const before = this.#copies;
    this.#copies *= Math.max(1, copies);
    let state = most === Infinity ? this.#loop(part, next) : next;
    for (let i = copies; i > 0; i--) {
      const some = this.#build(part, state);
      state = i > least ? this.#add({ empty: [some, next] }) : some;
    }
    this.#copies = before;
    return state;
  }

  #loop(part: Node, next: number): number {
    const state = this.#add({ empty: [next] });
    (this.states[state] as State).empty.push(this.#build(part, state));
    return state;
  }

  #rule(name: string, next: number): number {
    if (this.#grammar.called.has(name)) return this.#add({ calls: [{ name, to: next }] });
    const key = `${name} ${next}`;
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const state = this.#build(this.#grammar.rules.get(name) as Node, next);
    this.#shared.set(key, state);
    return state;
  }

  #add(state: Partial<State>): number {
    if (this.states.length >= MOST_STATES) {
      throw new InvalidValueError(
        'Grammars',
        'grammar',
        `of at most ${MOST_STATES} states (smaller counts help)`,
        'more',
      );
    }
    return this.states.push({ empty: [], bytes: [], calls: [], ...state }) - 1;
  }
}
