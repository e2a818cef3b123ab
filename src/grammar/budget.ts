/**
 * How many ids a text may have, so that it ends in time.
 *
 * An id is allowed where an end within the rest is known after it, by a search of a stated number of steps. Where the search
 * finds none, although one was known before, the next id of that one is what is allowed: so there is always one.
 */
import type { JsonValue } from '../../processors/contract.js';
import { InvalidValueError } from '../errors.js';
import { isArray, isPlainObject } from '../kinds.js';
import type { Closing, Engine, GrammarSource } from './engine/engine.js';
import { Follower } from './follower.js';

const OWNER = 'GrammarConstraint';

/** What a budget has come to, as JSON. */
export type BudgetState = {
  /** How many ids there may be; null before it is known. */
  readonly within: number | null;
  /** What the text goes on with where no other end is known. */
  readonly plan: number[];
  /** How many ids there were left when the budget first took some away; null where it never has. */
  readonly tookFrom: number | null;
};

export class Budget {
  readonly #engine: Engine;
  readonly #source: GrammarSource;
  readonly #closing: Follower<Closing>;
  /** The ids that leave an end in time. */
  readonly #kept: Int32Array;
  #within: number | undefined;
  #plan: readonly number[] = [];
  #tookFrom: number | undefined;
  /** Whether it took ids away here. */
  #takes = false;

  constructor(engine: Engine, source: GrammarSource) {
    this.#engine = engine;
    this.#source = source;
    this.#closing = new Follower(engine, source, () => engine.openClosing(source));
    this.#kept = new Int32Array(Math.ceil(engine.vocabulary.vocabSize / 32));
  }

  /** How many ids there were left when it first took some away. */
  get tookFrom(): number | undefined {
    return this.#tookFrom;
  }

  /**
   * From now on there may be `within` ids at most, or as many as before where that is less; `ids` came already. Throws
   * InvalidValueError, naming `name`, where no end is known in so few.
   */
  limit(name: string, within: number, ids: readonly number[]): void {
    const plan = this.#shortest(ids);
    if (plan === undefined) {
      const domain = 'one with an end that is found in a bounded search, where the text is to end in time';
      throw new InvalidValueError(OWNER, 'grammar', domain, this.#source.text);
    }
    const most = Math.min(within, this.#within ?? within);
    const least = ids.length + plan.length;
    if (most < least) {
      throw new InvalidValueError(OWNER, name, `at least ${least}, the fewest ids known for a whole text`, most);
    }
    this.#within = most;
  }

  /** Takes out of the packed `mask` behind `ids` what leaves no end in time that is known, but for the last known end's. */
  restrict(mask: Int32Array, ids: readonly number[]): void {
    const left = this.#left(ids.length);
    if (left <= 0) this.#kept.fill(0);
    else this.#closing.at(ids, (closing) => this.#engine.readClosingMask(closing, left - 1, this.#kept));
    for (const id of this.#engine.vocabulary.endIds) add(this.#kept, id);
    const { stays, lost } = intersect(mask, this.#kept);
    this.#takes = lost;
    if (stays) this.#plan = [];
    else if (this.#plan.length === 0) this.#plan = this.#shortest(ids) ?? [];
    const [next] = this.#plan;
    if (next !== undefined && this.#plan.length <= left) add(mask, next);
  }

  /** Tells it that `id` comes, of which its mask said that it may, after `count` others. */
  advance(id: number, count: number): void {
    if (this.#takes) this.#tookFrom ??= this.#left(count);
    this.#plan = id === this.#plan[0] ? this.#plan.slice(1) : [];
  }

  save(): BudgetState {
    return { within: this.#within ?? null, plan: [...this.#plan], tookFrom: this.#tookFrom ?? null };
  }

  restore({ within, plan, tookFrom }: BudgetState): void {
    this.#within = within ?? undefined;
    this.#plan = [...plan];
    this.#tookFrom = tookFrom ?? undefined;
  }

  dispose(): void {
    this.#closing.dispose();
  }

  /** How many ids may come after `count`. */
  #left(count: number): number {
    if (this.#within !== undefined) return this.#within - count;
    const domain = 'a number of ids, or true where `budget` is called before the first token, as `generate` does';
    throw new InvalidValueError(OWNER, 'close', domain, true);
  }

  /** The shortest end that is found behind `ids`. */
  #shortest(ids: readonly number[]): readonly number[] | undefined {
    return this.#closing.at(ids, (closing) => this.#engine.planClosing(closing));
  }
}

/** Whether `state` may be of a text with a budget. */
export function isBudgetState(
  state: JsonValue,
  isText: (id: unknown) => boolean,
): state is BudgetState & { ids: JsonValue } {
  if (!isPlainObject(state)) return false;
  const { within, plan, tookFrom } = state as { [key: string]: JsonValue };
  const isCount = (count: unknown) => count === null || (Number.isInteger(count) && (count as number) >= 0);
  return isCount(within) && isCount(tookFrom) && isArray(plan) && plan.every(isText);
}

function add(words: Int32Array, id: number): void {
  words[id >> 5] = (words[id >> 5] as number) | (1 << (id & 31));
}

/** Keeps of `mask` what is in `kept`; whether anything stays, and whether anything is lost. */
function intersect(mask: Int32Array, kept: Int32Array): { stays: boolean; lost: boolean } {
  let [stays, lost] = [false, false];
  for (let i = 0; i < mask.length; i++) {
    const word = (mask[i] as number) & (kept[i] as number);
    stays ||= word !== 0;
    lost ||= word !== mask[i];
    mask[i] = word;
  }
  return { stays, lost };
}
