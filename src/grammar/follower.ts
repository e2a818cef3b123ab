/**
 * A place of the engine's that follows the ids of a text, forth and back.
 *
 * It is cheap where the ids begin as those before did, as in speculation and beams. A place that was given back for others
 * is made anew; so is one that fails, as it may have filled up in a long text, or its instance have died: only where a
 * new one fails too is the grammar refused.
 */
import { InvalidValueError } from '../errors.js';
import type { Engine, GrammarSource, Place } from './engine/engine.js';
import { EngineRefusal } from './engine/instance.js';

/** A list of ids that is given to it may grow; it is not changed otherwise, but another one is given. */
export class Follower<P extends Place> {
  readonly #engine: Engine;
  readonly #source: GrammarSource;
  readonly #open: () => P;
  #place: P | undefined;
  /** The ids that it stands behind, and the list that began with them when it was last asked about. */
  #there: number[] = [];
  #list: readonly number[] = [];
  #isDisposed = false;

  /** @param open makes a place at the beginning of a text of `source` */
  constructor(engine: Engine, source: GrammarSource, open: () => P) {
    this.#engine = engine;
    this.#source = source;
    this.#open = open;
  }

  /** What `act` gives, with the place behind `ids`, which were allowed before. */
  at<T>(ids: readonly number[], act: (place: P) => T): T {
    return this.#try((place) => {
      if (!this.#go(place, ids)) throw new EngineRefusal('it no longer allows the text so far');
      return act(place);
    });
  }

  /** Whether `id`, which does not end the text, may come behind `ids`; it is there then. */
  next(ids: readonly number[], id: number): boolean {
    return this.at(ids, (place) => this.#step(place, id));
  }

  /** Whether `ids`, none of which ends a text, may come from the beginning on. */
  allows(ids: readonly number[]): boolean {
    return this.#try((place) => this.#go(place, ids));
  }

  /** Frees the place at once; nothing can be asked any more. */
  dispose(): void {
    this.#isDisposed = true;
    this.#drop();
  }

  #try<T>(act: (place: P) => T): T {
    if (this.#isDisposed) {
      const domain = 'in use before `dispose`, not after';
      throw new InvalidValueError('GrammarConstraint', 'constraint', domain, 'a disposed one');
    }
    if (this.#place !== undefined && this.#engine.isUsable(this.#place)) {
      try {
        return act(this.#place);
      } catch (error) {
        if (!(error instanceof EngineRefusal)) throw error;
      }
    }
    this.#drop();
    try {
      this.#place = this.#open();
      this.#engine.hold(this, this.#place);
      return act(this.#place);
    } catch (error) {
      if (!(error instanceof EngineRefusal)) throw error;
      const domain = `one that the engine can follow here (${error.message})`;
      throw new InvalidValueError('GrammarConstraint', 'grammar', domain, this.#source.text);
    }
  }

  #go(place: P, ids: readonly number[]): boolean {
    const there = this.#there;
    let shared = ids === this.#list ? Math.max(0, Math.min(there.length, ids.length) - 1) : 0;
    while (shared < ids.length && ids[shared] === there[shared]) shared++;
    if (shared < there.length) this.#engine.rollback(place, there.length - shared);
    there.length = shared;
    this.#list = ids;
    return ids.slice(shared).every((id) => this.#step(place, id));
  }

  #step(place: P, id: number): boolean {
    const isAllowed = this.#engine.advance(place, id);
    if (isAllowed) this.#there.push(id);
    return isAllowed;
  }

  #drop(): void {
    if (this.#place !== undefined) this.#engine.free(this.#place);
    this.#place = undefined;
    this.#there = [];
  }
}
