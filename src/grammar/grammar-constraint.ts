/**
 * One request's place in a grammar.
 */
import type { JsonValue } from '../../processors/contract.js';
import type { Constraint } from '../../processors/masks/constraint.js';
import { InvalidValueError } from '../errors.js';
import type { Engine, Matcher } from './engine/engine.js';
import { EngineRefusal } from './engine/instance.js';
import type { Grammar } from './grammar.js';

const OWNER = 'GrammarConstraint';

/**
 * Its place is the list of the ids so far; the engine's matcher can be made again from it at any time. Going back to a
 * place is cheap where the ids begin alike, as in speculation and beams. `dispose` frees its memory at once; else that
 * happens when it is collected, or when others need the room.
 * Throws InvalidValueError, naming `grammar`, where a mask takes the engine more steps than its limits allow.
 */
export class GrammarConstraint implements Constraint {
  readonly #engine: Engine;
  readonly #grammar: Grammar;
  readonly #words: Int32Array;
  #matcher: Matcher | undefined;
  #ids: number[] = [];
  /** Whether `#words` is of this place. */
  #isMasked = false;
  #isDisposed = false;

  /** Made by `Grammar.constraint`. */
  constructor(engine: Engine, grammar: Grammar) {
    this.#engine = engine;
    this.#grammar = grammar;
    this.#words = new Int32Array(Math.ceil(engine.vocabulary.vocabSize / 32));
  }

  /** Packed, bit `id & 31` of word `id >> 5`; the array is written again when the place changes. */
  mask(): Int32Array {
    if (this.#isMasked) return this.#words;
    this.#use((matcher) => {
      if (this.done) this.#words.fill(0);
      else this.#engine.readMask(matcher, this.#words);
    });
    this.#isMasked = true;
    return this.#words;
  }

  advance(id: number): void {
    if (this.done) throw new InvalidValueError(OWNER, 'id', 'absent after the end id', id);
    const isAllowed = this.#use((matcher) => this.#go(matcher, [id]) === 1);
    if (!isAllowed) throw new InvalidValueError(OWNER, 'id', 'one that the grammar allows here', id);
    this.#ids.push(id);
    this.#isMasked = false;
  }

  isComplete(): boolean {
    return this.done || this.#use((matcher) => this.#engine.isAccepting(matcher));
  }

  get done(): boolean {
    return this.#isEnd(this.#ids.at(-1));
  }

  /** The bytes that every text goes on with from here; none where there is a choice, or the text may end. */
  forcedBytes(): Uint8Array {
    return this.done ? new Uint8Array() : this.#use((matcher) => this.#engine.forced(matcher));
  }

  save(): JsonValue {
    return [...this.#ids];
  }

  restore(state: JsonValue): void {
    if (!this.#isPlace(state)) throw this.#wrongPlace(state);
    const isThere = this.#try((matcher, from) => {
      const shared = countShared(from, state);
      this.#back(matcher, from.slice(shared));
      return this.#go(matcher, state.slice(shared)) === state.length - shared;
    });
    if (!isThere) {
      this.#drop(); // it is somewhere between; it is made anew at the place that holds
      throw this.#wrongPlace(state);
    }
    this.#ids = [...state];
    this.#isMasked = false;
  }

  /** Another constraint at the same place, which then goes its own way. */
  clone(): GrammarConstraint {
    const copy = new GrammarConstraint(this.#engine, this.#grammar);
    copy.#ids = [...this.#ids];
    this.#use((matcher) => copy.#take(this.#engine.clone(matcher)));
    return copy;
  }

  /** Frees what it holds; it cannot be used any more. */
  dispose(): void {
    this.#isDisposed = true;
    this.#drop();
  }

  /** What `act` gives, with a matcher at this place. */
  #use<T>(act: (matcher: Matcher) => T): T {
    return this.#try((matcher, from) => {
      const missing = this.#ids.slice(from.length);
      if (this.#go(matcher, missing) < missing.length) throw new EngineRefusal('it no longer allows the text so far');
      return act(matcher);
    });
  }

  /**
   * What `act` gives, with a matcher and the ids that it stands behind: the one there is, or one at the beginning. A
   * matcher that fails may have filled up in a long text, or its instance: only where a new one fails too is the grammar
   * refused.
   */
  #try<T>(act: (matcher: Matcher, from: readonly number[]) => T): T {
    if (this.#isDisposed) {
      throw new InvalidValueError(OWNER, 'constraint', 'in use before `dispose`, not after', 'a disposed one');
    }
    if (this.#matcher !== undefined && this.#engine.isUsable(this.#matcher)) {
      try {
        return act(this.#matcher, this.#ids);
      } catch (error) {
        if (!(error instanceof EngineRefusal)) throw error;
      }
    }
    try {
      const matcher = this.#grammar.matcher();
      this.#take(matcher);
      return act(matcher, []);
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error;
      const domain = `one that the engine can follow here (${error.message})`;
      throw new InvalidValueError(OWNER, 'grammar', domain, this.#grammar.source.text);
    }
  }

  #drop(): void {
    if (this.#matcher !== undefined) this.#engine.free(this.#matcher);
    this.#matcher = undefined;
  }

  #take(matcher: Matcher): void {
    this.#matcher = matcher;
    this.#engine.hold(this, matcher);
  }

  /** Goes on by ids, of which the last may be an end; how many were allowed. */
  #go(matcher: Matcher, ids: readonly number[]): number {
    const stop = ids.findIndex((id) => !this.#isText(id));
    const texts = stop < 0 ? ids : ids.slice(0, stop);
    const accepted = texts.length === 0 ? 0 : this.#engine.advance(matcher, texts);
    const isEnd = accepted === stop && this.#isEnd(ids[stop]) && this.#engine.isAccepting(matcher);
    return isEnd ? accepted + 1 : accepted;
  }

  /** Goes back over ids that it went on by; an end among them was none of the engine's. */
  #back(matcher: Matcher, ids: readonly number[]): void {
    const count = ids.filter((id) => !this.#isEnd(id)).length;
    if (count > 0) this.#engine.rollback(matcher, count);
  }

  #isEnd(id: number | undefined): boolean {
    return this.#engine.vocabulary.endIds.has(id as number);
  }

  #isText(id: unknown): boolean {
    return typeof id === 'number' && this.#engine.vocabulary.isText(id);
  }

  /** Ids that stand for text, and an end id as the last at most. */
  #isPlace(state: JsonValue): state is number[] {
    if (!Array.isArray(state)) return false;
    return state.every((id, i) => this.#isText(id) || (i === state.length - 1 && this.#isEnd(id)));
  }

  #wrongPlace(state: JsonValue): InvalidValueError {
    return new InvalidValueError(OWNER, 'state', 'the ids of a text that the grammar allows', state);
  }
}

/** How many ids the two begin with alike. */
function countShared(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i;
  return length;
}
