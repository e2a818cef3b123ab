/**
 * One request's place in a grammar.
 */
import type { JsonValue } from '../../processors/contract.js';
import type { Constraint } from '../../processors/masks/constraint.js';
import { InvalidValueError } from '../errors.js';
import { checkId, readArray } from '../inputs.js';
import { isArray, isObject } from '../kinds.js';
import { anyField } from '../options/fields.js';
import { optionsOf } from '../options/options-of.js';
import { ClosingPlace } from './closing-place.js';
import type { Engine, Matcher } from './engine/engine.js';
import { ENGINE_VERSION } from './engine/engine-version.js';
import { EngineRefusal } from './engine/instance.js';
import type { Grammar } from './grammar.js';
import type { GrammarWarning } from './language/refusal.js';

const OWNER = 'GrammarConstraint';

export interface ConstraintOptions {
  /**
   * Whether the text is to end in time: within so many ids, an integer >= 0, or with true within as many as `generate`, or
   * whoever runs the model, says (`budget`). Ids after which no end in time is known are not allowed then. Default false.
   */
  readonly close?: boolean | number;
}

/** What a generation's result says of its grammar, under the step's name in `reports`. */
export type GrammarReport = {
  /** How many ids there were left when the budget first took some away. */
  readonly closing_from?: number;
  /** What the grammar does not enforce, as `Grammar.warnings` has it. */
  readonly warnings?: readonly { readonly [field in keyof GrammarWarning]: string }[];
};

const CONSTRAINT_OPTIONS = optionsOf<ConstraintOptions>({ close: anyField });

/** The place of a constraint that ends in time. */
interface Place {
  readonly ids: readonly number[];
  /** How many ids there may be; null before it is known. */
  readonly within: number | null;
  /** What the text goes on with where no other end is known. */
  readonly plan: readonly number[];
  /** How many ids there were left when the budget first took some away; null where it never has. */
  readonly tookFrom: number | null;
}

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
  readonly #close: boolean;
  readonly #closing: ClosingPlace;
  #within: number | undefined;
  /** An end that is known, where the search finds none from here. */
  #plan: readonly number[] = [];
  #tookFrom: number | undefined;
  /** Whether the budget took ids away here. */
  #takes = false;

  /** The engine's: a saved request goes on with the same one. */
  readonly version = ENGINE_VERSION;

  /** Made by `Grammar.constraint`. */
  constructor(engine: Engine, grammar: Grammar, options: ConstraintOptions = {}) {
    const { close = false } = CONSTRAINT_OPTIONS.check(OWNER, options);
    if (!(typeof close === 'boolean' || (Number.isInteger(close) && close >= 0))) {
      throw new InvalidValueError(OWNER, 'close', 'true, false or an integer >= 0', close);
    }
    this.#engine = engine;
    this.#grammar = grammar;
    this.#words = new Int32Array(Math.ceil(engine.vocabulary.vocabSize / 32));
    this.#close = close !== false;
    this.#closing = new ClosingPlace(engine, grammar.source);
    if (typeof close === 'number') this.#limit('close', close);
  }

  /** Packed, bit `id & 31` of word `id >> 5`; the array is written again when the place changes. */
  mask(): Int32Array {
    if (this.#isMasked) return this.#words;
    this.#use((matcher) => {
      if (this.done) this.#words.fill(0);
      else this.#engine.readMask(matcher, this.#words);
    });
    this.#takes = this.#close && !this.done && this.#restrict();
    this.#isMasked = true;
    return this.#words;
  }

  advance(id: number): void {
    if (this.done) throw new InvalidValueError(OWNER, 'id', 'absent after the end id', id);
    const inTime = !this.#close || this.#isInMask(id);
    const isAllowed = inTime && this.#use((matcher) => this.#go(matcher, [id]) === 1);
    if (!isAllowed) throw new InvalidValueError(OWNER, 'id', 'one that the grammar allows here', id);
    if (this.#takes) this.#tookFrom ??= this.#left;
    this.#plan = id === this.#plan[0] ? this.#plan.slice(1) : [];
    this.#ids.push(id);
    this.#isMasked = false;
  }

  /**
   * With `close`, says how many ids may come at most from the beginning of the text, the end id not counted. Throws
   * InvalidValueError where no end is known in so few, with the number that is needed.
   */
  budget(tokens: number): void {
    checkId(OWNER, 'tokens', tokens);
    if (this.#close) this.#limit('max_tokens', Math.min(tokens, this.#within ?? Infinity));
  }

  /**
   * `{ closing_from, warnings }`, without what there is not; undefined where there is neither. With `close`, from how many ids
   * before the last one on the budget took some away; and what the grammar does not enforce.
   */
  report(): GrammarReport | undefined {
    const closing = this.#tookFrom === undefined ? {} : { closing_from: this.#tookFrom };
    const { warnings } = this.#grammar;
    const left = warnings.length === 0 ? {} : { warnings: warnings.map((warning) => ({ ...warning })) };
    const report: GrammarReport = { ...closing, ...left };
    return Object.keys(report).length === 0 ? undefined : report;
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
    if (!this.#close) return [...this.#ids];
    const [within, tookFrom] = [this.#within ?? null, this.#tookFrom ?? null];
    return { ids: [...this.#ids], within, plan: [...this.#plan], tookFrom };
  }

  restore(state: JsonValue): void {
    if (!this.#close) {
      this.#goTo(state, state);
      return;
    }
    const { ids, within, plan, tookFrom } = this.#checkPlace(state);
    this.#goTo(ids, state);
    this.#within = within ?? undefined;
    this.#plan = [...plan];
    this.#tookFrom = tookFrom ?? undefined;
  }

  #goTo(ids: JsonValue, given: JsonValue): void {
    if (!this.#isPlace(ids)) throw this.#wrongPlace(given);
    const state = ids;
    const isThere = this.#try((matcher, from) => {
      const shared = countShared(from, state);
      this.#back(matcher, from.slice(shared));
      return this.#go(matcher, state.slice(shared)) === state.length - shared;
    });
    if (!isThere) {
      this.#drop(); // it is somewhere between; it is made anew at the place that holds
      throw this.#wrongPlace(given);
    }
    this.#ids = [...state];
    this.#isMasked = false;
  }

  /** Another constraint at the same place, which then goes its own way. */
  clone(): GrammarConstraint {
    const copy = new GrammarConstraint(this.#engine, this.#grammar, { close: this.#close });
    copy.#ids = [...this.#ids];
    copy.#within = this.#within;
    copy.#plan = this.#plan;
    copy.#tookFrom = this.#tookFrom;
    this.#use((matcher) => copy.#take(this.#engine.clone(matcher)));
    return copy;
  }

  /** Frees what it holds; it cannot be used any more. */
  dispose(): void {
    this.#isDisposed = true;
    this.#drop();
    this.#closing.dispose();
  }

  /** How many ids may come yet. */
  get #left(): number {
    return (this.#within ?? 0) - this.#ids.length;
  }

  #isInMask(id: number): boolean {
    return (((this.mask()[id >> 5] ?? 0) >>> (id & 31)) & 1) === 1;
  }

  /** Takes over how many ids there may be, where an end is known in so few. */
  #limit(name: string, within: number): void {
    const plan = this.#closing.plan(this.#ids);
    if (plan === undefined) {
      const domain = 'one with an end that is found in a bounded search, where the text is to end in time';
      throw new InvalidValueError(OWNER, 'grammar', domain, this.#grammar.source.text);
    }
    const least = this.#ids.length + plan.length;
    if (within < least) {
      throw new InvalidValueError(OWNER, name, `at least ${least}, the fewest ids known for a whole text`, within);
    }
    this.#within = within;
    this.#isMasked = false;
  }

  /** Takes away the ids after which no end in time is known; where none stays, the next of the last known end does. */
  #restrict(): boolean {
    if (this.#within === undefined) {
      const domain = 'a number of ids, or true where `budget` is called before the first token, as `generate` does';
      throw new InvalidValueError(OWNER, 'close', domain, true);
    }
    const words = this.#words;
    const ends = [...this.#engine.vocabulary.endIds].filter((id) => ((words[id >> 5] as number) >>> (id & 31)) & 1);
    const set = (id: number) => {
      words[id >> 5] = (words[id >> 5] as number) | (1 << (id & 31));
    };
    for (const id of ends) words[id >> 5] = (words[id >> 5] as number) & ~(1 << (id & 31));
    const isWhole = this.#closing.restrict(words, this.#ids, this.#left - 1);
    const stays = ends.length > 0 || words.some((word) => word !== 0);
    ends.forEach(set);
    if (stays) this.#plan = [];
    else this.#followPlan(set);
    return !isWhole;
  }

  #followPlan(allow: (id: number) => void): void {
    if (this.#plan.length === 0) this.#plan = this.#closing.plan(this.#ids) ?? [];
    const [next] = this.#plan;
    if (next !== undefined && this.#plan.length <= this.#left) allow(next);
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
    if (!isArray(state)) return false;
    return readArray(OWNER, 'state', 'an array', state, (id) => id as number).every(
      (id, i) => this.#isText(id) || (i === state.length - 1 && this.#isEnd(id)),
    );
  }

  #checkPlace(state: JsonValue): Place {
    const place = state as unknown as Place;
    const isCount = (count: unknown) => count === null || (Number.isInteger(count) && (count as number) >= 0);
    const isPlan = isObject(place) && isArray(place.plan) && place.plan.every((id) => this.#isText(id));
    if (isPlan && isCount(place.within) && isCount(place.tookFrom)) return place;
    throw this.#wrongPlace(state);
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
