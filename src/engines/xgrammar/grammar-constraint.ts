/**
 * One request's place in a grammar.
 */
import type { JsonValue } from '../../../processors/contract.js';
import type { Constraint } from '../../../processors/masks/constraint.js';
import { InvalidValueError } from '../../errors.js';
import type { GrammarHost } from './grammar.js';
import type { NativeMatcher } from './native.js';
import { hold, release } from './release.js';

const OWNER = 'GrammarConstraint';

/**
 * Its place is the list of the ids so far. Going back to a place is cheap where the ids begin alike, as in speculation.
 * `dispose` frees its memory at once; else that happens when it is collected.
 */
export class GrammarConstraint implements Constraint {
  readonly #host: GrammarHost;
  readonly #words: Int32Array;
  #matcher: NativeMatcher | undefined;
  #ids: number[] = [];
  /** Whether `#words` is of this place. */
  #isMasked = false;

  /** Made by `Grammar.constraint`. */
  constructor(host: GrammarHost, matcher: NativeMatcher) {
    this.#host = host;
    this.#matcher = matcher;
    this.#words = new Int32Array(Math.ceil(host.engine.vocabSize / 32));
    hold(this, matcher);
  }

  /** Packed, bit `id & 31` of word `id >> 5`; the array is written again when the place changes. */
  mask(): Int32Array {
    const matcher = this.#live();
    if (this.#isMasked) return this.#words;
    if (this.done) this.#words.fill(0);
    else this.#host.engine.readMask(matcher, this.#words);
    this.#isMasked = true;
    return this.#words;
  }

  advance(id: number): void {
    const matcher = this.#live();
    if (this.done) throw new InvalidValueError(OWNER, 'id', 'absent after the end id', id);
    if (!(this.#isId(id) && this.#allows(id) && matcher.AcceptToken(id, false))) {
      throw new InvalidValueError(OWNER, 'id', 'one that the grammar allows here', id);
    }
    this.#ids.push(id);
    this.#isMasked = false;
  }

  isComplete(): boolean {
    if (this.done) return true;
    for (const id of this.#host.endIds) if (this.#allows(id)) return true;
    return false;
  }

  get done(): boolean {
    return this.#host.endIds.has(this.#ids.at(-1) as number);
  }

  save(): JsonValue {
    return [...this.#ids];
  }

  restore(state: JsonValue): void {
    const matcher = this.#live();
    if (!this.#isPlace(state)) throw this.#wrongPlace(state);
    const before = this.#ids;
    let shared = 0;
    while (shared < Math.min(state.length, before.length) && state[shared] === before[shared]) shared++;
    this.#move(matcher, before.length - shared, []);
    const accepted = this.#move(matcher, 0, state.slice(shared));
    if (shared + accepted < state.length) {
      this.#move(matcher, accepted, before.slice(shared));
      throw this.#wrongPlace(state);
    }
    this.#ids = [...state];
    this.#isMasked = false;
  }

  /** Frees what it holds; it cannot be used any more. */
  dispose(): void {
    if (this.#matcher !== undefined) release(this, this.#matcher);
    this.#matcher = undefined;
  }

  /** Goes back by `back` ids, then on; how many of `ids` were accepted. */
  #move(matcher: NativeMatcher, back: number, ids: readonly number[]): number {
    if (back > 0) matcher.Rollback(back);
    const refused = ids.findIndex((id) => !matcher.AcceptToken(id, false));
    return refused < 0 ? ids.length : refused;
  }

  #allows(id: number): boolean {
    return (((this.mask()[id >> 5] as number) >>> (id & 31)) & 1) === 1;
  }

  #isId(id: unknown): id is number {
    return Number.isInteger(id) && (id as number) >= 0 && (id as number) < this.#host.engine.vocabSize;
  }

  /** Ids that stand for text, and an end id as the last at most. */
  #isPlace(state: JsonValue): state is number[] {
    if (!Array.isArray(state)) return false;
    const { endIds } = this.#host;
    return state.every(
      (id, i) => this.#isId(id) && this.#host.isUsable(id) && (i === state.length - 1 || !endIds.has(id)),
    );
  }

  #wrongPlace(state: JsonValue): InvalidValueError {
    return new InvalidValueError(OWNER, 'state', 'the ids of a text that the grammar allows', state);
  }

  #live(): NativeMatcher {
    if (this.#matcher !== undefined) return this.#matcher;
    throw new InvalidValueError(OWNER, 'constraint', 'in use before `dispose`, not after', 'a disposed one');
  }
}
