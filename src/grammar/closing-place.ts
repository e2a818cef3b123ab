/**
 * How a text can still be ended within a budget of tokens.
 *
 * An id is allowed where an end within the rest is known after it, by a search of a stated number of steps. Where the search
 * finds none, although one was known before, the ids of that one are what is allowed: so there is always one.
 */
import { InvalidValueError } from '../errors.js';
import type { Closing, Engine, GrammarSource } from './engine/engine.js';
import { EngineRefusal } from './engine/instance.js';

const OWNER = 'GrammarConstraint';

export class ClosingPlace {
  readonly #engine: Engine;
  readonly #source: GrammarSource;
  readonly #words: Int32Array;
  #closing: Closing | undefined;
  /** The ids that `#closing` stands behind. */
  #there: readonly number[] = [];

  constructor(engine: Engine, source: GrammarSource) {
    this.#engine = engine;
    this.#source = source;
    this.#words = new Int32Array(Math.ceil(engine.vocabulary.vocabSize / 32));
  }

  /** Ids that end the text after `ids`, as few as are found; undefined where none are. */
  plan(ids: readonly number[]): readonly number[] | undefined {
    return this.#use(ids, (closing) => this.#engine.planClosing(closing));
  }

  /** Keeps of the packed `mask` after `ids` what leaves at most `left` ids to an end that is known; whether all stayed. */
  restrict(mask: Int32Array, ids: readonly number[], left: number): boolean {
    if (left < 0) this.#words.fill(0);
    else this.#use(ids, (closing) => this.#engine.readClosingMask(closing, left, this.#words));
    let isWhole = true;
    for (let i = 0; i < mask.length; i++) {
      const kept = (mask[i] as number) & (this.#words[i] as number);
      isWhole &&= kept === mask[i];
      mask[i] = kept;
    }
    return isWhole;
  }

  dispose(): void {
    if (this.#closing !== undefined) this.#engine.free(this.#closing);
    this.#closing = undefined;
  }

  /** What `act` gives, with a closing behind `ids`: the one there is, or a new one where that fails. */
  #use<T>(ids: readonly number[], act: (closing: Closing) => T): T {
    if (this.#closing !== undefined && this.#engine.isUsable(this.#closing)) {
      try {
        return this.#at(this.#closing, ids, act);
      } catch (error) {
        if (!(error instanceof EngineRefusal)) throw error;
      }
    }
    this.dispose();
    try {
      this.#closing = this.#engine.openClosing(this.#source);
      this.#engine.hold(this, this.#closing);
      this.#there = [];
      return this.#at(this.#closing, ids, act);
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error;
      const domain = `one whose end the engine can look for here (${error.message})`;
      throw new InvalidValueError(OWNER, 'grammar', domain, this.#source.text);
    }
  }

  #at<T>(closing: Closing, ids: readonly number[], act: (closing: Closing) => T): T {
    let shared = 0;
    while (shared < ids.length && ids[shared] === this.#there[shared]) shared++;
    if (shared < this.#there.length) this.#engine.rollbackClosing(closing, this.#there.length - shared);
    this.#there = ids.slice(0, shared);
    for (const id of ids.slice(shared)) {
      if (!this.#engine.advanceClosing(closing, id)) throw new EngineRefusal('it no longer allows the text so far');
    }
    this.#there = [...ids];
    return act(closing);
  }
}
