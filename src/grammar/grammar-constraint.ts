/**
 * One request's place in a grammar.
 */

import type { Constraint } from '../../processors/constraints/constraint.js';
import type { JsonValue } from '../../processors/contract.js';
import { InvalidValueError } from '../errors.js';
import { checkId, readArray } from '../inputs.js';
import { isArray } from '../kinds.js';
import { anyField } from '../options/fields.js';
import { optionsOf } from '../options/options-of.js';
import { Budget, isBudgetState } from './budget.js';
import type { Engine, Matcher } from './engine/engine.js';
import { ENGINE_VERSION } from './engine/engine-version.js';
import { Follower } from './follower.js';
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

/**
 * Its place is the list of the ids so far; the engine's matcher can be made again from it at any time. Going back to a
 * place is cheap where the ids begin alike, as in speculation and beams. `dispose` frees its memory at once; else that
 * happens when it is collected, or when others need the room.
 * Throws InvalidValueError, naming `grammar`, where a mask takes the engine more steps than its limits allow.
 */
export class GrammarConstraint implements Constraint {
  readonly #engine: Engine;
  readonly #grammar: Grammar;
  readonly #matcher: Follower<Matcher>;
  readonly #budget: Budget | undefined;
  readonly #words: Int32Array;
  /** Of a text; the last may be an end id, of which the engine is not told. */
  #ids: number[] = [];
  /** Whether `#words` is of this place. */
  #isMasked = false;

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
    this.#matcher = new Follower(engine, grammar.source, () => grammar.matcher());
    this.#words = new Int32Array(Math.ceil(engine.vocabulary.vocabSize / 32));
    if (close !== false) this.#budget = new Budget(engine, grammar.source);
    if (typeof close === 'number') this.#budget?.limit('close', close, []);
  }

  /** Packed, bit `id & 31` of word `id >> 5`; the array is written again when the place changes. */
  mask(): Int32Array {
    if (this.#isMasked) return this.#words;
    if (this.done) this.#words.fill(0);
    else {
      this.#matcher.at(this.#ids, (matcher) => this.#engine.readMask(matcher, this.#words));
      this.#budget?.restrict(this.#words, this.#ids);
    }
    this.#isMasked = true;
    return this.#words;
  }

  advance(id: number): void {
    if (this.done) throw new InvalidValueError(OWNER, 'id', 'absent after the end id', id);
    const isInTime = this.#budget === undefined || (((this.mask()[id >> 5] ?? 0) >>> (id & 31)) & 1) === 1;
    const isAllowed = this.#isEnd(id) ? this.isComplete() : this.#isText(id) && this.#matcher.next(this.#ids, id);
    if (!(isInTime && isAllowed)) {
      throw new InvalidValueError(OWNER, 'id', 'one that the grammar allows here', id);
    }
    this.#budget?.advance(id, this.#ids.length);
    this.#ids.push(id);
    this.#isMasked = false;
  }

  /**
   * With `close`, says how many ids may come at most from the beginning of the text, the end id not counted. Throws
   * InvalidValueError where no end is known in so few, with the number that is needed.
   */
  budget(tokens: number): void {
    checkId(OWNER, 'tokens', tokens);
    this.#budget?.limit('max_tokens', tokens, this.#ids);
    this.#isMasked = false;
  }

  /**
   * `{ closing_from, warnings }`, without what there is not; undefined where there is neither. With `close`, from how many ids
   * before the last one on the budget took some away; and what the grammar does not enforce.
   */
  report(): GrammarReport | undefined {
    const from = this.#budget?.tookFrom;
    const closing = from === undefined ? {} : { closing_from: from };
    const { warnings } = this.#grammar;
    const left = warnings.length === 0 ? {} : { warnings: warnings.map((warning) => ({ ...warning })) };
    const report: GrammarReport = { ...closing, ...left };
    return Object.keys(report).length === 0 ? undefined : report;
  }

  isComplete(): boolean {
    return this.done || this.#matcher.at(this.#ids, (matcher) => this.#engine.isAccepting(matcher));
  }

  get done(): boolean {
    return this.#isEnd(this.#ids.at(-1));
  }

  /** The bytes that every text goes on with from here; none where there is a choice, or the text may end. */
  forcedBytes(): Uint8Array {
    return this.done ? new Uint8Array() : this.#matcher.at(this.#ids, (matcher) => this.#engine.forced(matcher));
  }

  save(): JsonValue {
    const ids = [...this.#ids];
    return this.#budget === undefined ? ids : { ids, ...this.#budget.save() };
  }

  restore(state: JsonValue): void {
    const isBudgeted = isBudgetState(state, (id) => this.#isText(id));
    const given = this.#budget === undefined ? state : isBudgeted && state.ids;
    const ids = isArray(given) ? readArray(OWNER, 'state', 'an array', given, (id) => id as number) : undefined;
    if (ids === undefined || !this.#allows(ids)) {
      throw new InvalidValueError(OWNER, 'state', 'the ids of a text that the grammar allows', state);
    }
    if (isBudgeted) this.#budget?.restore(state);
    this.#ids = ids;
    this.#isMasked = false;
  }

  /** Another constraint at the same place, which then goes its own way. */
  clone(): GrammarConstraint {
    const copy = new GrammarConstraint(this.#engine, this.#grammar, { close: this.#budget !== undefined });
    copy.restore(this.save());
    return copy;
  }

  /** Frees what it holds; it cannot be used any more. */
  dispose(): void {
    this.#matcher.dispose();
    this.#budget?.dispose();
  }

  /** Whether `ids` are those of a text from its beginning on, of which the last may be an end. */
  #allows(ids: readonly number[]): boolean {
    const isEnded = this.#isEnd(ids.at(-1));
    const text = isEnded ? ids.slice(0, -1) : ids;
    if (!(text.every((id) => this.#isText(id)) && this.#matcher.allows(text))) return false;
    return !isEnded || this.#matcher.at(text, (matcher) => this.#engine.isAccepting(matcher));
  }

  #isEnd(id: number | undefined): boolean {
    return this.#engine.vocabulary.endIds.has(id as number);
  }

  #isText(id: unknown): boolean {
    return typeof id === 'number' && this.#engine.vocabulary.isText(id);
  }
}
